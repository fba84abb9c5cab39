"""Card buckets: groups of hands that a strategy treats as equal, by exact E[HS²] and E[HS] on each street.

Preflop buckets are the 169 classes, or fewer groups of classes with similar E[HS²]. Flop and turn hands are
split into parts of (nearly) equal size by E[HS²], and each part by E[HS]: of two hands with equal E[HS²], the
one with the lower E[HS] is the draw. On the river HS is cut at

    1 - (1 - i/n) ** (1 / 0.7)

which is finer for the best hands, where most of the money goes in. Values are in units of 1/65,535, as in the
tables of `strength`, so that a hand falls into the same bucket whether its strength is looked up or computed.
"""

from dataclasses import dataclass
from functools import cache
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASS_OF, COMBOS
from holdmem.core.choices import Recall
from holdmem.core.errors import NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine.state import BOARD_CARDS, STREETS
from holdmem.strength import whole_column
from holdmem.strength.bucket_cuts import BucketCuts
from holdmem.strength.hand_strength import values_on_street
from holdmem.strength.table_files import STEP

Cuts = NDArray[np.int64]

CLASSES = 169
MOST_BUCKETS = 60_000
MOST_STRENGTH = 65_535
RIVER_BEND = 0.7
SAMPLE = 60_000
"""Size of the fixed sample of hands that determines the cuts of flop and turn."""


@dataclass(frozen=True, eq=False)
class CardBuckets:
    """Buckets of all streets: `classes` maps the 169 preflop classes, `cuts` are for flop, turn and river."""

    classes: Cuts
    cuts: tuple[BucketCuts, ...]
    recall: Recall = "imperfect"

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of buckets on each street, ignoring earlier streets."""
        return (int(self.classes.max()) + 1, *(cut.size for cut in self.cuts))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Card states that a strategy distinguishes per street: with perfect recall all bucket sequences."""
        return tuple(np.cumprod(self.counts).tolist()) if self.recall == "perfect" else self.counts

    def check(self) -> None:
        """Raise ValueError unless every hand on every street falls into one of the buckets."""
        if self.recall not in get_args(Recall):
            raise ValueError(f"unknown recall {self.recall!r}")
        if len(self.classes) != CLASSES or set(self.classes.tolist()) != set(range(self.counts[0])):
            raise ValueError(f"the buckets of {len(self.classes)} classes are not numbered from 0 up")
        for cuts in self.cuts:
            _check_cuts(cuts)
        if max(self.sizes) > MOST_BUCKETS:
            raise ValueError(f"{max(self.sizes):,} bucket sequences are too many")

    def of(self, holes: NDArray[np.uint8], boards: NDArray[np.uint8]) -> Cuts:
        """Return the index (below the street's `sizes`) of each hand; boards have 0, 3, 4 or 5 cards."""
        street = BOARD_CARDS.index(boards.shape[1])
        found = self._alone(holes, boards)
        if self.recall == "perfect" and street:
            return self.of(holes, boards[:, : BOARD_CARDS[street - 1]]) * self.counts[street] + found
        return found

    def _alone(self, holes: NDArray[np.uint8], boards: NDArray[np.uint8]) -> Cuts:
        """Return the bucket on this street, ignoring earlier streets."""
        street = BOARD_CARDS.index(boards.shape[1])
        if street == 0:
            return self.classes[CLASS_OF[holes[:, 0], holes[:, 1]]]
        mean, square = strengths_of(holes, boards)
        return self.cuts[street - 1].buckets_of(square, mean)


def _check_cuts(cuts: BucketCuts) -> None:
    """Raise ValueError unless every hand falls into one of the buckets."""
    parts = len(cuts.start) - 1
    if parts < 1 or cuts.start[0] != 0 or (np.diff(cuts.start) < 1).any() or cuts.size > MOST_BUCKETS:
        raise ValueError(f"invalid first buckets of the outer parts: {cuts.start[:6].tolist()} …")
    if (len(cuts.outer), len(cuts.inner)) != (parts - 1, cuts.size - parts):
        raise ValueError(
            f"{len(cuts.outer)} outer and {len(cuts.inner)} inner cuts do not make {cuts.size} buckets"
        )
    both = np.concatenate([cuts.outer, cuts.inner])
    if ((both < 0) | (both > MOST_STRENGTH)).any() or (np.diff(cuts.outer) < 0).any():
        raise ValueError("the cuts are not strengths in ascending order")


