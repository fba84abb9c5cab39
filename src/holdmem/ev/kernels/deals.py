"""Kernels: deal what a player cannot see, from ranges, and run out all-in pots."""

import numpy as np

from holdmem.agent.kernels.views import seen_cards
from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.core.jit import kernel
from holdmem.core.kernels.philox import block, uniform
from holdmem.engine.kernels.showdown import settle

PAIR = HOLDING_OF.astype(np.int64)
LOW, HIGH = HOLDINGS[:, 0].astype(np.int64), HOLDINGS[:, 1].astype(np.int64)
COUNT = len(HOLDINGS)
TRIES = 32
"""Draws from a range that collide with other cards before the rest of the range is added up."""


@kernel
def sum_ranges(ranges, running, by_card):
    """Write running sums of the weights of each range, and the weight of the holdings with each card."""
    for i in range(ranges.shape[0]):
        for s in range(ranges.shape[1]):
            total = 0.0
            by_card[i, s] = 0.0
            for h in range(COUNT):
                weight = ranges[i, s, h]
                total += weight
                running[i, s, h] = total
                by_card[i, s, LOW[h]] += weight
                by_card[i, s, HIGH[h]] += weight


@kernel
def taken(used, holding):
    """Whether a card of the holding is among the used ones."""
    return (used >> LOW[holding]) & 1 or (used >> HIGH[holding]) & 1


@kernel
def rest_of(weights, by_card, total, cards, count):
    """Weight of the holdings without any of the first `count` of `cards`."""
    rest = total
    for k in range(count):
        rest -= by_card[cards[k]]
        for j in range(k):
            rest += weights[PAIR[cards[k], cards[j]]]
    return max(rest, 0.0)


@kernel
def search(running, value):
    """Index of the first running sum above the value."""
    low, high = 0, len(running) - 1
    while low < high:
        middle = (low + high) // 2
        if running[middle] > value:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def scan(weights, used, value):
    """Return the first holding where the running sum of the weights of unblocked holdings exceeds `value`."""
    last = -1
    for h in range(COUNT):
        if weights[h] > 0.0 and not taken(used, h):
            last = h
            value -= weights[h]
            if value < 0.0:
                return h
    return last


@kernel
def any_holding(used, number):
    """Return a holding of unused cards, all equally likely, for ranges that have none left; -1 for none."""
    free = 0
    for h in range(COUNT):
        free += not taken(used, h)
    wanted = np.int64(number * free)
    for h in range(COUNT):
        if not taken(used, h):
            if wanted == 0:
                return h
            wanted -= 1
    return -1


@kernel
def random_number(key, hand_id, place):
    """The `place`th uniform number of a hand."""
    a, b, _, _ = block(key, hand_id, 0, place)
    return uniform(a, b)


@kernel
def draw_holding(key, hand_id, place, weights, running, rest, used):
    """Draw a holding of the cards that are not used; return it and the number of random numbers used."""
    total = running[COUNT - 1]
    if rest <= 1e-9 * total or total <= 0.0:
        return any_holding(used, random_number(key, hand_id, place)), place + 1
    for _ in range(TRIES):
        found = search(running, random_number(key, hand_id, place) * total)
        place += 1
        if weights[found] > 0.0 and not taken(used, found):
            return found, place
    found = scan(weights, used, random_number(key, hand_id, place) * rest)
    if found < 0:
        found = any_holding(used, random_number(key, hand_id, place))
    return found, place + 1


@kernel
def deal_unseen(
    key, hand_ids, spots, seats, hero, hole, boards, seen, order, ranges, running, by_card, decks, weights
):
    """Deal the holdings of all others from their ranges, then the cards to come, one deal per row.

    Seats draw one after the other, in the order of `order`, each from what is left of its range. The weight
    of a deal is the product of the shares that were left, which makes the weighted deals follow the joint
    distribution of the ranges given that no card occurs twice.
    """
    cards = np.empty(2 * seats, np.int64)
    for k in range(len(spots)):
        i, place, weight, count = spots[k], 0, 1.0, 0
        used = np.int64(0)
        for card in hole[i]:
            used |= np.int64(1) << np.int64(card)
        for card in boards[i, : seen[i]]:
            used |= np.int64(1) << np.int64(card)
        decks[k, 2 * hero[i]], decks[k, 2 * hero[i] + 1] = hole[i, 0], hole[i, 1]
        for turn in range(seats - 1):
            seat = order[i, turn]
            total = running[i, seat, COUNT - 1]
            rest = rest_of(ranges[i, seat], by_card[i, seat], total, cards, count)
            weight *= rest / total if total > 0.0 else 0.0
            held, place = draw_holding(key, hand_ids[k], place, ranges[i, seat], running[i, seat], rest, used)
            decks[k, 2 * seat], decks[k, 2 * seat + 1] = LOW[held], HIGH[held]
            cards[count], cards[count + 1] = LOW[held], HIGH[held]
            count += 2
            used |= (np.int64(1) << LOW[held]) | (np.int64(1) << HIGH[held])
        for card in range(5):
            if card < seen[i]:
                decks[k, 2 * seats + card] = boards[i, card]
            else:
                while True:
                    found = np.int64(random_number(key, hand_ids[k], place) * 52)
                    place += 1
                    if not (used >> found) & 1:
                        break
                used |= np.int64(1) << found
                decks[k, 2 * seats + card] = found
        weights[k] = weight


@kernel
def run_out(key, rules, hands, hand_ids, seat, samples, net):
    """Write the result of a seat in each finished hand; all-in pots are averaged over boards.

    With one card to come all boards count, with more `samples` random ones. The board of the hand is
    overwritten.
    """
    for k in range(len(hands)):
        hand = hands[k]
        if not hand.shown or hand.street == 3:
            net[k] = hand.net[seat[k]]
            continue
        used, seen = np.int64(0), seen_cards(hand.street)
        for other in range(rules[0].seats):
            used |= np.int64(1) << np.int64(hand.hole[other, 0])
            used |= np.int64(1) << np.int64(hand.hole[other, 1])
        for card in range(seen):
            used |= np.int64(1) << np.int64(hand.board[card])
        total, count = 0, 0
        if seen == 4:
            for card in range(52):
                if not (used >> card) & 1:
                    hand.board[4] = card
                    settle(rules[0], hand)
                    total += hand.net[seat[k]]
                    count += 1
        else:
            place = 0
            for _ in range(samples):
                now = used
                for card in range(seen, 5):
                    while True:
                        found = np.int64(random_number(key, hand_ids[k], place) * 52)
                        place += 1
                        if not (now >> found) & 1:
                            break
                    now |= np.int64(1) << found
                    hand.board[card] = found
                settle(rules[0], hand)
                total += hand.net[seat[k]]
                count += 1
        net[k] = total / count
