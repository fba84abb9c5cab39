"""Scan the actions of a PHH hand: deals, folds, calls, raises, and cards shown at the end."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL, FOLD, SEATS
from holdmem.history.formats.kernels.phh_values import (
    ACTIONS,
    END_OF_LIST,
    MINUS,
    QUOTE,
    UNSEEN,
    B,
    C,
    D,
    F,
    H,
    M,
    P,
    R,
    S,
    next_item,
)
from holdmem.history.formats.kernels.scan import (
    SPACE,
    ZERO,
    known_card,
    read_hundredths,
    read_number,
)


@kernel
def read_seat(text, at):
    """Parse p1 to p10; return the seat, or -1, and where it ends."""
    seat, after = read_number(text, at + 1, at + 3)
    fits = text[at] == P and 1 <= seat <= SEATS and text[at + 1] != ZERO
    return (seat - 1 if fits else np.int64(-1)), after


@kernel
def is_in(mask, seat):
    """Return whether the seat is in the mask."""
    return (mask >> seat) & 1 == 1


@kernel
def read_hole(text, at, row, seat, dealt):
    """Parse two hole cards; unknown ones stay as they are if the seat has cards; return whether they fit."""
    for place in range(2):
        card = known_card(text, at + 2 * place)
        if card >= 0:
            row.hole[seat, place] = card
        elif text[at + 2 * place] != UNSEEN or text[at + 2 * place + 1] != UNSEEN:
            return False
    return not is_in(dealt, seat)


@kernel
def deal_hole(text, at, row, note):
    """Parse what follows `d dh`: a seat and its cards; return the end, or -1."""
    seat, after = read_seat(text, at)
    if seat < 0 or text[after] != SPACE or not read_hole(text, after + 1, row, seat, note.dealt):
        return -1
    note.dealt |= np.int64(1) << seat
    note.acting = max(note.acting, seat)
    return after + 5


@kernel
def deal_board(text, at, row, note):
    """Parse what follows `d db`: cards of the board; return the end, or -1."""
    begin = at
    while text[at] != QUOTE:
        card = known_card(text, at)
        if card < 0 or note.board == 5:
            return -1
        row.board[note.board] = card
        note.board += 1
        at += 2
    return at if at > begin else -1


@kernel
def show(text, at, row, note, seat):
    """Parse what follows `sm`: the cards that a seat shows, if any; return the end, or -1."""
    if text[at] == QUOTE:
        return at
    if text[at] != SPACE:
        return -1
    if text[at + 1] == MINUS:
        return at + 2
    if not is_in(note.dealt, seat) or not read_hole(text, at + 1, row, seat, 0):
        return -1
    if text[at + 1] != UNSEEN and text[at + 3] != UNSEEN:
        note.shown |= np.int64(1) << seat
    return at + 5


@kernel
def read_action(text, at, note):
    """Parse what follows the seat; return the action, a raise in hundredths, and its end, or -1."""
    if text[at] == F:
        return np.int64(FOLD), at + 1
    if text[at] == C and text[at + 1] == C:
        return np.int64(CALL), at + 2
    if text[at] != C or text[at + 1] != B or text[at + 2] != R or text[at + 3] != SPACE:
        return np.int64(0), -1
    total, after = read_hundredths(text, at + 4)
    note.cents |= total % 100 != 0
    note.most = max(note.most, total)
    return total, (after if total > 0 else -1)


@kernel
def step_end(text, at, row, note, betting, actors):
    """Parse one entry of `actions`; return its end, or -1."""
    if text[at] == D and text[at + 1] == SPACE and text[at + 2] == D and text[at + 4] == SPACE:
        if text[at + 3] == H:
            return deal_hole(text, at + 5, row, note)
        return deal_board(text, at + 5, row, note) if text[at + 3] == B else -1
    seat, at = read_seat(text, at)
    if seat < 0 or text[at] != SPACE:
        return -1
    note.acting = max(note.acting, seat)
    if text[at + 1] == S and text[at + 2] == M:
        return show(text, at + 3, row, note, seat)
    action, end = read_action(text, at + 1, note)
    place = row.start + row.actions
    betting[place], actors[place] = action, seat
    row.actions += 1
    return end


@kernel
def read_actions(text, row, note, betting, actors):
    """Parse the list of actions; return whether all are of the usual form."""
    at = note.at[ACTIONS]
    while at > 0:
        if text[at + 1] != QUOTE:
            return False
        at = step_end(text, at + 2, row, note, betting, actors)
        if at < 0 or text[at] != QUOTE:
            return False
        at = next_item(text, at + 1) - 1
    return at == END_OF_LIST
