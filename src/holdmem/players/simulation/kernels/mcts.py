"""Kernels: Monte Carlo tree search over our decisions, against models of what opponents do and show.

A node is one of our decisions. Its moves are fold, call and three raises, whose sizes are drawn separately
for each node. Everything up to our next decision is a chance event that leads to one of `EVENTS` children per
move. Children are distinguished by street, price and the strength of our hand there, in steps of one fifth.
"""

import numpy as np

from holdmem.cards.classes import HOLDING_OF
from holdmem.core.jit import kernel
from holdmem.core.kernels.philox import philox
from holdmem.core.records import record
from holdmem.engine.kernels.betting import act, least_raise, may_raise, most_raise, to_call
from holdmem.engine.kernels.showdown import settle
from holdmem.engine.state import CALL, FOLD, HAND, PARTS, SEATS
from holdmem.opponents.kernels.dealing import bits_of, cards_on, draw_card
from holdmem.opponents.kernels.holdings import LEVELS, PREFLOP_LEVELS, strength_of_one
from holdmem.opponents.kernels.rollouts import key_of_decision, sized_raise
from holdmem.opponents.kernels.showdowns import BINS, RAISES, raises_of
from holdmem.opponents.kernels.situations import (
    FOLDED,
    RAISED,
    SITUATIONS,
    deal_blank,
    enters,
    pot_of,
    situation_of,
    stacks_at_start,
)
from holdmem.strength.kernels.bucket_cuts import equal_width_bucket
from holdmem.strength.kernels.card_kinds import KINDS, LEFT

MOVES = 5
FOLDING, CALLING, FIRST_RAISE = 0, 1, 2
FIFTHS = 5
EVENTS = SITUATIONS * FIFTHS
EVEN_VISITS = 20
EXPLORING = 1.0
UNTRIED = 1e15
"""Upper bound of an untried move: above any result in chips, small enough to subtract visits exactly."""
NUMBERS = 64
DEEPEST = 64
STRENGTHS = 60000

NODE = record(
    [
        ("visits", "i8", MOVES),
        ("total", "f8", MOVES),
        ("squares", "f8", MOVES),  # sums of squared gains over folding at this node
        ("exponent", "f8", MOVES),  # raise sizes on a logarithmic scale: 0 is the minimum, 1 the maximum
        ("child", "i4", (MOVES, EVENTS)),
    ]
)

TRIAL = record(
    [
        ("own", "i8"),
        ("number", "f8", NUMBERS),
        ("used", "i8"),
        ("raises", "i8", SEATS),
        ("entered", "i8", SEATS),
        ("strength", "f8", 4),
        ("depth", "i8"),
        ("node", "i8", DEEPEST),
        ("move", "i8", DEEPEST),
        ("paid", "i8", DEEPEST),
    ]
)
"""One iteration: random numbers, raises per seat and whether it has entered the pot, our strength by street
(-1 until needed), tree path.

`paid` is what we have in the pot at each node of the path.
"""


@kernel
def search_all(rules, rows, history, shares, shown, key, iterations, actions, means, visits):
    """Search every view with `iterations` and report the root's actions, means and visits per view."""
    nodes = np.zeros(iterations + 1, NODE)
    for i in range(len(rows)):
        used = grow(rules, rows[i], history[i], shares[i], shown[i], key, 0, iterations, nodes, 0)
        report(rules, rows[i], nodes[0], actions[i], means[i], visits[i])
        clear(nodes[:used])


@kernel
def clear(nodes):
    """Reset nodes for the next search."""
    for n in range(len(nodes)):
        nodes[n].visits[:] = 0
        nodes[n].total[:] = 0
        nodes[n].squares[:] = 0
        nodes[n].child[:] = 0


@kernel
def grow(rules, row, history, shares, shown, key, first, last, nodes, used):
    """Run iterations `first` to `last` - 1 of a search in a tree of `used` nodes; return the new node count.

    Values are in chips relative to folding at the root.
    """
    hands, play, trial = np.zeros(1, HAND), np.zeros(1, HAND), np.zeros(1, TRIAL)
    left, kinds, suits = np.empty(1, LEFT), np.empty(1, KINDS), np.empty(4, np.int64)
    scratch = left, kinds, suits
    past = history.copy()
    own_key = key_of_decision(key, row)
    entered = np.zeros(SEATS, np.int64)
    replay(rules[0], row, history, hands[0], past, entered)
    if used == 0:
        open_node(own_key, 0, nodes)
        used = 1
    for iteration in range(first, last):
        begin(rules[0], row, history, entered, own_key, iteration, trial[0], play, hands)
        used = walk(rules[0], play[0], past, shares, own_key, nodes, used, trial[0], scratch)
        if play[0].shown:
            show(rules[0], play[0], shown, trial[0], scratch)
        value = play[0].net[row.seat] / PARTS + row.paid[row.seat]
        learn(nodes, trial[0], row.paid[row.seat], value)
    return used


