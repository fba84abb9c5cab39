"""Kernels: the pots that were open when each card fell, found by replaying the betting with the engine."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal
from holdmem.engine.kernels.pots import add_pots

CARDS = 3  # the flop, the turn, the river


@kernel
def open_pots(rules, stacks, decks, hands, history, hand, spare, pots):
    """Write one row (hand, street of the card, chips, seats) per pot open at a card; return their number.

    The seats are a bit mask of those that can win the pot. `hand` and `spare` (a row of actions) are scratch;
    `pots` has room for one pot per hand, card and seat.
    """
    count = 0
    for i in range(len(hands)):
        last = CARDS if hands[i].shown else hands[i].street
        deal(rules, stacks[i], decks[i], hand)
        done = 0
        for street in range(1, last + 1):
            while done < hands[i].actions and history[i, done].street < street:
                act(rules, hand, history[i, done].to, spare)
                done += 1
            count = add_pots(rules, hand, i, street, pots, count)
    return count


@kernel
def add_gains(pots, before, after, luck):
    """Add chips * (equity after the card - equity before it) of every pot to the seats of its hand."""
    for k in range(len(pots)):
        for seat in range(luck.shape[2]):
            luck[pots[k, 0], pots[k, 1], seat] += pots[k, 2] * (after[k, seat] - before[k, seat])
