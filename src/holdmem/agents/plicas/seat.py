"""The seat of plicas: what it remembers of each table, what it decides, and the part of each unit in it."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agents.drawn import DrawnSeat
from holdmem.agents.plicas.case_kernels import PATTERNS, retain
from holdmem.agents.plicas.decision_kernels import DECISION, decide_all
from holdmem.agents.plicas.range_control import range_tables
from holdmem.agents.plicas.units import UNITS
from holdmem.agents.temper import top_shares
from holdmem.models import Profiles
from holdmem.rules import Game
from holdmem.strength import outlook, playable_curves
from holdmem.strength.turn import rank_tables
from holdmem.table import Finished, Ground, Policy, State, Streams, Views, legal_policy
from holdmem.table.memories import taken

Floats = NDArray[np.float64]


class Book(NamedTuple):
    """Tables that every plicas looks up."""

    shares: Floats
    """(169,): the share of all holdings in each nested range."""
    equity: Floats
    """(169, 169): of each nested range against each."""
    playable: Floats
    """(169,): the chance of a playable flop with each."""
    top: Floats
    """(52, 52): the share of holdings as good as these two cards or better."""


@cache
def book() -> Book:
    """The tables, read once in a process."""
    return Book(*range_tables(), playable_curves().playable.copy(), top_shares().copy())


class PlicasSeat(DrawnSeat):
    """Remembers of the opponent at each table how it plays and what it has shown down."""

    def __init__(self, game: Game, tables: int, settings: NDArray[np.record], streams: Streams) -> None:
        super().__init__(streams)
        self.game = game
        self.settings = settings
        self.profiles = Profiles(game, tables)
        settings["small_blind"] = self.profiles.small_blind
        # Zeros take no memory until they are written to: most patterns never come up.
        self.shown = np.zeros((tables, PATTERNS, int(settings["buckets"][0])), np.int32)
        self.cases = np.zeros(tables, np.int64)

    def watch(self, hands: Finished) -> None:
        """Note how the opponents played, and keep what they showed."""
        if self.settings["opponent"][0]:
            self.profiles.watch(hands)
        if self.settings["cases"][0]:
            tables = np.ascontiguousarray(hands.tables, dtype=np.int64)
            own = -1 if hands.player is None else hands.player
            told = hands.batch.hands, hands.history, hands.lineup, own, tables
            retain(self.game.rules_row, *told, rank_tables(), self.shown, self.cases)

    def state(self) -> State:
        """What it has seen of its opponents."""
        return {"shown": self.shown, "cases": self.cases, **self.profiles.state()}

    def restore(self, state: State) -> None:
        """Take that up again."""
        self.shown = taken(state, "shown", self.shown)
        self.cases = taken(state, "cases", self.cases)
        self.profiles.restore(state)

    def decisions(self, views: Views, settings: NDArray[np.record] | None = None) -> NDArray[np.record]:
        """What every unit says to these views."""
        out = np.empty(len(views), DECISION)
        tables = np.ascontiguousarray(views.table, dtype=np.int64)
        memory = self.profiles.rows, self.shown, self.cases, book()
        rows = np.ascontiguousarray(views.rows)
        chosen = self.settings if settings is None else settings
        decide_all(self.game.rules_row, rows, views.history, outlook(views), tables, *memory, chosen, out)
        return out

    def policy(self, views: Views) -> Policy:
        """The merged triples."""
        return legal_policy(views, self.decisions(views)["triple"])

    def grounds(self, views: Views) -> tuple[Ground, ...]:
        """Each unit: how much of the triple is its doing, and what it says.

        The weight is the share of the chances that would move if the unit alone were off; its facts tell by
        how much each action would be more or less likely without it.
        """
        alone = views[:1]
        found = self.decisions(alone)[0]
        units = [unit for unit in UNITS if self.settings[unit][0]]
        if alone.street[0] == 0:
            units = [unit for unit in units if unit in ("opponent", "preflop", "dprc")]
        else:
            units = [unit for unit in units if unit not in ("preflop", "dprc")]
        return tuple(self._ground(alone, unit, found) for unit in units)

    def _ground(self, alone: Views, unit: str, found: np.record) -> Ground:
        with_it = self.policy(alone)
        without = legal_policy(alone, self._without(alone, unit)["triple"])
        moved = _by_kind(with_it) - _by_kind(without)
        parts = {
            name: f"{part:+.3f}"
            for name, part in zip(("fold", "call", "raise"), moved.tolist(), strict=True)
            if abs(part) > 5e-4
        }
        facts = self._facts(alone, unit, found)
        return Ground(UNITS[unit].partition(":")[0], float(np.abs(moved).sum() / 2), facts | parts)

    def _without(self, alone: Views, unit: str) -> NDArray[np.record]:
        """The same decision if a unit were off; without the opponent model its table is a stranger's."""
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
    """The chances of fold, call and raise at the one view of a policy: a free fold has become a call."""
    chances = np.zeros(3)
    np.add.at(chances, np.sign(policy.codes[0]) + 1, policy.probabilities[0])
    return chances


def _triple(values: Floats) -> dict[str, float | str]:
    """A triple in words."""
    return {"says": " ".join(f"{value:.2f}" for value in values.tolist())}
