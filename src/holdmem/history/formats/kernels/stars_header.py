"""Scan the first line of a PokerStars hand: its number, the game and the time."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.history.formats.kernels.scan import (
    SPACE,
    TAB,
    is_word,
    read_number,
)
from holdmem.history.formats.kernels.stars_words import (
    CLOSE,
    COLON,
    HASH,
    OPEN,
    find_byte,
    is_plain,
)

NO_TIME = -1
"""Clock of a hand without a time."""

RETURN, MINUS, SLASH = (np.uint8(ord(mark)) for mark in "\r-/")
NUL = np.uint8(0)
BEGINS = np.frombuffer(b"PokerStars ", dtype=np.uint8)
FIRST_HAND, FIRST_GAME, FIRST_ZOOM = (
    np.frombuffer(word, dtype=np.uint8)
    for word in (b"PokerStars Hand #", b"PokerStars Game #", b"PokerStars Zoom Hand #")
)


@kernel
def trimmed(text, at, end):
    """Return the end of a line without blanks."""
    while end > at and (
        text[end - 1] == RETURN or text[end - 1] == SPACE or text[end - 1] == TAB or text[end - 1] == NUL
    ):
        end -= 1
    return end


@kernel
def begins_hand(text, at, end):
    """Return whether this line, without blanks at its end, begins a hand."""
    if not is_word(text, at, BEGINS):
        return False
    while at < end:
        if text[at] == HASH:
            _, after = read_number(text, at + 1, end)
            if after > at + 1 and text[after] == COLON and text[after + 1] == SPACE and after + 2 < end:
                return True
        at += 1
    return False


@kernel
def read_time(text, at, end, note):
    """Parse a date and time such as 2009/07/01 9:36:05; return where it ends, or -1."""
    seconds = np.int64(0)
    for part in range(6):
        value, after = read_number(text, at, end)
        digits = after - at
        if value < 0 or digits > (4 if part == 0 else 2) or (digits < 2 and part > 3):
            return -1
        if part == 0 and digits != 4:
            return -1
        mark = text[after]
        if (part < 2 and mark != SLASH) or (part == 2 and mark != SPACE) or (3 <= part < 5 and mark != COLON):
            return -1
        if part < 3:
            note.date[part] = value
        else:
            seconds = 60 * seconds + value
        at = after + 1
    note.clock = seconds
    return at - 1


@kernel
def zone_end(text, at, end):
    """Return the position after a time zone: spaces and capital letters."""
    while at < end and (text[at] == SPACE or 65 <= text[at] <= 90):
        at += 1
    return at


@kernel
def read_header(text, at, end, row, note):
    """Parse the first line; return where the part that defines the game begins and ends, or -1."""
    after = at
    if is_word(text, at, FIRST_HAND) or is_word(text, at, FIRST_GAME):
        after = at + len(FIRST_HAND)
    elif is_word(text, at, FIRST_ZOOM):
        after = at + len(FIRST_ZOOM)
    row.number, after = read_number(text, after, end)
    if row.number < 0 or text[after] != COLON or text[after + 1] != SPACE or not is_plain(text, at, end):
        return -1, -1
    begin = stop = after + 2
    while stop < end and not (
        text[stop] == SPACE
        and text[stop + 1] == MINUS
        and text[stop + 2] == SPACE
        and text[stop + 7] == SLASH
    ):
        stop += 1
    if stop == end and find_byte(text, begin, end, COLON) == end:
        note.clock = NO_TIME
        return begin, end
    after = read_time(text, stop + 3, end, note) if stop < end else -1
    after = zone_end(text, after, end) if after > 0 else -1
    if after > 0 and after < end and text[after] == OPEN:
        after = read_time(text, after + 1, end, note)
        after = zone_end(text, after, end) if after > 0 else -1
        after = after + 1 if after > 0 and text[after] == CLOSE else -1
    return (begin, stop) if after == end else (-1, -1)
