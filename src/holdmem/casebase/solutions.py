"""What cases remember of what was done: how often each kind of action, and what it earned.

A solution is a row of counts, one for each kind of action of a `Vocabulary`, and beside it the sum of what
the whole hand earned after each kind. One remembered decision has a single count; cases that are merged have
the sums, which is all that the re-use policies need.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from holdmem.casebase.solution_kernels import add_solutions
from holdmem.table import CALL, Views

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

OUTCOME = 1_000_000
"""Outcomes are kept in whole millionths of a small bet (big blind in no-limit), so that sums are exact."""


class Vocabulary(Protocol):
    """The kinds of action that cases tell apart: fold, call, and one or more raises."""

    @property
    def names(self) -> tuple[str, ...]:
        """Fold, call, then the raises."""
        ...

    def kinds(self, views: Views, codes: Ints) -> Ints:
        """The kind of each action, as its place among the names."""
        ...

    def totals(self, views: Views) -> Ints | None:
        """What each kind of raise raises to at each view, (n, raises); None for the least legal raise."""
        ...


@dataclass(frozen=True)
class Triple:
    """Fold, call, raise: all that limit needs."""

    names = ("fold", "call", "raise")

    def kinds(self, views: Views, codes: Ints) -> Ints:
        """0 for a fold, 1 for a check or call, 2 for a bet or raise."""
        return 1 + np.sign(codes - CALL)

    def totals(self, views: Views) -> None:
        """Limit has one size."""
        return


@dataclass(frozen=True, eq=False)
class Solutions:
    """Solutions of cases, one a row: counts of each kind of action, of those with known result, and sums."""

    counts: Ints
    settled: Ints
    won: Ints

    @classmethod
    def of_decisions(cls, kinds: Ints, won: Ints, settled: NDArray[np.bool_], size: int) -> "Solutions":
        """One decision a row."""
        counts = np.zeros((len(kinds), size), dtype=np.int64)
        counts[np.arange(len(kinds)), kinds] = 1
        known = counts * settled[:, None]
        return cls(counts, known, known * won[:, None])

    @classmethod
    def empty(cls, size: int) -> "Solutions":
        """No rows."""
        return cls(*(np.zeros((0, size), dtype=np.int64) for _ in range(3)))

    @classmethod
    def joined(cls, parts: Sequence["Solutions"]) -> "Solutions":
        """Rows one after another."""
        return cls(
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.settled for part in parts]),
            np.concatenate([part.won for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, which: NDArray[np.int64] | NDArray[np.bool_] | slice) -> "Solutions":
        return Solutions(self.counts[which], self.settled[which], self.won[which])

    @property
    def seen(self) -> Ints:
        """How many decisions each case stands for."""
        return self.counts.sum(axis=1)  # type: ignore[no-any-return]

    @property
    def chances(self) -> Floats:
        """The action triple of each case; zeros where nothing was done."""
        return self.counts / np.maximum(self.seen, 1)[:, None]

    @property
    def outcomes(self) -> Floats:
        """The outcome triple of each case in small bets; minus infinity where none is known."""
        mean = self.won / np.maximum(self.settled, 1) / OUTCOME
        return np.where(self.settled > 0, mean, -np.inf)

    def over(self, places: Ints) -> "Solutions":
        """The solutions of retrieved cases (n, k) added up, one row for each target; -1 adds nothing."""
        total = Solutions(*(np.zeros((len(places), self.counts.shape[1]), np.int64) for _ in range(3)))
        add_solutions(
            np.ascontiguousarray(places), self.counts, self.settled, self.won,
            total.counts, total.settled, total.won,
        )  # fmt: skip
        return total
