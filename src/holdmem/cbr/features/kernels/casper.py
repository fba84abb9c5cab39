"""Kernels: count who is in the hand and who still has to act, the basis of the features for ring games."""

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.kernels.betting import count

SITUATION = record(
    [
        ("players", "i8"),  # players who had not folded when the street began
        ("before", "i8"),  # those of them who act before this seat in postflop order
        ("inside", "i8"),  # opponents who have acted on this street and not folded
        ("waiting", "i8"),  # opponents who still have to act, again or for the first time
        ("opponents", "i8"),  # opponents who have not folded
        ("last_bets", "i8"),  # bets and raises on the previous street; the big blind counts as a bet
    ]
)
"""What a view says about the opponents."""


@kernel
def situations(rules, rows, history, out):
    """Write the situation of each view."""
    for i in range(len(rows)):
        read_situation(rules[0], rows[i], history[i], out[i])


@kernel
def read_situation(rules, row, history, out):
    """Derive the situation from the actions on this street and the bets on the previous one."""
    acted = folded = bets = 0
    for place in range(row.actions):
        entry = history[place]
        seat = 1 << int(entry.seat)
        if entry.street == row.street:
            acted |= seat
            folded |= seat if entry.to < 0 else 0
        elif entry.street == row.street - 1 and entry.to > 0:
            bets += 1
    own = 1 << int(row.seat)
    others = row.live & ~own
    out.players = count(row.live | folded)
    out.before = count_before(rules, row.live | folded, int(row.seat))
    out.inside = count(others & acted)
    out.waiting = count_waiting(rules, row, others, acted)
    out.opponents = count(others)
    out.last_bets = bets + (row.street == 1)


@kernel
def count_before(rules, seats, seat):
    """Return how many of these seats act before this one after the flop."""
    first = rules.first[1]
    found = 0
    while first != seat:
        found += (seats >> first) & 1
        first = first + 1 if first + 1 < rules.seats else 0
    return found


@kernel
def count_waiting(rules, row, others, acted):
    """Return how many opponents still have a decision on this street, if no player raises from now on."""
    found = 0
    for seat in range(rules.seats):
        owes = row.bet[seat] < row.highest or not (acted >> seat) & 1
        if (others >> seat) & 1 and owes and row.stack[seat] > 0:
            found += 1
    return found
