"""Results adjusted for all-ins: each pot shared by equity at the moment of the last action.

Applies to hands that ended in a showdown with cards still to come, where the hole cards of everybody in it
are known. Known pairs of hole cards cannot come, folded ones included.
"""

import numpy as np

from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine.state import PARTS, SEATS, STREETS
from holdmem.history.hands import Hands
from holdmem.history.replay import by_game
from holdmem.history.stats.kernels.all_in import final_pots
from holdmem.strength.pot_equities import pot_equities


def all_in_adjusted(hands: Hands, states: np.ndarray, net: Ints, known: Flags) -> tuple[Ints, Flags]:
    """Return the adjusted results (hands, 10) in parts of a chip, and which seats were in such an all-in.

    The rake is charged in proportion to the expected winnings from contested pots.
    """
    live = _bits(states["live"])
    applies = known & (states["shown"] != 0) & (states["street"] < STREETS - 1)
    applies &= (hands.known | ~live).all(axis=1)
    found, places = net.copy(), np.flatnonzero(applies)
    if len(places):
        found[places] = _expected(hands[places], states[places], net[places])
    return found, applies[:, None] & live


def _expected(hands: Hands, states: np.ndarray, net: Ints) -> Ints:
    """Return what each seat wins on average: shares of contested pots less rake, and uncontested chips."""
    pots = np.zeros((len(hands) * SEATS, 4), dtype=np.int64)
    count, dead = 0, np.zeros((len(hands), SEATS), dtype=np.int64)
    for game, places in by_game(hands):
        count = final_pots(game.rules_row, states, places, pots, count)
        dead[places, : game.seats] = game.dead or 0
    pots = pots[:count]
    shares, contested = np.zeros(net.shape), np.zeros(len(hands))
    np.add.at(shares, pots[:, 0], pots[:, 2, None] * _equities(hands, pots))
    np.add.at(contested, pots[:, 0], pots[:, 2])
    paid = states["paid"] + dead
    rake = -net.sum(axis=1) / PARTS
    shares *= (1 - rake / np.maximum(contested, 1))[:, None]
    # What only one seat can win, such as an uncalled bet, is above what all other live seats paid.
    largest = np.where(_bits(states["live"]), states["paid"], -1).argmax(axis=1)
    shares[np.arange(len(hands)), largest] += paid.sum(axis=1) - contested
    return np.rint(PARTS * (shares - paid)).astype(np.int64)


def _equities(hands: Hands, pots: Ints) -> Floats:
    """Return each seat's share of each pot, (pots, 10)."""
    rows, inside = hands.rows[pots[:, 0]], _bits(pots[:, 3])
    known = hands.known[pots[:, 0]]
    order = np.argsort(~known, axis=1, kind="stable")  # the seats with known cards first
    hole = np.take_along_axis(rows["hole"], order[:, :, None], axis=1)
    masks = (np.take_along_axis(inside, order, axis=1) << np.arange(SEATS)).sum(axis=1)
    sorted_shares = np.zeros(inside.shape)
    cases = known.sum(axis=1) * STREETS + pots[:, 1]
    for case in np.unique(cases).tolist():
        seats, street = divmod(case, STREETS)
        which = cases == case
        found = pot_equities(hole[which, :seats], rows["board"][which], masks[which], street)
        sorted_shares[which, :seats] = found
    shares = np.zeros(inside.shape)
    np.put_along_axis(shares, order, sorted_shares, axis=1)
    return shares


def _bits(masks: Ints) -> Flags:
    """Return which of the ten bits are set, (n, 10)."""
    return (masks[:, None] >> np.arange(SEATS) & 1) != 0  # type: ignore[no-any-return]
