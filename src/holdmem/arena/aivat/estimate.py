"""The luck of cards and of known choices in finished hands, over all holdings of known players."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands
from holdmem.arena.aivat.decisions import KnownChoices, ReplayedDecisions
from holdmem.arena.aivat.kernels.estimate import CARDS, CHOICES, FINAL, walk_hands
from holdmem.arena.aivat.kernels.ranges import FREE, STRENGTHS
from holdmem.cards.classes import CLASS_OF_HOLDING, HOLDING_OF, HOLDINGS
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine.state import STREETS
from holdmem.strength.preflop_equity import BOARDS_OF_PAIR, wins_of_holdings

PAIRS = 24
"""Turns and rivers sampled on a flop: disjoint pairs of the 49 cards that are left."""
RUNS = 48
COLUMNS = 1 + 2 * STREETS


class CardTable(NamedTuple):
    """Constants of the kernels."""

    cards: NDArray[np.uint8]
    classes: Ints
    gains: Floats  # [holding, holding] gain before the flop
    by_class: Floats  # [class, class] sum of the gains of one holding against those of a class


class RangeRoom(NamedTuple):
    """Scratch arrays of the kernels."""

    weights: Floats  # [seat, holding]
    gains: Floats
    masses: Floats
    by_card: Floats
    by_class: Floats
    score: Floats
    strength: NDArray[np.uint16]  # [run, holding]
    order: NDArray[np.int16]
    ends: NDArray[np.int16]
    counts: NDArray[np.int32]
    free: NDArray[np.uint8]
    found: NDArray[np.uint16]
    board: NDArray[np.uint8]


class Plays(NamedTuple):
    """Hands as the kernels read them."""

    boards: NDArray[np.uint8]
    runs: NDArray[np.uint8]  # [hand, run, 2] sampled turns and rivers
    held: Ints  # [hand, seat] the holding if the policy is unknown, else -1
    blinds: Floats  # [hand] stake if all just call the blinds
    first: Ints
    street: Ints
    seat: Ints
    row: Ints  # [decision] row of the known choices, -1 if unknown
    paid: Ints  # [decision] what the player loses with a fold
    stake: Floats
    code: Ints
    took: Floats
    folds: Floats
    stakes: Floats


class LuckParts(NamedTuple):
    """Final values and luck in chips of seat 0, one row per hand."""

    final: Floats
    """[hand] mean payoff over the holdings that known players may have"""
    cards: Floats
    """[hand, street] value after the street's cards less the mean before them"""
    choices: Floats
    """[hand, street] values after known players' actions less their means"""


@cache
def card_table() -> CardTable:
    """Return the constants of the kernels."""
    wins = wins_of_holdings().astype(np.float64)
    gains = (wins - wins.T) / BOARDS_OF_PAIR
    classes = CLASS_OF_HOLDING.astype(np.int64)
    _, one = np.unique(classes, return_index=True)
    by_class: Floats = np.array([np.bincount(classes, gains[h]) for h in one], np.float64)
    return CardTable(HOLDINGS.astype(np.uint8), classes, gains, by_class)


def make_room() -> RangeRoom:
    """Allocate the scratch arrays."""
    holdings, classes = len(HOLDINGS), int(CLASS_OF_HOLDING.max()) + 1
    return RangeRoom(
        weights=np.zeros((2, holdings)),
        gains=np.zeros((2, holdings)),
        masses=np.zeros((2, holdings)),
        by_card=np.zeros(52),
        by_class=np.zeros(classes),
        score=np.zeros(holdings),
        strength=np.zeros((RUNS, holdings), np.uint16),
        order=np.zeros((RUNS, FREE), np.int16),
        ends=np.zeros((RUNS, FREE), np.int16),
        counts=np.zeros(STRENGTHS, np.int32),
        free=np.zeros((FREE, 2), np.uint8),
        found=np.zeros(FREE, np.uint16),
        board=np.zeros(5, np.uint8),
    )


def sampled_pairs(hands: FinishedHands, boards: NDArray[np.uint8], pairs: int = PAIRS) -> NDArray[np.uint8]:
    """Sample turns and rivers for each flop, independently of the cards that were dealt."""
    decks = Streams.of(0, "aivat").decks(hands.hand_ids, 52).view(np.uint8)
    on_flop = (decks[:, :, None] == boards[:, None, :3]).any(axis=2)
    left = decks[~on_flop].reshape(len(decks), 49)
    return np.ascontiguousarray(left[:, : 2 * pairs].reshape(len(decks), pairs, 2))


def plays_of(
    hands: FinishedHands,
    decisions: ReplayedDecisions,
    known: NDArray[np.bool_],
    choices: KnownChoices,
    row: Ints,
) -> Plays:
    """Return hands as the kernels read them; `known` [hand, seat] says whose policy is known.

    `row` is the row of `choices` for each decision, -1 where the policy is unknown.
    """
    batch = hands.batch
    boards = np.ascontiguousarray(batch.decks[:, 4:9]).view(np.uint8)
    holes = batch.hands["hole"][:, :2]
    held = np.where(known, -1, HOLDING_OF[holes[..., 0], holes[..., 1]]).astype(np.int64)
    blinds = np.minimum(hands.game.big_blind, batch.stacks.min(axis=1)).astype(np.float64)
    before = decisions.before
    return Plays(
        boards,
        sampled_pairs(hands, boards),
        held,
        blinds,
        decisions.first,
        before["street"].astype(np.int64),
        decisions.seat,
        row,
        before["paid"][:, :2].min(axis=1).astype(np.int64),
        decisions.stake,
        decisions.code,
        *choices,
    )


def luck_parts(plays: Plays) -> tuple[LuckParts, int]:
    """Compute the luck of all hands, and the first decision whose action its policy never takes, or -1."""
    out = np.zeros((len(plays.boards), COLUMNS))
    bad = int(walk_hands(plays, card_table(), make_room(), out))
    return LuckParts(out[:, FINAL], out[:, CARDS:CHOICES], out[:, CHOICES:]), bad
