"""Kernels that walk the streets of a subgame for all holdings at once.

Vectors run over the holdings that a board leaves, from the weakest to the strongest. Nodes are numbered level
by level, so that the children of a node have consecutive numbers; regrets and sums of a decision are rows of
vectors, one per action.

The opponent's reach is the same at all nodes between two of its actions. Such a vector is called a
*sequence*, and terminals of one sequence share a *lane*: a column of the table that one pass over the
holdings turns into payoffs, a block of lanes at a time. The number of lanes of a block is not a constant: the
compiler would unroll loops of constant length into single additions instead of vectors of them.

A turn is walked with its rivers: down to the ends of the turn's betting, through each river from there, and
up again.
"""

import numpy as np

from holdmem.cfr.kernels.update import NOTHING, add_regrets, add_to_average, match_regrets
from holdmem.cfr.subgame.records import BoardCards, WalkRoom
from holdmem.core.jit import kernel

OWN, OTHER, FOLD, SHOWDOWN, ONWARD = 0, 1, 2, 3, 4
"""Kinds of nodes as one player sees them; ONWARD is the end of a street before the last."""


@kernel
def iterate(fading, shapes, board, reach, alternative, share, regrets, sums, choice, room, rivers):
    """Solve a subgame, one iteration per row of `fading`.

    reach[seat] are the ranges. If `alternative` has a row, the second player of the gadget chooses with each
    holding between that value and the subgame: choice[0] and choice[1] are its regrets for entering and for
    not entering, and `share` is the weight of the part of its range that must enter.
    """
    gadget = len(alternative) > 0
    for t in range(len(fading)):
        for seat in range(2):
            if gadget and seat == 0:
                enter(choice, reach[1], share, room.reach[0])
            else:
                room.reach[0] = reach[1 - seat]
            if len(rivers.holdings) == 1:
                walk(shapes[seat], board, regrets, sums, fading[t], room)
            else:
                walk_turn(shapes[seat], board, regrets, sums, fading[t], room, seat, rivers)
            if gadget and seat == 1:
                choose(choice, alternative[0], room.values[0], fading[t])


@kernel
def enter(choice, given, share, out):
    """Compute the reach of the player that chooses whether to enter, for each holding.

    A share of its given range has no choice; added to it, with weight one, is the probability of entering.
    """
    for s in range(len(out)):
        out[s] = share * given[s] + entering(choice[0, s], choice[1, s])


@kernel
def entering(inside, outside):
    """Return the probability of entering by regret matching."""
    yes, no = max(inside, NOTHING), max(outside, NOTHING)
    return yes / (yes + no) if yes + no > NOTHING else np.float32(0.5)


@kernel
def choose(choice, alternative, values, fading):
    """Update the regrets of entering and of not entering the subgame."""
    for s in range(len(values)):
        enters = entering(choice[0, s], choice[1, s])
        mean = enters * values[s] + (1 - enters) * alternative[s]
        yes, no = choice[0, s] + values[s] - mean, choice[1, s] + alternative[s] - mean
        choice[0, s] = yes * (fading[0] if yes > NOTHING else fading[1])
        choice[1, s] = no * (fading[0] if no > NOTHING else fading[1])


@kernel
def walk(shape, board, regrets, sums, fading, room):
    """Turn the opponent's reach at the roots into values at all nodes, updating regrets and averages.

    The first rows of `room.reach` hold the reach at the roots; `room.values` at ONWARD nodes is given.
    """
    descend(shape, board, regrets, sums, fading, room)
    settle(shape, board, room)
    ascend(shape, board, regrets, fading, room)


@kernel
def walk_turn(shape, board, regrets, sums, fading, room, seat, rivers):
    """Walk a turn and all of its rivers, as `walk` does a single street."""
    descend(shape, board, regrets, sums, fading, room)
    settle(shape, board, room)
    for node in rivers.ends:
        room.values[node] = NOTHING
    below, rows = rivers.shapes[seat], rivers.rows
    for river in range(len(rivers.holdings) - 1):
        start, end = rivers.holdings[river], rivers.holdings[river + 1]
        cards = BoardCards(
            rivers.first[start:end],
            rivers.second[start:end],
            rivers.groups[rivers.group_starts[river] : rivers.group_starts[river + 1]],
        )
        under, place = room_of(rivers.room, end - start), rivers.place[start:end]
        bring(room.reach, shape.sequence, rivers.ends, place, rivers.chance, under.reach)
        part = slice(rows * start, rows * end)
        walk(below, cards, rivers.regrets[part], rivers.sums[part], fading, under)
        collect(under.values, place, rivers.ends, room.values)
    ascend(shape, board, regrets, fading, room)


