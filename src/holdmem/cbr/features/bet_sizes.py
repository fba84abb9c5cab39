"""Ten kinds of no-limit action (Rubin and Watson 2011, §3.1), and betting sequences in their letters.

    a = (f, c, q, h, i, p, d, v, t, a)

These are fold, call, raises by a quarter, half, three quarters, one, two, five and ten times the pot, and
all-in. The paper requires a mapping between actual bets and these categories but does not give one. We use:

- The size x of a raise is what it adds beyond a call, as a fraction of the pot after a call.
- A raise that no player can add to (all-in, or covering the deepest opponent) is all-in.
- Otherwise, a raise to exactly the amount of a category belongs to that category.
- Otherwise, for neighbouring sizes A < x < B, it is A if the pseudo-harmonic mapping (Ganzfried and
  Sandholm 2013) gives A a probability above one half, that is if x < x* = (A + B + 2AB) / (A + B + 2);
  else it is B. Players who must not be predictable randomise with that probability. We do not, because
  learning from the same hand must always give the same case.
- In the other direction, a category raises to its size in whole chips, to the minimum raise if that is more,
  and all-in if the amount covers everything. Where no raise is legal, `legal_policy` calls. Nothing becomes
  a fold.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.cbr.features.betting import code_of, letters_of, readable
from holdmem.cbr.features.feature import Column, described_by
from holdmem.cbr.features.kernels.bet_sizes import (
    BASE,
    LETTERS,
    LEVELS,
    PRIME,
    all_size_steps,
    categories,
    sized_codes,
    totals,
)
from holdmem.cbr.similarity import Keys
from holdmem.core.errors import NotationError
from holdmem.core.types import Ints

NAMES = (
    "fold", "call", "quarter", "half", "three-quarter", "pot", "double", "five-times", "ten-times", "all-in"
)  # fmt: skip
ALPHABET = " fcqhipdvta-"
FRACTIONS = np.array([0.25, 0.5, 0.75, 1.0, 2.0, 5.0, 10.0])


def border(small: NDArray[np.float64], large: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the size to which the pseudo-harmonic mapping assigns both neighbours equal probability."""
    return (small + large + 2 * small * large) / (small + large + 2)


BORDERS = border(FRACTIONS[:-1], FRACTIONS[1:])


@dataclass(frozen=True)
class BetSizes:
    """Fold, call and eight raise sizes."""

    names = NAMES

    def kinds(self, views: Views, codes: Ints) -> Ints:
        """Return the category of each action."""
        out = np.empty(len(views), dtype=np.int64)
        rows, actions = np.ascontiguousarray(views.rows), np.ascontiguousarray(codes, dtype=np.int64)
        categories(rows, actions, FRACTIONS, BORDERS, out)
        return out

    def totals(self, views: Views) -> Ints:
        """Return the amount that each of the eight categories raises to at each view, of shape (n, 8)."""
        out = np.empty((len(views), len(FRACTIONS) + 1), dtype=np.int64)
        totals(np.ascontiguousarray(views.rows), FRACTIONS, out)
        return out


def sized_letters_of(code: float) -> str:
    """Return the betting sequence of a number, such as `hc-cp`; `…` and hex digits if it was too long."""
    return letters_of(code, ALPHABET)


def sized_code_of(letters: str) -> int:
    """Return the number of a betting sequence such as "hc-cp"."""
    return code_of(letters, ALPHABET, LETTERS)


@described_by(sized_letters_of, lambda codes: readable(codes, BASE, LETTERS, PRIME))
def sized_betting(views: Views) -> Column:
    """The betting so far as a number that encodes letters of the ten categories such as `hc-cp`."""
    out = np.empty(len(views), dtype=np.int64)
    sized_codes(
        views.game.rules_row, np.ascontiguousarray(views.rows), views.history, FRACTIONS, BORDERS, out
    )
    return out


@dataclass(frozen=True)
class SizedSteps(Keys):
    """Similarity of heads-up sized betting sequences: the step of the first level that is equal, else 0.

    - Level 0: the whole sequence.
    - Level 1: the sequence, with sizes of earlier rounds in groups (up to half a pot, up to a pot, more,
      all-in).
    - Level 2: the active round in groups, and each player's number of raises before it.
    - Level 3: each player's number of raises in the active round, and the group of the last of them.
    """

    steps: tuple[float, ...] = (1.0, 0.9, 0.8, 0.6)

    def __post_init__(self) -> None:
        if len(self.steps) != LEVELS or list(self.steps) != sorted(self.steps, reverse=True):
            raise NotationError(f"expected {LEVELS} steps from 1 down to 0, got {self.steps}")

    def columns(self, values: Column) -> Ints:
        """Return the levels of each sequence."""
        codes = np.ascontiguousarray(values, dtype=np.int64)
        out = np.empty((len(codes), LEVELS), dtype=np.int64)
        all_size_steps(codes, out)
        return out
