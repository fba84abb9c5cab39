"""Follow the chips of scanned PokerStars hands and write them to columns.

The same as `ChipTracker` and `record` do for any text, for hands of no-limit hold'em with plain posts. Where
those would object, the hand is left to them.
"""

from typing import Any, NamedTuple

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.state import CALL, FOLD, SEATS
from holdmem.history.formats.kernels.scan import (
    NEWLINE,
    SPACE,
    TAB,
    Interned,
    intern,
    is_word,
    line_end,
    read_number,
)
from holdmem.history.formats.kernels.stars_scan import (
    ANTE,
    CALLS,
    CHECKS,
    CLOSE,
    COLON,
    FOLDS,
    HASH,
    MARGIN,
    MOST_DEEDS,
    MOST_SEATS,
    OPEN,
    RAISES,
    SMALL,
    SUMMARY,
    find_byte,
    is_plain,
    read_line,
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

NO_TIME = -1
"""Clock of a hand without a time."""

RETURN, MINUS, SLASH = (np.uint8(ord(mark)) for mark in "\r-/")
NUL = np.uint8(0)
BEGINS = np.frombuffer(b"PokerStars ", dtype=np.uint8)
FIRST_HAND, FIRST_GAME, FIRST_ZOOM = (
    np.frombuffer(word, dtype=np.uint8)
    for word in (b"PokerStars Hand #", b"PokerStars Game #", b"PokerStars Zoom Hand #")
)


class StarsScan(NamedTuple):
    """What is scanned, and the columns that it goes to; `used` holds the number of actions and key bytes."""

    text: Any
    rows: Any
    notes: Any
    betting: Any
    desk: Any
    deeds: Any
    players: Interned
    tables: Interned
    keys: Any
    terms: Interned
    used: Any


FOLLOWED = record(
    [
        ("place", "i8", MOST_SEATS),  # index of each listed player from the left of the button, or -1
        ("listed", "i8", SEATS),  # and the reverse
        ("left", "i8", SEATS),
        ("bet", "i8", SEATS),
        ("paid", "i8", SEATS),
        ("live", "i8", SEATS),
        ("acted", "i8", SEATS),
        ("seats", "i8"),
        ("highest", "i8"),
        ("street", "i8"),
        ("turn", "i8"),
    ]
)
"""Chips of one hand; seats are counted from the left of the button."""


# The header


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
    """Return where the letters of a time zone after a space end."""
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


# Chips


@kernel
def seat_players(desk, table):
    """Order the players who were dealt in from the left of the button; return whether that is a table."""
    around = desk.button
    table.seats = 0
    for seat in range(desk.listed):
        around = max(around, desk.number[seat])
        table.place[seat] = -1
    for step in range(1, around + 2):
        number = (desk.button + step) % (around + 1)
        for seat in range(desk.listed):
            if desk.number[seat] == number and desk.dealt[seat]:
                if table.seats == SEATS:
                    return False
                table.place[seat], table.listed[table.seats] = table.seats, seat
                table.seats += 1
    for seat in range(desk.listed):
        if table.place[seat] < 0 and (desk.won[seat] > 0 or desk.back[seat] > 0):
            return False
    return table.seats >= 2


@kernel
def open_table(desk, table):
    """Reset the chips of all seats."""
    for place in range(table.seats):
        table.left[place] = desk.stack[table.listed[place]]
        table.bet[place] = table.paid[place] = table.acted[place] = 0
        table.live[place] = 1
    table.highest = table.street = 0


@kernel
def pay(table, place, chips, live):
    """Move chips from a stack to the pot, `live` of them as a bet; return whether the seat has them."""
    table.left[place] -= chips
    table.paid[place] += chips
    table.bet[place] += live
    table.highest = max(table.highest, table.bet[place])
    return table.left[place] >= 0


@kernel
def post_all(desk, deeds, table):
    """Apply the posts: antes, then at most one small blind, then big blinds; return how many, or -1."""
    count, smalls, bigs, blinded, anted = 0, 0, 0, 0, 0
    for k in range(desk.deeds):
        deed = deeds[k]
        if deed.verb < SMALL:
            break
        place, count = table.place[deed.seat], count + 1
        bit = 1 << place
        if deed.verb == ANTE:
            if anted & bit or smalls + bigs > 0 or not pay(table, place, deed.chips, 0):
                return -1
            anted |= bit
            continue
        if blinded & bit or not pay(table, place, deed.chips, deed.chips):
            return -1
        blinded |= bit
        if deed.verb == SMALL:
            if smalls + bigs > 0 or (table.seats > 2 and place != 0):
                return -1
            smalls += 1
        else:
            table.turn = place + 1 if bigs == 0 else table.turn
            bigs += 1
    return count if bigs > 0 else -1


@kernel
def end_street(table, row, betting):
    """Add the check that the engine requires of the last seat with chips if no action could follow it."""
    able, alive, last, acted, highest = 0, 0, 0, 0, np.int64(0)
    for place in range(table.seats):
        alive += table.live[place]
        acted += table.acted[place]
        highest = max(highest, table.bet[place])
        if table.live[place] and table.left[place] > 0:
            able, last = able + 1, place
    asked = acted > 0 and not table.acted[last] and table.bet[last] == highest
    if table.street == 0 and able == 1 and alive > 1 and asked:
        betting[row.start + row.actions] = CALL
        row.actions += 1


@kernel
def is_in_turn(table, place):
    """Return whether no other seat with cards and chips has to act first; the turn then passes."""
    turn = table.turn
    for step in range(table.seats):
        other = (turn + step) % table.seats
        if table.live[other] and table.left[other] > 0:
            if other != place:
                return False
            break
    table.turn = place + 1
    return True


@kernel
def next_street(table, street, row, betting):
    """Begin another street."""
    end_street(table, row, betting)
    table.street, table.highest, table.turn = street, 0, 0
    for place in range(table.seats):
        table.bet[place] = table.acted[place] = 0


@kernel
def do(table, deed, note):
    """Apply an action; return it as the engine's, and whether the chips are as expected."""
    place = table.place[deed.seat]
    if deed.verb == FOLDS:
        table.live[place] = 0
        return np.int64(FOLD), True
    if deed.verb in (CHECKS, CALLS):
        due = min(table.highest - table.bet[place], table.left[place])
        return np.int64(CALL), deed.chips == due and pay(table, place, due, due)
    total = deed.total if deed.verb == RAISES else table.bet[place] + deed.chips
    more = total - table.bet[place]
    note.most = max(note.most, total)
    return total, deed.verb <= RAISES and more > 0 and pay(table, place, more, more)


@kernel
def play(desk, deeds, table, row, note, betting):
    """Follow all actions of a hand; return the number of posts, or -1 if something does not fit."""
    open_table(desk, table)
    posts = post_all(desk, deeds, table)
    for k in range(max(posts, 0), desk.deeds if posts > 0 else 0):
        deed = deeds[k]
        place = table.place[deed.seat]
        if deed.street != table.street:
            next_street(table, deed.street, row, betting)
        if not is_in_turn(table, place):
            return -1
        table.acted[place] = 1
        action, fits = do(table, deed, note)
        if not fits:
            return -1
        betting[row.start + row.actions] = action
        row.actions += 1
    end_street(table, row, betting)
    return posts


@kernel
def uncalled(table):
    """Return the seat with the highest bet on this street and the part of it that no seat matched."""
    top, second = 0, np.int64(0)
    for place in range(1, table.seats):
        if table.bet[place] > table.bet[top]:
            top = place
    for place in range(table.seats):
        if place != top:
            second = max(second, table.bet[place])
    return top, table.bet[top] - second


@kernel
def settle(desk, table, row):
    """Write stacks and results in hundredths; return whether paid, returned and collected chips add up."""
    paid, back, won = np.int64(0), np.int64(0), np.int64(0)
    for seat in range(desk.listed):
        back += desk.back[seat]
        won += desk.won[seat]
    for place in range(table.seats):
        paid += table.paid[place]
    if back == 0:
        top, chips = uncalled(table)
        if desk.pot == paid - chips and paid - chips - won == desk.rake:
            desk.back[table.listed[top]] = back = chips
    for place in range(table.seats):
        seat = table.listed[place]
        row.stack[place] = desk.stack[seat]
        row.net[place] = desk.back[seat] + desk.won[seat] - table.paid[place]
        row.hole[place, 0], row.hole[place, 1] = desk.hole[seat, 0], desk.hole[seat, 1]
    row.rake, row.scored = paid - back - won, 1
    return desk.pot == paid - back and row.rake == desk.rake


# Hands


@kernel
def clear_desk(desk):
    """Reset the desk for the next hand."""
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
