"""Replay recorded hands with the engine, including what every seat saw when it acted.

`play_again` is the only way from a row to the engine. It checks every number of the row before using it, so
that no row can cause an out-of-bounds access.
"""

import numpy as np

from holdmem.agent.kernels.views import look_at_chips, seen_cards
from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal, is_legal
from holdmem.engine.state import FOLD, PARTS, SEATS, UNLIMITED

FINE, DOUBLE_CARD, NOT_LEGAL, AFTER_THE_END, UNFINISHED, SHORT_BOARD, TOO_SHORT = range(7)
NO_GAME, NO_CARD, NO_PLAYER, NO_BETTING, NO_TIME, NO_RAKE = range(7, 13)
"""Problems that a recorded hand can have."""

UNSCORED, AGREED, POSSIBLE, DIFFERENT, IMPOSSIBLE = range(5)
"""Verdicts on a recorded result.

UNSCORED: none is recorded. AGREED: equal to the engine's, apart from rake. POSSIBLE: the engine has none and
nothing contradicts the recorded one. DIFFERENT: the engine's result differs. IMPOSSIBLE: the recorded result
cannot occur and the engine has none.
"""

LATEST = 253_402_300_799
"""Last second of the year 9999; Python has no later dates."""

MOST_CHIPS = SEATS * UNLIMITED
"""Upper bound on the chips at a table."""


@kernel
def no_cards(row, seats):
    """Return whether a number is not a card or the board has a gap."""
    for seat in range(seats):
        for card in row.hole[seat]:
            if card < -1 or card > 51:
                return True
    ended = False
    for card in row.board:
        if card < -1 or card > 51 or (ended and card >= 0):
            return True
        ended = ended or card < 0
    stray = False
    for card in row.second:
        stray |= card < -1 or card > 51
    return stray


@kernel
def no_players(row, seats, players):
    """Return whether a seat has no valid index into the list of players."""
    missing = False
    for seat in range(seats):
        missing |= row.player[seat] < 0 or row.player[seat] >= players
    return missing


@kernel
def unfit(rules, row, betting, players):
    """Return the problem that prevents the engine from using this row, or FINE."""
    if row.start < 0 or row.actions < 0 or row.start > len(betting) - row.actions:
        return NO_BETTING
    if no_players(row, rules.seats, players):
        return NO_PLAYER
    if row.time < -1 or row.time > LATEST:
        return NO_TIME
    if row.rake < 0 or row.rake > MOST_CHIPS:
        return NO_RAKE
    if no_cards(row, rules.seats):
        return NO_CARD
    return FINE if posts_fit(rules, row) else TOO_SHORT


@kernel
def complete_deck(row, seats, deck):
    """Fill the deck that deals this hand: the known cards, and arbitrary others for the rest.

    Returns False if a card occurs twice.
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
    """Return whether every stack exceeds the seat's dead chips and is at most UNLIMITED."""
    fits = True
    for seat in range(rules.seats):
        fits &= rules.dead[seat] < row.stack[seat] <= UNLIMITED
    return fits


@kernel
def allowed(rules, hand, action):
    """Return whether a person could take this action: a legal one, or a fold where a check is free."""
    return action == FOLD or is_legal(rules, hand, action)


@kernel
def next_problem(rules, hand, action):
    """Return the problem with this as the next action of the hand, or FINE."""
    if hand.to_act < 0:
        return AFTER_THE_END
    return FINE if allowed(rules, hand, action) else NOT_LEGAL


@kernel
def last_problem(row, hand):
    """Return what is wrong with a hand after its last action, or FINE."""
    if hand.to_act >= 0:
        return UNFINISHED
    dealt = 5 if hand.shown else seen_cards(hand.street)
    for place in range(dealt):
        if row.board[place] < 0:
            return SHORT_BOARD
    return FINE


@kernel
def play_again(rules, row, betting, players, deck, hand, history):
    """Replay the whole hand; return the problem that stopped it, and the number of actions played."""
    problem = unfit(rules, row, betting, players)
    if problem != FINE:
        return problem, 0
    if not complete_deck(row, rules.seats, deck):
        return DOUBLE_CARD, 0
    deal(rules, row.stack, deck, hand)
    for k in range(row.actions):
        problem = next_problem(rules, hand, betting[row.start + k])
        if k >= len(history):  # longer than the longest hand of the game
            problem = AFTER_THE_END
        if problem != FINE:
            return problem, k
        act(rules, hand, betting[row.start + k], history)
    return last_problem(row, hand), np.int64(row.actions)


