"""Kernels: IHS, PPOT and E[HS] of a hand on the turn, by pairs of ranks.

If no flush is possible a holding counts by its two ranks, so an opponent's holdings are 91 pairs of ranks,
each with a number of ways; the strength of a pair depends on the ranks of the board alone and comes from a
table (see `turn`). Rivers of one rank differ only if they make a flush possible. Holdings with a flush are
few, and are compared one by one if our hand could beat any of them.

Each pair of ranks has three weights: all its ways (ALL), those that we do not beat now (UNBEATEN), and those
that beat us now (BEATEN_BY). HS counts the first weight, once for a win and once more for a win or a tie; the
gain in PPOT counts the other two:

    2 · (behind→ahead) + (behind→tied) + (tied→ahead) = [win at the end] · UNBEATEN + [win or tie] · BEATEN_BY
"""

import numpy as np

from holdmem.cards.kernels.evaluator import FIRST_OF_CATEGORY, FLUSHES, strength_without_flush
from holdmem.core.jit import kernel
from holdmem.core.records import record

RANKS = 13
ROW = 16
"""Thirteen ranks padded to a register of 16-bit numbers; the padding has weight 0."""
WIDE = RANKS * ROW
"""Entries for pairs of ranks, higher rank first; strengths are stored in both orders: one row per rank."""
ALL, UNBEATEN, BEATEN_BY = 0, 1, 2
LOWEST_FLUSH = int(FIRST_OF_CATEGORY[5])
RIVERS, RIVALS_NOW, RIVALS_THEN, RIVERS_OF_A_RIVAL = 46, 1035, 990, 44

SCRATCH = record(
    [
        ("left", "i8", ROW),  # number of unseen cards of each rank
        ("unseen", "i8", 4),  # unseen ranks by suit, as bits
        ("ranks", "i8", 4),  # ranks of the board by suit, as bits
        ("own_ranks", "i8", 4),  # ranks of the hole cards by suit, as bits
        ("cards", "i8", 4),  # number of board cards by suit
        ("own_pair", "i8"),
        ("own_now", "i8"),
        ("share", "i8"),  # wins plus (wins or ties) over all rivers: twice the showdowns won
        ("gained", "i8"),  # twice the numerator of PPOT
    ]
)
"""A hand on the turn, and the sums over its rivers so far."""


@kernel
def pair_of(one, other):
    """Index of a pair of ranks."""
    high, low = max(one, other), min(one, other)
    return high * ROW + low


@kernel
def look_to_the_river(holes, boards, tables, out):
    """Write IHS, PPOT and E[HS] of each hand on the turn to the columns of `out`."""
    scratch_rows = np.zeros(1, SCRATCH)
    weights, suited = np.zeros((3, WIDE), np.int64), np.zeros((3, WIDE), np.int64)
    lost = np.zeros((2, WIDE), np.int16)
    for i in range(len(holes)):
        scratch = scratch_rows[0]
        see_cards(holes[i], boards[i], scratch)
        ranks = tables.four[code_of(boards[i])]
        suit = most_of(scratch.cards)
        if scratch.cards[suit] == 4:
            with_four(scratch, suit, ranks, tables, weights, lost, out[i])
        elif scratch.cards[suit] == 3:
            with_three(scratch, suit, ranks, tables, weights, suited, lost, out[i])
        else:
            without_flushes(scratch, ranks, tables, weights, suited, lost, out[i])
        out[i, 2] = scratch.share / (2 * RIVERS * RIVALS_THEN)


@kernel
def code_of(board):
    """Ranks of the first four cards of a board, in base 13."""
    code = 0
    for place in range(4):
        code = RANKS * code + np.int64(board[place] >> 2)
    return code


@kernel
def see_cards(hole, board, scratch):
    """Initialise `scratch` from the hole cards and the board."""
    scratch.left[:] = 0
    scratch.left[:RANKS] = 4
    scratch.unseen[:] = 0x1FFF
    scratch.ranks[:] = 0
    scratch.own_ranks[:] = 0
    scratch.cards[:] = 0
    scratch.share = scratch.gained = 0
    scratch.own_pair = pair_of(np.int64(hole[0] >> 2), np.int64(hole[1] >> 2))
    for card in hole:
        rank, suit = np.int64(card >> 2), np.int64(card & 3)
        scratch.left[rank] -= 1
        scratch.unseen[suit] ^= 1 << rank
        scratch.own_ranks[suit] |= 1 << rank
    for card in board:
        rank, suit = np.int64(card >> 2), np.int64(card & 3)
        scratch.left[rank] -= 1
        scratch.unseen[suit] ^= 1 << rank
        scratch.ranks[suit] |= 1 << rank
        scratch.cards[suit] += 1


@kernel
def most_of(cards):
    """Suit with the most cards."""
    best = 0
    for suit in range(1, 4):
        if cards[suit] > cards[best]:
            best = suit
    return best


