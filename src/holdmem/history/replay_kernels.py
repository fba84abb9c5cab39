"""A recorded hand played again by the engine, with what every seat saw when it acted."""

import numpy as np

from holdmem.compiled import kernel
from holdmem.rules.betting import act, deal, is_legal
from holdmem.rules.state import FOLD, SEATS
from holdmem.table.kernels import look_at_chips, seen_cards

FINE, DOUBLE_CARD, NOT_LEGAL, AFTER_THE_END, UNFINISHED, SHORT_BOARD, TOO_SHORT = range(7)
"""What can be wrong with a recorded hand."""


@kernel
def complete_deck(row, seats, deck):
    """The deck that deals this hand: the cards that are known, and any others for the rest.

    False if a card is there twice.
    """
    used, place = np.int64(0), 0
    for seat in range(seats):
        for card in row.hole[seat]:
            deck[place] = card
            place += 1
    for card in row.board:
        deck[place] = card
        place += 1
    for card in deck[:place]:
        if card >= 0:
            if (used >> np.int64(card)) & 1:
                return False
            used |= np.int64(1) << np.int64(card)
    spare = 0
    for k in range(place):
        if deck[k] < 0:
            while (used >> spare) & 1:
                spare += 1
            deck[k] = spare
            spare += 1
    return True


@kernel
def posts_fit(rules, row):
    """Whether every seat has chips, and more than it owes as dead chips."""
    fits = True
    for seat in range(rules.seats):
        fits &= row.stack[seat] > rules.dead[seat]
    return fits


@kernel
def allowed(rules, hand, action):
    """Whether a person could do this: what is legal, or a fold where a check was free."""
    return action == FOLD or is_legal(rules, hand, action)


@kernel
def next_problem(rules, hand, action):
    """What stands against this as the next action of the hand."""
    if hand.to_act < 0:
        return AFTER_THE_END
    return FINE if allowed(rules, hand, action) else NOT_LEGAL


@kernel
def last_problem(row, hand):
    """What is wrong with a hand whose actions have all been done."""
    if hand.to_act >= 0:
        return UNFINISHED
    dealt = 5 if hand.shown else seen_cards(hand.street)
    for place in range(dealt):
        if row.board[place] < 0:
            return SHORT_BOARD
    return FINE


@kernel
def play_again(rules, row, betting, deck, hand, history):
    """The whole hand; the problem that stopped it and after how many actions."""
    if not posts_fit(rules, row):
        return TOO_SHORT, 0
    if not complete_deck(row, rules.seats, deck):
        return DOUBLE_CARD, 0
    deal(rules, row.stack, deck, hand)
    for k in range(row.actions):
        problem = next_problem(rules, hand, betting[row.start + k])
        if problem != FINE:
            return problem, k
        act(rules, hand, betting[row.start + k], history)
    return last_problem(row, hand), np.int64(row.actions)


@kernel
def certain(rules, row, hand):
    """Whether the result follows from what is known: nobody was left to contest it, or all showed."""
    if not hand.shown:
        return True
    if row.second[0] >= 0:  # run twice: half of each pot went by the other board
        return False
    for seat in range(rules.seats):
        if (hand.live >> seat) & 1 and (row.hole[seat, 0] < 0 or row.hole[seat, 1] < 0):
            return False
    return True


@kernel
def settle_all(rules, rows, betting, places, deck, hand, history, problems, at, net, settled, shown):
    """For the hands at these places: what is wrong and where, the result by our rules, and if it is certain.

    `shown` has the seats that reached the showdown, as bits.
    """
    for place in places:
        row = rows[place]
        problem, done = play_again(rules[0], row, betting, deck, hand[0], history)
        problems[place], at[place] = problem, done
        settled[place] = problem == FINE and certain(rules[0], row, hand[0])
        shown[place] = hand[0].live if problem == FINE and hand[0].shown else 0
        for seat in range(SEATS):
            net[place, seat] = hand[0].net[seat] if settled[place] else 0


@kernel
def play_all(rules, rows, betting, places, deck, hands, history):
    """The hands at these places as they are when they are over, which must be playable."""
    for k in range(len(places)):
        play_again(rules[0], rows[places[k]], betting, deck, hands[k], history[k])


@kernel
def look_back(rules, rows, betting, places, deck, hand, history, views, codes, hands):
    """The view of every decision of these hands, which must be in order, what was done and in which hand."""
    count = 0
    for k in range(len(places)):
        row = rows[places[k]]
        complete_deck(row, rules[0].seats, deck)
        deal(rules[0], row.stack, deck, hand[0])
        for done in range(row.actions):
            code = betting[row.start + done]
            look_from(rules[0], row, hand[0], views[count])
            views[count].spot.hand = places[k]
            codes[count], hands[count] = code, places[k]
            count += 1
            act(rules[0], hand[0], code, history[k])


@kernel
def look_from(rules, row, hand, view):
    """What the seat to act saw; its own cards as far as they are known."""
    look_at_chips(rules, hand, view)
    view.spot.match = view.spot.table = 0
    view.seat = hand.to_act
    view.street = hand.street
    view.hole[0] = row.hole[hand.to_act, 0]
    view.hole[1] = row.hole[hand.to_act, 1]
    seen = seen_cards(hand.street)
    for place in range(5):
        view.board[place] = row.board[place] if place < seen else -1
