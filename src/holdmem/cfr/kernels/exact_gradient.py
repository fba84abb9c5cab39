"""Kernels of the exact gradient: what a strategy's actions earn against its best response, on one street.

The shape `mine` is the responder's view of the betting, `theirs` that of the strategy's seat. `chosen` holds
the best response itself, [block, place of a holding in `cards`, decision and action, lane], 1 or 0.
"""

from holdmem.cfr.kernels.exact_response import (
    CHUNK,
    FOLD,
    LANES,
    LEAF,
    OWN,
    add_up,
    ascend,
    descend,
    mean_of,
    pay,
    put,
    scan,
    settle,
    take_next,
)
from holdmem.core.jit import kernel


@kernel
def river_gradient(
    mine, theirs, reach, own, cards, group_ends, probabilities, room, chosen, weight, paths, out, gradient
):
    """Respond on the last street, then value the strategy against that response.

    Parameters
    ----------
    reach, own : reach probabilities of the strategy and of the best response at the roots, [holding, root].
    cards, group_ends, probabilities : as in `respond_to_river`.
    weight : of this board in the gradient.
    paths : working memory, [node, holding of a chunk, lane].
    out : filled with the strategy's values, [holding, root].
    gradient : added to, in the layout of `probabilities`.
    """
    for block in range(reach.shape[1] // LANES):
        descend(mine, reach, cards, probabilities, block, room)
        scan(mine.leaf_slots * LANES, cards, group_ends, room)
        for start in range(0, cards.shape[1], CHUNK):
            stop = min(start + CHUNK, cards.shape[1])
            value_river(mine, start, stop, cards, probabilities, block, room)
            record_best(mine, start, stop, room.values, chosen[0])
        descend_chosen(theirs, own, cards[0], chosen[0], block, room)
        scan(theirs.leaf_slots * LANES, cards, group_ends, room)
        for start in range(0, cards.shape[1], CHUNK):
            stop = min(start + CHUNK, cards.shape[1])
            value_river(theirs, start, stop, cards, probabilities, block, room)
            add_gradient(
                theirs, start, stop, cards, reach, probabilities, block, weight, room.values, paths, gradient
            )
            put(room.values[len(theirs.kind)], cards[0, start:stop], block, out)


@kernel
def value_river(shape, start, stop, cards, probabilities, block, room):
    """Value the nodes of the last street for some holdings."""
    begin, kinds, values = block * LANES, shape.kind, room.values
    settle(shape.leaf_slots * LANES, start, stop, cards, room)
    for node in range(len(kinds)):
        if kinds[node] >= FOLD:
            amounts = room.here3 if kinds[node] == FOLD else room.score3
            stake = shape.stake[node, begin : begin + LANES]
            pay(stake, amounts[start:stop], shape.slot[node], values[node])
    ascend(kinds, shape.child, shape.decision, cards[3, start:stop], probabilities[block], values)


@kernel
def value_street(shape, start, stop, cards, probabilities, block, room, after):
    """Value the nodes of an earlier street for some holdings, given values of the next street's roots."""
    begin, kinds, values = block * LANES, shape.kind, room.values
    settle(0, start, stop, cards, room)
    for node in range(len(kinds)):
        if kinds[node] == FOLD:
            stake = shape.stake[node, begin : begin + LANES]
            pay(stake, room.here3[start:stop], shape.slot[node], values[node])
        elif kinds[node] == LEAF:
            take_next(shape.onward[node, begin : begin + LANES], after, cards[0, start:stop], values[node])
    ascend(kinds, shape.child, shape.decision, cards[3, start:stop], probabilities[block], values)


@kernel
def choose_street(mine, reach, cards, probabilities, room, after, chosen):
    """Fill `chosen` with the best response on an earlier street, given values of the next street's roots."""
    for block in range(reach.shape[1] // LANES):
        descend(mine, reach, cards, probabilities, block, room)
        add_up(cards, room)
        for start in range(0, cards.shape[1], CHUNK):
            stop = min(start + CHUNK, cards.shape[1])
            value_street(mine, start, stop, cards, probabilities, block, room, after)
            record_best(mine, start, stop, room.values, chosen[block])


@kernel
def street_gradient(
    theirs, reach, own, cards, probabilities, room, chosen, after, weight, paths, out, gradient
):
    """Value the strategy on an earlier street against the best response; see `river_gradient`."""
    for block in range(reach.shape[1] // LANES):
        descend_chosen(theirs, own, cards[0], chosen[block], block, room)
        add_up(cards, room)
        for start in range(0, cards.shape[1], CHUNK):
            stop = min(start + CHUNK, cards.shape[1])
            value_street(theirs, start, stop, cards, probabilities, block, room, after)
            add_gradient(
                theirs, start, stop, cards, reach, probabilities, block, weight, room.values, paths, gradient
            )
            put(room.values[len(theirs.kind)], cards[0, start:stop], block, out)


@kernel
def record_best(mine, start, stop, values, chosen):
    """Write the first best action of each of the responder's decisions as 1 and the others as 0."""
    for node in range(len(mine.kind)):
        if mine.kind[node] != OWN:
            continue
        children, row = mine.child[node], 3 * mine.decision[node]
        first = 0 if children[0] >= 0 else 1  # call and raise, or fold and call, or all three
        for i in range(stop - start):
            to, one, two = chosen[start + i], values[children[first], i], values[children[first + 1], i]
            best_of_two(one, two, to[row + first], to[row + first + 1])
            if first == 0 and children[2] >= 0:
                third_if_better(one, two, values[children[2], i], to[row], to[row + 1], to[row + 2])


@kernel
def best_of_two(one, two, first, second):
    """Write 1 for the larger of two values; a tie goes to the first."""
    for j in range(LANES):
        first[j] = 1 if one[j] >= two[j] else 0
        second[j] = 1 - first[j]


@kernel
def third_if_better(one, two, three, first, second, third):
    """Let a third action take the place of the better of two where it is better still."""
    for j in range(LANES):
        third[j] = 1 if three[j] > one[j] and three[j] > two[j] else 0
        first[j] *= 1 - third[j]
        second[j] *= 1 - third[j]


@kernel
def descend_chosen(theirs, own, holdings, chosen, block, room):
    """Compute room.here[holding, slot and lane], the best response's reach at every slot."""
    begin = block * LANES
    for s in range(len(holdings)):
        row, out, some = own[holdings[s]], room.here3[s], chosen[s]
        for k in range(len(theirs.slot_from)):
            source, probability, to = theirs.slot_from[k], some[theirs.slot_action[k]], out[k]
            if source < 0:
                for j in range(LANES):
                    to[j] = row[begin + j] * probability[j]
            else:
                before = out[source]
                for j in range(LANES):
                    to[j] = before[j] * probability[j]


@kernel
def add_gradient(theirs, start, stop, cards, reach, probabilities, block, weight, values, paths, gradient):
    """Add reach times value of each of the strategy's actions, by class.

    paths[node] is the probability with which the strategy itself takes its actions to a node.
    """
    begin, nodes = block * LANES, len(theirs.kind)
    for i in range(stop - start):
        for j in range(LANES):
            paths[0, i, j] = reach[cards[0, start + i], begin + j]
    for node in range(nodes):
        for action in range(3):
            child = theirs.child[node, action]
            if child < 0:
                continue
            row, value = 3 * theirs.decision[node] + action, mean_of(child, theirs.kind, nodes)
            for i in range(stop - start):
                number, path, to = cards[3, start + i], paths[node, i], paths[child, i]
                if theirs.kind[node] == OWN:
                    probability, into, worth = (
                        probabilities[block, number, row],
                        gradient[block, number, row],
                        values[value, i],
                    )
                    for j in range(LANES):
                        into[j] += weight * path[j] * worth[j]
                        to[j] = path[j] * probability[j]
                else:
                    for j in range(LANES):
                        to[j] = path[j]
