"""Read the located fields of a PHH hand: players, number, time, stacks, results and names."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import SEATS
from holdmem.history.formats.kernels.phh_values import (
    ANTES,
    END_OF_LIST,
    ENDS,
    HAND,
    PLAYERS,
    QUOTE,
    STACKS,
    TABLE,
    TIME,
    UNBOUNDED,
    VENUE,
    WINNINGS,
    YEAR,
    next_item,
    number_end,
    read_amounts,
    read_clock,
    text_end,
)
from holdmem.history.formats.kernels.scan import (
    ZERO,
    intern,
    read_number,
)


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
