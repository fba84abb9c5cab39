"""Parse the lines of an ACPC dealer log byte by byte into rows of hands.

`STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1` gives number, betting, cards, results and names. Trailing
blanks and a remark (` # 1478520223.88`, as in DeepStack's published log) are not part of a name. Each field
has a kernel that takes the start of the field and the end of the line. It returns a fault code (`FINE` if
none) and the position where the field ends or where the fault is.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.kernels.betting import act, deal, least_raise
from holdmem.engine.state import CALL, FOLD, PARTS
from holdmem.history.formats.kernels.scan import (
    POINT,
    SPACE,
    TAB,
    begins_with,
    line_end,
    number_of,
    read_card,
    read_number,
)
from holdmem.history.kernels.replay import FINE, next_problem

LINE_KIND, NUMBER, LETTER, RAISE, STREET_MARK, CARD, MARK, RESULT, NAME = range(1, 10)
"""Faults of a line, named for what was expected at the fault."""

FAULT = record([("line", "i8"), ("at", "i8"), ("end", "i8"), ("kind", "i8")])

RETURN, HASH, MINUS, SLASH, COLON, BAR = (np.uint8(ord(mark)) for mark in "\r#-/:|")
FOLDS, CALLS, RAISES = (np.uint8(ord(letter)) for letter in "fcr")
STATE = np.frombuffer(b"STATE:", dtype=np.uint8)
SCORE = np.frombuffer(b"SCORE:", dtype=np.uint8)
MOST_CHIPS = 2**31 - 1


@kernel
def is_blank(text, at):
    """Return whether there is a space or a tab here."""
    return text[at] == SPACE or text[at] == TAB


@kernel
def told_end(text, begin, end):
    """Return the end of the line's content, before trailing blanks and before a remark set off by blanks."""
    for at in range(begin + 1, end):
        alone = at + 1 == end or is_blank(text, at + 1)
        if text[at] == HASH and is_blank(text, at - 1) and alone:
            end = at
            break
    while end > begin and (is_blank(text, end - 1) or text[end - 1] == RETURN):
        end -= 1
    return end


@kernel
def after_mark(text, at, end, mark):
    """Return `FINE` and the position after `mark` if it stands here, else `MARK` and `at`."""
    if at < end and text[at] == mark:
        return FINE, at + 1
    return MARK, at


@kernel
def read_action(rules, text, at, end, hand):
    """Parse one action, with its amount in no-limit; return -2 if it is not one, and where it ends."""
    letter = text[at]
    if letter == FOLDS:
        return FOLD, at + 1
    if letter == CALLS:
        return CALL, at + 1
    if letter != RAISES:
        return -2, at
    seat = max(hand.to_act, 0)
    if rules.limit:
        return np.int64(least_raise(rules, hand, seat)), at + 1
    total, after = read_number(text, at + 1, end)  # total over the whole hand
    street = total - (hand.paid[seat] - hand.bet[seat])
    return (street if 0 < street <= MOST_CHIPS else -2), after


@kernel
def read_betting(rules, text, at, end, hand, history, row, betting):
    """Parse the actions up to the first illegal one, which is kept so that replay can report it."""
    marks, playing, begin = 0, True, at
    while at < end and text[at] != COLON:
        if text[at] == SLASH:
            marks += 1
            at += 1
            continue
        action, after = read_action(rules, text, at, end, hand)
        if action < FOLD and playing:
            return (RAISE if text[at] == RAISES else LETTER), at
        if playing:
            if hand.to_act >= 0 and hand.street != marks:
                return STREET_MARK, at
            betting[row.start + row.actions] = action
            row.actions += 1
            playing = next_problem(rules, hand, action) == FINE
            if playing:
                act(rules, hand, action, history)
        at = max(after, at + 1)
    if playing and hand.to_act < 0 and marks != (3 if hand.shown else hand.street):
        return STREET_MARK, begin
    return after_mark(text, at, end, COLON)


