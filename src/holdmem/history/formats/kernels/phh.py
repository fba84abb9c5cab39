"""Reconstruct what PHH omits: checks by seats it does not ask, and the chips each seat put in the pot."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal, with_chips
from holdmem.engine.kernels.showdown import next_level, share_pots
from holdmem.engine.state import CALL
from holdmem.history.kernels.replay import FINE, certain, next_problem, play_again, posts_fit


@kernel
def unasked(hand):
    """Return whether the seat to act has nothing to call and no other seat could answer a bet.

    PokerKit, which defines PHH, skips such a seat; our engine and the ACPC dealer require it to check.
    """
    seat = hand.to_act
    return (
        seat >= 0
        and hand.bet[seat] == hand.highest
        and with_chips(hand, hand.live & ~(np.int64(1) << seat)) == 0
    )


@kernel
def check(rules, hand, history, out, end):
    """Check for the seat to act, append it to `out`, and return the new end of the betting."""
    act(rules, hand, CALL, history)
    out[end] = CALL
    return end + 1


@kernel
def complete_hand(rules, row, betting, actors, deck, hand, history, out, begin):
    """Write the complete betting to `out`; return its length and the first action out of turn (-1 if none).

    The index counts the recorded actions. After an illegal action the rest is copied verbatim, so that replay
    can report it.
    """
    end, playing = begin, posts_fit(rules, row)
    if playing:
        deal(rules, row.stack, deck, hand)
    for k in range(row.start, row.start + row.actions):
        while playing and hand.to_act != actors[k] and unasked(hand):
            end = check(rules, hand, history, out, end)
        if playing and hand.to_act >= 0 and hand.to_act != actors[k]:
            return end - begin, k - row.start
        out[end] = betting[k]
        end += 1
        playing = playing and next_problem(rules, hand, betting[k]) == FINE
        if playing:
            act(rules, hand, betting[k], history)
    while playing and unasked(hand):
        end = check(rules, hand, history, out, end)
    return end - begin, np.int64(-1)


@kernel
def put_in(rules, hand, chips, back):
    """Chips each seat put in the pot, dead chips included, after the uncalled bet is returned in `back`."""
    top, second = 0, np.int64(0)
    for seat in range(rules.seats):
        chips[seat] = hand.paid[seat] + rules.dead[seat]
        if hand.bet[seat] > hand.bet[top]:
            top = seat
    for seat in range(rules.seats):
        if seat != top:
            second = max(second, hand.bet[seat])
    back[top] = hand.bet[top] - second
    chips[top] -= back[top]


@kernel
def complete(rules, rows, betting, actors, places, room, deck, hand, history, out, lost, back, wrong):
    """Complete the hands at these indices; hand k writes to `out` from `start + k * room` on.

    `lost` receives each seat's chips in the pot and `back` the chips returned to it. `wrong` receives the
    seat that should have acted, or -1, and the index of the action out of turn.
    """
    for place in places:
        row = rows[place]
        begin = row.start + place * room
        done, at = complete_hand(rules[0], row, betting, actors, deck, hand[0], history, out, begin)
        wrong[place, 0], wrong[place, 1] = (hand[0].to_act if at >= 0 else -1), at
        row.start, row.actions = begin, done
        put_in(rules[0], hand[0], lost[place], back[place])


@kernel
def are_shown(rules, hand, shown):
    """Return whether one of these seats contests every pot that more than one seat contests."""
    below, fine = 0, True
    while True:
        level = next_level(rules, hand, below)
        if level == below:
            return fine
        seats, seen = 0, 0
        for seat in range(rules.seats):
            if (hand.live >> seat) & 1 and hand.paid[seat] >= level:
                seats += 1
                seen += (shown >> seat) & 1
        fine &= seats == 1 or seen > 0
        below = level


@kernel
def known_among(rules, row, seats):
    """Return those of the seats whose hole cards are both known."""
    known = np.int64(0)
    for seat in range(rules.seats):
        if (seats >> seat) & 1 and row.hole[seat, 0] >= 0 and row.hole[seat, 1] >= 0:
            known |= np.int64(1) << seat
    return known


@kernel
def infer_result(rules, row, hand, shown):
    """Set the result of a showdown in which somebody mucks: mucked hands lose to those shown.

    Returns whether the result follows: at least one hand is shown for every pot that more than one seat
    contests. Results of hands that were run twice are not inferred.
    """
    shown = known_among(rules, row, shown & hand.live)
    if not hand.shown or certain(rules, row, hand) or row.second[0] >= 0 or not are_shown(rules, hand, shown):
        return False
    for seat in range(rules.seats):
        if not (shown >> seat) & 1:
            hand.strength[seat] = 0
    share_pots(rules, hand)
    for seat in range(rules.seats):
        row.net[seat] = hand.net[seat]
    return True


@kernel
def infer_all(rules, rows, betting, players, places, shown, deck, hand, history, inferred):
    """Infer the results of the hands at these indices, which have none; `shown` are the seats that show."""
    for place in places:
        problem, _ = play_again(rules[0], rows[place], betting, players, deck, hand[0], history)
        inferred[place] = problem == FINE and infer_result(rules[0], rows[place], hand[0], shown[place])