def strengths_of(
    holes: NDArray[np.uint8], boards: NDArray[np.uint8]
) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Return E[HS] and E[HS²] in units of 1/65,535, identical whether or not the street's table is built.

    All boards belong to one street, and the cards come from a table that has already checked them. On the
    river both arrays hold HS.
    """
    columns = ("hs1",) if boards.shape[1] == 5 else ("hs1", "hs2")
    found = values_on_street(holes, boards, columns, rounding="steps")
    rounded = np.rint(found / STEP).astype(np.uint16)
    return np.ascontiguousarray(rounded[:, 0]), np.ascontiguousarray(rounded[:, -1])


@cache
def card_buckets(counts: tuple[int, int, int, int], recall: Recall = "imperfect") -> CardBuckets:
    """Return card buckets with these counts for preflop, flop, turn and river."""
    if not 1 <= counts[0] <= CLASSES or not all(1 <= count <= MOST_BUCKETS for count in counts[1:]):
        raise NotationError(
            f"expected 1 to {CLASSES} buckets before the flop and 1 to {MOST_BUCKETS:,} on the other streets,"
            f" got {counts}"
        )
    cuts = (_nested(1, counts[1]), _nested(2, counts[2]), _river(counts[3]))
    found = CardBuckets(_classes(counts[0]), cuts, recall)
    if max(found.sizes) > MOST_BUCKETS:
        raise NotationError(
            f"expected at most {MOST_BUCKETS:,} bucket sequences, got {max(found.sizes):,};"
            f" perfect recall multiplies the counts {'/'.join(map(str, counts))}"
        )
    return found


def read_counts(text: str) -> tuple[int, int, int, int]:
    """Parse bucket counts written as 169/200/200/200."""
    parts = text.split("/")
    if len(parts) != STREETS or not all(part.isdecimal() for part in parts):
        raise NotationError(f"expected four bucket counts such as 169/200/200/200, got {text!r}")
    return int(parts[0]), int(parts[1]), int(parts[2]), int(parts[3])


def _classes(count: int) -> Cuts:
    """Return the bucket of each preflop class: itself, or its quantile of all hands by E[HS²]."""
    if count == CLASSES:
        return np.arange(CLASSES)
    order = np.argsort(whole_column("preflop", "hs2"), kind="stable")
    middle = np.cumsum(COMBOS[order]) - COMBOS[order] / 2
    found = np.empty(CLASSES, np.int64)
    found[order] = np.minimum(middle * count // COMBOS.sum(), count - 1)
    return np.unique(found, return_inverse=True)[1]


def _nested(street: int, count: int) -> BucketCuts:
    """Split a street by E[HS²], then by E[HS], with about sqrt(count / 6) inner buckets per outer part."""
    holes, boards = _sample(street)
    first, second = (column.astype(np.int64) for column in strengths_of(holes, boards))
    inside = max(1, round((count / 6) ** 0.5))
    parts = max(1, round(count / inside))
    outer = _quantiles(second, parts)
    part = np.searchsorted(outer, second)
    split = np.diff(np.arange(parts + 1) * count // parts)
    inner = [_quantiles(first[part == p], int(split[p])) for p in range(parts)]
    return BucketCuts(outer, np.concatenate(inner), np.concatenate([[0], np.cumsum(split)]))


def _quantiles(numbers: Cuts, parts: int) -> Cuts:
    """Return the largest number of each of `parts` parts of equal size, except the last."""
    places = np.arange(1, parts) * len(numbers) // parts
    return np.sort(numbers)[places - 1] if len(numbers) else np.zeros(parts - 1, np.int64)


def _river(count: int) -> BucketCuts:
    shares = 1 - (1 - np.arange(1, count) / count) ** (1 / RIVER_BEND)
    return BucketCuts.single(np.rint(shares / STEP).astype(np.int64))


@cache
def _sample(street: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return random hole cards and boards of a street; the sample is fixed."""
    cards = Streams.of(0, "buckets", street).decks(hand_ids(SAMPLE), 2 + BOARD_CARDS[street]).view(np.uint8)
    return np.ascontiguousarray(cards[:, :2]), np.ascontiguousarray(cards[:, 2:])
