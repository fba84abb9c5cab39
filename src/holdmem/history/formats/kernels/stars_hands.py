"""Scan PokerStars hands into columns: header, lines, chips, and a key for the game that is played."""

from typing import Any, NamedTuple

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.history.formats.kernels.scan import (
    NEWLINE,
    SPACE,
    InternTable,
    intern,
    is_word,
    line_end,
)
from holdmem.history.formats.kernels.stars_chips import (
    play,
    seat_players,
    settle,
)
from holdmem.history.formats.kernels.stars_header import (
    BEGINS,
    begins_hand,
    read_header,
    trimmed,
)
from holdmem.history.formats.kernels.stars_scan import (
    read_line,
)
from holdmem.history.formats.kernels.stars_words import (
    MARGIN,
    MOST_DEEDS,
    MOST_SEATS,
    SUMMARY,
    is_plain,
)

NOTE = record(
    [
        ("begin", "i8"),  # text of the hand
        ("end", "i8"),
        ("header", "i8"),  # end of its first line
        ("terms", "i8"),  # index of the header and the posts, which define the game
        ("date", "i8", 3),
        ("clock", "i8"),
        ("most", "i8"),  # highest raise in hundredths
        ("whole", "u1"),  # all amounts are whole
        ("careful", "u1"),  # not of the usual form
    ]
)


class StarsScan(NamedTuple):
    """What is scanned, and the columns that it goes to; `used` holds the number of actions and key bytes."""

    text: Any
    rows: Any
    notes: Any
    betting: Any
    desk: Any
    deeds: Any
    players: InternTable
    tables: InternTable
    keys: Any
    terms: InternTable
    used: Any


@kernel
def clear_desk(desk):
    """Forget what the lines of the previous hand said."""
    desk.listed = desk.deeds = desk.street = desk.stage = 0
    desk.pot = desk.rake = -1
    desk.whole = 1
    for seat in range(MOST_SEATS):
        desk.back[seat] = desk.won[seat] = desk.dealt[seat] = 0
        desk.hole[seat, 0] = desk.hole[seat, 1] = -1
    for place in range(5):
        desk.board[place] = -1


@kernel
def scan_lines(text, size, at, desk, deeds, note):
    """Scan the lines below a header; return where the next header is and the number of lines."""
    lines = 0
    while at < size:
        full = line_end(text, at)
        end = trimmed(text, at, full)
        if begins_hand(text, at, end):
            break
        if not note.careful:
            note.careful = not read_line(text, at, end, desk, deeds)
        at, lines = full + 1, lines + 1
    note.end = min(at, size)
    return at, lines


@kernel
def put_number(keys, at, value):
    """Append a number to a key as eight bytes; return the end."""
    for _ in range(8):
        keys[at] = value & 255
        value, at = value >> 8, at + 1
    return at


@kernel
def number_terms(text, begin, end, desk, deeds, table, posts, keys, used, terms):
    """Return the index of header, seats and posts among the distinct ones, or -1 if there is no room."""
    key = at = used[1]
    if at + end - begin + 24 * posts + MARGIN > len(keys):
        return np.int64(-1)
    for k in range(begin, end):
        keys[at] = text[k]
        at += 1
    keys[at], keys[at + 1] = NEWLINE, table.seats
    at += 2
    for k in range(posts):
        keys[at], keys[at + 1] = deeds[k].verb, table.place[deeds[k].seat]
        at = put_number(keys, at + 2, deeds[k].chips)
    count = terms.count[0]
    found = intern(keys, key, at, terms)
    used[1] = at if terms.count[0] > count else key
    return found


@kernel
def name_all(text, desk, table, row, players, tables):
    """Write players, table and board to the row."""
    for place in range(table.seats):
        seat = table.listed[place]
        row.player[place] = intern(text, desk.begin[seat], desk.end[seat], players)
    row.table = 1 + intern(text, desk.table_begin, desk.table_end, tables)
    for place in range(5):
        row.board[place] = desk.board[place]


@kernel
def follow(scan, desk, table, row, note, begin, end):
    """Write a scanned hand to its row; return whether all of it fits together."""
    if desk.stage < SUMMARY or desk.pot < 0 or not seat_players(desk, table):
        return False
    posts = play(desk, scan.deeds, table, row, note, scan.betting)
    if posts < 0 or not settle(desk, table, row):
        return False
    name_all(scan.text, desk, table, row, scan.players, scan.tables)
    note.whole = desk.whole
    note.terms = number_terms(
        scan.text, begin, end, desk, scan.deeds, table, posts, scan.keys, scan.used, scan.terms
    )
    return note.terms >= 0


@kernel
def scan_hands(scan, table, size, at, line):
    """Scan hands from the header at `at` on until the rows are full.

    Returns the number of hands, and position and line of the next header.
    """
    count = 0
    while at < size and count < len(scan.rows) and scan.used[0] + MOST_DEEDS + 8 < len(scan.betting):
        row, note, desk = scan.rows[count], scan.notes[count], scan.desk[0]
        row.line, row.start, note.begin = line, scan.used[0], at
        note.header = line_end(scan.text, at)
        begin, end = read_header(scan.text, at, trimmed(scan.text, at, note.header), row, note)
        note.careful = begin < 0
        clear_desk(desk)
        at, lines = scan_lines(scan.text, size, note.header + 1, desk, scan.deeds, note)
        if note.careful or not follow(scan, desk, table[0], row, note, begin, end):
            note.careful, row.actions = 1, 0
        scan.used[0] += row.actions
        line, count = line + lines + 1, count + 1
    return count, at, line


@kernel
def first_hand(text, size):
    """Return where the first header begins and the number of lines before it; -1 if the text is unusual.

    A line that begins a hand must do so in its first column and in ASCII.
    """
    at, first, before, lines = 0, -1, 0, 0
    while at < size:
        full = line_end(text, at)
        end, begin = trimmed(text, at, full), at
        while begin < end and (text[begin] <= SPACE or text[begin] == 0xEF):
            begin += 3 if text[begin] == 0xEF else 1
        if begin < end and is_word(text, begin, BEGINS):
            if begin > at or not is_plain(text, at, end):
                return -1, 0
            if first < 0 and begins_hand(text, at, end):
                first, before = at, lines
        at, lines = full + 1, lines + 1
    return first, before
