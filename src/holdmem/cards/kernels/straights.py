"""Straight draws: the ranks that complete a straight."""

import numpy as np
from numpy.typing import NDArray

_STRAIGHTS = [0b11111 << low for low in range(9)] + [0b1000000001111]
"""Five consecutive ranks as bits; the ace also counts low."""


def _straight_outs() -> NDArray[np.int16]:
    made = [any(ranks & run == run for run in _STRAIGHTS) for ranks in range(1 << 13)]
    outs = [
        0 if made[ranks] else sum(1 << rank for rank in range(13) if made[ranks | 1 << rank])
        for ranks in range(1 << 13)
    ]
    return np.array(outs, np.int16)


STRAIGHT_OUTS = _straight_outs()
"""(8192,): for each set of ranks, the ranks that complete a straight with it, as bits; 0 if it has one."""
