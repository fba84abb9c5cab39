"""Shared parts of agents composed of other agents: the members' seats, state and policies."""

from collections.abc import Sequence

import numpy as np

from holdmem.agent import Agent, FinishedHands, Policy, Seat, SeatState, Views, name_of
from holdmem.agent.ask import watches
from holdmem.agent.seat_state import restore_all, state_of
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game


class MemberSeats:
    """Member agents seated at the same tables, each with its own random streams."""

    def __init__(self, agents: Sequence[Agent], game: Game, tables: int, rng: Streams) -> None:
        if not agents:
            raise AgentError("expected at least one member, got none")
        self.names: list[str] = [name_of(agent) for agent in agents]
        self.seats: list[Seat] = [
            _seated(agent, name, game, tables, rng.spawn("member", place))
            for place, (agent, name) in enumerate(zip(agents, self.names, strict=True))
        ]

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def have_policies(self) -> bool:
        """Whether every member has a policy."""
        return all(getattr(seat, "policy", None) is not None for seat in self.seats)

    @property
    def learn(self) -> bool:
        """Whether any member learns from finished hands."""
        return any(watches(seat) for seat in self.seats)

    def watch(self, hands: FinishedHands) -> None:
        """Pass these hands to the members that learn."""
        for seat in self.seats:
            if watches(seat):
                seat.watch(hands)

    def state(self) -> SeatState:
        """Return the learned state of the members that learn, by member name."""
        return state_of(self.seats, self.names)

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        restore_all(self.seats, self.names, state)

    def policy(self, member: int, views: Views) -> Policy:
        """Return the policy of one member, given by its index, at these views."""
        found: Policy = self.seats[member].policy(views)  # type: ignore[attr-defined]
        return found


def _seated(agent: Agent, name: str, game: Game, tables: int, rng: Streams) -> Seat:
    try:
        return agent.sit(game, tables, rng)
    except AgentError as error:
        raise AgentError(f"member {name}: {error}") from error


def merge_policies(count: int, parts: Sequence[tuple[np.ndarray, Policy]]) -> Policy:
    """Combine policies for disjoint subsets of `count` views into one policy.

    Each part is (rows, policy for these rows). Parts may have different numbers of actions; narrower ones are
    padded with actions of probability 0.
    """
    width = max(part.codes.shape[1] for _, part in parts)
    probabilities, codes = np.zeros((count, width)), np.zeros((count, width), dtype=np.int64)
    for rows, part in parts:
        probabilities[rows, : part.codes.shape[1]] = part.probabilities
        codes[rows, : part.codes.shape[1]] = part.codes
    return Policy(probabilities, codes)
