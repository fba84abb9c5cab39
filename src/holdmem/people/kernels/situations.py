"""Kernels: the public features of decisions as small integers, and the classes of actions."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.state import CALL, FOLD, NOBODY

FEATURES = (
    "seats",  # players dealt in
    "position",  # code of `history.stats.positions`: blinds, then from early to late
    "opponents",  # live opponents
    "behind",  # opponents that still have to act on this street
    "in_position",  # number of live opponents that act after this seat after the flop
    "bets",  # bets and raises on this street
    "callers",  # calls since the last of them; limpers before the flop
    "faced",  # before the flop the bet faced in big blinds, after it the call as a share of the pot before it
    "odds",  # chips to call as a share of the pot after calling
    "aggressor",  # position of who bet last on this street, one more than its code
    "aggressor_after",  # whether the last to bet acts after this seat after the flop
    "aggressor_all_in",
    "own_last",  # own last action on this street: none, check, call, bet or raise
    "own_preflop",  # own role before the flop: none or check, limp, call, raise, re-raise, 4-bet or more
    "previous_aggressor",  # who bet last on the street before: nobody, somebody out, another, this seat
    "previous_bets",  # bets and raises on the street before
    "own_previous",  # own last action on the street before
    "barrels",  # streets after the flop on which who leads now has bet
    "own_barrels",  # streets after the flop on which this seat has bet
    "pot_type",  # raises before the flop
    "depth",  # effective stack at the start in big blinds
    "own_depth",  # own stack at the start in big blinds
    "commitment",  # effective stack left over the pot
    "largest",  # largest class of raise that the stack allows
    "pot",  # pot in big blinds
    "suits",  # most cards of one suit on the board
    "paired",  # cards of the board that repeat a rank
    "connected",  # most ranks of the board within a straight
    "high",  # highest card of the board
    "last_card",  # what the last card did: nothing, overcard, pair, third or fourth of a suit
    "first_in",  # before the flop: nobody has entered the pot
    "bb_faces",  # whether the big blind is live and still to act
    "street",
)
"""Names of the features, in the order of the columns."""

COUNT = len(FEATURES)
VALUES = 16
"""All features are below this."""

CLASSES = 8
"""Classes of actions: fold; check or call; six sizes of a raise."""
FOLDS, CALLS, RAISES = 0, 1, 2

PREFLOP_CUTS = np.array([2.34, 2.68, 3.02, 3.36, 3.70])
POSTFLOP_CUTS = np.array([0.2, 0.4, 0.6, 0.8, 1.0])

FACED_PREFLOP = np.array([1.01, 2.01, 2.4, 2.8, 3.2, 3.6, 4.1, 5.1, 7.1, 10.1, 14.1, 20.1, 35.0])
FACED = np.array([0.001, 0.22, 0.38, 0.52, 0.64, 0.72, 0.82, 0.95, 1.05, 1.5, 3.0])
ODDS = np.array([0.001, 0.08, 0.14, 0.18, 0.22, 0.26, 0.30, 0.34, 0.38, 0.42, 0.46, 0.5])
DEPTHS = np.array([8.0, 14.0, 18.0, 22.0, 27.0, 35.0, 45.0, 60.0, 80.0, 95.0, 105.0, 125.0, 160.0, 220.0])
COMMITMENTS = np.array([0.15, 0.35, 0.6, 0.9, 1.3, 1.8, 2.5, 3.5, 5.0, 7.0, 10.0, 15.0, 25.0])
POTS = np.array([2.0, 3.5, 5.0, 6.8, 7.8, 9.0, 12.0, 16.0, 22.0, 30.0, 45.0, 70.0, 110.0])

STORY = record(
    [
        ("street", "i8"),
        ("bets", "i8"),
        ("callers", "i8"),
        ("aggressor", "i8"),
        ("acted", "i8"),
        ("own", "i8"),
        ("last_bets", "i8"),
        ("last_aggressor", "i8"),
        ("last_own", "i8"),
        ("role", "i8"),
        ("pot_type", "i8"),
        ("barrels", "i8", 10),
    ]
)
"""What has happened so far in a hand, as one seat remembers it."""

NOTHING, CHECKED, CALLED, RAISED = range(4)


@kernel
def bin_of(value, cuts):
    """Number of cuts at or below the value."""
    found = 0
    while found < len(cuts) and value >= cuts[found]:
        found += 1
    return found


@kernel
def class_of_action(row, action):
    """Class of an action at a view: fold, check or call, or the size of a raise."""
    if action == FOLD:
        return FOLDS
    if action == CALL:
        return CALLS
    return RAISES + size_class(row, action)


@kernel
def raise_size(row, total):
    """Size of a raise: before the flop raise-to over the bet faced, after it as a share of the pot.

    The pot counts the call that the raise includes.
    """
    if row.street == 0:
        return total / max(row.highest, 1)
    return (total - row.highest) / max(row.pot + row.to_call, 1)


@kernel
def size_class(row, total):
    """Class of the size of a raise, 0 to 5."""
    return bin_of(raise_size(row, total), PREFLOP_CUTS if row.street == 0 else POSTFLOP_CUTS)


@kernel
def classes_of_actions(rows, actions, out, sizes):
    """Write the class of each action, and the size of each raise."""
    for i in range(len(rows)):
        out[i] = class_of_action(rows[i], actions[i])
        sizes[i] = raise_size(rows[i], actions[i]) if actions[i] > 0 else 0.0


@kernel
def begin(story):
    """Nothing has happened yet."""
    story.street = story.bets = story.callers = story.acted = story.own = 0
    story.last_bets = story.last_own = story.role = story.pot_type = 0
    story.aggressor = story.last_aggressor = NOBODY
    story.barrels[:] = 0


@kernel
def next_street(story, street):
    """Move on to the next street."""
    if story.street == 0:
        story.pot_type = story.bets
    elif story.aggressor != NOBODY:
        story.barrels[story.aggressor] += 1
    story.last_bets, story.last_aggressor, story.last_own = story.bets, story.aggressor, story.own
    story.street = street
    story.bets = story.callers = story.acted = story.own = 0
    story.aggressor = NOBODY


@kernel
def remember(story, seat, own_seat, to):
    """Add an action of a seat to the story that `own_seat` remembers."""
    if to > 0:
        story.bets += 1
        story.callers = 0
        story.aggressor = seat
        story.acted = 0
    elif to == CALL and (story.bets > 0 or story.street == 0):
        story.callers += 1
    story.acted |= 1 << seat
    if seat == own_seat and to != FOLD:
        called = CALLED if story.bets > 0 or story.street == 0 else CHECKED
        story.own = RAISED if to > 0 else called
        if story.street == 0:
            mine = min(2 + story.bets, 5) if to > 0 else min(1 + story.bets, 2)
            story.role = max(story.role, mine)


@kernel
def describe_all(rules, positions, rows, history, hands, out):
    """Write the features of every view; `hands` gives the row of `history` of each."""
    stories = np.zeros(1, STORY)
    for i in range(len(rows)):
        story, row = stories[0], rows[i]
        begin(story)
        for k in range(row.actions):
            past = history[hands[i], k]
            while story.street < past.street:
                next_street(story, story.street + 1)
            remember(story, np.int64(past.seat), np.int64(row.seat), past.to)
        while story.street < row.street:
            next_street(story, story.street + 1)
        describe_betting(rules[0], positions, row, story, out[i])
        describe_chips(rules[0], row, out[i])
        describe_board(row, out[i])


@kernel
def describe_betting(rules, positions, row, story, out):
    """Write the features of the players and of what they did."""
    seat, opponents, behind, after, blind = np.int64(row.seat), 0, 0, 0, 0
    for other in range(rules.seats):
        if other != seat and (row.live >> other) & 1:
            waits = row.stack[other] > 0 and not (story.acted >> other) & 1
            opponents += 1
            after += other > seat
            behind += waits
            blind |= waits and positions[other] == 1
    out[0] = rules.seats
    out[1] = positions[seat]
    out[2] = opponents
    out[3] = behind
    out[4] = after
    out[5] = min(story.bets, 5)
    out[6] = min(story.callers, 4)
    leads = story.aggressor
    out[9] = 0 if leads == NOBODY else 1 + positions[leads]
    out[10] = leads != NOBODY and leads > seat
    out[11] = leads != NOBODY and row.stack[leads] == 0
    out[12] = story.own
    out[13] = story.role
    before = story.last_aggressor
    out[14] = 0 if before == NOBODY else (3 if before == seat else (2 if (row.live >> before) & 1 else 1))
    out[15] = min(story.last_bets, 4)
    out[16] = story.last_own
    out[17] = story.barrels[leads] if leads != NOBODY else 0
    out[18] = story.barrels[seat]
    out[19] = min(story.pot_type if row.street else story.bets, 5)
    out[30] = row.street == 0 and story.bets == 0 and story.callers == 0
    out[31] = blind
    out[32] = row.street


@kernel
def describe_chips(rules, row, out):
    """Write the features of bets, pot and stacks."""
    seat, blind = np.int64(row.seat), max(rules.big_blind, 1)
    most = 0
    for other in range(rules.seats):
        if other != seat and (row.live >> other) & 1:
            most = max(most, row.stack[other] + row.paid[other])
    own = row.stack[seat] + row.paid[seat]
    effective = min(own, most)
    if row.street == 0:
        out[7] = bin_of(row.highest / blind, FACED_PREFLOP)
    else:
        out[7] = bin_of(row.to_call / max(row.pot - row.to_call, 1), FACED)
    out[8] = bin_of(row.to_call / max(row.pot + row.to_call, 1), ODDS)
    out[20] = bin_of(effective / blind, DEPTHS)
    out[21] = bin_of(own / blind, DEPTHS)
    out[22] = bin_of(max(effective - row.paid[seat], 0) / max(row.pot, 1), COMMITMENTS)
    out[23] = 1 + size_class(row, row.max_raise_to) if row.max_raise_to > 0 else 0
    out[24] = bin_of(row.pot / blind, POTS)


@kernel
def describe_board(row, out):
    """Write the features of the board."""
    out[25:30] = 0
    if row.street == 0:
        return
    suits, ranks = np.zeros(4, np.int64), np.zeros(13, np.int64)
    cards, before = row.street + 2, -1
    for place in range(cards):
        card = row.board[place]
        if place == cards - 1:
            for rank in range(13):
                if ranks[rank]:
                    before = rank
        suits[card & 3] += 1
        ranks[card >> 2] += 1
    last = row.board[cards - 1]
    paired = window = high = 0
    for rank in range(13):
        paired += max(ranks[rank] - 1, 0)
        if ranks[rank]:
            high = rank
    for low in range(-1, 9):
        inside = 0
        for rank in range(low, low + 5):
            inside += ranks[rank if rank >= 0 else 12] > 0
        window = max(window, inside)
    out[25] = suits.max()
    out[26] = min(paired, 3)
    out[27] = window
    out[28] = high
    if row.street > 1:
        over = last >> 2 > before
        out[29] = 3 if suits[last & 3] >= 3 else (2 if ranks[last >> 2] > 1 else (1 if over else 0))
