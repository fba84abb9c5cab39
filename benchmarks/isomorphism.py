"""Hands up to suits: index and way back, on random hands in a batch."""

from collections.abc import Mapping

import numpy as np

from benchmarks.evaluation import random_cards
from benchmarks.measure import Chunk, Prepare, Work
from holdmem.cards import Isomorphism

BATCH = 100_000
ROUNDS = ((2, 3), (2, 4), (2, 5), (2, 3, 1))


def indexing(rounds: tuple[int, ...]) -> Chunk:
    """Cards to classes."""
    classes, hands = Isomorphism(rounds), random_cards(BATCH, sum(rounds)).astype(np.int8)
    return lambda: len(classes.index(hands))


def unindexing(rounds: tuple[int, ...]) -> Chunk:
    """Classes to cards."""
    classes = Isomorphism(rounds)
    numbers = np.random.default_rng(7).integers(0, classes.size, BATCH)
    return lambda: len(classes.cards(numbers))


def ways() -> Mapping[str, Prepare]:
    """Both directions for the rounds that abstractions use."""
    index = {f"index {rounds}": lambda rounds=rounds: indexing(rounds) for rounds in ROUNDS}
    return index | {f"cards {rounds}": lambda rounds=rounds: unindexing(rounds) for rounds in ROUNDS[::2]}


SUITS = Work("suit isomorphism", "hands", ours=ways())
