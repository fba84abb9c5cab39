"""Kernels of counterfactual regret minimisation on a complete game tree (Zinkevich et al., 2007)."""

import numpy as np

from holdmem.cfr.kernels.update import averaged, faded, matched, positive, regretted
from holdmem.core.jit import kernel


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
def add_nodes(player, turn, edges, child, info, slots, reach, values, strategy, regrets, sums):
    """Add to regrets and average what each node of the player contributes.

    Regrets are weighted by the reach probability of opponent and chance, the average by that of player and
    chance.
    """
    sign = 1.0 if player == 0 else -1.0
    for node in range(len(turn)):
        if turn[node] == player:
            weight = sign * reach[node, 1 - player] * reach[node, 2]
            own, first = reach[node, player] * reach[node, 2], slots[info[node]] - edges[node]
            for edge in range(edges[node], edges[node + 1]):
                slot = first + edge
                regrets[slot] = regretted(regrets[slot], values[child[edge]], values[node], weight)
                sums[slot] = averaged(sums[slot], strategy[slot], own)


@kernel
def end_iteration(player, slots, owner, fading, regrets, sums, strategy):
    """Discount one player's regrets and sums, and match the regrets."""
    for info in range(len(owner)):
        if owner[info] == player:
            start, end, total = slots[info], slots[info + 1], 0.0
            for slot in range(start, end):
                regrets[slot] = faded(regrets[slot], fading)
                sums[slot] *= fading[2]
                total += positive(regrets[slot])
            for slot in range(start, end):
                strategy[slot] = matched(positive(regrets[slot]), total, 1.0 / (end - start))


@kernel
def iterate(fading, turn, payoff, edges, child, chance, info, slots, owner, regrets, sums, strategy):
    """Run an iteration per row of `fading`, its discount factors, updating the players alternately."""
    values, reach = np.empty(len(turn)), np.empty((len(turn), 3))
    for iteration in range(len(fading)):
        for player in range(2):
            reach_nodes(turn, edges, child, chance, info, slots, strategy, reach)
            value_nodes(turn, payoff, edges, child, chance, info, slots, strategy, values)
            add_nodes(player, turn, edges, child, info, slots, reach, values, strategy, regrets, sums)
            end_iteration(player, slots, owner, fading[iteration], regrets, sums, strategy)
