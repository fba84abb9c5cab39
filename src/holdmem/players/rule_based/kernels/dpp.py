"""Compiled kernels of `dpp`."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import count

FOLDING, CALLING, RAISING = 0, 1, 2


@kernel
def decide(rows, e_hs, classes, preflop, edge, limit, weights, totals, win_probabilities):
    """Fill weights[view] (fold, call, raise), totals[view] (raise total) and win_probabilities[view].

    `win_probabilities` is the probability p of beating n opponents with random cards: E[HS^n] before the flop
    and E[HS]^n after it. It raises if n · p / (1 - p) ≥ edge · 2^raises, with the raises on this street (a
    fair share 1 / (n + 1) gives odds n · p / (1 - p) = 1). Otherwise it calls if p reaches the pot odds, else
    folds. A raise in no-limit is half the pot after calling.
    """
    for i in range(len(rows)):
        row = rows[i]
        opponents = count(row.live) - 1
        if row.street == 0:
            probability = preflop[classes[row.hole[0], row.hole[1]], opponents - 1]
        else:
            probability = e_hs[i] ** opponents
        weights[i] = 0.0
        if probability * opponents >= edge * 2.0**row.raises * (1.0 - probability):
            weights[i, RAISING] = 1.0
        elif probability * (row.pot + row.to_call) >= row.to_call:
            weights[i, CALLING] = 1.0
        else:
            weights[i, FOLDING] = 1.0
        totals[i] = row.min_raise_to if limit else row.highest + (row.pot + row.to_call) // 2
        win_probabilities[i] = probability
