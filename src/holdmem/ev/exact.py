"""Exact values of the actions at a heads-up decision on the river, by enumeration.

Every holding of the opponent is played against every sequence of actions that both policies allow, weighted
by its probability. Nothing is sampled, so the values have no standard error.
"""

import numpy as np

from holdmem.agent import Policy, Views
from holdmem.cards.classes import HOLDINGS
from holdmem.core.random import HAND_ID
from holdmem.core.types import Floats, Ints
from holdmem.engine import Batch
from holdmem.engine.state import PARTS
from holdmem.ev.rollouts import RolloutModels, batch_at
from holdmem.ev.spots import Spots

MOST = 400_000
"""Hands that are played at most; a decision that needs more is sampled."""


def can_enumerate(spots: Spots) -> bool:
    """Whether the only decision is heads-up and on the river."""
    return len(spots) == 1 and spots.game.seats == 2 and int(spots.views.street[0]) == 3


def enumerated(spots: Spots, ranges: Floats, actions: Ints, models: RolloutModels) -> Floats | None:
    """Return the chips won from here on by each of the actions; None if there are too many sequences.

    `actions` (k,) are legal and none is a fold; a fold is worth 0.
    """
    hero = int(spots.hero[0])
    weights = ranges[0, 1 - hero]
    held = np.flatnonzero(weights > 0)
    action = np.repeat(np.arange(len(actions)), len(held))
    decks = np.empty((len(action), spots.game.deck_cards), dtype=np.int8)
    decks[:, 2 * hero : 2 * hero + 2] = spots.views.hole[0]
    decks[:, 2 - 2 * hero : 4 - 2 * hero] = HOLDINGS[np.tile(held, len(actions))]
    decks[:, 4:] = spots.views.board[0]
    batch = batch_at(spots, np.zeros(len(action), dtype=np.int64), decks)
    batch.act(np.arange(len(batch)), actions[action])
    share = np.tile(weights[held] / weights[held].sum(), len(actions))
    found, played = np.zeros(len(actions)), 0
    while len(batch):
        played += len(batch)
        if played > MOST:
            return None
        over = batch.hands["to_act"] < 0
        won = batch.hands["net"][over, hero] / PARTS + _paid(spots)
        np.add.at(found, action[over], share[over] * won)
        batch, action, share = _branched(batch, action, share, ~over, hero, models)
    return found


def _paid(spots: Spots) -> int:
    hero = int(spots.hero[0])
    return int(spots.views.paid[0, hero]) + (spots.game.dead[hero] if spots.game.dead else 0)


def _branched(
    batch: Batch, action: Ints, share: Floats, going: np.ndarray, hero: int, models: RolloutModels
) -> tuple[Batch, Ints, Floats]:
    """Return the hands after every possible next action, each with its probability."""
    parts: list[tuple[Ints, Ints, Floats]] = []
    ids = np.zeros(len(batch), dtype=HAND_ID)
    for model, mine in ((models.hero, True), (models.others, False)):
        which = np.flatnonzero(going & ((batch.hands["to_act"] == hero) == mine))
        if len(which):
            views = Views.of(batch, which, ids, np.zeros(len(batch), dtype=np.int64))
            parts.append(_moves(which, model.policy(views)))
    if not parts:
        return _taken(batch, np.zeros(0, dtype=np.int64)), action[:0], share[:0]
    places, codes, probabilities = (np.concatenate(column) for column in zip(*parts, strict=True))
    following = _taken(batch, places)
    following.act(np.arange(len(following)), codes)
    return following, action[places], share[places] * probabilities


def _moves(which: Ints, policy: Policy) -> tuple[Ints, Ints, Floats]:
    """Return hand, action and probability of every action of positive probability."""
    row, column = np.nonzero(policy.probabilities > 0)
    return which[row], policy.codes[row, column], policy.probabilities[row, column]


def _taken(batch: Batch, places: Ints) -> Batch:
    found = Batch.__new__(Batch)
    found.game, found.decks, found.stacks = batch.game, batch.decks[places], batch.stacks[places]
    found.hands, found.history = batch.hands[places], batch.history[places]
    return found
