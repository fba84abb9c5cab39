"""SimpleBot: preflop rules, then hand rank, potential and pot odds. It has no opponent model."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Detail, Policy, View, Views, legal_policy, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.words.english import percent
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.rule_based.kernels.simplebot import ACE, DEUCE, SOMETIMES, TEN, decide
from holdmem.players.rule_based.words import beats, improves
from holdmem.strength import outlook


class SimpleSeat(SamplingSeat):
    """Seat that decides from its cards, the pot and the price of a call alone."""

    def __init__(self, game: Game, leak: bool, rng: Streams) -> None:
        super().__init__(rng)
        self.game = game
        self.leak = leak

    def policy(self, views: Views) -> Policy:
        """Return the policy of the rules above."""
        seen = outlook(views)
        weights, totals = np.empty((len(views), 3)), np.empty(len(views), dtype=np.int64)
        game = self.game
        rows = np.ascontiguousarray(views.rows)
        decide(rows, seen.ihs, seen.ppot, game.big_blind, game.limit, self.leak, weights, totals)
        return legal_policy(views, weights, totals[:, None])

    def reasons(self, view: View) -> list[str]:
        """Say which rule decides here."""
        return [preflop_rule(view, self.leak)] if view.street == 0 else self._after_flop(view)

    def _after_flop(self, view: View) -> list[str]:
        seen, opponents = outlook(view.alone), sum(view.live) - 1
        rank, ppot = float(seen.ihs[0]) ** opponents, float(seen.ppot[0])
        strength = beats(float(seen.ihs[0]))
        if opponents > 1:
            strength += f", which counts as {percent(rank)} against {opponents} opponents"
        if rank == 1.0:
            return ["it has the best possible hand, with which it always bets and raises"]
        if not view.to_call:
            draw = f", and {improves(ppot)}" if view.street < 3 else ""
            return [f"{strength}{draw}", "The stronger the hand or the draw, the more often it bets"]
        worth = rank**2 * view.pot > view.to_call
        price = view.to_call / (view.pot + view.to_call)
        call = (
            "the hand is strong enough for the price, so otherwise it calls" if worth
            else f"{improves(ppot)}, which is often enough, so otherwise it calls" if ppot > price
            else "neither the hand nor the draw is worth the price, so otherwise it folds"
        )  # fmt: skip
        return [strength, f"The stronger the hand and the fewer the raises, the more often it raises; {call}"]

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


def preflop_rule(view: View, leak: bool) -> str:
    """Say which of the rules for two cards applies."""
    (high, low), suited = (
        sorted((card >> 2 for card in view.hole), reverse=True),
        view.hole[0] % 4 == view.hole[1] % 4,
    )
    pair = high == low
    if (pair and not (leak and view.raises >= 2)) or (low >= TEN and not pair):
        best = (high >= TEN or high == DEUCE) if pair else suited
        what = "pairs" if pair else "two cards of ten or higher"
        kind = (
            ("pairs of tens or higher, or of deuces," if pair else "two suited cards of ten or higher")
            if best
            else what
        )
        if not best:
            return f"its rule is to call with {kind} that it does not raise"
        return f"its rule is to raise {kind} unless somebody has raised before, and to call then"
    if suited and (high - low == 1 or high == ACE):
        return f"its rule is to call with {'suited aces' if high == ACE else 'suited connectors'}"
    cheap = view.to_call <= view.game.big_blind
    return "its rule is to give up such cards" + (
        f", but to call {percent(SOMETIMES)} of the time where a call costs no more than a big blind"
        if cheap
        else ""
    )


@register(
    "simplebot",
    style="rules before the flop, hand rank, potential and pot odds after it",
    source="Rubin and Watson (2011), Marques (n.d.)",
)
@dataclass(frozen=True)
class SimpleBot:
    """Plays pairs, high cards and some suited hands; after the flop bets by hand rank and calls by pot odds.

    With `leak`, as in the original, pairs lose their special treatment once there have been two raises.
    """

    leak: bool = True

    def sit(self, game: Game, tables: int, rng: Streams) -> SimpleSeat:
        """Return a seat; every game is supported."""
        return SimpleSeat(game, self.leak, rng)