@kernel
def room_of(room, holdings):
    """Return the working memory for a board with fewer holdings, in the same memory."""
    return WalkRoom(
        fewer(room.reach, holdings),
        fewer(room.values, holdings),
        fewer(room.strategy, holdings),
        room.totals[:holdings],
        room.there[:holdings],
        room.score[:holdings],
        room.total,
        room.cards,
    )


@kernel
def fewer(table, columns):
    """Return a table with the same number of rows of `columns` numbers at the start of a table's memory."""
    return table.reshape(table.size)[: table.shape[0] * columns].reshape(table.shape[0], columns)


@kernel
def descend(shape, board, regrets, sums, fading, room):
    """Compute the opponent's reach in every sequence, and add its strategy to its average."""
    n, strategy, reach = len(board.first), room.strategy, room.reach
    for node in shape.others:
        start, here = shape.offset[node] * n, reach[shape.sequence[node]]
        actions, child = shape.actions[node], shape.child[node]
        match_regrets(regrets, start, actions, n, strategy, room.totals)
        add_to_average(sums, start, actions, n, strategy, here, fading[2])
        for a in range(actions):
            multiply(here, strategy[a], reach[shape.sequence[child + a]])


@kernel
def multiply(one, other, out):
    """Multiply two vectors elementwise."""
    for s in range(len(out)):
        out[s] = one[s] * other[s]


@kernel
def settle(shape, board, room):
    """Fill in the values of all terminals, one block of lanes after the other."""
    for block in range(len(shape.showdowns)):
        lanes = shape.lanes[shape.blocks[block] : shape.blocks[block + 1]]
        gather(room.reach, lanes, room.there)
        if shape.showdowns[block]:
            pass_by_strength(board, room, len(lanes))
        else:
            add_up(board, room, len(lanes))
        exclude(board, room, len(lanes))
        if shape.showdowns[block]:
            subtract(room.there, room.score, len(lanes))
        for place in range(shape.terminals[block], shape.terminals[block + 1]):
            node = shape.terminal[place]
            table = room.score if shape.kind[node] == SHOWDOWN else room.there
            pay(table, shape.lane[node], shape.stake[node], room.values[node])


@kernel
def gather(reach, sequences, there):
    """Copy the reach of these sequences to lanes: there[holding, lane]."""
    for s in range(len(there)):
        out = there[s]
        for k in range(len(sequences)):
            out[k] = reach[sequences[k], s]


@kernel
def pass_by_strength(board, room, lanes):
    """Compute score = (reach that each holding beats) + (reach that it beats or ties), from the weakest up.

    Holdings that share a card with it are left out, by subtracting what was counted for its two cards.
    """
    first, second, there, score = board.first, board.second, room.there, room.score
    total, cards = room.total, room.cards
    total[:] = NOTHING
    cards[:] = NOTHING
    start = 0
    for end in board.ends:
        for s in range(start, end):
            one, other, out = cards[first[s]], cards[second[s]], score[s]
            for k in range(lanes):
                out[k] = total[k] - one[k] - other[k]
        for s in range(start, end):
            one, other, here = cards[first[s]], cards[second[s]], there[s]
            for k in range(lanes):
                total[k] += here[k]
            for k in range(lanes):
                one[k] += here[k]
            for k in range(lanes):
                other[k] += here[k]
        for s in range(start, end):
            one, other, here, out = cards[first[s]], cards[second[s]], there[s], score[s]
            for k in range(lanes):  # the holding itself was subtracted with both of its cards
                out[k] += total[k] - one[k] - other[k] + here[k]
        start = end


