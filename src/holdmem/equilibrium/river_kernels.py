"""Kernels: the rivers of a walk, several at once.

On the river a holding acts as its bucket does, so what the opponent brings to an end of the hand is what it
brought to the river times the product of its bucket's probabilities. These products are *lanes*: one for each
showdown, and one for each fold of the opponent; where the traverser folds, the lane of the call beside it has
the same. All lanes of some rivers go through the holdings side by side, for one run over them costs much and
a lane little. `walk_kernels` has the words and the layout.
"""

import numpy as np

from holdmem.compiled import kernel
from holdmem.equilibrium.betting import FOLDED
from holdmem.equilibrium.walk_kernels import (
    NOTHING,
    add_regrets,
    add_to_average,
    by_bucket,
    match_regrets,
    walk_down,
    walk_up,
)

RIVER = 3
BLOCK = 8
"""Lanes of one river are a multiple of this, for sums of as many terms at a time."""


@kernel
def walk_part(nodes, roots, bounds, traverser, tree, deal, tilt, fading, regrets, sums, rows, room):
    """One flop and all that follows it: reach comes in the first row, values go out there.

    The rivers are walked in batches: those from `roots[bounds[i]]` up to `roots[bounds[i + 1]]` together.
    """
    walk_down(nodes, RIVER - 1, traverser, tree, deal, tilt, fading, regrets, sums, rows, room)
    for i in range(len(bounds) - 1):
        some = roots[bounds[i] : bounds[i + 1]]
        walk_rivers(some, traverser, tree, deal, tilt, fading, regrets, sums, rows, room)
    walk_up(nodes, RIVER - 1, traverser, tree, deal, fading, regrets, rows, room)


@kernel
def walk_rivers(roots, traverser, tree, deal, tilt, fading, regrets, sums, rows, room):
    """From the opponent's reach to the traverser's values at these rivers' first nodes, with all updates."""
    begins = np.zeros(len(roots) + 1, np.int64)
    for i in range(len(roots)):
        ready_lanes(roots[i], begins[i], traverser, tree, deal, tilt, fading, regrets, sums, rows, room)
        begins[i + 1] = begins[i] + tree.lanes[traverser, roots[i]]
    lanes, bucket = begins[-1], deal.bucket[RIVER]
    where = tree.row[roots]
    reach_lanes(rows, where, begins, bucket, room.chance, room.there)
    run_over_holdings(
        lanes, deal.first, deal.second, deal.ends, tilt, room.total, room.cards, room.score, room.there
    )
    add_up_lanes(lanes, bucket, room.score, room.there, room.sums)
    value_rows(rows, where, begins, bucket, room.score, room.there, room.weight, room.terms)
    for i in range(len(roots)):
        value_buckets(roots[i], begins[i], traverser, tree, tilt, fading, regrets, room)


@kernel
def ready_lanes(root, lane, traverser, tree, deal, tilt, fading, regrets, sums, rows, room):
    """The products of both players' probabilities down to each end, into the lanes of this river."""
    buckets, strategy, theirs, ours = tree.buckets[RIVER], room.strategy, room.theirs, room.ours
    reach, brought = room.mean, room.brought
    theirs[0, :buckets] = ours[0, :buckets] = np.float32(1)
    by_bucket(rows[tree.row[root]], deal.bucket[RIVER], brought, buckets)
    for node in range(root, tree.end[root]):
        if tree.turn[node] >= 2:
            continue
        here, start = node - root, tree.edges[node]
        actions = tree.edges[node + 1] - start
        match_regrets(regrets, tree.offset[node], actions, buckets, strategy)
        acting = tree.turn[node] == traverser
        if not acting:
            multiply(brought, theirs[here], reach, buckets)
            add_to_average(sums, tree.offset[node], actions, buckets, strategy, reach, fading[2])
        for a in range(actions):
            after, share = tree.child[start + a] - root, strategy[a]
            if acting:
                multiply(ours[here], share, ours[after], buckets)
                theirs[after] = theirs[here]
            else:
                multiply(theirs[here], share, theirs[after], buckets)
                ours[after] = ours[here]
    width = tree.lanes[traverser, root]
    note_ends(root, lane, width, traverser, tree, tilt, theirs, ours, room.chance, room.weight)


@kernel
def multiply(one, other, out, count):
    """The products of two rows."""
    for b in range(count):
        out[b] = one[b] * other[b]


@kernel
def stakes(node, traverser, tree, tilt):
    """What an end pays for a score (see `run_over_holdings`) and for each of the opponent's holdings."""
    opponent = 1 - traverser
    if tree.turn[node] != FOLDED:
        return tree.paid[node, 0], -tree.paid[node, 0]
    if tree.loser[node] == opponent:
        return NOTHING, tree.paid[node, opponent] * tilt[0]
    return NOTHING, -tree.paid[node, traverser]


