"""Kernels shared by the learners: states (equations 4.1 to 4.6) and how a hand passes through them.

A state consists of the bucket of our cards, the last street on which we acted, the type and action of the
opponent that acted last on this street, and our position. Both acting and learning replay a hand action by
action in a `TRACK`.
"""

import numpy as np

from holdmem.agent.kernels.legal_policy import legalise
from holdmem.agent.kernels.views import draw
from holdmem.cards.kernels.evaluator import strength_with, total_of
from holdmem.core.jit import kernel
from holdmem.core.kernels.philox import fill_uniforms_of_views, philox, uniform
from holdmem.core.records import record
from holdmem.engine.kernels.betting import count
from holdmem.engine.state import CALL, FOLD, SEATS
from holdmem.opponents.kernels.player_types import SEEN, note_action, type_of
from holdmem.strength.kernels.expected_strength import bucket_of, key_of, means_of
from holdmem.strength.kernels.turn import SCRATCH

STAGES = 5
"""Number of values of the last street on which we acted: none, preflop to river (-1 to 3 in the thesis)."""
DEEDS = 2
"""Number of actions distinguished for the last player: check or call, bet or raise."""
POSITIONS = 3
EARLY, MIDDLE, LATE = 0, 1, 2
FOLDING, CALLING, RAISING = 0, 1, 2
LOST, WON, EVEN, UNKNOWN = 0, 1, 2, 3
NOBODY = -1
CALL_AT_FIRST, RAISE_AT_FIRST = 0.7, 0.3
"""Probabilities of the random strategy, used where nothing has been learned (§4.1.1).

It never folds, since a fold teaches nothing.
"""

TRACK = record(
    [
        ("street", "i8"),
        ("live", "i8"),
        ("actor", "i8"),  # last seat that acted on this street, not counting folds
        ("raised", "i8"),  # whether that action was a bet or raise
        ("pot", "i8"),
        ("highest", "i8"),
        ("bet", "i8", SEATS),
        ("chips", "i8", SEATS),  # remaining stack of each seat
        ("acted", "i8", SEATS),  # last street on which each seat acted, -1 for none
    ]
)
STEP_OF = record([("state", "i8"), ("seat", "i8"), ("street", "i8"), ("action", "i8")])
"""One of our decisions in a finished hand."""


@kernel
def begin(track, rules, chips):
    """Reset the track to a hand's first decision; `chips` are the stacks before antes and blinds."""
    track.street = track.raised = track.pot = track.highest = 0
    track.actor = NOBODY
    track.live = (1 << rules.seats) - 1
    for seat in range(rules.seats):
        ante = min(rules.ante[seat], chips[seat])
        blind = min(rules.blind[seat], chips[seat] - ante)
        track.bet[seat] = blind
        track.chips[seat] = chips[seat] - ante - blind
        track.pot += ante + blind + rules.dead[seat]
        track.highest = max(track.highest, blind)
        track.acted[seat] = -1
    if rules.full_blinds:
        track.highest = max(track.highest, rules.big_blind)


@kernel
def reach(track, rules, street):
    """Advance the track to a street, resetting its bets and last actor if the street is new."""
    if track.street != street:
        track.street = street
        track.actor = NOBODY
        track.raised = track.highest = 0
        for seat in range(rules.seats):
            track.bet[seat] = 0


@kernel
def follow(track, rules, seat, street, code):
    """Update the track by one action."""
    reach(track, rules, street)
    track.acted[seat] = street
    if code == FOLD:
        track.live &= ~(1 << seat)
        return
    total = track.highest if code == CALL else code
    paid = max(min(total - track.bet[seat], track.chips[seat]), 0)
    track.bet[seat] += paid
    track.chips[seat] -= paid
    track.pot += paid
    track.highest = max(track.highest, track.bet[seat])
    track.actor = seat
    track.raised = code != CALL


