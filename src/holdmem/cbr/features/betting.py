"""Betting sequences as letters: `rrc-cr` is two raises and a call, then a check and a bet.

Letters are f (fold), c (check or call) and r (bet or raise); a dash ends a street. Heads-up, the first letter
before the flop is the button's and the first on each later street is the opponent's, so the position of a
letter says who acted.
"""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.cbr.features.kernels.betting import BASE, LETTERS, PRIME, betting_codes
from holdmem.core.errors import NotationError
from holdmem.engine.state import STREETS

ALPHABET = " crf-"


def codes_of(views: Views) -> NDArray[np.int64]:
    """Return the betting before each view as a number; `letters_of` decodes it."""
    out = np.empty(len(views), dtype=np.int64)
    betting_codes(views.history, np.ascontiguousarray(views.rows), out)
    return out


def code_of(letters: str) -> int:
    """Return the number of a betting sequence such as "crrc-cr"."""
    code = 0
    for letter in letters:
        if letter not in ALPHABET[1:]:
            raise NotationError(
                f"expected betting in the letters c, r, f and -, got {letter!r} in {letters!r}"
            )
        code = code * BASE + ALPHABET.index(letter)
    if len(letters) > LETTERS:
        raise NotationError(f"expected a betting sequence of at most {LETTERS} letters, got {letters!r}")
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
