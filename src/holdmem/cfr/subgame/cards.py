"""The holdings that matter in a subgame, in the order in which kernels pass over them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cfr.public_game import HOLDEM, CardTuple, PublicGame
from holdmem.core.types import Floats, Ints


class SortedHoldings(NamedTuple):
    """Holdings from the weakest to the strongest; before the river in the order of their numbers."""

    holding: Ints  # [position] number of the holding
    first: Ints  # [position] one card
    second: Ints  # [position] the other card
    ends: Ints  # [group of equal strength] one past its last position


def sort_holdings(
    board: CardTuple, wanted: NDArray[np.bool_], game: PublicGame = HOLDEM, last: bool = True
) -> SortedHoldings:
    """Return those of the wanted holdings that a board leaves, by strength if it is the `last` board."""
    left = np.flatnonzero(game.free(board) & wanted)
    strengths = game.strengths(board, left) if last else np.arange(len(left))
    order = np.argsort(strengths, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(strengths[order])) + 1, len(left))
    first, second = np.ascontiguousarray(game.holdings[left[order]].T)
    return SortedHoldings(left[order], first, second, ends)


def compatible_weight(range_: Floats, holdings: Ints) -> Floats:
    """Return, for each holding, the weight of a range's holdings that share no card with it."""
    cards = np.zeros(int(holdings.max()) + 1)
    for column in holdings.T:
        np.add.at(cards, column, range_)
    left: Floats = range_.sum() - cards[holdings[:, 0]] - cards[holdings[:, 1]] + range_
    return left
