"""Solutions of cases: how often each kind of action was taken, and what it earned.

A solution is a row of counts, one per kind of action of a `Vocabulary`, together with the sum of what the
whole hand earned after each kind. A single remembered decision has one count. Merged cases have the sums,
which is all that the reuse policies need.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import CALL, Views
from holdmem.cbr.kernels.solutions import add_solutions
from holdmem.core.types import Floats, Ints
from holdmem.engine import PARTS

OUTCOME = 1_000_000
"""Outcomes are integer millionths of a small bet (of a big blind in no-limit), so that sums are exact."""


def outcomes_of(net: Ints, views: Views) -> Ints:
    """Convert results in parts of a chip to millionths of a bet, the unit in which outcomes are stored."""
    return np.rint(net * (OUTCOME / (PARTS * views.game.unit[0]))).astype(np.int64)  # type: ignore[no-any-return]


class Vocabulary(Protocol):
    """The kinds of action that cases distinguish: fold, call, and one or more raises."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the kinds: fold, call, then the raises."""
        ...

    def kinds(self, views: Views, codes: Ints) -> Ints:
        """Return the kind of each action, as an index into the names."""
        ...

    def totals(self, views: Views) -> Ints | None:
        """Return the amount that each kind of raise raises to, of shape (n, raises).

        None stands for the minimum legal raise.
        """
        ...


@dataclass(frozen=True)
class Triple:
    """Fold, call, raise: sufficient for limit."""

    names: ClassVar[tuple[str, ...]] = ("fold", "call", "raise")

    def kinds(self, views: Views, codes: Ints) -> Ints:
        """Return 0 for a fold, 1 for a check or call, 2 for a bet or raise."""
        return 1 + np.sign(codes - CALL)

    def totals(self, views: Views) -> None:
        """Return None: limit has a single raise size."""
        return


@dataclass(frozen=True, eq=False)
class Solutions:
    """Solutions of cases, one row per case and one column per kind of action.

    `counts` are decisions, `settled` those with a known result, `won` the sum of these results in millionths.
    """

    counts: Ints
    settled: Ints
    won: Ints

    @classmethod
    def of_decisions(cls, kinds: Ints, won: Ints, settled: NDArray[np.bool_], size: int) -> "Solutions":
        """Return the solutions of single decisions: one action each, with its result where it is settled."""
        counts = np.zeros((len(kinds), size), dtype=np.int64)
        counts[np.arange(len(kinds)), kinds] = 1
        known = counts * settled[:, None]
        return cls(counts, known, known * won[:, None])

    @classmethod
    def empty(cls, size: int) -> "Solutions":
        """Return solutions without rows."""
        return cls(*(np.zeros((0, size), dtype=np.int64) for _ in range(3)))

    @classmethod
    def joined(cls, parts: Sequence["Solutions"]) -> "Solutions":
        """Concatenate the rows of several solutions."""
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
        """Number of decisions that each case represents."""
        return self.counts.sum(axis=1)  # type: ignore[no-any-return]

    @property
    def probabilities(self) -> Floats:
        """Action triple of each case: relative frequencies, zeros where nothing was done."""
        return self.counts / np.maximum(self.seen, 1)[:, None]

    @property
    def outcomes(self) -> Floats:
        """Outcome triple of each case: mean result in small bets, minus infinity where none is known."""
        mean = self.won / np.maximum(self.settled, 1) / OUTCOME
        return np.where(self.settled > 0, mean, -np.inf)

    def over(self, places: Ints) -> "Solutions":
        """Sum the solutions of retrieved cases (n, k), one row per target; -1 adds nothing."""
        total = Solutions(*(np.zeros((len(places), self.counts.shape[1]), np.int64) for _ in range(3)))
        add_solutions(
            np.ascontiguousarray(places), self.counts, self.settled, self.won,
            total.counts, total.settled, total.won,
        )  # fmt: skip
        return total
