"""Kernels of the exact best response to strategies that ignore their cards: the rivers of one turn."""

import numpy as np

from holdmem.cards.kernels.evaluator import strengths_on_board
from holdmem.core.jit import kernel

STRENGTHS = 7463
"""One more than the largest strength."""


@kernel
def add_rivers(board, deck, holdings, table, out):
    """Sum `table` over all last cards: each adds the row for the holding's wins less losses to out[holding].

    Parameters
    ----------
    board : all cards but the last.
    deck : all cards of the game.
    holdings : [holding, 2] cards.
    table : [wins less losses + number of holdings that the opponent may have, column].
    """
    full, dead = np.empty(len(board) + 1, np.uint8), np.zeros(52, np.bool_)
    full[:-1] = board
    for card in board:
        dead[card] = True
    for card in deck:
        if not dead[card]:
            full[-1] = card
            dead[card] = True
            add_showdowns(full, left_by(dead, holdings), holdings, table, out)
            dead[card] = False


@kernel
def left_by(dead, holdings):
    """Return the holdings that have none of some cards."""
    left, count = np.empty(len(holdings), np.int64), 0
    for h in range(len(holdings)):
        if not (dead[holdings[h, 0]] or dead[holdings[h, 1]]):
            left[count] = h
            count += 1
    return left[:count]


@kernel
def add_showdowns(board, left, holdings, table, out):
    """Add the rows of one full board."""
    held = holdings[left]
    strengths = np.empty(len(left), np.uint16)
    strengths_on_board(board, held, strengths)
    order, ends = by_strength(strengths)
    by_card, weaker = np.zeros(52, np.int64), np.empty(len(left), np.int64)
    total = start = 0
    for end in ends:
        for k in range(start, end):
            one, other = held[order[k]]
            weaker[k] = total - by_card[one] - by_card[other]
        for k in range(start, end):
            one, other = held[order[k]]
            total += 1
            by_card[one] += 1
            by_card[other] += 1
        for k in range(start, end):
            one, other = held[order[k]]
            # The holding itself has been counted once in the total and once for each card.
            not_stronger = total - by_card[one] - by_card[other] + 1
            row, to = table[weaker[k] + not_stronger], out[left[order[k]]]
            for j in range(len(row)):
                to[j] += row[j]
        start = end


@kernel
def by_strength(strengths):
    """Return the order by strength, and one past the last of each group of equals."""
    place = np.zeros(STRENGTHS + 1, np.int64)
    for one in strengths:
        place[one + 1] += 1
    ends, groups = np.empty(len(strengths), np.int64), 0
    for k in range(1, len(place)):
        if place[k]:
            ends[groups] = place[k - 1] + place[k]
            groups += 1
        place[k] += place[k - 1]
    order = np.empty(len(strengths), np.int64)
    for i in range(len(strengths)):
        order[place[strengths[i]]] = i
        place[strengths[i]] += 1
    return order, ends[:groups]
