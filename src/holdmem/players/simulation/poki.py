"""Poki: a formula on effective hand strength, with a model of each opponent.

Before and after the flop the expected share of the pot is compared with thresholds in fair shares. One fair
share is 1 / (number of players), so a value of 1 is an average hand.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import (
    Detail,
    Explanation,
    FinishedHands,
    Policy,
    SeatState,
    View,
    Views,
    explained,
    legal_policy,
    register,
)
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.words.english import number, percent, plain
from holdmem.core.random import Streams, hand_ids
from holdmem.core.types import Floats
from holdmem.engine import Game
from holdmem.opponents import Frequencies
from holdmem.opponents.preflop import preflop_tables
from holdmem.players.simulation.kernels.poki import OUTLOOK, look_ahead

SOFT = 0.08
"""Width of the band of strength over which a decision changes gradually, which hides the exact threshold."""
RAISE_BEFORE, CALL_BEFORE, ODDS_BEFORE = 1.3, 1.1, 1.6
"""Preflop thresholds: the share of the pot, in fair shares, that warrants a raise, or a call.

A call is also made if the expected share of the pot is at least `ODDS_BEFORE` times the pot odds; the factor
is above 1 because later streets cost more.
"""
STEAL = 0.4
"""Share of its equity that a blind steal is assumed to realise when called."""
BET_AT, RAISE_AT, RAISE_AGAIN = 1.1, 1.35, 0.15
"""Postflop thresholds in fair shares: for a bet, for the first raise, and the increment per further raise."""
SIZE = 2 / 3
"""Bet size in no-limit, in pots."""
LATER = (0.0, 1.0, 0.5, 0.0)
"""Expected later cost of a call on each street in no-limit, in pots."""


DRAWS = 128
"""Deals sampled per decision on the flop or turn to estimate the potentials."""


@cache
def _draws() -> Floats:
    """Return uniforms of shape (deals, 48), the same at every decision so that policies are deterministic."""
    return Streams.of(0, "poki").uniforms(hand_ids(DRAWS), np.zeros(DRAWS, np.int64), 48)


def soft(strength: Floats, border: Floats | float, width: float = SOFT) -> Floats:
    """Return a linear ramp from 0 to 1 of this width, centred on the border and clipped outside."""
    return np.clip((strength - border) / width + 0.5, 0.0, 1.0)


class PokiSeat(SamplingSeat):
    """Seat that models every opponent at each of its tables."""

    def __init__(self, game: Game, tables: int, rng: Streams, learns: bool = True) -> None:
        super().__init__(rng)
        self.frequencies: Frequencies = Frequencies(game, tables)
        self.learns = learns

    def watch(self, hands: FinishedHands) -> None:
        """Update the action counts of all players, if it learns."""
        if self.learns:
            self.frequencies.watch(hands)

    def state(self) -> SeatState:
        """Return the action counts."""
        return self.frequencies.state()

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.frequencies.restore(state)

    def outlook(self, views: Views) -> NDArray[np.record]:
        """Return an `OUTLOOK` record per view, computed from the opponents' weight tables."""
        out = np.zeros(len(views), OUTLOOK)
        rows, probabilities = np.ascontiguousarray(views.rows), self.frequencies.probabilities(views)
        look_ahead(
            views.game.rules_row, rows, views.history, probabilities, tuple(preflop_tables()), _draws(), out
        )
        return out

    def policy(self, views: Views) -> Policy:
        """Return the probabilities of folding, calling and raising at each view."""
        found = self.outlook(views)
        triples = np.empty((len(views), 3))
        before = views.street == 0
        triples[before] = triples_before(views[before], found[before])
        triples[~before] = triples_after(views[~before], found[~before])
        return legal_policy(views, triples, raise_to(views)[:, None])

    def explain(self, view: View) -> Explanation:
        """Return the triple and the quantities behind it."""
        views = view.alone
        found, policy = self.outlook(views)[0], self.policy(views)
        facts = {"opponents staying": round(float(found.staying), 2)}
        if view.street:
            facts |= {name: round(float(found[name]), 3) for name in ("ahead", "ppot", "npot", "giving_up")}
        detail = Detail("share of the pot won at the showdown", float(found.winning), facts)
        return explained(view, policy, poki_reasons(view, found), details=[detail])


def poki_reasons(view: View, found: np.record) -> list[str]:
    """Say how much of the pot the hand wins, compared with a fair share, and what a bet could win."""
    winning = float(found.winning)
    players = 1 + (float(found.staying) if view.street == 0 else float(found.opponents))
    share = (
        f"it expects to win {percent(winning)} of the pot against the hands that the opponents' play suggests"
    )
    times = plain(winning * players, 2)
    fair = f"That is {'just' if times == '1' else f'{times} times'} {_fair_share(players)}"
    said = [share, f"{fair}; {_rule(view)}"]
    if view.street:
        said += _price(view) if view.to_call else []
        now = f"It is ahead now {percent(float(found.ahead))} of the time"
        whom = "the opponent" if found.opponents == 1 else "everybody"
        bluff = f", and a bet makes {whom} fold {percent(float(found.giving_up))} of the time"
        said.append(now + bluff * bool(view.max_raise_to))
    return said


