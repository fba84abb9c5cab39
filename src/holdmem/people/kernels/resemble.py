"""Kernels: how likely a player's answers are for somebody whose habits are not known yet."""

import numpy as np

from holdmem.core.jit import kernel


@kernel
def path_to(parent, leaf, path):
    """Write the nodes from a leaf up to the root, and return their number."""
    length, node = 1, leaf
    path[0] = leaf
    while node > 0:
        node = parent[node]
        path[length] = node
        length += 1
    return length


@kernel
def expected_answers(parent, usual, strengths, counts, path, length, out):
    """Write the frequencies at the end of a path: the population's, moved by the counts on the way."""
    kinds = usual.shape[1]
    out[:] = usual[0]
    for step in range(length - 1, -1, -1):
        node = path[step]
        if node > 0:
            total = 0.0
            for k in range(kinds):
                out[k] = max(usual[node, k] * out[k] / usual[parent[node], k], 1e-6)
                total += out[k]
            out /= total
        seen = counts[node].sum()
        for k in range(kinds):
            out[k] = (counts[node, k] + strengths[node] * out[k]) / (seen + strengths[node])


@kernel
def likelihood_in_turn(parent, usual, strengths, leaf, answer, path):
    """Log-likelihood of answers of one player, each predicted from the population and the answers before.

    `path` is scratch for the nodes above a leaf and the leaf itself.
    """
    counts, expected = np.zeros(usual.shape), np.empty(usual.shape[1])
    found = 0.0
    for i in range(len(leaf)):
        length = path_to(parent, leaf[i], path)
        expected_answers(parent, usual, strengths, counts, path, length, expected)
        found += np.log(expected[answer[i]])
        for step in range(length):
            counts[path[step], answer[i]] += 1
    return found
