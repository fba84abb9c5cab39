"""Merge the letters of the players of a hand of the IRC database into one sequence of actions.

The engine says whose turn it is; each player has a string of letters per street. Where anything does not fit,
`merge_letters` of the careful reader finds out what.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal, with_chips
from holdmem.engine.state import CALL, FOLD, SEATS, STREETS
from holdmem.history.kernels.replay import FINE, next_problem

SPACE, DASH = np.uint8(ord(" ")), np.uint8(ord("-"))
BLIND, FOLDS, CHECKS, CALLS, BETS, RAISES, ALL_IN, QUITS, KICKED = (
    np.uint8(ord(letter)) for letter in "BfkcbrAQK"
)


@kernel
def find_strings(text, seats, begin, end):
    """Find the letters of each seat and street, separated by spaces; return whether there are enough."""
    at = 0
    for seat in range(seats):
        for street in range(STREETS):
            begin[seat, street] = at
            while at < len(text) and text[at] != SPACE:
                at += 1
            end[seat, street] = at
            if at == begin[seat, street]:
                return False
            if at == begin[seat, street] + 1 and text[at - 1] == DASH:
                begin[seat, street] = at
            at += 1
    return at == len(text) + 1


@kernel
def is_letter(byte):
    """Return whether this byte stands for something a player does."""
    return byte in (BLIND, FOLDS, CHECKS, CALLS, BETS, RAISES, ALL_IN, QUITS, KICKED)


@kernel
def next_letter(text, at, first, end):
    """Return where the next action is, or `end`; blinds and an A that only marks an all-in are none."""
    while at < end and (text[at] == BLIND or (text[at] == ALL_IN and at > first)):
        at += 1
    return at


@kernel
def leaves(byte):
    """Return whether this letter says that the player folds or has left."""
    return byte in (FOLDS, QUITS, KICKED)


@kernel
def action_of(rules, hand, seat, letter):
    """Return the engine's action for a letter."""
    if leaves(letter):
        return np.int64(FOLD)
    if letter in (CHECKS, CALLS):
        return np.int64(CALL)
    total = min(hand.highest + rules.raise_size[hand.street], hand.bet[seat] + hand.stack[seat])
    return total if total > hand.highest else np.int64(CALL)


@kernel
def are_over(text, at, first, end, seats):
    """Return whether no letters are left but those of players who left."""
    done = True
    for seat in range(seats):
        for street in range(STREETS):
            place = next_letter(text, at[seat, street], first[seat, street], end[seat, street])
            while place < end[seat, street]:
                done &= text[place] in (QUITS, KICKED)
                place = next_letter(text, place + 1, first[seat, street], end[seat, street])
    return done


@kernel
def play_letters(rules, text, at, first, end, hand, history, over, betting):
    """Play all letters in turn; return the number of actions, or -1 if one is missing or illegal."""
    count = 0
    while hand.to_act >= 0:
        seat, street = hand.to_act, hand.street
        answered = with_chips(hand, hand.live & ~(np.int64(1) << seat)) != 0
        place = next_letter(text, at[seat, street], first[seat, street], end[seat, street])
        if place < end[seat, street]:
            letter = text[place]
            at[seat, street] = end[seat, street] if leaves(letter) else place + 1
        elif hand.bet[seat] == hand.highest and not answered:
            letter = CHECKS
        else:
            return -1
        action = action_of(rules, hand, seat, letter)
        if action > 0 and not answered:
            over[seat], action = action - hand.highest, np.int64(CALL)
        if count == len(betting) or next_problem(rules, hand, action) != FINE:
            return -1
        betting[count] = action
        count += 1
        act(rules, hand, action, history)
    return count


@kernel
def merge(rules, text, stacks, paid, deck, hand, history, betting):
    """Write the actions of a hand in order; return their number, or -1 if the letters do not fit.

    `text` has the letters of every seat and street, `paid` what each seat is recorded to have paid.
    """
    seats = rules[0].seats
    first, end = np.empty((SEATS, STREETS), np.int64), np.empty((SEATS, STREETS), np.int64)
    if not find_strings(text, seats, first, end):
        return -1
    for seat in range(seats):
        for street in range(STREETS):
            for place in range(first[seat, street], end[seat, street]):
                if not is_letter(text[place]):
                    return -1
    at, over = first.copy(), np.zeros(SEATS, np.int64)
    deal(rules[0], stacks, deck, hand[0])
    count = play_letters(rules[0], text, at, first, end, hand[0], history, over, betting)
    if count < 0 or not are_over(text, at, first, end, seats):
        return -1
    for seat in range(seats):
        if hand[0].paid[seat] + over[seat] != paid[seat]:
            return -1
    return count
