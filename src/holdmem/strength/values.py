"""The strength of hands, exactly: shares of all holdings of a rival on all boards, none of them sampled.

Every function takes a batch, `Hands` or `Views`, in which streets may be mixed, and returns an array with one
value from 0 to 1 for each hand. Values come from the tables where there are any (see `tables`: then they are
off by 1/131,070 at the most), otherwise they are computed; with `exact=True` they are computed in any case.

`opponents` is one number for all hands or one for each. Each opponent holds two random cards.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.notation import BOARD_LENGTHS
from holdmem.errors import NotationError
from holdmem.strength.hands import (
    FULL_BOARD,
    Cards,
    Dealt,
    Floats,
    by_street,
    opponents_of,
    require_board,
)
from holdmem.strength.look_ahead import AHEAD, BEHIND, TIED, look_ahead, present_strength
from holdmem.strength.tables import look_up

ON_A_BOARD = BOARD_LENGTHS[1:]
ONE_LEFT = {"ppot1": "ppot", "npot1": "npot"}
"""With one card to come; where no more can come it is all there is to look ahead."""


class Potential(NamedTuple):
    """What the cards to come may change."""

    ppot: Floats
    """Of what beats us now, the share that we shall beat."""
    npot: Floats
    """Of what we beat now, the share that will beat us."""


def ihs(hands: Dealt, opponents: ArrayLike = 1, *, exact: bool = False) -> Floats:
    """Immediate hand strength, IHS^n (casper, figure 3.3 and equation 3.4).

    IHS = (ahead + tied / 2) / all, over all holdings of one opponent on the present board of three cards or
    more; against n opponents it is raised to the n-th power, as if their cards were independent.
    """
    require_board(hands, "boards of 3 to 5 cards (before the flop no hand can be ranked)", ON_A_BOARD)
    return _one(hands, "ihs", exact) ** opponents_of(hands, opponents)


def hs(hands: Dealt, opponents: ArrayLike = 1) -> Floats:
    """HS^n: hand strength on a full board, the share of showdowns won, a tie counting half.

    The thesis of the learners (§4.2) divides the wins by C(52, 2), which no hand can reach; here as in the
    works that it follows they are divided by the 990 holdings that an opponent can have.
    """
    require_board(hands, "boards of 5 cards", [FULL_BOARD])
    return ihs(hands, opponents, exact=True)


def potential(hands: Dealt, to_come: int | None = None, *, exact: bool = False) -> Potential:
    """Positive and negative potential (casper, figure 3.4), against one opponent.

    Over all holdings of an opponent and all boards, counted by how we stand now and at the end:

        PPOT = (behind→ahead + behind→tied / 2 + tied→ahead / 2) / (behind + tied / 2)
        NPOT = (ahead→behind + tied→behind / 2 + ahead→tied / 2) / (ahead + tied / 2)

    and 0 where nothing is behind (or ahead) or tied. `to_come` is how many cards are looked ahead: on the
    flop two, to the river, as in the figure, or one, to the turn; on the turn one; on the river nothing can
    change and both are 0. The figure counts the holdings below the line once and those above it once for each
    board; meant is that both are counted alike. The sample cases of its Appendix D are of one card to come.
    """
    if to_come not in (None, 1, 2):
        raise NotationError(f"expected 1 or 2 cards to come, got {to_come!r}")
    require_board(hands, "boards of 3 to 5 cards (before the flop no hand can be ranked)", ON_A_BOARD)
    columns = ("ppot1", "npot1") if to_come == 1 else ("ppot", "npot")
    found = values(hands, columns, exact=exact)
    return Potential(found[:, 0], found[:, 1])


def ehs(hands: Dealt, opponents: ArrayLike = 1, to_come: int | None = None, *, exact: bool = False) -> Floats:
    """Effective hand strength (casper, equation 3.5): IHS^n + (1 - IHS^n) · PPOT."""
    now = ihs(hands, opponents, exact=exact)
    return now + (1 - now) * potential(hands, to_come, exact=exact).ppot


def e_hs(hands: Dealt, opponents: ArrayLike = 1, *, exact: bool = False) -> Floats:
    """E[HS]: the mean of HS over all boards that can come (learners, equation 4.25).

    Against n opponents it is the mean of HS^n. The thesis draws some boards at random; these are all.
    """
    return _mean_power(hands, opponents_of(hands, opponents), exact)


def e_hs2(hands: Dealt, opponents: ArrayLike = 1, *, exact: bool = False) -> Floats:
    """E[HS²]: the mean of HS² over all boards that can come (learners, equation 4.26); of HS^2n with n."""
    return _mean_power(hands, 2 * opponents_of(hands, opponents), exact)


def values(hands: Dealt, columns: Sequence[str], *, exact: bool = False) -> Floats:
    """(n, columns): several values against one opponent at once, by the names of the tables' columns.

    They are hs1, hs2, ... (the mean of HS to that power) and, with a board, ihs, ppot, npot, ppot1 and npot1
    (the potentials with one card to come).
    """

    def compute(holes: Cards, boards: Cards) -> Floats:
        names = columns if boards.shape[1] <= 3 else [ONE_LEFT.get(name, name) for name in columns]
        found = None if exact else look_up(holes, boards, names)
        return directly(holes, boards, names) if found is None else found

    return by_street(hands, len(columns), compute)


def directly(holes: Cards, boards: Cards, columns: Sequence[str]) -> Floats:
    """(n, columns): these values by enumeration."""
    names = set(columns)
    powers = max((int(name[2:]) for name in names if name.startswith("hs")), default=1)
    if boards.shape[1] == FULL_BOARD or names == {"ihs"}:
        found = _at_once(holes, boards, powers)
    else:
        found = {}
        if names - set(ONE_LEFT):
            found |= _to_the_river(holes, boards, powers)
        if names & set(ONE_LEFT):
            found |= _to_the_turn(holes, boards)
    return np.stack([found[name] for name in columns], axis=1)


def _at_once(holes: Cards, boards: Cards, powers: int) -> dict[str, Floats]:
    """The values on a full board, where nothing can change; of other boards only IHS."""
    now = np.empty(len(holes))
    present_strength(holes, boards, now)
    nothing = np.zeros(len(holes))
    found = {f"hs{power}": now**power for power in range(1, powers + 1)}
    return found | {"ihs": now, "ppot": nothing, "npot": nothing}


def _to_the_river(holes: Cards, boards: Cards, powers: int) -> dict[str, Floats]:
    moments, tallies = enumerate_boards(holes, boards, FULL_BOARD - boards.shape[1], powers)
    found = {f"hs{power}": moments[:, power - 1] for power in range(1, powers + 1)}
    return found | from_tallies(tallies)


def _to_the_turn(holes: Cards, boards: Cards) -> dict[str, Floats]:
    found = from_tallies(enumerate_boards(holes, boards, 1, 1)[1])
    return {one: found[name] for one, name in ONE_LEFT.items()}


def enumerate_boards(
    holes: Cards, boards: Cards, to_come: int, powers: int
) -> tuple[Floats, NDArray[np.int64]]:
    """The means of HS ** 1, 2, ... over all boards to come, and the tallies of figure 3.4 [now, then]."""
    moments = np.empty((len(holes), powers))
    tallies = np.empty((len(holes), 3, 3), np.int64)
    look_ahead(holes, boards, to_come, moments, tallies)
    return moments, tallies


def from_tallies(tallies: NDArray[np.int64]) -> dict[str, Floats]:
    """IHS, PPOT and NPOT from the tallies of figure 3.4."""
    ahead, tied, behind = (tallies[:, now].sum(axis=1) for now in (AHEAD, TIED, BEHIND))
    gained = 2 * tallies[:, BEHIND, AHEAD] + tallies[:, BEHIND, TIED] + tallies[:, TIED, AHEAD]
    lost = 2 * tallies[:, AHEAD, BEHIND] + tallies[:, TIED, BEHIND] + tallies[:, AHEAD, TIED]
    return {
        "ihs": (2 * ahead + tied) / (2 * (ahead + tied + behind)),
        "ppot": gained / np.maximum(2 * behind + tied, 1),
        "npot": lost / np.maximum(2 * ahead + tied, 1),
    }


def _one(hands: Dealt, column: str, exact: bool) -> Floats:
    return values(hands, (column,), exact=exact)[:, 0]


def _mean_power(hands: Dealt, powers: NDArray[np.int64], exact: bool) -> Floats:
    """The mean of HS ** power over all boards to come, with a power for each hand."""
    out = np.empty(len(hands.hole))
    for power in np.unique(powers).tolist():
        rows = powers == power
        some = _Rows(np.asarray(hands.hole)[rows], np.asarray(hands.board)[rows])
        out[rows] = _one(some, f"hs{power}", exact)
    return out


class _Rows(NamedTuple):
    hole: NDArray[np.int8]
    board: NDArray[np.int8]
