"""The seat of plicas: memory per table, decisions, and the contribution of each unit to them."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Detail, FinishedHands, Policy, SeatState, View, Views, legal_policy
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.seat_state import checked_array
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.opponents import Profiles
from holdmem.players.plicas.kernels.cases import PATTERNS, retain
from holdmem.players.plicas.kernels.decision import DECISION, decide_all
from holdmem.players.plicas.range_control import range_tables
from holdmem.players.plicas.units import UNITS
from holdmem.players.plicas.words import plicas_reasons
from holdmem.players.rule_based.style_rules import top_shares
from holdmem.strength import outlook, playable_curves
from holdmem.strength.turn import rank_tables


class PlicasTables(NamedTuple):
    """Lookup tables shared by all seats of plicas."""

    shares: Floats
    """Share of all holdings in each nested range, (169,)."""
    equity: Floats
    """Equity of each nested range against each, (169, 169)."""
    playable: Floats
    """Probability of a playable flop with each nested range, (169,)."""
    top: Floats
    """Share of holdings as good as two cards or better, (52, 52)."""


@cache
def book() -> PlicasTables:
    """Return the lookup tables, read once per process."""
    return PlicasTables(*range_tables(), playable_curves().playable.copy(), top_shares().copy())


class PlicasSeat(SamplingSeat):
    """Seat that keeps, per table, a model of the opponent and the hands it has shown down."""

    def __init__(self, game: Game, tables: int, settings: NDArray[np.record], rng: Streams) -> None:
        super().__init__(rng)
        self.game = game
        self.settings = settings
        self.profiles: Profiles = Profiles(game, tables)
        settings["small_blind"] = self.profiles.small_blind
        # Untouched zero pages take no memory, and most patterns never occur.
        self.shown: NDArray[np.int32] = np.zeros((tables, PATTERNS, int(settings["buckets"][0])), np.int32)
        self.cases: Ints = np.zeros(tables, np.int64)

    def watch(self, hands: FinishedHands) -> None:
        """Update the opponent models and retain the hands that were shown down."""
        if self.settings["opponent"][0]:
            self.profiles.watch(hands)
        if self.settings["cases"][0]:
            tables = np.ascontiguousarray(hands.tables, dtype=np.int64)
            own = -1 if hands.player is None else hands.player
            recorded = hands.batch.hands, hands.history, hands.lineup, own, tables
            retain(self.game.rules_row, *recorded, rank_tables(), self.shown, self.cases)

    def state(self) -> SeatState:
        """Return the opponent models and the retained cases."""
        return {"shown": self.shown, "cases": self.cases, **self.profiles.state()}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.shown = checked_array(state, "shown", self.shown)
        self.cases = checked_array(state, "cases", self.cases)
        self.profiles.restore(state)

    def decisions(self, views: Views, settings: NDArray[np.record] | None = None) -> NDArray[np.record]:
        """Return a `DECISION` per view, with other `settings` if given."""
        out = np.empty(len(views), DECISION)
        tables = np.ascontiguousarray(views.table, dtype=np.int64)
        memory = self.profiles.rows, self.shown, self.cases, book()
        rows = np.ascontiguousarray(views.rows)
        chosen = self.settings if settings is None else settings
        decide_all(self.game.rules_row, rows, views.history, outlook(views), tables, *memory, chosen, out)
        return out

    def policy(self, views: Views) -> Policy:
        """Return the merged triples as a legal policy."""
        return legal_policy(views, self.decisions(views)["triple"])

    def reasons(self, view: View) -> list[str]:
        """State the class of the hand, the rule for it, and what the other units add."""
        table = int(view.alone.table[0])
        found, known = self.decisions(view.alone)[0], self.profiles[table]
        return plicas_reasons(view, found, self.settings[0], known)

    def details(self, views: Views) -> tuple[Detail, ...]:
        """Return each active unit's influence on the policy at the first view, and its findings.

        The weight is the probability mass that would move if only this unit were off. Among the facts is the
        change in the probability of each action that the unit causes.
        """
        alone = views[:1]
        found = self.decisions(alone)[0]
        units = [unit for unit in UNITS if self.settings[unit][0]]
        if alone.street[0] == 0:
            units = [unit for unit in units if unit in ("opponent", "preflop", "dprc")]
        else:
            units = [unit for unit in units if unit not in ("preflop", "dprc")]
        return tuple(self._ground(alone, unit, found) for unit in units)

    def _ground(self, alone: Views, unit: str, found: np.record) -> Detail:
        with_it = self.policy(alone)
        without = legal_policy(alone, self._without(alone, unit)["triple"])
        moved = _by_kind(with_it) - _by_kind(without)
        parts = {
            name: f"{part:+.3f}"
            for name, part in zip(("fold", "call", "raise"), moved.tolist(), strict=True)
            if abs(part) > 5e-4
        }
        facts = self._facts(alone, unit, found)
        return Detail(UNITS[unit].partition(":")[0], float(np.abs(moved).sum() / 2), facts | parts)

    def _without(self, alone: Views, unit: str) -> NDArray[np.record]:
        """Return the decision with one unit off; without the opponent model the opponent is unknown."""
        if unit != "opponent":
            settings = self.settings.copy()
            settings[unit] = 0
            return self.decisions(alone, settings)
        table = int(alone.table[0])
        known = self.profiles.rows[table].copy()
        try:
            self.profiles.rows[table] = np.zeros(1, self.profiles.rows.dtype)[0]
            return self.decisions(alone)
        finally:
            self.profiles.rows[table] = known

    def _facts(self, alone: Views, unit: str, found: np.record) -> dict[str, float | str]:
        known = self.profiles[int(alone.table[0])]
        if unit == "opponent":
            shown = known._asdict()
            return {name.replace("_", " "): round(value, 3) for name, value in shown.items()}
        if unit == "preflop":
            return {"class": int(found.number) + 1}
        if unit == "dprc":
            return {"range": round(float(found.range), 3), "against": round(float(found.other_range), 3)}
        if unit == "postflop":
            return {"bucket": int(found.bucket)} | _triple(found.rules)
        if unit == "cases":
            return {"similar cases": int(found.similar)} | (_triple(found.cases) if found.similar else {})
        if unit == "bluff":
            return {"bluffs": round(float(found.bluff), 3)} if found.bluff >= 0 else {}
        return {"buckets up": round(float(found.shift), 3)}


def _by_kind(policy: Policy) -> Floats:
    """Return the probabilities of fold, call and raise at the only view of a policy.

    A legal policy has already turned folds into checks where checking is free.
    """
    probabilities = np.zeros(3)
    np.add.at(probabilities, np.sign(policy.codes[0]) + 1, policy.probabilities[0])
    return probabilities


def _triple(values: Floats) -> dict[str, float | str]:
    """Format a triple as a fact with two decimals."""
    return {"says": " ".join(f"{value:.2f}" for value in values.tolist())}
