"""Random numbers that depend on where they are needed and on nothing else.

Every number is a function of (key, match, table, hand, decision, how many before it), computed by Philox
4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). So a result is the same for any
batch size, any order of hands and any number of processes. A key is derived from a seed and from words that
say what for: `Streams.of(7, "cards")`, `streams.spawn("member", 3)`.
"""

from dataclasses import dataclass
from hashlib import blake2b
from operator import index

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.errors import NotationError
from holdmem.rules.state import record
from holdmem.table.philox import deal_decks, fill_uniforms

SPOT = record([("match", "u4"), ("table", "u4"), ("hand", "u4")])
"""Where in an experiment a hand is played; with the seed it names every random number of the hand."""

Spots = NDArray[np.record]


def spots(count: int, match: int = 0, table: int = 0, first_hand: int = 0) -> Spots:
    """The spots of `count` hands in a row at one table."""
    for number in (match, table, first_hand, first_hand + count - 1 if count else 0):
        if not 0 <= number < 2**32:
            raise NotationError(f"expected matches, tables and hands from 0 to 2**32 - 1, got {number}")
    found = np.zeros(count, dtype=SPOT)
    found["match"], found["table"] = match, table
    found["hand"] = np.arange(first_hand, first_hand + count)
    return found


@dataclass(frozen=True)
class Streams:
    """A source of random numbers for one purpose."""

    key: int

    @classmethod
    def of(cls, seed: int, *what_for: int | str) -> "Streams":
        """The source for a purpose under a seed (any whole number that is not negative)."""
        if _whole(seed) < 0:
            raise NotationError(f"expected a seed of 0 or more, got {seed}")
        return cls(_hash("seed", seed)).spawn(*what_for) if what_for else cls(_hash("seed", seed))

    def spawn(self, *what_for: int | str) -> "Streams":
        """Another source, for part of what this one is for."""
        return Streams(_hash(self.key, *what_for))

    def decks(self, spots: Spots, cards: int) -> NDArray[np.int8]:
        """The first `cards` cards of a shuffled deck for each spot, (n, cards)."""
        if not 0 <= cards <= 52:
            raise NotationError(f"expected a deck of 0 to 52 cards, got {cards}")
        out = np.empty((len(spots), cards), dtype=np.int8)
        deal_decks(np.uint64(self.key), spots, out)
        return out

    def uniforms(self, spots: Spots, decisions: ArrayLike, count: int = 1) -> NDArray[np.float64]:
        """`count` numbers from 0 to below 1 for each spot and decision, (n, count)."""
        numbers = np.asarray(decisions)
        if numbers.shape != (len(spots),) or numbers.dtype.kind not in "iu":
            raise NotationError(
                f"expected the numbers of {len(spots)} decisions, one a spot,"
                f" got {numbers.dtype} of shape {numbers.shape}"
            )
        out = np.empty((len(spots), count))
        # Columns of a wider array are copied: numba compiles once more for every other memory layout.
        fill_uniforms(np.uint64(self.key), np.ascontiguousarray(spots), np.ascontiguousarray(numbers), out)
        return out


def _hash(*parts: int | str) -> int:
    # A whole number is the same number whichever type it has, so that a seed may come from numpy.
    plain = tuple(part if isinstance(part, str) else _whole(part) for part in parts)
    return int.from_bytes(blake2b(repr(plain).encode(), digest_size=8).digest(), "little")


def _whole(number: int) -> int:
    try:
        return index(number)
    except TypeError:
        raise NotationError(f"expected a whole number (or words that say what for), got {number!r}") from None
