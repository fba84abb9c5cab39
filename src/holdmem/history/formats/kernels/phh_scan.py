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
from holdmem.core.records import record
from holdmem.engine.state import CALL, FOLD, SEATS
from holdmem.history.formats.kernels.scan import (
    NEWLINE,
    NINE,
    SPACE,
    TAB,
    ZERO,
    Interned,
    intern,
    is_word,
    known_card,
    line_end,
    matching_word,
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


class PHHScan(NamedTuple):
    """What is scanned, and the columns that it goes to; `used` holds the number of actions and key bytes."""

    text: Any
    rows: Any
    notes: Any
    betting: Any
    actors: Any
    players: Interned
    tables: Interned
    sites: Interned
    keys: Any
    terms: Interned
    used: Any


# Values


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


# Actions


@kernel
def read_seat(text, at):
    """Parse p1 to p10; return the seat, or -1, and where it ends."""
    seat, after = read_number(text, at + 1, at + 3)
    fits = text[at] == P and 1 <= seat <= SEATS and text[at + 1] != ZERO
    return (seat - 1 if fits else np.int64(-1)), after


@kernel
def read_hole(text, at, row, seat, dealt):
    """Parse two hole cards; unknown ones stay as they are if the seat has cards; return whether they fit."""
    for place in range(2):
        card = known_card(text, at + 2 * place)
        if card >= 0:
            row.hole[seat, place] = card
        elif text[at + 2 * place] != UNSEEN or text[at + 2 * place + 1] != UNSEEN:
            return False
    return not is_in(dealt, seat)


@kernel
def is_in(mask, seat):
    """Return whether the seat is in the mask."""
    return (mask >> seat) & 1 == 1


@kernel
def deal_hole(text, at, row, note):
    """Parse what follows `d dh`: a seat and its cards; return the end, or -1."""
    seat, after = read_seat(text, at)
    if seat < 0 or text[after] != SPACE or not read_hole(text, after + 1, row, seat, note.dealt):
        return -1
    note.dealt |= np.int64(1) << seat
    note.acting = max(note.acting, seat)
    return after + 5


@kernel
def deal_board(text, at, row, note):
    """Parse what follows `d db`: cards of the board; return the end, or -1."""
    begin = at
    while text[at] != QUOTE:
        card = known_card(text, at)
        if card < 0 or note.board == 5:
            return -1
        row.board[note.board] = card
        note.board += 1
        at += 2
    return at if at > begin else -1


@kernel
def show(text, at, row, note, seat):
    """Parse what follows `sm`: the cards that a seat shows, if any; return the end, or -1."""
    if text[at] == QUOTE:
        return at
    if text[at] != SPACE:
        return -1
    if text[at + 1] == MINUS:
        return at + 2
    if not is_in(note.dealt, seat) or not read_hole(text, at + 1, row, seat, 0):
        return -1
    if text[at + 1] != UNSEEN and text[at + 3] != UNSEEN:
        note.shown |= np.int64(1) << seat
    return at + 5


@kernel
def read_action(text, at, note):
    """Parse what follows the seat; return the action, a raise in hundredths, and its end, or -1."""
    if text[at] == F:
        return np.int64(FOLD), at + 1
    if text[at] == C and text[at + 1] == C:
        return np.int64(CALL), at + 2
    if text[at] != C or text[at + 1] != B or text[at + 2] != R or text[at + 3] != SPACE:
        return np.int64(0), -1
    total, after = read_hundredths(text, at + 4)
    note.cents |= total % 100 != 0
    note.most = max(note.most, total)
    return total, (after if total > 0 else -1)


@kernel
def step_end(text, at, row, note, betting, actors):
    """Parse one entry of `actions`; return its end, or -1."""
    if text[at] == D and text[at + 1] == SPACE and text[at + 2] == D and text[at + 4] == SPACE:
        if text[at + 3] == H:
            return deal_hole(text, at + 5, row, note)
        return deal_board(text, at + 5, row, note) if text[at + 3] == B else -1
    seat, at = read_seat(text, at)
    if seat < 0 or text[at] != SPACE:
        return -1
    note.acting = max(note.acting, seat)
    if text[at + 1] == S and text[at + 2] == M:
        return show(text, at + 3, row, note, seat)
    action, end = read_action(text, at + 1, note)
    place = row.start + row.actions
    betting[place], actors[place] = action, seat
    row.actions += 1
    return end


@kernel
def read_actions(text, row, note, betting, actors):
    """Parse the list of actions; return whether all are of the usual form."""
    at = note.at[ACTIONS]
    while at > 0:
        if text[at + 1] != QUOTE:
            return False
        at = step_end(text, at + 2, row, note, betting, actors)
        if at < 0 or text[at] != QUOTE:
            return False
        at = next_item(text, at + 1) - 1
    return at == END_OF_LIST


# Fields


@kernel
def read_players(text, row, note, players):
    """Parse the names of the players; return whether there is one per seat."""
    count, at = 0, note.at[PLAYERS]
    while at > 0:
        end = text_end(text, at + 1)
        if end < 0 or count == note.seats:
            return False
        row.player[count] = intern(text, at + 2, end - 1, players)
        count += 1
        at = next_item(text, end) - 1
    return at == END_OF_LIST and count == note.seats


@kernel
def read_hand_number(text, row, note):
    """Parse the number of the hand, plain or quoted; any other text is no number."""
    at, end = note.at[HAND], note.to[HAND]
    if at == 0:
        return True
    quoted = text[at] == QUOTE
    begin, stop = at + quoted, end - quoted
    number, after = read_number(text, begin, stop)
    if after == stop and number >= 0 and stop - begin <= 18:
        row.number = number
        return quoted or number_end(text, at) == end
    return quoted and text_end(text, at) == end and after < stop


@kernel
def read_time(text, note):
    """Parse year, month, day and time, as far as they are stated; return whether they are numbers."""
    for part in range(3):
        at, end = note.at[YEAR - part], note.to[YEAR - part]
        if at > 0:
            note.date[part], after = read_number(text, at, end)
            if after != end or not 0 < note.date[part] < 10_000 or text[at] == ZERO:
                return False
    if note.at[TIME] > 0:
        note.clock = read_clock(text, note.at[TIME])
    return note.clock >= 0


@kernel
def read_stacks(text, row, note):
    """Parse the starting stacks and the antes, which must be lower; return whether that is so."""
    note.seats = read_amounts(text, note.at[STACKS], row.stack)
    if read_amounts(text, note.at[ANTES], note.antes) < 1:
        return False
    ante = np.int64(0)
    for seat in range(SEATS):
        if note.antes[seat] == UNBOUNDED:
            return False
        ante = max(ante, note.antes[seat])
    for seat in range(note.seats):
        if row.stack[seat] != UNBOUNDED and row.stack[seat] <= ante:
            return False
        note.cents |= row.stack[seat] > 0 and row.stack[seat] % 100 != 0
    return 2 <= note.seats <= SEATS


@kernel
def read_results(text, note):
    """Parse finishing stacks or else winnings, if any; return whether there is one per seat."""
    at = note.at[ENDS] if note.at[ENDS] > 0 else note.at[WINNINGS]
    if at == 0:
        return True
    bounded = read_amounts(text, at, note.amounts) == note.seats
    for seat in range(note.seats):
        bounded &= note.amounts[seat] != UNBOUNDED
    return bounded


@kernel
def read_label(text, note, field, labels):
    """Return 1 + the index of the text of a field, 0 if it is not stated, or -1 if it is not a text."""
    at, end = note.at[field], note.to[field]
    if at == 0:
        return np.int64(0)
    return 1 + intern(text, at + 1, end - 1, labels) if text_end(text, at) == end else np.int64(-1)


@kernel
def read_names(text, row, note, players, tables, sites):
    """Parse players, table and site; return whether they are of the usual form."""
    row.table = read_label(text, note, TABLE, tables)
    row.site = read_label(text, note, VENUE, sites)
    return row.table >= 0 and row.site >= 0 and read_players(text, row, note, players)


# Lines


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


# Hands


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
