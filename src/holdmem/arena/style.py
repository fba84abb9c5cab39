"""Playing style in the statistics that poker players use."""

from dataclasses import dataclass

import numpy as np

from holdmem.compiled import kernel
from holdmem.rules.state import CALL, FOLD

COUNTS = (
    "hands",
    "voluntary",
    "raised_preflop",
    "aggressive",
    "calls",
    "flops",
    "showdowns",
    "won_showdowns",
)
HANDS, VOLUNTARY, RAISED, AGGRESSIVE, CALLS, FLOPS, SHOWDOWNS, WON = range(len(COUNTS))


@kernel
def count_style(hands, history, lineup, rules, counts):
    """Add what each player did in these hands to its row of counts."""
    bets = np.zeros(len(hands[0].stack), dtype=np.int64)
    for i in range(len(hands)):
        hand = hands[i]
        count_actions(hand, history[i], lineup[i], rules, bets, counts)
        for seat in range(rules.seats):
            row = counts[lineup[i, seat]]
            row[HANDS] += 1
            if hand.shown and (hand.live >> seat) & 1:
                row[SHOWDOWNS] += 1
                row[WON] += hand.net[seat] > 0


@kernel
def count_actions(hand, actions, lineup, rules, bets, counts):
    """Count bets and raises, calls (not checks) and voluntary money before the flop in one hand."""
    voluntary, raised = 0, 0
    gone = 0
    street, highest = 0, 0
    for seat in range(rules.seats):  # a short stack posts what it has
        chips = hand.stack[seat] + hand.paid[seat]
        bets[seat] = min(rules.blind[seat], chips - min(rules.ante[seat], chips))
        highest = max(highest, bets[seat])
    if rules.full_blinds:
        highest = max(highest, rules.big_blind)
    for k in range(hand.actions):
        action = actions[k]
        if action.street != street:
            if street == 0:
                count_flop(hand, gone, lineup, rules, counts)
            street, highest = action.street, 0
            bets[:] = 0
        row, bit = counts[lineup[action.seat]], 1 << np.int64(action.seat)
        if action.to == FOLD:
            gone |= bit
        elif action.to != CALL:
            row[AGGRESSIVE] += 1
            bets[action.seat] = highest = action.to
            if street == 0:
                row[RAISED] += not raised & bit
                row[VOLUNTARY] += not voluntary & bit
                raised |= bit
                voluntary |= bit
        elif bets[action.seat] < highest:
            row[CALLS] += 1
            bets[action.seat] = highest
            if street == 0:
                row[VOLUNTARY] += not voluntary & bit
                voluntary |= bit
    if street == 0 and hand.shown:  # all-in before the flop: the board is dealt nevertheless
        count_flop(hand, gone, lineup, rules, counts)


@kernel
def count_flop(hand, gone, lineup, rules, counts):
    """Count the flop as seen for every seat that has not folded."""
    for seat in range(rules.seats):
        if not (gone >> seat) & 1:
            counts[lineup[seat], FLOPS] += 1


@dataclass(frozen=True)
class Style:
    """Playing style of one agent, mostly as fractions of hands.

    vpip                  put chips in before the flop other than as a blind
    pfr                   raised before the flop
    aggression            bets and raises per call, on all streets (Marques n.d.); None without a call
    went_to_showdown      of the hands in which it saw the flop
    won_at_showdown       of those showdowns, won more than it had paid
    """

    hands: int
    vpip: float
    pfr: float
    aggression: float | None
    went_to_showdown: float | None
    won_at_showdown: float | None

    @classmethod
    def of(cls, counts: list[int]) -> "Style":
        """Compute the statistics from a row of counts."""
        return cls(
            hands=counts[HANDS],
            vpip=counts[VOLUNTARY] / counts[HANDS],
            pfr=counts[RAISED] / counts[HANDS],
            aggression=_share(counts[AGGRESSIVE], counts[CALLS]),
            went_to_showdown=_share(counts[SHOWDOWNS], counts[FLOPS]),
            won_at_showdown=_share(counts[WON], counts[SHOWDOWNS]),
        )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
