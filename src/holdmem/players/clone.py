"""An agent that plays like a person whose hands were observed, written by `holdmem imitate`."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from holdmem.agent import Explanation, Policy, View, Views, legal_policy, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.core.data import DATA
from holdmem.core.errors import KnowledgeError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.people.choose import weights_at
from holdmem.people.memory import PersonMemory, read_person
from holdmem.people.words import reasons_for
from holdmem.players.clone_hands import SAID, example_hands

PeopleStyle = Literal[
    "population", "aggressive-short-stacker", "calling-station", "loose-aggressive", "passive",
    "tight-aggressive", "tight-passive", "tight-short-stacker", "pluribus",
    "small-stakes", "small-stakes-calling-station", "small-stakes-loose-aggressive", "small-stakes-nit",
    "small-stakes-passive", "small-stakes-tight-aggressive", "small-stakes-tight-short-stacker",
]  # fmt: skip
"""Shipped clones, by the names of their files."""
POPULATION, SMALL_STAKES = "population", "small-stakes"
"""The shipped populations: no-limit hold'em with a big blind of 10 dollars, and of 25 or 50 cents."""
POPULATIONS = (POPULATION, SMALL_STAKES)
SMALL_STYLES = tuple(name for name in get_args(PeopleStyle) if name.startswith(f"{SMALL_STAKES}-"))
"""Styles of people at small stakes."""
STYLES = tuple(
    name for name in get_args(PeopleStyle) if name not in (*POPULATIONS, *SMALL_STYLES, "pluribus")
)
"""Styles of people at 5/10 dollars."""
STYLES_AT = {POPULATION: STYLES, SMALL_STAKES: SMALL_STYLES}
"""Styles by the population that they were learned from."""
STYLE_WORDS: dict[str, str] = {
    "aggressive-short-stacker": "people with short stacks who raise or fold",
    "calling-station": "people who play many hands and rarely raise",
    "loose-aggressive": "people who play many hands and raise often",
    "passive": "people who would rather call than bet",
    "tight-aggressive": "people who play few hands and raise most of them",
    "tight-passive": "people who play few hands and seldom bet",
    "tight-short-stacker": "people with short stacks who wait for good cards",
}
"""A line on each style at 5/10 dollars."""
SMALL_STYLE_WORDS: dict[str, str] = {
    "small-stakes": "plays like the average of many people at small stakes",
    "small-stakes-calling-station": "people who play many hands and rarely raise, small stakes",
    "small-stakes-loose-aggressive": "people who play many hands and raise most of them, small stakes",
    "small-stakes-nit": "people who play very few hands and seldom bet, small stakes",
    "small-stakes-passive": "people who would rather call than bet, small stakes",
    "small-stakes-tight-aggressive": "people who play few hands and raise most of them, small stakes",
    "small-stakes-tight-short-stacker": "people with short stacks who wait for good cards, small stakes",
}
"""A line on the population at small stakes, and on each of its styles."""


class CloneSeat(SamplingSeat):
    """Decides by what the person did in such situations with such holdings.

    `style` names a shipped clone, whose explanations show hands that it played.
    """

    def __init__(self, person: PersonMemory, rng: Streams, style: PeopleStyle | None = None) -> None:
        super().__init__(rng)
        self.person = person
        self.style = style

    def policy(self, views: Views) -> Policy:
        """Return the person's probabilities, moved to legal actions."""
        weights, totals = weights_at(self.person, views)
        return legal_policy(views, weights, totals)

    def reasons(self, view: View) -> list[str]:
        """Say what the person did in such situations, and what that is known from."""
        return reasons_for(self.person, view)

    def explain(self, view: View) -> Explanation:
        """Return the situation, the probabilities, what they rest on, and hands that the clone played."""
        found = super().explain(view)
        hands = example_hands(self.style, self.person, view) if self.style else ()
        return replace(found, reasons=(*found.reasons, SAID), hands=hands) if hands else found


@register(
    "clone",
    style="plays like people whose hands were seen, two to ten seats",
    source="people at PokerStars, July 2009, 5/10 dollars or small stakes, or your own files",
)
@dataclass(frozen=True)
class Clone:
    """Plays from the memory of a person, or of one of the shipped styles.

    `person` is a file written by `holdmem imitate`. Without it, `style` is the population at 5/10 dollars or
    at small stakes, a cluster of people with a similar style, or Pluribus as its published sessions show it
    (docs/people.md).
    """

    person: Path | None = None
    style: PeopleStyle = "population"

    @property
    def shipped_files(self) -> tuple[Path, ...]:
        """The memory if no person is given; results depend on its contents."""
        return () if self.person else (DATA / f"{self.style}.people",)

    def sit(self, game: Game, tables: int, rng: Streams) -> CloneSeat:
        """Return a seat at any table."""
        path = self.person or DATA / f"{self.style}.people"
        try:
            style = None if self.person else self.style
            return CloneSeat(_read(path, path.stat().st_mtime_ns), rng, style)
        except OSError as error:
            raise KnowledgeError(f"{path}: cannot be read: {error.strerror}") from None


@lru_cache(maxsize=32)
def _read(path: Path, changed: int) -> PersonMemory:
    return read_person(path)