@kernel
def replay(rules, row, history, hand, past, entered):
    """Replay the betting up to the decision into `hand`, with placeholder cards; note who has entered."""
    deal_blank(rules, stacks_at_start(row), hand)
    for step in range(row.actions):
        action = np.int64(history[step].to)
        if enters(hand, hand.to_act, action):
            entered[hand.to_act] = 1
        act(rules, hand, action, past)


@kernel
def open_node(key, node, nodes):
    """Draw the raise sizes of a node: one exponent in each third of [0, 1]."""
    words = philox(key, np.uint64(node), np.uint64(0), np.uint64(2), np.uint64(0))
    for k in range(MOVES - FIRST_RAISE):
        nodes[node].exponent[FIRST_RAISE + k] = (k + np.float64(words[k]) / 4294967296.0) / 3


@kernel
def begin(rules, row, history, entered, key, iteration, trial, play, hands):
    """Start an iteration: draw its random numbers, restore the hand at the decision and deal the board."""
    for start in range(0, NUMBERS, 4):
        words = philox(key, np.uint64(start), np.uint64(iteration), np.uint64(3), np.uint64(0))
        for k in range(4):
            trial.number[start + k] = np.float64(words[k]) / 4294967296.0
    trial.own = row.seat
    trial.used = 0
    trial.depth = 0
    trial.strength[:] = -1.0
    for seat in range(rules.seats):
        trial.raises[seat] = raises_of(history, row.actions, seat)
        trial.entered[seat] = entered[seat]
    play[0] = hands[0]
    hand = play[0]
    seen = cards_on(row.street)
    hand.hole[row.seat] = row.hole
    hand.board[:seen] = row.board[:seen]
    taken = bits_of(row.hole) | bits_of(row.board[:seen])
    for place in range(seen, 5):
        card = draw_card(taken, next_number(trial))
        taken |= 1 << card
        hand.board[place] = card


@kernel
def next_number(trial):
    """Return the next random number, starting over after `NUMBERS`."""
    number = trial.number[trial.used % NUMBERS]
    trial.used += 1
    return number


@kernel
def own_strength(hand, trial, scratch):
    """Return the strength of our hand on the current board, computed once per street."""
    street = hand.street
    if trial.strength[street] < 0:
        hole = hand.hole[trial.own]
        if street == 0:
            trial.strength[0] = (PREFLOP_LEVELS[HOLDING_OF[hole[0], hole[1]]] + 0.5) / LEVELS
        else:
            left, kinds, suits = scratch
            board = hand.board[: cards_on(street)]
            trial.strength[street] = strength_of_one(hole, board, left[0], kinds[0], suits)
    return trial.strength[street]


@kernel
def walk(rules, hand, past, shares, key, nodes, used, trial, scratch):
    """Play one hand to its end and return the node count.

    Our moves follow the tree, which grows by at most one node, and then `plain_action`.
    """
    node, grown = 0, False
    while hand.to_act >= 0:
        seat = hand.to_act
        if seat != trial.own:
            action = opponents_action(rules, hand, seat, shares[seat], trial)
            if enters(hand, seat, action):
                trial.entered[seat] = 1
        else:
            if node >= 0 and trial.depth > 0:
                event = FIFTHS * situation_of(rules, hand, seat)
                event += equal_width_bucket(own_strength(hand, trial, scratch), FIFTHS)
                last = trial.move[trial.depth - 1]
                child = nodes[node].child[last, event]
                if child == 0 and not grown and used < len(nodes):
                    child, grown = used, True
                    open_node(key, used, nodes)
                    nodes[node].child[last, event] = used
                    used += 1
                node = child if child > 0 and trial.depth < DEEPEST else -1
            if node >= 0:
                move = choose(rules, hand, seat, nodes[node])
                trial.node[trial.depth] = node
                trial.move[trial.depth] = move
                trial.paid[trial.depth] = hand.paid[seat]
                trial.depth += 1
                action = action_of(rules, hand, seat, nodes[node], move)
            else:
                action = plain_action(rules, hand, seat, trial, scratch)
        act(rules, hand, action, past)
    return used


@kernel
def opponents_action(rules, hand, seat, shares, trial):
    """Sample an opponent's action from its action frequencies in this situation.

    Players who have entered the pot have frequencies of their own: most fold far less often then.
    """
    situation = situation_of(rules, hand, seat) + SITUATIONS * trial.entered[seat]
    number = next_number(trial)
    if number < shares[situation, FOLDED] and to_call(hand, seat) > 0:
        return FOLD
    if number >= 1 - shares[situation, RAISED] and may_raise(rules, hand, seat):
        trial.raises[seat] += 1
        return sized_raise(rules, hand, seat)
    return CALL