@kernel
def has(ranks, rank):
    """1 if `rank` is in the set `ranks`, else 0."""
    return ranks >> rank & 1


@kernel
def weigh(weights, cards, strengths, own):
    """Write the three weights of each pair: all its ways, those not beaten now, those that beat us now."""
    for one in range(RANKS):
        row = one * ROW
        for other in range(one):
            weights[ALL, row + other] = cards[one] * cards[other]
        weights[ALL, row + one] = cards[one] * (cards[one] - 1) // 2
    for pair in range(WIDE):
        ways = weights[ALL, pair]
        weights[UNBEATEN, pair] = ways if strengths[pair] >= own else 0
        weights[BEATEN_BY, pair] = ways if strengths[pair] > own else 0


@kernel
def stand_now(weights):
    """Number of holdings that beat us now, and that tie with us."""
    behind, unbeaten = 0, 0
    for pair in range(WIDE):
        behind += weights[BEATEN_BY, pair]
        unbeaten += weights[UNBEATEN, pair]
    return behind, unbeaten - behind


@kernel
def note_values(scratch, behind, tied, out):
    """Write IHS and PPOT from the sums."""
    out[0] = (2 * (RIVALS_NOW - behind) - tied) / (2 * RIVALS_NOW)
    whole = (2 * behind + tied) * RIVERS_OF_A_RIVAL
    out[1] = scratch.gained / whole if whole else 0.0


@kernel
def compare(strengths, own, times, lost):
    """Count for each pair how often, out of `times`, it is weaker than our hand and not stronger than it.

    All in 16 bits, so that one instruction compares many pairs; `settle` applies the weights at the end.
    """
    ours, often = np.int16(own), np.int16(times)
    below, not_above = lost[0], lost[1]
    for pair in range(WIDE):
        below[pair] += often * (strengths[pair] < ours)
        not_above[pair] += often * (strengths[pair] <= ours)


@kernel
def settle(lost, weights, scratch):
    """Add the counts, weighted by pair, to the sums and reset them to 0."""
    share = gained = 0
    for pair in range(WIDE):
        below, not_above = np.int64(lost[0, pair]), np.int64(lost[1, pair])
        share += weights[ALL, pair] * (below + not_above)
        gained += weights[UNBEATEN, pair] * below + weights[BEATEN_BY, pair] * not_above
    scratch.share += share
    scratch.gained += gained
    lost[:] = 0


@kernel
def meet(now, own_now, then, own, ways, scratch):
    """Add the result against `ways` holdings of strength `now` on the turn and `then` on the river."""
    below, not_above = ways * (then < own), ways * (then <= own)
    scratch.share += below + not_above
    scratch.gained += (now >= own_now) * below + (now > own_now) * not_above


@kernel
def leave_out(scratch, rank, beside, same, strengths, final, own, times):
    """Subtract what was added for the holdings that contain the river card itself, of this rank.

    `beside` is the number of cards of each rank that can accompany it in a holding, `same` that of its own
    rank.
    """
    ours, ours_now = np.int16(own), np.int16(scratch.own_now)
    now, then = strengths[rank * ROW : (rank + 1) * ROW], final[rank * ROW : (rank + 1) * ROW]
    share = gained = 0
    for other in range(ROW):
        below, not_above = beside[other] * (then[other] < ours), beside[other] * (then[other] <= ours)
        share += below + not_above
        gained += (now[other] >= ours_now) * below + (now[other] > ours_now) * not_above
    more = same - beside[rank]
    below, not_above = more * (then[rank] < ours), more * (then[rank] <= ours)
    share += below + not_above
    gained += (now[rank] >= ours_now) * below + (now[rank] > ours_now) * not_above
    scratch.share -= times * share
    scratch.gained -= times * gained


@kernel
def without_suit(scratch, suit):
    """Number of unseen cards of each rank outside this suit."""
    others = np.zeros(ROW, np.int64)
    for rank in range(RANKS):
        others[rank] = scratch.left[rank] - has(scratch.unseen[suit], rank)
    return others


@kernel
def without_flushes(scratch, ranks, tables, weights, suited, lost, out):
    """Values if no flush is possible yet; a river in a suit with two cards on the board may make one."""
    strengths = tables.strengths_of_four[ranks]
    scratch.own_now = strengths[scratch.own_pair]
    weigh(weights, scratch.left, strengths, scratch.own_now)
    behind, tied = stand_now(weights)
    for rank in range(RANKS):
        times = scratch.left[rank]
        for suit in range(4):
            if scratch.cards[suit] == 2:
                times -= has(scratch.unseen[suit], rank)
        if times:
            final = tables.strengths_of_five[tables.five[ranks, rank]]
            own = np.int64(final[scratch.own_pair])
            compare(final, own, times, lost)
            leave_out(scratch, rank, scratch.left, scratch.left[rank] - 1, strengths, final, own, times)
    settle(lost, weights, scratch)
    for suit in range(4):
        if scratch.cards[suit] == 2:
            rivers_that_suit(scratch, suit, ranks, tables, weights, suited, lost)
    note_values(scratch, behind, tied, out)


