"""Suit isomorphism: a perfect index of the classes of hands that differ only by a permutation of the suits.

    >>> flops = Isomorphism(rounds=(2, 3))
    >>> flops.size
    1286792

The algorithm follows K. Waugh, "A fast and optimal hand isomorphism algorithm" (2013); the implementation is
independent. Terms used here:

    holding     the cards of one suit, round by round
    shape       the number of cards of a holding in each round; its code is a mixed-radix number
    pattern     the shapes of the four suits, largest first: invariant under permutations of the suits

A holding has a number among the holdings of its shape: for each round the colexicographic rank of its cards
among the ranks that earlier rounds left free, in mixed radix. Suits of equal shape are interchangeable, so p
of them form a multiset of p numbers: i_1 >= ... >= i_p have the rank C(i_1 + p - 1, p) + ... + C(i_p, 1). A
class is then a pattern and one such rank for each run of equal shapes, again in mixed radix:

    index = offset[pattern] + sum over the four suits of weight * C(i + left - 1, left)

where `left` is p, ..., 1 along a run, and `weight` the number of choices in the runs that follow.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby, product
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.kernels.isomorphism import RANK_BITS, index_hands, unindex_hands
from holdmem.cards.notation import distinct
from holdmem.core.errors import NotationError

RoundSizes = tuple[int, ...]
Pattern = tuple[RoundSizes, ...]

MOST_CARDS = 9  # two hands and a full board; fewer than the 13 ranks, so one suit can hold them all


@dataclass(frozen=True)
class Isomorphism:
    """Isomorphism classes of hands dealt in `rounds`, numbered from 0 to `size` - 1.

    The order of cards within a round does not matter, the order of rounds does: (2, 4) means hole cards and
    four board cards, (2, 3, 1) hole cards, a flop and a turn. In arrays of hands the columns of the rounds
    follow one another.
    """

    rounds: tuple[int, ...] = (2, 3)

    def __post_init__(self) -> None:
        counts = isinstance(self.rounds, tuple) and all(type(n) is int and n > 0 for n in self.rounds)
        if not counts or not 1 <= sum(self.rounds) <= MOST_CARDS:
            raise NotationError(
                f"expected rounds such as (2, 3), with at most {MOST_CARDS} cards, got {self.rounds!r}"
            )

    @property
    def size(self) -> int:
        """Number of classes."""
        return int(_tables(self.rounds).offset[-1])

    @property
    def tables(self) -> "IsomorphismTables":
        """Lookup tables, for kernels that call `index_hands` themselves."""
        return _tables(self.rounds)

    def index(self, cards: ArrayLike) -> NDArray[np.int64]:
        """Return the class of each hand.

        `cards` has one row of `sum(rounds)` distinct cards per hand.
        """
        hands = _hands(cards, sum(self.rounds))
        found = np.empty(len(hands), np.int64)
        wrong = index_hands(hands, _tables(self.rounds), found)
        if wrong >= 0:
            distinct(hands[wrong].tolist())
        return found

    def cards(self, index: ArrayLike) -> NDArray[np.int8]:
        """Return the canonical hand of each class, shape (n, sum(rounds)).

        Spades have the largest shape; each round is sorted by suit, then from high to low.
        """
        classes = _integers(index, "class indices", np.int64)
        if classes.ndim != 1:
            raise NotationError(f"expected class indices in one row, got shape {classes.shape}")
        outside = (classes < 0) | (classes >= self.size)
        if outside.any():
            raise NotationError(f"expected classes from 0 to {self.size - 1}, got {classes[outside][0]}")
        hands = np.empty((len(classes), sum(self.rounds)), np.int8)
        unindex_hands(classes, _tables(self.rounds), hands)
        return hands

    def canonical(self, cards: ArrayLike) -> NDArray[np.int8]:
        """Return the canonical hand of the class of each hand."""
        return self.cards(self.index(cards))


def _hands(cards: ArrayLike, width: int) -> NDArray[np.int8]:
    """Return rows of cards in the kernel's layout; the kernel itself checks for invalid or repeated cards."""
    hands = _integers(cards, "cards from 0 to 51", np.int8)
    if hands.ndim != 2 or hands.shape[1] != width:
        raise NotationError(f"expected hands as rows of {width} cards, got shape {hands.shape}")
    return hands


def _integers(values: ArrayLike, what: str, dtype: Any) -> NDArray[Any]:
    """Return the integers as a contiguous array of `dtype`, or raise if it cannot hold them all."""
    try:
        found = np.asarray(values)
    except ValueError as ragged:
        raise NotationError(f"expected {what} in rows of equal length, got {values!r:.60}") from ragged
    if found.size and found.dtype.kind not in "iu":
        raise NotationError(f"expected {what} as integers, got {found.dtype}")
    limits = np.iinfo(dtype)
    if found.dtype != dtype and found.size and not limits.min <= found.min() <= found.max() <= limits.max:
        raise NotationError(f"expected {what}, got {found.min()} to {found.max()}")
    return np.require(found, dtype, ["C", "W"])  # one layout, so that numba compiles one kernel


