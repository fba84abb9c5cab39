"""A tree of situations, from all decisions down to similar ones, grown on the decisions of many people.

Each node is split where the answers (what people did) and the strengths of shown holdings differ most on its
two sides: the largest gain in their log-likelihood (Quinlan 1986 calls it information gain). Nodes are stored
in depth-first order: the left child of a node comes right after it.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from holdmem.core.types import Floats, Ints
from holdmem.people.kernels.situations import COUNT, VALUES
from holdmem.people.kernels.tree import count_values, find_leaves
from holdmem.people.situations import ByteArray

HOLDINGS = 4
"""What is known of a holding when a tree is grown: hidden, or shown and weak, middling or strong."""


@dataclass(frozen=True, eq=False)
class SituationTree:
    """Splits in depth-first order; `split` is the feature of a node, -1 for a leaf."""

    split: NDArray[np.int16]
    cut: NDArray[np.uint8]
    right: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.split)

    @cached_property
    def parent(self) -> Ints:
        """Parent of each node, -1 for the root; a parent comes before its children."""
        parent = np.full(len(self), -1, dtype=np.int64)
        inner = np.flatnonzero(self.split >= 0)
        parent[inner + 1] = inner
        parent[self.right[inner]] = inner
        return parent

    @cached_property
    def depths(self) -> Ints:
        """Number of splits above each node."""
        depths = np.zeros(len(self), dtype=np.int64)
        for node in range(1, len(self)):
            depths[node] = depths[self.parent[node]] + 1
        return depths

    def is_like(self, other: "SituationTree") -> bool:
        """Whether both have the same splits."""
        return all(
            np.array_equal(getattr(self, part), getattr(other, part)) for part in ("split", "cut", "right")
        )

    @property
    def leaves(self) -> Ints:
        """Nodes without children."""
        return np.flatnonzero(self.split < 0)

    def leaf_of(self, features: ByteArray) -> Ints:
        """Return the leaf of each row of features."""
        out = np.empty(len(features), dtype=np.int64)
        find_leaves(np.ascontiguousarray(features), self.split, self.cut, self.right, out)
        return out

    def path(self, leaf: int) -> list[int]:
        """Return the nodes from the root to a leaf."""
        found = [leaf]
        while found[-1] > 0:
            found.append(int(self.parent[found[-1]]))
        return found[::-1]


def log_likelihood(counts: Floats) -> Floats:
    """Return the log-likelihood of counts (…, answers) under their own frequencies."""
    total = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (np.where(counts > 0, counts * np.log(counts), 0)).sum(axis=-1)
        return found - np.where(total > 0, total * np.log(total), 0)  # type: ignore[no-any-return]


def grow(
    features: ByteArray, answers: ByteArray, holdings: ByteArray, kinds: int, gain: float, least: int = 200,
    deepest: int = 14,
) -> SituationTree:  # fmt: skip
    """Grow a tree for answers 0 … kinds − 1, given with hidden (0), weak, middling or strong (3) holdings.

    A node is split while the best split gains at least `gain` nats and leaves `least` decisions on each side.
    """
    joint = (answers * HOLDINGS + holdings).astype(np.uint8)
    places, node = np.arange(len(features)), np.zeros(len(features), dtype=np.int64)
    split, cut, kids = [-1], [0], [(-1, -1)]
    current = [0]
    for _ in range(deepest):
        if not current:
            break
        counts = np.zeros((len(current), COUNT, VALUES, kinds * HOLDINGS), dtype=np.int32)
        count_values(features, joint, places, node, counts)
        splits = _best_splits(counts.astype(np.float64), gain, least)
        move = np.full(len(current), -1, dtype=np.int64)
        following = list[int]()
        for at, found in enumerate(splits):
            if found is None:
                continue
            name = current[at]
            split[name], cut[name] = found
            kids[name] = (len(split), len(split) + 1)
            move[at] = len(following)
            for _side in range(2):
                following.append(len(split))
                split.append(-1)
                cut.append(0)
                kids.append((-1, -1))
        begin = np.where(node >= 0, move[node], -1)
        feature = np.array([0 if found is None else found[0] for found in splits])
        edge = np.array([0 if found is None else found[1] for found in splits])
        side = features[places, feature[node]] >= edge[node]
        kept = begin >= 0
        places, node = places[kept], (begin + side)[kept]
        current = following
    return _depth_first(split, cut, kids)


def _score(counts: Floats) -> Floats:
    """Return the log-likelihood of the answers, plus that of the shown holdings given the answers."""
    apart = counts.reshape(*counts.shape[:-1], -1, HOLDINGS)
    return log_likelihood(apart.sum(axis=-1)) + log_likelihood(apart[..., 1:]).sum(axis=-1)  # type: ignore[no-any-return]


def _best_splits(counts: Floats, gain: float, least: int) -> list[tuple[int, int] | None]:
    below = counts.cumsum(axis=2)[:, :, :-1]
    whole = counts.sum(axis=2)[:, :, None]
    above = whole - below
    gains = _score(below) + _score(above) - _score(whole)
    enough = (below.sum(axis=3) >= least) & (above.sum(axis=3) >= least)
    gains = np.where(enough, gains, -1).reshape(len(counts), -1)
    best = gains.argmax(axis=1)
    return [
        (int(where) // (VALUES - 1), int(where) % (VALUES - 1) + 1) if value >= gain else None
        for where, value in zip(best, gains.max(axis=1), strict=True)
    ]


def _depth_first(split: list[int], cut: list[int], kids: list[tuple[int, int]]) -> SituationTree:
    order, right, place = list[int](), dict[int, int](), dict[int, int]()
    waiting = [0]
    while waiting:
        name = waiting.pop()
        place[name] = len(order)
        order.append(name)
        if kids[name][0] >= 0:
            waiting += [kids[name][1], kids[name][0]]
    for name in order:
        right[place[name]] = place[kids[name][1]] if kids[name][0] >= 0 else -1
    return SituationTree(
        split=np.array([split[name] for name in order], dtype=np.int16),
        cut=np.array([cut[name] for name in order], dtype=np.uint8),
        right=np.array([right[at] for at in range(len(order))], dtype=np.int32),
    )
