"""Poki: a formula on effective hand strength, with a model of each opponent."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdmem.agents.poki_kernels import OUTLOOK, look_ahead
from holdmem.models import Frequencies
from holdmem.models.before_the_flop import preflop_tables
from holdmem.rules import Game
from holdmem.table import (
    Actions,
    Explanation,
    Finished,
    Ground,
    Policy,
    State,
    Streams,
    View,
    Views,
    legal_policy,
    register,
    spots,
)

Floats = NDArray[np.float64]

SOFT = 0.08
"""Decisions change over so wide a band of strength, so that nobody can read them off exactly."""
RAISE_BEFORE, CALL_BEFORE, ODDS_BEFORE = 1.3, 1.1, 1.6
"""Before the flop: the least part of the pot, in fair shares, worth a raise, or a call; and a call is also
worth its price if the chance to win is so many times the pot odds, since there will be more to pay."""
STEAL = 0.4
"""What a hand that steals the blinds is counted on to win when it is called, of its part of the pot."""
BET_AT, RAISE_AT, RAISE_AGAIN = 1.1, 1.35, 0.15
"""After it: the part of the pot worth a bet, the first raise, and so much more for each further one."""
SIZE = 2 / 3
"""Bets of no-limit, in pots."""
LATER = (0.0, 1.0, 0.5, 0.0)
"""What a call on each street of no-limit may still cost later, in pots."""


DRAWS = 128
"""Cases drawn at a decision on the flop or turn, to see how often the cards to come change who wins."""


@cache
def _draws() -> Floats:
    """(cases, 48): the same random numbers at every decision, so that a policy draws nothing."""
    return Streams.of(0, "poki").uniforms(spots(DRAWS), np.zeros(DRAWS, np.int64), 48)


def soft(strength: Floats, border: Floats | float, width: float = SOFT) -> Floats:
    """From 0 well below the border to 1 well above it."""
    return np.clip((strength - border) / width + 0.5, 0.0, 1.0)


class PokiSeat:
    """Knows every opponent of every table it sits at."""

    def __init__(self, game: Game, tables: int, rng: Streams, learns: bool = True) -> None:
        self.frequencies = Frequencies(game, tables)
        self.rng = rng
        self.learns = learns

    def watch(self, hands: Finished) -> None:
        """Count what everybody did."""
        if self.learns:
            self.frequencies.watch(hands)

    def state(self) -> State:
        """What it has counted."""
        return self.frequencies.state()

    def restore(self, state: State) -> None:
        """Take that up again."""
        self.frequencies.restore(state)

    def outlook(self, views: Views) -> NDArray[np.record]:
        """How each decision looks, by the weight tables of the opponents."""
        out = np.zeros(len(views), OUTLOOK)
        rows, chances = np.ascontiguousarray(views.rows), self.frequencies.chances(views)
        look_ahead(views.game.rules_row, rows, views.history, chances, tuple(preflop_tables()), _draws(), out)
        return out

    def policy(self, views: Views) -> Policy:
        """A probability triple for each view."""
        found = self.outlook(views)
        triples = np.empty((len(views), 3))
        before = views.street == 0
        triples[before] = triples_before(views[before], found[before])
        triples[~before] = triples_after(views[~before], found[~before])
        return legal_policy(views, triples, raise_to(views)[:, None])

    def act(self, views: Views) -> Actions:
        """Drawn from the triples."""
        return self.policy(views).draw(views.uniforms(self.rng))

    def explain(self, view: View) -> Explanation:
        """The triple, and what it rests on."""
        views = view.alone
        found, policy = self.outlook(views)[0], self.policy(views)
        facts = {"opponents staying": round(float(found.staying), 2)}
        if view.street:
            facts |= {name: round(float(found[name]), 3) for name in ("ahead", "ppot", "npot", "giving_up")}
        ground = Ground("part of the pot won at the showdown", float(found.winning), facts)
        chances = zip(policy.codes[0].tolist(), policy.probabilities[0].tolist(), strict=True)
        return Explanation(str(view), tuple((code, p) for code, p in chances if p > 0), (ground,))


def raise_to(views: Views) -> NDArray[np.int64]:
    """What its raises make this street's bet: two thirds of the pot more, if that is legal."""
    size = views.highest + (SIZE * (views.pot + views.to_call)).astype(np.int64)
    return np.asarray(np.clip(size, views.min_raise_to, views.max_raise_to))


