"""Kernels: count the answers below every split of a tree, and find the leaf of a situation."""

import numpy as np

from holdmem.core.jit import kernel


@kernel
def count_values(features, answers, places, node, counts):
    """Add each decision of `places` to counts[node, feature, value, answer], unless its node is below 0."""
    for i in range(len(places)):
        at = node[i]
        if at >= 0:
            answer, row = np.int64(answers[places[i]]), features[places[i]]
            for feature in range(features.shape[1]):
                counts[at, feature, np.int64(row[feature]), answer] += 1


@kernel
def find_leaf(features, split, cut, right):
    """Leaf of a row of features: from the root, right where the value is at least the cut, else next."""
    node = 0
    while split[node] >= 0:
        node = right[node] if features[split[node]] >= cut[node] else node + 1
    return node


@kernel
def find_leaves(features, split, cut, right, out):
    """Write the leaf of every row."""
    for i in range(len(features)):
        out[i] = find_leaf(features[i], split, cut, right)
