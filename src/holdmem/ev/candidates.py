"""Which actions of a decision are valued: fold, call, what was done, and the raises of the reference."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Policy, Views
from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine.state import CALL, FOLD

NONE = -2
"""Marks a column without an action."""
RAISES = 2
"""Sizes of the reference's raises that are valued, the likeliest ones."""
WIDTH = 3 + RAISES
"""Columns: fold, call, the raise that was made, raises of the reference."""


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


def candidates_at(views: Views, policy: Policy, taken: Ints | None = None) -> Candidates:
    """Return the actions to value at these views, of which `taken` are always some.

    The reference's raises that are not valued count towards the valued raise of the nearest size. A fold
    where a check is free counts as a check.
    """
    did = np.full(len(views), NONE) if taken is None else np.where(
        (taken == FOLD) & (views.to_call == 0), CALL, taken
    )
    codes = np.full((len(views), WIDTH), NONE, dtype=np.int64)
    codes[:, 0] = np.where(views.to_call > 0, FOLD, NONE)
    codes[:, 1] = CALL
    codes[:, 2] = np.where(did > 0, did, NONE)
    shares = np.zeros((len(views), WIDTH))
    shares[:, 0] = np.where(policy.codes == FOLD, policy.probabilities, 0.0).sum(axis=1)
    shares[:, 1] = np.where(policy.codes == CALL, policy.probabilities, 0.0).sum(axis=1)
    for i in np.flatnonzero(views.max_raise_to > 0).tolist():
        _raises(policy.codes[i], policy.probabilities[i], int(views.min_raise_to[i]), codes[i], shares[i])
    free = codes[:, 0] == NONE
    shares[free, 1] += shares[free, 0]
    shares[free, 0] = 0.0
    chosen = np.where(did == NONE, -1, np.where(did == FOLD, 0, np.where(did == CALL, 1, 2)))
    return Candidates(codes, shares, chosen.astype(np.int64))


def _raises(offered: Ints, probabilities: Floats, least: int, codes: Ints, shares: Floats) -> None:
    """Fill in the raises of one decision: the likeliest totals, and the share of every total."""
    totals: dict[int, float] = {}
    for code, share in zip(offered.tolist(), probabilities.tolist(), strict=True):
        if code > 0:
            totals[code] = totals.get(code, 0.0) + share
    likely = sorted(totals, key=lambda total: (-totals[total], total))
    others = [total for total in likely if total != codes[2] and totals[total] > 0][:RAISES]
    if not others and codes[2] == NONE:
        others = likely[:1] or [least]
    codes[3 : 3 + len(others)] = others
    columns = [column for column in range(2, WIDTH) if codes[column] != NONE]
    for total, share in totals.items():
        nearest = min(columns, key=lambda column: (abs(int(codes[column]) - total), column))
        shares[nearest] += share