def triples_before(views: Views, found: NDArray[np.record]) -> Floats:
    """Before the flop: by the expected part of the pot, in fair shares of those who stay, and by pot odds."""
    fair_shares = found["winning"] * (1 + found["staying"])
    worth = soft(fair_shares, RAISE_BEFORE + 0.1 * np.maximum(views.raises - 1, 0))
    raising = np.maximum(worth, steals(views, found))
    odds = views.to_call / (views.pot + views.to_call)
    calling = np.maximum(soft(fair_shares, CALL_BEFORE), soft(found["winning"], ODDS_BEFORE * odds, 0.02))
    return _triples(raising, calling)


def steals(views: Views, found: NDArray[np.record]) -> Floats:
    """1 where nobody has raised yet and a raise pays by itself: it wins the blinds if all fold, and otherwise
    a part of what the hand would win at the showdown."""
    pot, giving_up = views.pot, found["giving_up"]
    cost = raise_to(views) - (views.highest - views.to_call)
    called = STEAL * found["winning"] * (pot + 2 * cost - views.to_call) - cost
    gain = giving_up * pot + (1 - giving_up) * called
    return np.where((views.raises == 0) & (views.max_raise_to > 0) & (gain > 0), 1.0, 0.0)


def triples_after(views: Views, found: NDArray[np.record]) -> Floats:
    """After the flop: by the chance to win, pot odds, and how likely a bluff is to succeed."""
    winning, pot, to_call = found["winning"], views.pot, views.to_call
    fair_shares = winning * (1 + found["opponents"])
    border = np.where(to_call > 0, RAISE_AT + RAISE_AGAIN * (views.raises - 1), BET_AT)
    next_card = found["ppot"] / np.maximum(3 - views.street, 1)
    raising = np.maximum(soft(fair_shares, border, 2 * SOFT), bluffs(views, found["giving_up"], next_card))
    later = to_pay_later(views)
    to_the_end = (to_call + later) / (pot + to_call + 2 * later)
    odds = to_call / (pot + to_call)
    calling = np.maximum(soft(winning, to_the_end, SOFT), soft(next_card, odds, SOFT / 2))
    return _triples(raising, calling)


def bluffs(views: Views, giving_up: Floats, ppot: Floats) -> Floats:
    """1 where a bet gains on a check even with the worst hand: it wins the pot if all fold, and otherwise
    what the next card makes of the hand."""
    pot = views.pot
    bet = raise_to(views)
    gain = giving_up * pot + (1 - giving_up) * (ppot * (pot + 2 * bet) - bet) - ppot * pot
    return np.where((views.to_call == 0) & (gain > 0), 1.0, 0.0)


def to_pay_later(views: Views) -> Floats:
    """Chips that it will take to see the showdown: one bet a street in limit, parts of the pot otherwise."""
    sizes = views.game.raise_sizes
    if sizes is None:
        return np.asarray(np.array(LATER)[views.street] * (views.pot + views.to_call))
    later = np.append(np.cumsum(sizes[::-1])[-2::-1], 0.0)
    return np.asarray(later[views.street])


def _triples(raising: Floats, calling: Floats) -> Floats:
    """Fold, call and raise from the chance to raise and, if not, to call."""
    return np.column_stack([(1 - raising) * (1 - calling), (1 - raising) * calling, raising])


@register(
    "poki",
    style="formula on effective hand strength, opponents modelled by weight tables",
    source="Rubin (2007), §2.2.2",
)
@dataclass(frozen=True)
class Poki:
    """Formula-based Poki; with `learns=off` everybody is an ordinary player to it for ever."""

    learns: bool = True

    def sit(self, game: Game, tables: int, rng: Streams) -> PokiSeat:
        """Plays every game."""
        return PokiSeat(game, tables, rng, self.learns)
