"""Kernels that round strategies to stored tables and play from them.

To play, the betting so far is followed through the tree. A raise of a size that the tree lacks is split
between the two nearest sizes it has by the pseudo-harmonic mapping (Ganzfried and Sandholm, 2013). For sizes
A < x < B as fractions of the pot, A gets

    f(x) = (B - x)(1 + A) / ((B - A)(1 + x))

A view may therefore be at several nodes at once, at most `PLACES`, each with a weight. All-in is mapped by
its actual size: an all-in for less than the pot is not treated as an overbet of ten pots. A bet below the
smallest size B lies between no bet (A = 0), to which no player folds, and B; the share f(x) of the fold
probability at B goes to the call.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL

WHOLE = 255
PLACES = 4
FOLDS, CALLS = 0, 1
"""First two columns of a policy; the others are raises from small to large, the last one all-in."""


@kernel
def quantise(sums, offset, edges, turn, fraction, out):
    """Round the sums [action, bucket] of each decision to 255ths [bucket, action]; call if all are zero."""
    for node in range(len(turn)):
        actions = edges[node + 1] - edges[node]
        if turn[node] < 2:
            buckets = (offset[node + 1] - offset[node]) // actions
            call = 1 if fraction[edges[node]] < 0 else 0
            for b in range(buckets):
                start = offset[node] + b * actions
                share_out(sums, offset[node] + b, buckets, actions, call, out[start : start + actions])


@kernel
def share_out(sums, first, step, actions, call, out):
    """Apportion 255 parts by largest remainder: floors first, then one each to the largest remainders."""
    total = 0.0
    for a in range(actions):
        total += sums[first + a * step]
    if not total > 0:
        out[:] = 0
        out[call] = WHOLE
        return
    left = WHOLE
    rest = np.empty(actions)
    for a in range(actions):
        exact = WHOLE * (sums[first + a * step] / total)
        floor = np.floor(exact)
        out[a] = np.uint8(floor)
        rest[a] = exact - floor
        left -= int(floor)
    for _ in range(left):
        most = np.argmax(rest)
        out[most] += 1
        rest[most] = -1.0


@kernel
def join_last(packed, offset, edges, turn, sizes, out):
    """Unpack all actions but the last, stored action by action, to all actions, stored bucket by bucket.

    Returns the first node whose probabilities add up to more than one, or -1.
    """
    at = 0
    for node in range(len(turn)):
        if turn[node] < 2:
            actions, buckets = edges[node + 1] - edges[node], sizes[node]
            for b in range(buckets):
                last = WHOLE
                for a in range(actions - 1):
                    part = packed[at + a * buckets + b]
                    out[offset[node] + b * actions + a] = part
                    last -= int(part)
                if last < 0:
                    return node
                out[offset[node] + b * actions + actions - 1] = last
            at += (actions - 1) * buckets
    return -1


@kernel
def follow_all(tree, rules, rows, history, nodes, weights):
    """Find the nodes that each view's betting leads to, with weights; -1 where the tree has ended."""
    bets = np.zeros(2, np.int64)
    for i in range(len(rows)):
        nodes[i] = -1
        weights[i] = 0.0
        nodes[i, 0], weights[i, 0] = 0, 1.0
        follow(tree, rules[0], rows[i].actions, history[i], bets, nodes[i], weights[i])


@kernel
def follow(tree, rules, actions, history, bets, nodes, weights):
    """Advance `nodes` and `weights` along the betting of one hand.

    A raise between two sizes of the tree splits a node in two with weights. `bets` is scratch space for the
    chips bet on the current street.
    """
    bets[0], bets[1] = rules.blind[0], rules.blind[1]
    paid, street = 0, 0
    for k in range(actions):
        act = history[k]
        if act.street != street:
            paid += max(bets[0], bets[1])
            bets[:] = 0
            street = act.street
        highest = max(bets[0], bets[1])
        if act.to == CALL:
            bets[act.seat] = highest
            for place in range(PLACES):
                if nodes[place] >= 0:
                    nodes[place] = call_from(tree, nodes[place])
        else:
            size = (act.to - highest) / (2.0 * (paid + highest))
            raise_all(tree, size, nodes, weights)
            bets[act.seat] = act.to


