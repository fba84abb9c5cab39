"""Whether a finding tests a memory on decks that the memory was recorded with."""

from holdmem.cbr import read_cases
from holdmem.core.sources import PACKAGE
from holdmem.learning.decks import DeckRange, decks_in, overlaps
from holdmem.papers.storage import StoredFinding

RECORDED_BEFORE = {
    "data/casper": DeckRange("play", 2007, "casper", 101, 198),
    "data/sartre-1": DeckRange("play", 2009, "limit", 1, 1_000_000),
    "data/sartre-2": DeckRange("play", 2009, "limit", 1, 1_000_000),
} | {
    f"data/imitator-eqm{suffix}": DeckRange("play", 2010, "nolimit" if "nl" in suffix else "limit", 1, 60_000)
    for suffix in ("", "-aggressive", "-passive", "-nl", "-nl-aggressive", "-nl-passive")
}
"""Decks of the shipped memories that were recorded before memories named their decks."""


def decks_of_memory(name: str) -> list[DeckRange]:
    """Return the decks with which a shipped memory was recorded; `name` is that of a part of a finding."""
    about = read_cases(PACKAGE / name).about
    return decks_in(about) or [RECORDED_BEFORE[name]]


def memories_of(kept: StoredFinding) -> list[str]:
    """Return the shipped memories that a finding's agents read."""
    return [part for part in kept.parts if (PACKAGE / part / "cases.json").is_file()]


def memories_seeing_their_decks(kept: StoredFinding) -> set[str]:
    """Return the memories of which a finding deals decks that they were recorded with."""
    return {name for name in memories_of(kept) if overlaps(decks_of_memory(name), kept.decks)}
