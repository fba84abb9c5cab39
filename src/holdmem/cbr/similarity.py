"""Local similarities: immutable objects that map two values of a feature to a similarity from 0 to 1.

Each also says how the compiled retrieval handles it: as one or more columns of integers tested for equality
(`KEYS`), or as one column of numbers compared by distance (`LINEAR`, `DECAY`).
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.core.errors import NotationError
from holdmem.core.types import Floats, Ints

MOST_STEPS = 4
"""Maximum number of columns of a similarity by keys."""

KEYS, LINEAR, DECAY = range(3)
"""How a kernel compares: by the step of the first equal column, by a linear slope, by exponential decay."""


class Similarity(Protocol):
    """How similar two values of one feature are, from 0 to 1: a local similarity."""

    @property
    def kind(self) -> int:
        """How the compiled search computes this similarity: KEYS (look-up), LINEAR or DECAY (exponential)."""
        ...

    @property
    def steps(self) -> tuple[float, ...]:
        """For KEYS, the similarity if the first, second, … column is the first one that is equal."""
        ...

    @property
    def rate(self) -> float:
        """For LINEAR and DECAY, the factor applied to a distance."""
        ...

    def columns(self, values: NDArray[Any]) -> NDArray[Any]:
        """Convert feature values to what the retrieval kernels compare, shape (n, columns).

        Integers for a similarity by equal keys, floats for one by distance.
        """
        ...

    def __call__(self, one: ArrayLike, other: ArrayLike) -> Floats:
        """Return the similarity of the values, from 0 to 1."""
        ...


class Keys:
    """Base of similarities that depend on which columns are equal."""

    kind: int = KEYS
    rate: float = 0.0
    steps: tuple[float, ...] = (1.0,)

    def columns(self, values: NDArray[Any]) -> Ints:
        """Return the values themselves as integers; a float is represented by its bits."""
        numbers = np.asarray(values)
        if numbers.dtype.kind == "f":
            numbers = np.ascontiguousarray(numbers + 0.0).view(np.int64)  # + 0.0 turns -0.0 into 0.0
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
    """1 if both values are equal, 0 otherwise."""


@dataclass(frozen=True, init=False)
class Groups(Keys):
    """1 if both values belong to the same group, 0 otherwise: `Groups((8, 9, 10), (5, 6, 7), (3, 4), (2,))`.

    A value in no group is similar only to itself.
    """

    groups: tuple[tuple[float, ...], ...]

    def __init__(self, *groups: tuple[float, ...]) -> None:
        object.__setattr__(self, "groups", groups)
        members = [value for group in groups for value in group]
        if not groups or len(members) != len(set(members)):
            raise NotationError(f"expected groups without shared values, got {groups}")

    def columns(self, values: NDArray[Any]) -> Ints:
        """Return the index of the group; a value in none gets a key of its own beyond all group indices."""
        numbers = np.asarray(values)
        keys = super().columns(numbers) + len(self.groups)
        for place, group in enumerate(self.groups):
            keys[np.isin(numbers, group), 0] = place
        return keys


@dataclass(frozen=True)
class Nested(Keys):
    """Similarity of integers at several resolutions: the step of the first width at which they agree, else 0.

    Two integers agree at a width if they are equal after integer division by it: `Nested((1.0, 0.8), (1, 5))`
    gives 0.8 for 7 and 5, and 0 for 7 and 4.
    """

    steps: tuple[float, ...] = (1.0, 0.5)
    widths: tuple[int, ...] = (1, 2)

    def __post_init__(self) -> None:
        falling = all(one >= other for one, other in pairwise((1.0, *self.steps, 0.0)))
        wider = all(one > 0 and other % one == 0 for one, other in pairwise(self.widths))
        if not 1 <= len(self.steps) == len(self.widths) <= MOST_STEPS or not falling or not wider:
            raise NotationError(
                f"expected 1 to {MOST_STEPS} steps from 1 down to 0 and the same number of widths, each a"
                f" multiple of the previous one, got {self.steps} and {self.widths}"
            )

    def columns(self, values: NDArray[Any]) -> Ints:
        """Return the values divided by each width, rounded down."""
        numbers = np.asarray(values, dtype=np.int64).reshape(-1, 1)
        return numbers // np.array(self.widths)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Linear:
    """1 - |a - b| / reach, and 0 beyond the reach; the reach is "MAX_DIFF" in Rubin (2007)."""

    reach: float
    kind = LINEAR
    steps: ClassVar[tuple[()]] = ()

    def __post_init__(self) -> None:
        _expect_positive(self, self.reach)

    @property
    def rate(self) -> float:
        """Similarity lost per unit of distance."""
        return 1.0 / self.reach

    def columns(self, values: NDArray[Any]) -> Floats:
        """Return the values."""
        return np.asarray(values, dtype=np.float64).reshape(-1, 1)

    def __call__(self, one: ArrayLike, other: ArrayLike) -> Floats:
        distance = np.abs(np.asarray(one, dtype=float) - np.asarray(other, dtype=float))
        found: Floats = np.maximum(1.0 - distance * self.rate, 0.0)
        return found


@dataclass(frozen=True)
class Decay:
    """e^(-k |a - b| / reach), after Rubin (2007), where the reach is 168 for ranks and 1 otherwise."""

    k: float
    reach: float = 1.0
    kind = DECAY
    steps: ClassVar[tuple[()]] = ()

    def __post_init__(self) -> None:
        _expect_positive(self, self.k)
        _expect_positive(self, self.reach)

    @property
    def rate(self) -> float:
        """Exponent per unit of distance."""
        return self.k / self.reach

    def columns(self, values: NDArray[Any]) -> Floats:
        """Return the values."""
        return np.asarray(values, dtype=np.float64).reshape(-1, 1)

    def __call__(self, one: ArrayLike, other: ArrayLike) -> Floats:
        distance = np.abs(np.asarray(one, dtype=float) - np.asarray(other, dtype=float))
        found: Floats = np.exp(-self.rate * distance)
        return found


def _expect_positive(similarity: object, number: float) -> None:
    if not 0 < number < float("inf"):
        raise NotationError(f"expected a number above zero, got {number} in {similarity!r}")
