"""MegaBot: four strategies in rotation; it switches to the next one when it is losing."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdmem.agent import Detail, FinishedHands, Policy, SeatState, View, Views, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.seat_state import checked_array
from holdmem.agent.words.english import counted, in_unit, result, unit_name
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import PARTS, Game
from holdmem.players.rule_based.style_rules import style_policy
from holdmem.players.rule_based.style_words import style_reasons

if TYPE_CHECKING:
    from holdmem.core.types import Floats, Ints

STRATEGIES = ("maniac", "shark", "calling station", "rock")
LOOSE = np.array([0.9, 0.25, 0.95, 0.1])
AGGRESSIVE = np.array([0.9, 0.7, 0.1, 0.1])
HALF_POT = 0.5


class MegaSeat(SamplingSeat):
    """Seat that keeps, per table, the current strategy and the results of each."""

    def __init__(self, game: Game, tables: int, patience: int, rng: Streams) -> None:
        super().__init__(rng)
        self.game = game
        self.patience = patience
        self.current: Ints = np.zeros(tables, dtype=np.int64)
        self.since: Ints = np.zeros(tables, dtype=np.int64)
        """Hands since the last check whether it is losing, per table."""
        self.gained: Floats = np.zeros(tables)
        """Big blinds won in these hands, per table."""
        self.total: Floats = np.zeros((tables, len(STRATEGIES)))
        self.hands: Ints = np.zeros((tables, len(STRATEGIES)), dtype=np.int64)

    def policy(self, views: Views) -> Policy:
        """Return the policy of the strategy in use at each view's table."""
        chosen = self.current[views.table]
        return style_policy(self.game, views, LOOSE[chosen], AGGRESSIVE[chosen], HALF_POT)

    def watch(self, hands: FinishedHands) -> None:
        """Add up winnings; every `patience` hands switch to the next strategy if they are negative."""
        won = hands.by_player(hands.lineup.max() + 1)[:, hands.player] / (PARTS * self.game.big_blind)
        at = hands.tables
        np.add.at(self.total, (at, self.current[at]), won)
        np.add.at(self.hands, (at, self.current[at]), 1)
        np.add.at(self.gained, at, won)
        np.add.at(self.since, at, 1)
        ready = np.unique(at[self.since[at] >= self.patience])
        losing = ready[self.gained[ready] < 0]
        self.current[losing] = (self.current[losing] + 1) % len(STRATEGIES)
        self.since[ready] = 0
        self.gained[ready] = 0.0

    def state(self) -> SeatState:
        """Return the current strategy per table and what each strategy has won."""
        return {name: getattr(self, name) for name in ("current", "since", "gained", "total", "hands")}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.current = checked_array(state, "current", self.current, most=len(STRATEGIES) - 1)
        for name in ("since", "gained", "total", "hands"):
            setattr(self, name, checked_array(state, name, getattr(self, name)))

    def reasons(self, view: View) -> list[str]:
        """Say which strategy is in use and why, and which of its rules decides here."""
        table = int(view.alone.table[0])
        number = int(self.current[table])
        hands = int(self.hands[table, number])
        playing, mean = STRATEGIES[number], self._mean(table, number)
        rule = f"it plays as a {playing} and changes its style after {self.patience} hands if it is losing"
        per_hand = "in one hand" if hands == 1 else f"per hand in {counted(hands, 'hand')}"
        progress = f"So far that style {result(in_unit(mean, view.game), unit_name(view.game))} {per_hand}"
        style = style_reasons(view, float(LOOSE[number]), float(AGGRESSIVE[number]))
        return [rule, *([progress] if hands else []), *style]

    def details(self, views: Views) -> tuple[Detail, ...]:
        """Return the strategies and the mean winnings of each at this table, in big blinds per hand."""
        table = int(views.table[0])
        return tuple(
            Detail(name, float(self.current[table] == number), {"bb/h so far": self._mean(table, number)})
            for number, name in enumerate(STRATEGIES)
        )

    def _mean(self, table: int, number: int) -> float:
        return round(float(self.total[table, number] / max(self.hands[table, number], 1)), 3)


@register("megabot", style="four strategies, changes when it is losing", source="Marques (n.d.)")
@dataclass(frozen=True)
class MegaBot:
    """Rotates through four strategies, tight or loose and aggressive or passive, whenever it is losing.

    `patience` is the number of hands after which it checks whether it has lost over them.
    """

    patience: int = 100

    def __post_init__(self) -> None:
        if self.patience < 1:
            raise AgentError(f"megabot: expected patience of 1 hand or more, got {self.patience}")

    def sit(self, game: Game, tables: int, rng: Streams) -> MegaSeat:
        """Return a seat that begins with the first strategy; every game is supported."""
        return MegaSeat(game, tables, self.patience, rng)
