"""Detect hands that were read before: same site and same hand number, in whatever file.

A site assigns each number once. The number of a hand without a site identifies nothing: ACPC dealers count
every match from 0, and so does HoldMem. Two 64-bit words are kept per hand: a hash of site and number, and a
hash of stacks, board and betting. Hole cards are not hashed, because each player saw different ones.
"""

import hashlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from holdmem.core.types import Ints
from holdmem.history.hands import UNKNOWN, Hands
from holdmem.history.kernels.duplicates import NEW, OTHER, SAME, note_all

HashWords = NDArray[np.uint64]

ROOM = 1 << 12
"""Initial capacity of the hash table."""


@dataclass
class DuplicateIndex:
    """Hash table of the hands read so far."""

    count: int = 0
    _keys: Ints = field(default_factory=lambda: np.zeros(ROOM, dtype=np.int64))
    _contents: Ints = field(default_factory=lambda: np.zeros(ROOM, dtype=np.int64))

    def note(self, hands: Hands, which: NDArray[np.bool_]) -> NDArray[np.int8]:
        """Classify each hand as NEW, SAME or OTHER and remember it.

        Hands outside `which`, and hands without a site or number, are NEW and are not remembered.
        """
        states = np.full(len(hands), NEW, dtype=np.int8)
        numbered = np.array([bool(site) for site in hands.sites], dtype=np.bool_)[hands.rows["site"]]
        places = np.flatnonzero(which & numbered & (hands.rows["number"] != UNKNOWN))
        if not len(places):
            return states
        self._make_room(len(places))
        found = np.empty(len(places), dtype=np.int8)
        chosen = hands[places].packed()
        note_all(_keys(chosen), _contents(chosen), self._keys, self._contents, found)
        self.count += int((found == NEW).sum())
        states[places] = found
        return states

    def _make_room(self, more: int) -> None:
        """Grow the table so that it stays at most four fifths full: 20 million hands take 0.5 GB."""
        size = len(self._keys)
        while 5 * (self.count + more) > 4 * size:
            size *= 2
        if size == len(self._keys):
            return
        held = self._keys != 0
        keys, contents = self._keys[held], self._contents[held]
        self._keys, self._contents = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        note_all(keys, contents, self._keys, self._contents, np.empty(len(keys), dtype=np.int8))


def _mixed(words: NDArray[np.generic]) -> HashWords:
    """Mix bits so that each depends on every input bit: the finalizer of SplitMix64 (Steele et al. 2014)."""
    mixed = words.astype(np.uint64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _keys(hands: Hands) -> Ints:
    """Return a positive hash of the site and number of each hand."""
    digests = [hashlib.blake2b(site.encode(errors="replace"), digest_size=8).digest() for site in hands.sites]
    sites = np.frombuffer(b"".join(digests), dtype=np.uint64)[hands.rows["site"]]
    return _positive(_mixed(sites ^ _mixed(hands.rows["number"])))


def _contents(hands: Hands) -> Ints:
    """Return a positive hash of the stacks, board and betting of each hand; `hands` must be packed."""
    rows, counts = hands.rows, hands.rows["actions"].astype(np.int64)
    step = np.arange(len(hands.betting)) - np.repeat(rows["start"], counts)
    sums = np.append(np.uint64(0), np.cumsum(_mixed((step << 32) + hands.betting), dtype=np.uint64))
    total = sums[rows["start"] + counts] - sums[rows["start"]]
    for column in (*rows["board"].T, *(rows["stack"] * hands.seated).T):
        total = _mixed(total ^ _mixed(column)) + np.uint64(1)
    return _positive(total)


def _positive(words: HashWords) -> Ints:
    return (words >> np.uint64(1) | np.uint64(1)).astype(np.int64)


__all__ = ["NEW", "OTHER", "SAME", "DuplicateIndex"]
