"""Expected value of actions, found by playing the rest of the hand out against the opponent models."""

from typing import NamedTuple

import numpy as np

from holdmem.agent import Actions, Views
from holdmem.core.random import Streams, kernel_key
from holdmem.core.types import Floats, Ints
from holdmem.engine import CALL, FOLD
from holdmem.opponents.kernels.rollouts import NO_ACTION
from holdmem.opponents.kernels.rollouts import expected_values as play_out


class RolloutResults(NamedTuple):
    """The actions tried at each view and their results in chips, relative to folding."""

    actions: Ints
    """CALL or raise-to amounts, of shape (n, tried); shorter rows are padded with NO_ACTION."""
    values: Floats
    errors: Floats

    def best(self, views: Views, caution: float = 0.0) -> Actions:
        """Return the action with the highest value at each view, or a fold if every action loses chips.

        The maximum of several noisy estimates is biased upwards, so `caution` standard errors are subtracted
        from each value. There is no fold where checking is free.
        """
        values = np.where(self.actions == NO_ACTION, -np.inf, self.values - caution * self.errors)
        chosen = self.actions[np.arange(len(views)), values.argmax(axis=1)]
        folding = (values.max(axis=1) < 0) & (views.to_call > 0)
        return Actions(np.where(folding, FOLD, chosen))


def sized_actions(views: Views, sizes: tuple[float, ...]) -> Ints:
    """Return a call and raises by the given multiples of the pot, of shape (n, 1 + sizes).

    Raises are clipped to the legal range. Illegal and repeated ones become NO_ACTION. In limit there is one
    raise.
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
    probabilities: Floats,
    rng: Streams,
    actions: Ints,
    *,
    rollouts: int,
    to_showdown: bool = False,
) -> RolloutResults:
    """Return the mean result of each action over `rollouts` cases, with opponents' holdings drawn by weight.

    `probabilities` comes from `Frequencies.probabilities`. Opponents act by these probabilities and their
    holdings. With `to_showdown` they only respond to the action by folding or calling, and the hand is
    checked down.
    """
    values, errors = np.empty(actions.shape), np.empty(actions.shape)
    rows, key = np.ascontiguousarray(views.rows), kernel_key(rng)
    play_out(
        views.game.rules_row,
        rows,
        views.history,
        probabilities,
        key,
        actions,
        rollouts,
        to_showdown,
        values,
        errors,
    )
    return RolloutResults(actions, values, errors)
