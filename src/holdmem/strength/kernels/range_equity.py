"""Compiled kernels of `range_equity`.

Results are weights of showdowns by the set of winners, one bit per player: for two players `outcomes[1]` and
`outcomes[2]` are the weights that each wins alone and `outcomes[3]` is the weight of ties.
"""

import numpy as np

from holdmem.cards.kernels.evaluator import CARD_KEYS, NO_CARDS
from holdmem.cards.kernels.isomorphism import LANE, RANK_BITS
from holdmem.core.jit import kernel
from holdmem.core.kernels.philox import philox, uniform
from holdmem.strength.kernels.equity import CARD_BITS, next_choice, strength_of_seven

MOST_STRENGTH = 7462
MOST_ATTEMPTS = 10_000


@kernel
def complete_boards(board, deck, alike, boards, weights):
    """Write every completion of a board from the deck, one per class under exchanges of suits.

    `alike` [suit] is the lowest suit interchangeable with it. Of the boards that such exchanges map to one
    another only the one is kept whose interchangeable suits hold non-increasing sets of ranks; its weight is
    the size of the class, the multinomial coefficient of the runs of equal sets. Returns the number of
    boards.
    """
    places = np.arange(5 - len(board))
    found = 0
    while True:
        drawn = 0
        for place in places:
            drawn |= CARD_BITS[deck[place]]
        weight = exchanges(drawn, alike)
        if weight:
            boards[found, : len(board)] = board
            for i in range(len(places)):
                boards[found, len(board) + i] = deck[places[i]]
            weights[found] = weight
            found += 1
        if not next_choice(places, len(deck)):
            return found


@kernel
def exchanges(drawn, alike):
    """Number of card sets equivalent to `drawn` by exchanging suits; 0 if another set represents them."""
    weight = 1
    for first in range(4):
        before, size, run = -1, 0, 0
        for suit in range(first, 4):
            if alike[suit] == first:
                ranks = drawn >> LANE * suit & RANK_BITS
                if size and ranks > before:
                    return 0
                size, run = size + 1, run + 1 if ranks == before else 1
                weight = weight * size // run
                before = ranks
    return weight


@kernel
def evaluate_holdings(board, holdings, strengths):
    """Write the strength of each holding on a board of five; 0 for those that contain one of its cards."""
    key, bits = NO_CARDS, 0
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    for i in range(len(holdings)):
        low, high = holdings[i, 0], holdings[i, 1]
        held = CARD_BITS[low] | CARD_BITS[high]
        strengths[i] = 0
        if not held & bits:
            strengths[i] = strength_of_seven(key + CARD_KEYS[low] + CARD_KEYS[high], bits | held)


@kernel
def sort_by_strength(strengths, order, count):
    """Write the indices of all strengths above 0 to `order`, weakest first; return their number.

    A counting sort: `count` has one entry per strength and one more.
    """
    count[:] = 0
    for strength in strengths:
        count[strength + 1] += 1
    count[1] = 0  # strength 0 is left out
    for strength in range(1, len(count)):
        count[strength] += count[strength - 1]
    for i in range(len(strengths)):
        if strengths[i]:
            order[count[strengths[i]]] = i
            count[strengths[i]] += 1
    return count[len(count) - 1]


@kernel
def meet_two(boards, board_weights, holdings, ours, theirs, outcomes):
    """Count two ranges on every board, in one sweep over the holdings from weakest to strongest.

    The opponent's holdings weaker than (a, b) weigh all that the sweep has passed, less those that contain a
    or b. Among holdings of equal strength the opponent's own (a, b) is subtracted twice, once per card, so it
    is added back once.
    """
    size = len(holdings)
    strengths, order = np.empty(size, np.int64), np.empty(size, np.int64)
    count = np.empty(MOST_STRENGTH + 2, np.int64)
    everything, below, level = np.empty(53), np.empty(53), np.empty(53)  # by card; the last entry is the sum
    for b in range(len(boards)):
        evaluate_holdings(boards[b], holdings, strengths)
        live = sort_by_strength(strengths, order, count)
        everything[:] = 0
        below[:] = 0
        for i in order[:live]:
            put(everything, holdings[i], theirs[i])
        first = 0
        while first < live:
            last = first
            level[:] = 0
            while last < live and strengths[order[last]] == strengths[order[first]]:
                put(level, holdings[order[last]], theirs[order[last]])
                last += 1
            for i in order[first:last]:
                weight = ours[i] * board_weights[b]
                beaten, equal = clear(below, holdings[i]), clear(level, holdings[i]) + theirs[i]
                outcomes[1] += weight * beaten
                outcomes[3] += weight * equal
                outcomes[2] += weight * (clear(everything, holdings[i]) + theirs[i] - beaten - equal)
            for card in range(53):
                below[card] += level[card]
            first = last


@kernel
def put(weights, holding, weight):
    """Add the weight of a holding to its two cards and to the total."""
    weights[holding[0]] += weight
    weights[holding[1]] += weight
    weights[52] += weight


@kernel
def clear(weights, holding):
    """Total weight less that of holdings with either card of this one (the identical one counts twice)."""
    return weights[52] - weights[holding[0]] - weights[holding[1]]


