"""Kernels: rounding strategies for a table, and playing from it.

To play, the betting so far is followed through the tree. A raise that the tree does not have goes to the
two nearest sizes that it has, by the pseudo-harmonic mapping (Ganzfried and Sandholm, 2013): of sizes
A < x < B in fractions of the pot, A gets

    f(x) = (B - x)(1 + A) / ((B - A)(1 + x))

So a view may be at several nodes at once, `PLACES` at the most, each with a weight. All-in is a size like any
other: for less than the pot it is no shove of ten pots. A bet below the smallest size B lies between no bet
(A = 0), to which nobody folds, and B: so much of the fold at B is a call.
"""

import numpy as np

from holdmem.compiled import kernel
from holdmem.rules.state import CALL

WHOLE = 255
PLACES = 4
FOLDS, CALLS = 0, 1
"""The first two columns of a policy; the others are raises from small to large, the last one all-in."""


@kernel
def quantise(sums, offset, edges, turn, fraction, out):
    """Sums [action, bucket] of each decision as 255ths [bucket, action]; a call where all are zero."""
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
    """255 parts by the largest remainder: floors first, what is left to those that lost most."""
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
    """From all actions but the last, action by action, to all of them, bucket by bucket.

    Gives the first node whose probabilities add up to more than the whole, or -1.
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
    """For each view the nodes that its betting leads to, and their weights; -1 where the tree has ended."""
    bets = np.zeros(2, np.int64)
    for i in range(len(rows)):
        nodes[i] = -1
        weights[i] = 0.0
        nodes[i, 0], weights[i, 0] = 0, 1.0
        follow(tree, rules[0], rows[i].actions, history[i], bets, nodes[i], weights[i])


@kernel
def follow(tree, rules, actions, history, bets, nodes, weights):
    """Follow the betting of one hand. `bets` are chips on the street; `paid` those of the streets before."""
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
    """The node after a check or call; -1 if the hand is over there in the tree."""
    edge = tree.edges[node]
    if tree.fraction[edge] < 0:
        edge += 1
    after = tree.child[edge]
    return after if tree.turn[after] < 2 else -1


@kernel
def raise_all(tree, size, nodes, weights):
    """A raise by `size` of the pot at all nodes: each goes on to one or two; those beyond PLACES are dropped.

    Whatever is dropped was the least likely; weights are made to add up to one again.
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
    """The raises of the tree on either side of a size, with the shares of the pseudo-harmonic mapping."""
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
        high = low  # beyond all-in of the tree
    share = 1.0
    if tree.size[low] < size < tree.size[high]:
        share = lower_share(tree.size[low], size, tree.size[high])
    found[at], shares[at] = tree.child[low], weight * share
    found[at + 1], shares[at + 1] = tree.child[high], weight * (1.0 - share)


@kernel
def lower_share(a, x, b):
    """What the smaller of two sizes gets of a bet between them."""
    return (b - x) * (1 + a) / ((b - a) * (1 + x))


@kernel
def weigh_actions(tree, chances, offset, rows, nodes, weights, buckets, out):
    """The weight of each column's action at each view; a view that is at no node calls."""
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
                    weight = weights[i, place] * chances[start + a]
                    if column == FOLDS and faced < tree.faced[node]:
                        unbet = lower_share(0.0, faced, tree.faced[node])
                        out[i, CALLS] += unbet * weight
                        weight *= 1.0 - unbet
                    out[i, column] += weight
        if lost:
            out[i, CALLS] = 1.0


@kernel
def raise_totals(rows, fractions, out):
    """What a raise by each fraction of the pot makes this street's bet; the last one is all-in."""
    for i in range(len(rows)):
        row = rows[i]
        pot = row.pot + row.to_call
        for column in range(len(fractions)):
            out[i, column] = row.highest + int(np.round(fractions[column] * pot))
        out[i, len(fractions)] = row.max_raise_to