@kernel
def rivers_that_suit(scratch, suit, ranks, tables, weights, suited, lost):
    """Add the rivers of a suit with two cards on the board, after which two cards of it make a flush."""
    strengths, unseen = tables.strengths_of_four[ranks], scratch.unseen[suit]
    suited[:] = weights
    take_flushes(scratch, unseen, strengths, suited)
    own_suited, others = scratch.own_ranks[suit], without_suit(scratch, suit)
    for rank in range(RANKS):
        if has(unseen, rank):
            final = tables.strengths_of_five[tables.five[ranks, rank]]
            board = scratch.ranks[suit] | 1 << rank
            own = np.int64(final[scratch.own_pair])
            if own_suited & (own_suited - 1):
                own = np.int64(FLUSHES[board | own_suited])
            compare(final, own, 1, lost)
            leave_out(scratch, rank, others, others[rank], strengths, final, own, 1)
            if own >= LOWEST_FLUSH:
                meet_flushes(scratch, unseen & ~(1 << rank), strengths, board, own)
    settle(lost, suited, scratch)


@kernel
def take_flushes(scratch, unseen, strengths, weights):
    """Remove the holdings of two of these `unseen` cards of a suit from the weights."""
    for one in range(RANKS):
        if has(unseen, one):
            for other in range(one):
                if has(unseen, other):
                    take_one(scratch, pair_of(one, other), strengths, weights)


@kernel
def take_one(scratch, pair, strengths, weights):
    """Remove one holding of this pair from the weights."""
    weights[ALL, pair] -= 1
    weights[UNBEATEN, pair] -= strengths[pair] >= scratch.own_now
    weights[BEATEN_BY, pair] -= strengths[pair] > scratch.own_now


@kernel
def meet_flushes(scratch, unseen, strengths, board, own):
    """Compare with the holdings of two `unseen` cards of a suit, which are flushes only on the river."""
    for one in range(RANKS):
        if has(unseen, one):
            for other in range(one):
                if has(unseen, other):
                    then = np.int64(FLUSHES[board | 1 << one | 1 << other])
                    meet(strengths[pair_of(one, other)], scratch.own_now, then, own, 1, scratch)


@kernel
def with_three(scratch, suit, ranks, tables, weights, suited, lost, out):
    """Values if the board has three cards of a suit, so that two cards of it make a flush now."""
    strengths, unseen = tables.strengths_of_four[ranks], scratch.unseen[suit]
    own_suited = scratch.own_ranks[suit]
    flush = np.int64(FLUSHES[scratch.ranks[suit] | own_suited]) if own_suited & (own_suited - 1) else 0
    scratch.own_now = flush if flush else strengths[scratch.own_pair]
    weigh(weights, scratch.left, strengths, scratch.own_now)
    take_flushes(scratch, unseen, strengths, weights)
    behind, tied = stand_now(weights)
    more_behind, more_tied = flushes_now(scratch, unseen, scratch.ranks[suit])
    for rank in range(RANKS):
        times = scratch.left[rank] - has(unseen, rank)
        if times:
            final = tables.strengths_of_five[tables.five[ranks, rank]]
            own = flush if flush else np.int64(final[scratch.own_pair])
            compare(final, own, times, lost)
            leave_out(scratch, rank, scratch.left, scratch.left[rank] - 1, strengths, final, own, times)
            if own >= LOWEST_FLUSH:
                meet_made_flushes(scratch, unseen, scratch.ranks[suit], 0, own, times)
    settle(lost, weights, scratch)
    rivers_of_four(scratch, suit, ranks, tables, suited, lost)
    note_values(scratch, behind + more_behind, tied + more_tied, out)


@kernel
def flushes_now(scratch, unseen, board):
    """Number of holdings of two suited cards whose flush beats us now, and ties with us."""
    behind = tied = 0
    for one in range(RANKS):
        if has(unseen, one):
            for other in range(one):
                if has(unseen, other):
                    now = np.int64(FLUSHES[board | 1 << one | 1 << other])
                    behind += now > scratch.own_now
                    tied += now == scratch.own_now
    return behind, tied


@kernel
def meet_made_flushes(scratch, unseen, board, river, own, times):
    """Compare with holdings of two suited cards, flushes now; `river` is the suit's rank bit added, or 0."""
    for one in range(RANKS):
        if has(unseen, one):
            for other in range(one):
                if has(unseen, other):
                    held = 1 << one | 1 << other
                    now, then = np.int64(FLUSHES[board | held]), np.int64(FLUSHES[board | held | river])
                    meet(now, scratch.own_now, then, own, times, scratch)


