"""Layout of the notes about a scanned PHH hand, and values as PHHS files usually write them."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.state import SEATS
from holdmem.history.formats.kernels.scan import (
    NEWLINE,
    NINE,
    SPACE,
    ZERO,
    is_word,
    read_hundredths,
    read_number,
    word_table,
)

MARGIN = 32
UNBOUNDED = -1
"""Stands for an infinite amount."""
END_OF_LIST = -1
"""One less than what `next_item` returns after the last item."""

FIELDS = (
    "variant", "ante_trimming_status", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet",
    "currency", "currency_symbol", "_holdmem_game", "starting_stacks", "actions", "venue", "time", "day",
    "month", "year", "hand", "table", "players", "winnings", "finishing_stacks",
)  # fmt: skip
"""Fields that are read; of any other only the form of its value is checked."""
ANTES, STACKS, ACTIONS, VENUE, TIME, DAY, MONTH, YEAR, HAND, TABLE, PLAYERS, WINNINGS, ENDS = (
    2, *range(10, 22)
)  # fmt: skip
NAMES, LENGTHS = word_table(FIELDS)
TERMS = STACKS
"""Number of the fields that define the game, which come first."""

SHORTEST = 7
"""Fewest bytes of an action in its list."""

OTHERS = 32
"""Most fields of a hand that are not in `FIELDS`."""

NOTE = record(
    [
        ("begin", "i8"),  # text of the hand without its header
        ("end", "i8"),
        ("at", "i8", len(FIELDS)),  # where the value of each field begins; 0 if there is none
        ("to", "i8", len(FIELDS)),  # and where it ends
        ("terms", "i8"),  # index of the lines that define the game
        ("date", "i8", 3),  # year, month, day; 0 if not stated
        ("clock", "i8"),  # seconds since midnight
        ("amounts", "i8", SEATS),  # finishing stacks or winnings in hundredths
        ("most", "i8"),  # highest raise in hundredths
        ("antes", "i8", SEATS),  # in hundredths
        ("others", "i8", OTHERS),  # hashes of the names of other fields
        ("unread", "i8"),  # number of other fields
        ("seats", "i8"),
        ("dealt", "i8"),  # seats with hole cards, as a bit mask
        ("shown", "i8"),  # seats that show both cards, as a bit mask
        ("acting", "i8"),  # highest seat that occurs in the actions
        ("board", "i8"),  # number of board cards
        ("cents", "u1"),  # some stack or raise is not whole
        ("careful", "u1"),  # not of the usual form
        ("full", "u1"),  # no room is left for the actions
    ]
)

OPEN, CLOSE, QUOTE, DOUBLE, COMMA, MINUS, POINT, COLON, UNSEEN, UNDERSCORE = (
    np.uint8(ord(mark)) for mark in "[]'\",-.:?_"
)  # fmt: skip
P, D, H, B, F, C, R, S, M = (np.uint8(ord(letter)) for letter in "pdhbfcrsm")
INF, TRUE, FALSE, IS = (np.frombuffer(word, dtype=np.uint8) for word in (b"inf", b"true", b"false", b" = "))


@kernel
def number_end(text, at):
    """Return the end of the number here as TOML writes it, or -1."""
    if is_word(text, at, INF):
        return at + 3
    at += text[at] == MINUS
    begin = at
    while ZERO <= text[at] <= NINE:
        at += 1
    if at == begin or at - begin > 18 or (text[begin] == ZERO and at - begin > 1):
        return -1
    if text[at] == POINT:
        begin = at = at + 1
        while ZERO <= text[at] <= NINE:
            at += 1
        return at if at > begin else -1
    return at


@kernel
def text_end(text, at):
    """Return the position after the quoted text here, or -1 if it is not plain ASCII in single quotes."""
    if text[at] != QUOTE:
        return -1
    at += 1
    while SPACE <= text[at] < 127 and text[at] != QUOTE:
        at += 1
    return at + 1 if text[at] == QUOTE else -1


@kernel
def item_end(text, at):
    """Return the end of the text or number here, or -1."""
    return text_end(text, at) if text[at] == QUOTE else number_end(text, at)


@kernel
def next_item(text, at):
    """Return where the next item of a list begins, 0 after the last one, or -1 if the list is damaged."""
    if text[at] == COMMA and text[at + 1] == SPACE:
        return at + 2
    return 0 if text[at] == CLOSE and text[at + 1] == NEWLINE else -1


@kernel
def is_list(text, at):
    """Return whether the line ends with a list of texts or of numbers that begins here."""
    at += 1
    quoted = text[at] == QUOTE
    while at > 0:
        if (text[at] == QUOTE) != quoted:
            return False
        at = item_end(text, at)
        at = next_item(text, at) if at > 0 else -1
    return at == 0


@kernel
def read_clock(text, at):
    """Return the seconds since midnight of a time such as 20:15:00 at the end of a line, or -1."""
    seconds = np.int64(0)
    for part in range(3):
        value, after = read_number(text, at, at + 2)
        if after != at + 2 or value >= (24 if part == 0 else 60):
            return -1
        if text[at + 2] != (NEWLINE if part == 2 else COLON):
            return -1
        seconds, at = 60 * seconds + value, at + 3
    return seconds


@kernel
def is_usual(text, at, end):
    """Return whether the rest of the line is a value written in one of the usual ways."""
    if text[at] == OPEN:
        return is_list(text, at)
    if item_end(text, at) == end:
        return True
    if is_word(text, at, TRUE):
        return at + 4 == end
    if is_word(text, at, FALSE):
        return at + 5 == end
    return read_clock(text, at) >= 0


@kernel
def read_amounts(text, at, amounts):
    """Fill in a list of amounts in hundredths; return their number, or -1 for any other list."""
    count = 0
    at += 1
    while at > 0:
        if count == SEATS:
            return -1
        if is_word(text, at, INF):
            amounts[count], at = UNBOUNDED, at + 3
        else:
            amounts[count], at = read_hundredths(text, at)
            if amounts[count] < 0:
                return -1
        count += 1
        at = next_item(text, at)
    return count if at == 0 else -1
