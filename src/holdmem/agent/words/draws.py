"""Draws: what the next card would complete, in poker words."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from holdmem.cards.notation import rank, suit

STRAIGHT = FLUSH = 5
BOARD_ON_RIVER = 5


def completing_ranks(ranks: set[int], board: set[int]) -> list[int]:
    """Return the ranks that would complete a straight which the board alone would not have with that rank."""
    return [
        place for place in range(13) if place not in ranks and _best(ranks | {place}) > _best(board | {place})
    ]


def _best(ranks: set[int]) -> int:
    """Return the top rank of the best straight, -1 for none."""
    return _best_straight(frozenset(ranks))


@lru_cache(maxsize=2**13)
def _best_straight(ranks: frozenset[int]) -> int:
    line = ranks | ({-1} if 12 in ranks else set())
    tops = [top for top in range(3, 13) if all(top - i in line for i in range(STRAIGHT))]
    return max(tops, default=-1)


def draws_of(hole: Sequence[int], board: Sequence[int]) -> list[str]:
    """Return the names of a hand's flush and straight draws, none if no card is to come."""
    everything = [*hole, *board]
    suits = Counter(map(suit, everything))
    pairs = Counter(map(rank, everything)).most_common(2)
    finished = max(suits.values()) >= FLUSH or pairs[0][1] == 4 or (pairs[0][1] == 3 and pairs[1][1] >= 2)
    if finished or len(board) == BOARD_ON_RIVER:
        return []
    return [*_flush_draw(hole, board), *_straight_draw(hole, board)]


def _flush_draw(hole: Sequence[int], board: Sequence[int]) -> list[str]:
    for held in range(4):
        mine = [rank(card) for card in hole if suit(card) == held]
        shared = [rank(card) for card in board if suit(card) == held]
        if mine and len(mine) + len(shared) == FLUSH - 1:
            better = [place for place in range(max(mine) + 1, 13) if place not in (*mine, *shared)]
            return ["a flush draw" if better else "the nut flush draw"]
    return []


def _straight_draw(hole: Sequence[int], board: Sequence[int]) -> list[str]:
    ranks, shared = {rank(card) for card in [*hole, *board]}, {rank(card) for card in board}
    if _best(ranks) >= 0:
        return []
    outs = completing_ranks(ranks, shared)
    if len(outs) < 2:
        return ["a gutshot"] * len(outs)
    return ["an open-ended straight draw" if _in_a_row(ranks) else "a double gutshot"]


def _in_a_row(ranks: set[int]) -> bool:
    """Whether four ranks in a row can be extended at both ends."""
    line = ranks | ({-1} if 12 in ranks else set())
    return any(all(low + i in line for i in range(4)) for low in range(9) if low + 3 < 12)