@kernel
def certain(rules, row, hand):
    """Return whether the result follows from what is known: no showdown, or all showed on one board."""
    if not hand.shown:
        return True
    if row.second[0] >= 0:  # run twice: half of each pot was decided by the second board
        return False
    for seat in range(rules.seats):
        if (hand.live >> seat) & 1 and (row.hole[seat, 0] < 0 or row.hole[seat, 1] < 0):
            return False
    return True


@kernel
def most_lost(rules, hand, seat):
    """Most chips a seat can lose: what it paid, less any uncalled bet, plus its dead chips."""
    most = 0
    for other in range(rules.seats):
        if other != seat or not (hand.live >> seat) & 1:
            most = max(most, hand.paid[other])
    return min(hand.paid[seat], most) + rules.dead[seat]


@kernel
def is_possible(rules, row, hand):
    """Return whether the recorded results can occur: no seat loses more than it paid, and no chips appear.

    A seat that folded must lose all that it paid. The total may be negative, by the rake.
    """
    total, pot = 0, 0
    for seat in range(rules.seats):
        net, lost = row.net[seat], PARTS * most_lost(rules, hand, seat)
        if net < -lost or net > PARTS * MOST_CHIPS:
            return False
        if not (hand.live >> seat) & 1 and net != -lost:
            return False
        total += net
        pot += lost
    return -pot < total <= 0 or total == pot == 0  # at least one player gets part of the pot


@kernel
def is_raked(rules, row, hand):
    """Return whether the results equal the engine's less the rake, with no seat above the engine's result."""
    less = 0
    for seat in range(rules.seats):
        if row.net[seat] > hand.net[seat]:
            return False
        less += hand.net[seat] - row.net[seat]
    return less == row.rake * PARTS


@kernel
def verdict(rules, row, hand, settled):
    """Compare the recorded result with the replay; `settled`: the rules alone determine the result."""
    if not row.scored:
        return UNSCORED
    possible = is_possible(rules, row, hand)
    if settled:
        return AGREED if possible and is_raked(rules, row, hand) else DIFFERENT
    return POSSIBLE if possible else IMPOSSIBLE


@kernel
def settle_all(
    rules, rows, betting, players, places, deck, hand, history, problems, at, net, settled, shown, verdicts
):
    """Replay the hands at these indices: problem and where, result by the rules, and whether it is certain.

    `shown` receives the seats at showdown as a bit mask; `verdicts` receives the verdicts on recorded
    results.
    """
    for place in places:
        row = rows[place]
        problem, done = play_again(rules[0], row, betting, players, deck, hand[0], history)
        problems[place], at[place] = problem, done
        settled[place] = problem == FINE and certain(rules[0], row, hand[0])
        shown[place] = hand[0].live if problem == FINE and hand[0].shown else 0
        verdicts[place] = verdict(rules[0], row, hand[0], settled[place]) if problem == FINE else UNSCORED
        for seat in range(SEATS):
            net[place, seat] = hand[0].net[seat] if settled[place] else 0


@kernel
def play_all(rules, rows, betting, players, places, deck, hands, history):
    """Replay the hands at these indices, which must be playable, to their final states."""
    for k in range(len(places)):
        play_again(rules[0], rows[places[k]], betting, players, deck, hands[k], history[k])


@kernel
def look_back(rules, rows, betting, places, deck, hand, history, views, codes, hands):
    """Write the view of every decision of these hands, its action and the index of its hand, in order."""
    count = 0
    for k in range(len(places)):
        row = rows[places[k]]
        complete_deck(row, rules[0].seats, deck)
        deal(rules[0], row.stack, deck, hand[0])
        for done in range(row.actions):
            code = betting[row.start + done]
            look_from(rules[0], row, hand[0], views[count])
            views[count].hand_id.hand = places[k]
            codes[count], hands[count] = code, places[k]
            count += 1
            act(rules[0], hand[0], code, history[k])


@kernel
def look_from(rules, row, hand, view):
    """Fill the view of the seat to act, with its own hole cards as far as they are known."""
    look_at_chips(rules, hand, view)
    view.hand_id.match = view.hand_id.table = 0
    view.seat = hand.to_act
    view.street = hand.street
    view.hole[0] = row.hole[hand.to_act, 0]
    view.hole[1] = row.hole[hand.to_act, 1]
    seen = seen_cards(hand.street)
    for place in range(5):
        view.board[place] = row.board[place] if place < seen else -1
