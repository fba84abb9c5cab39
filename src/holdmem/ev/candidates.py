"""Which actions of a decision are valued: fold, call, what was done, and the raises of the reference."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Policy, Views
from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine.state import CALL, FOLD

NONE = -2
"""Marks a column without an action."""
WIDTH = 5
"""Columns: fold, call, the raise that was made, two raises of the reference."""
SMALL = 0.01
"""Probability of the reference's other raises below which they count as the likeliest one."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Actions to value at n decisions.

    Attributes
    ----------
    codes : actions, (n, WIDTH); NONE where a column is empty.
    reference : probability that the reference gives to each, (n, WIDTH); rows sum to one.
    chosen : column of the action that was taken, (n,); -1 where none was.
    """

    codes: Ints
    reference: Floats
    chosen: Ints

    def __len__(self) -> int:
        return len(self.chosen)

    @property
    def present(self) -> Flags:
        """Which columns have an action."""
        return self.codes != NONE  # type: ignore[no-any-return]


def candidates_at(
    views: Views, policy: Policy, taken: Ints | None = None, draw: Floats | None = None
) -> Candidates:
    """Return the actions to value at these views, of which `taken` are always some.

    Of the reference's raises the likeliest size is valued, and one more that stands for all others: with
    `draw`, one uniform number per view, it is drawn from them by their probabilities, so that the reference's
    expected value has the right mean; without, it is the likeliest of them. A fold where a check is free
    counts as a check.
    """
    did = _checked(views, taken)
    codes = np.full((len(views), WIDTH), NONE, dtype=np.int64)
    codes[:, 0] = np.where(views.to_call > 0, FOLD, NONE)
    codes[:, 1] = CALL
    codes[:, 2] = np.where(did > 0, did, NONE)
    shares = np.zeros((len(views), WIDTH))
    shares[:, 0] = np.where(policy.codes == FOLD, policy.probabilities, 0.0).sum(axis=1)
    shares[:, 1] = np.where(policy.codes == CALL, policy.probabilities, 0.0).sum(axis=1)
    for i in np.flatnonzero(views.max_raise_to > 0).tolist():
        number = None if draw is None else float(draw[i])
        totals = _totals(policy.codes[i], policy.probabilities[i], int(views.min_raise_to[i]))
        for code, share in _valued(totals, number):
            _add(code, share, codes[i], shares[i])
    shares[codes[:, 0] == NONE, 0] = 0.0
    shares /= shares.sum(axis=1, keepdims=True)
    chosen = np.where(did == NONE, -1, np.where(did == FOLD, 0, np.where(did == CALL, 1, 2)))
    return Candidates(codes, shares, chosen.astype(np.int64))


def _checked(views: Views, taken: Ints | None) -> Ints:
    if taken is None:
        return np.full(len(views), NONE)
    return np.where((taken == FOLD) & (views.to_call == 0), CALL, taken)


def _totals(offered: Ints, probabilities: Floats, least: int) -> dict[int, float]:
    """Return the probability of every total that the reference raises to; the least if it never does."""
    found: dict[int, float] = {}
    for code, share in zip(offered.tolist(), probabilities.tolist(), strict=True):
        if code > 0:
            found[code] = found.get(code, 0.0) + share
    return found or {least: 0.0}


def _valued(totals: dict[int, float], number: float | None) -> list[tuple[int, float]]:
    """Return the one or two raises of the reference that are valued, with what they stand for.

    These are the likeliest and one of the others, drawn by `number`, that stands for all of them.
    """
    top, *others = sorted(totals, key=lambda total: (-totals[total], total))
    rest = sum(totals[total] for total in others)
    if rest < SMALL:
        return [(top, totals[top] + rest)]
    if number is None:
        return [(top, totals[top]), (others[0], rest)]
    mark = number * rest
    for total in others:
        mark -= totals[total]
        if mark < 0:
            return [(top, totals[top]), (total, rest)]
    return [(top, totals[top]), (others[0], rest)]


def _add(code: int, share: float, codes: Ints, shares: Floats) -> None:
    """Enter a raise in its column: that of the same raise if it was made, else the next free one."""
    column = 2 if codes[2] == code else 3 if codes[3] in (NONE, code) else 4
    codes[column] = code
    shares[column] += share
