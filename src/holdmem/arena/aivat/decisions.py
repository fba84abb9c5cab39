"""The decisions of finished hands, and what is known of the policies behind them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands
from holdmem.arena.aivat.kernels.decisions import replay_decisions
from holdmem.cards.classes import HOLDINGS
from holdmem.core.types import Floats, Ints
from holdmem.engine.state import ACTION, HAND


class ReplayedDecisions(NamedTuple):
    """All decisions of some hands in the order in which they were made, hand after hand."""

    first: Ints
    """[hand] index of its first decision; one extra entry at the end"""
    hand: Ints
    seat: Ints
    player: Ints
    before: NDArray[np.record]
    """the hand before each decision"""
    stake: Floats
    """chips of each player at stake after the action if all is called; 0 after a fold"""
    code: Ints


class KnownChoices(NamedTuple):
    """A known policy at some decisions with every holding, [decision, holding]."""

    took: Floats
    """probability of the action taken"""
    folds: Floats
    """probability of a fold"""
    stakes: Floats
    """sum over all other actions of probability times stake"""


def replay(hands: FinishedHands) -> ReplayedDecisions:
    """Replay hands and collect their decisions."""
    batch, rules = hands.batch, hands.game.rules
    first = np.concatenate([[0], np.cumsum(hands.actions)]).astype(np.int64)
    before, stakes = np.zeros(first[-1], HAND), np.zeros(first[-1])
    hand_of, codes = np.zeros(first[-1], np.int64), np.zeros(first[-1], np.int64)
    dealt, spare = np.zeros(1, HAND), np.zeros(hands.game.longest, ACTION)
    played = (batch.stacks, batch.decks, batch.hands, batch.history)
    replay_decisions(rules, *played, dealt, spare, before, hand_of, codes, stakes)
    seat = before["to_act"].astype(np.int64)
    player = np.asarray(hands.lineup, np.int64)[hand_of, seat]
    return ReplayedDecisions(first, hand_of, seat, player, before, stakes, codes)


def no_choices(count: int) -> KnownChoices:
    """Return choices to be filled in."""
    return KnownChoices(*(np.zeros((count, len(HOLDINGS))) for _ in range(3)))
