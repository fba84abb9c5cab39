"""Words of PokerStars text as bytes, what is noted of a hand, and amounts and names in its lines."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.history.formats.kernels.scan import (
    SPACE,
    is_word,
    read_hundredths,
)

MARGIN = 64
MOST_SEATS = 12
MOST_DEEDS = 256
HIGHEST_SEAT = 20

FOLDS, CHECKS, CALLS, BETS, RAISES, SMALL, BIG, ANTE = range(8)

DESK = record(
    [
        ("begin", "i8", MOST_SEATS),  # where each name begins and ends
        ("end", "i8", MOST_SEATS),
        ("number", "i8", MOST_SEATS),  # seat number at the site
        ("stack", "i8", MOST_SEATS),
        ("back", "i8", MOST_SEATS),  # uncalled bet returned
        ("won", "i8", MOST_SEATS),
        ("dealt", "i8", MOST_SEATS),  # whether the player has an action
        ("hole", "i1", (MOST_SEATS, 2)),
        ("listed", "i8"),  # number of players in the list of seats
        ("button", "i8"),
        ("deeds", "i8"),
        ("street", "i8"),
        ("board", "i1", 5),
        ("pot", "i8"),
        ("rake", "i8"),
        ("table_begin", "i8"),
        ("table_end", "i8"),
        ("stage", "i8"),
        ("whole", "u1"),  # all amounts are whole
    ]
)
"""What the lines of one hand say; one is used for all hands in turn."""

DEED = record([("seat", "i8"), ("verb", "i8"), ("chips", "i8"), ("total", "i8"), ("street", "i8")])

TABLE_LINE, SEAT_LINES, PLAY, SUMMARY, ENDED = range(5)
"""Stages of a hand, in order."""


def _word(text):
    return np.frombuffer(text.encode(), dtype=np.uint8)


OPEN, CLOSE, QUOTE, COLON, HASH, ROUND, SHUT, BAR, DOLLAR = (np.uint8(ord(mark)) for mark in "[]':#()|$")
EURO, POUND = _word("€"), _word("£")
SEAT, TABLE, IS_BUTTON, IN_CHIPS = map(_word, ("Seat ", "Table '", " is the button", " in chips)"))
SITTING_OUT, WINS = map(_word, (" is sitting out", " wins "))
STARS, HOLE_CARDS, SHOW_DOWN, SUMMARY_MARK = map(
    _word, ("*** ", "*** HOLE CARDS ***", "*** SHOW DOWN ***", "*** SUMMARY ***")
)
FLOP, TURN, RIVER = map(_word, ("*** FLOP *** [", "*** TURN *** [", "*** RIVER *** ["))
UNCALLED, RETURNED, DEALT = map(_word, ("Uncalled bet (", ") returned to ", "Dealt to "))
COLLECTED, FROM, POT, MAIN_POT, SIDE_POT = map(
    _word, (" collected ", " from ", "pot", "main pot", "side pot")
)
DOES_FOLD, DOES_CHECK, DOES_CALL, DOES_BET, DOES_RAISE, TO, ALL_IN = map(
    _word, ("folds", "checks", "calls ", "bets ", "raises ", " to ", " and is all-in")
)
POSTS_SMALL, POSTS_BIG, POSTS_ANTE = map(_word, ("posts small blind ", "posts big blind ", "posts the ante "))
SHOWS, MUCKS, HIDES = map(_word, ("shows [", "mucks hand", "doesn't show hand"))
TOTAL_POT, RAKE, BOARD, SHOWED, MUCKED, CASHED = map(
    _word, ("Total pot ", "| Rake ", "Board [", "showed [", "mucked [", "cashed out")
)


@kernel
def read_money(text, at, desk):
    """Parse an amount in hundredths after a currency sign, if any; return it, or -1, and where it ends."""
    if text[at] == DOLLAR:
        at += 1
    elif is_word(text, at, EURO):
        at += 3
    elif is_word(text, at, POUND):
        at += 2
    value, at = read_hundredths(text, at)
    desk.whole &= value % 100 == 0
    return value, at


@kernel
def is_plain(text, at, end):
    """Return whether a line has only printable ASCII and signs of currencies."""
    while at < end:
        if is_word(text, at, EURO):
            at += 3
        elif is_word(text, at, POUND):
            at += 2
        elif SPACE <= text[at] < 127:
            at += 1
        else:
            return False
    return True


@kernel
def find_byte(text, at, end, byte):
    """Return the first position of a byte in the line, or `end`."""
    while at < end and text[at] != byte:
        at += 1
    return at


@kernel
def find_word(text, at, end, word):
    """Return the first position of a word in the line, or `end`."""
    while at < end and not (at + len(word) <= end and is_word(text, at, word)):
        at += 1
    return at


@kernel
def is_named(text, at, desk, seat):
    """Return whether the name of this player stands here."""
    begin, length = desk.begin[seat], desk.end[seat] - desk.begin[seat]
    same = 0
    while same < length and text[at + same] == text[begin + same]:
        same += 1
    return same == length


@kernel
def who(text, at, desk, colon):
    """Return the player with the longest name that stands here, before a colon if so asked, or -1."""
    found = -1
    for seat in range(desk.listed):
        after = at + desk.end[seat] - desk.begin[seat]
        if is_named(text, at, desk, seat) and (
            not colon or (text[after] == COLON and text[after + 1] == SPACE)
        ):
            longest = desk.end[found] - desk.begin[found] if found >= 0 else -1
            found = seat if after - at > longest else found
    return found
