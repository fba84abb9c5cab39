"""CASPER's features for limit games with any number of seats (Rubin 2007, tables 3.3 and 3.4).

Amounts are rounded to fractions fine enough for their meaning, so that cases are small on disk and identical
on all machines: positions to 1/2520 and bets to 1/12, both exact, pot odds and strengths to a thousandth.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.cards.classes import CASPER_RANK, CASPER_RANKING, CLASS_OF
from holdmem.cbr.features.feature import Column, between, bounded, described_by, rounded
from holdmem.cbr.features.kernels.casper import SITUATION, situations
from holdmem.core.types import Floats
from holdmem.engine import SEATS
from holdmem.strength import values
from holdmem.strength.decision_values import outlook

POSITIONS, BETS, THOUSANDTHS = 2520, 12, 1000


class Strengths(NamedTuple):
    """IHS^n against the n opponents still in; PPOT and NPOT against one opponent, with one card to come."""

    ihs: Floats
    ppot: Floats
    npot: Floats


_SITUATIONS: "WeakKeyDictionary[Views, NDArray[np.record]]" = WeakKeyDictionary()
_STRENGTHS: "WeakKeyDictionary[Views, Strengths]" = WeakKeyDictionary()
"""Caches: several features share one pass over the same views; entries are dropped with their views."""


def situations_of(views: Views) -> NDArray[np.record]:
    """Return who is in the hand and who still has to act, at each view."""
    if views not in _SITUATIONS:
        found = np.zeros(len(views), dtype=SITUATION)
        situations(views.game.rules_row, np.ascontiguousarray(views.rows), views.history, found)
        _SITUATIONS[views] = found
    return _SITUATIONS[views]


def strengths_of(views: Views) -> Strengths:
    """Return strength and potential at views of one street after the flop.

    Appendix D of Rubin (2007) shows that potentials look one card ahead, on the flop as well. On the flop
    they come from the package's table. On the turn NPOT follows from the other values: what E[HS] gains over
    IHS is what hands that are behind gain minus what hands that are ahead lose,

        E[HS] - IHS = PPOT (1 - IHS) - NPOT IHS.
    """
    if views not in _STRENGTHS:
        _STRENGTHS[views] = _strengths(views)
    return _STRENGTHS[views]


def _strengths(views: Views) -> Strengths:
    if len(views) and views.street[0] == 1:
        ihs, ppot, npot = values(views, ("ihs", "ppot1", "npot1")).T
    else:
        ihs, ppot, e_hs = outlook(views)
        lost = ppot * (1 - ihs) - (e_hs - ihs)
        npot = np.where(ihs > 0, lost / np.where(ihs > 0, ihs, 1.0), 0.0)
    return Strengths(ihs ** situations_of(views)["opponents"], ppot, npot)


def _bet(views: Views) -> Floats:
    """Return the bet size on the street of each view, in chips."""
    assert views.game.raise_sizes is not None, "representations check that the game is limit"
    return np.asarray(np.array(views.game.raise_sizes, dtype=np.float64)[views.street])


@bounded(1, SEATS)
def players(views: Views) -> Column:
    """Players dealt in (before the flop), or still in when the street began (after it)."""
    return situations_of(views)["players"]


@rounded(POSITIONS, 0, 1)
def position(views: Views) -> Column:
    """(order - 1) / (players - 1): 0 for the small blind or the first to act, 1 for the button."""
    found = situations_of(views)
    return np.asarray(found["before"] / np.maximum(found["players"] - 1, 1))


@bounded(0, SEATS - 1)
def players_in(views: Views) -> Column:
    """Opponents still in who have called or raised on this street, or checked after the flop."""
    return situations_of(views)["inside"]


@bounded(0, SEATS - 1)
def yet_to_act(views: Views) -> Column:
    """Opponents who still have a decision on this street, including those who must act again."""
    return situations_of(views)["waiting"]


@rounded(BETS, 0)
def bets_committed(views: Views) -> Column:
    """The player's own bets on this street, blinds included, in bets of the street."""
    return np.asarray(views.bet[np.arange(len(views)), views.seat] / _bet(views))


@rounded(BETS, 0)
def bets_to_call(views: Views) -> Column:
    """Cost of a call, in bets of the street."""
    return np.asarray(views.to_call / _bet(views))


@rounded(THOUSANDTHS, 0, 1)
def pot_odds(views: Views) -> Column:
    """Pot odds: to call / (to call + pot)."""
    return np.asarray(views.to_call / (views.to_call + views.pot))


@described_by(lambda value: f"{value:g} ({CASPER_RANKING[int(value) - 1]})", between(1, len(CASPER_RANKING)))
def hand_rank(views: Views) -> Column:
    """Rank of the hole cards among the 169 classes of Appendix B (Rubin 2007): 1 for AA to 169 for 72o."""
    return np.asarray(CASPER_RANK[CLASS_OF[views.hole[:, 0], views.hole[:, 1]]])


@bounded(0)
def previous_bets(views: Views) -> Column:
    """Bets and raises on the previous street (0 before the flop); the big blind counts as a preflop bet."""
    return situations_of(views)["last_bets"]


@rounded(BETS, 0)
def bets_in_pot(views: Views) -> Column:
    """The pot in small bets."""
    return np.asarray(views.pot / views.game.unit[0])


@rounded(THOUSANDTHS, 0, 1)
def ihs(views: Views) -> Column:
    """IHS^n: probability that the hand is currently best against all n opponents still in."""
    return strengths_of(views).ihs


@rounded(THOUSANDTHS, 0, 1)
def ppot(views: Views) -> Column:
    """Positive potential: share of the holdings ahead of us that fall behind on the next card."""
    return strengths_of(views).ppot


@rounded(THOUSANDTHS, -0.01, 1.01)
def npot(views: Views) -> Column:
    """Negative potential: share of the holdings behind us that get ahead on the next card."""
    return strengths_of(views).npot


def effective(ihs: Floats, ppot: Floats) -> Floats:
    """EHS = IHS^n + (1 - IHS^n) PPOT (Rubin 2007, equation 3.5), rounded to thousandths."""
    return np.rint((ihs + (1 - ihs) * ppot) * THOUSANDTHS) / THOUSANDTHS


@rounded(THOUSANDTHS, 0, 1)
def ehs(views: Views) -> Column:
    """Effective hand strength, computed from the rounded features IHS^n and PPOT."""
    return effective(IHS.of(views), PPOT.of(views))


IHS, PPOT = ihs, ppot
