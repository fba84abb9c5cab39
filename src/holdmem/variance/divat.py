"""DIVAT, the ignorant value assessment tool, as Rubin and Watson (2011, §4.2) use it, for two seats.

    divat = sum over rounds of EV(actual actions) - EV(baseline actions)                       (equation 3)

EV is pot equity after the betting of the round. A player who has folded has lost what it paid; otherwise EV
is the pot times the all-in equity of the known hands, minus what the seat has paid. In each round the
baseline starts from the pot that the actual betting left, both seats follow it, and the cards are the same.
Rounds without any possible betting contribute nothing, so a hand that is run out all-in counts by its equity.
Going round by round is our reading: the paper gives equation 3 for "decisions" without saying where the
baseline starts.

In no-limit the baseline always calls. In limit it bets for value: "strong hands will be bet and/or raised,
weak hands will be checked or folded", by thresholds on hand strength alone. The paper gives no thresholds. We
use:

    strength s      the share of all other holdings that are behind (see `strengths`), uniform over (0, 1)
    range           the interval of strengths with which a seat would have taken its actions of this round
                    under these same rules; (0, 1) when the round begins
    bet or raise    if s is at or above the middle of the opponent's range: the hand is then ahead of more
                    than half of the hands it meets, and a bet that is called gains
    fold            facing a bet, the worst owed / pot of the seat's own range (the pot includes that bet): a
                    bluff then wins the rest of the pot just often enough to break even
    otherwise       check or call

So the first seat bets from s = 1/2. After a check the other seat bets from 1/4. A bet is raised from 3/4, a
raise is re-raised from 7/8, and the last bet of a cap of four is made from 15/16. With four bets in the pot,
a single bet makes the worst fifth fold. Seats neither bluff nor slow-play, as in the paper.

These thresholds do not account for the value of unequal ranges, so divat is a heuristic: its mean differs
from the mean of the winnings. In no-limit the means agree (docs/luck.md explains why): there divat and
`adjusted` are the same number.
"""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands
from holdmem.cards.classes import HOLDING_OF
from holdmem.core.errors import GameError
from holdmem.core.types import Floats, Ints
from holdmem.engine.state import ACTION, BOARD_CARDS, HAND, STREETS
from holdmem.strength import HandCards, ihs
from holdmem.strength.pot_equities import pot_equities
from holdmem.strength.ranking import share_ranked_below
from holdmem.variance.control_variate import whole_parts
from holdmem.variance.kernels.baseline import divat_chips


def divat(hands: FinishedHands) -> Ints:
    """Return the DIVAT of every hand in whole parts of a chip, of shape (hands, 2).

    Values are rounded per hand, and every hand sums to zero.
    """
    chips = _chips(hands, np.arange(len(hands)))
    return whole_parts(np.column_stack([chips, -chips]))


def divat_showdown(hands: FinishedHands) -> Ints:
    """Return DIVAT for hands shown down and the winnings for the others, of shape (hands, 2).

    The dynamic imitator scores hands this way. A player can compute it at the table, since it needs only
    cards that are shown.
    """
    shown = np.flatnonzero(hands.showdown)
    chips = _chips(hands, shown)
    parts = hands.parts.copy()
    parts[shown] = whole_parts(np.column_stack([chips, -chips]))
    return parts


def _chips(hands: FinishedHands, which: Ints) -> Floats:
    """Return the DIVAT of seat 0 in chips for the selected hands."""
    game, batch = hands.game, hands.batch
    if game.seats != 2:
        raise GameError(f"{game.name}: divat needs two seats, this game has {game.seats}; use adjusted")
    played = batch.hands[which]
    equity, strength = _street_by_street(played, game.limit)
    room, spare = np.zeros(2, HAND), np.zeros(game.longest, ACTION)
    chips = np.empty(len(which))
    stacks, decks, history = batch.stacks[which], batch.decks[which], batch.history[which]
    divat_chips(game.rules, stacks, decks, played, history, equity, strength, room, spare, chips)
    return chips


def _street_by_street(played: np.ndarray, limit: bool) -> tuple[Floats, Floats]:
    """Return seat 0's equities (n, 4) and both strengths (n, 4, 2) on the streets that were bet on.

    Strengths are computed in limit only; in no-limit they stay zero.
    """
    equity, strength = np.zeros((len(played), STREETS)), np.zeros((len(played), STREETS, 2))
    for street in range(STREETS):
        there = np.flatnonzero(played["street"] >= street)
        hole, board = played["hole"][there, :2], played["board"][there]
        equity[there, street] = pot_equities(hole, board, np.full(len(there), 3), street)[:, 0]
        if limit:
            strength[there, street] = strengths(hole, board, street)
    return equity, strength


def strengths(hole: NDArray[np.int8], board: NDArray[np.int8], street: int) -> Floats:
    """Return the strength, from 0 to 1, of each of `hole` (n, seats, 2) on `street`, of shape (n, seats).

    From the flop on it is IHS, before it the share of holdings ranked lower by equity against a random hand.
    The strength of a random hand is therefore uniform over (0, 1), as the thresholds of the baseline require.
    On the river it equals the all-in equity against a random hand.
    """
    if street == 0:
        return share_ranked_below()[HOLDING_OF[hole[..., 0], hole[..., 1]]]
    boards = np.repeat(board[:, : BOARD_CARDS[street]], hole.shape[1], axis=0)
    return ihs(HandCards(hole.reshape(-1, 2), boards), rounding="exact").reshape(hole.shape[:2])
