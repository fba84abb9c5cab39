"""The 169 classes as a 13 × 13 grid of text: aces at the top left, suited classes above the diagonal."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASS_OF_HOLDING, CLASSES
from holdmem.cards.notation import RANKS

EMPTY = "·"
"""Stands for a class of weight 0."""


def class_means(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weighted mean of values over the holdings of each class, NaN for classes without weight."""
    whole = np.bincount(CLASS_OF_HOLDING, weights, len(CLASSES))
    sums = np.bincount(CLASS_OF_HOLDING, weights * values, len(CLASSES))
    found: NDArray[np.float64] = np.where(whole > 0, sums / np.where(whole > 0, whole, 1), np.nan)
    return found


def grid_rows(cells: Sequence[str]) -> list[str]:
    """Return the lines of a grid with a heading for every row and column, given a text for each class."""
    width = max(2, *map(len, cells))
    heading = " ".join([" ", *(rank.rjust(width) for rank in reversed(RANKS))])
    rows = [
        " ".join([RANKS[12 - row], *(cell.rjust(width) for cell in cells[13 * row : 13 * row + 13])])
        for row in range(13)
    ]
    return [heading, *rows]


def percent_grid(shares: NDArray[np.float64]) -> list[str]:
    """Return a grid of percentages from shares of the 169 classes; a dot where a share is NaN."""
    return grid_rows([EMPTY if np.isnan(share) else f"{100 * share:.0f}" for share in shares.tolist()])


def range_grid(weights: NDArray[np.float64]) -> list[str]:
    """Return a range as a grid: the mean weight of each class in percent of the largest, a dot for none."""
    counts = np.bincount(CLASS_OF_HOLDING, weights > 0, len(CLASSES))
    sums = np.bincount(CLASS_OF_HOLDING, weights, len(CLASSES))
    means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return percent_grid(means / np.nanmax(means) if counts.any() else means)
