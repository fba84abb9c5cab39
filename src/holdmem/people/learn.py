"""Learn how people play from hands in which most cards stay hidden: expectation–maximisation.

The expectation step finds what each player can have held in each hand: every holding, weighted by the
probability that the player's actions have with it. Shown cards are certain, and a hand mucked at a showdown
did not beat those shown. The maximisation step counts actions by situation and class of holdings with these
weights, and pools the counts (see `pooling`). Dempster, Laird and Rubin (1977) show that this never lowers
the likelihood of the unpooled model.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from holdmem.cards.classes import CLASS_OF_HOLDING, HOLDING_OF
from holdmem.core.types import Floats, Ints
from holdmem.people.holdings import POSTFLOP, PREFLOP, postflop_strength, preflop_strength
from holdmem.people.kernels.inference import WAYS, expect
from holdmem.people.kernels.situations import RAISES
from holdmem.people.observe import Observations
from holdmem.people.pooling import LEAST, fit_strengths, pooled, population_frequencies, sums_over
from holdmem.people.situations import ByteArray
from holdmem.people.tree import SituationTree, grow

WHAT, SIZES = 3, 6
NAMES = ("what_pre", "size_pre", "what_post", "size_post")
"""The questions: what a player does, and how large a raise is, before and after the flop."""
CLASSES_OF = {"what_pre": PREFLOP, "size_pre": PREFLOP, "what_post": POSTFLOP, "size_post": POSTFLOP}
ANSWERS_OF = {"what_pre": WHAT, "size_pre": SIZES, "what_post": WHAT, "size_post": SIZES}
GAIN = 15.0
"""Nats that a split of a tree must gain."""
MIDDLING = (0.7, 0.9)
"""Strengths at which a shown holding is middling and strong when trees are grown."""
SLOPE = 4.0
"""How much likelier a stronger holding is to be raised, before anything is learned."""
SLIP = 0.01
"""Share of decisions in which holdings are taken not to matter, so that no holding is ever excluded."""
HABITS = 300
"""Hands of a person from which it counts when strengths of pooling are fitted."""

STRETCH = 20_000
"""Player-hands between two reports of progress."""

Tables = dict[str, Floats]
Tell = Callable[[int], None]
"""Called with the number of decisions that were gone through since the last call."""


@dataclass(frozen=True, eq=False)
class Question:
    """What the population does in every situation of a tree, and with which classes of holdings."""

    tree: SituationTree
    frequencies: Floats
    """(nodes, answers)"""
    strengths: Floats
    """(nodes,): decisions that a person's counts are weighed against."""
    table: Floats
    """(nodes, classes, answers): probability of each answer by class of holdings."""
    ranges: Floats
    """(nodes, classes): how often each class of holdings gets there."""


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaf of each decision in the trees of what is done and of sizes, and whether it is preflop."""

    what: Ints
    size: Ints


def leaves_of(questions: dict[str, Question], observed: Observations) -> Leaves:
    """Return the leaves of all decisions."""
    return leaves_of_trees({name: question.tree for name, question in questions.items()}, observed)


def leaves_of_trees(trees: Mapping[str, SituationTree], observed: Observations) -> Leaves:
    """Return the leaves of all decisions in trees by question."""
    before = observed.board < 0
    found = []
    for kind in ("what", "size"):
        out = np.zeros(len(before), dtype=np.int64)
        for part, which in (("pre", before), ("post", ~before)):
            out[which] = trees[f"{kind}_{part}"].leaf_of(observed.features[which])
        found.append(out)
    return Leaves(*found)


def count_public(questions: dict[str, Question], observed: Observations, leaves: Leaves) -> Tables:
    """Return how often each answer was given in each node, by question."""
    before, found = observed.board < 0, {}
    answer = np.minimum(observed.action, RAISES)
    raised = observed.action >= RAISES
    for name in NAMES:
        which = before if name.endswith("pre") else ~before
        tree = questions[name].tree
        counts = np.zeros((len(tree), ANSWERS_OF[name]))
        if name.startswith("what"):
            np.add.at(counts, (leaves.what[which], answer[which]), 1)
        else:
            which = which & raised
            np.add.at(counts, (leaves.size[which], observed.action[which] - RAISES), 1)
        found[name] = sums_over(tree, counts)
    return found


def expected_counts(
    tables: Tables, observed: Observations, leaves: Leaves, tell: Tell = lambda decisions: None
) -> tuple[Tables, float]:
    """Return expected counts by question, shape (2, nodes, classes, answers), and the log-likelihood.

    `tell` is called with the number of decisions gone through, some thousand player-hands at a time.
    """
    counts = {name: np.zeros((2, *tables[name].shape)) for name in NAMES}
    likelihood = 0.0
    for start in range(0, len(observed), STRETCH):
        part = slice(start, start + STRETCH)
        first = observed.first[start : start + STRETCH + 1]
        likelihood += expect(
            first, observed.action, observed.board, leaves.what, leaves.size, observed.hole[part],
            observed.cards[part], observed.limit[part], observed.classes, *(tables[name] for name in NAMES),
            *(counts[name] for name in NAMES),
        )  # fmt: skip
        tell(int(first[-1] - first[0]))
    return counts, likelihood


def tilted(table: Floats, ranges: Floats, frequencies: Floats, rounds: int = 30) -> Floats:
    """Return the table with each answer made likelier or less likely by the same factor for all classes.

    The factors are those for which the mean over `ranges` (nodes, classes) is `frequencies` (nodes, answers):
    what was seen in public is matched, and the order of the classes is kept.
    """
    found = table
    for _ in range(rounds):
        mean = np.einsum("nc,nck->nk", ranges, found)
        found = found * (frequencies / np.maximum(mean, LEAST * LEAST))[:, None, :]
        found = found / found.sum(axis=2, keepdims=True)
    return found


def first_table(name: str, frequencies: Floats) -> tuple[Floats, Floats]:
    """Return the table before anything is learned: stronger holdings raise more and fold less."""
    strength = preflop_strength() if name.endswith("pre") else postflop_strength()
    share = WAYS / WAYS.sum() if name.endswith("pre") else np.full(len(strength), 1 / len(strength))
    order = np.array([-1.0, 0.0, 1.0]) if name.startswith("what") else np.zeros(SIZES)
    table = np.maximum(frequencies, LEAST)[:, None, :] * np.exp(SLOPE * strength[:, None] * order)
    ranges = np.broadcast_to(share, (len(frequencies), len(share))).copy()
    return tilted(table / table.sum(axis=2, keepdims=True), ranges, frequencies), ranges


def grow_questions(observed: Observations, gain: float = GAIN) -> dict[str, Question]:
    """Grow the trees on all decisions, and fit how much people differ in every situation."""
    before, raised = observed.board < 0, observed.action >= RAISES
    held, found = shown_strengths(observed), {}
    for name in NAMES:
        which = before if name.endswith("pre") else ~before
        which = which if name.startswith("what") else which & raised
        answers = np.minimum(observed.action, RAISES) if name.startswith("what") else observed.action - RAISES
        features = np.ascontiguousarray(observed.features[which])
        tree = grow(features, answers[which].astype(np.uint8), held[which], ANSWERS_OF[name], gain)
        found[name] = _question(name, tree, features, answers[which], observed.player[observed.owner[which]])
    return found


def shown_strengths(observed: Observations) -> ByteArray:
    """Return for each decision 0 where the holding was not shown, else 1 to 3 by its strength."""
    known = observed.hole[:, 0] >= 0
    held = np.where(known, HOLDING_OF[observed.hole[:, 0], observed.hole[:, 1]], 0)[observed.owner]
    after = observed.board >= 0
    strength = preflop_strength()[CLASS_OF_HOLDING[held]]
    classes = observed.classes[observed.board[after], held[after]]
    strength[after] = np.append(postflop_strength(), np.zeros(256 - POSTFLOP))[classes]
    found = 1 + np.searchsorted(MIDDLING, strength, side="right")
    return np.where(known[observed.owner], found, 0).astype(np.uint8)


def _question(
    name: str, tree: SituationTree, features: ByteArray, answers: ByteArray, player: Ints
) -> Question:
    leaf, kinds = tree.leaf_of(features), ANSWERS_OF[name]
    people = np.flatnonzero(np.bincount(player) >= HABITS)
    place = np.full(int(player.max(initial=0)) + 1, -1)
    place[people] = np.arange(len(people))
    counts = np.zeros((len(people) + 1, len(tree), kinds))  # the last entry is everybody else
    np.add.at(counts, (place[player], leaf, answers), 1)
    counts = sums_over(tree, counts)
    frequencies = population_frequencies(tree, counts.sum(axis=0))
    strengths = fit_strengths(tree, frequencies, counts[:-1])
    table, ranges = first_table(name, frequencies)
    return Question(tree, frequencies, strengths, table, ranges)


def learn_population(
    observed: Observations,
    rounds: int = 15,
    say: Callable[[str], None] = lambda text: None,
    strength: float = 30.0,
    gain: float = GAIN,
) -> dict[str, Question]:
    """Learn the population's trees and tables."""
    questions = grow_questions(observed, gain)
    leaves = leaves_of(questions, observed)
    for step in range(rounds):
        tables = {name: questions[name].table for name in NAMES}
        counts, likelihood = expected_counts(tables, observed, leaves)
        questions = {name: maximised(questions[name], counts[name].sum(axis=0), strength) for name in NAMES}
        say(f"round {step + 1}: log-likelihood {likelihood / len(observed.action):.5f} per decision")
    return questions


def maximised(question: Question, counts: Floats, strength: float = 30.0) -> Question:
    """Return the question with the table that expected counts (nodes, classes, answers) suggest."""
    tree = question.tree
    by_class = sums_over(tree, np.ascontiguousarray(counts.transpose(1, 0, 2)))
    strengths = np.full(len(tree), strength)
    table = pooled(tree, question.frequencies, by_class, strengths).transpose(1, 0, 2)
    ranges = by_class.sum(axis=2).T + 1e-3
    ranges = ranges / ranges.sum(axis=1, keepdims=True)
    found = tilted(np.maximum(table, LEAST), ranges, question.frequencies, rounds=10)
    found = (1 - SLIP) * found + SLIP * question.frequencies[:, None, :]
    return replace(question, table=np.ascontiguousarray(found), ranges=ranges)
