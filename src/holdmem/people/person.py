"""Learn one person: the population's memory, moved by the person's own hands as far as they reach.

Two things are learned. What the person does in public is counted directly, and pooled along the tree. With
which holdings it does so is inferred as for the population; where the person's hands say nothing, the
population's table is tilted until it gives the person's public frequencies (see `learn.tilted`). That part is
known from the population alone.
"""

from dataclasses import dataclass

import numpy as np

from holdmem.core.types import Floats
from holdmem.people.holdings import PREFLOP, preflop_groups
from holdmem.people.learn import (
    NAMES,
    Leaves,
    Question,
    Tables,
    Tell,
    count_public,
    expected_counts,
    leaves_of,
    tilted,
)
from holdmem.people.observe import Observations
from holdmem.people.pooling import LEAST, in_mix_of, pooled, sums_over

ROUNDS = 2
PASSES = ROUNDS + 1
"""How often the decisions of a person are gone through."""
CLASS_STRENGTH = 100.0
"""Decisions with a group of holdings that are weighed against what the tilted population does with it."""
INFERRED_WEIGHT = 0.25
"""Weight of an inferred decision against a shown one: it partly repeats what was believed before."""
RANGE_STRENGTH = 50.0


@dataclass(frozen=True, eq=False)
class LearnedTables:
    """What was learned of a person, by question."""

    tables: Tables
    """(nodes, classes, answers): probability of each answer by class of holdings."""
    public: Tables
    """(nodes, answers): how often each answer was given."""
    shown: Tables
    """(nodes, classes, answers): decisions in which the holding was shown."""
    inferred: Tables
    """The same, expected, of decisions in which it was not."""
    likelihood: float
    hands: int
    decisions: int


def learn_person(
    questions: dict[str, Question],
    observed: Observations,
    rounds: int = ROUNDS,
    class_strength: float = CLASS_STRENGTH,
    leaves: Leaves | None = None,
    tell: Tell = lambda decisions: None,
) -> LearnedTables:
    """Learn the player whose hands these are."""
    leaves = leaves or leaves_of(questions, observed)
    public = count_public(questions, observed, leaves)
    wanted = {name: person_frequencies(questions[name], public[name]) for name in NAMES}
    tables = {name: tilted(questions[name].table, questions[name].ranges, wanted[name]) for name in NAMES}
    counts, likelihood = expected_counts(tables, observed, leaves, tell)
    for _ in range(rounds):
        tables = {name: moved(questions[name], wanted[name], counts[name], class_strength) for name in NAMES}
        counts, likelihood = expected_counts(tables, observed, leaves, tell)
    return LearnedTables(
        tables=tables,
        public=public,
        shown={name: counts[name][0] for name in NAMES},
        inferred={name: counts[name][1] for name in NAMES},
        likelihood=likelihood,
        hands=len(observed),
        decisions=len(observed.action),
    )


def person_frequencies(question: Question, counts: Floats) -> Floats:
    """Return the person's public frequencies (nodes, answers), pooled with the population's in its mix."""
    usual = in_mix_of(question.tree, question.frequencies, counts)
    return pooled(question.tree, usual, counts, question.strengths)


def moved(question: Question, wanted: Floats, counts: Floats, strength: float) -> Floats:
    """Return the updated table of a person: the M-step, given expected counts (2, nodes, classes, answers).

    Each group of holdings is expected to act as in the population's table, tilted to the person's public
    frequencies. The ratio of the group's counts to that expectation, pooled along the tree, corrects it.
    """
    tree = question.tree
    ranges = _ranges(question, counts.sum(axis=0))
    counts = counts[0] + INFERRED_WEIGHT * counts[1]
    base = tilted(question.table, ranges, wanted)
    group = preflop_groups() if base.shape[1] == PREFLOP else np.arange(base.shape[1])
    seen = _by_group(counts, group)
    expected = _by_group(counts.sum(axis=2, keepdims=True) * base + 1e-6 * base, group)
    seen, expected = sums_over(tree, seen), sums_over(tree, expected)
    usual = np.maximum(expected / expected.sum(axis=2, keepdims=True), LEAST)
    usual /= usual.sum(axis=2, keepdims=True)
    found = pooled(tree, usual, seen, np.full(len(tree), strength))
    odds = (found / usual).transpose(1, 0, 2)[:, group]
    table = np.maximum(base * odds, LEAST)
    return np.ascontiguousarray(tilted(table / table.sum(axis=2, keepdims=True), ranges, wanted))


def _ranges(question: Question, counts: Floats) -> Floats:
    """Return how often each class gets to each leaf, pooled with the population."""
    mine = sums_over(question.tree, counts.sum(axis=2)[None].transpose(2, 1, 0))[..., 0].T
    found = mine + RANGE_STRENGTH * question.ranges
    return found / found.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]


def _by_group(counts: Floats, group: np.ndarray) -> Floats:
    """Add classes (nodes, classes, answers) up to groups (groups, nodes, answers)."""
    found = np.zeros((int(group.max()) + 1, counts.shape[0], counts.shape[2]))
    np.add.at(found, group, counts.transpose(1, 0, 2))
    return found
