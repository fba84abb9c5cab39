"""Kernels: classify what hole cards make with a board, and what a board makes possible. See `hand_types`."""

import numpy as np

from holdmem.core.jit import kernel

(
    HIGH_CARD, ONE_OVERCARD, TWO_OVERCARDS, BOARD_PAIR, BOARD_PAIR_OVERCARD,
    LOW_PAIR, MIDDLE_PAIR, TOP_PAIR, OVER_PAIR,
    BOARD_TWO_PAIR, LOW_PAIR_AND_BOARD_PAIR, HIGH_PAIR_AND_BOARD_PAIR, TWO_PAIR,
    BOARD_TRIPS, TRIPS, SET,
    BOARD_STRAIGHT, ONE_CARD_STRAIGHT, TWO_CARD_STRAIGHT,
    BOARD_FLUSH, ONE_CARD_FLUSH, TWO_CARD_FLUSH,
    BOARD_FULL_HOUSE, FULL_HOUSE, BOARD_QUADS, QUADS, STRAIGHT_FLUSH,
) = range(27)  # fmt: skip
"""Made hands, in ascending order of the nine poker categories."""

NO_DRAW, GUTSHOT, OPEN_ENDED, FLUSH_DRAW, FLUSH_AND_STRAIGHT_DRAW = range(5)
DRAWS = 5

WINDOW = 31
"""Bit mask of five consecutive ranks; ten such windows exist, as the ace counts low and high."""


@kernel
def with_low_ace(ranks):
    """Return a rank mask as 14 bits, with the ace at both ends."""
    return (ranks << 1) | (ranks >> 12)


@kernel
def best_window(ranks):
    """Return the highest window of five consecutive ranks that is complete, 0 to 9, or -1."""
    line = with_low_ace(ranks)
    for window in range(9, -1, -1):
        if (line >> window) & WINDOW == WINDOW:
            return window
    return -1


@kernel
def bits(mask):
    """Return the number of set bits."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def highest(mask):
    """Return the position of the highest set bit, or -1 if there is none."""
    place = -1
    while mask:
        mask >>= 1
        place += 1
    return place


@kernel
def lowest(mask):
    """Return the position of the lowest set bit; the mask must not be empty."""
    place = 0
    while not (mask >> place) & 1:
        place += 1
    return place


@kernel
def ranks_and_counts(cards, count, suits):
    """Return masks of the ranks that occur at least once, twice, three and four times.

    The ranks of each suit are added to `suits`.
    """
    once = twice = thrice = four = np.int64(0)
    for place in range(count):
        card = np.int64(cards[place])
        bit = np.int64(1) << (card >> 2)
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
        suits[card & 3] |= bit
    return once, twice, thrice, four


@kernel
def overcards(hole_ranks, board_ranks):
    """Return the number of hole cards above the whole board; the hole cards must not be a pair."""
    return bits(hole_ranks >> (highest(board_ranks) + 1))


@kernel
def own_pair(rank, board_ranks):
    """Classify a pair that includes a hole card by its position on the board."""
    top = highest(board_ranks)
    if rank > top:
        return OVER_PAIR
    if rank == top:
        return TOP_PAIR
    return LOW_PAIR if rank <= lowest(board_ranks) else MIDDLE_PAIR


@kernel
def made_of_pairs(hole_ranks, board_ranks, twice, board_twice):
    """Classify a hand without three of a kind: high card, one pair or two pair."""
    if twice == 0:
        return HIGH_CARD + overcards(hole_ranks, board_ranks)
    first = highest(twice)
    rest = twice ^ (np.int64(1) << first)
    if rest == 0:
        if board_twice == 0:
            return own_pair(first, board_ranks)
        return BOARD_PAIR_OVERCARD if overcards(hole_ranks, board_ranks) else BOARD_PAIR
    best_two = (np.int64(1) << first) | (np.int64(1) << highest(rest))
    own = best_two & ~board_twice
    if own == best_two:
        return TWO_PAIR
    if own == 0:
        return BOARD_TWO_PAIR
    kind = own_pair(highest(own), board_ranks)
    return HIGH_PAIR_AND_BOARD_PAIR if kind in (TOP_PAIR, OVER_PAIR) else LOW_PAIR_AND_BOARD_PAIR


@kernel
def made_flush(all_ranks, board_ranks):
    """Classify a flush by how many of its best five cards are hole cards."""
    on_board = bits(board_ranks)
    if on_board <= 3:
        return TWO_CARD_FLUSH
    if on_board == 4:
        return ONE_CARD_FLUSH
    own = all_ranks & ~board_ranks
    return ONE_CARD_FLUSH if highest(own) > lowest(board_ranks) else BOARD_FLUSH


@kernel
def made_straight(window, board_ranks):
    """Classify a straight by how many of its ranks the board lacks."""
    missing = 5 - bits((with_low_ace(board_ranks) >> window) & WINDOW)
    if missing == 0:
        return BOARD_STRAIGHT
    return ONE_CARD_STRAIGHT if missing == 1 else TWO_CARD_STRAIGHT


@kernel
def full_house(twice, thrice, board_twice, board_thrice):
    """Classify a full house: the board's if no hole card improves it."""
    three = highest(thrice)
    two = highest(twice ^ (np.int64(1) << three))
    on_board = (board_thrice >> three) & 1 and (board_twice >> two) & 1
    return BOARD_FULL_HOUSE if on_board else FULL_HOUSE


