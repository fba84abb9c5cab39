"""The view a CFR walk has of a five-card board: the remaining holdings by strength, with their buckets."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import HOLDINGS
from holdmem.cards.evaluator import evaluate_board
from holdmem.cfr.card_abstraction import CardBuckets
from holdmem.core.random import Streams, hand_ids
from holdmem.core.types import Ints
from holdmem.engine.state import BOARD_CARDS

HANDS = 1081
"""Number of holdings that a five-card board leaves."""
RIVALS = 990
"""Number of holdings left to an opponent, given the board and the player's own holding."""


class RankedBoard(NamedTuple):
    """Holdings in ascending order of strength; positions before `ends[g]` are no stronger than group g."""

    first: Ints  # [position] lower card
    second: Ints  # [position] higher card
    ends: Ints  # [group of equal strength] one past its last position
    bucket: Ints  # [street, position] index of its bucket or bucket sequence


def rank_holdings(board: NDArray[np.uint8], buckets: CardBuckets) -> RankedBoard:
    """Sort the holdings that a board leaves by strength and find their buckets on every street."""
    holdings = HOLDINGS[~np.isin(HOLDINGS, board).any(axis=1)].astype(np.uint8)
    strengths = evaluate_board(board, holdings)
    order = np.argsort(strengths, kind="stable")
    holdings, strengths = np.ascontiguousarray(holdings[order]), strengths[order]
    ends = np.append(np.flatnonzero(np.diff(strengths)) + 1, len(strengths))
    boards = [np.tile(board[:size], (len(holdings), 1)) for size in BOARD_CARDS]
    numbers = [buckets.of(holdings, some) for some in boards]
    first, second = holdings.T.astype(np.int64)
    return RankedBoard(np.ascontiguousarray(first), np.ascontiguousarray(second), ends, np.stack(numbers))


def random_boards(seed: int, first: int, count: int) -> NDArray[np.uint8]:
    """Return boards `first` to `first + count - 1` of a random seed, one row of five cards each."""
    return Streams.of(seed, "boards").decks(hand_ids(count, first_hand=first), 5).view(np.uint8)
