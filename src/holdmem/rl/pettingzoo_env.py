"""PettingZoo environment of a table: every seat is played from outside, in turn."""

from collections.abc import Sequence
from secrets import randbits
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.rl.spaces import action_space, observation_space
from holdmem.rl.table import EnvironmentTable, IllegalChoice, ObservationDict


class TableAEC(AECEnv[str, ObservationDict, int]):  # type: ignore[misc]
    """PettingZoo AEC environment; one hand per episode.

    `player_0`, `player_1` … keep their names while the button moves. `reset(seed=…)` starts again from the
    first hand of that seed, `reset()` deals the next hand.
    """

    metadata: dict[str, Any] = {"name": "holdmem_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012
    possible_agents: list[str]
    observation_spaces: dict[str, spaces.Dict]
    action_spaces: dict[str, spaces.Discrete]
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    agent_selection: str

    def __init__(
        self,
        game: Game | str = "limit",
        seats: int | None = None,
        raises: Sequence[float] | None = None,
        illegal: IllegalChoice = "mend",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table: EnvironmentTable = EnvironmentTable(game, seats, raises, illegal)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(self.table.game.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {name: observation_space(self.table) for name in self.possible_agents}
        self.action_spaces = {name: action_space(self.table) for name in self.possible_agents}
        self._begun = False

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space, which is equal for all players.

        Parameters
        ----------
        agent : name of a player.

        Returns
        -------
        Dict : the same for all players.
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space, which is equal for all players.

        Parameters
        ----------
        agent : name of a player.

        Returns
        -------
        Discrete : the same for all players.
        """
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next hand, or the first hand of a seed.

        Parameters
        ----------
        seed : begins a new sequence of hands; None deals the next hand of the current one.
        options : not used.
        """
        if seed is not None or not self._begun:
            self.table.begin(Streams.of(randbits(64) if seed is None else seed))
            self._begun = True
        self.table.deal()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {name: self._info(player) for player, name in enumerate(self.agents)}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._pass_on()
        self._accumulate_rewards()

    def _info(self, player: int) -> dict[str, Any]:
        return {"hand": self.table.number, "seat": self.table.hand.seat_of(player)}

    def step(self, action: int | None) -> None:
        """Play an action for the player to act; once the hand is over, remove players with `None`.

        Parameters
        ----------
        action : index of a choice, or None for a player whose hand is over.
        """
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"expected an action for {self.agent_selection}, whose turn it is, got None")
        self.table.choose(int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._pass_on()
        self._accumulate_rewards()

    def _pass_on(self) -> None:
        """Select the next player to act, or set all rewards if the hand is over."""
        player = self.table.hand.to_act
        if player is not None:
            self.agent_selection = self.possible_agents[player]
            return
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = {name: self.table.result(player) for player, name in enumerate(self.agents)}
        self._deads_step_first()

    def observe(self, agent: str) -> ObservationDict:
        """Return a player's observation; its action mask is all zero unless the player is to act.

        Parameters
        ----------
        agent : name of a player.

        Returns
        -------
        dict : observation and action mask.
        """
        return self.table.see(self.possible_agents.index(agent))

    def render(self) -> str | None:
        """Return the hand as text, as the player to act sees it.

        Returns
        -------
        str : None unless `render_mode` is "ansi".
        """
        return self.table.words() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def state(self) -> np.ndarray[Any, Any]:
        """Return the observations of all players, one row per player, for centralised critics.

        Returns
        -------
        NDArray : shape (players, size of an observation).
        """
        seen = [self.observe(name)["observation"] for name in self.possible_agents]
        return np.stack(seen)
