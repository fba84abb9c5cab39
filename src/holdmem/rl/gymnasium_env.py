"""Gymnasium environment of a table: one learner against HoldMem agents."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Agent, Seat, make_agent
from holdmem.agent.registry import given_name
from holdmem.core.errors import AgentError, GameError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.rl.spaces import action_space, observation_space
from holdmem.rl.table import EnvironmentTable, IllegalChoice, ObservationDict

LEARNER = 0
CALL_CHOICE = 1
OpponentSpec = Agent | str | Sequence[Agent | str]


class TableEnv(gymnasium.Env[Any, Any]):
    """Gymnasium environment; one hand per episode.

    The reward comes at the end of the hand: the learner's winnings in small bets (limit) or big blinds
    (no-limit). If the hand ends before the learner has to act, only a call is legal; it has no effect and
    earns the result. The rewards of an episode therefore always sum to the result of its hand.

    `opponents` is one agent for all other seats, or a list with one agent per other seat. `seat` is counted
    from the left of the button; without it the button moves. `reset(seed=…)` starts again from the first hand
    of that seed with opponents that remember nothing; `reset()` deals the next hand to the same opponents.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        opponents: OpponentSpec = "simplebot",
        game: Game | str = "limit",
        seats: int | None = None,
        raises: Sequence[float] | None = None,
        seat: int | None = None,
        illegal: IllegalChoice = "mend",
        render_mode: str | None = None,
    ) -> None:
        self.table: EnvironmentTable = EnvironmentTable(game, seats, raises, illegal)
        self.names: list[str] = opponent_names(opponents, self.table.game)
        self.seat: int | None = checked_seat(seat, self.table.game)
        self.render_mode = render_mode
        self.observation_space: gymnasium.Space[Any] = observation_space(self.table)
        self.action_space: gymnasium.Space[Any] = action_space(self.table)
        self._seats: dict[int, Seat] = {}
        self._idle = False
        """Whether the hand ended before the learner had to act, and its reward is still to be paid."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationDict, dict[str, Any]]:
        """Deal the next hand, or the first hand of a seed, and play it up to the learner's decision.

        Parameters
        ----------
        seed : begins a new sequence of hands; None deals the next hand of the current one.
        options : not used.

        Returns
        -------
        observation, info : what the learner sees, and facts that are no part of it.
        """
        super().reset(seed=seed)
        if seed is not None or not self._seats:
            self._sit(int(self.np_random.integers(2**63)) if seed is None else seed)
        self.table.deal(self.seat)
        self._go_on()
        self._idle = self.table.hand.over
        return self._see(), self._info()

    def _sit(self, seed: int) -> None:
        rng = Streams.of(seed)
        self.table.begin(rng)
        self._seats = {
            player: make_agent(name).sit(self.table.game, 1, rng.spawn("player", player))
            for player, name in enumerate(self.names, start=LEARNER + 1)
        }

    def step(self, action: int) -> tuple[ObservationDict, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the opponents' until the learner is to act or the hand is over.

        Parameters
        ----------
        action : index of a choice, one of those that the mask allows.

        Returns
        -------
        observation, reward, terminated, truncated, info : as in Gymnasium.
        """
        if self._idle:
            self.table.check(int(action), self._mask())
            self._idle = False
        else:
            self.table.choose(int(action))
            self._go_on()
        over = self.table.hand.over
        reward = self.table.result(LEARNER) if over else 0.0
        return self._see(), reward, over, False, self._info()

    def _see(self) -> ObservationDict:
        row = self.table.observation.of(self.table.hand, LEARNER)
        return {"observation": row, "action_mask": self._mask()}

    def _mask(self) -> NDArray[np.int8]:
        if self._idle:
            return np.array([choice == CALL_CHOICE for choice in range(len(self.table.choices))], np.int8)
        return self.table.mask(LEARNER)

    def _info(self) -> dict[str, Any]:
        return {"hand": self.table.number, "seat": self.table.hand.seat_of(LEARNER), "idle": self._idle}

    def _go_on(self) -> None:
        hand = self.table.hand
        while hand.to_act not in (LEARNER, None):
            hand.let_act(self._seats[hand.to_act], self.names[hand.to_act - 1])
        if hand.over:
            hand.show_to_all((player, seat, self.names[player - 1]) for player, seat in self._seats.items())

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal choices, under the name that sb3-contrib expects.

        Returns
        -------
        NDArray of bool : one entry per choice.
        """
        return self._mask().astype(bool)

    def render(self) -> str | None:
        """Return the hand as text, as the player to act sees it.

        Returns
        -------
        str : None unless `render_mode` is "ansi".
        """
        return self.table.words() if self.render_mode == "ansi" else None


def checked_seat(seat: int | None, game: Game) -> int | None:
    """Return the learner's fixed seat, or None if the button moves; GameError if there is no such seat."""
    if seat is not None and not 0 <= seat < game.seats:
        raise GameError(f"expected a seat from 0 to {game.seats - 1}, got {seat}")
    return seat


def opponent_names(opponents: OpponentSpec, game: Game) -> list[str]:
    """Return the opponents' names as text that recreates each agent; agents may also be given as objects."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        opponents = [opponents] * (game.seats - 1)
    names = [given_name(agent) for agent in opponents]
    if len(names) != game.seats - 1:
        raise AgentError(f"{game.name}: expected 1 or {game.seats - 1} opponents, got {len(names)}")
    return names


gymnasium.register("HoldMem-v0", entry_point=f"{__name__}:TableEnv")
