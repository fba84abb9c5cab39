"""Kernels: one CFR walk over the betting tree with a vector of holdings.

A walk updates one player, the *traverser*, on one five-card board (public chance sampling: Johanson et al.,
2012). On the way down, a node's row holds the opponent's reach probability with each of the 1,081 holdings
that the board leaves. On the way up, it holds the traverser's counterfactual value with each holding, against
all of the opponent's that share no card with it. Rows are ordered by strength on the full board.

Regrets and strategy sums of a node begin at `offset[node]`; `update` says how they are stored. A walk updates
each at most once and then multiplies it by the factors in `fading` (see `solver.discount_factors`).
"""

from holdmem.cfr.betting_tree import FOLDED
from holdmem.cfr.kernels.update import NOTHING, add_regrets, add_to_average, match_regrets
from holdmem.core.jit import kernel

DECK = 52


@kernel
def by_bucket(row, bucket, out, buckets):
    """Sum a row over the holdings of each bucket."""
    for b in range(buckets):
        out[b] = NOTHING
    for s in range(len(row)):
        out[bucket[s]] += row[s]


@kernel
def fold_row(row, first, second, card, stake):
    """Replace reach by `stake` times the opponent's reach over holdings that share no card with ours."""
    card[:] = NOTHING
    total = NOTHING
    for s in range(len(row)):
        total += row[s]
        card[first[s]] += row[s]
        card[second[s]] += row[s]
    for s in range(len(row)):
        row[s] = stake * (total - card[first[s]] - card[second[s]] + row[s])


@kernel
def showdown_row(row, first, second, ends, card, score, won, lost):
    """Replace reach by each holding's showdown value.

    This is `won` times the opponent's reach over holdings that it beats, less `lost` times the reach over
    holdings that beat it; holdings that share a card with it do not count.
    """
    card[:] = NOTHING
    total = NOTHING
    start = 0
    for end in ends:
        for s in range(start, end):
            score[s] = won * (total - card[first[s]] - card[second[s]])
        for s in range(start, end):
            total += row[s]
            card[first[s]] += row[s]
            card[second[s]] += row[s]
        for s in range(start, end):
            score[s] += lost * (total - card[first[s]] - card[second[s]] + row[s])
        start = end
    for s in range(len(row)):
        row[s] = score[s] - lost * (total - card[first[s]] - card[second[s]] + row[s])


@kernel
def settle(node, traverser, tree, deal, tilt, row, card, score):
    """Replace reach at a terminal by the traverser's value.

    `tilt` multiplies what the traverser wins by the opponent's fold and at a showdown.
    """
    opponent = 1 - traverser
    if tree.turn[node] == FOLDED:
        if tree.loser[node] == opponent:
            stake = tree.paid[node, opponent] * tilt[0]
        else:
            stake = -tree.paid[node, traverser]
        fold_row(row, deal.first, deal.second, card, stake)
    else:
        stake = tree.paid[node, 0]
        showdown_row(row, deal.first, deal.second, deal.ends, card, score, stake * tilt[1], stake)


@kernel
def walk_down(nodes, last_street, traverser, tree, deal, tilt, fading, regrets, sums, rows, room):
    """Forward pass: propagate reach from the first node through a part of the tree, and settle terminals.

    Nodes on streets after `last_street` keep their reach: other parts begin there.
    """
    card, score, strategy, reach = room.card, room.tally, room.strategy, room.mean
    for node in nodes:
        row = rows[tree.row[node]]
        if tree.turn[node] >= 2:
            settle(node, traverser, tree, deal, tilt, row, card, score)
        elif tree.street[node] <= last_street:
            start, actions = tree.edges[node], tree.edges[node + 1] - tree.edges[node]
            if tree.turn[node] == traverser:
                for a in range(actions):
                    rows[tree.row[tree.child[start + a]]] = row
            else:
                bucket, buckets = deal.bucket[tree.street[node]], tree.buckets[tree.street[node]]
                match_regrets(regrets, tree.offset[node], actions, buckets, strategy, room.totals)
                by_bucket(row, bucket, reach, buckets)
                add_to_average(sums, tree.offset[node], actions, buckets, strategy, reach, fading[2])
                for a in range(actions):
                    after, share = rows[tree.row[tree.child[start + a]]], strategy[a]
                    for s in range(len(row)):
                        after[s] = row[s] * share[bucket[s]]


@kernel
def walk_up(nodes, last_street, traverser, tree, deal, fading, regrets, rows, room):
    """Backward pass: propagate values from terminals and later parts' first nodes to the first node."""
    strategy, gains, mean = room.strategy, room.gains, room.mean
    for node in nodes[::-1]:
        if tree.turn[node] >= 2 or tree.street[node] > last_street:
            continue
        row = rows[tree.row[node]]
        start, actions = tree.edges[node], tree.edges[node + 1] - tree.edges[node]
        row[:] = NOTHING
        if tree.turn[node] == traverser:
            bucket, buckets = deal.bucket[tree.street[node]], tree.buckets[tree.street[node]]
            match_regrets(regrets, tree.offset[node], actions, buckets, strategy, room.totals)
            for a in range(actions):
                after, share = rows[tree.row[tree.child[start + a]]], strategy[a]
                by_bucket(after, bucket, gains[a], buckets)
                for s in range(len(row)):
                    row[s] += after[s] * share[bucket[s]]
            add_regrets(regrets, tree.offset[node], actions, buckets, strategy, gains, mean, fading)
        else:
            for a in range(actions):
                after = rows[tree.row[tree.child[start + a]]]
                for s in range(len(row)):
                    row[s] += after[s]