@kernel
def read_cards(seats, text, at, end, row):
    """Parse two cards per seat separated by bars, then the board with a slash before each street."""
    for place in range(2 * seats):
        if place > 0 and place % 2 == 0:
            fault, at = after_mark(text, at, end, BAR)
            if fault != FINE:
                return fault, at
        card = read_card(text, at, end)
        if card < 0:
            return CARD, at
        row.hole[place // 2, place % 2] = card
        at += 2
    for place in range(5):
        if place == 0 or place >= 3:
            if at >= end or text[at] != SLASH:
                break
            at += 1
        card = read_card(text, at, end)
        if card < 0:
            return CARD, at
        row.board[place] = card
        at += 2
    return after_mark(text, at, end, COLON)


@kernel
def read_result(text, at, end):
    """Parse signed decimal chips, rounded to parts of a chip; return them and the end (`at` if no number)."""
    begin = at
    sign = np.int64(1)
    if at < end and text[at] == MINUS:
        sign, at = np.int64(-1), at + 1
    whole, after = read_number(text, at, end)
    if whole < 0 or whole > MOST_CHIPS * 10:
        return np.int64(0), begin
    at = after
    parts = whole * PARTS
    if at < end and text[at] == POINT:
        tail, after = read_number(text, at + 1, end)
        size = np.int64(10) ** (after - at - 1)
        if tail < 0 or after - at > 13:
            return np.int64(0), begin
        parts += (tail * PARTS * 2 + size) // (2 * size)
        at = after
    return sign * parts, at


@kernel
def read_results(seats, text, at, end, row):
    """Parse each seat's result, separated by bars."""
    for seat in range(seats):
        if seat > 0:
            fault, at = after_mark(text, at, end, BAR)
            if fault != FINE:
                return fault, at
        parts, after = read_result(text, at, end)
        if after == at:
            return RESULT, at
        row.net[seat] = parts
        at = after
    row.scored = 1
    return after_mark(text, at, end, COLON)


@kernel
def read_names(seats, text, at, end, row, names, known, slots):
    """Parse the names by seat, separated by bars, up to the end of the line; also return the name count."""
    for seat in range(seats):
        begin = at
        while at < end and text[at] != BAR and text[at] != COLON:
            at += 1
        if at == begin:
            return NAME, at, known
        row.player[seat] = number_of(text, begin, at, names, known, slots)
        known = max(known, row.player[seat] + 1)
        if seat + 1 < seats:
            fault, at = after_mark(text, at, end, BAR)
            if fault != FINE:
                return fault, at, known
    return (FINE if at == end else NAME), at, known


@kernel
def read_state(rules, deck, text, at, end, hand, history, row, betting):
    """Parse one line up to, but excluding, the names."""
    number, after = read_number(text, at, end)
    if number < 0:
        return NUMBER, at
    row.number = number
    fault, at = after_mark(text, after, end, COLON)
    if fault == FINE:
        deal(rules, row.stack, deck, hand)
        fault, at = read_betting(rules, text, at, end, hand, history, row, betting)
    if fault == FINE:
        fault, at = read_cards(rules.seats, text, at, end, row)
    if fault == FINE:
        fault, at = read_results(rules.seats, text, at, end, row)
    return fault, at


@kernel
def clear(row, stacks, start, line):
    """Reset a row to unknown values, except for stacks, start in the betting, and line number."""
    row.number = row.time = -1
    row.line, row.start = line, start
    row.rake = row.actions = row.terms = row.table = row.source = row.scored = 0
    for seat in range(len(row.stack)):
        row.stack[seat] = stacks[seat] if seat < len(stacks) else 0
        row.net[seat] = 0
        row.player[seat] = row.hole[seat, 0] = row.hole[seat, 1] = -1
    for place in range(5):
        row.board[place] = row.second[place] = -1


@kernel
def read_lines(rules, stacks, deck, text, line, hand, history, rows, betting, names, slots, faults):
    """Parse all lines of the text, the first of which has number `line`.

    Returns the numbers of rows, actions, names and faults. A line with a fault makes no row.
    """
    kept, actions, known, wrong, begin = 0, 0, 0, 0, 0
    while begin < len(text):
        full = line_end(text, begin)
        end = told_end(text, begin, full)
        fault, at = FINE, begin
        if begins_with(text, begin, end, STATE):
            row = rows[kept]
            clear(row, stacks, actions, line)
            fault, at = read_state(rules[0], deck, text, begin + 6, end, hand[0], history, row, betting)
            if fault == FINE:
                fault, at, known = read_names(rules[0].seats, text, at, end, row, names, known, slots)
            if fault == FINE:
                kept, actions = kept + 1, actions + row.actions
        elif end > begin and text[begin] != HASH and not begins_with(text, begin, end, SCORE):
            fault = LINE_KIND
        if fault != FINE:
            faults[wrong].line, faults[wrong].kind = line, fault
            faults[wrong].at, faults[wrong].end = at, end
            wrong += 1
        begin, line = full + 1, line + 1
    return kept, actions, known, wrong
