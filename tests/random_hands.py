"""Recorded hands of every kind the rules allow, drawn by hypothesis."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from holdmem.agent.play import FinishedHands
from holdmem.core.random import hand_ids
from holdmem.engine import Batch, Game
from holdmem.history import Hands
from random_games import games
from random_play import decks, play_out

NAMES = ("ann", "bob", "cid", "dot", "eve", "fay", "gus", "hal", "ivy", "joe")


def recorded(game: Game, seed: int, count: int = 6, stacks: ArrayLike | None = None) -> Hands:
    """Hands of random play, everybody's cards known, the players one seat further in each."""
    rng = np.random.default_rng(seed)
    batch = play_out(Batch(game, decks(rng, game, count), stacks), rng)
    lineup = (np.arange(game.seats) + np.arange(count)[:, None]) % game.seats
    return Hands.of(FinishedHands(batch, lineup, hand_ids(count), np.arange(count)), NAMES[: game.seats])


@st.composite
def hands(draw: st.DrawFn, drawn: st.SearchStrategy[Game] | None = None, count: int = 6) -> Hands:
    """A few hands of one game."""
    game = draw(games() if drawn is None else drawn)
    return recorded(game, draw(st.integers(0, 2**32)), count)


def masked(block: Hands, seed: int) -> Hands:
    """The same hands with about a third of the hole cards unknown, some of one hand only."""
    rng = np.random.default_rng(seed)
    rows = block.rows.copy()
    rows["hole"][rng.random(rows["hole"].shape) < 0.2] = -1
    rows["hole"][rng.random(rows["hole"].shape[:2]) < 0.2] = -1
    return replace(block, rows=rows)
