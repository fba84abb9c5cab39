"""Build the evaluator's tables; `python -m holdmem.cards.evaluator_tables` rewrites them.

A hand without a flush is ranked by its number of cards of each rank. Each rank has a key, chosen so that no
two such multisets of seven cards (hence none of five or six) have equal sums: every key is the smallest
number that keeps the sums distinct. A sum is looked up by row displacement: a hash of it gives a row and a
column in the row, and the row's shift plus that column is the position of its strength in one dense array, in
which the rows overlap without collisions.
"""

from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.kernels.evaluator_tables import first_fit
from holdmem.core.atomic import atomic_file

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
HAND_SIZES = (5, 6, 7)
MIXER = 0x9E3779B1
ROWS, ROW_SHIFT = 1 << 12, 20
PLACE_MASK, PLACE_SHIFT = (1 << 15) - 1, 4
TABLES = Path(__file__).with_name("evaluator_tables.npz")
Ranking = tuple[int, ...]
"""A category from 0 (high card) to 8 (straight flush), then the ranks that break ties within it."""
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)


def straight_high(ranks: set[int]) -> int | None:
    """Return the high card of the best straight among these ranks, or None; the ace also counts low."""
    for high in range(12, 2, -1):
        if all((high - step) % 13 in ranks for step in range(5)):
            return high
    return None


def rank_without_flush(counts: tuple[int, ...]) -> Ranking:
    """Return the ranking of the best five cards, from the number of cards of each rank (no flush)."""
    by_count = sorted(((count, rank) for rank, count in enumerate(counts) if count), reverse=True)
    present = [rank for rank in range(12, -1, -1) if counts[rank]]
    (most, first), *rest = by_count
    if most == 4:
        return 7, first, max(rank for rank in present if rank != first)
    if most == 3 and rest and rest[0][0] >= 2:
        return 6, first, max(rank for count, rank in rest if count >= 2)
    high = straight_high(set(present))
    if high is not None:
        return 4, high
    if most == 3:
        return 3, first, *[rank for rank in present if rank != first][:2]
    if most == 2 and rest and rest[0][0] == 2:
        second = rest[0][1]
        return 2, first, second, max(rank for rank in present if rank not in (first, second))
    if most == 2:
        return 1, first, *[rank for rank in present if rank != first][:3]
    return 0, *present[:5]


def rank_flush(ranks: set[int]) -> Ranking:
    """Return the ranking of the best five of at least five cards of one suit."""
    high = straight_high(ranks)
    return (8, high) if high is not None else (5, *sorted(ranks, reverse=True)[:5])


def rank_counts(cards: int) -> list[tuple[int, ...]]:
    """Return every multiset of `cards` ranks with at most four of a rank, as 13 counts."""
    multisets = combinations_with_replacement(range(13), cards)
    counts = {tuple(np.bincount(chosen, minlength=13).tolist()) for chosen in multisets}
    return sorted(count for count in counts if max(count) <= 4)


def flush_masks() -> list[int]:
    """Return all sets of five to seven ranks of one suit, as bit masks."""
    return [mask for mask in range(1 << 13) if 5 <= mask.bit_count() <= 7]


def strengths() -> dict[Ranking, int]:
    """Map each of the 7,462 five-card rankings to its strength, 1 (seven-high) to 7462 (royal flush)."""
    rankings = {rank_without_flush(counts) for counts in rank_counts(5)}
    rankings |= {rank_flush(_ranks(mask)) for mask in flush_masks() if mask.bit_count() == 5}
    return {ranking: place for place, ranking in enumerate(sorted(rankings), start=1)}


def _ranks(mask: int) -> set[int]:
    return {rank for rank in range(13) if mask >> rank & 1}


def row_and_place(sums: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row and the place within the row of each sum, both from one multiplicative hash."""
    mixed = (sums * MIXER) & 0xFFFFFFFF
    return mixed >> ROW_SHIFT, (mixed >> PLACE_SHIFT) & PLACE_MASK


def displace(rows: dict[tuple[int, int], NDArray[np.int64]]) -> dict[tuple[int, int], int]:
    """Choose a shift for each row so that no two sums collide.

    First fit, with the largest number of cards first and within it the fullest rows first.
    """
    taken = np.zeros(1 << 18, dtype=np.uint8)
    shifts = {}
    for key, row in sorted(rows.items(), key=lambda item: (-item[0][0], -len(item[1]))):
        shifts[key] = first_fit(taken, row)
        taken[row + shifts[key]] = 1
    return shifts


def unsuited_tables(strength: dict[Ranking, int]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return the shifts, by number of cards and row, and the non-flush strengths at shift + place."""
    rows, values = {}, {}
    for cards in HAND_SIZES:
        counts = rank_counts(cards)
        value = np.array([strength[rank_without_flush(count)] for count in counts])
        row, place = row_and_place(np.array(counts) @ np.array(RANK_KEYS))
        for number in np.unique(row).tolist():
            rows[cards, number] = place[row == number]
            values[cards, number] = value[row == number]
    found = displace(rows)
    shifts = np.zeros((len(HAND_SIZES), ROWS), dtype=np.uint32)
    unsuited = np.zeros(max(found[key] + rows[key].max() for key in rows) + 1, dtype=np.uint16)
    for (cards, number), shift in found.items():
        shifts[cards - HAND_SIZES[0], number] = shift
        unsuited[rows[cards, number] + shift] = values[cards, number]
    return shifts, unsuited


def build() -> dict[str, NDArray[np.generic]]:
    """Build all tables.

    `shifts` and `unsuited` are those of `unsuited_tables`; `flushes` is indexed by the mask of ranks;
    `first_of_category` holds the lowest strength of each category.
    """
    strength = strengths()
    shifts, unsuited = unsuited_tables(strength)
    flushes = np.zeros(1 << 13, dtype=np.uint16)
    for mask in flush_masks():
        flushes[mask] = strength[rank_flush(_ranks(mask))]
    first = [min(place for ranking, place in strength.items() if ranking[0] == c) for c in range(9)]
    return {
        "shifts": shifts,
        "unsuited": unsuited,
        "flushes": flushes,
        "first_of_category": np.array(first, dtype=np.uint16),
    }


if __name__ == "__main__":
    with atomic_file(TABLES) as beside, beside.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **build())
    print(f"wrote {TABLES}")