@kernel
def rivers_of_four(scratch, suit, ranks, tables, weights, lost):
    """Add the rivers that are the fourth card of the suit on the board, so that one card makes a flush."""
    strengths, unseen = tables.strengths_of_four[ranks], scratch.unseen[suit]
    others = without_suit(scratch, suit)
    weigh(weights, others, strengths, scratch.own_now)
    for rank in range(RANKS):
        if has(unseen, rank):
            board, final = scratch.ranks[suit] | 1 << rank, tables.strengths_of_five[tables.five[ranks, rank]]
            own = np.int64(final[scratch.own_pair])
            if scratch.own_ranks[suit]:
                own = np.int64(FLUSHES[board | scratch.own_ranks[suit]])
            compare(final, own, 1, lost)
            if own >= LOWEST_FLUSH:
                meet_single_cards(scratch, unseen & ~(1 << rank), others, strengths, board, own)
                meet_made_flushes(scratch, unseen & ~(1 << rank), scratch.ranks[suit], 1 << rank, own, 1)
    settle(lost, weights, scratch)


@kernel
def meet_single_cards(scratch, unseen, others, strengths, board, own):
    """Compare with the holdings of one `unseen` card of the suit and one of another suit."""
    for one in range(RANKS):
        if has(unseen, one):
            then = np.int64(FLUSHES[board | 1 << one])
            for other in range(RANKS):
                if others[other]:
                    meet(strengths[pair_of(one, other)], scratch.own_now, then, own, others[other], scratch)


@kernel
def with_four(scratch, suit, ranks, tables, weights, lost, out):
    """Values if the board is all of one suit, so that one card of it makes a flush now."""
    strengths, unseen, board = tables.strengths_of_four[ranks], scratch.unseen[suit], scratch.ranks[suit]
    held, others = scratch.own_ranks[suit], without_suit(scratch, suit)
    scratch.own_now = np.int64(FLUSHES[board | held]) if held else strengths[scratch.own_pair]
    weigh(weights, others, strengths, scratch.own_now)
    behind, tied = stand_now(weights)
    more_behind, more_tied = flushes_now(scratch, unseen, board)
    for one in range(RANKS):
        if has(unseen, one):
            now = np.int64(FLUSHES[board | 1 << one])
            behind += (now > scratch.own_now) * others.sum()
            tied += (now == scratch.own_now) * others.sum()
    for rank in range(RANKS):
        if others[rank]:
            final = tables.strengths_of_five[tables.five[ranks, rank]]
            own = scratch.own_now if held else np.int64(final[scratch.own_pair])
            compare(final, own, others[rank], lost)
            leave_out(scratch, rank, others, others[rank] - 1, strengths, final, own, others[rank])
            if own >= LOWEST_FLUSH:
                meet_one_card_flushes(scratch, unseen, board, 0, own, others[rank] * (others.sum() - 1))
                meet_made_flushes(scratch, unseen, board, 0, own, others[rank])
        if has(unseen, rank):
            own = np.int64(FLUSHES[board | 1 << rank | held])
            compare(np.full(WIDE, np.int16(FLUSHES[board | 1 << rank])), own, 1, lost)
            meet_one_card_flushes(scratch, unseen & ~(1 << rank), board, 1 << rank, own, others.sum())
            meet_made_flushes(scratch, unseen & ~(1 << rank), board, 1 << rank, own, 1)
    settle(lost, weights, scratch)
    note_values(scratch, behind + more_behind, tied + more_tied, out)


@kernel
def meet_one_card_flushes(scratch, unseen, board, river, own, ways):
    """Compare with holdings of one `unseen` card of the suit and one of another, which are flushes now."""
    for one in range(RANKS):
        if has(unseen, one):
            now, then = np.int64(FLUSHES[board | 1 << one]), np.int64(FLUSHES[board | 1 << one | river])
            meet(now, scratch.own_now, then, own, ways, scratch)


@kernel
def fill_strengths(boards, keys, out):
    """Write the strength of each pair of ranks on each board of ranks; 0 if a rank would occur five times."""
    of_rank = np.zeros(RANKS, np.int64)
    for i in range(len(boards)):
        of_rank[:] = 0
        start = 0
        for rank in boards[i]:
            of_rank[rank] += 1
            start += keys[rank]
        for one in range(RANKS):
            for other in range(one + 1):
                of_rank[one] += 1
                of_rank[other] += 1
                if of_rank.max() <= 4:
                    total = start + keys[one] + keys[other]
                    made = strength_without_flush(total, boards.shape[1] + 2)
                    out[i, one * ROW + other] = out[i, other * ROW + one] = made
                of_rank[one] -= 1
                of_rank[other] -= 1