@kernel
def position_of(track, rules, seat):
    """Return the seat's position on this street among the players still in.

    EARLY is first to act, LATE last, MIDDLE anything between.
    """
    first = rules.first[track.street]
    own = (seat - first) % rules.seats
    before = after = 0
    for other in range(rules.seats):
        if other != seat and track.live >> other & 1:
            if (other - first) % rules.seats < own:
                before += 1
            else:
                after += 1
    return EARLY if before == 0 else LATE if after == 0 else MIDDLE


@kernel
def last_player(track, rules, seat):
    """Return the opponent that acted last on this street.

    If no player has acted, or we acted last, it is the nearest opponent before us that is still in the hand.
    """
    if track.actor not in (NOBODY, seat):
        return track.actor
    for step in range(1, rules.seats):
        other = (seat - step) % rules.seats
        if track.live >> other & 1:
            return other
    return (seat - 1) % rules.seats


@kernel
def number_of(bucket, acted, kind, raised, position, types):
    """Return the index of a state."""
    return (((bucket * STAGES + acted + 1) * types + kind) * DEEDS + raised) * POSITIONS + position


@kernel
def bucket_now(hole, board, street, opponents, lookup, keys, buckets, scratch):
    """Return the bucket of our cards on a street, cached in `keys` and `buckets` for the last cards seen."""
    cards = 0 if street == 0 else street + 2
    key = key_of(hole, board, cards, opponents)
    if keys[street] != key:
        seen = np.full(5, -1, np.int8)
        for place in range(cards):
            seen[place] = board[place]
        means = means_of(hole, seen, opponents, lookup.means, scratch[0], scratch[1], scratch[2][0])
        keys[street], buckets[street] = key, bucket_of(street, means, lookup.cuts)
    return buckets[street]


@kernel
def state_now(track, rules, seat, hole, board, players, counts, lookup, keys, buckets, scratch):
    """Return the state in which a seat acts now; players[seat] is the player's number, -1 if unknown."""
    opponents = max(count(track.live) - 1, 1)
    bucket = bucket_now(hole, board, track.street, opponents, lookup, keys, buckets, scratch)
    other = last_player(track, rules, seat)
    player = players[other]
    kind = type_of(counts[player], lookup.kinds) if 0 <= player < len(counts) else 0
    types = (len(lookup.kinds.loose) + 1) * (len(lookup.kinds.aggressive) + 1)
    raised = track.raised if track.actor == other else 0
    return number_of(bucket, track.acted[seat], kind, raised, position_of(track, rules, seat), types)


@kernel
def scratch_room():
    """Allocate scratch arrays for computing hand strength."""
    return np.empty((1, 5), np.int8), np.empty(1, np.int64), np.zeros(1, SCRATCH)


@kernel
def see_views(rules, rows, history, places, tables, players, lookup, memory, states):
    """Fill states[view] with the state of each view."""
    tracks, scratch = np.zeros(1, TRACK), scratch_room()
    for i in range(len(rows)):
        row, table, track = rows[i], tables[i], tracks[0]
        begin(track, rules[0], row.stack + row.paid)
        for k in range(row.actions):
            past = history[places[i], k]
            follow(track, rules[0], np.int64(past.seat), np.int64(past.street), np.int64(past.to))
        reach(track, rules[0], np.int64(row.street))
        states[i] = state_now(
            track,
            rules[0],
            np.int64(row.seat),
            row.hole,
            row.board,
            players[i],
            memory.counts[table],
            lookup,
            memory.keys[table],
            memory.buckets[table],
            scratch,
        )


@kernel
def size_raises(rows, sizes, codes):
    """Fill codes[view] with the actions the weights refer to: fold, call and each raise size.

    Sizes are in pots; 0 is the minimum raise and inf all-in. Totals need not be legal yet.
    """
    for i in range(len(rows)):
        row = rows[i]
        codes[i, FOLDING], codes[i, CALLING] = FOLD, CALL
        for place in range(len(sizes)):
            if sizes[place] == np.inf:
                total = row.max_raise_to
            else:
                total = row.highest + np.int64(sizes[place] * (row.pot + row.to_call))
            codes[i, RAISING + place] = max(total, 1)


