"""Choose the hands that merged cases keep, while learning block by block.

Every hand has a ticket, a scrambled number. Of each case and kind of action the hands with the lowest tickets
stay candidates: a uniform sample of all its hands, the same for any order and size of blocks. As a hand has
one ticket for all its cases, cases tend to have the same candidates. In the end the fewest hands are sought
such that every case has one in which the expert did what it did most often there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.cbr.cases import Cases
from holdmem.cbr.hand_file import arranged, pack
from holdmem.core.types import Flags, Ints
from holdmem.history import Hands, join

CANDIDATES = 8
"""Hands per case and kind of action that stay candidates while learning."""

PENDING_HANDS = 100_000
"""Hands to collect before dropping those that are no candidates."""

Tickets = NDArray[np.uint64]


def tickets(numbers: Ints) -> Tickets:
    """Scramble hand numbers one to one, by the finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def candidates_of(rows: pl.DataFrame, names: Sequence[str], kinds: Sequence[str]) -> pl.DataFrame:
    """Return the candidates among decisions, one per row: features, kind, outcome, hand number and ticket."""
    kind = pl.sum_horizontal(place * pl.col(name) for place, name in enumerate(kinds))
    won = pl.sum_horizontal(f"{name}_won" for name in kinds)
    frame = rows.select(*names, kind.cast(pl.Int8).alias("kind"), won.alias("won"), "hand")
    return frame.with_columns(ticket=pl.Series(tickets(frame["hand"].to_numpy())))


def lowest_tickets(frames: Sequence[pl.DataFrame], names: Sequence[str]) -> pl.DataFrame:
    """Return the candidates with the lowest tickets of each case and kind of action."""
    together = pl.concat(list(frames)).sort("ticket")
    return together.group_by([*names, "kind"], maintain_order=True).head(CANDIDATES)


def typical_hands(candidates: pl.DataFrame, cases: Cases) -> tuple[Ints, Ints]:
    """Return the hands that may stand for each case, as pairs of case and hand number.

    In these the expert did what it did most often, and the result is among the closer half of the candidates'
    to the mean result.
    """
    names, solutions = list(cases.features.names), cases.solutions
    known = pl.DataFrame({name: np.ascontiguousarray(column) for name, column in cases.values.items()})
    rows = candidates.join(known.with_row_index("case"), on=names)
    case, kind = rows["case"].to_numpy().astype(np.int64), rows["kind"].to_numpy()
    mean = solutions.won[case, kind] / np.maximum(solutions.settled[case, kind], 1)
    rows = rows.with_columns(off=pl.Series(np.abs(rows["won"].to_numpy() - mean))).filter(
        pl.Series(solutions.counts[case, kind] == solutions.counts.max(axis=1, initial=0)[case])
    )
    place, most = pl.int_range(pl.len()).over("case"), (pl.len().over("case") + 2) // 2
    chosen = rows.sort("case", "off", "ticket").filter(place < most)
    return chosen["case"].to_numpy().astype(np.int64), chosen["hand"].to_numpy()


def fewest_hands(case: Ints, hand: Ints) -> Ints:
    """Return hands that cover every case, where `hand[i]` may stand for `case[i]`, in ascending order.

    A greedy cover. The weight of a hand is the sum, over the cases that it would newly cover, of one over the
    number of hands that the case can choose from. In each round the hands are taken that have the highest
    weight in each of their cases; among equals the lowest number decides.
    """
    chosen = list[Ints]()
    _, case, choices = np.unique(case, return_inverse=True, return_counts=True)
    numbers, hand = np.unique(hand, return_inverse=True)
    while len(case):
        weight = np.bincount(hand, 1 / choices[case], len(numbers)).round(9)
        order = np.lexsort((hand, -weight[hand], case))
        first = order[np.diff(case[order], prepend=-1) > 0]
        wanted = np.zeros(len(choices), dtype=np.int64)
        wanted[case[first]] = hand[first]
        agreed = np.bincount(hand, wanted[case] == hand, len(numbers))
        taken = (agreed > 0) & (agreed == np.bincount(hand, minlength=len(numbers)))
        chosen.append(np.flatnonzero(taken))
        covered = np.zeros(len(choices), dtype=np.bool_)
        covered[case[taken[hand]]] = True
        case, hand = case[~covered[case]], hand[~covered[case]]
    return numbers[np.sort(np.concatenate(chosen))] if chosen else np.zeros(0, dtype=np.int64)


@dataclass
class HandKeeper:
    """Hands by number, of which those that are no longer wanted can be dropped."""

    _numbers: list[Ints] = field(default_factory=list)
    _hands: list[Hands] = field(default_factory=list)
    _experts: list[Flags] = field(default_factory=list)
    _kept: int = 0

    def add(self, hands: Hands, experts: Flags, first: int) -> None:
        """Keep these hands, numbered from `first`."""
        self._numbers.append(first + np.arange(len(hands)))
        self._hands.append(hands)
        self._experts.append(experts)

    def snapshot(self) -> "HandKeeper":
        """Return a keeper of the same hands that later changes do not touch."""
        return HandKeeper(list(self._numbers), list(self._hands), list(self._experts), self._kept)

    @property
    def full(self) -> bool:
        """Whether enough hands have been added to make dropping some worthwhile."""
        return sum(map(len, self._numbers)) > 2 * self._kept + PENDING_HANDS

    def keep(self, wanted: Ints) -> None:
        """Drop all hands but these."""
        if self._numbers:
            numbers, hands, experts = self.take(wanted)
            self._numbers, self._hands, self._experts = [numbers], [hands], [experts]
            self._kept = len(numbers)

    def take(self, wanted: Ints) -> tuple[Ints, Hands, Flags]:
        """Return the numbers of the wanted hands that are there, the hands, and the seats of experts."""
        masks = [np.isin(numbers, wanted) for numbers in self._numbers]
        pairs = list(zip(self._hands, masks, strict=True))
        return (
            np.concatenate([numbers[mask] for numbers, mask in zip(self._numbers, masks, strict=True)]),
            join([hands[mask].packed() for hands, mask in pairs]),
            np.concatenate([flags[mask] for flags, mask in zip(self._experts, masks, strict=True)]),
        )


def choose_hands(
    candidates: Sequence[pl.DataFrame | None], streets: Sequence[Cases], keeper: HandKeeper
) -> pl.DataFrame:
    """Return the fewest hands that show every case, in compact columns."""
    case, hand, first = list[Ints](), list[Ints](), 0
    for some, cases in zip(candidates, streets, strict=True):
        if some is not None:
            pairs = typical_hands(some, cases)
            case.append(first + pairs[0])
            hand.append(pairs[1])
        first += len(cases)
    _, hands, experts = keeper.take(fewest_hands(np.concatenate(case), np.concatenate(hand)))
    return arranged(pack(hands, experts))
