"""Scan cards, streets, and the lines of a PokerStars hand before the play: table and seats."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.history.formats.kernels.scan import (
    SPACE,
    is_word,
    known_card,
    read_number,
)
from holdmem.history.formats.kernels.stars_words import (
    CLOSE,
    COLON,
    FLOP,
    HASH,
    HIGHEST_SEAT,
    HOLE_CARDS,
    IN_CHIPS,
    IS_BUTTON,
    MOST_SEATS,
    OPEN,
    QUOTE,
    RIVER,
    ROUND,
    SEAT,
    SHOW_DOWN,
    SITTING_OUT,
    SUMMARY,
    SUMMARY_MARK,
    TABLE,
    TURN,
    find_byte,
    find_word,
    is_named,
    read_money,
)


@kernel
def read_pair(text, at, desk, seat, again):
    """Parse two hole cards and the bracket after them; return whether there are two different ones.

    Cards that are known already stay, unless `again` is set.
    """
    one, two = known_card(text, at), known_card(text, at + 3)
    if one < 0 or two < 0 or one == two or text[at + 2] != SPACE or text[at + 5] != CLOSE:
        return False
    if again or desk.hole[seat, 0] < 0:
        desk.hole[seat, 0], desk.hole[seat, 1] = one, two
    return True


@kernel
def read_street(text, at, end, desk, cards):
    """Parse the board of a street from its first card on; the last card of turn and river is apart."""
    used = np.int64(0)
    for place in range(cards):
        card = known_card(text, at)
        if card < 0 or (used >> card) & 1:
            return False
        used |= np.int64(1) << card
        desk.board[place] = card
        at += 2
        if place + 1 < cards:
            apart = cards > 3 and place + 2 == cards
            if apart and not (text[at] == CLOSE and text[at + 1] == SPACE and text[at + 2] == OPEN):
                return False
            if not apart and text[at] != SPACE:
                return False
            at += 3 if apart else 1
    return text[at] == CLOSE and at + 1 == end


@kernel
def read_section(text, at, end, desk):
    """Parse a line that begins with asterisks; return whether it is known."""
    if is_word(text, at, SUMMARY_MARK) and at + len(SUMMARY_MARK) == end:
        desk.stage = SUMMARY
        return True
    street = 0
    if is_word(text, at, FLOP):
        street, at = 1, at + len(FLOP)
    elif is_word(text, at, TURN):
        street, at = 2, at + len(TURN)
    elif is_word(text, at, RIVER):
        street, at = 3, at + len(RIVER)
    if street == 0:
        dealing = is_word(text, at, HOLE_CARDS) and at + len(HOLE_CARDS) == end
        return dealing or (is_word(text, at, SHOW_DOWN) and at + len(SHOW_DOWN) == end)
    if street != desk.street + 1:
        return False
    desk.street = street
    return read_street(text, at, end, desk, street + 2)


@kernel
def read_table(text, at, end, desk):
    """Parse the line of the table: its name and the button."""
    if not is_word(text, at, TABLE):
        return False
    desk.table_begin = at + len(TABLE)
    desk.table_end = find_byte(text, desk.table_begin, end, QUOTE)
    seat = find_word(text, desk.table_end, end, SEAT)
    if find_byte(text, desk.table_end + 1, end, QUOTE) != end or text[desk.table_end + 1] != SPACE:
        return False
    desk.button, after = read_number(text, seat + 6, end)
    number = seat < end and text[seat + 5] == HASH and 0 < desk.button <= HIGHEST_SEAT
    return number and is_word(text, after, IS_BUTTON) and after + len(IS_BUTTON) <= end


@kernel
def read_seat(text, at, end, desk):
    """Parse a line of the list of seats: number, name and stack."""
    number, after = read_number(text, at + len(SEAT), end)
    begin, amount = after + 2, find_byte(text, at, end, ROUND)
    if text[after] != COLON or text[after + 1] != SPACE or not 0 < number <= HIGHEST_SEAT:
        return False
    if amount < begin + 2 or text[amount - 1] != SPACE or desk.listed == MOST_SEATS:
        return False
    stack, after = read_money(text, amount + 1, desk)
    if stack < 0 or not is_word(text, after, IN_CHIPS):
        return False
    after += len(IN_CHIPS)
    if after != end and not (is_word(text, after, SITTING_OUT) and after + len(SITTING_OUT) == end):
        return False
    seat = desk.listed
    desk.begin[seat], desk.end[seat], desk.number[seat] = begin, amount - 1, number
    desk.stack[seat] = stack
    for other in range(seat):
        same = desk.end[other] - desk.begin[other] == desk.end[seat] - begin
        if desk.number[other] == number or (same and is_named(text, begin, desk, other)):
            return False
    desk.listed += 1
    return True
