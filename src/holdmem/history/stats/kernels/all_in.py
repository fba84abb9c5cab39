"""Compiled kernels of `all_in`: the pots that lay on the table when the last chips went in."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.pots import add_pots


@kernel
def final_pots(rules, hands, places, pots, count):
    """Append one row (hand, street, chips, seats) per contested pot of these finished hands.

    `count` is the number of rows there; returns the new number. `pots` has room for one row per hand and
    seat.
    """
    for place in places:
        count = add_pots(rules[0], hands[place], place, hands[place].street, pots, count)
    return count
