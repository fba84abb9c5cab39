"""DIVAT's compiled side: each round as it was played and as the baseline plays it, by the engine."""

from holdmem.compiled import kernel
from holdmem.rules.betting import act, deal, least_raise, may_raise, to_call
from holdmem.rules.state import CALL, FOLD


@kernel
def divat_chips(rules, stacks, decks, hands, history, equity, strength, room, spare, chips):
    """Sum over the rounds of value as played minus value by the baseline, for seat 0; see `divat`.

    `equity` (n, 4) of seat 0 on each street, `strength` (n, 4, 2) of both; `room` (two hands) and `spare` (a
    row of actions) are to play in.
    """
    played, baseline = room[0], room[1]
    for i in range(len(hands)):
        chips[i] = 0.0
        deal(rules, stacks[i], decks[i], played)
        done = 0
        for street in range(hands[i].street + 1):
            room[1] = room[0]
            play_round(rules, baseline, strength[i, street], spare)
            while done < hands[i].actions and history[i, done].street == street:
                act(rules, played, history[i, done].to, spare)
                done += 1
            now = equity[i, street]
            chips[i] += value(played, now) - value(baseline, now)


@kernel
def value(hand, equity):
    """Chips that seat 0 is ahead: what the folder paid, or its share of what both paid minus its own half."""
    if hand.live == 1:
        return float(hand.paid[1])
    if hand.live == 2:
        return -float(hand.paid[0])
    return min(hand.paid[0], hand.paid[1]) * (2 * equity - 1)


@kernel
def play_round(rules, hand, strength, spare):
    """Play the round to its end: bet for value in limit, always call in no-limit."""
    street = hand.street
    low0, high0, low1, high1 = 0.0, 1.0, 0.0, 1.0
    while hand.to_act >= 0 and hand.street == street:
        if not rules.limit:
            act(rules, hand, CALL, spare)
        elif hand.to_act == 0:
            action, low0, high0 = bet_for_value(rules, hand, strength[0], low0, high0, (low1 + high1) / 2)
            act(rules, hand, action, spare)
        else:
            action, low1, high1 = bet_for_value(rules, hand, strength[1], low1, high1, (low0 + high0) / 2)
            act(rules, hand, action, spare)


@kernel
def bet_for_value(rules, hand, strength, low, high, middle):
    """What a strength does, and the range (low, high) of strengths that would have done the same so far.

    Above the middle of the other's range it bets or raises; of the rest the worst share `owed / pot` of the
    own range folds to a bet.
    """
    seat = hand.to_act
    if strength >= middle and may_raise(rules, hand, seat):
        return least_raise(rules, hand, seat), max(low, middle), high
    owed = to_call(hand, seat)
    if strength < low + (high - low) * owed / (hand.paid[0] + hand.paid[1]):
        return FOLD, low, high
    return CALL, low, min(high, middle)
