"""Operators of Rubin's (2007) genetic algorithms on hypotheses, which are rows of integers.

A hypothesis holds the weights of the four case bases in sequence, "simply the concatenation of the preflop,
flop, turn and river weights" (§4.2). A new generation consists of hypotheses kept unchanged (§4.2.1) and
offspring (§4.2.2), with mutation among them (§4.2.3). This module is independent of poker.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from holdmem.core.errors import NotationError
from holdmem.core.random import Streams, hand_ids

Hypothesis = tuple[int, ...]
Population = tuple[Hypothesis, ...]

HEAVIEST = 100
"""Largest weight; weights are integers from 0 to this (§4.1)."""


class RandomSequence:
    """Sequential random numbers from one random stream."""

    AT_ONCE = 64

    def __init__(self, rng: Streams) -> None:
        self.rng = rng
        self.drawn: int = 0
        self._numbers: list[float] = []

    def uniform(self) -> float:
        """Draw a number in [0, 1)."""
        place = self.drawn % self.AT_ONCE
        if place == 0:
            where = hand_ids(self.AT_ONCE, first_hand=self.drawn)
            found = self.rng.uniforms(where, np.zeros(self.AT_ONCE, dtype=np.int64))
            self._numbers = found[:, 0].tolist()
        self.drawn += 1
        return self._numbers[place]

    def whole(self, low: int, high: int) -> int:
        """Draw an integer from `low` to `high`, both included, uniformly."""
        return low + int(self.uniform() * (high - low + 1))


@dataclass(frozen=True)
class Operators:
    """How a generation is made from the previous one.

    population        hypotheses per generation: `selected` + 2 · `pairs`
    selected          hypotheses kept unchanged, selected by rank with replacement
    pairs             pairs of different parents, selected by rank; each has two offspring
    mutated           hypotheses drawn from the new generation to have one weight replaced
    mutation_chance   probability that a hypothesis of the new generation has one weight replaced
    shuffled          selection by ranks in random order, whatever was won: a control without selection
    """

    population: int = 9
    selected: int = 3
    pairs: int = 3
    mutated: int = 1
    mutation_chance: float = 0.0
    shuffled: bool = False

    def __post_init__(self) -> None:
        counts = (self.population, self.selected, self.pairs, self.mutated)
        if min(counts) < 0 or self.population < 2 or self.selected + 2 * self.pairs != self.population:
            raise NotationError(
                "the population must be at least 2 and equal the selected plus two offspring per pair,"
                f" got {self.population} with {self.selected} selected and {self.pairs} pairs"
            )
        if not 0 <= self.mutation_chance <= 1:
            raise NotationError(f"expected a mutation probability from 0 to 1, got {self.mutation_chance}")


def random_population(count: int, weights: int, dice: RandomSequence) -> Population:
    """Return hypotheses whose weights are drawn uniformly from 0 to 100."""
    return tuple(tuple(dice.whole(0, HEAVIEST) for _ in range(weights)) for _ in range(count))


def ranks(profits: Sequence[int]) -> tuple[int, ...]:
    """Return ranks, from 1 for the greatest loss up to the greatest profit (§4.2.1).

    Of two equal profits the later ranks higher; the thesis does not specify this.
    """
    order = sorted(range(len(profits)), key=lambda one: profits[one])
    found = [0] * len(profits)
    for rank, one in enumerate(order, start=1):
        found[one] = rank
    return tuple(found)


def selection_probabilities(profits: Sequence[int]) -> tuple[float, ...]:
    """Selection probability of each: its rank over the sum of all ranks (figure 4.4: 1/45 to 9/45)."""
    total = len(profits) * (len(profits) + 1) // 2
    return tuple(rank / total for rank in ranks(profits))


def shuffled_ranks(count: int, dice: RandomSequence) -> tuple[int, ...]:
    """Return the ranks from 1 to `count` in random order, each order equally likely."""
    found = list(range(1, count + 1))
    for last in range(count - 1, 0, -1):
        other = dice.whole(0, last)
        found[last], found[other] = found[other], found[last]
    return tuple(found)


def select(ranking: Sequence[int], dice: RandomSequence) -> int:
    """Select one hypothesis with probability proportional to its rank."""
    ends = list(accumulate(ranking))
    drawn = dice.whole(0, ends[-1] - 1)
    return next(one for one, end in enumerate(ends) if drawn < end)


def select_pair(ranking: Sequence[int], dice: RandomSequence) -> tuple[int, int]:
    """Select two different hypotheses by rank: "not allowed to crossover with themselves" (§4.2.2)."""
    first = second = select(ranking, dice)
    while second == first:
        second = select(ranking, dice)
    return first, second


def crossover(
    first: Hypothesis, second: Hypothesis, stages: Sequence[int], points: Sequence[int]
) -> tuple[Hypothesis, Hypothesis]:
    """Return two offspring by single-point crossover within each stage of play.

    `stages` gives the number of weights of each stage. Up to a stage's point (a mask of ones) the first
    offspring has the first parent's weights, after it the second's; the other offspring has the opposite.
    """
    one: list[int] = []
    other: list[int] = []
    for (start, stop), point in zip(pairwise(accumulate(stages, initial=0)), points, strict=True):
        cut = start + point
        one += first[start:cut] + second[cut:stop]
        other += second[start:cut] + first[cut:stop]
    return tuple(one), tuple(other)


def mutate(hypothesis: Hypothesis, dice: RandomSequence) -> Hypothesis:
    """Replace one weight with a random number from 0 to 100 (§4.2.3)."""
    place = dice.whole(0, len(hypothesis) - 1)
    return (*hypothesis[:place], dice.whole(0, HEAVIEST), *hypothesis[place + 1 :])


def breed(
    population: Population,
    profits: Sequence[int],
    stages: Sequence[int],
    operators: Operators,
    dice: RandomSequence,
) -> Population:
    """Return the next generation: the selected, then the offspring of each pair, with mutation among all."""
    ranking = shuffled_ranks(len(profits), dice) if operators.shuffled else ranks(profits)
    following = [population[select(ranking, dice)] for _ in range(operators.selected)]
    for _ in range(operators.pairs):
        first, second = select_pair(ranking, dice)
        points = [dice.whole(1, count - 1) for count in stages]
        following += crossover(population[first], population[second], stages, points)
    for _ in range(operators.mutated):
        chosen = dice.whole(0, len(following) - 1)
        following[chosen] = mutate(following[chosen], dice)
    if operators.mutation_chance:
        following = [
            mutate(one, dice) if dice.uniform() < operators.mutation_chance else one for one in following
        ]
    return tuple(following)
