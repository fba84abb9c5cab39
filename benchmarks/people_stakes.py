"""The stakes at which the shipped people played, for `benchmarks.people`."""

from dataclasses import dataclass

from holdmem.people.learn import GAIN
from holdmem.players.clone import POPULATION, SMALL_STAKES


@dataclass(frozen=True)
class Stakes:
    """Whose hands are learned from, and how finely.

    Attributes
    ----------
    population, prefix : the name of the population, and how the names of its styles begin.
    source : whose hands they are.
    gain : nats that a split of a tree must gain. More hands support more splits, and files grow with them.
    rounds : rounds of expectation–maximisation.
    styles : number of styles.
    loose : VPIP above which people who raise most of their hands are called loose.
    compact : whether files are rounded.
    """

    population: str
    prefix: str
    source: str
    gain: float
    rounds: int
    styles: int
    loose: float
    compact: bool


STAKES = {
    "large": Stakes(POPULATION, "", "PokerStars, July 2009, 5/10 dollars", GAIN, 15, 7, 0.24, False),
    "small": Stakes(
        SMALL_STAKES, f"{SMALL_STAKES}-", "PokerStars, July 2009, big blinds of 25 and 50 cents",
        40.0, 8, 6, 0.22, True,
    ),
}  # fmt: skip
"""By the name that `--stakes` takes."""
