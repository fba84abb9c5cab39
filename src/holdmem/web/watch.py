"""A table of agents only, advanced step by step by its spectator."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence

from holdmem.agent import FinishedHands, Seat
from holdmem.agent.describe import numbered
from holdmem.agent.single_hand import SingleHand
from holdmem.arena.score import Score
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.core.types import JsonObject
from holdmem.engine import Game
from holdmem.history import Hands, RecordedHand
from holdmem.web.bankroll import band, bankroll
from holdmem.web.offers import NOBODY, Made, seated, shown_name
from holdmem.web.reasons import Decision, reasons
from holdmem.web.serialize import EVERYTHING, game_words, table_state

MOST_KEPT = 200
"""Hands that can be replayed."""
PATIENCE = 2.0
"""Maximum duration of one step in seconds."""


class WatchedTable:
    """Agents at one table. The button moves after every hand, and all cards are visible."""

    def __init__(
        self, game: Game, agents: Sequence[str], seed: int | None = None, made: Made = NOBODY
    ) -> None:
        if len(agents) != game.seats:
            raise AgentError(f"expected {game.seats} agents, got {len(agents)}")
        self.game = game
        self.agents: tuple[str, ...] = tuple(agents)
        self.names: list[str] = numbered([shown_name(name, made) for name in agents])
        self.seed: int = secrets.randbelow(2**32) if seed is None else seed
        rng = Streams.of(self.seed)
        self.seats: list[Seat] = [
            seated(name, made).sit(game, 1, rng.spawn("player", player)) for player, name in enumerate(agents)
        ]
        self.cards: Streams = rng.spawn("cards")
        self.scores: list[Score] = [Score(game) for _ in agents]
        self.number: int = 0
        self.decisions: list[Decision | None] = []
        """The reasons of each action of this hand; None where they were not asked for."""
        self.kept: OrderedDict[int, tuple[RecordedHand, list[JsonObject | None]]] = OrderedDict()
        """The latest hands by number, with the reasons of each action."""
        self._deal()

    def _deal(self) -> None:
        where = hand_ids(1, first_hand=self.number)
        deck = self.cards.decks(where, self.game.deck_cards)[0]
        lineup = [(seat + self.number) % self.game.seats for seat in range(self.game.seats)]
        self.hand: SingleHand = SingleHand(self.game, deck, lineup, self.number)
        self.number += 1
        self.decisions = []
        if self.hand.over:
            self._close()

    def step(self, hands: int = 0) -> JsonObject:
        """Play the next action, or deal a new hand if this one is over, and return the state.

        With `hands`, finish this hand, play that many more (as time allows) and deal the next.
        """
        if hands:
            self._finish_hand()
            self._play_hands(hands)
            self._deal()
        elif self.hand.over:
            self._deal()
        else:
            self._act(explain=True)
        return self.state()

    def _act(self, explain: bool = False) -> None:
        player = self.hand.to_act
        assert player is not None
        seat, views = self.seats[player], self.hand.views()
        code = self.hand.let_act(seat, self.names[player])
        explained_action = reasons(seat, views, player, code, self._names_by_seat()) if explain else None
        self.decisions.append(explained_action)
        if self.hand.over:
            self._close()

    def _finish_hand(self) -> None:
        while not self.hand.over:
            self._act()

    def _play_hands(self, hands: int) -> None:
        """Play this many hands, or as many as fit into `PATIENCE` seconds."""
        until = time.monotonic() + PATIENCE
        for _ in range(hands):
            self._deal()
            self._finish_hand()
            if time.monotonic() > until:
                return

    def _names_by_seat(self) -> list[str]:
        return [self.names[player] for player in self.hand.lineup]

    def _close(self) -> None:
        """Show the finished hand to agents that learn, score it, and keep it with its reasons."""
        self.hand.show_to_all(zip(range(len(self.seats)), self.seats, self.names, strict=True))
        finished = self.hand.finished()
        self._keep(self.hand.number, finished)
        won = finished.by_player(self.game.seats)[0].tolist()
        for score, parts in zip(self.scores, won, strict=True):
            score.add(parts)

    def _keep(self, number: int, finished: FinishedHands) -> None:
        self.kept[number] = Hands.of(finished, self.names)[0], self._reasons_so_far()
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)

    def recorded(self, number: int) -> RecordedHand:
        """Return one of the latest hands by its number."""
        if number not in self.kept:
            raise NotationError(f"expected one of the last {MOST_KEPT} hands watched, got hand {number}")
        return self.kept[number][0]

    def _reasons_so_far(self) -> list[JsonObject | None]:
        return [decision.plain() if decision else None for decision in self.decisions]

    def explained(self, number: int) -> list[JsonObject | None]:
        """Return the reasons for each action of a watched hand, finished or in play; None if not recorded."""
        if number == self.hand.number:
            return self._reasons_so_far()
        self.recorded(number)
        return self.kept[number][1]

    def state(self) -> JsonObject:
        """Return the table with all cards, the results so far and the bankrolls."""
        return {
            "type": "spectacle",
            "table": {
                "game": self.game.name,
                "words": game_words(self.game),
                "unit": self.game.unit[1],
                "agents": self.names,
                "seed": self.seed,
            },
            "scores": [score.plain() for score in self.scores],
            "reason": self.decisions[-1].plain() if self.decisions and self.decisions[-1] else None,
            "bankrolls": [bankroll(score.results) for score in self.scores],
            "bands": [band(score.results) for score in self.scores],
            **table_state(self.hand, self.names, EVERYTHING),
        }
