"""All-in equity of hands and ranges."""

from collections.abc import Sequence
from dataclasses import replace

from holdmem.cards import Range, cards
from holdmem.strength import EQUITY_RANKING, RangeEquities, range_equities, sampled_equities


def equity(
    *hands: Range | str,
    board: str | Sequence[int] = "",
    dead: str | Sequence[int] = "",
    samples: int | None = None,
    seed: int = 0,
) -> RangeEquities:
    """Compute the all-in equity of hands and ranges against each other.

    Parameters
    ----------
    hands : two to ten hands ("AhKd") or ranges ("88+, A9s+", "15%", "random"). A percentage takes the
        starting hands with the most equity against a random hand.
    board : the board so far: 0, 3, 4 or 5 cards.
    dead : cards that are in no player's hand and are never dealt.
    samples : number of showdowns to sample; by default all are enumerated.
    seed : random seed of the samples.

    Returns
    -------
    RangeEquities : equities, wins and ties as shares from 0 to 1, and the standard error if sampled.

    Raises
    ------
    NotationError : hands or cards cannot be read, or contain a card twice.
    TooManyDeals : too many deals to enumerate; give `samples`.

    Examples
    --------
    >>> equity("AsAh", "KsKh").equity.round(4).tolist()
    [0.8264, 0.1736]
    >>> equity("AhKd", "QsQc", board="Kc7s2d")
    RangeEquities(AhKd 91.21%, QsQc 8.79%; exact)
    """
    ranges = [Range.parse(one, ranking=EQUITY_RANKING) if isinstance(one, str) else one for one in hands]
    shared, gone = (cards(given) if isinstance(given, str) else list(given) for given in (board, dead))
    if samples is None:
        found = range_equities(ranges, shared, gone)
    else:
        found = sampled_equities(ranges, samples, seed, shared, gone)
    return replace(found, hands=tuple(str(one) for one in hands))