@kernel
def straight_outs(all_ranks, board_ranks):
    """Return the number of ranks that would complete a straight that uses a hole card."""
    outs = 0
    for rank in range(13):
        bit = np.int64(1) << rank
        if all_ranks & bit:
            continue
        line, table = with_low_ace(all_ranks | bit), with_low_ace(board_ranks | bit)
        for window in range(10):
            whole = (line >> window) & WINDOW == WINDOW
            if whole and (table >> window) & WINDOW != WINDOW:
                outs += 1
                break
    return outs


@kernel
def hand_type(hole, board, count, suits, board_suits):
    """Return the number of a hand type, made hand * DRAWS + draw.

    `suits` and `board_suits` are scratch for four numbers each.
    """
    suits[:] = 0
    board_suits[:] = 0
    board_ranks, board_twice, board_thrice, board_four = ranks_and_counts(board, count, board_suits)
    for suit in range(4):
        suits[suit] = board_suits[suit]
    twice, thrice, four, ranks = board_twice, board_thrice, board_four, board_ranks
    hole_ranks = np.int64(0)
    for card in hole:
        bit = np.int64(1) << (np.int64(card) >> 2)
        four |= thrice & bit
        thrice |= twice & bit
        twice |= ranks & bit
        ranks |= bit
        hole_ranks |= bit
        suits[np.int64(card) & 3] |= bit
    flush = flush_draw = -1
    for suit in range(4):
        if bits(suits[suit]) >= 5:
            flush = suit
        elif bits(suits[suit]) == 4 and suits[suit] != board_suits[suit]:
            flush_draw = suit
    if flush >= 0 and best_window(suits[flush]) >= 0:
        return STRAIGHT_FLUSH * DRAWS
    if four:
        return (BOARD_QUADS if board_four else QUADS) * DRAWS
    if thrice and bits(twice) > 1:
        return full_house(twice, thrice, board_twice, board_thrice) * DRAWS
    if flush >= 0:
        return made_flush(suits[flush], board_suits[flush]) * DRAWS
    window = best_window(ranks)
    if window >= 0:
        made = made_straight(window, board_ranks)
    elif thrice:
        made = three_of_a_kind(thrice, board_twice, board_thrice)
    else:
        made = made_of_pairs(hole_ranks, board_ranks, twice, board_twice)
    if count == 5:
        return made * DRAWS
    outs = straight_outs(ranks, board_ranks) if window < 0 else 0
    return made * DRAWS + draw(outs, flush_draw >= 0)


@kernel
def three_of_a_kind(thrice, board_twice, board_thrice):
    """Classify three of a kind: a set (pocket pair), trips (board pair and a hole card), or the board's."""
    if board_thrice:
        return BOARD_TRIPS
    return TRIPS if thrice & board_twice else SET


@kernel
def draw(outs, to_flush):
    """Classify a draw by the number of ranks that complete a straight and whether one card makes a flush."""
    if to_flush:
        return FLUSH_AND_STRAIGHT_DRAW if outs else FLUSH_DRAW
    return min(outs, 2)


@kernel
def texture(board, count, suits):
    """Return the number of a board texture, 6 * flush + 2 * straight + paired.

    Flush and straight range from 0 to 2, paired from 0 to 1.
    """
    suits[:] = 0
    once, twice, _, _ = ranks_and_counts(board, count, suits)
    suited = 0
    for suit in range(4):
        suited = max(suited, bits(suits[suit]))
    line = with_low_ace(once)
    connected = 0
    for window in range(10):
        connected = max(connected, bits((line >> window) & WINDOW))
    return 6 * level(suited) + 2 * level(connected) + (twice > 0)


@kernel
def level(cards):
    """Return the level of a flush or straight to which the board contributes this many cards.

    0 if it is impossible, 1 if it needs two hole cards, 2 if one or none is enough.
    """
    return min(max(cards - 2, 0), 2)


@kernel
def hand_types(holes, boards, counts, out):
    """Write the hand type of each row."""
    suits, board_suits = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for i in range(len(out)):
        out[i] = hand_type(holes[i], boards[i], counts[i], suits, board_suits)


@kernel
def textures(boards, counts, out):
    """Write the texture of each board."""
    suits = np.zeros(4, np.int64)
    for i in range(len(out)):
        out[i] = texture(boards[i], counts[i], suits)
