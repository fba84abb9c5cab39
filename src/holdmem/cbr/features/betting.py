"""Betting sequences as letters: `rrc-cr` is two raises and a call, then a check and a bet.

Letters are f (fold), c (check or call) and r (bet or raise); a dash ends a street. Heads-up, the first letter
before the flop is the button's and the first on each later street is the opponent's, so the position of a
letter says who acted.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.cbr.features.kernels.betting import BASE, LETTERS, PRIME, all_steps, betting_codes
from holdmem.cbr.similarity import Keys
from holdmem.core.errors import NotationError
from holdmem.core.types import Ints
from holdmem.engine.state import STREETS

ALPHABET = " crf-"


def codes_of(views: Views) -> NDArray[np.int64]:
    """Return the betting before each view as a number; `letters_of` decodes it."""
    out = np.empty(len(views), dtype=np.int64)
    betting_codes(views.history, np.ascontiguousarray(views.rows), out)
    return out


def code_of(letters: str, alphabet: str = ALPHABET, most: int = LETTERS) -> int:
    """Return the number of a betting sequence such as "crrc-cr"."""
    code = 0
    for letter in letters:
        if letter not in alphabet[1:]:
            raise NotationError(
                f"expected betting in the letters {alphabet[1:]}, got {letter!r} in {letters!r}"
            )
        code = code * len(alphabet) + alphabet.index(letter)
    if len(letters) > most:
        raise NotationError(f"expected a betting sequence of at most {most} letters, got {letters!r}")
    return code


def letters_of(code: float, alphabet: str = ALPHABET) -> str:
    """Return the betting sequence of a number; `…` and hex digits if it was too long for letters."""
    rest = int(code)
    if rest < 0:
        return f"…{-rest:x}"
    letters = ""
    while rest:
        rest, digit = divmod(rest, len(alphabet))
        letters = alphabet[digit] + letters
    return letters


def readable(
    codes: NDArray[np.int64], base: int = BASE, most: int = LETTERS, wrap: int = PRIME
) -> NDArray[np.bool_]:
    """Return which numbers encode valid betting sequences.

    Their digits must be letters of an alphabet whose last letter ends a street. Kernels that decode them have
    room for `most` letters and four streets. Sequences too long to be stored as letters are negative, and no
    kernel decodes those.
    """
    different, places = np.unique(codes, return_inverse=True)
    fine = different > -1 - wrap
    rest, letters, dashes = np.maximum(different, 0), np.zeros_like(different), np.zeros_like(different)
    while rest.any():
        digit = rest % base
        letters += rest > 0
        dashes += digit == base - 1
        fine &= (rest == 0) | (digit > 0)
        rest = rest // base
    fine &= (letters <= most) & (dashes < STREETS)
    return np.asarray(fine[places.reshape(-1)])


@dataclass(frozen=True)
class Stepped(Keys):
    """Similarity of betting sequences in steps (Rubin and Watson 2010, §4.4).

    It is 1 if the sequences are equal. It is 0.9 if the active rounds are equal and each player made the same
    number of raises on each earlier street, and 0.8 if that holds only for the total over the earlier
    streets. Otherwise it is 0.

    Values are codes from the feature `betting`. The order of action tells which player made which action
    (heads-up, the button acts first before the flop and last after it), so `seats` is needed.
    """

    steps: tuple[float, ...] = (1.0, 0.9, 0.8)
    seats: int = 2

    def __post_init__(self) -> None:
        if len(self.steps) != 3 or not 1 >= self.steps[0] >= self.steps[1] >= self.steps[2] >= 0:
            raise NotationError(f"expected three steps from 1 down to 0, got {self.steps}")

    def columns(self, values: NDArray[Any]) -> Ints:
        """Return the three levels of each sequence."""
        codes = np.ascontiguousarray(values, dtype=np.int64)
        out = np.empty((len(codes), 3), dtype=np.int64)
        all_steps(codes, self.seats, out)
        return out