@kernel
def meet_many(boards, board_weights, holdings, weights, outcomes):
    """Count any number of ranges on every board, by enumerating all compatible combinations of holdings.

    `weights` is (players, holdings). A depth-first traversal: at depth d the first d players have their
    holdings, and the arrays hold the cards used, the joint weight, the best strength and the set of its
    owners.
    """
    players, size = weights.shape
    last, strengths = players - 1, np.empty(size, np.int64)
    sets, ranks, shares = (
        np.empty((players, size), np.int64),
        np.empty((players, size), np.int64),
        weights.copy(),
    )
    live, at, used = np.empty(players, np.int64), np.zeros(players, np.int64), np.zeros(players, np.int64)
    best, winners, joint = np.zeros(players, np.int64), np.zeros(players, np.int64), np.zeros(players)
    for b in range(len(boards)):
        evaluate_holdings(boards[b], holdings, strengths)
        for player in range(players):
            live[player] = choose_live(
                holdings, strengths, weights[player], sets[player], ranks[player], shares[player]
            )
        depth, at[0], joint[0] = 0, 0, board_weights[b]
        while depth >= 0:
            i = at[depth]
            at[depth] += 1
            if i == live[depth]:
                depth -= 1
            elif not used[depth] & sets[depth, i]:
                before, depth = depth, depth + 1
                at[depth], used[depth] = 0, used[before] | sets[before, i]
                joint[depth] = joint[before] * shares[before, i]
                best[depth], winners[depth] = lead(best[before], winners[before], ranks[before, i], before)
                if depth == last:
                    count = live[last]
                    below, level, above = meet_last(
                        used[last], best[last], sets[last, :count], ranks[last], shares[last]
                    )
                    outcomes[winners[last]] += joint[last] * below
                    outcomes[winners[last] | 1 << last] += joint[last] * level
                    outcomes[1 << last] += joint[last] * above
                    depth -= 1


@kernel
def lead(best, winners, strength, player):
    """Best strength and set of winners after one more player shows its cards."""
    if strength > best:
        return strength, 1 << player
    return best, winners | (1 << player if strength == best else 0)


@kernel
def meet_last(used, best, sets, strengths, weights):
    """Weight of the last player's holdings that are weaker than, equal to, and stronger than the best."""
    below, level, above = 0.0, 0.0, 0.0
    for i in range(len(sets)):
        weight = 0.0 if used & sets[i] else weights[i]
        below += weight if strengths[i] < best else 0.0
        level += weight if strengths[i] == best else 0.0
        above += weight if strengths[i] > best else 0.0
    return below, level, above


@kernel
def choose_live(holdings, strengths, weights, sets, ranks, shares):
    """Write sets, strengths and weights of a range's holdings that a board leaves; return their number."""
    live = 0
    for i in range(len(weights)):
        if weights[i] > 0 and strengths[i]:
            sets[live] = CARD_BITS[holdings[i, 0]] | CARD_BITS[holdings[i, 1]]
            ranks[live], shares[live] = strengths[i], weights[i]
            live += 1
    return live


@kernel
def sample(key, samples, board, dead, holdings, cumulative, outcomes):
    """Deal `samples` random showdowns and count them by winners; return False if holdings always clash.

    A holding is drawn for each player by weight (`cumulative` sums, one row per player), and all are drawn
    again if two share a card, which keeps joint weights in proportion; then the rest of the board is drawn.
    """
    players = len(cumulative)
    chosen, shared = np.empty(players, np.int64), np.empty(5, np.int64)
    shared[: len(board)] = board
    out = 0
    for card in board:
        out |= CARD_BITS[card]
    gone = out
    for card in dead:
        gone |= CARD_BITS[card]
    for number in range(samples):
        used, draws = draw_holdings(key, number, gone, holdings, cumulative, chosen)
        if draws < 0:
            return False
        place = len(board)
        while place < 5:
            card = np.int64(52 * draw(key, number, draws))
            draws += 1
            if not CARD_BITS[card] & used:
                used |= CARD_BITS[card]
                shared[place] = card
                place += 1
        outcomes[winners_of(shared, holdings, chosen)] += 1
    return True


@kernel
def draw(key, number, draws):
    """Random number in [0, 1) for one draw of one sample."""
    a, b, _, _ = philox(key, np.uint64(number), np.uint64(draws), np.uint64(0), np.uint64(0))
    return uniform(a, b)


@kernel
def draw_holdings(key, number, gone, holdings, cumulative, chosen):
    """Draw compatible holdings; return all cards used and the number of draws, -1 if they always clash.

    Gives up after `MOST_ATTEMPTS` attempts.
    """
    draws = 0
    for _ in range(MOST_ATTEMPTS):
        used, clash = gone, False
        for player in range(len(cumulative)):
            sums = cumulative[player]
            i = np.searchsorted(sums, draw(key, number, draws) * sums[len(sums) - 1], side="right")
            cards = CARD_BITS[holdings[i, 0]] | CARD_BITS[holdings[i, 1]]
            clash = clash or used & cards != 0
            used |= cards
            chosen[player] = i
            draws += 1
        if not clash:
            return used, draws
    return 0, -1


@kernel
def winners_of(board, holdings, chosen):
    """Set of winners among the chosen holdings on a full board, one bit per player."""
    key, bits = NO_CARDS, 0
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    best, winners = 0, 0
    for player in range(len(chosen)):
        low, high = holdings[chosen[player], 0], holdings[chosen[player], 1]
        total = key + CARD_KEYS[low] + CARD_KEYS[high]
        strength = strength_of_seven(total, bits | CARD_BITS[low] | CARD_BITS[high])
        if strength > best:
            best, winners = strength, 0
        if strength == best:
            winners |= 1 << player
    return winners
