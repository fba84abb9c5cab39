"""Which decks a recording dealt: memories carry this, so that they are not tested on what they have seen.

A deck is determined by purpose, seed, match and hand, and numbers of matches and hands begin at zero. So two
ranges of decks share some if, and only if, purpose and seed are the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from holdmem.arena.design import DeckPurpose, Design
from holdmem.core.errors import NotationError
from holdmem.history import HandReader, StoredHands
from holdmem.history.formats.parquet import HEADER


@dataclass(frozen=True)
class DeckRange:
    """The decks of the first matches of a seed, and of the first hands of each match.

    Parameters
    ----------
    purpose : what the decks are for; those of different purposes differ.
    seed : random seed.
    game : name of the game, for information: the same deck may be dealt in several games.
    matches, hands : number of matches, and of decks in each.
    """

    purpose: DeckPurpose
    seed: int
    game: str
    matches: int
    hands: int

    @classmethod
    def of(cls, design: Design) -> "DeckRange":
        """Return the decks that a design deals."""
        decks = design.hands if design.kind == "duplicate" else design.hands_per_match
        return cls(design.purpose, int(design.seed), design.game.name, design.matches, decks)

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> "DeckRange":
        """Read a range from a header."""
        try:
            return cls(**said)
        except TypeError as error:
            raise NotationError(f"expected a range of decks, got {dict(said)}: {error}") from None

    @property
    def count(self) -> int:
        """Number of decks."""
        return self.matches * self.hands

    def shared(self, other: "DeckRange") -> int:
        """Return the number of decks that both ranges have."""
        if (self.purpose, self.seed) != (other.purpose, other.seed):
            return 0
        return min(self.matches, other.matches) * min(self.hands, other.hands)

    def as_json(self) -> dict[str, Any]:
        """Return the range as values for a header."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.count:,} of purpose {self.purpose}, seed {self.seed} ({self.game})"


def decks_of_hands(source: object) -> list[DeckRange]:
    """Return the decks of stored hands or of folders of them, as far as their headers tell."""
    if isinstance(source, StoredHands):
        return _of_folder(source.path)
    if isinstance(source, HandReader):
        return decks_of_hands(list(source.paths))
    if isinstance(source, str | Path):
        return _of_folder(Path(source))
    if isinstance(source, list | tuple):
        return [decks for one in source for decks in decks_of_hands(one)]
    return []


def _of_folder(folder: Path) -> list[DeckRange]:
    if not (folder / HEADER).is_file():
        return []
    decks = StoredHands(folder).header.get("decks")
    return [DeckRange.from_json(decks)] if decks else []


def decks_in(about: Mapping[str, Any]) -> list[DeckRange]:
    """Return the decks that the header of a memory names; none for memories from before they were kept."""
    return [DeckRange.from_json(said) for said in about.get("decks", ())]


def overlaps(ours: Iterable[DeckRange], theirs: Iterable[DeckRange]) -> bool:
    """Whether two collections of ranges share a deck."""
    others = list(theirs)
    return any(one.shared(other) for one in ours for other in others)
