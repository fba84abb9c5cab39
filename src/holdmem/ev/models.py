"""Models of players: what they do on, and how likely what they did is with every holding they can have."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Actions, Agent, Policy, PolicySeat, Views
from holdmem.cards.classes import HOLDINGS
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.ev.kernels.ranges import multiply_by_person
from holdmem.people.holdings import classes_of_boards
from holdmem.people.learn import NAMES
from holdmem.people.memory import PersonMemory
from holdmem.people.situations import action_classes, features_of
from holdmem.players.clone import CloneSeat

SLIP = 0.01
"""Share of decisions in which holdings are taken not to matter, so that no holding is ever excluded."""
AT_ONCE = 64
"""Actions whose probability is asked for with all holdings at once."""


class PlayerModel(Protocol):
    """A player whose policy is known: it goes on with a hand, and it weighs holdings by past actions."""

    def policy(self, views: Views) -> Policy:
        """Return the probability of each action."""
        ...

    def act(self, views: Views) -> Actions:
        """Choose one action per view."""
        ...

    def weigh(self, views: Views, actions: Ints, spots: Ints, ranges: Floats) -> None:
        """Multiply `ranges` (spots, seats, 1326) by the probability of each action with each holding."""
        ...


class PersonModel(CloneSeat):
    """A remembered person, style or population."""

    def weigh(self, views: Views, actions: Ints, spots: Ints, ranges: Floats) -> None:
        """Multiply `ranges` by the probabilities in the person's tables."""
        if not len(views):
            return
        person, features = self.person, features_of(views)
        classes, _ = action_classes(views, actions)
        after = views.street > 0
        what, size = (self._leaves(kind, features, after) for kind in ("what", "size"))
        shown, index = np.unique(views.board[after], axis=0, return_inverse=True)
        boards = np.full(len(views), -1, dtype=np.int64)
        boards[after] = index.reshape(-1)
        what_pre, size_pre, what_post, size_post = (person.tables[name] for name in NAMES)
        held = classes_of_boards(shown.reshape(-1, 5))
        multiply_by_person(
            spots, views.seat.astype(np.int64), classes, boards, what, size, held, what_pre, size_pre,
            what_post, size_post, ranges,
        )  # fmt: skip

    def _leaves(self, kind: str, features: NDArray[np.uint8], after: NDArray[np.bool_]) -> Ints:
        found = np.zeros(len(features), dtype=np.int64)
        for part, which in (("pre", ~after), ("post", after)):
            found[which] = self.person.trees[f"{kind}_{part}"].leaf_of(features[which])
        return found


class AgentModel:
    """Any agent that gives its action probabilities; raises of all sizes count as one action in ranges."""

    def __init__(self, seat: PolicySeat) -> None:
        self.seat = seat

    def policy(self, views: Views) -> Policy:
        """Return the agent's policy."""
        return self.seat.policy(views)

    def act(self, views: Views) -> Actions:
        """Choose one action per view."""
        return self.seat.act(views)

    def weigh(self, views: Views, actions: Ints, spots: Ints, ranges: Floats) -> None:
        """Multiply `ranges` by the agent's probabilities, mixed with their mean over all holdings."""
        for begin in range(0, len(views), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            found, free = self._probabilities(views[part], actions[part])
            mean = found.sum(axis=1, keepdims=True) / np.maximum(free.sum(axis=1, keepdims=True), 1)
            mean = np.where(mean > 0, mean, 1.0)
            for k, row in enumerate(((1 - SLIP) * found + SLIP * mean) * free):
                ranges[spots[begin + k], views.seat[begin + k]] *= row

    def _probabilities(self, views: Views, actions: Ints) -> tuple[Floats, Floats]:
        """Return each action's probability with each holding (n, 1326), and which holdings are possible."""
        places = np.repeat(np.arange(len(views)), len(HOLDINGS))
        hole = np.tile(HOLDINGS.astype(np.int8), (len(views), 1))
        board = views.board[places]
        free = ~(hole[:, :, None] == board[:, None, :]).any(axis=(1, 2))
        found = np.zeros(len(places))
        policy = self.seat.policy(views[places[free]].with_hole(hole[free]))
        same = np.sign(policy.codes) == np.sign(actions[places[free]])[:, None]
        found[free] = np.where(same, policy.probabilities, 0.0).sum(axis=1)
        shape = (len(views), len(HOLDINGS))
        return found.reshape(shape), free.reshape(shape).astype(np.float64)


def model_of(player: Agent | PersonMemory, game: Game, rng: Streams) -> PlayerModel:
    """Return a player as a model; AgentError if it does not give its action probabilities."""
    if isinstance(player, PersonMemory):
        return PersonModel(player, rng)
    seat = player.sit(game, 1, rng)
    if isinstance(seat, CloneSeat):
        return PersonModel(seat.person, rng)
    if not isinstance(seat, PolicySeat):
        raise AgentError(f"{player}: expected an agent that gives its action probabilities")
    if hasattr(seat, "watch"):
        raise AgentError(f"{player}: expected an agent that does not learn during play")
    return AgentModel(seat)
