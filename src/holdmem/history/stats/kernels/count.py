"""Compiled kernels of `count`: replay each hand once and count what every seat could do and did.

Most statistics are two counters: how often a seat did it, and the counter after that, how often it could
have. `docs/statistics.md` gives the definitions.
"""

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.kernels.betting import act, deal, may_raise, to_call
from holdmem.engine.state import CALL, FOLD, NOBODY, PARTS, STREETS
from holdmem.history.kernels.replay import complete_deck, most_lost

COUNTERS = (
    "hands",
    "dealt",  # hands that were not walks
    "vpip",
    "pfr",
    *("three_bet", "three_bet_chances"),
    *("fold_to_three_bet", "fold_to_three_bet_chances"),
    *("four_bet", "four_bet_chances"),
    *("steal", "steal_chances"),
    *("fold_to_steal", "fold_to_steal_chances"),
    *("cbet_flop", "cbet_flop_chances"),
    *("cbet_turn", "cbet_turn_chances"),
    *("cbet_river", "cbet_river_chances"),
    *("fold_to_cbet_flop", "fold_to_cbet_flop_chances"),
    *("fold_to_cbet_turn", "fold_to_cbet_turn_chances"),
    *("fold_to_cbet_river", "fold_to_cbet_river_chances"),
    *("check_raise_flop", "check_raise_flop_chances"),
    *("check_raise_turn", "check_raise_turn_chances"),
    *("check_raise_river", "check_raise_river_chances"),
    *("aggressive_preflop", "aggressive_flop", "aggressive_turn", "aggressive_river"),  # bets and raises
    *("calls_preflop", "calls_flop", "calls_turn", "calls_river"),
    *("folds_preflop", "folds_flop", "folds_turn", "folds_river"),
    "flops",
    *("won_flops", "scored_flops"),  # scored: the result is known
    "showdowns",
    *("won_showdowns", "scored_showdowns"),
    "ahead_showdowns",  # won more than paid
    "unseen",  # hole cards unknown
    "unscored",  # result unknown
    "all_ins",  # showdowns with cards to come after the last action
    "adjusted",  # those with all cards and the result known
)

HANDS, DEALT, VPIP, PFR = range(4)
THREE_BET = COUNTERS.index("three_bet")
FOLD_TO_THREE_BET, FOUR_BET = COUNTERS.index("fold_to_three_bet"), COUNTERS.index("four_bet")
STEAL, FOLD_TO_STEAL = COUNTERS.index("steal"), COUNTERS.index("fold_to_steal")
CBET, FOLD_TO_CBET = COUNTERS.index("cbet_flop"), COUNTERS.index("fold_to_cbet_flop")
CHECK_RAISE, AGGRESSIVE = COUNTERS.index("check_raise_flop"), COUNTERS.index("aggressive_preflop")
CALLS, FOLDS = COUNTERS.index("calls_preflop"), COUNTERS.index("folds_preflop")
FLOPS, WON_FLOPS = COUNTERS.index("flops"), COUNTERS.index("won_flops")
SHOWDOWNS, WON_SHOWDOWNS = COUNTERS.index("showdowns"), COUNTERS.index("won_showdowns")
AHEAD, UNSEEN, UNSCORED = (COUNTERS.index(x) for x in ("ahead_showdowns", "unseen", "unscored"))
ALL_INS, ADJUSTED = COUNTERS.index("all_ins"), COUNTERS.index("adjusted")

SB, BB, CO, BTN = 0, 1, 9, 10
"""Codes of the positions that matter here; see `positions`."""

SHOWDOWN = 4
"""After the river, the last thing a seat can reach."""

STORY = record(
    [
        ("street", "i8"),
        ("bets", "i8"),  # bets and raises on this street; blinds are none
        ("aggressor", "i8"),  # seat that made the last of them
        ("opener", "i8"),  # seat that raised first before the flop
        ("stolen", "i8"),  # whether that raise was an attempt to steal
        ("entered", "i8"),  # seats that put chips in voluntarily before the flop
        ("acted", "i8"),  # seats that made any decision before the flop
        ("checked", "i8"),  # seats that checked on this street and have not acted since
        ("initiative", "i8"),  # seat whose bet on this street is a continuation bet
        ("cbettor", "i8"),  # seat that made one on this street
    ]
)


@kernel
def count_all(
    rules, positions, rows, betting, places, net, known, deck, spare, story, hands, counts, reached
):
    """Replay the hands at these indices, which must be playable, to their final states and count.

    `hands`, `net`, `known`, `counts` and `reached` have one entry per hand of the block; `deck`, `spare` (a
    row of actions) and `story` are scratch.
    """
    for place in places:
        row, hand = rows[place], hands[place]
        complete_deck(row, rules[0].seats, deck)
        deal(rules[0], row.stack, deck, hand)
        begin(story[0])
        for k in range(row.actions):
            if hand.street != story[0].street:
                next_street(rules[0], hand, story[0], reached[place])
            action = betting[row.start + k]
            count_action(rules[0], positions, hand, action, story[0], counts[place, hand.to_act])
            act(rules[0], hand, action, spare)
        count_end(rules[0], row, hand, story[0], net[place], known[place], counts[place], reached[place])


