"""Hands that were read before: the same number of the same site, whatever file it stands in.

A site gives out each number once. The number of a hand without a site says nothing: dealers of the ACPC count
every match from 0, and so do we. Two words of 64 bits are kept of each hand, a hash of site and number and a
hash of stacks, board and betting; hole cards are not in it, since each player saw others.
"""

import hashlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from holdmem.history.duplicate_kernels import NEW, OTHER, SAME, note_all
from holdmem.history.records import UNKNOWN, Hands

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

ROOM = 1 << 12
"""Places in the table of a reading that has just begun."""


@dataclass
class Seen:
    """Which hands were read so far."""

    count: int = 0
    _keys: Ints = field(default_factory=lambda: np.zeros(ROOM, dtype=np.int64))
    _contents: Ints = field(default_factory=lambda: np.zeros(ROOM, dtype=np.int64))

    def note(self, hands: Hands, which: NDArray[np.bool_]) -> NDArray[np.int8]:
        """For each hand NEW, SAME or OTHER; those not in `which` and those without a site are NEW."""
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
        """Keep the table less than half full."""
        size = len(self._keys)
        while 2 * (self.count + more) > size:
            size *= 2
        if size == len(self._keys):
            return
        held = self._keys != 0
        keys, contents = self._keys[held], self._contents[held]
        self._keys, self._contents = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        note_all(keys, contents, self._keys, self._contents, np.empty(len(keys), dtype=np.int8))


def _mixed(words: NDArray[np.generic]) -> Words:
    """Words whose every bit depends on every bit of these: the end of SplitMix64 (Steele et al. 2014)."""
    mixed = words.astype(np.uint64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _keys(hands: Hands) -> Ints:
    """A positive word for the site and number of each hand."""
    digests = [hashlib.blake2b(site.encode(errors="replace"), digest_size=8).digest() for site in hands.sites]
    sites = np.frombuffer(b"".join(digests), dtype=np.uint64)[hands.rows["site"]]
    return _positive(_mixed(sites ^ _mixed(hands.rows["number"])))


def _contents(hands: Hands) -> Ints:
    """A positive word for what was done in each hand, which must be packed."""
    rows, counts = hands.rows, hands.rows["actions"].astype(np.int64)
    step = np.arange(len(hands.betting)) - np.repeat(rows["start"], counts)
    sums = np.append(np.uint64(0), np.cumsum(_mixed((step << 32) + hands.betting), dtype=np.uint64))
    total = sums[rows["start"] + counts] - sums[rows["start"]]
    for column in (*rows["board"].T, *(rows["stack"] * hands.seated).T):
        total = _mixed(total ^ _mixed(column)) + np.uint64(1)
    return _positive(total)


def _positive(words: Words) -> Ints:
    return (words >> np.uint64(1) | np.uint64(1)).astype(np.int64)


__all__ = ["NEW", "OTHER", "SAME", "Seen"]
