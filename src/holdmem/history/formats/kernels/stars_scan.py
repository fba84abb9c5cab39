"""Scan PokerStars text byte by byte: tokens of the lines of one hand, for hands written in the usual way.

A hand is left to the careful reader as soon as one of its lines is not exactly of a form that is known here.
Amounts are kept in hundredths until the header says what a chip is. The text ends with `MARGIN` newlines, so
that looking a few bytes ahead is safe.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.history.formats.kernels.scan import (
    SPACE,
    is_word,
    known_card,
    read_hundredths,
    read_number,
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


# Cards


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


# Lines before the play


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


# Lines of the play


@kernel
def add_deed(desk, deeds, seat, verb, chips, total):
    """Append an action or a post; return whether there is room."""
    if desk.deeds == MOST_DEEDS:
        return False
    deed = deeds[desk.deeds]
    deed.seat, deed.verb, deed.chips, deed.total, deed.street = seat, verb, chips, total, desk.street
    desk.deeds += 1
    desk.dealt[seat] = 1
    return True


@kernel
def paying(text, at, end, desk, deeds, seat, verb):
    """Parse the amount of an action or a post; return whether the line ends with it."""
    chips, at = read_money(text, at, desk)
    total = np.int64(0)
    if verb == RAISES:
        if not is_word(text, at, TO):
            return False
        total, at = read_money(text, at + len(TO), desk)
    if verb < SMALL and is_word(text, at, ALL_IN):
        at += len(ALL_IN)
    return at == end and chips > 0 and total >= 0 and add_deed(desk, deeds, seat, verb, chips, total)


@kernel
def read_deed(text, at, end, desk, deeds, seat):
    """Parse what follows a name and a colon: an action, a post or shown cards."""
    if is_word(text, at, DOES_FOLD):
        return at + len(DOES_FOLD) == end and add_deed(desk, deeds, seat, FOLDS, 0, 0)
    if is_word(text, at, DOES_CHECK):
        return at + len(DOES_CHECK) == end and add_deed(desk, deeds, seat, CHECKS, 0, 0)
    if is_word(text, at, DOES_CALL):
        return paying(text, at + len(DOES_CALL), end, desk, deeds, seat, CALLS)
    if is_word(text, at, DOES_BET):
        return paying(text, at + len(DOES_BET), end, desk, deeds, seat, BETS)
    if is_word(text, at, DOES_RAISE):
        return paying(text, at + len(DOES_RAISE), end, desk, deeds, seat, RAISES)
    if is_word(text, at, POSTS_SMALL):
        return paying(text, at + len(POSTS_SMALL), end, desk, deeds, seat, SMALL)
    if is_word(text, at, POSTS_BIG):
        return paying(text, at + len(POSTS_BIG), end, desk, deeds, seat, BIG)
    if is_word(text, at, POSTS_ANTE):
        return paying(text, at + len(POSTS_ANTE), end, desk, deeds, seat, ANTE)
    if is_word(text, at, SHOWS):
        return read_pair(text, at + len(SHOWS), desk, seat, False)
    mucks = is_word(text, at, MUCKS) and at + len(MUCKS) == end
    return mucks or (is_word(text, at, HIDES) and at + len(HIDES) == end)


@kernel
def read_uncalled(text, at, end, desk):
    """Parse what follows "Uncalled bet (": an amount and a name."""
    chips, at = read_money(text, at, desk)
    if chips <= 0 or not is_word(text, at, RETURNED):
        return False
    at += len(RETURNED)
    seat = who(text, at, desk, False)
    if seat < 0 or at + desk.end[seat] - desk.begin[seat] != end:
        return False
    desk.back[seat] += chips
    return True


@kernel
def read_dealt(text, at, end, desk):
    """Parse what follows "Dealt to": a name and two cards."""
    seat = who(text, at, desk, False)
    if seat < 0:
        return False
    after = at + desk.end[seat] - desk.begin[seat]
    fits = text[after] == SPACE and text[after + 1] == OPEN and after + 8 == end
    return fits and read_pair(text, after + 2, desk, seat, True)


@kernel
def read_collected(text, at, end, desk):
    """Parse a line that says what a player collected."""
    seat = who(text, at, desk, False)
    if seat < 0:
        return False
    after = at + desk.end[seat] - desk.begin[seat]
    if not is_word(text, after, COLLECTED):
        return False
    chips, after = read_money(text, after + len(COLLECTED), desk)
    if chips < 0 or not is_word(text, after, FROM):
        return False
    after += len(FROM)
    desk.won[seat] += chips
    return is_word(text, after, POT) or is_word(text, after, MAIN_POT) or is_word(text, after, SIDE_POT)


@kernel
def is_remark(text, at, end):
    """Return whether a line concerns neither cards nor chips: chat, or players who come and go."""
    if is_word(text, at, SEAT) or is_word(text, at, TABLE):
        return False
    return find_word(text, at, end, COLLECTED) == end and find_word(text, at, end, WINS) == end


@kernel
def read_play(text, at, end, desk, deeds):
    """Parse a line of the play; return whether it is known."""
    if is_word(text, at, STARS):
        return read_section(text, at, end, desk)
    seat = who(text, at, desk, True)
    if seat >= 0:
        return read_deed(text, at + desk.end[seat] - desk.begin[seat] + 2, end, desk, deeds, seat)
    if is_word(text, at, UNCALLED):
        return read_uncalled(text, at + len(UNCALLED), end, desk)
    if is_word(text, at, DEALT):
        return read_dealt(text, at + len(DEALT), end, desk)
    return is_remark(text, at, end) or read_collected(text, at, end, desk)


# The summary


@kernel
def read_total(text, at, end, desk):
    """Parse what follows "Total pot": pot and rake."""
    desk.pot, at = read_money(text, at, desk)
    if desk.pot < 0 or text[at] != SPACE:
        return False
    at = find_word(text, at, end, RAKE)
    desk.rake, after = read_money(text, at + len(RAKE), desk)
    return at < end and desk.rake >= 0 and after == end


@kernel
def read_summary_seat(text, at, end, desk):
    """Parse a seat's line of the summary, of which only shown cards count."""
    number, after = read_number(text, at + len(SEAT), end)
    cards = find_byte(text, at, end, OPEN)
    if number < 0 or text[after] != COLON or find_word(text, at, end, CASHED) != end:
        return False
    if cards == end:
        return True
    shown = is_word(text, cards - 7, SHOWED) or is_word(text, cards - 7, MUCKED)
    if not shown or find_byte(text, cards + 1, end, OPEN) != end:
        return False
    for seat in range(desk.listed):
        if desk.number[seat] == number:
            return read_pair(text, cards + 1, desk, seat, False)
    return False


@kernel
def read_summary(text, at, end, desk):
    """Parse a line of the summary; return whether it is known."""
    if is_word(text, at, TOTAL_POT):
        return desk.pot < 0 and read_total(text, at + len(TOTAL_POT), end, desk)
    if is_word(text, at, SEAT):
        return read_summary_seat(text, at, end, desk)
    return is_word(text, at, BOARD)


@kernel
def read_line(text, at, end, desk, deeds):
    """Parse any line but the header, without blanks around it; return whether it is known."""
    if at == end:
        desk.stage = ENDED if desk.stage == SUMMARY else desk.stage
        return desk.stage == ENDED
    if desk.stage == ENDED or not is_plain(text, at, end):
        return False
    if desk.stage == TABLE_LINE:
        desk.stage = SEAT_LINES
        return read_table(text, at, end, desk)
    if desk.stage == SEAT_LINES:
        if is_word(text, at, SEAT):
            return read_seat(text, at, end, desk)
        desk.stage = PLAY
    if desk.stage == PLAY:
        return read_play(text, at, end, desk, deeds)
    return read_summary(text, at, end, desk)
