"""SimpleBot: preflop rules, then hand rank, potential and pot odds. It has no opponent model."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Detail, Policy, View, Views, legal_policy, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.tabular import BoardTable, TreeDecisions, bare_views, columns_of, decisions
from holdmem.agent.words.english import number, percent
from holdmem.cards.classes import CLASS_OF_HOLDING, HOLDINGS
from holdmem.cfr.betting_tree import BettingTree
from holdmem.core.random import Streams
from holdmem.core.types import Floats
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS
from holdmem.players.rule_based.kernels.simplebot import ACE, DEUCE, SOMETIMES, TEN, decide
from holdmem.players.rule_based.words import apart, beats, improves, no_raise
from holdmem.strength import outlook
from holdmem.strength.decision_values import StrengthFeatures

if TYPE_CHECKING:
    from collections.abc import Callable


class SimpleSeat(SamplingSeat):
    """Seat that decides from its cards, the pot and the price of a call alone."""

    def __init__(self, game: Game, leak: bool, rng: Streams, details: bool = False) -> None:
        super().__init__(rng)
        self.game = game
        self.leak = leak
        self.finer = details

    def policy(self, views: Views) -> Policy:
        """Return the policy of the rules above."""
        return self.decide(views, outlook(views))

    def decide(self, views: Views, seen: StrengthFeatures) -> Policy:
        """Return the policy given the strength of each hand."""
        weights, totals = np.empty((len(views), 3)), np.empty(len(views), dtype=np.int64)
        game = self.game
        rows = np.ascontiguousarray(views.rows)
        decide(rows, seen.ihs, seen.ppot, game.big_blind, game.limit, self.leak, self.finer, weights, totals)
        return legal_policy(views, weights, totals[:, None])

    def tabulate(self, tree: BettingTree) -> "SimpleTables":
        """Return the policy by decision and strength, for each board alone."""
        return SimpleTables(self, tree)

    def reasons(self, view: View) -> list[str]:
        """Say which rule decides here."""
        return [preflop_rule(view, self.leak, self.finer)] if view.street == 0 else self._after_flop(view)

    def _after_flop(self, view: View) -> list[str]:
        seen, opponents = outlook(view.alone), sum(view.live) - 1
        rank, ppot = float(seen.ihs[0]) ** opponents, float(seen.ppot[0])
        strength = beats(float(seen.ihs[0]))
        if opponents > 1:
            strength += f", which counts as {percent(rank)} against {number(opponents)} opponents"
        if rank == 1.0:
            return ["it has the best possible hand, with which it always bets and raises"]
        if not view.to_call:
            draw = f", and {improves(ppot)}" if view.street < 3 else ""
            return [f"{strength}{draw}", "The stronger the hand or the draw, the more often it bets"]
        raises = "The stronger the hand and the fewer the raises, the more often it raises"
        rule = f"{raises}; otherwise {_call(view, rank, ppot)}"
        return [strength, rule, *no_raise(view)]

    def details(self, views: Views) -> tuple[Detail, ...]:
        """Return hand rank and positive potential; before the flop only that rules decide."""
        if views.street[0] == 0:
            return (Detail("rules for two cards", 1.0),)
        seen = outlook(views)
        opponents = int(views.live[0]).bit_count() - 1
        return (
            Detail("hand rank", float(seen.ihs[0]) ** opponents, {"opponents": float(opponents)}),
            Detail("positive potential", float(seen.ppot[0])),
        )


def _call(view: View, rank: float, ppot: float) -> str:
    """Say why it calls or folds where it does not raise."""
    worth, price = apart(100 * rank**2, 100 * view.to_call / view.pot, 0)
    compared = f"it compares its strength squared, {worth}%, with the price, {price}% of the pot"
    if rank**2 * view.pot > view.to_call:
        return f"{compared}, and calls"
    if ppot > view.to_call / (view.pot + view.to_call):
        return f"it calls, because {improves(ppot)}, which is often enough"
    return f"{compared}; that is too high and the draw too weak, so it folds"


def preflop_rule(view: View, leak: bool, details: bool = False) -> str:
    """Say which of the rules for two cards applies."""
    (high, low), suited = (
        sorted((card >> 2 for card in view.hole), reverse=True),
        view.hole[0] % 4 == view.hole[1] % 4,
    )
    pair = high == low
    forgotten = leak and view.raises >= 2
    if (pair and not forgotten) or (low >= TEN and not pair and not (details and forgotten)):
        best = (high >= TEN or high == DEUCE) if pair else suited
        what = "pairs" if pair else "two cards of ten or higher"
        kind = (
            ("pairs of tens or higher, or of deuces" if pair else "two suited cards of ten or higher")
            if best
            else what
        )
        if not best:
            return f"its rule is to call with {kind} that it does not raise"
        return f"its rule is to raise {kind}, but only to call if somebody has raised before"
    if suited and (high - low == 1 or high == ACE):
        return f"its rule is to call with {'suited aces' if high == ACE else 'suited connectors'}"
    cheap = view.to_call <= view.game.big_blind
    what = "pairs once there have been two raises" if pair else "such cards"
    return f"its rule is to give up {what}" + (
        f", but to call {percent(SOMETIMES)} of the time where a call costs no more than a big blind"
        if cheap
        else ""
    )


class SimpleTables:
    """SimpleBot's policy on each board: holdings of equal strength and potential are one class."""

    def __init__(self, seat: SimpleSeat, tree: BettingTree) -> None:
        self.seat = seat
        self.tree = tree
        self.decisions: Callable[[int], TreeDecisions] = cache(lambda street: decisions(tree, street))

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return classes and table of one board."""
        street = BOARD_CARDS.index(len(board))
        if street == 0:
            holes = HOLDINGS[np.unique(CLASS_OF_HOLDING, return_index=True)[1]]
            nothing = np.zeros(len(holes))
            seen = StrengthFeatures(nothing, nothing, nothing)
            return BoardTable(CLASS_OF_HOLDING.astype(np.int64), self._table(0, holes, seen))
        free = np.flatnonzero(~np.isin(HOLDINGS, board).any(axis=1))
        found = outlook(_Hands(HOLDINGS[free].astype(np.int8), _padded(board, len(free))))
        kinds, number = np.unique(np.stack([found.ihs, found.ppot]), axis=1, return_inverse=True)
        classes = np.zeros(len(HOLDINGS), np.int64)
        classes[free] = number.reshape(-1)
        seen = StrengthFeatures(kinds[0].copy(), kinds[1].copy(), kinds[0].copy())
        return BoardTable(classes, self._table(street, np.zeros((len(kinds[0]), 2), np.int16), seen))

    def _table(self, street: int, holes: NDArray[np.int16], seen: StrengthFeatures) -> Floats:
        """Return the probabilities [decision, action, class]; equal chips are computed once."""
        facts, count = self.decisions(street), len(holes)
        chips = np.stack([facts.to_call, facts.pot, facts.raises, facts.may_raise])
        _, first, place = np.unique(chips, axis=1, return_index=True, return_inverse=True)
        views = bare_views(self.tree.game, street, facts, first.repeat(count))
        views = views.with_hole(np.tile(holes, (len(first), 1)).astype(np.int8))
        repeated = StrengthFeatures(*(np.tile(column, len(first)) for column in seen))
        policy = self.seat.decide(views, repeated)
        found = columns_of(policy.probabilities, policy.codes).reshape(len(first), count, 3)
        return np.ascontiguousarray(found.transpose(0, 2, 1))[place.reshape(-1)]


@dataclass(frozen=True)
class _Hands:
    hole: NDArray[np.int8]
    board: NDArray[np.int8]


def _padded(board: NDArray[np.uint8], count: int) -> NDArray[np.int8]:
    boards = np.full((count, 5), -1, np.int8)
    boards[:, : len(board)] = board
    return boards


@register(
    "simplebot",
    style="rules before the flop, hand rank, potential and pot odds after it",
    source="Rubin and Watson (2011), Marques (n.d.)",
)
@dataclass(frozen=True)
class SimpleBot:
    """Plays pairs, high cards and some suited hands; after the flop bets by hand rank and calls by pot odds.

    With `leak`, as in the original, pairs lose their special treatment once there have been two raises. With
    `details`, so do two cards of ten or higher; in no-limit only a bet, not a raise, becomes all-in where too
    little would be left; and the potential on the turn is multiplied by 44/45, as in the original.
    """

    leak: bool = True
    details: bool = False

    def sit(self, game: Game, tables: int, rng: Streams) -> SimpleSeat:
        """Return a seat; every game is supported."""
        return SimpleSeat(game, self.leak, rng, self.details)
