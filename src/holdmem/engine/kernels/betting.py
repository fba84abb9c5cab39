"""Betting rules for one hand and one decision at a time. Kernels trust their input; `Batch` checks it."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.showdown import settle
from holdmem.engine.state import CALL, FOLD, MAX_ACTIONS, NOBODY, STREETS


@kernel
def count(seats):
    """Number of seats in the set."""
    number = 0
    while seats:
        seats &= seats - 1
        number += 1
    return number


@kernel
def with_chips(hand, seats):
    """Subset of these seats that is not all-in."""
    found, seat = 0, 0
    while seats >> seat:
        if (seats >> seat) & 1 and hand.stack[seat] > 0:
            found |= 1 << seat
        seat += 1
    return found


@kernel
def next_pending(rules, hand, seat):
    """First seat clockwise from `seat` (inclusive) that still has to act."""
    while not (hand.pending >> seat) & 1:
        seat = seat + 1 if seat + 1 < rules.seats else 0
    return seat


@kernel
def pay(hand, seat, chips):
    """Move chips from a seat's stack to its bet."""
    hand.stack[seat] -= chips
    hand.bet[seat] += chips
    hand.paid[seat] += chips


@kernel
def deal(rules, stacks, deck, hand):
    """Deal a new hand: two cards of the deck to each seat in turn, the next five to the board; post blinds.

    Antes are paid before the blinds and do not count as bets; dead chips move from the stack to the main pot.
    """
    seats = rules.seats
    for seat in range(len(hand.stack)):
        seated = seat < seats
        hand.stack[seat] = stacks[seat] if seated else 0
        hand.hole[seat, 0] = deck[2 * seat] if seated else -1
        hand.hole[seat, 1] = deck[2 * seat + 1] if seated else -1
        hand.bet[seat] = hand.paid[seat] = hand.net[seat] = 0
        hand.strength[seat] = 0
    for place in range(5):
        hand.board[place] = deck[2 * seats + place]
    hand.live = (1 << seats) - 1
    hand.actions = 0
    hand.shown = 0
    hand.highest = 0
    for seat in range(seats):
        hand.stack[seat] -= rules.dead[seat]
        pay(hand, seat, min(rules.ante[seat], hand.stack[seat]))
        hand.bet[seat] = 0
        pay(hand, seat, min(rules.blind[seat], hand.stack[seat]))
        hand.highest = max(hand.highest, hand.bet[seat])
    if rules.full_blinds:
        hand.highest = max(hand.highest, rules.big_blind)
    open_street(rules, hand, 0)


@kernel
def largest_bet(rules, hand):
    """Largest bet on this street; less than `highest` if a short-posted blind must be called in full."""
    largest = hand.bet[0]
    for seat in range(1, rules.seats):
        largest = max(largest, hand.bet[seat])
    return largest


@kernel
def open_street(rules, hand, street):
    """Start betting on a street; if no seat can still bet, go straight to the showdown."""
    hand.street = street
    hand.street_actions = 0
    hand.raises = 0
    hand.last_raise = 0
    hand.raise_floor = hand.highest + rules.min_bet
    hand.pending = with_chips(hand, hand.live)
    if hand.pending & (hand.pending - 1):
        hand.to_act = next_pending(rules, hand, rules.first[street])
    elif hand.pending:  # a single seat has chips: it acts only if it faces a bet
        seat = next_pending(rules, hand, 0)
        if hand.bet[seat] < largest_bet(rules, hand):
            hand.to_act = seat
        else:
            finish(rules, hand)
    else:
        finish(rules, hand)


@kernel
def to_call(hand, seat):
    """Number of chips that a call costs; the whole stack if that is less."""
    return min(hand.highest - hand.bet[seat], hand.stack[seat])


@kernel
def may_raise(rules, hand, seat):
    """Whether a seat may raise.

    It needs chips beyond a call and an opponent with chips left to respond, and neither the cap on raises,
    nor the limit on actions per street, nor the reopening rule may forbid it.
    """
    owed = hand.highest - hand.bet[seat]
    return (
        hand.stack[seat] > owed
        and hand.raises < rules.max_raises[hand.street]
        and hand.street_actions + rules.seats <= MAX_ACTIONS
        and with_chips(hand, hand.live & ~(1 << seat)) != 0
        and (rules.any_raise_reopens or owed >= hand.last_raise)
    )


@kernel
def least_raise(rules, hand, seat):
    """Smallest total on this street that a raise may make; all-in if the stack is shorter."""
    all_in = hand.bet[seat] + hand.stack[seat]
    full = hand.highest + rules.raise_size[hand.street] if rules.limit else hand.raise_floor
    return min(full, all_in)


@kernel
def most_raise(rules, hand, seat):
    """Largest total on this street that a raise may make: all-in in no-limit, the fixed size in limit."""
    if rules.limit:
        return least_raise(rules, hand, seat)
    return hand.bet[seat] + hand.stack[seat]


@kernel
def is_legal(rules, hand, action):
    """Whether the seat to act may do this. As in the ACPC, folding when checking is free is illegal."""
    seat = hand.to_act
    if action == FOLD:
        return hand.bet[seat] < hand.highest
    if action == CALL:
        return True
    if action < 0 or not may_raise(rules, hand, seat):
        return False
    return least_raise(rules, hand, seat) <= action <= most_raise(rules, hand, seat)


@kernel
def raise_to(rules, hand, total):
    """Raise the bet of the seat to act on this street to `total`; all others with chips must respond."""
    seat = hand.to_act
    size = total - hand.highest
    full = rules.raise_size[hand.street] if rules.limit else hand.raise_floor - hand.highest
    pay(hand, seat, total - hand.bet[seat])
    hand.last_raise = max(hand.last_raise, size)
    if rules.short_completes:
        hand.raise_floor = max(hand.raise_floor, total + size)
    else:
        hand.raise_floor = total + max(hand.last_raise, rules.min_bet)
    hand.highest = total
    if size >= full or rules.short_counts:
        hand.raises += 1
    hand.pending = with_chips(hand, hand.live & ~(1 << seat))


@kernel
def act(rules, hand, action, history):
    """Apply and record an action of the seat to act; advance to the next decision or end the hand."""
    seat = hand.to_act
    entry = history[hand.actions]
    entry.to = action
    entry.seat = seat
    entry.street = hand.street
    hand.actions += 1
    hand.street_actions += 1
    hand.pending &= ~(1 << seat)
    if action == FOLD:
        hand.live &= ~(1 << seat)
    elif action == CALL:
        pay(hand, seat, to_call(hand, seat))
    else:
        raise_to(rules, hand, action)
    move_on(rules, hand)


@kernel
def move_on(rules, hand):
    """Find the next seat to act, on this street or the next, or end the hand."""
    if not hand.live & (hand.live - 1):
        finish(rules, hand)
    elif hand.pending:
        hand.to_act = next_pending(rules, hand, hand.to_act)
    elif hand.street + 1 == STREETS or count(with_chips(hand, hand.live)) <= 1:
        finish(rules, hand)
    else:
        for seat in range(rules.seats):
            hand.bet[seat] = 0
        hand.highest = 0
        open_street(rules, hand, hand.street + 1)


@kernel
def finish(rules, hand):
    """End the hand: no seat to act, showdown if several seats are live, results for all seats."""
    hand.to_act = NOBODY
    hand.pending = 0
    hand.shown = (hand.live & (hand.live - 1)) != 0
    settle(rules, hand)
