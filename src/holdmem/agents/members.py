"""Players made of other players: the seats of the members, and what all of them can do."""

from collections.abc import Sequence

import numpy as np

from holdmem.errors import AgentError
from holdmem.rules import Game
from holdmem.table import Agent, Finished, Policy, Seat, State, Streams, Views, name_of
from holdmem.table.lockstep import watches
from holdmem.table.memories import restore_all, state_of


class Members:
    """Agents that sit down together, each with random numbers of its own."""

    def __init__(self, agents: Sequence[Agent], game: Game, tables: int, rng: Streams) -> None:
        if not agents:
            raise AgentError("expected members, got none")
        self.names = [name_of(agent) for agent in agents]
        self.seats: list[Seat] = [
            _seated(agent, name, game, tables, rng.spawn("member", place))
            for place, (agent, name) in enumerate(zip(agents, self.names, strict=True))
        ]

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def have_policies(self) -> bool:
        """Whether all can say how likely they are to do what."""
        return all(getattr(seat, "policy", None) is not None for seat in self.seats)

    @property
    def learn(self) -> bool:
        """Whether any learns from ended hands."""
        return any(watches(seat) for seat in self.seats)

    def watch(self, hands: Finished) -> None:
        """Show these hands to those that learn."""
        for seat in self.seats:
            if watches(seat):
                seat.watch(hands)

    def state(self) -> State:
        """What those that learn have learned."""
        return state_of(self.seats, self.names)

    def restore(self, state: State) -> None:
        """Take that up again."""
        restore_all(self.seats, self.names, state)

    def policy(self, member: int, views: Views) -> Policy:
        """How likely a member is to do what."""
        found: Policy = self.seats[member].policy(views)  # type: ignore[attr-defined]
        return found


def _seated(agent: Agent, name: str, game: Game, tables: int, rng: Streams) -> Seat:
    try:
        return agent.sit(game, tables, rng)
    except AgentError as error:
        raise AgentError(f"member {name}: {error}") from error


def side_by_side(count: int, parts: Sequence[tuple[np.ndarray, Policy]]) -> Policy:
    """One policy for `count` views of policies for some of them each, whatever the widths."""
    width = max(part.codes.shape[1] for _, part in parts)
    chances, codes = np.zeros((count, width)), np.zeros((count, width), dtype=np.int64)
    for rows, part in parts:
        chances[rows, : part.codes.shape[1]] = part.probabilities
        codes[rows, : part.codes.shape[1]] = part.codes
    return Policy(chances, codes)
