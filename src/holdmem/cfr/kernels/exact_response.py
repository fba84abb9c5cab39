"""Kernels of the exact best response: one street of one board, for all ways in which the street can begin.

In limit the betting of a street has the same shape wherever it begins, so its beginnings ("roots") lie side
by side as lanes, `LANES` at a time, and every step below is a loop over lanes. A *slot* is a distinct vector
of the opponent's reach probabilities: one per action of each of its decisions. Terminals at which the
opponent has made the same choices share a slot. Slots of showdowns come first. See `street_shape` for the
arrays.
"""

from holdmem.core.jit import kernel

LANES = 64
"""Roots side by side: with more, the sums by card no longer fit into the first-level cache."""
CHUNK = 16
"""Holdings valued at a time, so that the values of all nodes fit into a cache."""
OWN, THEIRS, FOLD, LEAF = 0, 1, 2, 3
"""Kinds of nodes: responder's decision, opponent's decision, fold, and showdown or end of the street."""


@kernel
def respond_to_river(shape, reach, cards, group_ends, probabilities, room, best, same):
    """Value every root of the last street with each holding, against the opponent's `reach` [holding, root].

    Parameters
    ----------
    shape : the betting of the street, as the responder's seat sees it.
    reach : the opponent's reach probabilities, [holding, root].
    cards : the holdings that the board leaves, by strength: their index, first card, second card and class.
    group_ends : one past the last of each group of equally strong holdings.
    probabilities : the strategy, [block of roots, class, decision and action, lane].
    best, same : filled with values if the responder maximises, and if it plays the strategy itself.
    """
    for block in range(reach.shape[1] // LANES):
        if not any_reach(reach, cards[0], block):
            clear(cards[0], block, best)
            clear(cards[0], block, same)
            continue
        descend(shape, reach, cards, probabilities, block, room)
        scan(shape.leaf_slots * LANES, cards, group_ends, room)
        ascend_river(shape, cards, probabilities, block, room, best, same)


@kernel
def any_reach(reach, holdings, block):
    """Return whether the opponent reaches any root of a block with any holding."""
    begin = block * LANES
    for s in range(len(holdings)):
        row = reach[holdings[s]]
        for j in range(begin, begin + LANES):
            if row[j] != 0:
                return True
    return False


@kernel
def clear(holdings, block, values):
    """Set the values of a block to zero."""
    begin = block * LANES
    for s in range(len(holdings)):
        for j in range(begin, begin + LANES):
            values[holdings[s], j] = 0


@kernel
def descend(shape, reach, cards, probabilities, block, room):
    """Compute room.here[holding, slot and lane], the opponent's reach at every slot."""
    begin = block * LANES
    for s in range(cards.shape[1]):
        row, out, strategy = (
            reach[cards[0, s], begin : begin + LANES],
            room.here3[s],
            probabilities[block, cards[3, s]],
        )
        for k in range(len(shape.slot_from)):
            to, probability, source = out[k], strategy[shape.slot_action[k]], shape.slot_from[k]
            before = row if source < 0 else out[source]
            for j in range(LANES):
                to[j] = before[j] * probability[j]


@kernel
def scan(width, cards, group_ends, room):
    """Sum the reach of all holdings, and score each at the first `width` lanes.

        score = (reach of weaker holdings) + (reach of weaker and equal holdings)

    over those that share no card with it, so that wins - losses = score - (reach of all of them). The pass
    goes from the weakest holding up and removes those that share a card by the sums for its two cards.
    """
    total, by_card, here, score = room.total, room.by_card, room.here, room.score
    first, second = cards[1], cards[2]
    total[:] = 0
    by_card[:] = 0
    start = 0
    for end in group_ends:
        for s in range(start, end):
            one, other, out = by_card[first[s]], by_card[second[s]], score[s]
            for k in range(width):
                out[k] = total[k] - one[k] - other[k]
        for s in range(start, end):
            one, other, row = by_card[first[s]], by_card[second[s]], here[s]
            for k in range(len(total)):
                total[k] += row[k]
                one[k] += row[k]
                other[k] += row[k]
        for s in range(start, end):
            one, other, out = by_card[first[s]], by_card[second[s]], score[s]
            for k in range(width):
                out[k] += total[k] - one[k] - other[k]
        start = end


@kernel
def settle(width, start, stop, cards, room):
    """Replace `here` by the reach of holdings that share no card, and `score` by their wins less losses."""
    total, by_card = room.total, room.by_card
    for s in range(start, stop):
        one, other, here, score = by_card[cards[1, s]], by_card[cards[2, s]], room.here[s], room.score[s]
        for k in range(width):
            score[k] -= total[k] - one[k] - other[k]
        for k in range(len(total)):
            here[k] += total[k] - one[k] - other[k]


@kernel
def ascend_river(shape, cards, probabilities, block, room, best, same):
    """Propagate the values of folds and showdowns to the roots of a block, some holdings at a time."""
    begin, kinds, holdings, values = block * LANES, shape.kind, cards[0], room.values
    for start in range(0, len(holdings), CHUNK):
        stop = min(start + CHUNK, len(holdings))
        settle(shape.leaf_slots * LANES, start, stop, cards, room)
        for node in range(len(kinds)):
            if kinds[node] >= FOLD:
                amounts = room.here3 if kinds[node] == FOLD else room.score3
                stake = shape.stake[node, begin : begin + LANES]
                pay(stake, amounts[start:stop], shape.slot[node], values[node])
        ascend(kinds, shape.child, shape.decision, cards[3, start:stop], probabilities[block], values)
        put(values[0], holdings[start:stop], block, best)
        put(values[len(kinds)], holdings[start:stop], block, same)


@kernel
def ascend(kinds, children, decisions, classes, probabilities, values):
    """Value the decisions of a street from the last one up.

    values[node] is the value if the responder maximises, values[nodes + node] if it plays the strategy. At
    terminals only the first is filled.
    """
    nodes, count = len(kinds), len(classes)
    for node in range(nodes - 1, -1, -1):
        if kinds[node] >= FOLD:
            continue
        a = 0 if children[node, 0] >= 0 else 1  # call and raise, or fold and call, or all three
        one, two, three = children[node, a], children[node, a + 1], children[node, 2]
        three = three if a == 0 else -1
        same_one, same_two = mean_of(one, kinds, nodes), mean_of(two, kinds, nodes)
        same_three = mean_of(three, kinds, nodes) if three >= 0 else 0
        if kinds[node] == THEIRS:
            add(values[one], values[two], count, values[node])
            add(values[same_one], values[same_two], count, values[nodes + node])
            if three >= 0:
                add(values[node], values[three], count, values[node])
                add(values[nodes + node], values[same_three], count, values[nodes + node])
        else:
            row = 3 * decisions[node] + a
            take_best(values[one], values[two], count, values[node])
            weigh(values[same_one], values[same_two], probabilities, classes, row, values[nodes + node])
            if three >= 0:
                take_best(values[node], values[three], count, values[node])
                weigh_one_more(values[same_three], probabilities, classes, row + 2, values[nodes + node])


@kernel
def mean_of(node, kinds, nodes):
    """Return the row of `values` with a node's value if the responder plays the strategy."""
    return nodes + node if kinds[node] <= THEIRS else node


@kernel
def add(one, two, count, out):
    """Add the values of two actions."""
    for i in range(count):
        this, that, to = one[i], two[i], out[i]
        for j in range(LANES):
            to[j] = this[j] + that[j]


@kernel
def take_best(one, two, count, out):
    """Take the larger of two actions' values."""
    for i in range(count):
        this, that, to = one[i], two[i], out[i]
        for j in range(LANES):
            to[j] = this[j] if this[j] > that[j] else that[j]


@kernel
def weigh(one, two, probabilities, classes, row, out):
    """Sum the values of two actions times their probabilities."""
    for i in range(len(classes)):
        this, that, to, some = one[i], two[i], out[i], probabilities[classes[i]]
        first, second = some[row], some[row + 1]
        for j in range(LANES):
            to[j] = this[j] * first[j] + that[j] * second[j]


@kernel
def weigh_one_more(values, probabilities, classes, row, out):
    """Add the values of a third action times its probability."""
    for i in range(len(classes)):
        this, to, probability = values[i], out[i], probabilities[classes[i], row]
        for j in range(LANES):
            to[j] += this[j] * probability[j]


@kernel
def put(values, holdings, block, out):
    """Copy the values of some holdings to a block of roots."""
    begin = block * LANES
    for i in range(len(holdings)):
        row, to = values[i], out[holdings[i], begin : begin + LANES]
        for j in range(LANES):
            to[j] = row[j]


@kernel
def pay(stake, amounts, slot, out):
    """Write the payoffs at a terminal to `out`, by holding and lane: amounts of its slot times stakes."""
    for i in range(len(amounts)):
        row, to = amounts[i, slot], out[i]
        for j in range(LANES):
            to[j] = stake[j] * row[j]


@kernel
def add_up(cards, room):
    """Sum the reach of all holdings in every lane, in total and by card."""
    room.total[:] = 0
    room.by_card[:] = 0
    for s in range(cards.shape[1]):
        one, other, row = room.by_card[cards[1, s]], room.by_card[cards[2, s]], room.here[s]
        for k in range(len(room.total)):
            room.total[k] += row[k]
            one[k] += row[k]
            other[k] += row[k]


@kernel
def reach_next(shape, reach, cards, probabilities, room, onward):
    """Fill onward[holding, root of the next street] with the opponent's reach there."""
    for block in range(reach.shape[1] // LANES):
        descend(shape, reach, cards, probabilities, block, room)
        for node in range(len(shape.kind)):
            if shape.kind[node] == LEAF:
                for j in range(LANES):
                    root, at = shape.onward[node, block * LANES + j], shape.slot[node] * LANES + j
                    if root >= 0:
                        for s in range(cards.shape[1]):
                            onward[cards[0, s], root] = room.here[s, at]


@kernel
def ascend_street(shape, reach, cards, probabilities, room, after, maximise, out):
    """Propagate values of the next street's roots, after[holding, root], to the roots of this street."""
    kinds, holdings, values = shape.kind, cards[0], room.values
    for block in range(reach.shape[1] // LANES):
        begin = block * LANES
        descend(shape, reach, cards, probabilities, block, room)
        add_up(cards, room)
        for start in range(0, len(holdings), CHUNK):
            stop = min(start + CHUNK, len(holdings))
            settle(0, start, stop, cards, room)
            for node in range(len(kinds)):
                if kinds[node] == FOLD:
                    stake = shape.stake[node, begin : begin + LANES]
                    pay(stake, room.here3[start:stop], shape.slot[node], values[node])
                elif kinds[node] == LEAF:
                    roots = shape.onward[node, begin : begin + LANES]
                    take_next(roots, after, holdings[start:stop], values[node])
            ascend(kinds, shape.child, shape.decision, cards[3, start:stop], probabilities[block], values)
            put(values[0 if maximise else len(kinds)], holdings[start:stop], block, out)


@kernel
def take_next(roots, after, holdings, out):
    """Copy the values of the next street's roots; -1 stands for a lane that is only padding."""
    for i in range(len(holdings)):
        for j in range(LANES):
            out[i, j] = after[holdings[i], roots[j]] if roots[j] >= 0 else 0


@kernel
def add_moved(values, moved, share, out):
    """Add `share` times the values of each holding to the holding that a permutation of suits makes of it."""
    for h in range(len(values)):
        row, to = values[h], out[moved[h]]
        for j in range(len(row)):
            to[j] += share * row[j]
