"""Kernels for the river subtrees of a walk, several rivers at a time.

On the river every holding plays its bucket's strategy. The opponent's reach at a terminal is therefore its
reach at the start of the river times the product of its bucket's action probabilities. These products are
stored in *lanes*: one per showdown and one per fold of the opponent. Where the traverser folds, the
opponent's reach equals that of the sibling call, so both share a lane. All lanes of a batch of rivers share
one pass over the holdings, because a pass is expensive and an additional lane is cheap. See
`public_chance_sampling` for terms and memory layout.
"""

import numpy as np

from holdmem.cfr.betting_tree import FOLDED
from holdmem.cfr.kernels.public_chance_sampling import by_bucket, walk_down, walk_up
from holdmem.cfr.kernels.update import NOTHING, add_regrets, add_to_average, match_regrets
from holdmem.core.jit import kernel

RIVER = 3
BLOCK = 8
"""Each river's lane count is a multiple of this, so that sums can be taken over this many terms at a time."""


@kernel
def walk_part(nodes, roots, bounds, traverser, tree, deal, tilt, fading, regrets, sums, rows, room):
    """Walk one flop and everything below it; row 0 holds reach on entry and values on return.

    Rivers are walked in batches: `roots[bounds[i] : bounds[i + 1]]` together.
    """
    walk_down(nodes, RIVER - 1, traverser, tree, deal, tilt, fading, regrets, sums, rows, room)
    for i in range(len(bounds) - 1):
        some = roots[bounds[i] : bounds[i + 1]]
        walk_rivers(some, traverser, tree, deal, tilt, fading, regrets, sums, rows, room)
    walk_up(nodes, RIVER - 1, traverser, tree, deal, fading, regrets, rows, room)


@kernel
def walk_rivers(roots, traverser, tree, deal, tilt, fading, regrets, sums, rows, room):
    """Turn the opponent's reach at these rivers' roots into the traverser's values, with all updates."""
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
    """Walk a river's betting and note, for each terminal, both players' probabilities to reach it.

    Also adds the opponent's strategy to its average.
    """
    buckets, strategy, theirs, ours = tree.buckets[RIVER], room.strategy, room.theirs, room.ours
    reach, brought = room.mean, room.brought
    theirs[0, :buckets] = ours[0, :buckets] = np.float32(1)
    by_bucket(rows[tree.row[root]], deal.bucket[RIVER], brought, buckets)
    for node in range(root, tree.end[root]):
        if tree.turn[node] >= 2:
            continue
        here, start = node - root, tree.edges[node]
        actions = tree.edges[node + 1] - start
        match_regrets(regrets, tree.offset[node], actions, buckets, strategy, room.totals)
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
    """Multiply two rows elementwise."""
    for b in range(count):
        out[b] = one[b] * other[b]


@kernel
def stakes(node, traverser, tree, tilt):
    """Return what a terminal pays per unit of score (see `run_over_holdings`) and per opponent's holding."""
    opponent = 1 - traverser
    if tree.turn[node] != FOLDED:
        return tree.paid[node, 0], -tree.paid[node, 0]
    if tree.loser[node] == opponent:
        return NOTHING, tree.paid[node, opponent] * tilt[0]
    return NOTHING, -tree.paid[node, traverser]


@kernel
def note_ends(root, lane, width, traverser, tree, tilt, theirs, ours, chance, weight):
    """Fill the lanes of a river: the opponent's products, and the traverser's products times the stakes."""
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
    """Compute there[holding, lane]: the opponent's reach probability with a holding at a lane's terminal."""
    for i in range(len(where)):
        row, begin, end = rows[where[i]], begins[i], begins[i + 1]
        for s in range(len(bucket)):
            brought, share, out = row[s], chance[bucket[s], begin:end], there[s, begin:end]
            for k in range(len(out)):
                out[k] = brought * share[k]


@kernel
def run_over_holdings(lanes, first, second, ends, tilt, total, cards, score, there):
    """Replace `there` by the opponent's reach over holdings that share no card with ours; fill in `score`.

        score = won · (reach of holdings that ours beats) + (reach of those that it beats or ties)

    so that score - there = won · wins - losses. The pass goes from the weakest holding up. Holdings that
    share a card with ours are removed by subtracting the reach accumulated for each of our two cards.
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
            for k in range(lanes):  # our own holding was subtracted with both of its cards
                out[k] += total[k] - one[k] - other[k] + here[k]
        start = end
    for s in range(len(first)):
        one, other, here = cards[first[s]], cards[second[s]], there[s]
        for k in range(lanes):
            here[k] += total[k] - one[k] - other[k]


@kernel
def add_up_lanes(lanes, bucket, score, there, sums):
    """Sum scores and opponent's reach over the holdings of each bucket."""
    sums[:] = NOTHING
    for s in range(len(bucket)):
        scores, theres, out, here = sums[bucket[s], 0], sums[bucket[s], 1], score[s], there[s]
        for k in range(lanes):
            scores[k] += out[k]
        for k in range(lanes):
            theres[k] += here[k]


@kernel
def value_rows(rows, where, begins, bucket, score, there, weight, terms):
    """Compute the traverser's value with each holding at each river's first node."""
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
    """Sum eight terms pairwise, so that no addition waits for all the previous ones."""
    return ((t[k] + t[k + 1]) + (t[k + 2] + t[k + 3])) + ((t[k + 4] + t[k + 5]) + (t[k + 6] + t[k + 7]))


@kernel
def value_buckets(root, lane, traverser, tree, tilt, fading, regrets, room):
    """Propagate bucket values from the terminals to the river's first node, updating regrets."""
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
            match_regrets(regrets, tree.offset[node], actions, buckets, strategy, room.totals)
            for a in range(actions):
                gains[a, :buckets] = values[tree.child[start + a] - root, :buckets]
            add_regrets(regrets, tree.offset[node], actions, buckets, strategy, gains, value, fading)
        else:
            value[:buckets] = NOTHING
            for a in range(actions):
                after = values[tree.child[start + a] - root]
                for b in range(buckets):
                    value[b] += after[b]
