"""What a remembered person does at views: weights of the eight classes of actions, and totals of raises."""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.cards.classes import CLASS_OF
from holdmem.core.types import Floats, Ints
from holdmem.people.kernels.choose import classes_of_hands, look_up
from holdmem.people.kernels.situations import CLASSES, RAISES
from holdmem.people.memory import PersonMemory
from holdmem.people.situations import features_of


def classes_at(views: Views) -> Ints:
    """Return the class of the hole cards at each view: one of 169 before the flop, of strength after it."""
    out = np.empty(len(views), dtype=np.int64)
    classes_of_hands(np.ascontiguousarray(views.rows), CLASS_OF, out)
    return out


def weights_at(person: PersonMemory, views: Views) -> tuple[Floats, NDArray[np.int64]]:
    """Return the weights of fold, call and six raises, shape (n, 8), and the totals of the raises (n, 6)."""
    rows, features, held = np.ascontiguousarray(views.rows), features_of(views), classes_at(views)
    weights = np.empty((len(views), CLASSES))
    totals = np.empty((len(views), CLASSES - RAISES), dtype=np.int64)
    for part, preflop in (("pre", True), ("post", False)):
        what, size = (person.trees[f"{kind}_{part}"] for kind in ("what", "size"))
        look_up(
            rows, features, held, preflop,
            (what.split, what.cut, what.right), (size.split, size.cut, size.right),
            person.tables[f"what_{part}"], person.tables[f"size_{part}"], person.sizes[f"size_{part}"],
            weights, totals,
        )  # fmt: skip
    return weights, totals
