"""Count the hands of a block: one row per seat and hand, with what the seat could do, did and won."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine.state import ACTION, HAND, SEATS
from holdmem.history.hands import Hands
from holdmem.history.replay import by_game, playable_results
from holdmem.history.stats.all_in import all_in_adjusted
from holdmem.history.stats.kernels.count import ADJUSTED, COUNTERS, STORY, count_all
from holdmem.history.stats.positions import positions_of


@dataclass(frozen=True, eq=False)
class SeatHands:
    """Columns with one entry per seat and hand, in the order of the hands."""

    hands: Hands
    hand: Ints
    """Index of the hand."""
    seat: Ints
    position: NDArray[np.int8]
    """Code of the position; see `positions`."""
    stack: Floats
    """Effective stack in big blinds: the seat's own or the largest of the others, whichever is less."""
    reached: NDArray[np.int8]
    """Last street that the seat saw, 4 if it went to showdown."""
    counts: NDArray[np.int8]
    """One column per entry of `COUNTERS`."""
    known: Flags
    """Whether the result is known."""
    net: Ints
    """Result in parts of a chip."""
    adjusted: Ints
    """Result adjusted for all-ins, in parts of a chip."""


def count_hands(hands: Hands) -> SeatHands:
    """Count hands, which must be playable, as readers ensure."""
    net, known = playable_results(hands).results(hands)
    states, counts, reached, position = _counted(hands, net, known)
    adjusted, applied = all_in_adjusted(hands, states, net, known)
    counts[:, :, ADJUSTED] = applied
    hand, seat = np.nonzero(hands.seated)
    return SeatHands(
        hands=hands,
        hand=hand,
        seat=seat,
        position=position[hand, seat],
        stack=_effective_stacks(hands)[hand, seat],
        reached=reached[hand, seat],
        counts=counts[hand, seat],
        known=known[hand],
        net=net[hand, seat],
        adjusted=adjusted[hand, seat],
    )


def _counted(
    hands: Hands, net: Ints, known: Flags
) -> tuple[np.ndarray, NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """Return final states, counters, streets reached and positions, with one row of ten seats per hand."""
    rows, betting = np.ascontiguousarray(hands.rows), np.ascontiguousarray(hands.betting)
    states, story = np.zeros(len(hands), dtype=HAND), np.zeros(1, dtype=STORY)
    counts = np.zeros((len(hands), SEATS, len(COUNTERS)), dtype=np.int8)
    reached, position = (np.zeros((len(hands), SEATS), dtype=np.int8) for _ in range(2))
    spare = np.zeros(max(int(rows["actions"].max(initial=1)), 1), dtype=ACTION)
    for game, places in by_game(hands):
        codes, deck = np.zeros(SEATS, dtype=np.int8), np.zeros(game.deck_cards, dtype=np.int8)
        codes[: game.seats] = positions_of(game)
        position[places] = codes
        count_all(
            game.rules_row, codes, rows, betting, places, net, known, deck, spare, story, states, counts,
            reached,
        )  # fmt: skip
    return states, counts, reached, position


def _effective_stacks(hands: Hands) -> Floats:
    stacks = np.where(hands.seated, hands.rows["stack"], 0)
    top = np.partition(stacks, SEATS - 2, axis=1)[:, SEATS - 2 :]
    others = np.where(stacks == top[:, 1:], top[:, :1], top[:, 1:])
    blinds = np.array([terms.game.big_blind for terms in hands.terms], dtype=np.int64)
    found: Floats = np.minimum(stacks, others) / blinds[hands.rows["terms"]][:, None]
    return found
