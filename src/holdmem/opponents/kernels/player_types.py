"""Kernels: classify players by the hands they play and how they bet (Marques, §4.3)."""

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL, FOLD

SEEN, PLAYED, BETS, CALLS = 0, 1, 2, 3


@kernel
def type_of(counts, kinds):
    """Return the type of a player: the class of its share of hands played, then of its aggression factor.

    A class is the number of thresholds exceeded: played / seen > end, and bets / calls > end, both computed
    without division. A player never seen is of type 0.
    """
    loose = aggressive = 0
    for end in kinds.loose:
        loose += counts[PLAYED] > end * counts[SEEN]
    for end in kinds.aggressive:
        aggressive += counts[BETS] > end * counts[CALLS]
    return loose * (len(kinds.aggressive) + 1) + aggressive


@kernel
def note_action(counts, played, seat, street, code, owes):
    """Count one action of a player; return the bit mask of seats that entered the pot before the flop."""
    if code == CALL:
        counts[CALLS] += owes
    elif code != FOLD:
        counts[BETS] += 1
    if street == 0 and code != FOLD and (owes or code != CALL) and not played >> seat & 1:
        counts[PLAYED] += 1
        return played | 1 << seat
    return played
