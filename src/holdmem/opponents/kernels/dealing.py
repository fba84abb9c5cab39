"""Kernels: sample hidden cards, that is opponents' holdings by their weights and the rest of the board."""

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.core.jit import kernel
from holdmem.opponents.kernels.holdings import HOLDINGS_COUNT

TRIES = 16
"""Attempts to draw one holding. If all of them contain a card already taken, the deal is abandoned."""


@kernel
def is_opponent(row, seat):
    """Return whether `seat` belongs to another player who has not folded."""
    return seat != row.seat and (row.live >> seat) & 1


@kernel
def cards_on(street):
    """Return the number of board cards on a street."""
    return 0 if street == 0 else street + 2


@kernel
def cumulate(rules, row, weights, sums):
    """Compute the cumulative weights of each opponent's holdings, for sampling."""
    for seat in range(rules.seats):
        if is_opponent(row, seat):
            total = 0.0
            for h in range(HOLDINGS_COUNT):
                total += weights[seat, h]
                sums[seat, h] = total


@kernel
def draw_holding(sums, number):
    """Return the first holding whose cumulative weight exceeds `number`, in [0, 1), times the total."""
    target = number * sums[HOLDINGS_COUNT - 1]
    low, high = 0, HOLDINGS_COUNT - 1
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def bits_of(cards):
    """Return a set of cards as a bit mask."""
    found = 0
    for card in cards:
        found |= 1 << np.int64(card)
    return found


@kernel
def draw_card(taken, number):
    """Draw one of the cards not taken, uniformly; `number` is in [0, 1)."""
    free = 52
    rest = taken
    while rest:
        rest &= rest - 1
        free -= 1
    steps = int(number * free)
    for card in range(52):
        if not (taken >> card) & 1:
            if steps == 0:
                return card
            steps -= 1
    return -1


@kernel
def deal_hidden(rules, row, sums, numbers, drawn, hole, board):
    """Deal holdings to the opponents of a view and complete the board; return whether that succeeded.

    Indices of the holdings go to `drawn`, their cards to `hole`, the whole board to `board`. `numbers` are
    uniform on [0, 1) and are used cyclically. The result is False if an opponent's holding could not be drawn
    because the cards it is likely to have are taken.
    """
    seen = cards_on(row.street)
    board[:seen] = row.board[:seen]
    hole[row.seat] = row.hole
    taken = bits_of(row.hole) | bits_of(row.board[:seen])
    at = 0
    for seat in range(rules.seats):
        if not is_opponent(row, seat):
            continue
        for _ in range(TRIES):
            h = draw_holding(sums[seat], numbers[at % len(numbers)])
            at += 1
            cards = bits_of(HOLDINGS[h])
            if not cards & taken:
                break
        else:
            return False
        taken |= cards
        drawn[seat] = h
        hole[seat, 0] = HOLDINGS[h, 0]
        hole[seat, 1] = HOLDINGS[h, 1]
    for place in range(seen, 5):
        card = draw_card(taken, numbers[at % len(numbers)])
        at += 1
        taken |= 1 << card
        board[place] = card
    return True
