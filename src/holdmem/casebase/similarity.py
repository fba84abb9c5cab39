"""Local similarities: frozen values that are called with two values of a feature and give 0 to 1.

A similarity also says how the compiled retrieval sees it: as one or more columns of numbers that are equal or
not (`KEYS`), or as one column of numbers whose distance counts (`LINEAR`, `DECAY`).
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.casebase.betting_kernels import all_steps
from holdmem.errors import NotationError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_STEPS = 4
"""Columns that a similarity by keys may have."""

KEYS, LINEAR, DECAY = range(3)
"""How a kernel compares: the first of the columns that is equal gives its step; a slope; an exponential."""


class Similarity(Protocol):
    """A local similarity."""

    @property
    def kind(self) -> int:
        """KEYS, LINEAR or DECAY."""
        ...

    @property
    def steps(self) -> tuple[float, ...]:
        """For KEYS, the similarity where the first, second, … column is the first that is equal."""
        ...

    @property
    def rate(self) -> float:
        """For the others, what a distance is multiplied by."""
        ...

    def columns(self, values: NDArray[Any]) -> NDArray[Any]:
        """The columns that kernels compare, (n, columns): whole numbers for KEYS."""
        ...

    def __call__(self, one: ArrayLike, other: ArrayLike) -> Floats:
        """How similar the values are, from 0 to 1."""
        ...


class Keys:
    """Similar where columns are equal."""

    kind = KEYS
    rate = 0.0
    steps: tuple[float, ...] = (1.0,)

    def columns(self, values: NDArray[Any]) -> Ints:
        """The values themselves, as whole numbers; of a fraction its bits."""
        numbers = np.asarray(values)
        if numbers.dtype.kind == "f":
            numbers = np.ascontiguousarray(numbers + 0.0).view(np.int64)  # + 0.0: minus zero is zero
        return numbers.astype(np.int64).reshape(-1, 1)

    def __call__(self, one: ArrayLike, other: ArrayLike) -> Floats:
        first, second = np.broadcast_arrays(np.asarray(one), np.asarray(other))
        mine, theirs = self.columns(first.ravel()), self.columns(second.ravel())
        found = np.zeros(len(mine))
        for column, step in reversed(list(enumerate(self.steps))):
            found[mine[:, column] == theirs[:, column]] = step
        return found.reshape(first.shape)


@dataclass(frozen=True)
class Equal(Keys):
    """1 where both are the same, 0 otherwise."""


@dataclass(frozen=True, init=False)
class Groups(Keys):
    """1 where both are of the same group, 0 otherwise: `Groups((8, 9, 10), (5, 6, 7), (3, 4), (2,))`.

    A value in no group is similar to itself alone.
    """

    groups: tuple[tuple[float, ...], ...]

    def __init__(self, *groups: tuple[float, ...]) -> None:
        object.__setattr__(self, "groups", groups)
        members = [value for group in groups for value in group]
        if not groups or len(members) != len(set(members)):
            raise NotationError(f"expected groups that share no value, got {groups}")

    def columns(self, values: NDArray[Any]) -> Ints:
        """The number of the group; a value in none keeps its own key, out of their way."""
        numbers = np.asarray(values)
        keys = super().columns(numbers) + len(self.groups)
        for place, group in enumerate(self.groups):
            keys[np.isin(numbers, group), 0] = place
        return keys


@dataclass(frozen=True)
class Nested(Keys):
    """Whole numbers whose last digits matter less: the first step if they are the same, the second if they
    are once divided by the second width, and so on; otherwise 0.

    `Nested((1.0, 0.8), (1, 5))` has 7 and 5 at 0.8, and 7 and 4 at 0.
    """

    steps: tuple[float, ...] = (1.0, 0.5)
    widths: tuple[int, ...] = (1, 2)

    def __post_init__(self) -> None:
        falling = all(one >= other for one, other in pairwise((1.0, *self.steps, 0.0)))
        wider = all(one > 0 and other % one == 0 for one, other in pairwise(self.widths))
        if not 1 <= len(self.steps) == len(self.widths) <= MOST_STEPS or not falling or not wider:
            raise NotationError(
                f"expected one to {MOST_STEPS} steps from 1 down to 0 and as many widths, each a multiple of"
                f" the one before, got {self.steps} and {self.widths}"
            )

    def columns(self, values: NDArray[Any]) -> Ints:
        """The numbers at each width."""
        numbers = np.asarray(values, dtype=np.int64).reshape(-1, 1)
        return numbers // np.array(self.widths)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Linear:
    """1 - |a - b| / reach, and 0 beyond the reach: "MAX_DIFF" of Rubin (2007)."""

    reach: float
    kind = LINEAR
    steps = ()

    def __post_init__(self) -> None:
        _expect_positive(self, self.reach)

    @property
    def rate(self) -> float:
        """What a distance of one takes away."""
        return 1.0 / self.reach

    def columns(self, values: NDArray[Any]) -> Floats:
        """The values."""
        return np.asarray(values, dtype=np.float64).reshape(-1, 1)

    def __call__(self, one: ArrayLike, other: ArrayLike) -> Floats:
        distance = np.abs(np.asarray(one, dtype=float) - np.asarray(other, dtype=float))
        found: Floats = np.maximum(1.0 - distance * self.rate, 0.0)
        return found


@dataclass(frozen=True)
class Decay:
    """e^(-k |a - b| / reach): Rubin (2007), with a reach of 168 for ranks and of 1 otherwise."""

    k: float
    reach: float = 1.0
    kind = DECAY
    steps = ()

    def __post_init__(self) -> None:
        _expect_positive(self, self.k)
        _expect_positive(self, self.reach)

    @property
    def rate(self) -> float:
        """The exponent of a distance of one."""
        return self.k / self.reach

    def columns(self, values: NDArray[Any]) -> Floats:
        """The values."""
        return np.asarray(values, dtype=np.float64).reshape(-1, 1)

    def __call__(self, one: ArrayLike, other: ArrayLike) -> Floats:
        distance = np.abs(np.asarray(one, dtype=float) - np.asarray(other, dtype=float))
        found: Floats = np.exp(-self.rate * distance)
        return found


@dataclass(frozen=True)
class Stepped(Keys):
    """Betting sequences by steps (Rubin and Watson 2010, §4.4).

    1 if they are the same; 0.9 if the active round is the same and each player raised as often on each
    street before it; 0.8 if as often on those streets together; otherwise 0.

    Values are codes as the feature `betting` gives them. Which letters are whose is read from the order of
    action, heads-up the button first before the flop and last after it, so `seats` must be said.
    """

    steps: tuple[float, ...] = (1.0, 0.9, 0.8)
    seats: int = 2

    def __post_init__(self) -> None:
        if len(self.steps) != 3 or not 1 >= self.steps[0] >= self.steps[1] >= self.steps[2] >= 0:
            raise NotationError(f"expected three steps from 1 down to 0, got {self.steps}")

    def columns(self, values: NDArray[Any]) -> Ints:
        """The three levels of each sequence."""
        codes = np.ascontiguousarray(values, dtype=np.int64)
        out = np.empty((len(codes), 3), dtype=np.int64)
        all_steps(codes, self.seats, out)
        return out


def _expect_positive(similarity: object, number: float) -> None:
    if not 0 < number < float("inf"):
        raise NotationError(f"expected a number above zero, got {number} in {similarity!r}")
