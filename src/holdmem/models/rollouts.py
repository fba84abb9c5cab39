"""The expected value of actions, by playing the rest of the hand out against the models of the opponents."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.models.rollout_kernels import NO_ACTION
from holdmem.models.rollout_kernels import expected_values as play_out
from holdmem.rules import CALL, FOLD
from holdmem.table import Actions, Streams, Views
from holdmem.table.streams import kernel_key

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Outcomes(NamedTuple):
    """What was tried at each view, and what came of it in chips; a fold is worth 0."""

    actions: Ints
    """(n, tried): CALL or totals of raises; NO_ACTION in rows with fewer."""
    values: Floats
    errors: Floats

    def best(self, views: Views, caution: float = 0.0) -> Actions:
        """The action with the highest value at each view; a fold where all others lose.

        The highest of several uncertain values is too high on average: `caution` is how many standard errors
        are taken off each.
        """
        values = np.where(self.actions == NO_ACTION, -np.inf, self.values - caution * self.errors)
        chosen = self.actions[np.arange(len(views)), values.argmax(axis=1)]
        folding = (values.max(axis=1) < 0) & (views.to_call > 0)
        return Actions(np.where(folding, FOLD, chosen))


def sized_actions(views: Views, sizes: tuple[float, ...]) -> Ints:
    """(n, 1 + sizes): a call, and raises by these parts of the pot as far as they are legal and different.

    In limit there is one raise.
    """
    sizes = (1.0,) if views.game.limit else sizes
    pot = (views.pot + views.to_call)[:, None]
    totals = views.highest[:, None] + (pot * np.array(sizes)).astype(np.int64)
    totals = np.clip(totals, views.min_raise_to[:, None], views.max_raise_to[:, None])
    totals[:, 1:][totals[:, 1:] == totals[:, :-1]] = NO_ACTION
    totals[views.max_raise_to == 0] = NO_ACTION
    return np.column_stack([np.full(len(views), CALL), totals])


def expected_values(
    views: Views,
    chances: Floats,
    rng: Streams,
    actions: Ints,
    *,
    rollouts: int,
    to_showdown: bool = False,
) -> Outcomes:
    """The mean result of each action over `rollouts` cases, opponents' holdings drawn by their weights.

    `chances` are those of `Frequencies.chances`. Opponents act by them and by their holdings. With
    `to_showdown` they only answer the action, by a fold or a call, and the hand is checked to its end.
    """
    values, errors = np.empty(actions.shape), np.empty(actions.shape)
    rows, key = np.ascontiguousarray(views.rows), kernel_key(rng)
    play_out(
        views.game.rules_row,
        rows,
        views.history,
        chances,
        key,
        actions,
        rollouts,
        to_showdown,
        values,
        errors,
    )
    return Outcomes(actions, values, errors)
