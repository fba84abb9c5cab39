"""The public situation of a decision as small integers: what everybody at the table can see."""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.core.types import Floats, Ints
from holdmem.engine.state import SEATS
from holdmem.history.stats import positions_of
from holdmem.people.kernels.situations import COUNT, classes_of_actions, describe_all

ByteArray = NDArray[np.uint8]


def features_of(views: Views) -> ByteArray:
    """Return the features of each decision, shape (n, features)."""
    codes = np.zeros(SEATS, dtype=np.int64)
    codes[: views.game.seats] = positions_of(views.game)
    history, hands = views.played
    out = np.zeros((len(views), COUNT), dtype=np.uint8)
    describe_all(views.game.rules_row, codes, np.ascontiguousarray(views.rows), history, hands, out)
    return out


def action_classes(views: Views, actions: Ints) -> tuple[ByteArray, Floats]:
    """Return the class of each action, and the size of each raise (0 for other actions)."""
    out, sizes = np.zeros(len(views), dtype=np.uint8), np.zeros(len(views))
    classes_of_actions(np.ascontiguousarray(views.rows), np.ascontiguousarray(actions), out, sizes)
    return out, sizes
