"""Kernels for DIVAT: play each round as it happened and as the baseline plays it, with the engine's rules."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal, least_raise, may_raise, to_call
from holdmem.engine.state import CALL, FOLD


@kernel
def divat_chips(rules, stacks, decks, hands, history, equity, strength, room, spare, chips):
    """Sum over the rounds the value as played minus the value under the baseline, for seat 0; see `divat`.

    `equity` (n, 4) is seat 0's on each street, `strength` (n, 4, 2) both seats'. `room` (two hands) and
    `spare` (a row of actions) are scratch.
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
    """Return the chips that seat 0 is ahead.

    That is what the player who folded has paid, or else matched chips * (2 * equity - 1).
    """
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
    """Return the baseline's action and the range (low, high) of strengths that would have acted so.

    A strength at or above `middle`, the middle of the opponent's range, bets or raises. Of the rest, the
    worst share `owed / pot` of the seat's own range folds to a bet.
    """
    seat = hand.to_act
    if strength >= middle and may_raise(rules, hand, seat):
        return least_raise(rules, hand, seat), max(low, middle), high
    owed = to_call(hand, seat)
    if strength < low + (high - low) * owed / (hand.paid[0] + hand.paid[1]):
        return FOLD, low, high
    return CALL, low, min(high, middle)
