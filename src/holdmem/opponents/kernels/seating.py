"""Kernels: the order in which players sat around the table."""

from holdmem.core.jit import kernel
from holdmem.engine.state import PARTS


@kernel
def note_neighbours(net, stacks, lineup, player, tables, seats, around, left):
    """Record the player at each distance to the left of `player`.

    `around` receives all of them, `left` only those with chips left after the hand.
    """
    size = lineup.shape[1]
    for i in range(len(lineup)):
        own = 0
        while own < size and lineup[i, own] != player:
            own += 1
        if own == size:
            continue
        table, survivors = tables[i], 0
        seats[table] = size
        for step in range(1, size):
            seat = (own + step) % size
            around[table, step] = lineup[i, seat]
            if stacks[i, seat] * PARTS + net[i, seat] > 0:
                survivors += 1
                left[table, survivors] = lineup[i, seat]


@kernel
def players_by_seat(rows, tables, seats, seats_then, around, left, out):
    """Write to out[view, seat] the player there, assuming the order of the last hand; -1 where unknown."""
    for i in range(len(rows)):
        table = tables[i]
        for step in range(1, seats):
            seat = (rows[i].seat + step) % seats
            if seats_then[table] == seats:
                out[i, seat] = around[table, step]
            elif seats_then[table] > seats:
                out[i, seat] = left[table, step]
