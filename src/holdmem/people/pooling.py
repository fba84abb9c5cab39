"""Partial pooling along a tree: a person's frequencies in a situation, shrunk towards what is known above it.

In a node the person is expected to deviate from the population as in the node above: the target is the
population's frequencies there times the person's odds against the population in the parent, made to sum to
one. The person's own counts n then give (n + strength · target) / (sum of n + strength). The strength of each
node is the one that makes the counts of many people most likely (Dirichlet-multinomial, empirical Bayes):
it is large where people are similar, and small where they differ.
"""

import numpy as np
from scipy.special import gammaln

from holdmem.core.types import Floats
from holdmem.people.tree import SituationTree

STRENGTHS = np.array([2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 4096.0])
"""Strengths of pooling that are tried, in decisions."""
LEAST = 1e-6
"""Smallest probability that pooling gives."""
LITTLE = 1e-3
"""Decisions that the population's own mix of situations counts for."""


def sums_over(tree: SituationTree, counts: Floats) -> Floats:
    """Return counts (…, nodes, answers) with those of its descendants added to each node."""
    total = counts.copy()
    for node in range(len(tree) - 1, 0, -1):
        total[..., tree.parent[node], :] += total[..., node, :]
    return total


def population_frequencies(tree: SituationTree, counts: Floats, strength: float = 2.0) -> Floats:
    """Return frequencies (nodes, answers) of summed counts, each node smoothed towards its parent."""
    found = np.empty(counts.shape)
    for node in range(len(tree)):
        above = found[tree.parent[node]] if node else np.full(counts.shape[1:], 1 / counts.shape[-1])
        found[node] = (counts[node] + strength * above) / (
            counts[node].sum(axis=-1, keepdims=True) + strength
        )
    return found


def target_of(population: Floats, above: Floats, population_above: Floats) -> Floats:
    """Return frequencies towards which a person is shrunk at a node.

    They are the population's, times the ratio of person to population at the parent node, normalised.
    """
    found = np.maximum(population * (above / population_above), LEAST)
    return found / found.sum(axis=-1, keepdims=True)  # type: ignore[no-any-return]


def pooled(tree: SituationTree, population: Floats, counts: Floats, strengths: Floats) -> Floats:
    """Return the frequencies of people in every node, given their summed counts (…, nodes, answers)."""
    found = np.empty(counts.shape)
    for node in range(len(tree)):
        target = _target(tree, population, found, node)
        found[..., node, :] = _mixed(counts[..., node, :], target, strengths[node])
    return found


def in_mix_of(tree: SituationTree, population: Floats, counts: Floats) -> Floats:
    """Return the population's frequencies (nodes, answers) if it met situations as often as these counts do.

    In a leaf they are the population's; above it they are its leaves' in the proportions of `counts`, which
    are summed. A person who meets other situations than most is not taken for one who plays differently.
    """
    leaf = (tree.split < 0)[:, None]
    mine = np.where(leaf, counts.sum(axis=1, keepdims=True) * population, 0)
    found = np.maximum(sums_over(tree, mine) + LITTLE * population, LEAST)
    return found / found.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]


def fit_strengths(tree: SituationTree, population: Floats, counts: Floats) -> Floats:
    """Return the strength of pooling in each node that makes the counts of people most likely.

    `counts` are summed counts of shape (people, nodes, answers).
    """
    strengths, found = np.empty(len(tree)), np.empty(counts.shape)
    for node in range(len(tree)):
        target = np.broadcast_to(_target(tree, population, found, node), found[:, node].shape)
        likely = [dirichlet_likelihood(counts[:, node], target, one) for one in STRENGTHS]
        strengths[node] = STRENGTHS[int(np.argmax(likely))]
        found[:, node] = _mixed(counts[:, node], target, strengths[node])
    return strengths


def dirichlet_likelihood(counts: Floats, target: Floats, strength: float) -> float:
    """Return the log-likelihood of counts (people, answers) with Dirichlet parameters strength · target."""
    alpha, total = strength * target, counts.sum(axis=1)
    each = (gammaln(alpha + counts) - gammaln(alpha)).sum(axis=1)
    return float((each + gammaln(strength) - gammaln(strength + total)).sum())


def _target(tree: SituationTree, population: Floats, found: Floats, node: int) -> Floats:
    if node == 0:
        return population[..., 0, :]
    above = int(tree.parent[node])
    return target_of(population[..., node, :], found[..., above, :], population[..., above, :])


def _mixed(counts: Floats, target: Floats, strength: float) -> Floats:
    total = counts.sum(axis=-1, keepdims=True)
    return (counts + strength * target) / (total + strength)  # type: ignore[no-any-return]
