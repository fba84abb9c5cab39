"""Parse bytes of text: lines, numbers, cards and names, for the compiled readers of several formats."""

from typing import Any, NamedTuple

import numpy as np

from holdmem.cards.notation import RANKS, SUITS
from holdmem.core.jit import kernel
from holdmem.core.records import record

SPAN = record([("begin", "i8"), ("end", "i8")])
"""Where a name stands in the text."""


class InternTable(NamedTuple):
    """Distinct texts: their spans, a hash table, and their number so far."""

    spans: Any
    slots: Any
    count: Any


NEWLINE = np.uint8(ord("\n"))
SPACE, TAB, POINT = (np.uint8(ord(mark)) for mark in " \t.")
ZERO, NINE = np.uint8(ord("0")), np.uint8(ord("9"))
LARGEST = 10**18


def _places(letters):
    places = np.full(256, -1, dtype=np.int8)
    for place, letter in enumerate(letters):
        places[ord(letter)] = place
    return places


RANK_OF, SUIT_OF = _places(RANKS), _places(SUITS)


def word_table(words):
    """Return words as rows of bytes, and their lengths, for `matching_word`."""
    table = np.zeros((len(words), max(map(len, words))), dtype=np.uint8)
    for row, word in zip(table, words, strict=True):
        row[: len(word)] = np.frombuffer(word.encode(), dtype=np.uint8)
    return table, np.array([len(word) for word in words], dtype=np.int64)


@kernel
def line_end(text, begin):
    """Return the end of the line that begins here, excluding the newline."""
    end = begin
    while end < len(text) and text[end] != NEWLINE:
        end += 1
    return end


@kernel
def begins_with(text, begin, end, word):
    """Return whether the line begins with these bytes."""
    if end - begin < len(word):
        return False
    same = 0
    while same < len(word) and text[begin + same] == word[same]:
        same += 1
    return same == len(word)


@kernel
def read_number(text, at, end):
    """Parse a whole number; return it, or -1 if there is none or it is too large, and where it ends."""
    begin, value = at, 0
    while at < end and ZERO <= text[at] <= NINE:
        value = 10 * value + np.int64(text[at] - ZERO) if value < LARGEST // 10 else LARGEST
        at += 1
    return (value if at > begin and value < LARGEST else -1), at


@kernel
def known_card(text, at):
    """Parse the two-letter card here; return -1 if it is not one. The text must be longer."""
    rank, suit = RANK_OF[text[at]], SUIT_OF[text[at + 1]]
    return np.int64(4) * rank + suit if rank >= 0 and suit >= 0 else np.int64(-1)


@kernel
def read_card(text, at, end):
    """Parse the two-letter card here; return -1 if it is not one."""
    return known_card(text, at) if at + 2 <= end else np.int64(-1)


@kernel
def same_bytes(text, one, other, length):
    """Return whether two byte ranges of this length are equal."""
    same = 0
    while same < length and text[one + same] == text[other + same]:
        same += 1
    return same == length


@kernel
def number_of(text, begin, end, names, known, slots):
    """Return the index of the name here, `known` if it is new; `slots` is a hash table of known names."""
    place = np.int64(5381)
    for at in range(begin, end):
        place = (place * 33 + np.int64(text[at])) & 0xFFFFFFFF
    place &= len(slots) - 1
    while slots[place] >= 0:
        name = names[slots[place]]
        if name.end - name.begin == end - begin and same_bytes(text, name.begin, begin, end - begin):
            return np.int64(slots[place])
        place = (place + 1) & (len(slots) - 1)
    slots[place] = known
    names[known].begin, names[known].end = begin, end
    return np.int64(known)


@kernel
def is_word(text, at, word):
    """Return whether these bytes stand here; the text must be longer."""
    same = 0
    while same < len(word) and text[at + same] == word[same]:
        same += 1
    return same == len(word)


@kernel
def matching_word(text, begin, end, words, lengths):
    """Return the index of the word that stands here among the rows of a `word_table`, or -1."""
    for k in range(len(lengths)):
        if lengths[k] == end - begin and text[begin] == words[k, 0]:
            same = 1
            while same < lengths[k] and text[begin + same] == words[k, same]:
                same += 1
            if same == lengths[k]:
                return k
    return -1


@kernel
def read_hundredths(text, at):
    """Parse an amount of at most 12 digits and two decimals; return hundredths, or -1, and where it ends.

    Like TOML, it accepts no leading zeros. The text must be longer.
    """
    begin, value = at, np.int64(0)
    while ZERO <= text[at] <= NINE and at - begin < 13:
        value, at = 10 * value + np.int64(text[at] - ZERO), at + 1
    if at == begin or at - begin > 12 or (text[begin] == ZERO and at - begin > 1):
        return np.int64(-1), at
    if text[at] != POINT:
        return 100 * value, at
    point = at
    for _ in range(2):
        value *= 10
        if ZERO <= text[at + 1] <= NINE and at - point < 2:
            value, at = value + np.int64(text[at + 1] - ZERO), at + 1
    fits = at > point and not ZERO <= text[at + 1] <= NINE
    return (value if fits else np.int64(-1)), at + 1


@kernel
def intern(text, begin, end, names):
    """Return the index of a text among the distinct ones."""
    found = number_of(text, begin, end, names.spans, names.count[0], names.slots)
    names.count[0] = max(names.count[0], found + 1)
    return found
