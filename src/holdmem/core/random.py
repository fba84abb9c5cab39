"""Counter-based random numbers that do not depend on batch size, order or number of processes.

Every number is a function of (key, match, table, hand, decision, index within the decision), computed by
Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). Results are therefore
identical for any batch size, any order of hands and any number of processes. A key is derived from a seed and
from words that state the purpose: `Streams.of(7, "cards")`, `streams.spawn("member", 3)`.

Keys have 64 bits, which is enough to repeat an experiment but too few to keep one secret. A seed from
`secret_seed()`, 128 bits from the operating system, leads to keys of 192 bits: 64 for Philox and 128 that
whiten its counter and its result. Philox was not designed as a cipher; no way to predict it from part of its
output is known.
"""

import secrets
from hashlib import blake2b
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.core.errors import NotationError
from holdmem.core.hidden import hide
from holdmem.core.kernels.philox import deal_decks, fill_uniforms
from holdmem.core.records import record

SECRET_BITS = 128
LEAST_SECRET = 1 << SECRET_BITS
"""Seeds from here on are secret and have 192-bit keys; smaller seeds keep their 64-bit keys and numbers."""

_HALF, _NARROW, _WIDE = (1 << 64) - 1, 8, 24
"""Mask of the low 64 bits, and the sizes in bytes of ordinary and of secret keys."""

Key = NDArray[np.uint64]

HAND_ID = record([("match", "u4"), ("table", "u4"), ("hand", "u4")])
"""Identifies a hand within an experiment; with the seed it determines every random number of the hand."""

HandIds = NDArray[np.record]


def hand_ids(count: int, match: int = 0, table: int = 0, first_hand: int = 0) -> HandIds:
    """Return the ids of consecutive hands at one table, which determine their cards and random numbers.

    Parameters
    ----------
    count : number of hands.
    match, table : numbers of the match and of the table.
    first_hand : number of the first hand.

    Returns
    -------
    ids : records with the fields match, table and hand.

    Raises
    ------
    NotationError : a number is negative or has more than 32 bits.

    Examples
    --------
    >>> hand_ids(3, first_hand=10)["hand"].tolist()
    [10, 11, 12]
    """
    for number in (match, table, first_hand, first_hand + count - 1 if count else 0):
        if not 0 <= number < 2**32:
            raise NotationError(f"expected matches, tables and hands from 0 to 2**32 - 1, got {number}")
    found = np.zeros(count, dtype=HAND_ID)
    found["match"], found["table"] = match, table
    found["hand"] = np.arange(first_hand, first_hand + count)
    return found


def secret_seed() -> int:
    """Draw an unpredictable seed. Passing it to `Streams.of` reproduces every number."""
    return LEAST_SECRET + secrets.randbits(SECRET_BITS)


class Streams:
    """Source of random numbers for one purpose. It exposes neither its seed nor its key.

    Examples
    --------
    >>> from holdmem import Streams
    >>> from holdmem.agent import hand_ids
    >>> Streams.of(1, "cards").decks(hand_ids(2), 9).shape
    (2, 9)
    """

    __slots__ = ("__weakref__", "_digest", "_key", "_words")

    def __init__(self, key: int) -> None:
        _KEY.__set__(self, key)
        _WORDS.__set__(self, np.array([key >> shift & _HALF for shift in (0, 64, 128)], dtype=np.uint64))
        # Equal streams must have equal hashes, but hashing the key itself would reveal it.
        _DIGEST.__set__(self, _hash(_NARROW, "digest", key))

    @classmethod
    def of(cls, seed: int, *what_for: int | str) -> "Streams":
        """Return the source for a purpose under a seed (any non-negative integer)."""
        if _whole(seed) < 0:
            raise NotationError(f"expected a seed of 0 or more, got {seed}")
        root = cls(_hash(_WIDE if seed >= LEAST_SECRET else _NARROW, "seed", seed))
        return root.spawn(*what_for) if what_for else root

    @classmethod
    def secret(cls, *what_for: int | str) -> "Streams":
        """Return a source that can be neither predicted nor reproduced."""
        return cls.of(secret_seed(), *what_for)

    def spawn(self, *what_for: int | str) -> "Streams":
        """Derive a source for part of this one's purpose, with a key of the same width."""
        key = _KEY.__get__(self)
        return Streams(_hash(_WIDE if key > _HALF else _NARROW, key, *what_for))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Streams) and _KEY.__get__(self) == _KEY.__get__(other)

    def __hash__(self) -> int:
        return _DIGEST.__get__(self)  # type: ignore[no-any-return]

    def __reduce__(self) -> Any:
        return Streams, (_KEY.__get__(self),)

    def decks(self, hand_ids: HandIds, cards: int) -> NDArray[np.int8]:
        """Return the first `cards` cards of a shuffled deck for each hand, shape (n, cards)."""
        if not 0 <= cards <= 52:
            raise NotationError(f"expected a deck of 0 to 52 cards, got {cards}")
        out = np.empty((len(hand_ids), cards), dtype=np.int8)
        deal_decks(kernel_key(self), hand_ids, out)
        return out

    def uniforms(self, hand_ids: HandIds, decisions: ArrayLike, count: int = 1) -> NDArray[np.float64]:
        """Return `count` uniform numbers in [0, 1) for each hand and decision, shape (n, count)."""
        numbers = np.asarray(decisions)
        if numbers.shape != (len(hand_ids),) or numbers.dtype.kind not in "iu":
            raise NotationError(
                f"expected {len(hand_ids)} decision numbers, one per hand,"
                f" got {numbers.dtype} of shape {numbers.shape}"
            )
        out = np.empty((len(hand_ids), count))
        # Copy columns of a wider array: numba compiles separately for every memory layout.
        fill_uniforms(kernel_key(self), np.ascontiguousarray(hand_ids), np.ascontiguousarray(numbers), out)
        return out


_KEY, _WORDS, _DIGEST = hide(Streams, "_key", "_words", "_digest")


def kernel_key(rng: Streams) -> Key:
    """Return the key as kernels take it: Philox's own 64 bits, then the low and high 64 bits of whitening."""
    return _WORDS.__get__(rng)  # type: ignore[no-any-return]


def philox_key(rng: Streams) -> np.uint64:
    """Return the part of the key that Philox uses, for kernels with their own counters."""
    return kernel_key(rng)[0]  # type: ignore[no-any-return]


def _hash(size: int, *parts: int | str) -> int:
    # Convert integers of any type to int, so that a seed may come from numpy.
    plain = tuple(part if isinstance(part, str) else _whole(part) for part in parts)
    return int.from_bytes(blake2b(repr(plain).encode(), digest_size=size).digest(), "little")


def _whole(number: int) -> int:
    try:
        return index(number)
    except TypeError:
        raise NotationError(f"expected a whole number (or a purpose in words), got {number!r}") from None
