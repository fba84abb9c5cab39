"""Solve the end of a hand in holdings, without buckets, by counterfactual regret minimisation.

Both ranges are vectors over all holdings. An iteration walks the betting once for each player: regrets and
probabilities are vectors, and a showdown is one pass over the holdings in order of strength with card removal
(Johanson, Waugh, Bowling and Zinkevich 2011), so that its cost grows with the number of holdings and not of
pairs. The turn is solved with all of its rivers. Nothing is random: the number of iterations determines the
result, and a solve can be continued at any time.

Safe re-solving
---------------
With `alternative`, the subgame is solved for one player, the *keeper*, behind the gadget of Burch, Johanson
and Bowling (2014): with each holding the other player chooses between the subgame and a payoff, the
alternative, which it could get against the keeper's old strategy. An equilibrium gives it no more than that
with any holding. The gadget alone does not ask for more. So a `share` of the other player's range has no
choice and must enter, which rewards the keeper for doing better against the holdings that are expected; the
others enter by choice with weight one. With share 0 this is the gadget of 2014; without `alternative` the
subgame is solved for both ranges as they are, which is called unsafe.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from holdmem.cfr.public_game import HOLDEM, CardTuple, PublicGame
from holdmem.cfr.solver import discount_factors
from holdmem.cfr.subgame.cards import SortedHoldings, sort_holdings
from holdmem.cfr.subgame.kernels.solver import iterate
from holdmem.cfr.subgame.records import BoardCards, Regrets, Rivers, SubgameShape, WalkRoom
from holdmem.cfr.subgame.tree import StreetTree, Subgame, subgame_tree
from holdmem.core.choices import Weighting
from holdmem.core.errors import GameError
from holdmem.core.types import Floats, Ints

if TYPE_CHECKING:
    from numpy.typing import NDArray


def walk_room(tree: StreetTree, holdings: int, cards: int, precision: type = np.float32) -> WalkRoom:
    """Allocate the working memory of a street."""
    lanes = max(int(np.diff(shape.blocks).max(initial=1)) for shape in tree.shapes)
    return WalkRoom(
        np.zeros((len(tree), holdings), precision),
        np.zeros((len(tree), holdings), precision),
        np.zeros((max(int(tree.actions.max(initial=1)), 1), holdings), precision),
        np.zeros(holdings, precision),
        np.zeros((holdings, lanes), precision),
        np.zeros((holdings, lanes), precision),
        np.zeros(lanes, precision),
        np.zeros((cards, lanes), precision),
    )


@dataclass(eq=False)
class StreetPart:
    """One street of a subgame on one board: its holdings, regrets and sums."""

    board: CardTuple
    tree: StreetTree
    sorted: SortedHoldings
    regrets: Regrets = field(init=False)
    sums: Regrets = field(init=False)

    def __post_init__(self) -> None:
        self.regrets = np.zeros(self.tree.rows * len(self.sorted.holding), np.float32)
        self.sums = np.zeros_like(self.regrets)

    @property
    def cards(self) -> BoardCards:
        """The holdings as kernels read them."""
        return BoardCards(*self.sorted[1:])

    def average(self) -> Floats:
        """Return the average strategy, [row of an action, position].

        With holdings that the player never has there, it is the current strategy: regrets are known for them
        too.
        """
        sums = self.sums.reshape(self.tree.rows, len(self.sorted.holding)).astype(np.float64)
        decisions = np.flatnonzero(self.tree.turn < 2)
        starts, counts = self.tree.offset[decisions], self.tree.actions[decisions]
        if not len(starts):
            return sums
        whole = np.add.reduceat(sums, starts, axis=0)
        nowhere = np.flatnonzero((whole <= 0).any(axis=0))
        if len(nowhere):
            lost = np.repeat(whole[:, nowhere] <= 0, counts, axis=0)
            regrets = self.regrets.reshape(sums.shape)[:, nowhere]
            sums[:, nowhere] = np.where(lost, np.maximum(regrets, 0), sums[:, nowhere])
            whole = np.add.reduceat(sums, starts, axis=0)
        whole = np.repeat(whole, counts, axis=0)
        even = np.repeat(1 / counts, counts)[:, None]
        found: Floats = np.where(whole > 0, sums / np.where(whole > 0, whole, 1), even)
        return found


@dataclass(frozen=True)
class Gadget:
    """What the opponent of the keeper can have instead of the subgame, by holding, and the forced share.

    `alternative` is in chips times the keeper's reach, as `response.root_values` returns it.
    """

    keeper: int
    alternative: Floats
    share: float = 0.0


@dataclass(eq=False)
class SubgameSolver:
    """Counterfactual regret minimisation of a subgame, run in any number of steps.

    Parameters
    ----------
    subgame : chips and bet sizes.
    board : the cards on the board, four on the turn or five on the river.
    ranges : weights of all holdings by seat; those that share a card with the board are ignored.
    gadget : solve for one player safely; None to solve for both ranges.
    weighting : how iterations are weighted, as in `cfr.solver`.
    game : the deck.
    """

    subgame: Subgame
    board: CardTuple
    ranges: Sequence[Floats]
    gadget: Gadget | None = None
    weighting: Weighting = "discounted"
    game: PublicGame = HOLDEM
    iterations: int = 0

    def __post_init__(self) -> None:
        self.trees: tuple[StreetTree, ...] = subgame_tree(self.subgame)
        expected = sum(self.game.dealt) - len(self.trees) + 1
        if len(self.board) != expected or len(set(self.board)) != expected:
            raise GameError(f"expected a board of {expected} different cards, got {list(self.board)}")
        given = [np.asarray(one, np.float64) for one in self.ranges]
        shape = (len(self.game.holdings),)
        for one in given:
            if one.shape != shape or not (np.isfinite(one).all() and (one >= 0).all()):
                raise GameError(f"expected {shape[0]} finite weights of 0 or more for each range")
        self.ranges = [np.where(self.game.free(self.board), one, 0.0) for one in given]
        if not all(one.any() for one in self.ranges):
            raise GameError("a range has no holding that the board leaves")
        if self.gadget is not None:
            self._check_gadget(self.gadget)
        self.first: StreetPart = StreetPart(self.board, self.trees[0], self._sorted(self.board))
        self.choice: NDArray[np.float32] = np.zeros((2, len(self.first.sorted.holding)), np.float32)

    def _check_gadget(self, gadget: Gadget) -> None:
        count = len(self.game.holdings)
        if gadget.alternative.shape != (count,) or not np.isfinite(gadget.alternative).all():
            raise GameError(f"expected {count} finite alternative payoffs, one for each holding")
        if gadget.keeper not in (0, 1) or not 0 <= gadget.share < np.inf:
            raise GameError(
                f"expected seat 0 or 1 and a share of 0 or more, got {gadget.keeper}, {gadget.share}"
            )

    def _sorted(self, board: CardTuple) -> SortedHoldings:
        return sort_holdings(board, self._wanted, self.game, len(board) == sum(self.game.dealt))

    @cached_property
    def _wanted(self) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Holdings in either range; behind a gadget all holdings."""
        some = (self.ranges[0] > 0) | (self.ranges[1] > 0)
        return some if self.gadget is None else np.ones_like(some)

    @cached_property
    def rivers(self) -> list[StreetPart]:
        """The last street by card; none if the subgame starts there."""
        if len(self.trees) == 1:
            return []
        left = [card for card in self.game.cards.tolist() if card not in self.board]
        boards = [(*self.board, card) for card in left]
        return [StreetPart(board, self.trees[1], self._sorted(board)) for board in boards]

    @property
    def chance(self) -> float:
        """Probability of each card of the next street, given both holdings and the board."""
        return 1 / (len(self.game.cards) - 2 * self.game.hole_cards - len(self.board))

    @cached_property
    def _reach(self) -> Floats:
        """[player of the walk, position] ranges; with a gadget the keeper is player 0."""
        order = (0, 1) if self.gadget is None or self.gadget.keeper == 0 else (1, 0)
        held = self.first.sorted.holding
        return np.stack([self.ranges[seat][held] for seat in order]).astype(np.float32)

    @cached_property
    def _alternative(self) -> Floats:
        held = self.first.sorted.holding
        if self.gadget is None:
            return np.zeros((0, len(held)), np.float32)
        return self.gadget.alternative[held][None].astype(np.float32)

    @property
    def _seats(self) -> tuple[int, int]:
        return (0, 1) if self.gadget is None or self.gadget.keeper == 0 else (1, 0)

    @cached_property
    def _room(self) -> WalkRoom:
        return walk_room(self.trees[0], len(self.first.sorted.holding), self._cards)

    @property
    def _cards(self) -> int:
        """One more than the highest card number."""
        return int(self.game.holdings.max()) + 1

    def run(self, iterations: int) -> None:
        """Run further iterations."""
        factors = discount_factors(self.weighting, self.iterations + 1, iterations).astype(np.float32)
        first = self.first
        iterate(
            factors,
            self._shapes(first),
            first.cards,
            self._reach,
            self._alternative,
            self.share,
            first.regrets,
            first.sums,
            self.choice,
            self._room,
            self._packed,
        )
        self.iterations += iterations

    @property
    def share(self) -> np.float32:
        """Weight of the range that must enter."""
        return np.float32(self.gadget.share if self.gadget else 1.0)

    def _shapes(self, part: StreetPart) -> tuple[SubgameShape, SubgameShape]:
        """Return a street as each player of the walk sees it."""
        one, two = (part.tree.shapes[seat] for seat in self._seats)
        return one, two

    @cached_property
    def _packed(self) -> Rivers:
        """The rivers as kernels read them; their regrets and sums are parts of two arrays from now on."""
        parts = self.rivers or [self.first]  # kernels read no river of a subgame of one street
        bounds = np.cumsum([0, *(len(part.sorted.holding) for part in self.rivers)])
        groups = np.cumsum([0, *(len(part.sorted.ends) for part in self.rivers)])
        rows = parts[0].tree.rows
        regrets, sums = np.zeros((2, rows * int(bounds[-1])), np.float32)
        for part, start, end in zip(self.rivers, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            part.regrets, part.sums = regrets[rows * start : rows * end], sums[rows * start : rows * end]
        some = [part.sorted for part in self.rivers]
        most = max(len(part.sorted.holding) for part in parts)
        return Rivers(
            shapes=self._shapes(parts[0]),
            holdings=bounds,
            first=_joined([one.first for one in some]),
            second=_joined([one.second for one in some]),
            place=_joined(self.places),
            group_starts=groups,
            groups=_joined([one.ends for one in some]),
            ends=np.flatnonzero(self.trees[0].onward >= 0),
            rows=rows,
            chance=np.float32(self.chance),
            regrets=regrets,
            sums=sums,
            room=walk_room(parts[0].tree, most, self._cards),
        )

    @cached_property
    def places(self) -> list[Ints]:
        """For each river, the position on the turn of each of its holdings."""
        place = np.zeros(len(self.game.holdings), np.int64)
        place[self.first.sorted.holding] = np.arange(len(self.first.sorted.holding))
        return [place[part.sorted.holding] for part in self.rivers]


def _joined(arrays: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int64), *arrays])