@kernel
def begin(story):
    """Nothing has happened yet."""
    story.street = story.bets = story.stolen = story.entered = story.acted = story.checked = 0
    story.aggressor = story.opener = story.initiative = story.cbettor = NOBODY


@kernel
def next_street(rules, hand, story, reached):
    """Move on to the street on which the next action takes place.

    The last raiser before the flop has the initiative on it. It passes to the next street only if that seat
    made a continuation bet and nobody raised it.
    """
    if story.street == 0:
        story.initiative = story.aggressor
    elif story.cbettor == NOBODY or story.aggressor != story.cbettor:
        story.initiative = NOBODY
    story.street = hand.street
    story.bets = story.checked = 0
    story.aggressor = story.cbettor = NOBODY
    for seat in range(rules.seats):
        if hand.live >> seat & 1:
            reached[seat] = hand.street


@kernel
def count_action(rules, positions, hand, action, story, counts):
    """Count one action and what else the seat could have done, then remember it."""
    seat, street = hand.to_act, story.street
    raises, pays = action > 0, action == CALL and to_call(hand, seat) > 0
    able = may_raise(rules, hand, seat)
    if raises:
        counts[AGGRESSIVE + street] += 1
    elif pays:
        counts[CALLS + street] += 1
    elif action == FOLD:
        counts[FOLDS + street] += 1
    if street == 0:
        count_preflop(positions, seat, action, able, story, counts)
        if raises or pays:
            counts[VPIP] = 1
            story.entered |= 1 << seat
        if raises:
            counts[PFR] = 1
        story.acted |= 1 << seat
    else:
        count_postflop(seat, action, able, story, counts)
        if action == CALL and not pays:
            story.checked |= 1 << seat
    if raises:
        story.bets += 1
        story.aggressor = seat


@kernel
def count_preflop(positions, seat, action, able, story, counts):
    """Count steals, 3-bets and 4-bets, and folds to the first two."""
    position = positions[seat]
    if story.bets == 0:
        stealing = able and story.entered == 0 and position in (CO, BTN, SB)
        if stealing:
            chance(counts, STEAL, action > 0)
        if action > 0:
            story.opener = seat
            story.stolen = stealing
    elif story.bets == 1:
        if able:
            chance(counts, THREE_BET, action > 0)
        if story.stolen and position in (SB, BB):
            chance(counts, FOLD_TO_STEAL, action == FOLD)
    elif story.bets == 2:
        if able:
            chance(counts, FOUR_BET, action > 0)
        if seat == story.opener:
            chance(counts, FOLD_TO_THREE_BET, action == FOLD)


@kernel
def count_postflop(seat, action, able, story, counts):
    """Count continuation bets, folds to them and check-raises on this street."""
    pair = 2 * (story.street - 1)
    if story.bets == 0 and seat == story.initiative and able:
        chance(counts, CBET + pair, action > 0)
        if action > 0:
            story.cbettor = seat
    elif story.bets == 1 and story.cbettor != NOBODY:
        chance(counts, FOLD_TO_CBET + pair, action == FOLD)
    if story.checked >> seat & 1:
        if able:
            chance(counts, CHECK_RAISE + pair, action > 0)
        story.checked &= ~(1 << seat)


@kernel
def chance(counts, what, taken):
    """Count an opportunity, and whether it was taken."""
    counts[what] += taken
    counts[what + 1] += 1


@kernel
def count_end(rules, row, hand, story, net, known, counts, reached):
    """Count how the hand ended for each seat: flops, showdowns, pots won."""
    for seat in range(rules.seats):
        mine, live = counts[seat], hand.live >> seat & 1
        if hand.shown and live:
            reached[seat] = SHOWDOWN
        walk = live and not hand.shown and hand.street == 0 and not story.acted >> seat & 1
        mine[HANDS] = 1
        mine[DEALT] = not walk
        mine[UNSEEN] = row.hole[seat, 0] < 0 or row.hole[seat, 1] < 0
        mine[UNSCORED] = not known
        won = known and live and net[seat] + PARTS * most_lost(rules, hand, seat) > 0
        if reached[seat] > 0:
            mine[FLOPS] = 1
            mine[WON_FLOPS] = won
            mine[WON_FLOPS + 1] = known
        if reached[seat] == SHOWDOWN:
            mine[SHOWDOWNS] = 1
            mine[WON_SHOWDOWNS] = won
            mine[WON_SHOWDOWNS + 1] = known
            mine[AHEAD] = known and net[seat] > 0
            mine[ALL_INS] = hand.street < STREETS - 1