@kernel
def draw_actions(key, rows, weights, sizes, out):
    """Fill out[view] with an action sampled from the legalised weights, exactly as a policy is sampled."""
    codes, uniforms = np.empty(weights.shape, np.int64), np.empty((len(rows), 1))
    size_raises(rows, sizes, codes)
    legalise(rows, weights, codes)
    fill_uniforms_of_views(key, rows, uniforms)
    draw(weights, codes, uniforms[:, 0].copy(), out)


@kernel
def nearest_size(track, seat, code, sizes):
    """Return the index of the raise size, in pots, nearest to a raise; ties go to the smaller.

    An all-in raise is the last size if that is inf.
    """
    last = len(sizes) - 1
    if sizes[last] == np.inf and code >= track.bet[seat] + track.chips[seat]:
        return last
    owed = track.highest - track.bet[seat]
    size = (code - track.highest) / max(track.pot + owed, 1)
    best = 0
    for place in range(1, len(sizes)):
        if abs(sizes[place] - size) < abs(sizes[best] - size):
            best = place
    return best


@kernel
def retrace(rules, hand, history, mine, lineup, table, lookup, memory, sizes, track, scratch, trail):
    """Write our decisions in a finished hand to `trail`, in order, and return how many there are."""
    begin(track, rules, hand.stack + hand.paid)
    found = 0
    for k in range(hand.actions):
        seat, street = np.int64(history[k].seat), np.int64(history[k].street)
        code = np.int64(history[k].to)
        if mine[seat]:
            reach(track, rules, street)
            step = trail[found]
            found += 1
            step.state = state_now(
                track,
                rules,
                seat,
                hand.hole[seat],
                hand.board,
                lineup,
                memory.counts[table],
                lookup,
                memory.keys[table],
                memory.buckets[table],
                scratch,
            )
            step.seat, step.street = seat, street
            step.action = min(code, 0) + CALLING
            if code > CALL:
                step.action = RAISING + nearest_size(track, seat, code, sizes)
        follow(track, rules, seat, street, code)
    return found


@kernel
def note_others(rules, hand, history, mine, lineup, counts, track):
    """Count the other players' actions in this hand, from which their types are derived."""
    begin(track, rules, hand.stack + hand.paid)
    played = 0
    for seat in range(rules.seats):
        if not mine[seat]:
            counts[lineup[seat], SEEN] += 1
    for k in range(hand.actions):
        seat, street = np.int64(history[k].seat), np.int64(history[k].street)
        code = np.int64(history[k].to)
        reach(track, rules, street)
        if not mine[seat]:
            owes = track.bet[seat] < track.highest
            played = note_action(counts[lineup[seat]], played, seat, street, code, owes)
        follow(track, rules, seat, street, code)


@kernel
def outcome_of(rules, hand, seat):
    """Return the outcome of a hand for a seat: WON, LOST, EVEN or UNKNOWN.

    If the seat folded, it is the outcome it would have had against the cards shown, or UNKNOWN if none were
    shown, since nothing can be learned then.
    """
    if hand.live >> seat & 1:
        return WON if hand.net[seat] > 0 else LOST if hand.net[seat] < 0 else EVEN
    if not hand.shown:
        return UNKNOWN
    own = np.int64(strength_with(hand.board, total_of(hand.board), hand.hole[seat]))
    best = 0
    for other in range(rules.seats):
        if hand.live >> other & 1:
            best = max(best, np.int64(hand.strength[other]))
    return WON if own > best else LOST if own < best else EVEN


@kernel
def first_weight(key, match, state, action):
    """Return a random number in [0, 1) for the initial weight of an action in a state of a match."""
    a, b, _, _ = philox(key, np.uint64(state), np.uint64(action), np.uint64(match), np.uint64(0))
    return uniform(a, b)