class IsomorphismTables(NamedTuple):
    """Lookup tables of the kernels for one choice of rounds: some tens of kilobytes."""

    first: NDArray[np.int64]  # [round] its first column; last entry: the total number of columns
    stride: NDArray[np.int64]  # [round] amount that one card adds to the code of a shape
    ranks_in: NDArray[np.int8]  # [set of ranks] its size
    colex: NDArray[np.int16]  # [set of ranks] its colexicographic rank among sets of equal size
    ranks_at: NDArray[np.int16]  # [size, colex] the set of ranks
    choose: NDArray[np.int64]  # [n, k] binomial coefficients
    holdings: NDArray[np.int64]  # [code] number of holdings of this shape
    follow: NDArray[np.int32]  # [node, code] the next node; after three steps, the pattern
    offset: NDArray[np.int64]  # [pattern] its first class; last entry: the number of classes
    shapes: NDArray[np.int64]  # [pattern, suit, round] number of cards
    ends: NDArray[np.int64]  # [pattern, suit, round] the column after these cards in a canonical hand
    left: NDArray[np.int64]  # [pattern, suit] number of suits of equal shape from this one on
    weight: NDArray[np.int64]  # [pattern, suit] choices in the runs of equal shapes that follow


@cache
def _tables(rounds: RoundSizes) -> IsomorphismTables:
    """Build the tables for these rounds of cards, once per process."""
    shapes = list(product(*(range(n + 1) for n in rounds)))  # in the order of their codes
    patterns = list(_patterns(rounds, suits=4, largest=rounds))
    left, weight, classes = (np.array(each) for each in zip(*map(_choices, patterns), strict=True))
    ranks_in, colex, ranks_at = _rank_sets()
    first = np.cumsum((0, *rounds))
    return IsomorphismTables(
        first=first,
        stride=np.array([prod(n + 1 for n in rounds[after:]) for after in range(1, len(rounds) + 1)]),
        ranks_in=ranks_in,
        colex=colex,
        ranks_at=ranks_at,
        choose=np.array([[comb(n, k) for k in range(14)] for n in range(14)]),
        holdings=np.array([_holdings(shape) for shape in shapes]),
        follow=_follow(patterns, shapes),
        offset=np.concatenate(([0], classes.cumsum())),
        shapes=np.array(patterns),
        ends=first[:-1] + np.array(patterns).cumsum(axis=1),
        left=left,
        weight=weight,
    )


@cache
def _rank_sets() -> tuple[NDArray[np.int8], NDArray[np.int16], NDArray[np.int16]]:
    """Return each rank set's size, its colexicographic rank, the sum of C(rank_i, i), and the inverse."""
    sets = np.arange(RANK_BITS + 1)
    ranks_in, colex = np.zeros_like(sets), np.zeros_like(sets)
    for rank in range(13):
        has = sets >> rank & 1
        ranks_in += has
        colex += has * np.array([comb(rank, i) for i in range(14)])[ranks_in]
    ranks_at = np.zeros((14, comb(13, 6)), np.int16)
    ranks_at[ranks_in, colex] = sets
    return ranks_in.astype(np.int8), colex.astype(np.int16), ranks_at


def _holdings(shape: RoundSizes) -> int:
    """Return the number of holdings of a shape: the product of C(free ranks, cards) over the rounds."""
    return prod(comb(13 - sum(shape[:i]), cards) for i, cards in enumerate(shape))


def _patterns(cards: RoundSizes, suits: int, largest: RoundSizes) -> Iterator[Pattern]:
    """Yield all ways to split the `cards` of each round into `suits` non-increasing shapes <= `largest`."""
    if suits == 1:
        if cards <= largest:
            yield (cards,)
        return
    for shape in product(*(range(n + 1) for n in cards)):
        if shape <= largest:
            rest = tuple(n - m for n, m in zip(cards, shape, strict=True))
            for others in _patterns(rest, suits - 1, shape):
                yield (shape, *others)


def _choices(pattern: Pattern) -> tuple[list[int], list[int], int]:
    """Return `left` and `weight` of the four suits, and the number of classes of the pattern."""
    left: list[int] = []
    weight: list[int] = []
    classes = 1
    for shape, run in groupby(reversed(pattern)):
        suits = len(list(run))
        kinds = _holdings(shape)
        # Suits without cards have number 0 and add nothing; setting `left` to 1 spares the kernel branches.
        left = [*range(suits, 0, -1), *left] if kinds > 1 else [1] * suits + left
        weight = [classes] * suits + weight
        classes *= comb(kinds + suits - 1, suits)
    return left, weight, classes


def _follow(patterns: list[Pattern], shapes: list[RoundSizes]) -> NDArray[np.int32]:
    """Return the transitions of a prefix tree of the patterns, indexed by node and shape.

    Node 0 is the root. Three steps lead to the number of a pattern.
    """
    beginnings = sorted({pattern[:depth] for pattern in patterns for depth in range(3)}, key=len)
    node = {beginning: number for number, beginning in enumerate(beginnings)}
    node |= {pattern[:3]: number for number, pattern in enumerate(patterns)}
    code = {shape: number for number, shape in enumerate(shapes)}
    follow = np.zeros((len(beginnings), len(shapes)), np.int32)
    for pattern in patterns:
        for depth in range(3):
            follow[node[pattern[:depth]], code[pattern[depth]]] = node[pattern[: depth + 1]]
    return follow
