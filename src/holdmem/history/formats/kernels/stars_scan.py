"""Scan PokerStars text byte by byte: tokens of the lines of one hand, for hands written in the usual way.

A hand is left to the careful reader as soon as one of its lines is not exactly of a form that is known here.
Amounts are kept in hundredths until the header says what a chip is. The text ends with `MARGIN` newlines, so
that looking a few bytes ahead is safe.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.history.formats.kernels.scan import (
    SPACE,
    is_word,
    read_number,
)
from holdmem.history.formats.kernels.stars_seating import (
    read_pair,
    read_seat,
    read_section,
    read_table,
)
from holdmem.history.formats.kernels.stars_words import (
    ALL_IN,
    ANTE,
    BETS,
    BIG,
    BOARD,
    CALLS,
    CASHED,
    CHECKS,
    COLLECTED,
    COLON,
    DEALT,
    DOES_BET,
    DOES_CALL,
    DOES_CHECK,
    DOES_FOLD,
    DOES_RAISE,
    ENDED,
    FOLDS,
    FROM,
    HIDES,
    MAIN_POT,
    MOST_DEEDS,
    MUCKED,
    MUCKS,
    OPEN,
    PLAY,
    POSTS_ANTE,
    POSTS_BIG,
    POSTS_SMALL,
    POT,
    RAISES,
    RAKE,
    RETURNED,
    SEAT,
    SEAT_LINES,
    SHOWED,
    SHOWS,
    SIDE_POT,
    SMALL,
    STARS,
    SUMMARY,
    TABLE,
    TABLE_LINE,
    TO,
    TOTAL_POT,
    UNCALLED,
    WINS,
    find_byte,
    find_word,
    is_plain,
    read_money,
    who,
)


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
