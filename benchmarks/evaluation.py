"""The evaluator: random hands, all holdings on a board, all hands there are, and the size of its tables."""
# ruff: noqa: PLC0415 (a peer that is not installed must not keep the others from running)

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from time import process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Chunk, Line, Work
from holdmem.cards.evaluator import evaluate
from holdmem.cards.evaluator_tables import CATEGORIES
from holdmem.cards.kernels.evaluator import (
    CARD_KEYS,
    FIRST_OF_CATEGORY,
    FLUSHES,
    SHIFTS,
    UNSUITED,
    strengths_of_seven,
    strengths_on_board,
)
from holdmem.cards.notation import name
from holdmem.core.jit import kernel

BATCH = 100_000
ONE_BY_ONE = 2_000
"""Hands for the peers, which take one a call: enough to leave no habit to the branch predictor."""

BOARDS = 64
"""Boards in turn: on a third of them a flush is possible, which costs more."""

SEVEN_CARD_COUNTS = {
    "straight flush": 41_584,
    "four of a kind": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three of a kind": 6_461_620,
    "two pair": 31_433_400,
    "pair": 58_627_800,
    "high card": 23_294_460,
}


def random_cards(rows: int, width: int) -> NDArray[np.uint8]:
    """Rows of distinct cards, the same at every run."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (rows, 1))
    return np.ascontiguousarray(np.random.default_rng(7).permuted(decks, axis=1)[:, :width])


def by_kernel() -> Chunk:
    """The kernel on a batch, as other kernels call it."""
    hands, out = random_cards(BATCH, 7), np.empty(BATCH, dtype=np.uint16)

    def chunk() -> int:
        strengths_of_seven(hands, out)
        return len(hands)

    return chunk


def by_evaluate() -> Chunk:
    """The public function, which checks every card first."""
    hands = random_cards(BATCH, 7)
    return lambda: len(evaluate(hands))


def one_by_one(evaluate_one: Callable[..., object], hands: list[tuple[object, ...]]) -> Chunk:
    """A peer that takes one hand a call."""

    def chunk() -> int:
        for hand in hands:
            evaluate_one(*hand)
        return len(hands)

    return chunk


def by_eval7() -> Chunk:
    """eval7, in Cython."""
    import eval7

    deck = [eval7.Card(name(card)) for card in range(52)]
    hands = [([deck[card] for card in hand],) for hand in random_cards(ONE_BY_ONE, 7)]
    return one_by_one(eval7.evaluate, hands)


def by_treys() -> Chunk:
    """treys, in Python; board and holding are apart there."""
    import treys

    deck = [treys.Card.new(name(card)) for card in range(52)]
    hands = [[deck[card] for card in hand] for hand in random_cards(ONE_BY_ONE, 7)]
    return one_by_one(treys.Evaluator().evaluate, [(hand[:5], hand[5:]) for hand in hands])


def by_phevaluator() -> Chunk:
    """phevaluator from Python; it numbers the cards as we do."""
    import phevaluator

    hands = [tuple(hand.tolist()) for hand in random_cards(ONE_BY_ONE, 7)]
    return one_by_one(phevaluator.evaluate_cards, hands)


def holdings_on(board: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The 1,081 holdings that the cards of a full board leave."""
    left = sorted(set(range(52)) - set(board.tolist()))
    return np.array(list(combinations(left, 2)), dtype=np.uint8)


def boards_by_kernel() -> Chunk:
    """All holdings on one board after another, a call for each board."""
    boards = [(board, holdings_on(board)) for board in random_cards(BOARDS, 5)]
    out = np.empty(comb(47, 2), dtype=np.uint16)

    def chunk() -> int:
        for board, holdings in boards:
            strengths_on_board(board, holdings, out)
        return BOARDS * len(out)

    return chunk


def boards_by_eval7() -> Chunk:
    """The same hands on the first few boards."""
    import eval7

    deck = [eval7.Card(name(card)) for card in range(52)]
    hands = [(*board, *holding) for board in random_cards(BOARDS, 5)[:4] for holding in holdings_on(board)]
    return one_by_one(eval7.evaluate, [([deck[card] for card in hand],) for hand in hands])


SEVEN = Work(
    "7 cards, random",
    "hands",
    ours={"kernel": by_kernel, "evaluate(), checked": by_evaluate},
    peers={"eval7": by_eval7, "phevaluator": by_phevaluator, "treys": by_treys},
    bar=100e6,
    times_bar={"eval7": 75},
)

BOARD = Work(
    "1,081 on a board",
    "hands",
    ours={"kernel": boards_by_kernel},
    peers={"eval7": boards_by_eval7},
    bar=200e6,
)


def last_three() -> NDArray[np.uint8]:
    """All threes of the 48 highest cards, so ordered that those of the m highest are the first C(m, 3)."""
    threes = [(51 - a, 51 - b, 51 - c) for a in range(48) for b in range(a) for c in range(b)]
    return np.array(threes, dtype=np.uint8)


@kernel
def count_hands(lowest, hands, out, counts):
    """Count the strengths of all seven-card hands with this lowest card.

    The last three columns of `hands` stay as `last_three` made them: only the first four are filled in.
    """
    for second in range(lowest + 1, 47):
        for third in range(second + 1, 48):
            for fourth in range(third + 1, 49):
                above = 51 - fourth
                some = hands[: above * (above - 1) * (above - 2) // 6]
                for i in range(len(some)):
                    some[i, 0], some[i, 1], some[i, 2], some[i, 3] = lowest, second, third, fourth
                strengths_of_seven(some, out)
                for i in range(len(some)):
                    counts[out[i]] += 1


def every_hand(seconds: float) -> Iterator[Line]:
    """All 133,784,560 hands, each evaluated once; the counts of the categories are known (golden)."""
    threes = last_three()
    hands = np.hstack([np.zeros((len(threes), 4), dtype=np.uint8), threes])
    out = np.empty(len(hands), dtype=np.uint16)
    count_hands(45, hands, out, np.zeros(7463, dtype=np.int64))
    counts, start = np.zeros(7463, dtype=np.int64), process_time()
    for lowest in range(46):
        count_hands(lowest, hands, out, counts)
    spent = process_time() - start
    found = dict(zip(CATEGORIES, np.add.reduceat(counts, FIRST_OF_CATEGORY).tolist(), strict=True))
    wrong = [
        f"{name} {found[name]:,}, not {n:,}" for name, n in SEVEN_CARD_COUNTS.items() if found[name] != n
    ]
    yield Line(
        "all 133,784,560 hands",
        "kernel",
        sum(found.values()) / spent,
        "hands/s",
        bar="known counts",
        reached=not wrong,
        remark="; ".join(wrong),
    )


def table_size(seconds: float) -> Iterator[Line]:
    """What the evaluator looks up, together: it should stay in the second-level cache."""
    size = sum(table.nbytes for table in (SHIFTS, UNSUITED, FLUSHES, FIRST_OF_CATEGORY, CARD_KEYS)) / 1e3
    yield Line("evaluator tables", "in memory", size, "kB", bar="under 500 kB", reached=size < 500)
