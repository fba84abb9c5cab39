"""Gymnasium vector environment: many tables in one batch of the engine, one learner at each."""

from collections.abc import Sequence
from copy import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from holdmem.agent import FinishedHands, Seat, Views, make_agent
from holdmem.agent.ask import show_to_all, watches
from holdmem.agent.kernels.views import waiting_for
from holdmem.agent.play import let_act
from holdmem.core.errors import GameError, IllegalAction
from holdmem.core.random import HAND_ID, Streams
from holdmem.core.types import Flags, Ints
from holdmem.engine import PARTS, Batch, Game
from holdmem.engine.kernels.batch import act_all
from holdmem.rl.gymnasium_env import CALL_CHOICE, LEARNER, OpponentSpec, checked_seat, opponent_names
from holdmem.rl.spaces import action_space, observation_space
from holdmem.rl.table import EnvironmentTable, IllegalChoice, ObservationDict


class TableVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` tables in one batch, each as in `TableEnv`: one hand per episode, the reward at its end.

    A finished hand is replaced by the next one in the same step (`AutoresetMode.SAME_STEP`): observation and
    mask are those of the new hand, and `info["final_obs"]` has the last observation of the finished one. With
    a seed, table k gets the cards of table k of that seed, so that the first table plays the hands of a
    `TableEnv` with the same seed. Each opponent is one seat at all tables and remembers each by itself.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1024,
        opponents: OpponentSpec = "simplebot",
        game: Game | str = "limit",
        seats: int | None = None,
        raises: Sequence[float] | None = None,
        seat: int | None = None,
        illegal: IllegalChoice = "mend",
    ) -> None:
        if num_envs < 1:
            raise GameError(f"expected at least one table, got {num_envs}")
        self.num_envs = num_envs
        self.table: EnvironmentTable = EnvironmentTable(game, seats, raises, illegal)
        self.names: list[str] = opponent_names(opponents, self.table.game)
        self.seat: int | None = checked_seat(seat, self.table.game)
        self.single_observation_space: gymnasium.Space[Any] = observation_space(self.table)
        self.single_action_space: gymnasium.Space[Any] = action_space(self.table)
        self.observation_space: gymnasium.Space[Any] = batch_space(self.single_observation_space, num_envs)
        self.action_space: gymnasium.Space[Any] = batch_space(self.single_action_space, num_envs)
        self._every = np.arange(num_envs)
        self._players: dict[int, Seat] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationDict, dict[str, Any]]:
        """Deal the next hand at every table; with a seed, the first to opponents who remember nothing.

        Parameters
        ----------
        seed : begins a new sequence of hands; None deals the next hands of the current one.
        options : not used.

        Returns
        -------
        observations, info : one row per table.
        """
        super().reset(seed=seed)
        if seed is not None or not self._players:
            self._sit(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._deal(self._every)
        return self._see(), self._info()

    def _sit(self, seed: int) -> None:
        rng, game = Streams.of(seed), self.table.game
        self._cards = rng.spawn("cards")
        self._ids = np.zeros(self.num_envs, dtype=HAND_ID)
        self._ids["table"], self._numbers = self._every, np.full(self.num_envs, -1, dtype=np.int64)
        self._lineup = np.zeros((self.num_envs, game.seats), dtype=np.int64)
        self._own = np.zeros(self.num_envs, dtype=np.int64)
        self._idle = np.zeros(self.num_envs, dtype=bool)
        self._batch = Batch(game, self._cards.decks(self._ids, game.deck_cards))
        self._players = {
            player: make_agent(name).sit(game, self.num_envs, rng.spawn("player", player))
            for player, name in enumerate(self.names, start=LEARNER + 1)
        }
        self._watching = [
            (player, seat, self.names[player - 1]) for player, seat in self._players.items() if watches(seat)
        ]

    def _deal(self, tables: Ints) -> None:
        """Deal the next hand at these tables and play it up to the learner's decision."""
        seats = self.table.game.seats
        self._numbers[tables] += 1
        self._ids["hand"] = self._numbers
        first = -self._numbers[tables] if self.seat is None else np.full(len(tables), self.seat)
        self._own[tables] = first % seats
        self._lineup[tables] = (np.arange(seats) - first[:, None]) % seats
        self._batch.deal(tables, self._cards.decks(self._ids[tables], self.table.game.deck_cards))
        self._go_on(tables)
        self._idle[tables] = self._over(tables)

    def step(
        self, actions: ArrayLike
    ) -> tuple[ObservationDict, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Play one action per table, then the opponents' up to the learner's next decision.

        Parameters
        ----------
        actions : index of a choice per table.

        Returns
        -------
        observations, rewards, terminated, truncated, info : one row per table.
        """
        self._act(self._checked(actions))
        over = self._over(self._every)
        parts = self._batch.hands["net"][self._every, self._own]
        rewards = np.where(over, parts / PARTS / self.table.game.unit[0], 0.0)
        ended = np.flatnonzero(over)
        final = self._final(ended)
        if len(ended):
            self._deal(ended)
        return self._see(), rewards, over, np.zeros(self.num_envs, dtype=bool), self._info() | final

    def _checked(self, actions: ArrayLike) -> Ints:
        chosen = np.asarray(actions)
        if not self._players:
            raise IllegalAction("call reset() first")
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise IllegalAction(
                f"expected {self.num_envs} ints as actions, got {chosen.dtype} of shape {chosen.shape}"
            )
        outside = (chosen < 0) | (chosen >= self._mask.shape[1])
        refused = self.table.illegal == "refuse"
        wrong = outside | (self._mask[self._every, np.where(outside, 0, chosen)] == 0 if refused else outside)
        if wrong.any():
            table = int(wrong.argmax())
            self.table.check(int(chosen[table]), self._mask[table])
        return chosen.astype(np.int64)

    def _act(self, chosen: Ints) -> None:
        """Play the learner's choices where it has a decision; `_codes` are legal whatever was chosen."""
        active = np.flatnonzero(~self._idle)
        batch, codes = self._batch, self._codes[active, chosen[active]]
        act_all(batch.game.rules_row, batch.hands, batch.history, active, codes)
        self._go_on(active)

    def _go_on(self, tables: Ints) -> None:
        """Let the opponents act at these tables until the learner is to act or the hand is over."""
        batch, waiting = self._batch, tables
        mine = np.empty_like(tables)
        while True:
            to_act = batch.hands["to_act"][waiting]
            waiting = waiting[(to_act >= 0) & (to_act != self._own[waiting])]
            if not len(waiting):
                break
            for player, seat in self._players.items():
                count = waiting_for(batch.hands, self._lineup, player, waiting, mine)
                if count:
                    views = Views.of(batch, mine[:count], self._ids, self._every)
                    let_act(batch, mine[:count], views, seat, self.names[player - 1])
        self._show(tables[self._over(tables)])

    def _show(self, tables: Ints) -> None:
        """Show finished hands to opponents that watch."""
        if self._watching and len(tables):
            batch = copy(self._batch)
            for field in ("decks", "stacks", "hands", "history"):
                setattr(batch, field, getattr(batch, field)[tables])
            show_to_all(FinishedHands(batch, self._lineup[tables], self._ids[tables], tables), self._watching)

    def _over(self, tables: Ints) -> Flags:
        over: Flags = self._batch.hands["to_act"][tables] < 0
        return over

    def _see(self) -> ObservationDict:
        self._codes = np.zeros((self.num_envs, len(self.table.choices)), dtype=np.int64)
        self._mask = np.zeros(self._codes.shape, dtype=np.int8)
        active = np.flatnonzero(~self._idle)
        self._codes[active], self._mask[active] = self.table.choices.of_batch(self._batch, active)
        self._mask[self._idle, CALL_CHOICE] = 1
        rows = self.table.observation.of_batch(self._batch, self._every, self._own)
        return {"observation": rows, "action_mask": self._mask.copy()}

    def _info(self) -> dict[str, Any]:
        return {"hand": self._numbers.copy(), "seat": self._own.copy(), "idle": self._idle.copy()}

    def _final(self, ended: Ints) -> dict[str, Any]:
        """Return the last observations of finished hands as Gymnasium expects them."""
        if not len(ended):
            return {}
        rows = self.table.observation.of_batch(self._batch, ended, self._own)
        none = np.zeros((len(ended), len(self.table.choices)), dtype=np.int8)
        found = np.full(self.num_envs, None, dtype=object)
        found[ended] = [
            {"observation": row, "action_mask": mask} for row, mask in zip(rows, none, strict=True)
        ]
        present = np.zeros(self.num_envs, dtype=bool)
        present[ended] = True
        return {"final_obs": found, "_final_obs": present}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks of legal choices, under the name that sb3-contrib expects.

        Returns
        -------
        NDArray of bool : shape (tables, choices).
        """
        return self._mask.astype(bool)


gymnasium.register("HoldMemVector-v0", vector_entry_point=f"{__name__}:TableVectorEnv")
