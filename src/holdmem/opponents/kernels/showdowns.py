"""Kernels: the strength of the holdings that players show down."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL
from holdmem.opponents.kernels.holdings import strength_of_one
from holdmem.strength.kernels.bucket_cuts import equal_width_bucket
from holdmem.strength.kernels.card_kinds import KINDS, LEFT

BINS = 10
RAISES = 4
"""Number of classes by raises that a player made in the hand: none, one, two, more."""


@kernel
def raises_of(history, length, seat):
    """Return how often a seat has raised in the hand, at most three."""
    found = 0
    for step in range(length):
        found += history[step].seat == seat and history[step].to > CALL
    return min(found, RAISES - 1)


@kernel
def bin_of(strength):
    """Return which of `BINS` equal intervals of [0, 1] holds a strength."""
    return equal_width_bucket(strength, BINS)


@kernel
def count_shown(hands, history, lengths, lineup, player, tables, counts):
    """Count other players' shown holdings, by HS on the full board, in counts[table, player, raises, bin]."""
    left, kinds, suits = np.empty(1, LEFT), np.empty(1, KINDS), np.empty(4, np.int64)
    for i in range(len(hands)):
        if not hands[i].shown:
            continue
        for seat in range(lineup.shape[1]):
            if lineup[i, seat] != player and (hands[i].live >> seat) & 1 and hands[i].hole[seat, 0] >= 0:
                strength = strength_of_one(hands[i].hole[seat], hands[i].board, left[0], kinds[0], suits)
                raises = raises_of(history[i], lengths[i], seat)
                counts[tables[i], lineup[i, seat], raises, bin_of(strength)] += 1


@kernel
def shown_by_seat(players, tables, counts, prior, weight, out):
    """Write the probability of showing this bin or a weaker one to out[view, seat, raises, bin].

    Unknown players have the prior.
    """
    for i in range(len(players)):
        for seat in range(players.shape[1]):
            player = players[i, seat]
            for raises in range(RAISES):
                total = 0.0
                for bin in range(BINS):
                    if player >= 0:
                        total += counts[tables[i], player, raises, bin]
                    total += weight * prior[raises, bin]
                    out[i, seat, raises, bin] = total
                out[i, seat, raises] /= total
