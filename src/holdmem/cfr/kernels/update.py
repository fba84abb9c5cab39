"""The update of counterfactual regret minimisation, for every solver here.

The first five kernels are the rules for one regret, probability or sum; all solvers are made of them. The
others apply them to the buckets of a node of a betting tree.

Arithmetic is in the type of the arrays, and each solver keeps its own rounding:

    game trees               float64; an information set has several nodes, so what they contribute is added
                             node by node, and the sums are discounted after that
    public chance sampling   float32, also the discount factors; a walk meets each regret once, and adds to it
                             and discounts it in one go
    subgames                 float32 as well; only the choice whether to enter a subgame adds its regrets in
                             another order, (regret + value) - mean
"""

import numpy as np

from holdmem.core.jit import kernel

NOTHING, ONE = np.float32(0), np.float32(1)


@kernel
def positive(regret):
    """Return the positive part of a regret."""
    return max(regret, NOTHING)


@kernel
def matched(share, total, uniform):
    """Return a probability by regret matching: a positive regret's share of their total, if there is any."""
    return share / total if total > NOTHING else uniform


@kernel
def averaged(total, share, reach):
    """Return a sum of the average strategy with a probability added, weighted by the player's reach."""
    return total + reach * share


@kernel
def regretted(regret, value, mean, weight):
    """Return a regret with an action's gain over the strategy added, weighted by the others' reach."""
    return regret + weight * (value - mean)


@kernel
def faded(regret, fading):
    """Return a regret times the discount factor of its sign."""
    return regret * (fading[0] if regret > NOTHING else fading[1])


@kernel
def match_regrets(regrets, start, actions, buckets, strategy, total):
    """Compute strategy[action, bucket] by regret matching; uniform where no regret is positive.

    Regrets, and likewise strategy sums, are at `start + action * buckets + bucket`. `total` is scratch.
    """
    for b in range(buckets):
        total[b] = NOTHING
    for a in range(actions):
        row, share = regrets[start + a * buckets : start + (a + 1) * buckets], strategy[a]
        for b in range(buckets):
            share[b] = positive(row[b])
            total[b] += share[b]
    uniform = np.float32(1 / actions)
    for a in range(actions):
        share = strategy[a]
        for b in range(buckets):
            share[b] = matched(share[b], total[b], uniform)


@kernel
def add_to_average(sums, start, actions, buckets, strategy, reach, fade):
    """Add the strategy to its average, weighted by its player's reach with each bucket; discount it."""
    for a in range(actions):
        row, share = sums[start + a * buckets : start + (a + 1) * buckets], strategy[a]
        for b in range(buckets):
            row[b] = averaged(row[b], share[b], reach[b]) * fade


@kernel
def add_regrets(regrets, start, actions, buckets, strategy, values, mean, fading):
    """Add each action's gain over the strategy to its regret and discount it.

    Set mean[bucket] to the strategy's value.
    """
    for b in range(buckets):
        mean[b] = NOTHING
    for a in range(actions):
        share, value = strategy[a], values[a]
        for b in range(buckets):
            mean[b] += share[b] * value[b]
    for a in range(actions):
        row, value = regrets[start + a * buckets : start + (a + 1) * buckets], values[a]
        for b in range(buckets):
            row[b] = faded(regretted(row[b], value[b], mean[b], ONE), fading)
