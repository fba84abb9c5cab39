"""Kernels of counterfactual regret minimisation on a complete game tree (Zinkevich et al., 2007)."""

import numpy as np

from holdmem.core.jit import kernel

VANILLA, LINEAR, PLUS, DISCOUNTED = 0, 1, 2, 3


@kernel
def match_regrets(regrets, slots, player, owner, strategy):
    """Regret matching at one player's information sets: proportional to positive regret, uniform if none."""
    for info in range(len(slots) - 1):
        if owner[info] == player:
            start, end = slots[info], slots[info + 1]
            total = 0.0
            for slot in range(start, end):
                total += max(regrets[slot], 0.0)
            for slot in range(start, end):
                strategy[slot] = max(regrets[slot], 0.0) / total if total > 0 else 1.0 / (end - start)


@kernel
def reach_nodes(turn, edges, child, chance, info, slots, strategy, reach):
    """Compute reach[node, who], the products of the probabilities of player 0, player 1 and chance."""
    reach[0] = 1.0
    for node in range(len(turn)):
        for edge in range(edges[node], edges[node + 1]):
            after = child[edge]
            reach[after] = reach[node]
            if turn[node] < 0:
                reach[after, 2] *= chance[edge]
            else:
                reach[after, turn[node]] *= strategy[slots[info[node]] + edge - edges[node]]


@kernel
def value_nodes(turn, payoff, edges, child, chance, info, slots, strategy, values):
    """Compute each node's value to player 0 under the strategy, from the terminals to the root."""
    for node in range(len(turn) - 1, -1, -1):
        values[node] = payoff[node]
        for edge in range(edges[node], edges[node + 1]):
            share = chance[edge]
            if turn[node] >= 0:
                share = strategy[slots[info[node]] + edge - edges[node]]
            values[node] += share * values[child[edge]]


@kernel
def add_regrets(player, turn, edges, child, info, slots, reach, values, regrets):
    """Add to each of the player's actions its regret, weighted by the counterfactual reach probability."""
    sign = 1.0 if player == 0 else -1.0
    for node in range(len(turn)):
        if turn[node] == player:
            weight = sign * reach[node, 1 - player] * reach[node, 2]
            start = slots[info[node]] - edges[node]
            for edge in range(edges[node], edges[node + 1]):
                regrets[start + edge] += weight * (values[child[edge]] - values[node])


@kernel
def add_strategy(player, weight, turn, edges, info, slots, reach, strategy, sums):
    """Add the strategy to its sums, weighted by the reach probability of the player and of chance."""
    for node in range(len(turn)):
        if turn[node] == player:
            start = slots[info[node]] - edges[node]
            share = weight * reach[node, player] * reach[node, 2]
            for edge in range(edges[node], edges[node + 1]):
                sums[start + edge] += share * strategy[start + edge]


@kernel
def fade(regrets, sums, iteration, kind, owner, player, slots):
    """Discount one player's regrets and sums after an iteration by the kind of weighting; see `solver`."""
    positive = negative = average = 1.0
    if kind == LINEAR:
        positive = negative = average = iteration / (iteration + 1)
    elif kind == PLUS:
        negative, average = 0.0, iteration / (iteration + 1)
    elif kind == DISCOUNTED:
        grown = iteration**1.5
        positive, negative, average = grown / (grown + 1), 0.5, (iteration / (iteration + 1)) ** 2
    for info in range(len(slots) - 1):
        if owner[info] == player:
            for slot in range(slots[info], slots[info + 1]):
                regrets[slot] *= positive if regrets[slot] > 0 else negative
                sums[slot] *= average


@kernel
def iterate(
    first, count, kind, turn, payoff, edges, child, chance, info, slots, owner, regrets, sums, strategy
):
    """Run iterations `first` to `first + count - 1`, updating the players alternately."""
    values = np.empty(len(turn))
    reach = np.empty((len(turn), 3))
    for iteration in range(first, first + count):
        for player in range(2):
            reach_nodes(turn, edges, child, chance, info, slots, strategy, reach)
            value_nodes(turn, payoff, edges, child, chance, info, slots, strategy, values)
            add_regrets(player, turn, edges, child, info, slots, reach, values, regrets)
            add_strategy(player, 1.0, turn, edges, info, slots, reach, strategy, sums)
            fade(regrets, sums, iteration, kind, owner, player, slots)
            match_regrets(regrets, slots, player, owner, strategy)
