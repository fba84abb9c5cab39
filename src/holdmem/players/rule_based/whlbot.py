"""WHLBot: learns preflop which hands to fold, call and raise, and always raises after the flop."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdmem.agent import (
    CALL,
    FOLD,
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
from holdmem.agent.seat_state import checked_array
from holdmem.agent.words.actions import verb
from holdmem.agent.words.english import in_unit, joined, often, percent, result, unit_name
from holdmem.cards.classes import CLASS_OF, CLASSES
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.rule_based.kernels.whlbot import (
    BETTINGS,
    POSITIONS,
    TYPES,
    betting_of,
    decide,
    learn,
    position_of,
    state_of,
    type_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdmem.core.types import Ints

STATES = len(CLASSES) * POSITIONS * TYPES * BETTINGS


class WhlSeat(SamplingSeat):
    """Seat that keeps, per table, the value of each action in each state and counts of how others play."""

    def __init__(self, game: Game, tables: int, explore: float, rate: float, rng: Streams) -> None:
        super().__init__(rng)
        self.game = game
        self.explore = explore
        self.rate = rate
        self.classes: NDArray[np.int16] = CLASS_OF.copy()
        # Untouched zero pages take no memory, and most states never occur.
        self.values: NDArray[np.float32] = np.zeros((tables, STATES, 3), dtype=np.float32)
        self.visits: NDArray[np.float32] = np.zeros((tables, STATES, 3), dtype=np.float32)
        self.seen: Ints = np.zeros((tables, 4), dtype=np.int64)

    def policy(self, views: Views) -> Policy:
        """Return the learned policy before the flop, and a raise after it."""
        weights, totals = np.empty((len(views), 3)), np.empty(len(views), dtype=np.int64)
        decide(
            self.game.rules_row,
            np.ascontiguousarray(views.rows),
            np.ascontiguousarray(views.table),
            self.classes,
            self.values,
            self.visits,
            self.seen,
            self.explore,
            weights,
            totals,
        )
        return legal_policy(views, weights, totals[:, None])

    def watch(self, hands: FinishedHands) -> None:
        """Learn from finished hands."""
        learn(
            self.game.rules_row,
            hands.batch.hands,
            hands.history,
            hands.lineup == hands.player,
            np.ascontiguousarray(hands.tables),
            self.classes,
            self.values,
            self.visits,
            self.seen,
            self.rate,
        )

    def state(self) -> SeatState:
        """Return the learned values, their visits and the counts of the others' play."""
        return {"values": self.values, "visits": self.visits, "seen": self.seen}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        for name in ("values", "visits", "seen"):
            setattr(self, name, checked_array(state, name, getattr(self, name)))
        if (self.visits < 0).any():
            raise NotationError("visits must be 0 or more")

    def explain(self, view: View) -> Explanation:
        """Return the learned value of each action before the flop, and the rule after it."""
        policy, details = self.policy(view.alone), self.details(view.alone)
        if view.street:
            rule = "its rule after the flop is to bet and raise as much as it may, whatever it holds"
            return explained(view, policy, [rule], details=details)
        unit = unit_name(view.game)
        tried = [(one.what, in_unit(one.weight, view.game), int(one.facts["times"])) for one in details]
        said = [
            f"{verb(name, 'gerund')} {result(value, unit)} ({often(times)})"
            for name, value, times in tried
            if times
        ]
        learned = (
            f"in the hands like this that it has played, on average, {joined(said)}"
            if said
            else "it has not met this situation yet, so it tries every action"
        )
        visits = sum(times for _, _, times in tried)
        random = max(self.explore, 1 / (1 + visits) ** 0.5)
        rule = (
            f"It takes what has earned most, but acts at random {percent(random)} of the time while it learns"
        )
        codes = (FOLD, CALL, view.min_raise_to)
        worth = {
            code: value
            for code, (_, value, times) in zip(codes, tried, strict=True)
            if times and code in dict(_pairs(policy))
        }
        return explained(
            view, policy, [learned, rule], worth=worth, measure=f"mean result in {unit}s", details=details
        )

    def details(self, views: Views) -> tuple[Detail, ...]:
        """Return the learned value of each action before the flop, in big blinds."""
        if views.street[0] > 0:
            return (Detail("after the flop it always raises", 1.0),)
        table, row, rules = int(views.table[0]), views.rows[0], self.game.rules
        cards = int(self.classes[row.hole[0], row.hole[1]])
        betting = betting_of(rules, row.paid)
        state = state_of(cards, position_of(rules, row.seat), type_of(self.seen[table]), betting)
        values, visits = self.values[table, state].tolist(), self.visits[table, state].tolist()
        return tuple(
            Detail(name, value, {"times": times})
            for name, value, times in zip(("fold", "call", "raise"), values, visits, strict=True)
        )


def _pairs(policy: Policy) -> list[tuple[int, float]]:
    return list(zip(policy.codes[0].tolist(), policy.probabilities[0].tolist(), strict=True))


@register(
    "whlbot",
    style="learns what to play before the flop, then always raises (all-in in no-limit)",
    source="Marques (n.d.)",
)
@dataclass(frozen=True)
class WHLBot:
    """Learns a table of preflop action values hand by hand; after the flop it makes the maximum raise.

    `explore` is the minimum probability of a random preflop action. `rate` is the minimum learning rate,
    which sets how quickly old hands are forgotten.
    """

    explore: float = 0.05
    rate: float = 0.01

    def __post_init__(self) -> None:
        for name in ("explore", "rate"):
            if not 0 <= getattr(self, name) <= 1:
                raise AgentError(f"whlbot: expected {name} from 0 to 1, got {getattr(self, name)}")

    def sit(self, game: Game, tables: int, rng: Streams) -> WhlSeat:
        """Return a seat that starts without knowledge; every game is supported."""
        return WhlSeat(game, tables, self.explore, self.rate, rng)
