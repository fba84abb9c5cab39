"""A table of agents only, advanced step by step by its spectator."""

import secrets
import time
from collections.abc import Sequence

from holdmem.agent import make_agent
from holdmem.agent.describe import numbered
from holdmem.agent.single_hand import SingleHand
from holdmem.arena.score import Score
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, hand_ids
from holdmem.core.types import JsonObject
from holdmem.engine import Game
from holdmem.web.serialize import EVERYTHING, game_words, table_state
from holdmem.web.session import bankroll

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
        self._deal()

    def _deal(self) -> None:
        where = hand_ids(1, first_hand=self.number)
        deck = self.cards.decks(where, self.game.deck_cards)[0]
        lineup = [(seat + self.number) % self.game.seats for seat in range(self.game.seats)]
        self.hand = SingleHand(self.game, deck, lineup, self.number)
        self.number += 1
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
            self._act()
        return self.state()

    def _act(self) -> None:
        player = self.hand.to_act
        assert player is not None
        self.hand.let_act(self.seats[player], self.names[player])
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

    def _close(self) -> None:
        """Show the finished hand to agents that learn, and score it."""
        self.hand.show_to_all(zip(range(len(self.seats)), self.seats, self.names, strict=True))
        won = self.hand.finished().by_player(self.game.seats)[0].tolist()
        for score, parts in zip(self.scores, won, strict=True):
            score.add(parts)

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
            "bankrolls": [bankroll(score.results) for score in self.scores],
            **table_state(self.hand, self.names, EVERYTHING),
        }
