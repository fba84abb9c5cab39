"""Exact hand strength: shares over all holdings of an opponent and all boards, none of them sampled.

Every function takes a batch, `HandCards` or `Views`, in which streets may be mixed, and returns an array with
one value from 0 to 1 per hand. `opponents` is one number for all hands or one per hand. Each opponent holds
two random cards. `rounding` says where values come from, and so how they are rounded:

    "tables"   from the street's table if it is built (see `tables`), in units of 1/65,535; else exact
    "exact"    always computed by enumeration
    "shipped"  from the tables that every machine has: flops in units of 1/65,535, all else exact; whether the
               turn's table has been built does not matter, so a random seed gives the same hands everywhere
    "steps"    always rounded to units of 1/65,535, whether or not the table is built

Before the flop the table is not rounded.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.notation import BOARD_LENGTHS
from holdmem.core.errors import NotationError
from holdmem.core.types import Floats
from holdmem.strength.expected_strength import means
from holdmem.strength.hands import (
    FULL_BOARD,
    CardColumns,
    CardRows,
    Cards,
    by_street,
    opponents_of,
    require_board,
)
from holdmem.strength.kernels.enumerate_hand import AHEAD, BEHIND, TIED, look_ahead, present_strength
from holdmem.strength.table_files import STEP
from holdmem.strength.tables import canonical_suits, look_up
from holdmem.strength.turn import COUNTED, river_values, turn_values

Rounding = Literal["tables", "exact", "shipped", "steps"]
"""Where values come from and how they are rounded; see the module."""

ON_A_BOARD = BOARD_LENGTHS[1:]
TURN_BOARD = 4
ONE_LEFT = {"ppot1": "ppot", "npot1": "npot"}
"""Potentials with one card to come, and the columns that they equal on the turn and the river."""


class Potential(NamedTuple):
    """Positive and negative potential of hands."""

    ppot: Floats
    """Probability of ending ahead when behind now, ties counting half."""
    npot: Floats
    """Probability of ending behind when ahead now, ties counting half."""


def ihs(hands: CardColumns, opponents: ArrayLike = 1, *, rounding: Rounding = "tables") -> Floats:
    """Immediate hand strength, IHS^n (Rubin 2007, figure 3.3 and equation 3.4).

    IHS = (ahead + tied / 2) / all, over all holdings of one opponent on the present board of three or more
    cards; against n opponents it is raised to the n-th power, as if their cards were independent.
    """
    require_board(hands, "boards of 3 to 5 cards (before the flop no hand can be ranked)", ON_A_BOARD)
    return _one(hands, "ihs", rounding) ** opponents_of(hands, opponents)


def hs(hands: CardColumns, opponents: ArrayLike = 1) -> Floats:
    """HS^n: hand strength on a full board, the share of showdowns won, ties counting half.

    Marques (n.d., §4.2) divides the wins by C(52, 2), a maximum that no hand can reach; here, as in the works
    that the thesis follows, they are divided by the 990 holdings that an opponent can have.
    """
    require_board(hands, "boards of 5 cards", [FULL_BOARD])
    return ihs(hands, opponents, rounding="exact")


def potential(hands: CardColumns, to_come: int | None = None, *, rounding: Rounding = "tables") -> Potential:
    """Positive and negative potential (Rubin 2007, figure 3.4), against one opponent.

    Over all holdings of an opponent and all boards, counted by whether we are ahead, tied or behind now and
    at the end:

        PPOT = (behind→ahead + behind→tied / 2 + tied→ahead / 2) / (behind + tied / 2)
        NPOT = (ahead→behind + tied→behind / 2 + ahead→tied / 2) / (ahead + tied / 2)

    and 0 if the denominator is 0. `to_come` is the number of cards to look ahead: on the flop two, to the
    river, as in the figure, or one, to the turn; on the turn one; on the river nothing can change and both
    are 0. Departure: the figure counts holdings once in the denominator but once per board in the numerator;
    here both are counted once per board, which must be the intention. The sample cases of its Appendix D are
    for one card to come.
    """
    if to_come not in (None, 1, 2):
        raise NotationError(f"expected 1 or 2 cards to come, got {to_come!r}")
    require_board(hands, "boards of 3 to 5 cards (before the flop no hand can be ranked)", ON_A_BOARD)
    columns = ("ppot1", "npot1") if to_come == 1 else ("ppot", "npot")
    found = values(hands, columns, rounding=rounding)
    return Potential(found[:, 0], found[:, 1])


def ehs(
    hands: CardColumns, opponents: ArrayLike = 1, to_come: int | None = None, *, rounding: Rounding = "tables"
) -> Floats:
    """Effective hand strength (Rubin 2007, equation 3.5): IHS^n + (1 - IHS^n) · PPOT."""
    now = ihs(hands, opponents, rounding=rounding)
    return now + (1 - now) * potential(hands, to_come, rounding=rounding).ppot


def e_hs(hands: CardColumns, opponents: ArrayLike = 1, *, rounding: Rounding = "tables") -> Floats:
    """E[HS]: the mean of HS over all boards that can come (Marques n.d., equation 4.25).

    Against n opponents it is the mean of HS^n. The thesis samples boards at random; here all are enumerated.
    """
    if rounding == "shipped":
        return means(hands, opponents)[:, 0]
    return _mean_power(hands, opponents_of(hands, opponents), rounding)


def e_hs2(hands: CardColumns, opponents: ArrayLike = 1, *, rounding: Rounding = "tables") -> Floats:
    """E[HS²]: the mean of HS² over all boards that can come (Marques n.d., equation 4.26).

    Against n opponents it is the mean of HS^2n.
    """
    if rounding == "shipped":
        return means(hands, opponents)[:, 1]
    return _mean_power(hands, 2 * opponents_of(hands, opponents), rounding)


def values(hands: CardColumns, columns: Sequence[str], *, rounding: Rounding = "tables") -> Floats:
    """Return (n, columns): several values against one opponent at once, by column names of the tables.

    The columns are hs1, hs2, ... (the mean of HS to that power) and, with a board, ihs, ppot, npot, ppot1 and
    npot1 (the potentials with one card to come).
    """

    return by_street(
        hands, len(columns), lambda holes, boards: values_on_street(holes, boards, columns, rounding=rounding)
    )


def values_on_street(
    holes: Cards, boards: Cards, columns: Sequence[str], *, rounding: Rounding = "tables"
) -> Floats:
    """Return the same for cards that are known to be valid, with all boards of one length."""
    if rounding not in WAYS:
        raise NotationError(f"expected rounding to be {' or '.join(WAYS)}, got {rounding!r}")
    names = columns if boards.shape[1] <= 3 else [ONE_LEFT.get(name, name) for name in columns]
    return WAYS[rounding](holes, boards, names)


def _tabulated(holes: Cards, boards: Cards, columns: Sequence[str]) -> Floats:
    found = look_up(holes, boards, columns)
    return compute_directly(holes, boards, columns) if found is None else found


def _from_package(holes: Cards, boards: Cards, columns: Sequence[str]) -> Floats:
    """Look up flops in their table; count turns and rivers by pairs of ranks if possible."""
    if boards.shape[1] <= 3:
        return _tabulated(holes, boards, columns)
    if not set(columns) <= set(COUNTED):
        return compute_directly(holes, boards, columns)
    return (river_values if boards.shape[1] == FULL_BOARD else turn_values)(holes, boards, columns)


def _in_steps(holes: Cards, boards: Cards, columns: Sequence[str]) -> Floats:
    """Compute what no table has as a table would, then round it to the steps of the tables."""
    found = look_up(holes, boards, columns)
    if found is None:
        cards = canonical_suits(holes, boards) if boards.shape[1] == TURN_BOARD else (holes, boards)
        found = compute_directly(*cards, columns)
    return np.rint(found / STEP) * STEP


def compute_directly(holes: Cards, boards: Cards, columns: Sequence[str]) -> Floats:
    """Compute (n, columns) values by enumeration."""
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
    """Return the values on a full board, where nothing can change; on other boards only IHS is valid."""
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
    """Return the means of HS ** 1, 2, ... over all boards to come, and the tallies [now, at the end].

    The tallies, (n, 3, 3), are those of figure 3.4 of Rubin (2007).
    """
    moments = np.empty((len(holes), powers))
    tallies = np.empty((len(holes), 3, 3), np.int64)
    look_ahead(holes, boards, to_come, moments, tallies)
    return moments, tallies


def from_tallies(tallies: NDArray[np.int64]) -> dict[str, Floats]:
    """Return IHS, PPOT and NPOT from the tallies of figure 3.4 of Rubin (2007)."""
    ahead, tied, behind = (tallies[:, now].sum(axis=1) for now in (AHEAD, TIED, BEHIND))
    gained = 2 * tallies[:, BEHIND, AHEAD] + tallies[:, BEHIND, TIED] + tallies[:, TIED, AHEAD]
    lost = 2 * tallies[:, AHEAD, BEHIND] + tallies[:, TIED, BEHIND] + tallies[:, AHEAD, TIED]
    return {
        "ihs": (2 * ahead + tied) / (2 * (ahead + tied + behind)),
        "ppot": gained / np.maximum(2 * behind + tied, 1),
        "npot": lost / np.maximum(2 * ahead + tied, 1),
    }


WAYS: dict[Rounding, Callable[[Cards, Cards, Sequence[str]], Floats]] = {
    "tables": _tabulated,
    "exact": compute_directly,
    "shipped": _from_package,
    "steps": _in_steps,
}


def _one(hands: CardColumns, column: str, rounding: Rounding) -> Floats:
    return values(hands, (column,), rounding=rounding)[:, 0]


def _mean_power(hands: CardColumns, powers: NDArray[np.int64], rounding: Rounding) -> Floats:
    """Return the mean of HS ** power over all boards to come, with one power per hand."""
    out = np.empty(len(hands.hole))
    for power in np.unique(powers).tolist():
        rows = powers == power
        some = CardRows(np.asarray(hands.hole)[rows], np.asarray(hands.board)[rows])
        out[rows] = _one(some, f"hs{power}", rounding)
    return out
