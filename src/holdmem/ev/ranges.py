"""What the others can hold at a decision, given all they did, by Bayes' rule under a model of each."""

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.core.types import Flags, Floats
from holdmem.ev.models import PlayerModel
from holdmem.ev.spots import Spots


def ranges_at(spots: Spots, model: PlayerModel) -> Floats:
    """Return the weight of every holding of every seat, (n, seats, 1326), at most 1.

    All holdings are equally likely before the first action. Each action multiplies the weight of a holding by
    its probability. Holdings with a card that the player to act can see have weight zero. The rows of that
    player's own seat are weighted like the others and are not used.
    """
    ranges = np.ones((len(spots), spots.game.seats, len(HOLDINGS)))
    views, actions, which = spots.past()
    model.weigh(views, actions, which, ranges)
    ranges *= ~_blocked(spots)[:, None, :]
    most = ranges.max(axis=2, keepdims=True)
    return ranges / np.where(most > 0, most, 1.0)


def _blocked(spots: Spots) -> Flags:
    """Return which holdings contain a card that the player to act can see, (n, 1326)."""
    known = np.zeros((len(spots), 53), dtype=np.bool_)  # the last column takes cards that are not dealt
    rows = np.arange(len(spots))[:, None]
    known[rows, spots.views.hole] = True
    known[rows, spots.views.board] = True
    return known[:, HOLDINGS[:, 0]] | known[:, HOLDINGS[:, 1]]
