"""Box tree over the cases of a street, for exact nearest-neighbour search without a full scan.

Search is exact for any feature weights, so one tree serves all players that compare the same cases with
different weights. The weights it is built with only determine how boxes are divided.
"""

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.cbr.kernels.box_tree import NODE, BoxTreeArrays, build, find_all
from holdmem.cbr.similarity import KEYS, LINEAR
from holdmem.core.types import Ints

if TYPE_CHECKING:
    from holdmem.cbr.case_index import FeatureColumns


FEWEST = 200
"""With fewer cases than this, all are scanned."""
CASES_PER_LEVEL = 2
"""Minimum cases per level: with more distinct feature values, a full scan is faster than their table."""


class BoxTree:
    """Cases as rows of levels, equal rows grouped, sorted into boxes."""

    def __init__(
        self,
        plan: NDArray[np.record],
        columns: "FeatureColumns",
        seen: Ints,
        cases_per_level: float = CASES_PER_LEVEL,
    ) -> None:
        ranked = np.lexsort((np.arange(len(seen)), -seen))
        levels = _Levels(plan, columns, ranked)
        self.boxes: BoxTreeArrays | None = None
        if levels.first[-1] * cases_per_level <= len(seen):
            self.boxes = _boxes(levels, ranked)

    def find(
        self, plan: NDArray[np.record], targets: "FeatureColumns", threshold: int, most: int, otherwise: int,
        places: Ints, similar: Ints,
    ) -> None:  # fmt: skip
        """Find the cases for each target, with the same result as `kernels.retrieve.scan`."""
        find_all(
            plan, self.boxes, targets.keys, targets.numbers, threshold, most, otherwise, places, similar
        )  # fmt: skip


def _boxes(levels: "_Levels", ranked: Ints) -> BoxTreeArrays:
    names = [str(place) for place in range(levels.codes.shape[1])]
    frame = pl.DataFrame(dict(zip(names, levels.codes.T, strict=True))).with_row_index("rank")
    rows = frame.group_by(names, maintain_order=True).agg("rank")
    codes = np.ascontiguousarray(rows.select(names).to_numpy())
    order = np.arange(len(codes))
    nodes = np.zeros(2 * len(codes) + 1, dtype=NODE)
    low = np.zeros((len(nodes), codes.shape[1]), dtype=np.int32)
    high = np.zeros_like(low)
    made = build(codes, levels.reach, nodes, low, high, order)
    members = rows["rank"][order]
    starts = np.concatenate([[0], np.cumsum(members.list.len().to_numpy())]).astype(np.int64)
    return BoxTreeArrays(
        levels.first, levels.keys, levels.numbers, nodes[:made].copy(),
        low[:made].astype(np.uint32), high[:made].astype(np.uint32), codes[order].astype(np.uint32), starts,
        members.explode().cast(pl.Int64).to_numpy(writable=True), ranked,
    )  # fmt: skip


class _Levels:
    """The sorted distinct values of each feature (levels), and every case as a row of level numbers."""

    def __init__(self, plan: NDArray[np.record], columns: "FeatureColumns", ranked: Ints) -> None:
        codes, keys, numbers, reach, first = [], [], [], [], [0]
        most = max([int(part.steps) for part in plan] + [1])
        for part in plan:
            column = int(part.column)
            if part.kind == KEYS:
                found = columns.keys[:, column : column + int(part.steps)]
                level, code = np.unique(found, axis=0, return_inverse=True)
                values = np.zeros(len(level))
                room = np.zeros((len(level), most), np.int64)
                room[:, : level.shape[1]] = level
                apart = np.arange(len(level)) * part.weight / max(len(level) - 1, 1)
            else:
                values, code = np.unique(columns.numbers[:, column], return_inverse=True)
                room = np.zeros((len(values), most), np.int64)
                apart = (values - values[0]) * part.rate * part.weight
                if part.kind != LINEAR:
                    apart = np.minimum(apart, part.weight * 1.5)
            codes.append(code.reshape(-1) + first[-1])
            keys.append(room)
            numbers.append(values)
            reach.append(apart)
            first.append(first[-1] + len(values))
        self.codes = np.column_stack(codes)[ranked].astype(np.int32)
        self.keys, self.numbers = np.concatenate(keys), np.concatenate(numbers)
        self.reach, self.first = np.concatenate(reach), np.array(first)
