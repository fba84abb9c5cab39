"""Ranges of hole cards: which of the 1,326 holdings a player may have, each with a weight from 0 to 1.

`range_notation` explains how they are written.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import (
    CASPER_RANKING,
    CLASS_OF_HOLDING,
    CLASSES,
    COMBOS,
    HOLDING_OF,
    HOLDINGS,
)
from holdmem.cards.notation import distinct, hole, names
from holdmem.cards.range_notation import ALL_HOLDINGS, read_weights, write_weights
from holdmem.core.display import Html, html_table, short
from holdmem.core.errors import NotationError


@dataclass(frozen=True, eq=False, repr=False)
class Range:
    """A weighted set of holdings: an immutable value, equal by content, read by `parse` and written by `str`.

    `weights` has 1,326 entries from 0 to 1 in the order of `HOLDINGS` and is read-only; a holding of weight 0
    is not in the range.

    Examples
    --------
    >>> aces = Range.parse("AA, AKs")
    >>> aces.combinations, "AhAs" in aces
    (10.0, True)
    """

    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        weights = np.asarray(self.weights, dtype=np.float64)
        if weights.shape != (ALL_HOLDINGS,):
            raise NotationError(f"expected {ALL_HOLDINGS} weights, got an array of shape {weights.shape}")
        wrong = weights[~((weights >= 0) & (weights <= 1))]
        if len(wrong):
            raise NotationError(f"expected weights from 0 to 1, got {wrong[0]}")
        # Adding zero turns -0.0 into 0.0, so that equal ranges have equal bytes; `frombuffer` is read-only.
        object.__setattr__(self, "weights", np.frombuffer((weights + 0.0).tobytes()))

    @classmethod
    def parse(cls, text: str, ranking: Sequence[str] = CASPER_RANKING) -> "Range":
        """Parse a range; `range_notation` explains the notation.

        A percentage takes whole classes from the top of `ranking` (all 169 names, best first) and stops at
        the class that reaches its share of the 1,326 holdings: `1%` of Casper's ranking is AA, KK and QQ, 18
        holdings where 13.26 were asked for.
        """
        return cls(read_weights(text, ranking))

    def notation(self) -> str:
        """Return the range as text that `parse` reads back exactly: "88+, A9s+, KTs+, AJo+, KQo".

        Parts are ordered by falling weight, and within a weight pairs, suited, offsuit. A class that is only
        partly in the range, or has different weights, is listed holding by holding. Every holding is named
        once; an empty range is "0%".
        """
        return write_weights(self.weights)

    def __str__(self) -> str:
        return self.notation()

    def __repr__(self) -> str:
        return f"Range.parse({self.notation()!r})"

    def _repr_html_(self) -> str:
        """Draw the 169 classes, suited above the diagonal, the darker the more of a class is in the range."""
        squares = [_square(name, share) for name, share in zip(CLASSES, self.classes(), strict=True)]
        rows = [squares[begin : begin + 13] for begin in range(0, len(squares), 13)]
        caption = f"{short(self.notation(), 80)}: {self.combinations:g} of {ALL_HOLDINGS:,} holdings"
        return html_table([""] * 13, rows, caption)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return bool(np.array_equal(self.weights, other.weights))

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __reduce__(self) -> tuple[type["Range"], tuple[NDArray[np.float64]]]:
        # Unpickled arrays are writeable; going through the constructor makes them read-only again.
        return Range, (self.weights,)

    def __len__(self) -> int:
        """Number of holdings in the range, regardless of their weights."""
        return int(np.count_nonzero(self.weights))

    @property
    def combinations(self) -> float:
        """Sum of the weights: equal to `len` if every weight is 1."""
        return float(self.weights.sum())

    @property
    def share(self) -> float:
        """Combinations as a share of all 1,326."""
        return self.combinations / ALL_HOLDINGS

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Iterate over the holdings in the range as cards (low, high), in the order of `HOLDINGS`."""
        return ((low, high) for low, high in HOLDINGS[self.weights > 0].tolist())

    def __contains__(self, holding: str | tuple[int, int]) -> bool:
        """Whether a holding such as "AhKd" or (45, 50) has a positive weight."""
        return self.weight(holding) > 0

    def weight(self, holding: str | tuple[int, int]) -> float:
        """Return the weight of a holding such as "AhKd" or (45, 50), its cards in either order."""
        first, second = hole(holding if isinstance(holding, str) else names(holding))
        return float(self.weights[HOLDING_OF[first, second]])

    def classes(self) -> NDArray[np.float64]:
        """Return the mean weight of each of the 169 classes, shape (169,)."""
        return np.bincount(CLASS_OF_HOLDING, self.weights, len(CLASSES)) / COMBOS

    def without(self, cards: Iterable[int]) -> "Range":
        """Return the range with every holding removed that contains one of `cards` (card removal)."""
        dead = np.isin(HOLDINGS, distinct(list(cards))).any(axis=1)
        return Range(np.where(dead, 0.0, self.weights))

    def __or__(self, other: "Range") -> "Range":
        """Holdings in either range, each with the larger weight."""
        return Range(np.maximum(self.weights, other.weights))

    def __and__(self, other: "Range") -> "Range":
        """Holdings in both ranges, each with the smaller weight."""
        return Range(np.minimum(self.weights, other.weights))

    def __sub__(self, other: "Range") -> "Range":
        """Holdings of this range that are not in the other, at any weight."""
        return Range(np.where(other.weights > 0, 0.0, self.weights))


def _square(name: str, share: float) -> Html:
    return Html(f"<div style='padding:2px;background:rgb(208 122 48/{share:.2f})'>{name}</div>")