@kernel
def call_from(tree, node):
    """Return the node after a check or call; -1 if that ends the hand in the tree."""
    edge = tree.edges[node]
    if tree.fraction[edge] < 0:
        edge += 1
    after = tree.child[edge]
    return after if tree.turn[after] < 2 else -1


@kernel
def raise_all(tree, size, nodes, weights):
    """Follow a raise of `size` times the pot from all nodes; each leads to one or two nodes.

    Only the `PLACES` nodes with the largest weights are kept, and weights are normalised to sum to one.
    """
    found = np.full(2 * PLACES, -1)
    shares = np.zeros(2 * PLACES)
    for place in range(PLACES):
        if nodes[place] >= 0:
            raise_from(tree, nodes[place], size, weights[place], found, shares, 2 * place)
    total = 0.0
    for place in range(PLACES):
        best = np.argmax(shares)
        nodes[place], weights[place] = found[best], shares[best]
        if not shares[best] > 0:
            nodes[place] = -1
        total += shares[best]
        shares[best] = 0.0
    for place in range(PLACES):
        weights[place] = weights[place] / total if total > 0 else 0.0


@kernel
def raise_from(tree, node, size, weight, found, shares, at):
    """Find the tree's raises on either side of a size, with their shares by the pseudo-harmonic mapping."""
    low = high = -1
    for edge in range(tree.edges[node], tree.edges[node + 1]):
        if tree.fraction[edge] > 0:
            if low < 0 or tree.size[edge] <= size:
                low = edge
            if high < 0 and tree.size[edge] >= size:
                high = edge
    if low < 0:
        return
    if high < 0:
        high = low  # larger than the tree's all-in
    share = 1.0
    if tree.size[low] < size < tree.size[high]:
        share = lower_share(tree.size[low], size, tree.size[high])
    found[at], shares[at] = tree.child[low], weight * share
    found[at + 1], shares[at + 1] = tree.child[high], weight * (1.0 - share)


@kernel
def lower_share(a, x, b):
    """Return the share of a bet of size x that goes to the smaller size a rather than to b."""
    return (b - x) * (1 + a) / ((b - a) * (1 + x))


@kernel
def weigh_actions(tree, probabilities, offset, rows, nodes, weights, buckets, out):
    """Compute the weight of each policy column for each view; a view that is at no node calls."""
    out[:] = 0.0
    for i in range(len(nodes)):
        lost = True
        faced = rows[i].to_call / (rows[i].pot - rows[i].to_call)
        for place in range(PLACES):
            node = nodes[i, place]
            if node >= 0 and weights[i, place] > 0:
                lost = False
                actions = tree.edges[node + 1] - tree.edges[node]
                start = offset[node] + buckets[i] * actions
                for a in range(actions):
                    column = tree.column[tree.edges[node] + a]
                    weight = weights[i, place] * probabilities[start + a]
                    if column == FOLDS and faced < tree.faced[node]:
                        unbet = lower_share(0.0, faced, tree.faced[node])
                        out[i, CALLS] += unbet * weight
                        weight *= 1.0 - unbet
                    out[i, column] += weight
        if lost:
            out[i, CALLS] = 1.0


@kernel
def raise_totals(rows, fractions, out):
    """Compute the total that a raise by each fraction of the pot raises to; the last column is all-in."""
    for i in range(len(rows)):
        row = rows[i]
        pot = row.pot + row.to_call
        for column in range(len(fractions)):
            out[i, column] = row.highest + int(np.round(fractions[column] * pot))
        out[i, len(fractions)] = row.max_raise_to
