"""Hand types and board textures: the categories in which SARTRE sees cards after the flop.

Rubin and Watson (2010) name some and point to a page for the rest; this list is ours (docs/sartre.md gives it
with exact frequencies). A hand type is the made hand, distinguished by how the hole cards contribute, plus a
draw on the flop and turn. A texture says whether the board makes a flush or a straight possible with two hole
cards ("possible") or with one ("highly possible"), and whether it is paired. Both are invariant under
exchange of suits.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cbr.features.kernels import hand_types as kernels
from holdmem.cbr.features.kernels.hand_types import DRAWS
from holdmem.core.errors import NotationError
from holdmem.core.types import Ints

MADE = (
    "high-card", "one-overcard", "two-overcards", "board-pair", "board-pair-and-overcard",
    "low-pair", "middle-pair", "top-pair", "over-pair",
    "board-two-pair", "low-pair-and-board-pair", "high-pair-and-board-pair", "two-pair",
    "board-trips", "trips", "set",
    "board-straight", "one-card-straight", "two-card-straight",
    "board-flush", "one-card-flush", "two-card-flush",
    "board-full-house", "full-house", "board-quads", "quads", "straight-flush",
)  # fmt: skip
DRAW_NAMES = ("", "gutshot", "straight-draw", "flush-draw", "flush-and-straight-draw")

_WITH_ANY_DRAW, _WITH_FLUSH_DRAW = MADE[: MADE.index("board-straight")], MADE[: MADE.index("board-flush")]


def hand_type_name(number: float) -> str:
    """Return the name of a hand type: "top-pair-with-flush-draw"."""
    made, draw = divmod(int(number), DRAWS)
    return MADE[made] + (f"-with-{DRAW_NAMES[draw]}" if draw else "")


def _has(made: str, draw: int) -> bool:
    """Whether some hand has both: a made straight can draw only to a flush, a flush or better to nothing."""
    flush_only = made in _WITH_FLUSH_DRAW and draw == DRAW_NAMES.index("flush-draw")
    return draw == 0 or made in _WITH_ANY_DRAW or flush_only


HAND_TYPES = tuple(
    made * DRAWS + draw for made, name in enumerate(MADE) for draw in range(DRAWS) if _has(name, draw)
)
"""Numbers of all hand types; those with a draw do not occur on the river."""

_LEVELS = ("", "possible", "highly-possible")


def texture_name(number: float) -> str:
    """Return the name of a board texture: "flush-possible-straight-highly-possible-paired"."""
    flush, rest = divmod(int(number), 6)
    straight, paired = divmod(rest, 2)
    parts = [f"flush-{_LEVELS[flush]}"] * (flush > 0) + [f"straight-{_LEVELS[straight]}"] * (straight > 0)
    return "-".join(parts + ["paired"] * paired) or "no-salient"


TEXTURES = tuple(range(18))


def hand_types(holes: ArrayLike, boards: ArrayLike) -> Ints:
    """Return the hand types of hole cards (n, 2) on boards (n, 5) of three to five cards, padded with -1."""
    hole, (board, counts) = np.require(holes, np.int8, ["C", "W"]), _boards(boards)
    if hole.shape != (len(board), 2):
        raise NotationError(
            f"expected two hole cards for each of {len(board)} boards, got shape {hole.shape}"
        )
    out = np.empty(len(board), np.int64)
    kernels.hand_types(hole, board, counts, out)
    return out


def textures(boards: ArrayLike) -> Ints:
    """Return the textures of boards (n, 5) of three to five cards, padded with -1."""
    board, counts = _boards(boards)
    out = np.empty(len(board), np.int64)
    kernels.textures(board, counts, out)
    return out


def _boards(boards: ArrayLike) -> tuple[NDArray[np.int8], Ints]:
    board = np.require(boards, np.int8, ["C", "W"])
    counts = (board >= 0).sum(axis=1) if board.ndim == 2 else np.zeros(1, np.int64)
    if board.ndim != 2 or board.shape[1] != 5 or (counts < 3).any():
        raise NotationError(f"expected boards of three to five cards as (n, 5), got shape {board.shape}")
    return board, counts
