"""Pack the cards of hands into few integers, near their entropy, and unpack them.

A holding is one number, and so are a flop, a turn and a river: unordered cards are numbered as combinations
(two of 52 cards in 1,326 ways, three in 22,100). These numbers are the digits of a mixed-radix code, in which
the last board cards come last, so that hands that end early have zeros there. The code is cut into columns of
32 bits, which a Parquet file stores as they are, and of at most eight bits, which it packs. Nine cards of a
heads-up hand take 47 bits.
"""

from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.core.types import Ints

DECK = 52
PAIRS = np.array(list(combinations(range(DECK), 2)), dtype=np.int8)
FLOPS = np.array(list(combinations(range(DECK), 3)), dtype=np.int8)
HALVES = len(PAIRS) + 1
"""Code of a holding of which only card 0 is known; the code of no card at all is one less."""

HOLDING, FLOP, CARD = HALVES + DECK, len(FLOPS) + 1, DECK + 1
"""Number of codes: holdings known in full, in part or not at all, flops or none, cards or none."""
WORD = 64


def radices(seats: int) -> list[list[int]]:
    """Return the numbers of codes of each digit, grouped into words of at most 64 bits."""
    words, room = [list[int]()], 2**WORD
    for radix in (*[HOLDING] * seats, FLOP, CARD, CARD):
        if room < radix:
            words.append([])
            room = 2**WORD
        words[-1].append(radix)
        room //= radix
    return words


def widths(word: list[int]) -> list[int]:
    """Return the bits of the columns that hold one word: 32, then equal shares of at most eight."""
    bits = (prod(word) - 1).bit_length()
    whole = [32] * (bits // 32)
    rest = bits % 32
    if rest > 24:
        return [*whole, 32]
    shares = -(-rest // 8)
    return [*whole, *(rest // shares + (share < rest % shares) for share in range(shares))]


def pack_cards(hole: NDArray[np.int8], board: NDArray[np.int8]) -> list[Ints]:
    """Pack the cards of hands with equally many seats; `hole` is (hands, seats, 2), `board` (hands, 5).

    A board of fewer than three cards is stored as none: no betting follows on it.
    """
    digits: list[NDArray[Any]] = [_holding_codes(hole[:, seat]) for seat in range(hole.shape[1])]
    digits += [_flop_codes(board[:, :3]), board[:, 3] + 1, board[:, 4] + 1]
    columns, place = list[Ints](), 0
    for word in radices(hole.shape[1]):
        code = np.zeros(len(hole), dtype=np.uint64)
        for radix, digit in zip(word[::-1], digits[place : place + len(word)][::-1], strict=True):
            code = code * np.uint64(radix) + digit.astype(np.uint64)
        place += len(word)
        for width in widths(word):
            columns.append((code & np.uint64(2**width - 1)).astype(np.int64))
            code >>= np.uint64(width)
    return columns


def unpack_cards(columns: list[Ints], seats: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return `hole` and `board` of packed hands; ValueError if a column holds anything else."""
    digits, place = list[Ints](), 0
    for word in radices(seats):
        code, shift = np.zeros(len(columns[0]), dtype=np.uint64), 0
        for width in widths(word):
            column = columns[place]
            if len(column) and (column.min() < 0 or column.max() >= 2**width):
                raise ValueError(f"expected cards packed in {width} bits in column {place}")
            code |= column.astype(np.uint64) << np.uint64(shift)
            place, shift = place + 1, shift + width
        for radix in word:
            digits.append((code % np.uint64(radix)).astype(np.int64))
            code //= np.uint64(radix)
        if code.any():
            raise ValueError("expected packed cards, got a number too large")
    hole = np.stack([_holdings(codes) for codes in digits[:seats]], axis=1)
    board = np.column_stack([_flops(digits[-3]), digits[-2] - 1, digits[-1] - 1]).astype(np.int8)
    return hole, board


def _holding_codes(hole: NDArray[np.int8]) -> Ints:
    low, high = np.sort(hole, axis=1).astype(np.int64).T
    both = low * (2 * DECK - 1 - low) // 2 + high - low - 1
    return np.where(low >= 0, both, np.where(high >= 0, HALVES + high, HALVES - 1))


def _holdings(codes: Ints) -> NDArray[np.int8]:
    table = np.full((HOLDING, 2), -1, dtype=np.int8)
    table[: len(PAIRS)] = PAIRS
    table[HALVES:, 0] = np.arange(DECK)
    return table[codes]


def _flop_codes(flop: NDArray[np.int8]) -> Ints:
    table = np.zeros((DECK, DECK, DECK), dtype=np.int64)
    table[tuple(FLOPS.T)] = 1 + np.arange(len(FLOPS))
    low, middle, high = np.sort(flop, axis=1).astype(np.int64).T
    return np.where(low >= 0, table[low, middle, high], 0)


def _flops(codes: Ints) -> NDArray[np.int8]:
    return np.vstack([np.full((1, 3), -1, dtype=np.int8), FLOPS])[codes]
