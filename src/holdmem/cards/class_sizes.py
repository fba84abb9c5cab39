"""Number of hands in each class of `Isomorphism`."""

import numpy as np
from numpy.typing import NDArray

from holdmem.cards import Isomorphism

# Number of suit permutations that fix a hand, indexed by the number of pairs of suits with equal cards:
# no suits equal, two, two and two, three, all four.
_FIXING: NDArray[np.int64] = np.array([1, 2, 4, 6, 0, 0, 24])


def hands_in(form: Isomorphism, classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of hands in each class: 24 / the number of suit permutations that fix a hand of it.

    Those permutations exchange suits that were dealt equal ranks in every round.

    >>> from holdmem.cards import Isomorphism
    >>> hands_in(Isomorphism((2,)), Isomorphism((2,)).index([[51, 50], [51, 47], [51, 46]])).tolist()
    [6, 4, 12]
    """
    holdings = _suit_holdings(form, classes)
    pairs = [holdings[a] == holdings[b] for a in range(4) for b in range(a)]
    equal: NDArray[np.int64] = np.count_nonzero(pairs, axis=0)
    return 24 // _FIXING[equal]


def _suit_holdings(form: Isomorphism, classes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return each suit's cards as an integer: rank bits of the first round, then of the second, and so on."""
    cards = form.cards(classes).astype(np.int64)
    dealt = np.repeat(np.arange(len(form.rounds)), form.rounds)
    bits = np.int64(1) << (cards // 4 + 13 * dealt)
    return [np.where(cards % 4 == suit, bits, 0).sum(axis=1) for suit in range(4)]