@kernel
def note_ends(root, lane, width, traverser, tree, tilt, theirs, ours, chance, weight):
    """Write ends of hands into their lanes: the opponent's chance, and the traverser's times the stakes."""
    buckets = tree.buckets[RIVER]
    for b in range(buckets):
        for k in range(lane, lane + width):
            chance[b, k] = weight[b, 0, k] = weight[b, 1, k] = NOTHING
    for node in range(root, tree.end[root]):
        if tree.turn[node] >= 2:
            k = lane + tree.lane[traverser, node]
            for_score, for_there = stakes(node, traverser, tree, tilt)
            their, our = theirs[node - root], ours[node - root]
            for b in range(buckets):
                chance[b, k] = their[b]
                weight[b, 0, k] += our[b] * for_score
                weight[b, 1, k] += our[b] * for_there


@kernel
def reach_lanes(rows, where, begins, bucket, chance, there):
    """there[holding, lane]: how likely the opponent comes to the end of that lane with a holding."""
    for i in range(len(where)):
        row, begin, end = rows[where[i]], begins[i], begins[i + 1]
        for s in range(len(bucket)):
            brought, share, out = row[s], chance[bucket[s], begin:end], there[s, begin:end]
            for k in range(len(out)):
                out[k] = brought * share[k]


@kernel
def run_over_holdings(lanes, first, second, ends, tilt, total, cards, score, there):
    """Replace `there` by the opponent's holdings that share no card with ours; fill in `score`.

    score = won · (holdings that ours beats) + (those that it beats or ties), so that
    score - there = won · wins - losses. Holdings are passed from the weakest up; those that
    share a card with ours are taken off by what was passed with either card.
    """
    won = tilt[1]
    total[:] = NOTHING
    cards[:] = NOTHING
    start = 0
    for end in ends:
        for s in range(start, end):
            one, other, out = cards[first[s]], cards[second[s]], score[s]
            for k in range(lanes):
                out[k] = won * (total[k] - one[k] - other[k])
        for s in range(start, end):
            one, other, here = cards[first[s]], cards[second[s]], there[s]
            for k in range(lanes):
                total[k] += here[k]
                one[k] += here[k]
                other[k] += here[k]
        for s in range(start, end):
            one, other, here, out = cards[first[s]], cards[second[s]], there[s], score[s]
            for k in range(lanes):  # ours itself went off with both of its cards
                out[k] += total[k] - one[k] - other[k] + here[k]
        start = end
    for s in range(len(first)):
        one, other, here = cards[first[s]], cards[second[s]], there[s]
        for k in range(lanes):
            here[k] += total[k] - one[k] - other[k]


@kernel
def add_up_lanes(lanes, bucket, score, there, sums):
    """Sums of scores and opponents over the holdings of each bucket."""
    sums[:] = NOTHING
    for s in range(len(bucket)):
        scores, theres, out, here = sums[bucket[s], 0], sums[bucket[s], 1], score[s], there[s]
        for k in range(lanes):
            scores[k] += out[k]
        for k in range(lanes):
            theres[k] += here[k]


@kernel
def value_rows(rows, where, begins, bucket, score, there, weight, terms):
    """What the traverser wins at each river's first node with each holding."""
    lanes = begins[-1]
    for s in range(len(bucket)):
        out, here, for_score, for_there = score[s], there[s], weight[bucket[s], 0], weight[bucket[s], 1]
        for k in range(lanes):
            terms[k] = out[k] * for_score[k] + here[k] * for_there[k]
        for i in range(len(where)):
            value = NOTHING
            for k in range(begins[i], begins[i + 1], BLOCK):
                value += sum_of_eight(terms, k)
            rows[where[i], s] = value


@kernel
def sum_of_eight(t, k):
    """In pairs: no term waits for the sum of all before it."""
    return ((t[k] + t[k + 1]) + (t[k + 2] + t[k + 3])) + ((t[k + 4] + t[k + 5]) + (t[k + 6] + t[k + 7]))


@kernel
def value_buckets(root, lane, traverser, tree, tilt, fading, regrets, room):
    """Values of buckets from the ends to the river's first node, and the regrets on the way."""
    buckets, values, strategy, gains = tree.buckets[RIVER], room.theirs, room.strategy, room.gains
    sums = room.sums
    for node in range(tree.end[root] - 1, root - 1, -1):
        value = values[node - root]
        if tree.turn[node] >= 2:
            k = lane + tree.lane[traverser, node]
            for_score, for_there = stakes(node, traverser, tree, tilt)
            for b in range(buckets):
                value[b] = for_score * sums[b, 0, k] + for_there * sums[b, 1, k]
            continue
        start, actions = tree.edges[node], tree.edges[node + 1] - tree.edges[node]
        if tree.turn[node] == traverser:
            match_regrets(regrets, tree.offset[node], actions, buckets, strategy)
            for a in range(actions):
                gains[a, :buckets] = values[tree.child[start + a] - root, :buckets]
            add_regrets(regrets, tree.offset[node], actions, buckets, strategy, gains, value, fading)
        else:
            value[:buckets] = NOTHING
            for a in range(actions):
                after = values[tree.child[start + a] - root]
                for b in range(buckets):
                    value[b] += after[b]
