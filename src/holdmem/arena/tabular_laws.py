"""Laws of tabular strategies, for `check_agent`: the tables state the policy, and suits are exchangeable."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import PolicySeat, TabularSeat, TabularStrategy, Views
from holdmem.agent.tabular import columns_of, decisions
from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.cbr.features.betting import codes_of, letters_of
from holdmem.cfr.betting_tree import betting_tree
from holdmem.core.errors import AgentError
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS

VIEWS = 24
"""Views compared on each street."""
CLOSE = 1e-9


def is_tabular(seat: object, game: Game) -> bool:
    """Return whether a seat in this game states its strategy in tables."""
    return game.seats == 2 and game.limit and isinstance(seat, TabularSeat) and isinstance(seat, PolicySeat)


def check_tables(seat: TabularSeat, game: Game, asked: Iterable[Views], seed: int) -> str:
    """Return what is wrong with a seat's tables; nothing if it says that it is not tabular."""
    tree = betting_tree(game)
    try:
        strategy = seat.tabulate(tree)
    except AgentError:
        return ""
    betting = [decisions(tree, street).betting for street in range(len(BOARD_CARDS))]
    counts = [0] * len(BOARD_CARDS)
    for views in asked:
        for place in range(len(views)):
            street = int(views.street[place])
            counts[street] += 1
            if counts[street] <= VIEWS:
                problem = _compare(seat, strategy, betting[street], views[[place]], seed + place)
                if problem:
                    return problem
    return ""


def _compare(
    seat: TabularSeat, strategy: TabularStrategy, betting: tuple[str, ...], views: Views, seed: int
) -> str:
    """Compare the table with the policy at one view; `betting` has the letters before each decision."""
    street = int(views.street[0])
    board = np.ascontiguousarray(views.board[0, : BOARD_CARDS[street]]).astype(np.uint8)
    row = betting.index(letters_of(codes_of(views)[0]))
    classes, table = strategy.on(board)
    found = table[row][:, classes].T  # [holding, action]
    policy = seat.policy(views)  # type: ignore[attr-defined]
    mine = found[HOLDING_OF[tuple(views.hole[0])]]
    if not np.allclose(mine, columns_of(policy.probabilities, policy.codes)[0], atol=CLOSE):
        return f"tabulate states another policy than policy, {mine.tolist()}, at {views[0]}"
    suits = np.random.default_rng(seed).permutation(4)
    moved = strategy.on(_exchanged(board, suits))
    images = _exchanged(HOLDINGS, suits)
    free = ~np.isin(HOLDINGS, board).any(axis=1)
    same = moved.table[row][:, moved.classes].T[HOLDING_OF[images[:, 0], images[:, 1]]]
    if not np.allclose(found[free], same[free], atol=CLOSE):
        return f"the tables change when suits are exchanged, at {views[0]}"
    return ""


def _exchanged(cards: NDArray[Any], suits: NDArray[Any]) -> NDArray[Any]:
    images: NDArray[Any] = (cards // 4 * 4 + suits[cards % 4]).astype(cards.dtype)
    return images
