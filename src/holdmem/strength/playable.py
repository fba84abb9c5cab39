"""Probability that a hand of a range is playable on the flop (Friedrich and Schwind 2011, §4.2.3, figure 4).

The paper simulates it on many random flops. Here it is counted: every class of hole cards and flop, weighted
by the number of hands in it, 25,989,600 in all. The counts are shipped as a small table, `playable.csv`;
`holdmem playable --rebuild` recounts them.
"""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASS_OF, CLASSES, class_index
from holdmem.core.atomic import write_atomically
from holdmem.core.data import DATA
from holdmem.core.errors import TableError
from holdmem.core.types import Floats
from holdmem.strength.buckets import hands_on
from holdmem.strength.kernels.playable import count_playable
from holdmem.strength.ranking import EQUITY_RANKING

FILE = DATA / "playable.csv"
COLUMNS = ("flops", "pair", "overcards", "flush draw", "straight draw", "playable")
"""All flops of a class, those with each feature, and those with at least one (the last column)."""


class Curves(NamedTuple):
    """Probability of each feature on the flop with the best 1, 2, ..., 169 classes, shape (169,) each.

    The curves of figure 4 of Friedrich and Schwind (2011)."""

    share: Floats
    """Size of the range, as a share of all 1,326 holdings."""
    pair: Floats
    """A pair or better, including pairs on the board."""
    overcards: Floats
    """Two cards of different ranks above all board cards."""
    flush_draw: Floats
    """Exactly four cards of a suit."""
    straight_draw: Floats
    """No straight, and at least one rank that completes one."""
    playable: Floats
    """At least one of the four features."""


def count_flops() -> NDArray[np.int64]:
    """Count `COLUMNS` by class over all flops; return (169, 6)."""
    hands, ways = hands_on("flop")
    five = np.ascontiguousarray(np.hstack([hands.hole, hands.board[:, :3]]))
    counts = np.zeros((len(CLASSES), len(COLUMNS)), np.int64)
    count_playable(five, ways, CLASS_OF.copy(), counts)
    return counts


def write_playable(counts: NDArray[np.int64], path: Path = FILE) -> None:
    """Write the table atomically."""
    lines = [["class", *COLUMNS]]
    lines += [[name, *map(str, counts[class_index(name)].tolist())] for name in EQUITY_RANKING]
    write_atomically(path, "".join(",".join(line) + "\n" for line in lines))


def read_playable(path: Path = FILE) -> NDArray[np.int64]:
    """Read the (169, 6) counts from a table, in the order of `CLASSES`."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    if head != ["class", *COLUMNS]:
        raise TableError(f"{path}:1: expected the columns class, {', '.join(COLUMNS)}, got {', '.join(head)}")
    counts = np.zeros((len(CLASSES), len(COLUMNS)), np.int64)
    for line, row in enumerate(rows, 2):
        try:
            counts[class_index(row[0])] = [int(cell) for cell in row[1:]]
        except ValueError as error:
            raise TableError(
                f"{path}:{line}: expected a class and {len(COLUMNS)} numbers, got {row}"
            ) from error
    if (counts[:, 0] == 0).any():
        raise TableError(f"{path}: expected a line for each of {len(CLASSES)} classes, got {len(rows)}")
    return counts


@cache
def playable_curves(ranking: tuple[str, ...] = EQUITY_RANKING) -> Curves:
    """Return the curves of figure 4 of Friedrich and Schwind (2011): values by the share of holdings played.

    >>> round(float(playable_curves().pair[-1]), 4)  # any two cards
    0.4988
    """
    order = [class_index(name) for name in ranking]
    sums = read_playable()[order].cumsum(axis=0)
    shares = sums[:, 0] / sums[-1, 0]
    return Curves(shares, *(sums[:, column] / sums[:, 0] for column in range(1, len(COLUMNS))))
