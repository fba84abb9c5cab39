"""Hands that `check_agent` plays to test the laws of the agent contract: opponents, lineups and sessions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import (
    Actions,
    Agent,
    FinishedHands,
    Seat,
    Views,
    play,
)
from holdmem.core.random import HandIds, Streams, hand_ids
from holdmem.engine import Game
from holdmem.engine.state import CALL

HANDS = 60


class Caller:
    """Opponent that always calls, whatever its cards."""

    def act(self, views: Views) -> Actions:
        """Call at every view."""
        return Actions(np.full(len(views), CALL))


@dataclass(frozen=True)
class Raiser:
    """Opponent that mostly calls and often raises, so that the agent meets every kind of situation."""

    rng: Streams

    def act(self, views: Views) -> Actions:
        """Raise the minimum with probability 0.4, otherwise call."""
        coin = views.uniforms(self.rng)[:, 0]
        return Actions(np.where(coin < 0.4, views.min_raise_to, CALL))


def others(game: Game, seed: int) -> list[Seat]:
    """Return the opponents of the agent, seated."""
    return [Raiser(Streams.of(seed, "other", seat)) for seat in range(1, game.seats)]


def lineup_of(game: Game, hands: HandIds) -> NDArray[np.int64]:
    """Seat the agent, who is player 0, at a different place in every hand."""
    return (np.arange(game.seats) + hands["hand"].astype(np.int64)[:, None]) % game.seats


def play_session(
    agent: Agent, game: Game, seed: int, hands: HandIds, seat: Seat | None = None
) -> FinishedHands:
    """Play one hand per table against the fixed opponents, with a new seat unless `seat` is given."""
    decks = Streams.of(seed, "cards").decks(hands, game.deck_cards)
    seat = agent.sit(game, len(hands), Streams.of(seed, "agent")) if seat is None else seat
    players = [seat, *others(game, seed)]
    return play(game, players, decks, lineup=lineup_of(game, hands), where=hands, names=names_of(game))


def names_of(game: Game) -> list[str]:
    """Return the names that errors call the players by."""
    return ["the agent", *(f"other {number}" for number in range(1, game.seats))]


def actions_of(hands: FinishedHands) -> list[Any]:
    """Return all actions, one list per hand."""
    counts = hands.actions.tolist()
    return [row[:count].tolist() for row, count in zip(hands.history, counts, strict=True)]


def decisions(game: Game, seed: int) -> Iterator[Views]:
    """Yield views of a few hundred decisions, from hands that others play."""

    class Recorder(Raiser):
        """Raiser that records the views it is asked about."""

        def act(self, views: Views) -> Actions:
            seen.append(views)
            return super().act(views)

    seen: list[Views] = []
    hands = hand_ids(HANDS)
    decks = Streams.of(seed, "cards").decks(hands, game.deck_cards)
    players = [Recorder(Streams.of(seed, "other", 0)), *others(game, seed)]
    play(game, players, decks, lineup=lineup_of(game, hands), where=hands)
    yield from seen
