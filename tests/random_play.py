"""Random legal play: the same actions for the same generator, one hand or a whole batch at a time."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from holdmem.engine import CALL, FOLD, Batch, Game


def decks(rng: np.random.Generator, game: Game, count: int) -> NDArray[np.int64]:
    """Shuffled decks, cut to what the game can need."""
    return rng.permuted(np.tile(np.arange(52), (count, 1)), axis=1)[:, : game.deck_cards]


def choose(rng: np.random.Generator, to_call: int, least: int, most: int) -> int:
    """A legal action: now and then a fold, else a call or a raise of the least, the most or any size."""
    if to_call and rng.random() < 0.12:
        return FOLD
    if not most or rng.random() < 0.5:
        return CALL
    return int(rng.choice([least, most, rng.integers(least, most + 1), min(most, 2 * least)]))


def play(batch: Batch, rng: np.random.Generator) -> Iterator[dict[int, int]]:
    """Play every hand to its end; before each move, the action about to be taken at each table."""
    while len(tables := batch.unfinished()):
        legal = batch.legal(tables)
        actions = np.array([choose(rng, *map(int, limits)) for limits in zip(*legal, strict=True)])
        yield dict(zip(tables.tolist(), actions.tolist(), strict=True))
        batch.act(tables, actions)


def play_out(batch: Batch, rng: np.random.Generator) -> Batch:
    """The same batch, once every hand is over."""
    for _ in play(batch, rng):
        pass
    return batch
