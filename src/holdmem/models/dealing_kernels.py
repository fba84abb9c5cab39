"""Kernels: drawing what cannot be seen, opponents' holdings by their weights and the rest of the board."""

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.compiled import kernel
from holdmem.models.holding_kernels import HOLDINGS_COUNT

TRIES = 16
"""Drawings of one holding: if all of them have a card that is taken, the whole case is given up."""


@kernel
def is_opponent(row, seat):
    """Whether this other seat is still in the hand of a view."""
    return seat != row.seat and (row.live >> seat) & 1


@kernel
def cards_on(street):
    """How many cards the board has."""
    return 0 if street == 0 else street + 2


@kernel
def cumulate(rules, row, weights, sums):
    """Running sums of the weights of each opponent, to draw from."""
    for seat in range(rules.seats):
        if is_opponent(row, seat):
            total = 0.0
            for h in range(HOLDINGS_COUNT):
                total += weights[seat, h]
                sums[seat, h] = total


@kernel
def draw_holding(sums, number):
    """The holding at which the running sum passes this share (a number from 0 to below 1) of the whole."""
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
    """A set of cards as bits."""
    found = 0
    for card in cards:
        found |= 1 << np.int64(card)
    return found


@kernel
def draw_card(taken, number):
    """One of the cards that are not taken, each as likely as the others."""
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
    """Holdings for the opponents of a view (numbers to `drawn`, cards to `hole`) and a whole `board`.

    `numbers` are random ones from 0 to below 1, used in a circle. False if an opponent's holding could not be
    drawn because the cards it is likely to have are taken.
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
