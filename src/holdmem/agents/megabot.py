"""MegaBot: four strategies, and another one of them when it is losing."""

from dataclasses import dataclass

import numpy as np

from holdmem.agents.drawn import DrawnSeat
from holdmem.agents.temper import temper_policy
from holdmem.errors import AgentError
from holdmem.rules import PARTS, Game
from holdmem.table import Finished, Ground, Policy, State, Streams, Views, register
from holdmem.table.memories import taken

STRATEGIES = ("maniac", "shark", "calling station", "rock")
LOOSE = np.array([0.9, 0.25, 0.95, 0.1])
AGGRESSIVE = np.array([0.9, 0.7, 0.1, 0.1])
HALF_POT = 0.5


class MegaSeat(DrawnSeat):
    """Remembers for each table how each strategy has done there."""

    def __init__(self, game: Game, tables: int, patience: int, streams: Streams) -> None:
        super().__init__(streams)
        self.game = game
        self.patience = patience
        self.current = np.zeros(tables, dtype=np.int64)
        self.since = np.zeros(tables, dtype=np.int64)
        """Hands since it last looked whether it is losing."""
        self.gained = np.zeros(tables)
        """Big blinds won in these hands."""
        self.total = np.zeros((tables, len(STRATEGIES)))
        self.hands = np.zeros((tables, len(STRATEGIES)), dtype=np.int64)

    def policy(self, views: Views) -> Policy:
        """What the strategy that it plays at each table does."""
        chosen = self.current[views.table]
        return temper_policy(self.game, views, LOOSE[chosen], AGGRESSIVE[chosen], HALF_POT)

    def watch(self, hands: Finished) -> None:
        """Count what was won; after `patience` hands see whether that is a loss, and change if it is."""
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

    def state(self) -> State:
        """Which strategy it plays at each table, and what each has won."""
        return {name: getattr(self, name) for name in ("current", "since", "gained", "total", "hands")}

    def restore(self, state: State) -> None:
        """Take that up again."""
        self.current = taken(state, "current", self.current, most=len(STRATEGIES) - 1)
        for name in ("since", "gained", "total", "hands"):
            setattr(self, name, taken(state, name, getattr(self, name)))

    def grounds(self, views: Views) -> tuple[Ground, ...]:
        """The strategies, and what each has won a hand at this table."""
        table = int(views.table[0])
        return tuple(
            Ground(name, float(self.current[table] == number), {"bb/h so far": self._mean(table, number)})
            for number, name in enumerate(STRATEGIES)
        )

    def _mean(self, table: int, number: int) -> float:
        return round(float(self.total[table, number] / max(self.hands[table, number], 1)), 3)


@register("megabot", style="four strategies, changes when it is losing", source="Marques (n.d.)")
@dataclass(frozen=True)
class MegaBot:
    """Tight or loose, aggressive or passive: goes over to another of the four when it is losing.

    `patience`: after how many hands it looks whether it has lost in them.
    """

    patience: int = 100

    def __post_init__(self) -> None:
        if self.patience < 1:
            raise AgentError(f"megabot: expected patience for a hand or more, got {self.patience}")

    def sit(self, game: Game, tables: int, rng: Streams) -> MegaSeat:
        """Plays every game, beginning with the first strategy."""
        return MegaSeat(game, tables, self.patience, rng)
