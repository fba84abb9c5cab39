"""Situation classes of decisions: what a player faces, with which kind of holding, and at which depth.

Each decision belongs to one class of every family. Classes are made of what the player sees when it decides,
never of what it does, so that a player who acts like the reference has mean cost zero in each.
"""

import numpy as np

from holdmem.agent import Views
from holdmem.core.types import Flags, Ints
from holdmem.engine.state import STREET_NAMES
from holdmem.history.stats import POSITIONS
from holdmem.people.choose import classes_at
from holdmem.people.holdings import MADE, postflop_strength, preflop_strength
from holdmem.people.kernels.situations import CHECKED, FEATURES
from holdmem.people.situations import features_of

FAMILIES = ("spot", "holding", "depth")
TABLES = ("street", "position", "pot", "facing", "board")
"""Divisions by which the loss is reported."""

_POTS = ("unraised pot", "single-raised pot", "3-bet pot", "4-bet pot or more")
_FACING = ("no bet", "a bet", "a raise", "a re-raise or more")
_SUITS = ("rainbow", "two of a suit", "three or more of a suit")
_BLIND_NAMES = ("SB", "BB")
_LATE = ("CO", "BTN")


class _Seen:
    """Public features of decisions by name, and the holding."""

    def __init__(self, views: Views) -> None:
        self.features = features_of(views)
        self.street = views.street.astype(np.int64)
        held = classes_at(views)
        after = self.street > 0
        self.draw: Flags = after & (held >= MADE)
        strengths = postflop_strength()[np.where(after, held, 0)]
        self.strength = np.where(after, strengths, preflop_strength()[np.where(after, 0, held)])

    def __getattr__(self, name: str) -> Ints:
        found: Ints = self.features[:, FEATURES.index(name)].astype(np.int64)
        return found


def classes_of_views(views: Views) -> dict[str, list[str]]:
    """Return the name of the class of every decision, by family and table."""
    seen = _Seen(views)
    count = len(views)
    columns = {
        "spot": [_spot(seen, i) for i in range(count)],
        "holding": [_holding(seen, i) for i in range(count)],
        "depth": [f"{STREET_NAMES[seen.street[i]]}, {_depth(int(seen.depth[i]))}" for i in range(count)],
        "street": [STREET_NAMES[street] for street in seen.street.tolist()],
        "position": [POSITIONS[code] for code in seen.position.tolist()],
        "pot": [_POTS[min(kind, 3)] for kind in seen.pot_type.tolist()],
        "facing": [_facing(seen, i) for i in range(count)],
        "board": [_board(seen, i) for i in range(count)],
    }
    return columns


def _facing(seen: _Seen, i: int) -> str:
    bets = int(seen.bets[i])
    if seen.street[i] == 0:
        return ("no raise", "a raise", "a 3-bet", "a 4-bet or more")[min(bets, 3)] + " before the flop"
    return _FACING[min(bets, 3)]


def _board(seen: _Seen, i: int) -> str:
    if seen.street[i] == 0:
        return "none yet"
    pairs = "paired" if seen.paired[i] else "unpaired"
    return f"{pairs}, {_SUITS[min(int(seen.suits[i]), 3) - 1]}"


def _depth(code: int) -> str:
    if code < 4:
        return "effective stacks below 22 bb"
    if code < 8:
        return "effective stacks of 22 to 60 bb"
    return "effective stacks of 60 to 160 bb" if code < 13 else "effective stacks above 160 bb"


def _spot(seen: _Seen, i: int) -> str:
    return _preflop(seen, i) if seen.street[i] == 0 else _postflop(seen, i)


def _preflop(seen: _Seen, i: int) -> str:
    position, bets = POSITIONS[int(seen.position[i])], int(seen.bets[i])
    if bets == 0:
        if seen.first_in[i]:
            place = position if position in (*_BLIND_NAMES, *_LATE) else "early position"
            return f"preflop, first in from {place}"
        place = position if position in _BLIND_NAMES else "another seat"
        return f"preflop, after limpers from {place}"
    aggressor = POSITIONS[int(seen.aggressor[i]) - 1]
    if bets == 1:
        if position in _BLIND_NAMES:
            kind = "a steal" if aggressor in ("SB", *_LATE) else "an early raise"
            return f"preflop, {position} facing {kind}"
        return "preflop, facing a raise outside the blinds"
    if bets == 2:
        if seen.own_preflop[i] < 3:
            return "preflop, facing a raise and a 3-bet cold"
        place = "out of position" if seen.aggressor_after[i] else "in position"
        return f"preflop, facing a 3-bet {place} after raising"
    return "preflop, facing a 4-bet or more"


def _postflop(seen: _Seen, i: int) -> str:
    street = STREET_NAMES[seen.street[i]]
    bets, lead = int(seen.bets[i]), int(seen.previous_aggressor[i])
    if bets == 0:
        if lead == 3:
            return f"{street}, with the lead and no bet yet"
        if lead == 2:
            kind = "before the player with the lead acts" if seen.in_position[i] else "checked to"
            return f"{street}, without the lead, {kind}"
        return f"{street}, nobody has the lead, no bet yet"
    if bets == 1:
        if seen.own_last[i] == CHECKED:
            return f"{street}, facing a bet after checking"
        return f"{street}, facing a bet from the player before"
    return f"{street}, facing a raise"


def _holding(seen: _Seen, i: int) -> str:
    street, strength = STREET_NAMES[seen.street[i]], float(seen.strength[i])
    if seen.street[i] == 0:
        kind = "a top 5% hand" if strength >= 0.95 else "a top 15% hand" if strength >= 0.85 else (
            "a top 40% hand" if strength >= 0.6 else "a weaker hand")  # fmt: skip
        faced = ("no raise", "a raise", "a 3-bet or more")[min(int(seen.bets[i]), 2)]
        return f"preflop, facing {faced} with {kind}"
    faced = "facing a bet" if seen.bets[i] else "no bet yet"
    if seen.draw[i]:
        return f"{street}, {faced}, with a draw"
    kind = (
        "a very strong hand" if strength >= 0.95 else "a strong hand" if strength >= 0.8
        else "a middling hand" if strength >= 0.5 else "a weak hand"
    )  # fmt: skip
    return f"{street}, {faced}, with {kind}"
