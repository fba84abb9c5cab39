"""Kernels that turn a learner's choices into actions."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import least_raise, may_raise, most_raise, to_call
from holdmem.engine.state import CALL, FOLD


@kernel
def fill_choices(rules, hands, sizes, codes, mask):
    """Fill in the action code of each choice for the seat to act, and a mask with 1 for legal choices."""
    hand, seat = hands[0], hands[0].to_act
    owed = to_call(hand, seat)
    codes[0], mask[0] = FOLD if owed > 0 else CALL, owed > 0
    codes[1], mask[1] = CALL, 1
    raising = may_raise(rules[0], hand, seat)
    least, most = least_raise(rules[0], hand, seat), most_raise(rules[0], hand, seat)
    pot = rules[0].all_dead + owed
    for other in range(rules[0].seats):
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
