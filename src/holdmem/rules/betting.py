"""The betting, one hand and one decision at a time. Kernels trust their input; `Batch` checks it."""

from holdmem.compiled import kernel
from holdmem.rules.showdown import settle
from holdmem.rules.state import CALL, FOLD, MAX_ACTIONS, NOBODY, STREETS


@kernel
def count(seats):
    """How many seats are in the set."""
    number = 0
    while seats:
        seats &= seats - 1
        number += 1
    return number


@kernel
def with_chips(hand, seats):
    """The seats among these that are not all-in."""
    found, seat = 0, 0
    while seats >> seat:
        if (seats >> seat) & 1 and hand.stack[seat] > 0:
            found |= 1 << seat
        seat += 1
    return found


@kernel
def next_pending(rules, hand, seat):
    """The first seat from `seat` on, clockwise, that still has to act."""
    while not (hand.pending >> seat) & 1:
        seat = seat + 1 if seat + 1 < rules.seats else 0
    return seat


@kernel
def pay(hand, seat, chips):
    """Move chips from the stack to the bet."""
    hand.stack[seat] -= chips
    hand.bet[seat] += chips
    hand.paid[seat] += chips


@kernel
def deal(rules, stacks, deck, hand):
    """A new hand: two cards of the deck to each seat in turn, the next five for the board, blinds posted.

    Antes are paid before blinds and are no bets; dead chips leave the stack for the main pot.
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
    """On this street; less than `highest` where a blind is to be called in full that was posted short."""
    largest = hand.bet[0]
    for seat in range(1, rules.seats):
        largest = max(largest, hand.bet[seat])
    return largest


@kernel
def open_street(rules, hand, street):
    """Betting begins; if nobody could still bet, the hand goes straight to the showdown."""
    hand.street = street
    hand.street_actions = 0
    hand.raises = 0
    hand.last_raise = 0
    hand.raise_floor = hand.highest + rules.min_bet
    hand.pending = with_chips(hand, hand.live)
    if hand.pending & (hand.pending - 1):
        hand.to_act = next_pending(rules, hand, rules.first[street])
    elif hand.pending:  # one seat has chips: it acts only if it owes some
        seat = next_pending(rules, hand, 0)
        if hand.bet[seat] < largest_bet(rules, hand):
            hand.to_act = seat
        else:
            finish(rules, hand)
    else:
        finish(rules, hand)


@kernel
def to_call(hand, seat):
    """Chips that a call costs, all-in if that is less."""
    return min(hand.highest - hand.bet[seat], hand.stack[seat])


@kernel
def may_raise(rules, hand, seat):
    """Whether it has chips beyond a call, somebody could answer, and neither cap nor reopening forbids."""
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
    """The smallest total of this street that a raise may make, all-in if the stack is shorter."""
    all_in = hand.bet[seat] + hand.stack[seat]
    full = hand.highest + rules.raise_size[hand.street] if rules.limit else hand.raise_floor
    return min(full, all_in)


@kernel
def most_raise(rules, hand, seat):
    """The largest: all-in in no-limit, the fixed size in limit."""
    if rules.limit:
        return least_raise(rules, hand, seat)
    return hand.bet[seat] + hand.stack[seat]


@kernel
def is_legal(rules, hand, action):
    """Whether the seat to act may do this. Folding where a check is free is not legal, as in the ACPC."""
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
    """The seat to act brings its bet on this street up to `total`; all others with chips must answer."""
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
    """The seat to act does this; the hand moves on to the next decision or to its end."""
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
    """Nobody acts any more: showdown if several seats are left, and everybody's result."""
    hand.to_act = NOBODY
    hand.pending = 0
    hand.shown = (hand.live & (hand.live - 1)) != 0
    settle(rules, hand)
