"""Hands as the strength functions read them: hole cards and the board so far, one row per hand."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.evaluator import checked
from holdmem.cards.notation import BOARD_LENGTHS, distinct
from holdmem.cards.notation import board as read_board
from holdmem.cards.notation import hole as read_hole
from holdmem.core.errors import NotationError
from holdmem.core.types import Floats

Cards = NDArray[np.uint8]

FULL_BOARD = 5
NOT_YET = -1


class CardColumns(Protocol):
    """Input of all strength functions: `HandCards`, or a seat's `Views`, which have the same two columns."""

    @property
    def hole(self) -> Any:
        """(n, 2): hole cards."""

    @property
    def board(self) -> Any:
        """(n, 5): board, -1 for cards not yet dealt."""


class CardRows(NamedTuple):
    """Cards that have been checked before: some rows of `HandCards` or `Views`."""

    hole: NDArray[np.int8]
    board: NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class HandCards:
    """Plain cards: `hole` (n, 2) and `board` (n, 0, 3, 4 or 5), no card twice in a row.

    >>> HandCards.read("AhKd", "Kc7s2d").board.tolist()
    [[44, 23, 1, -1, -1]]
    """

    hole: NDArray[np.int8]
    board: NDArray[np.int8]

    def __init__(self, hole: ArrayLike, board: ArrayLike | None = None) -> None:
        holes = np.asarray(hole)
        boards = _board_rows(np.empty((holes.shape[:1] or (0,)) + (0,)) if board is None else board)
        if holes.ndim != 2 or holes.shape[1] != 2 or len(holes) != len(boards):
            raise NotationError(
                f"expected two hole cards per board, got shapes {holes.shape} and {boards.shape}"
            )
        hands = checked(np.hstack([holes, boards]), "hole cards and boards", (2, 5, 6, 7)).view(np.int8)
        padded = np.full((len(hands), FULL_BOARD), NOT_YET, np.int8)
        padded[:, : hands.shape[1] - 2] = hands[:, 2:]
        object.__setattr__(self, "hole", hands[:, :2])
        object.__setattr__(self, "board", padded)

    @classmethod
    def read(cls, hole: str, board: str = "") -> "HandCards":
        """Parse one hand from text."""
        cards = [*read_hole(hole), *read_board(board)]
        distinct(cards)
        return cls([cards[:2]], [cards[2:]] if cards[2:] else None)

    def __len__(self) -> int:
        return len(self.hole)


def _board_rows(board: ArrayLike) -> NDArray[Any]:
    """Return the boards as a 2-D array, checked for a legal number of cards."""
    boards = np.asarray(board)
    if boards.ndim != 2 or boards.shape[1] not in BOARD_LENGTHS:
        raise NotationError(f"expected boards of 0, 3, 4 or 5 cards as rows, got shape {boards.shape}")
    return boards if boards.size else boards.astype(np.int8)


def by_street(hands: CardColumns, width: int, compute: Callable[[Cards, Cards], Floats]) -> Floats:
    """Apply `compute(holes, boards)` to the hands of each street; return (n, width) in the input order."""
    holes, boards = np.asarray(hands.hole), np.asarray(hands.board)
    sizes = np.count_nonzero(boards != NOT_YET, axis=1)
    out = np.empty((len(holes), width))
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        rows = np.flatnonzero(sizes == size)
        out[rows] = compute(kernel_layout(holes.take(rows, 0)), kernel_layout(boards.take(rows, 0)[:, :size]))
    return out


def kernel_layout(cards: NDArray[Any]) -> Cards:
    """Return the cards in the dtype and layout that the kernels are compiled for."""
    return np.require(cards, np.uint8, ["C", "W"])


def opponents_of(hands: CardColumns, opponents: ArrayLike) -> NDArray[np.int64]:
    """Return the number of opponents per hand, from one number for all or an array."""
    counts = np.asarray(opponents)
    if counts.dtype.kind not in "iu" or counts.ndim > 1 or (counts < 1).any():
        raise NotationError(f"expected opponents as whole numbers of 1 or more, got {opponents!r:.60}")
    if counts.ndim and len(counts) != len(hands.hole):
        raise NotationError(f"expected opponents for {len(hands.hole)} hands, got {len(counts)}")
    return np.broadcast_to(counts.astype(np.int64), len(hands.hole))


def require_board(hands: CardColumns, what: str, sizes: Iterable[int]) -> None:
    """Raise NotationError unless every board has one of these sizes."""
    found = np.count_nonzero(np.asarray(hands.board) != NOT_YET, axis=1)
    wrong = found[~np.isin(found, list(sizes))]
    if len(wrong):
        raise NotationError(f"expected {what}, got one of {wrong[0]} cards")
