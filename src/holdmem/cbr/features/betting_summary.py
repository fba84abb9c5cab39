"""Features for any number of seats: position, opponents, condensed betting, and stack-to-pot ratio.

The exact betting sequence of a six-seat hand hardly ever recurs. These features keep what matters to the
player to act: how often the pot was raised, how large the last raise was, whether the player itself raised,
who came along, and who led the earlier rounds.
"""

import numpy as np

from holdmem.agent import Views
from holdmem.cards.classes import CLASS_OF, CLASSES
from holdmem.cbr.features.bet_sizes import BORDERS, FRACTIONS
from holdmem.cbr.features.feature import Column, between, described_by
from holdmem.cbr.features.kernels.betting_summary import (
    MOST_CALLERS,
    MOST_RAISES,
    condense,
    positions,
    stack_classes,
)
from holdmem.engine import SEATS
from holdmem.strength import EQUITY_RANK

GROUPS = ("", "up to half a pot", "up to a pot", "more than a pot", "all-in")
WHOSE = ("ours", "an opponent's", "a folded player's")
STACKS = ("1/4", "1/2", "1", "2", "4", "8", "16", "32", "64")

PLACE = np.empty(len(CLASSES), dtype=np.int64)
PLACE[np.argsort(EQUITY_RANK, kind="stable")] = np.arange(len(CLASSES))


def _place_words(value: float) -> str:
    return CLASSES[PLACE.tolist().index(int(value))]


def _now_words(value: float) -> str:
    rest, callers = divmod(int(value), 3)
    rest, own = divmod(rest, 2)
    raises, group = divmod(rest, len(GROUPS))
    said = [f"{raises} raises" if raises != 1 else "1 raise"]
    said += [GROUPS[group]] * (group > 0) + ["one ours"] * own + [f"{callers} callers"] * (callers > 0)
    return ", ".join(said)


def _before_words(value: float) -> str:
    said = []
    for digit in f"{int(value):03d}":
        raises, whose = divmod(int(digit) - 1, 3)
        said.append("none" if digit == "0" else f"{raises + 1}, last {WHOSE[whose]}")
    return "raises before, latest round first: " + "; ".join(said)


def _position_words(value: float) -> str:
    behind, others = divmod(int(value), SEATS)
    return f"{behind} of {others} opponents behind"


def _stack_words(value: float) -> str:
    return f"below {STACKS[int(value)]} pots" if value < len(STACKS) else f"{STACKS[-1]} pots or more"


@described_by(_place_words, between(0, len(CLASSES) - 1))
def hand_place(views: Views) -> Column:
    """Rank of the hole cards among the 169 classes by equity against one random hand, 0 the best."""
    return PLACE[CLASS_OF[views.hole[:, 0], views.hole[:, 1]]]


@described_by(_position_words, between(0, SEATS**2 - 1))
def seat_position(views: Views) -> Column:
    """Opponents still in that act after us on later streets, combined with all opponents still in."""
    out = np.empty(len(views), dtype=np.int64)
    positions(np.ascontiguousarray(views.rows), out)
    return out


@described_by(_stack_words, between(0, len(STACKS)))
def stack_to_pot(views: Views) -> Column:
    """What can still be bet after a call, relative to the pot after it, in classes that double."""
    out = np.empty(len(views), dtype=np.int64)
    stack_classes(np.ascontiguousarray(views.rows), out)
    return out


def _condensed(views: Views) -> tuple[Column, Column]:
    now, before = np.empty(len(views), dtype=np.int64), np.empty(len(views), dtype=np.int64)
    rows = np.ascontiguousarray(views.rows)
    condense(views.game.rules_row, rows, views.history, FRACTIONS, BORDERS, now, before)
    return now, before


@described_by(_now_words, between(0, (MOST_RAISES + 1) * len(GROUPS) * 2 * (MOST_CALLERS + 1) - 1))
def round_now(views: Views) -> Column:
    """The active round: raises, the size of the last one, whether one was ours, and callers since."""
    return _condensed(views)[0]


@described_by(_before_words, between(0, 999))
def rounds_before(views: Views) -> Column:
    """The earlier rounds: how often each was raised, and who made the last raise."""
    return _condensed(views)[1]
