"""Data of the rules kernels: a game's rules, a hand in progress and an action, as structured arrays.

Seats are counted from the left of the button, so the last seat has the button; heads-up that is the small
blind, and seat 0 is the big blind. Sets of seats are bit masks. Chips are whole; results are stored in
fractions of a chip (see `PARTS`), so that any split among up to ten seats is exact.
"""

from holdmem.core.records import record

SEATS = 10
STREETS = 4
STREET_NAMES = ("preflop", "flop", "turn", "river")
BOARD_CARDS = (0, 3, 4, 5)
NOBODY = -1

FOLD = -1
"""Action code of a fold."""
CALL = 0
"""Action code of a check or call; a larger number is a raise to that many chips on this street."""

PARTS = 2520
"""Fractions per chip: the least common multiple of 1 to 10, so that one to ten winners split it evenly."""

MAX_ACTIONS = 64
"""Maximum actions per street, as in the ACPC dealer: a raise that could lead past it is illegal."""

UNLIMITED = 2**31 - 1
"""A stack that no hand of limit hold'em can exhaust."""


RULES = record(
    [
        ("seats", "i8"),
        ("limit", "u1"),
        ("exact_split", "u1"),  # odd chips are split; otherwise the first winning seat gets them
        ("any_raise_reopens", "u1"),  # otherwise only raises that add up to a full raise reopen the betting
        ("short_completes", "u1"),  # a raise may complete a short all-in; otherwise it is full on top of it
        ("short_counts", "u1"),  # a raise of less than the full size counts towards the cap
        ("full_blinds", "u1"),  # a blind posted short (all-in) must still be called in full
        ("big_blind", "i8"),
        ("min_bet", "i8"),  # minimum bet and raise in no-limit
        ("blind", "i8", SEATS),
        ("ante", "i8", SEATS),
        ("dead", "i8", SEATS),  # chips that a seat adds to the main pot, not to its bet
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
        ("highest", "i8"),  # highest bet on this street
        ("last_raise", "i8"),  # the largest raise increment on this street so far
        ("raise_floor", "i8"),  # the smallest total of a full raise in no-limit
        ("live", "i8"),  # seats that have not folded
        ("pending", "i8"),  # seats that still have to act on this street
        ("actions", "i8"),  # number of actions in the hand so far
        ("street_actions", "i8"),
        ("raises", "i8"),  # on this street, counted towards the cap
        ("to_act", "i8"),  # NOBODY once the hand is over; i8 because uncompiled `1 << seat` has its width
        ("street", "i1"),
        ("shown", "u1"),  # the hand ended in a showdown
        ("hole", "i1", (SEATS, 2)),
        ("board", "i1", 5),
        ("strength", "u2", SEATS),  # of the seats that reach a showdown
    ]
)

ACTION = record([("to", "i4"), ("seat", "i1"), ("street", "i1")])