@kernel
def plain_action(rules, hand, seat, trial, scratch):
    """Return our action below the tree: fold if strength is under twice the pot odds, otherwise call."""
    price = to_call(hand, seat)
    if price > 0 and own_strength(hand, trial, scratch) < 2 * price / (pot_of(rules, hand) + price):
        return FOLD
    return CALL


@kernel
def is_possible(rules, hand, seat, move):
    """Whether a move is available.

    A fold needs a bet to call. A raise must be legal, and only the first is used where one size is possible.
    """
    if move == FOLDING:
        return to_call(hand, seat) > 0
    if move == CALLING:
        return True
    if not may_raise(rules, hand, seat):
        return False
    return move == FIRST_RAISE or least_raise(rules, hand, seat) < most_raise(rules, hand, seat)


@kernel
def action_of(rules, hand, seat, node, move):
    """Return the action of a move; a raise is to least · (most / least)^exponent."""
    if move == FOLDING:
        return FOLD
    if move == CALLING:
        return CALL
    least, most = least_raise(rules, hand, seat), most_raise(rules, hand, seat)
    return min(max(int(least * (most / least) ** node.exponent[move]), least), most)


@kernel
def choose(rules, hand, seat, node):
    """Choose a move: the least visited in the first `EVEN_VISITS` visits, then the highest upper bound.

    The bound is mean + EXPLORING · s · sqrt(ln visits / tried), with s the root mean square of what the move
    gained over folding here. Each move has its own s: one s for all would shrink with every fold, whose gain
    is zero, until no other move is tried again. Untried moves come first.
    """
    visits, tried = 0, 0
    for move in range(MOVES):
        visits += node.visits[move]
    best, chosen = -np.inf, CALLING
    for move in range(MOVES):
        if is_possible(rules, hand, seat, move):
            tried = node.visits[move]
            if visits < EVEN_VISITS or tried == 0:
                bound = UNTRIED - tried
            else:
                bound = node.total[move] / tried + EXPLORING * error_of(node, move) * np.sqrt(np.log(visits))
            if bound > best:
                best, chosen = bound, move
    return chosen


@kernel
def show(rules, hand, shown, trial, scratch):
    """Settle a showdown with our known strength and opponents' strengths drawn from what they have shown."""
    hand.street = 3
    for seat in range(rules.seats):
        if (hand.live >> seat) & 1:
            if seat == trial.own:
                strength = own_strength(hand, trial, scratch)
            else:
                strength = drawn_strength(shown[seat, min(trial.raises[seat], RAISES - 1)], trial)
            hand.strength[seat] = int(strength * STRENGTHS)
    hand.shown = 0  # so that `settle` uses these strengths instead of the placeholder cards
    settle(rules, hand)


@kernel
def drawn_strength(cumulated, trial):
    """Sample a strength from 0 to 1, given the cumulative probabilities of its bins."""
    number = next_number(trial)
    bin = 0
    while bin < BINS - 1 and cumulated[bin] <= number:
        bin += 1
    return (bin + next_number(trial)) / BINS


@kernel
def learn(nodes, trial, paid, value):
    """Back up the result of a trial, in chips relative to folding at the root, starting at the last move.

    `paid` is what we had in the pot at the root; folding at a later node is worth `paid` less what we have in
    the pot there. A node passes the mean of its `surest` move on to its parent, not the result of a move
    that it only explored.
    """
    for step in range(trial.depth - 1, -1, -1):
        node, move = nodes[trial.node[step]], trial.move[step]
        node.visits[move] += 1
        node.total[move] += value
        node.squares[move] += (value - paid + trial.paid[step]) ** 2
        best = surest(node)
        if move != best:
            value = node.total[best] / node.visits[best]


@kernel
def surest(node):
    """Return the tried move with the highest mean less its standard error."""
    best, chosen = -np.inf, CALLING
    for move in range(MOVES):
        tried = node.visits[move]
        if tried > 0:
            bound = node.total[move] / tried - error_of(node, move)
            if bound > best:
                best, chosen = bound, move
    return chosen


@kernel
def error_of(node, move):
    """Return the root mean square of a tried move's gains over folding, over the root of its visits."""
    return np.sqrt(node.squares[move]) / node.visits[move]


@kernel
def report(rules, row, root, actions, means, visits):
    """Report the root's moves as actions with means and visits; the mean of an untried move is -inf."""
    for move in range(MOVES):
        visits[move] = root.visits[move]
        means[move] = root.total[move] / root.visits[move] if root.visits[move] else -np.inf
        if move < FIRST_RAISE:
            actions[move] = FOLD if move == FOLDING else CALL
        else:
            least, most = max(row.min_raise_to, 1), row.max_raise_to
            actions[move] = min(max(int(least * (most / least) ** root.exponent[move]), least), most)
