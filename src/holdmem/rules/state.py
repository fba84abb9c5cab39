"""What the kernels work on: the rules of a game, a hand in progress, one action, as structured arrays.

Seats are counted from the left of the button, so the last seat has the button; heads-up that is the small
blind, and seat 0 the big blind. Sets of seats are bit masks. Chips are whole; results are kept in parts of a
chip (see `PARTS`), so that any split among up to ten seats is exact.
"""

from typing import Any

import numpy as np

SEATS = 10
STREETS = 4
STREET_NAMES = ("preflop", "flop", "turn", "river")
BOARD_CARDS = (0, 3, 4, 5)
NOBODY = -1

FOLD = -1
CALL = 0
"""Any larger number is a raise to that many chips on this street; a check is a call of nothing."""

PARTS = 2520
"""Parts of a chip: the smallest number that one to ten winners divide."""

MAX_ACTIONS = 64
"""Actions on one street, as in the ACPC's dealer: a raise that could lead past it is not legal."""

UNLIMITED = 2**31 - 1
"""A stack that no hand of limit hold'em can exhaust."""


def record(fields: list[Any]) -> np.dtype[Any]:
    """A structured type whose elements have their fields as attributes, compiled or not."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


RULES = record(
    [
        ("seats", "i8"),
        ("limit", "u1"),
        ("exact_split", "u1"),  # odd chips are split; otherwise the first winning seat has them
        ("any_raise_reopens", "u1"),  # otherwise only raises that add up to a full one do
        (
            "short_completes",
            "u1",
        ),  # after a short all-in the next raise completes it, or is full on top of it
        ("short_counts", "u1"),  # a raise for less than the full size counts towards the cap
        ("full_blinds", "u1"),  # a blind that is all-in for less leaves the others to call it in full
        ("big_blind", "i8"),
        ("min_bet", "i8"),  # of no-limit, and least raise
        ("blind", "i8", SEATS),
        ("ante", "i8", SEATS),
        ("dead", "i8", SEATS),  # chips that a seat adds to the main pot and to nobody's bet
        ("all_dead", "i8"),
        ("first", "i8", STREETS),
        ("max_raises", "i8", STREETS),
        ("raise_size", "i8", STREETS),
    ]
)

HAND = record(
    [
        ("stack", "i8", SEATS),
        ("bet", "i8", SEATS),  # on this street
        ("paid", "i8", SEATS),  # in the whole hand
        ("net", "i8", SEATS),  # result in parts of a chip, once the hand is over
        ("highest", "i8"),  # bet on this street
        ("last_raise", "i8"),  # the largest raise on this street so far, measured over the bet before it
        ("raise_floor", "i8"),  # the least total that a full raise may have
        ("live", "i8"),  # seats that have not folded
        ("pending", "i8"),  # seats that still have to act on this street
        ("actions", "i8"),  # so far in the hand
        ("street_actions", "i8"),
        ("raises", "i8"),  # on this street, towards the cap
        ("to_act", "i8"),  # NOBODY once the hand is over; wide, since uncompiled `1 << seat` is as wide as it
        ("street", "i1"),
        ("shown", "u1"),  # the hand ended in a showdown
        ("hole", "i1", (SEATS, 2)),
        ("board", "i1", 5),
        ("strength", "u2", SEATS),  # of those that reach a showdown
    ]
)

ACTION = record([("to", "i4"), ("seat", "i1"), ("street", "i1")])
