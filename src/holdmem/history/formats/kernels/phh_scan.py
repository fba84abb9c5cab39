"""Scan PHHS byte by byte into columns, for hands written in the usual way.

A hand is left to the careful reader (`note.careful`) as soon as one of its lines is not exactly of a form
that is known here, so nothing is guessed. Amounts are kept in hundredths until the game and with it the value
of a chip is known. The lines that define the game are not interpreted: they are copied into a key, and hands
with the same key play the same game. The text ends with `MARGIN` newlines, so that looking a few bytes ahead
is safe.
"""

from typing import Any, NamedTuple

import numpy as np

from holdmem.core.jit import kernel
from holdmem.history.formats.kernels.phh_actions import (
    read_actions,
)
from holdmem.history.formats.kernels.phh_fields import (
    read_hand_number,
    read_names,
    read_results,
    read_stacks,
    read_time,
)
from holdmem.history.formats.kernels.phh_values import (
    ACTIONS,
    ANTES,
    CLOSE,
    DOUBLE,
    ENDS,
    IS,
    LENGTHS,
    MARGIN,
    MINUS,
    NAMES,
    OPEN,
    OTHERS,
    PLAYERS,
    QUOTE,
    SHORTEST,
    STACKS,
    TERMS,
    UNDERSCORE,
    WINNINGS,
    is_list,
    is_usual,
)
from holdmem.history.formats.kernels.scan import (
    NEWLINE,
    NINE,
    SPACE,
    TAB,
    ZERO,
    InternTable,
    intern,
    is_word,
    line_end,
    matching_word,
    read_number,
)


class PHHScan(NamedTuple):
    """What is scanned, and the columns that it goes to; `used` holds the number of actions and key bytes."""

    text: Any
    rows: Any
    notes: Any
    betting: Any
    actors: Any
    players: InternTable
    tables: InternTable
    sites: InternTable
    keys: Any
    terms: InternTable
    used: Any


# Values


@kernel
def is_new_field(text, at, end, note):
    """Remember the name of a field that is not read; return whether it is new."""
    name = np.int64(5381)
    for k in range(at, end):
        name = (name * 33 + np.int64(text[k])) & 0xFFFFFFFF
    for k in range(note.unread):
        if note.others[k] == name:
            return False
    if note.unread == OTHERS:
        return False
    note.others[note.unread] = name
    note.unread += 1
    return True


@kernel
def is_name_byte(byte):
    """Return whether this byte can be part of the name of a field."""
    small = byte | np.uint8(32)
    return 97 <= small <= 122 or ZERO <= byte <= NINE or byte in (UNDERSCORE, MINUS)


@kernel
def locate(text, at, end, note):
    """Note where the value of the field on this line is; return whether the line is of the usual form."""
    name_end = at
    while is_name_byte(text[name_end]):
        name_end += 1
    if name_end == at or not is_word(text, name_end, IS):
        return False
    value, field = name_end + 3, matching_word(text, at, name_end, NAMES, LENGTHS)
    if field < 0:
        return is_new_field(text, at, name_end, note) and is_usual(text, value, end)
    if note.at[field] > 0:
        return False
    note.at[field], note.to[field] = value, end
    return field >= TERMS or is_usual(text, value, end)


@kernel
def has_fields(text, note):
    """Return whether the fields that every hand has are there, and the lists among them are lists."""
    fine = True
    for field in (ANTES, STACKS, ACTIONS, PLAYERS):
        fine &= note.at[field] > 0 and text[note.at[field]] == OPEN
    for field in (WINNINGS, ENDS):
        fine &= note.at[field] == 0 or (text[note.at[field]] == OPEN and is_list(text, note.at[field]))
    return fine


@kernel
def number_terms(text, keys, used, note, terms):
    """Find or add the lines that define the game; return whether there is room for them."""
    key = end = used[1]
    for field in range(TERMS):
        if end + note.to[field] - note.at[field] + MARGIN > len(keys):
            return False
        for k in range(note.at[field], note.to[field]):
            keys[end] = text[k]
            end += 1
        keys[end] = NEWLINE
        end += 1
    keys[end], keys[end + 1] = note.seats, note.cents
    count = terms.count[0]
    note.terms = intern(keys, key, end + 2, terms)
    used[1] = end + 2 if terms.count[0] > count else key
    return True


@kernel
def read_hand(scan, row, note):
    """Parse the fields of one hand; return whether all are of the usual form."""
    text = scan.text
    if not has_fields(text, note):
        return False
    note.full = row.start + (note.to[ACTIONS] - note.at[ACTIONS]) // SHORTEST >= len(scan.betting)
    return (
        not note.full
        and read_stacks(text, row, note)
        and read_actions(text, row, note, scan.betting, scan.actors)
        and note.acting < note.seats
        and read_results(text, note)
        and read_time(text, note)
        and read_hand_number(text, row, note)
        and read_names(text, row, note, scan.players, scan.tables, scan.sites)
        and number_terms(text, scan.keys, scan.used, note, scan.terms)
    )


@kernel
def locate_all(text, size, at, note):
    """Locate the fields of one hand; return where the next one begins and the number of lines."""
    lines = 0
    note.begin = at
    while at < size and text[at] != OPEN:
        end = line_end(text, at)
        if not note.careful and end > at:
            note.careful = not locate(text, at, end, note)
        at, lines = end + 1, lines + 1
    note.end = min(at, size)
    return at, lines


@kernel
def scan_hands(scan, size, at, line):
    """Scan hands from the header at `at` on until the rows are full or no room is left for actions.

    Returns the number of hands, and position and line of the next header.
    """
    count = 0
    while at < size and count < len(scan.rows):
        row, note = scan.rows[count], scan.notes[count]
        row.line, row.start = line, scan.used[0]
        after, lines = locate_all(scan.text, size, line_end(scan.text, at) + 1, note)
        if note.careful or not read_hand(scan, row, note):
            note.careful, row.actions = 1, 0
        if note.full and count > 0:
            break
        scan.used[0] += row.actions
        at, line, count = after, line + lines + 1, count + 1
    return count, at, line


@kernel
def is_header(text, at):
    """Return whether the line that begins here is a plain header such as [12]."""
    number, after = read_number(text, at + 1, at + 19)
    return text[at] == OPEN and number >= 0 and text[after] == CLOSE and text[after + 1] == NEWLINE


@kernel
def count_hands(text, size):
    """Return the number of headers; 0 if the file is not a plain sequence of headers and single lines.

    Any other line in brackets, text before the first header, and multi-line texts make the careful reader
    treat the file as a whole.
    """
    hands, at = 0, 0
    while at < size:
        first = at
        while text[first] == SPACE or text[first] == TAB:
            first += 1
        if text[first] == OPEN:
            if not is_header(text, at):
                return 0
            hands += 1
        elif hands == 0 and text[first] != NEWLINE:
            return 0
        while text[at] != NEWLINE:
            quotes = text[at] == QUOTE or text[at] == DOUBLE
            if quotes and text[at + 1] == text[at] and text[at + 2] == text[at]:
                return 0
            at += 1
        at += 1
    return hands