@kernel
def add_up(board, room, lanes):
    """Sum the reach of all holdings, in total and by card."""
    first, second, there, total, cards = board.first, board.second, room.there, room.total, room.cards
    total[:] = NOTHING
    cards[:] = NOTHING
    for s in range(len(first)):
        one, other, here = cards[first[s]], cards[second[s]], there[s]
        for k in range(lanes):
            total[k] += here[k]
        for k in range(lanes):
            one[k] += here[k]
        for k in range(lanes):
            other[k] += here[k]


@kernel
def exclude(board, room, lanes):
    """Replace the reach of a holding by the reach of all holdings that share no card with it."""
    first, second, there, total, cards = board.first, board.second, room.there, room.total, room.cards
    for s in range(len(first)):
        one, other, here = cards[first[s]], cards[second[s]], there[s]
        for k in range(lanes):
            here[k] += total[k] - one[k] - other[k]


@kernel
def subtract(there, score, lanes):
    """Subtract all reach from the score, which leaves (reach that is beaten) - (reach that wins)."""
    for s in range(len(there)):
        here, out = there[s], score[s]
        for k in range(lanes):
            out[k] -= here[k]


@kernel
def pay(table, lane, stake, out):
    """Write the values of a terminal: its stake times a column of a table."""
    for s in range(len(out)):
        out[s] = stake * table[s, lane]


@kernel
def ascend(shape, board, regrets, fading, room):
    """Propagate values from the terminals to the roots, updating the player's regrets."""
    n, values, strategy = len(board.first), room.values, room.strategy
    for node in shape.inner:
        actions, child = shape.actions[node], shape.child[node]
        if shape.kind[node] == OWN:
            start, below = shape.offset[node] * n, values[child : child + actions]
            match_regrets(regrets, start, actions, n, strategy, room.totals)
            add_regrets(regrets, start, actions, n, strategy, below, values[node], fading)
        else:
            add_children(values, child, actions, values[node])


@kernel
def add_children(values, child, actions, out):
    """Sum the values of a node's children."""
    out[:] = values[child]
    for a in range(1, actions):
        row = values[child + a]
        for s in range(len(out)):
            out[s] += row[s]


@kernel
def respond(shape, board, strategy, maximise, room):
    """Value the roots against the opponent's part of a strategy: strategy[row of an action, holding].

    The player takes the best action with each holding if `maximise`, else it plays the strategy as well.
    """
    reach, values = room.reach, room.values
    for node in shape.others:
        row, child = shape.offset[node], shape.child[node]
        for a in range(shape.actions[node]):
            multiply(reach[shape.sequence[node]], strategy[row + a], reach[shape.sequence[child + a]])
    settle(shape, board, room)
    for node in shape.inner:
        actions, child = shape.actions[node], shape.child[node]
        if shape.kind[node] != OWN:
            add_children(values, child, actions, values[node])
        elif maximise:
            take_best(values, child, actions, values[node])
        else:
            weigh_children(values, child, strategy[shape.offset[node] :], actions, values[node])


@kernel
def take_best(values, child, actions, out):
    """Take the largest value among a node's children with each holding."""
    out[:] = values[child]
    for a in range(1, actions):
        row = values[child + a]
        for s in range(len(out)):
            out[s] = max(out[s], row[s])


@kernel
def weigh_children(values, child, strategy, actions, out):
    """Sum the values of a node's children times the probabilities of the actions that lead there."""
    out[:] = 0
    for a in range(actions):
        row, share = values[child + a], strategy[a]
        for s in range(len(out)):
            out[s] += share[s] * row[s]


@kernel
def bring(reach, sequence, ends, place, chance, out):
    """Copy the reach at the ends of a street to the roots of the next, times the probability of its card.

    place[position there] is the position here.
    """
    for root in range(len(ends)):
        row, to = reach[sequence[ends[root]]], out[root]
        for s in range(len(place)):
            to[s] = row[place[s]] * chance


@kernel
def collect(values, place, nodes, out):
    """Add the values of the next street's roots to the ends of this one."""
    for root in range(len(nodes)):
        row, to = values[root], out[nodes[root]]
        for s in range(len(place)):
            to[place[s]] += row[s]
