"""Kernels that turn a learner's choices into actions."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import least_raise, may_raise, most_raise, to_call
from holdmem.engine.state import CALL, FOLD


@kernel
def fill_all_choices(rules, hands, tables, sizes, codes, mask):
    """Fill row k of `codes` and `mask` for the seat to act at table k of `tables`; no hand may be over."""
    for k in range(len(tables)):
        fill_choices(rules[0], hands[tables[k]], sizes, codes[k], mask[k])


@kernel
def fill_choices(rules, hand, sizes, codes, mask):
    """Fill in the action code of each choice for the seat to act, and a mask with 1 for legal choices."""
    seat = hand.to_act
    owed = to_call(hand, seat)
    codes[0], mask[0] = FOLD if owed > 0 else CALL, owed > 0
    codes[1], mask[1] = CALL, 1
    raising = may_raise(rules, hand, seat)
    least, most = least_raise(rules, hand, seat), most_raise(rules, hand, seat)
    pot = rules.all_dead + owed
    for other in range(rules.seats):
        pot += hand.paid[other]
    for k in range(len(sizes)):
        codes[2 + k] = total_of_raise(hand.highest + sizes[k] * pot, least, most) if raising else CALL
        mask[2 + k] = raising
        for before in range(2, 2 + k):
            if codes[before] == codes[2 + k]:
                mask[2 + k] = 0


@kernel
def total_of_raise(wanted, least, most):
    """Return the legal raise total nearest to the wanted one, in whole chips."""
    if wanted >= most:  # an all-in size is infinite
        return most
    return max(int(np.rint(wanted)), least)
