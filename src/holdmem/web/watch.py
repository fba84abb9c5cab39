"""A table of agents only, advanced step by step by its spectator."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from holdmem.agent import FinishedHands, make_agent, play
from holdmem.agent.describe import numbered
from holdmem.agent.single_hand import SingleHand
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.core.types import JsonObject
from holdmem.engine import Game
from holdmem.history import Hands, RecordedHand
from holdmem.web.reasons import Decision, reasons
from holdmem.web.score import Score
from holdmem.web.serialize import EVERYTHING, game_words, table_state
from holdmem.web.session import bankroll

MOST_KEPT = 200
"""Hands that can be replayed."""
PATIENCE = 2.0
"""Maximum duration of one step in seconds."""


class WatchedTable:
    """Agents at one table. The button moves after every hand, and all cards are visible."""

    def __init__(self, game: Game, agents: Sequence[str], seed: int | None = None) -> None:
        if len(agents) != game.seats:
            raise AgentError(f"expected {game.seats} agents, got {len(agents)}")
        self.game = game
        self.agents = tuple(agents)
        self.names = numbered(agents)
        self.seed = secrets.randbelow(2**32) if seed is None else seed
        rng = Streams.of(self.seed)
        self.seats = [
            make_agent(name).sit(game, 1, rng.spawn("player", player)) for player, name in enumerate(agents)
        ]
        self.cards = rng.spawn("cards")
        self.scores = [Score(game) for _ in agents]
        self.number = 0
        self.decisions: list[Decision] = []
        self.kept: OrderedDict[int, tuple[RecordedHand, list[JsonObject]]] = OrderedDict()
        """The latest hands by number, with the reasons of each action where they were asked for."""
        self.hand = self._deal()

    def _lineup(self) -> list[int]:
        return [(seat + self.number) % self.game.seats for seat in range(self.game.seats)]

    def _deal(self) -> SingleHand:
        where = hand_ids(1, first_hand=self.number)
        deck = self.cards.decks(where, self.game.deck_cards)[0]
        hand = SingleHand(self.game, deck, self._lineup(), self.number)
        self.number += 1
        self.decisions = []
        return hand

    def step(self, hands: int = 0) -> JsonObject:
        """Play the next action, or deal a new hand if this one is over, and return the state.

        With `hands`, finish this hand, play that many more (as time allows) and deal the next.
        """
        if hands:
            self._finish_hand()
            self._play_hands(hands)
            self.hand = self._deal()
        elif self.hand.over:
            self.hand = self._deal()
        else:
            self._act()
        return self.state()

    def _act(self) -> None:
        player = self.hand.to_act
        assert player is not None
        seat, views = self.seats[player], self.hand.views()
        code = int(seat.act(views).codes[0])
        self.decisions.append(reasons(seat, views, player, code))
        self.hand.act(code)
        if self.hand.over:
            self._count(self.hand)

    def _finish_hand(self) -> None:
        while not self.hand.over:
            self._act()

    def _play_hands(self, hands: int) -> None:
        """Play this many hands, or as many as fit into `PATIENCE` seconds."""
        until = time.monotonic() + PATIENCE
        for _ in range(hands):
            self._play_hand()
            if time.monotonic() > until:
                return

    def _play_hand(self) -> None:
        """Play one complete hand with `table.play`, which also shows it to agents that learn."""
        where = hand_ids(1, first_hand=self.number)
        decks = self.cards.decks(where, self.game.deck_cards)
        finished = play(
            self.game, self.seats, decks, lineup=[self._lineup()], where=where, names=self.names,
            tables=np.zeros(1, dtype=np.int64),
        )  # fmt: skip
        self._keep(self.number, finished, [])
        self.number += 1
        for score, parts in zip(self.scores, finished.by_player(self.game.seats)[0].tolist(), strict=True):
            score.add(parts)

    def _count(self, hand: SingleHand) -> None:
        finished = hand.finished()
        self._keep(hand.number, finished, [decision.plain() for decision in self.decisions])
        for player, seat in enumerate(self.seats):
            watch = getattr(seat, "watch", None)
            if watch is not None:
                watch(finished.seen_by(player))
        for score, parts in zip(self.scores, finished.by_player(self.game.seats)[0].tolist(), strict=True):
            score.add(parts)

    def _keep(self, number: int, finished: FinishedHands, told: list[JsonObject]) -> None:
        self.kept[number] = Hands.of(finished, self.names)[0], told
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)

    def recorded(self, number: int) -> RecordedHand:
        """Return one of the latest hands by its number."""
        if number not in self.kept:
            raise NotationError(f"expected one of the last {MOST_KEPT} hands watched, got hand {number}")
        return self.kept[number][0]

    def explained(self, number: int) -> list[JsonObject]:
        """Return the reasons of each action of that hand; none if it was played at once."""
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
            "reason": self.decisions[-1].plain() if self.decisions else None,
            "bankrolls": [bankroll(score.results) for score in self.scores],
            **table_state(self.hand, self.names, EVERYTHING),
        }
