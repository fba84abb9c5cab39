"""From observed hands to the memory of a person or of a population."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from holdmem.core.types import Floats
from holdmem.people.kernels.situations import POSTFLOP_CUTS, PREFLOP_CUTS, RAISES
from holdmem.people.learn import (
    GAIN,
    NAMES,
    Leaves,
    Tell,
    count_public,
    expected_counts,
    learn_population,
    leaves_of,
)
from holdmem.people.memory import PersonMemory
from holdmem.people.observe import Observations
from holdmem.people.person import learn_person
from holdmem.people.pooling import sums_over
from holdmem.people.tree import SituationTree

SIZE_WEIGHT = 5.0
"""Raises of a class that the typical size above it counts for."""
MIDDLE_PRE = np.array([2.0, *(PREFLOP_CUTS[1:] + PREFLOP_CUTS[:-1]) / 2, 4.5])
MIDDLE_POST = np.array([0.1, *(POSTFLOP_CUTS[1:] + POSTFLOP_CUTS[:-1]) / 2, 1.3])
"""Sizes of the classes of raises where nothing is known."""


def remember_population(
    observed: Observations,
    name: str,
    about: Mapping[str, Any],
    rounds: int = 15,
    say: Callable[[str], None] = lambda text: None,
    gain: float = GAIN,
) -> PersonMemory:
    """Learn a population from all its hands; a split of its trees gains at least `gain` nats."""
    questions = learn_population(observed, rounds, say, gain=gain)
    leaves = leaves_of(questions, observed)
    tables = {one: questions[one].table for one in NAMES}
    counts, _ = expected_counts(tables, observed, leaves)
    return PersonMemory(
        name=name,
        about=about,
        trees={one: questions[one].tree for one in NAMES},
        tables=tables,
        usual={one: questions[one].frequencies for one in NAMES},
        weights={one: questions[one].strengths for one in NAMES},
        public=count_public(questions, observed, leaves),
        shown={one: counts[one][0] for one in NAMES},
        inferred={one: counts[one][1] for one in NAMES},
        sizes=_sizes({one: questions[one].tree for one in NAMES}, observed, leaves, None),
        ranges={one: questions[one].ranges for one in NAMES},
    )


def remember_person(
    population: PersonMemory,
    observed: Observations,
    name: str,
    about: Mapping[str, Any],
    tell: Tell = lambda decisions: None,
) -> PersonMemory:
    """Learn a person from observed hands, starting from a population; `tell` hears of decisions done."""
    questions = population.questions
    leaves = leaves_of(questions, observed)
    found = learn_person(questions, observed, leaves=leaves, tell=tell)
    return PersonMemory(
        name=name,
        about=about,
        trees=population.trees,
        tables=found.tables,
        usual=population.usual,
        weights=population.weights,
        public=found.public,
        shown=found.shown,
        inferred=found.inferred,
        sizes=_sizes(population.trees, observed, leaves, population.sizes),
    )


def _sizes(
    trees: Mapping[str, SituationTree],
    observed: Observations,
    leaves: Leaves,
    usual: Mapping[str, Floats] | None,
) -> dict[str, Floats]:
    """Return the mean size of each class of raise by node, pooled with the node above or the population."""
    found = {}
    for name, middle, after in (("size_pre", MIDDLE_PRE, False), ("size_post", MIDDLE_POST, True)):
        which = (observed.action >= RAISES) & ((observed.board >= 0) == after)
        tree, place = trees[name], (leaves.size[which], observed.action[which] - RAISES)
        counts, total = np.zeros((len(tree), len(middle))), np.zeros((len(tree), len(middle)))
        np.add.at(counts, place, 1)
        np.add.at(total, place, np.minimum(observed.size[which], 4 * middle[-1]))
        counts, total = sums_over(tree, counts), sums_over(tree, total)
        found[name] = _means(tree, counts, total, middle, None if usual is None else usual[name])
    return found


def _means(
    tree: SituationTree, counts: Floats, total: Floats, middle: Floats, usual: Floats | None
) -> Floats:
    found = np.empty(counts.shape)
    for node in range(len(tree)):
        above = found[tree.parent[node]] if node else middle
        if usual is not None:
            above = usual[node] * (above / usual[tree.parent[node]]) if node else usual[0]
        found[node] = (total[node] + SIZE_WEIGHT * above) / (counts[node] + SIZE_WEIGHT)
    return found
