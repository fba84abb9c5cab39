"""Compiled kernels of `preflop_equity`: count wins for all pairs of holdings and all boards."""

import numpy as np

from holdmem.cards.kernels.evaluator import strength_with, total_of
from holdmem.core.jit import kernel

BLOCKED = np.uint16(65535)  # above every strength, so that no holding beats one that the board blocks


@kernel
def strengths_or_blocked(board, holdings, out):
    """Strength of every holding on a board of five, BLOCKED for those that contain one of its cards."""
    start = total_of(board)
    taken = 0
    for card in board:
        taken |= 1 << np.int64(card)
    for i in range(len(holdings)):
        if (taken >> np.int64(holdings[i, 0]) | taken >> np.int64(holdings[i, 1])) & 1:
            out[i] = BLOCKED
        else:
            out[i] = strength_with(board, start, holdings[i])


@kernel
def add_wins(boards, weights, holdings, strengths, wins):
    """Add to `wins` [a, b] the weight of the boards on which holding a beats holding b.

    Boards come in blocks of at most `len(strengths)`: within a block the counts of a holding fit into 16 bits
    and stay in the L1 cache, and the inner loop compares 32 strengths at a time.
    """
    counts = np.empty(len(holdings), np.uint16)
    for i in range(len(boards)):
        strengths_or_blocked(boards[i], holdings, strengths[i])
    for a in range(len(holdings)):
        counts[:] = 0
        for i in range(len(boards)):
            if strengths[i, a] != BLOCKED:
                add_beaten(strengths[i], strengths[i, a], weights[i], counts)
        for b in range(len(holdings)):
            wins[a, b] += counts[b]


@kernel
def add_beaten(strengths, strength, weight, counts):
    """Add `weight` to the count of every holding weaker than `strength`."""
    for b in range(len(counts)):
        counts[b] += weight if strengths[b] < strength else np.uint16(0)
