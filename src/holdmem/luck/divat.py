"""DIVAT, the ignorant value assessment tool, as Rubin and Watson (2011, §4.2) use it, for two seats.

    divat = sum over rounds of EV(actual actions) - EV(baseline actions)                       (equation 3)

EV is pot equity after the round's betting: a folder has lost what it paid; otherwise the pot times the all-in
equity of the known hands, minus what the seat has paid. Each round the baseline starts from the pot that the
actual betting left, with both seats playing it, and meets the same cards. Rounds in which nobody could bet
any more count nothing, so what is run out all-in counts by its equity. That it goes round by round is our
reading: the paper gives equation 3 for "decisions" without saying from where the baseline starts.

In no-limit the baseline always calls. In limit it bets for value: "strong hands will be bet and/or raised,
weak hands will be checked or folded", by thresholds on hand strength alone. The paper gives none. Ours:

    strength s      the share of all other hands that are behind (see `hand_strength`), even over (0, 1)
    range           the strengths with which a seat would have done what it has done in this round, by these
                    same rules; (0, 1) when the round begins
    bet or raise    if s is above the middle of the other's range: then it is ahead of more than half of
                    the hands it meets, and a bet that is called gains
    fold            to a bet, the worst owed / pot of the own range (the pot with that bet in it): a bet that
                    was a bluff then wins the rest of the pot just often enough to gain nothing
    else            check or call

So the first seat bets from s = 1/2; after a check the other bets from 1/4; a bet is raised from 3/4, a raise
from 7/8, the last bet of a cap of four is made from 15/16. With four bets in the pot a single bet makes the
worst fifth fold. Seats neither bluff nor slow-play, as the paper has it.

Value with unequal ranges is not what these thresholds suppose, so divat is a heuristic: its mean is not the
mean of the money. In no-limit it is (docs/luck.md says why): there divat and `adjusted` are one number.
"""

import numpy as np

from holdmem.errors import GameError
from holdmem.luck.adjusted import whole_parts
from holdmem.luck.baseline_kernels import divat_chips
from holdmem.luck.equities import Floats, Ints, equities
from holdmem.luck.hand_strength import strengths
from holdmem.rules.state import ACTION, HAND, STREETS
from holdmem.table import Finished


def divat(hands: Finished) -> Ints:
    """(hands, 2): DIVAT of every hand in whole parts of a chip (rounded hand by hand); sums to zero."""
    chips = _chips(hands, np.arange(len(hands)))
    return whole_parts(np.column_stack([chips, -chips]))


def divat_showdown(hands: Finished) -> Ints:
    """(hands, 2): DIVAT where the cards were shown, the money elsewhere, as the dynamic imitator counts it.

    A player can do that at the table, since it needs no cards but those that are shown.
    """
    shown = np.flatnonzero(hands.showdown)
    chips = _chips(hands, shown)
    parts = hands.parts.copy()
    parts[shown] = whole_parts(np.column_stack([chips, -chips]))
    return parts


def _chips(hands: Finished, which: Ints) -> Floats:
    """DIVAT of some of the hands for seat 0, in chips."""
    game, batch = hands.game, hands.batch
    if game.seats != 2:
        raise GameError(f"{game.name}: expected two seats for divat, got {game.seats}; adjusted takes any")
    played = batch.hands[which]
    equity, strength = _street_by_street(played, game.limit)
    room, spare = np.zeros(2, HAND), np.zeros(game.longest, ACTION)
    chips = np.empty(len(which))
    stacks, decks, history = batch.stacks[which], batch.decks[which], batch.history[which]
    divat_chips(game.rules, stacks, decks, played, history, equity, strength, room, spare, chips)
    return chips


def _street_by_street(played: np.ndarray, limit: bool) -> tuple[Floats, Floats]:
    """(n, 4) equities of seat 0 and (n, 4, 2) strengths of both, on the streets that were bet on."""
    equity, strength = np.zeros((len(played), STREETS)), np.zeros((len(played), STREETS, 2))
    for street in range(STREETS):
        there = np.flatnonzero(played["street"] >= street)
        hole, board = played["hole"][there, :2], played["board"][there]
        equity[there, street] = equities(hole, board, np.full(len(there), 3), street)[:, 0]
        if limit:
            strength[there, street] = strengths(hole, board, street)
    return equity, strength
