"""Evolution by self-play: hands a second of nine Caspers with nine weight sets at one table, on one core."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from benchmarks.measure import Chunk, Line, Prepare, Work
from holdmem.learning.evolve.evolution import Evolution
from holdmem.learning.evolve.generations import Block, play_block
from holdmem.learning.evolve.genetics import Population
from holdmem.learning.evolve.task import SCHEMES
from holdmem.players.casper import WEIGHTS

HANDS = 1250
"""A unit of the final algorithm on two workers."""
TASK = SCHEMES["self-play"]
BAR = TASK.all_hands / (30 * 60 * 2)
"""All of Rubin's (2007) hands in half an hour on two cores."""


def at_random() -> Population:
    """As the first generation is."""
    return Evolution(TASK).next_population("GA1")


def converged(name: str) -> Population:
    """As a last generation is: nearly the same nine times."""
    weights = tuple(int(weight) for weight in WEIGHTS[name].vector)
    return tuple((*weights[:place], 50, *weights[place + 1 :]) for place in range(9))


def hands_of(population: Population) -> Prepare:
    """A chunk that plays other cards each time."""

    def prepare() -> Chunk:
        unit, numbers = Block(TASK.table, "GA1", 0, population, 0, HANDS), count()

        def chunk() -> int:
            found = play_block(replace(unit, generation=next(numbers)))
            if isinstance(found, str):
                raise RuntimeError(found)
            return unit.hands

        return chunk

    return prepare


def evolution(seconds: float) -> Iterator[Line]:
    """Random weights, as at the beginning, and weights that have converged, as at the end."""
    ours = {
        "random weights": hands_of(at_random()),
        "near the general weights": hands_of(converged("general")),
        "near the hand-picked weights": hands_of(converged("hand-picked")),
    }
    yield from Work("evolution, nine Caspers", "hands", ours, bar=BAR).measure(seconds)
