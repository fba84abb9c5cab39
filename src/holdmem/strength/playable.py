"""How likely a hand of a range is to be playable on the flop (plicas §4.2.3 and figure 4).

plicas simulated it at many random flops. Here it is counted: every class of hole cards and flop, times the
hands that it stands for, 25,989,600 in all. The counts are shipped as a small table, `playable.csv`;
`holdmem playable --rebuild` counts anew.
"""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASS_OF, CLASSES, class_index
from holdmem.compiled import DATA
from holdmem.errors import TableError
from holdmem.strength.buckets import hands_on
from holdmem.strength.hands import Floats
from holdmem.strength.playable_kernels import count_playable
from holdmem.strength.ranking import EQUITY_RANKING
from holdmem.whole import write_whole

FILE = DATA / "playable.csv"
COLUMNS = ("flops", "pair", "overcards", "flush draw", "straight draw", "playable")
"""All flops of a class, those with each part, and those with any: the last is their disjunction."""


class Curves(NamedTuple):
    """Figure 4: for the best 1, 2, ... 169 classes, the chance of each on the flop, (169,) each."""

    share: Floats
    """The range: the share of all 1,326 holdings."""
    pair: Floats
    """A pair or better, pairs of the board included."""
    overcards: Floats
    """Two cards of different ranks above all of the board."""
    flush_draw: Floats
    """Exactly four cards of a suit."""
    straight_draw: Floats
    """No straight, and a rank that would complete one."""
    playable: Floats
    """Any of the four."""


def count_flops() -> NDArray[np.int64]:
    """(169, 6): `COLUMNS` by class, counted over all flops."""
    hands, ways = hands_on("flop")
    five = np.ascontiguousarray(np.hstack([hands.hole, hands.board[:, :3]]))
    counts = np.zeros((len(CLASSES), len(COLUMNS)), np.int64)
    count_playable(five, ways, CLASS_OF.copy(), counts)
    return counts


def write_playable(counts: NDArray[np.int64], path: Path = FILE) -> None:
    """Write the table, beside its place first."""
    lines = [["class", *COLUMNS]]
    lines += [[name, *map(str, counts[class_index(name)].tolist())] for name in EQUITY_RANKING]
    write_whole(path, "".join(",".join(line) + "\n" for line in lines))


def read_playable(path: Path = FILE) -> NDArray[np.int64]:
    """(169, 6): the counts in a table, in the order of `CLASSES`."""
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
    """The five curves of figure 4 by the share of holdings that is played, from the shipped table.

    >>> round(float(playable_curves().pair[-1]), 4)  # any two cards
    0.4988
    """
    order = [class_index(name) for name in ranking]
    sums = read_playable()[order].cumsum(axis=0)
    shares = sums[:, 0] / sums[-1, 0]
    return Curves(shares, *(sums[:, column] / sums[:, 0] for column in range(1, len(COLUMNS))))
