"""Distribute the pots: one pot for each amount at which a live seat stopped paying."""

from holdmem.cards.kernels.evaluator import strength_with, total_of
from holdmem.core.jit import kernel
from holdmem.engine.state import PARTS


@kernel
def settle(rules, hand):
    """Fill in `net` of every seat, and `strength` of the seats in a showdown."""
    if hand.shown:
        weigh(rules, hand)
    share_pots(rules, hand)


@kernel
def share_pots(rules, hand):
    """Fill in `net` of every seat from the strengths of the seats in a showdown."""
    for seat in range(rules.seats):
        hand.net[seat] = -PARTS * (hand.paid[seat] + rules.dead[seat])
    below = 0
    while True:
        level = next_level(rules, hand, below)
        if level == below:
            return
        last = next_level(rules, hand, level) == level
        pot = rules.all_dead if below == 0 else 0
        for seat in range(rules.seats):
            above = max(hand.paid[seat] - below, 0)
            pot += above if last else min(above, level - below)
        share_pot(rules, hand, pot, level)
        below = level


@kernel
def next_level(rules, hand, below):
    """Smallest total payment above `below` among the live seats; `below` if there is none."""
    level = below
    for seat in range(rules.seats):
        paid = hand.paid[seat]
        if (hand.live >> seat) & 1 and paid > below and (level == below or paid < level):
            level = paid
    return level


@kernel
def weigh(rules, hand):
    """Evaluate the seven cards of each live seat."""
    start = total_of(hand.board)
    for seat in range(rules.seats):
        if (hand.live >> seat) & 1:
            hand.strength[seat] = strength_with(hand.board, start, hand.hole[seat])


@kernel
def share_pot(rules, hand, pot, level):
    """Split a pot among the best hands of the live seats that paid at least `level`.

    An odd chip is split exactly or, without `exact_split`, goes to the first winning seat.
    """
    best, winners = -1, 0
    for seat in range(rules.seats):
        if (hand.live >> seat) & 1 and hand.paid[seat] >= level:
            if hand.strength[seat] > best:
                best, winners = hand.strength[seat], 0
            winners += hand.strength[seat] == best
    odd = 0 if rules.exact_split else pot % winners
    share = (pot - odd) * PARTS // winners
    for seat in range(rules.seats):
        if (hand.live >> seat) & 1 and hand.paid[seat] >= level and hand.strength[seat] == best:
            hand.net[seat] += share + odd * PARTS
            odd = 0
