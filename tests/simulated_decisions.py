"""Decisions in the middle of random play, for players that simulate, and the same for their naive twins."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from holdmem import find_game
from holdmem.agent import Views
from holdmem.engine import Batch, Game
from holdmem.opponents import weight_tables
from naive.decision import Decision
from naive.philox import decision_key
from situations import looks, random_play, shuffled

KEY = 0x1234_5678_9ABC_DEF0_0FED_CBA9_8765_4321_0246_8ACE_1357_9BDF
GAMES = {
    "limit": find_game("limit"),
    "no-limit": find_game("nolimit"),
    "three seats": replace(find_game("nolimit", 3), stacks=(250, 900, 2000)),
}
STEPS = (0, 1, 2, 4, 5, 7, 9)
"""Actions before a decision, at each table: from the first of a hand to the river."""


def decisions(game: Game, steps: int, count: int = 4) -> tuple[Views, list[Decision]]:
    """Views of several hands after a number of random actions, and each as a decision for the twins."""
    rng = np.random.default_rng(steps)
    batch = Batch(game, shuffled(game, rng, 30))
    for done, _ in enumerate(random_play(batch, rng)):
        if done == steps:
            break
    tables = batch.unfinished()[:count]
    views = looks(batch, tables)
    return views, [
        Decision(views[i], batch.stacks[table].tolist(), key_of(views, i)) for i, table in enumerate(tables)
    ]


def key_of(views: Views, i: int) -> int:
    """The key of all simulations at one view."""
    where = views.rows["hand_id"][i]
    hand_id = tuple(int(where[name]) for name in ("match", "table", "hand"))
    return decision_key(KEY, hand_id, int(views.rows["actions"][i]))


def drawn_shares(views: Views, seed: int) -> NDArray[np.float64]:
    """Action probabilities at random: [view, seat, situation, kind]."""
    return np.random.default_rng(seed).dirichlet((1, 2, 1), (len(views), 10, 12))


def with_weights(
    views: Views, found: list[Decision], shares: NDArray[np.float64]
) -> Iterator[tuple[int, Decision, dict[int, list[float]]]]:
    """Each decision with the weights of its opponents' holdings, which have twins and tests of their own."""
    tables = weight_tables(views, shares)
    for i, decision in enumerate(found):
        yield i, decision, {seat: tables[i, seat].tolist() for seat in decision.opponents()}
