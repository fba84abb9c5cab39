"""Kernels of AIVAT: walk through finished hands with the ranges of both players.

`table` are constants (`CardTable`), `room` scratch arrays (`RangeRoom`), `plays` the decisions (`Plays`).
The ranges of a hand are `room.weights[seat]`; `room.gains[seat]` and `room.masses[seat]` belong to the
holdings of that seat, against the range of the other.
"""

from holdmem.arena.aivat.kernels.ranges import (
    dot,
    gains_before_flop,
    gains_on_board,
    masses,
    rank_run,
    shares_card,
)
from holdmem.core.jit import kernel
from holdmem.engine.state import FOLD

PAIRS_OF_FLOP, RIVERS = 1176, 48
"""Turn and river cards that a flop leaves, and river cards that a turn leaves."""
COMPATIBLE_PAIRS, COMPATIBLE_RIVERS = 990, 44
"""The same given the cards of both players."""
FINAL, CARDS, CHOICES = 0, 1, 5
"""Columns of the result: the final value, then the luck of cards and of choices, a column per street."""


@kernel
def walk_hands(plays, table, room, out):
    """Fill out[hand] with the final value and the luck of every kind, in chips of seat 0; -1 if all is well.

    Return the first decision whose action has probability 0 under the known policy with all holdings.
    """
    for i in range(len(plays.boards)):
        bad = walk_hand(i, plays, table, room, out[i])
        if bad >= 0:
            return bad
    return -1


@kernel
def walk_hand(i, plays, table, room, out):
    """Walk through one hand; see `walk_hands`."""
    held = plays.held[i]
    start_ranges(held, table, room)
    side = 1 if held[0] >= 0 else 0  # the seat from which values are computed: a known one
    look(side, 0, held, plays, table, room)
    stake, street, over, mean = plays.blinds[i], 0, False, 0.0
    if held[0] >= 0 or held[1] >= 0:
        out[CARDS] = seen_from(side, stake * value(side, room))
    for d in range(plays.first[i], plays.first[i + 1]):
        while street < plays.street[d]:
            street += 1
            out[CARDS + street] = deal_street(i, street, side, stake, held, plays, table, room)
        seat, row = plays.seat[d], plays.row[d]
        if row >= 0:
            if held[1 - seat] < 0 and seat != side:
                look(seat, street, held, plays, table, room)
            side = seat
            mean = mean_after(side, plays.paid[d], plays.folds[row], plays.stakes[row], room)
            if not narrow(side, plays.took[row], room):
                return d
        over = plays.code[d] == FOLD
        stake = float(plays.paid[d]) if over else plays.stake[d]
        if over:
            out[FINAL] = -stake if seat == 0 else stake
        if row >= 0:
            after = -stake if over else stake * value(side, room)
            out[CHOICES + street] += seen_from(side, after - mean)
    if over:
        return -1
    while street < 3:
        street += 1
        out[CARDS + street] = deal_street(i, street, side, stake, held, plays, table, room)
    out[FINAL] = seen_from(side, stake * value(side, room))
    return -1


@kernel
def seen_from(side, chips):
    """Chips of seat 0, given those of a seat."""
    return chips if side == 0 else -chips


@kernel
def start_ranges(held, table, room):
    """Set both ranges: any two cards for a known policy, else the cards that were dealt."""
    for seat in range(2):
        room.weights[seat] = 0.0 if held[seat] >= 0 else 1.0
        if held[seat] >= 0:
            room.weights[seat, held[seat]] = 1.0
    if held[0] >= 0 or held[1] >= 0:
        seat = 0 if held[0] < 0 else 1
        other = held[1 - seat]
        for h in range(len(table.cards)):
            if shares_card(table.cards, h, table.cards[other]):
                room.weights[seat, h] = 0.0


@kernel
def look(side, street, held, plays, table, room):
    """Compute what each holding of a seat gains against the range of the other, on this street."""
    weights, other = room.weights[1 - side], held[1 - side]
    masses(table.cards, weights, room.by_card, room.masses[side])
    if street == 0:
        gains_before_flop(
            table.gains, table.by_class, table.classes, weights, other, room.by_class, room.gains[side]
        )
        return
    runs, scale = 1, 1.0
    if street == 1:
        runs = plays.runs.shape[1]
        scale = PAIRS_OF_FLOP / COMPATIBLE_PAIRS / runs
    elif street == 2:
        runs, scale = RIVERS, 1.0 / COMPATIBLE_RIVERS
    gains_on_board(
        table.cards,
        runs,
        scale,
        room.strength,
        room.order,
        room.ends,
        weights,
        other,
        room.by_card,
        room.score,
        room.gains[side],
    )


@kernel
def value(side, room):
    """Mean gain of a seat over both ranges: what it wins per chip at stake if nobody bets again."""
    weights = room.weights[side]
    return dot(weights, room.gains[side]) / dot(weights, room.masses[side])


@kernel
def mean_after(side, paid, folds, stakes, room):
    """Mean value of a decision over the range and the policy of the seat that makes it."""
    weights, gains, there = room.weights[side], room.gains[side], room.masses[side]
    total, mean = 0.0, 0.0
    for h in range(len(weights)):
        if weights[h] > 0:
            total += weights[h] * there[h]
            mean += weights[h] * (stakes[h] * gains[h] - folds[h] * paid * there[h])
    return mean / total


@kernel
def narrow(side, took, room):
    """Multiply a range by the probabilities of the action taken, and normalise it; False if it is empty."""
    weights, total = room.weights[side], 0.0
    for h in range(len(weights)):
        weights[h] *= took[h]
        total += weights[h] * room.masses[side, h]
    if not total > 0:
        return False
    for h in range(len(weights)):
        weights[h] /= total
    return True


@kernel
def deal_street(i, street, side, stake, held, plays, table, room):
    """Deal a street: drop holdings that it blocks, compute gains on the new board; return the cards' luck."""
    before, board = stake * value(side, room), plays.boards[i]
    first = 0 if street == 1 else street + 1
    for seat in range(2):
        for h in range(len(table.cards)):
            if room.weights[seat, h] > 0 and shares_card(table.cards, h, board[first : street + 2]):
                room.weights[seat, h] = 0.0
    rank_runs(i, street, held[0] < 0 and held[1] < 0, plays, table, room)
    look(side, street, held, plays, table, room)
    return seen_from(side, stake * value(side, room) - before)


@kernel
def rank_runs(i, street, sort, plays, table, room):
    """Rank all holdings on the runouts of the street's board: sampled pairs, all rivers, or the board."""
    board, full = plays.boards[i], room.board
    full[:] = board
    run = 0
    if street == 1:
        for run in range(plays.runs.shape[1]):
            full[3], full[4] = plays.runs[i, run, 0], plays.runs[i, run, 1]
            rank_one(run, sort, table, room)
    elif street == 2:
        for card in range(52):
            if card != board[0] and card != board[1] and card != board[2] and card != board[3]:
                full[4] = card
                rank_one(run, sort, table, room)
                run += 1
    else:
        rank_one(0, sort, table, room)


@kernel
def rank_one(run, sort, table, room):
    """Rank all holdings on the full board of one runout."""
    strength, order, ends = room.strength[run], room.order[run], room.ends[run]
    rank_run(room.board, table.cards, room.free, room.found, room.counts, strength, order, ends, sort)
