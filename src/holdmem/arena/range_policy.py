"""Query an agent's policy for every holding, once per public state.

A policy is a function of what the view shows, so tables with the same board and the same betting share an
answer.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Policy, PolicySeat, Views
from holdmem.agent.ask import ask_policy
from holdmem.agent.kernels.views import look
from holdmem.agent.views import VIEW
from holdmem.arena.kernels.local_best_response import first_bad
from holdmem.cards.classes import HOLDINGS
from holdmem.core.errors import BadDecision
from holdmem.core.random import hand_ids
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS

MOST_VIEWS = 1 << 14
"""Number of views in one query, about 5 MB."""


class RangePolicy(NamedTuple):
    """The policy at some states: rows `first[s]` to `first[s + 1]` are the holdings of state s."""

    first: Ints
    holdings: Ints
    probabilities: Floats
    codes: Ints


def public_states(hands: NDArray[np.record], history: NDArray[np.record]) -> list[bytes]:
    """Return a key per hand, equal for hands with the same betting and the same visible board."""
    longest = int(hands["actions"].max(initial=0))
    seen = np.arange(5) < np.array(BOARD_CARDS)[hands["street"]][:, None]
    parts = [hands["actions"][:, None], history["to"][:, :longest], np.where(seen, hands["board"], -1)]
    keys = np.concatenate(parts, axis=1).astype(np.int32)
    return [key.tobytes() for key in keys]


def group_keys(keys: list[bytes]) -> tuple[dict[bytes, int], Ints, Ints]:
    """Number the distinct keys; return that mapping, the number of every key, and where each occurs first."""
    numbers: dict[bytes, int] = {}
    groups = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
    _, first = np.unique(groups, return_index=True)
    return numbers, groups, first.astype(np.int64)


class RangePolicyQuery:
    """Queries the policy of a seated agent and validates its answers."""

    def __init__(self, game: Game, name: str, seat: PolicySeat, most_views: int = MOST_VIEWS) -> None:
        self.game = game
        self.name = name
        self.seat = seat
        self.most_views = most_views

    def ask(
        self, hands: NDArray[np.record], history: NDArray[np.record], states: Ints, alive: NDArray[np.uint8]
    ) -> RangePolicy:
        """Return the policy in `states`, indices of hands, for the holdings marked `alive` (states, 1326)."""
        rows = np.empty(len(states), dtype=VIEW)
        look(self.game.rules_row, hands, states, hand_ids(len(hands)), rows)
        bare = rows.view(np.dtype((np.void, VIEW.itemsize)))  # numpy copies bytes faster than fields
        of_state, holdings = np.nonzero(alive)
        parts = []
        for start in range(0, len(holdings), self.most_views):
            part = slice(start, start + self.most_views)
            asked = bare.take(of_state[part]).view(VIEW)
            asked["hole"] = HOLDINGS[holdings[part]]
            where = states[of_state[part]]
            views = Views(self.game, asked, history, where, np.zeros(len(where), np.int64))
            parts.append(self._policy(views, hands, where))
        probabilities, codes = _joined(parts)
        first = np.searchsorted(of_state, np.arange(len(states) + 1)).astype(np.int64)
        return RangePolicy(first, holdings.astype(np.int64), probabilities, codes)

    def _policy(self, views: Views, hands: NDArray[np.record], where: Ints) -> Policy:
        """Return the policy at these views; BadDecision if it fails or is not valid."""
        policy = ask_policy(self.seat, views, self.name)
        bad = first_bad(self.game.rules_row, hands, where, policy.probabilities, policy.codes)
        if bad >= 0:
            probabilities = dict(
                zip(policy.codes[bad].tolist(), policy.probabilities[bad].tolist(), strict=False)
            )
            raise BadDecision(
                f"{self.name}: expected probabilities of legal actions that sum to 1, got {probabilities}"
                f" at {views[bad]}"
            )
        return policy


def _joined(parts: list[Policy]) -> tuple[Floats, Ints]:
    """Concatenate answers; where the numbers of actions differ, the extra ones have probability 0."""
    count, most = sum(len(part.codes) for part in parts), max(part.codes.shape[1] for part in parts)
    if len(parts) == 1:
        return parts[0].probabilities, parts[0].codes
    probabilities, codes = np.zeros((count, most)), np.zeros((count, most), np.int64)
    start = 0
    for part in parts:
        stop, actions = start + len(part.codes), part.codes.shape[1]
        probabilities[start:stop, :actions], codes[start:stop, :actions] = part.probabilities, part.codes
        start = stop
    return probabilities, codes