def _price(view: View) -> list[str]:
    """Say how much of the pot a call has to win, with the bets that are still to come."""
    later, pot = float(to_pay_later(view.alone)[0]), view.pot + view.to_call
    if not later:
        return []
    needed = percent((view.to_call + later) / (pot + 2 * later))
    call = f"With the bets to come, a call has to win {needed} of the pot, unless a draw is worth the price"
    return [f"{call}; near that it sometimes calls and sometimes folds"]


def _fair_share(players: float) -> str:
    """Name an equal share of the pot; before the flop the number of players is only expected."""
    many = number(round(players)) if players == round(players) else f"about {plain(players)}"
    return f"a fair share among {many} players"


def _rule(view: View) -> str:
    """Say from how many fair shares on it bets or raises, and when it calls."""
    if view.street == 0:
        border = plain(RAISE_BEFORE + 0.1 * max(view.raises - 1, 0))
        call = (
            f"and calls from {CALL_BEFORE} times or at a good price"
            if view.to_call
            else "and checks otherwise"
        )
        return f"it raises from about {border} times, or where a steal should pay, {call}"
    if not view.to_call:
        return f"it bets from about {BET_AT} times, and below that only where a bluff should pay"
    border = plain(RAISE_AT + RAISE_AGAIN * (view.raises - 1), 2)
    return f"it raises from about {border} times, and calls where the price is right"


def raise_to(views: Views) -> NDArray[np.int64]:
    """Return the raise total per view: `SIZE` pots above the highest bet, clipped to the legal range."""
    size = views.highest + (SIZE * (views.pot + views.to_call)).astype(np.int64)
    return np.asarray(np.clip(size, views.min_raise_to, views.max_raise_to))


def triples_before(views: Views, found: NDArray[np.record]) -> Floats:
    """Return preflop triples, (n, 3), from pot odds and the expected share of the pot.

    Fair shares count the opponents expected to stay in.
    """
    fair_shares = found["winning"] * (1 + found["staying"])
    worth = soft(fair_shares, RAISE_BEFORE + 0.1 * np.maximum(views.raises - 1, 0))
    raising = np.maximum(worth, steals(views, found))
    odds = views.to_call / (views.pot + views.to_call)
    calling = np.maximum(soft(fair_shares, CALL_BEFORE), soft(found["winning"], ODDS_BEFORE * odds, 0.02))
    return _triples(raising, calling)


def steals(views: Views, found: NDArray[np.record]) -> Floats:
    """Return 1 where no player has raised yet and a steal has positive expected value, else 0.

    A steal wins the pot if all fold, and otherwise `STEAL` of what the hand would win at showdown.
    """
    pot, giving_up = views.pot, found["giving_up"]
    cost = raise_to(views) - (views.highest - views.to_call)
    called = STEAL * found["winning"] * (pot + 2 * cost - views.to_call) - cost
    gain = giving_up * pot + (1 - giving_up) * called
    return np.where((views.raises == 0) & (views.max_raise_to > 0) & (gain > 0), 1.0, 0.0)


def triples_after(views: Views, found: NDArray[np.record]) -> Floats:
    """Return postflop triples, (n, 3), from the winning probability, pot odds and the success of a bluff."""
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
    """Return 1 where a bluff has a higher expected value than a check, else 0.

    The hand is taken to be behind: it wins the pot if all fold, and otherwise only if the next card improves
    it, with probability `ppot`.
    """
    pot = views.pot
    bet = raise_to(views)
    gain = giving_up * pot + (1 - giving_up) * (ppot * (pot + 2 * bet) - bet) - ppot * pot
    return np.where((views.to_call == 0) & (gain > 0), 1.0, 0.0)


def to_pay_later(views: Views) -> Floats:
    """Return the chips still to be paid after this street to reach showdown.

    It is one bet per later street in limit, and `LATER` pots in no-limit.
    """
    sizes = views.game.raise_sizes
    if sizes is None:
        return np.asarray(np.array(LATER)[views.street] * (views.pot + views.to_call))
    later = np.append(np.cumsum(sizes[::-1])[-2::-1], 0.0)
    return np.asarray(later[views.street])


def _triples(raising: Floats, calling: Floats) -> Floats:
    """Combine the raise probability and the call probability given no raise into triples, (n, 3)."""
    return np.column_stack([(1 - raising) * (1 - calling), (1 - raising) * calling, raising])


@register(
    "poki",
    style="judges its hand against what the opponents probably hold, by a formula",
    source="Rubin (2007), §2.2.2",
)
@dataclass(frozen=True)
class Poki:
    """Formula-based Poki; with `learns=off` it always models everyone as an average player."""

    learns: bool = True

    def sit(self, game: Game, tables: int, rng: Streams) -> PokiSeat:
        """Return a seat; every game is supported."""
        return PokiSeat(game, tables, rng, self.learns)
