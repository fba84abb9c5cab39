"""The ten kinds of action of no-limit (Rubin and Watson 2011, §3.1), and betting sequences in their letters.

    a = (f, c, q, h, i, p, d, v, t, a)

fold, call, raises by a quarter, half, three quarters, one, two, five and ten times the pot, and all-in. The
paper asks for a mapping between real bets and these categories and gives none. Ours:

- the size x of a raise is what it puts in beyond a call, in parts of the pot that there is after a call;
- a raise that nobody could add to (all-in, or all that the deepest opponent has) is all-in;
- otherwise a raise to exactly what a category raises to is of that category;
- otherwise between sizes A < x < B it is A if the pseudo-harmonic mapping (Ganzfried and Sandholm, 2013)
  gives A more than half, that is below x* = (A + B + 2AB) / (A + B + 2), else B. It is not drawn at random
  with these chances, as players do that must not be predictable: the same hand must always teach the same;
- back, a category raises to its size in whole chips, to the least legal raise if that is more, and to
  everything if that covers everything. Where no raise is legal `legal_policy` calls. Nothing becomes a fold.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdmem.casebase.bet_size_kernels import (
    BASE,
    LETTERS,
    LEVELS,
    PRIME,
    all_size_steps,
    categories,
    sized_codes,
    totals,
)
from holdmem.casebase.betting import letters_of, readable
from holdmem.casebase.features import Column, in_words
from holdmem.casebase.similarity import Ints, Keys
from holdmem.errors import NotationError
from holdmem.table import Views

NAMES = (
    "fold", "call", "quarter", "half", "three-quarter", "pot", "double", "five-times", "ten-times", "all-in"
)  # fmt: skip
ALPHABET = " fcqhipdvta-"
FRACTIONS = np.array([0.25, 0.5, 0.75, 1.0, 2.0, 5.0, 10.0])


def border(small: NDArray[np.float64], large: NDArray[np.float64]) -> NDArray[np.float64]:
    """The size that the pseudo-harmonic mapping gives to both alike."""
    return (small + large + 2 * small * large) / (small + large + 2)


BORDERS = border(FRACTIONS[:-1], FRACTIONS[1:])


@dataclass(frozen=True)
class BetSizes:
    """Fold, call and eight sizes of raises."""

    names = NAMES

    def kinds(self, views: Views, codes: Ints) -> Ints:
        """The category of each action."""
        out = np.empty(len(views), dtype=np.int64)
        rows, actions = np.ascontiguousarray(views.rows), np.ascontiguousarray(codes, dtype=np.int64)
        categories(rows, actions, FRACTIONS, BORDERS, out)
        return out

    def totals(self, views: Views) -> Ints:
        """What each of the eight raises to at each view."""
        out = np.empty((len(views), len(FRACTIONS) + 1), dtype=np.int64)
        totals(np.ascontiguousarray(views.rows), FRACTIONS, out)
        return out


def sized_letters_of(code: float) -> str:
    """The betting that a number stands for, such as `hc-cp`; `…` where it was too long to be kept."""
    return letters_of(code, ALPHABET)


def sized_code_of(letters: str) -> int:
    """The number of a betting sequence such as "hc-cp"."""
    code = 0
    for letter in letters:
        if letter not in ALPHABET[1:]:
            raise NotationError(f"expected betting in letters {ALPHABET[1:]}, got {letter!r} in {letters!r}")
        code = code * BASE + ALPHABET.index(letter)
    if len(letters) > LETTERS:
        raise NotationError(f"expected a betting sequence of at most {LETTERS} letters, got {letters!r}")
    return code


@in_words(sized_letters_of, lambda codes: readable(codes, BASE, LETTERS, PRIME))
def sized_betting(views: Views) -> Column:
    """The betting so far in letters of the ten categories such as `hc-cp`, as a number."""
    out = np.empty(len(views), dtype=np.int64)
    sized_codes(
        views.game.rules_row, np.ascontiguousarray(views.rows), views.history, FRACTIONS, BORDERS, out
    )
    return out


@dataclass(frozen=True)
class SizedSteps(Keys):
    """Sized betting between two, by steps: the same; the same with sizes of earlier rounds in groups (up to
    half a pot, up to a pot, beyond, all-in); the active round in groups and as many raises of each player
    before it; as many raises of each in the active round, the last of them of the same group; otherwise 0.
    """

    steps: tuple[float, ...] = (1.0, 0.9, 0.8, 0.6)

    def __post_init__(self) -> None:
        if len(self.steps) != LEVELS or list(self.steps) != sorted(self.steps, reverse=True):
            raise NotationError(f"expected {LEVELS} steps from 1 down to 0, got {self.steps}")

    def columns(self, values: Column) -> Ints:
        """The levels of each sequence."""
        codes = np.ascontiguousarray(values, dtype=np.int64)
        out = np.empty((len(codes), LEVELS), dtype=np.int64)
        all_size_steps(codes, out)
        return out
