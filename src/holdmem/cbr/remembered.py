"""The hands that cases were made of, to be shown and replayed with a decision.

A case keeps up to three of its hands. Cases of all streets share one set of hands, in which each is stored
once; a case refers to a hand by its place there, and to its own decision by the number of the action.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.history import Hands, replay

MOST_HANDS = 3
"""Hands that a case keeps at most."""

NO_HAND = -1


@dataclass(frozen=True)
class RememberedHand:
    """A hand that a case was made of.

    Attributes
    ----------
    hands : the hand, alone: game, names, stacks, cards, betting and result.
    seat : seat of the expert, counted from the left of the button.
    decision : index of the case's own action among the actions of the hand.
    """

    hands: Hands
    seat: int
    decision: int


@dataclass(frozen=True, eq=False)
class Examples:
    """Which hands the cases of one street were made of, one row per case.

    `hand` holds places in `pool` and `decision` indices of actions, both of shape (cases, MOST_HANDS); the
    entries of a row are filled from the left, and the rest are NO_HAND.
    """

    pool: Hands
    hand: NDArray[np.int32]
    decision: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.hand)

    def __getitem__(self, which: Any) -> "Examples":
        return Examples(self.pool, self.hand[which], self.decision[which])

    def of(self, place: int) -> tuple[RememberedHand, ...]:
        """Return the hands of one case, most typical first."""
        pairs = zip(self.hand[place].tolist(), self.decision[place].tolist(), strict=True)
        return tuple(self._one(hand, decision) for hand, decision in pairs if hand != NO_HAND)

    def _one(self, hand: int, decision: int) -> RememberedHand:
        """Return one hand; the seat is the one that the engine asks for this decision."""
        alone = self.pool[[hand]].packed()
        seats = next(replay(alone)).views.seat
        return RememberedHand(alone, int(seats[decision]), decision)
