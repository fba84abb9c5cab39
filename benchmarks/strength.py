"""Hand strength and equities, ours and a plain loop around eval7's evaluator."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.measure import Chunk, Line, Work
from holdmem.cards import DECK, Range, cards, names
from holdmem.cards.classes import HOLDINGS
from holdmem.strength import HandCards, e_hs2, hand_equities, hs, range_equities, values
from holdmem.strength.hands import kernel_layout
from holdmem.strength.kernels.enumerate_board import moments_on_board

POTENTIALS = ("ihs", "ppot", "npot")
ALL_VALUES = (*POTENTIALS, "hs1", "hs2")


def random_hands(count: int, board: int) -> HandCards:
    """Hole cards and boards dealt at random."""
    deals = np.random.default_rng(7).random((count, 52)).argsort(axis=1)
    return HandCards(deals[:, :2], deals[:, 2 : 2 + board])


def of_hands(count: int, board: int, work: Callable[[HandCards], Any]) -> Callable[[], Chunk]:
    """A chunk that does `work` on a batch of random hands."""

    def prepare() -> Chunk:
        hands = random_hands(count, board)

        def chunk() -> int:
            work(hands)
            return count

        return chunk

    return prepare


def whole_flop() -> Chunk:
    """E[HS] and E[HS²] of all 1,176 holdings on a flop."""
    board = kernel_layout(random_hands(1, 3).board[:, :3])[0]
    holdings = kernel_layout(HOLDINGS[~np.isin(HOLDINGS, board).any(axis=1)])

    def chunk() -> int:
        moments_on_board(board, 2, holdings, np.empty((1176, 2)))
        return 1

    return chunk


def eval7_strength(count: int, board: int) -> Callable[[], Chunk]:
    """The share of showdowns won on every board that can come, by eval7's evaluator in a loop."""

    def prepare() -> Chunk:
        import eval7  # noqa: PLC0415

        deck = [eval7.Card(names([card])) for card in DECK]
        return of_hands(count, board, lambda hands: eval7_shares(hands, deck, eval7.evaluate))()

    return prepare


def eval7_shares(hands: HandCards, deck: list[Any], evaluate: Callable[..., int]) -> list[float]:
    """HS of each hand on each board that can come."""
    shares = []
    for hole, padded in zip(hands.hole.tolist(), hands.board.tolist(), strict=True):
        board = [card for card in padded if card >= 0]
        left = [card for card in DECK if card not in hole + board]
        for more in combinations(left, 5 - len(board)):
            full = [deck[card] for card in (*board, *more)]
            own = evaluate([*full, deck[hole[0]], deck[hole[1]]])
            rivals = combinations([deck[card] for card in left if card not in more], 2)
            others = [evaluate([*full, one, other]) for one, other in rivals]
            shares.append((sum(own > other for other in others) + others.count(own) / 2) / len(others))
    return shares


def two_hands(count: int, board: int) -> tuple[np.ndarray, np.ndarray]:
    """Random pairs of hands (count, 2, 2) and boards (count, board)."""
    deals = np.random.default_rng(7).random((count, 52)).argsort(axis=1)
    return deals[:, :4].reshape(count, 2, 2), deals[:, 4 : 4 + board]


def equities(count: int, board: int) -> Callable[[], Chunk]:
    """All-in equities of two known hands, in a batch."""

    def prepare() -> Chunk:
        hands, boards = two_hands(count, board)
        return lambda: len(hand_equities(hands, boards).equity)

    return prepare


def eval7_equities(board: int) -> Callable[[], Chunk]:
    """The same, one board after another in Python."""

    def prepare() -> Chunk:
        import eval7  # noqa: PLC0415

        deck = [eval7.Card(names([card])) for card in DECK]
        (hands,), (dealt,) = two_hands(1, board)
        holes = [[deck[card] for card in hand] for hand in hands.tolist()]
        shared = [deck[card] for card in dealt.tolist()]
        rest = [deck[card] for card in DECK if card not in {*hands.ravel().tolist(), *dealt.tolist()}]

        def chunk() -> int:
            won = 0.0
            for drawn in combinations(rest, 5 - board):
                one, other = (eval7.evaluate([*hole, *shared, *drawn]) for hole in holes)
                won += 1.0 if one > other else 0.5 * (one == other)
            return 1

        return chunk

    return prepare


def ranges(first: str, second: str, board: str = "") -> Callable[[], Chunk]:
    """Equity of one range against another."""

    def prepare() -> Chunk:
        both, dealt = [Range.parse(first), Range.parse(second)], cards(board)

        def chunk() -> int:
            range_equities(both, dealt)
            return 1

        return chunk

    return prepare


STRENGTH = (
    Work(
        "flop hand, E[HS] and E[HS²], no table",
        "hands",
        {"holdmem": of_hands(20, 3, lambda hands: e_hs2(hands, rounding="exact"))},
        {"eval7 in a loop": eval7_strength(1, 3)},
        bar=200,
    ),
    Work(
        "flop hand, IHS, PPOT, NPOT, no table",
        "hands",
        {"holdmem": of_hands(20, 3, lambda hands: values(hands, POTENTIALS, rounding="exact"))},
        bar=100,
    ),
    Work("all 1,176 holdings of a flop, E[HS²]", "flops", {"holdmem": whole_flop}, bar=12.5),
    Work(
        "turn hand, IHS, PPOT, NPOT, no table",
        "hands",
        {"holdmem": of_hands(500, 4, lambda hands: values(hands, POTENTIALS, rounding="exact"))},
        bar=2_000,
    ),
    Work(
        "river hand, HS",
        "hands",
        {"holdmem": of_hands(20_000, 5, hs)},
        {"eval7 in a loop": eval7_strength(5, 5)},
        bar=166_667,
    ),
    Work(
        "flop hand, all five values by table",
        "hands",
        {"holdmem": of_hands(50_000, 3, lambda hands: values(hands, ALL_VALUES))},
        bar=200_000,
    ),
)

EQUITY = (
    Work(
        "equity of two hands, flop",
        "pairs",
        {"holdmem": equities(500, 3)},
        {"eval7 in a loop": eval7_equities(3)},
    ),
    Work(
        "equity of two hands, turn",
        "pairs",
        {"holdmem": equities(5_000, 4)},
        {"eval7 in a loop": eval7_equities(4)},
    ),
    Work("equity of two hands, preflop", "pairs", {"holdmem, table": equities(100_000, 0)}),
    Work(
        "random × random on a flop, exact",
        "pairs of ranges",
        {"holdmem": ranges("random", "random", "Kc7s2d")},
    ),
    Work("88+ × 15%, preflop, exact", "pairs of ranges", {"holdmem, table": ranges("88+", "15%")}),
)


def strength(seconds: float) -> Iterator[Line]:
    """Values of hands."""
    for work in STRENGTH:
        yield from work.measure(seconds)


def equity(seconds: float) -> Iterator[Line]:
    """Equities of hands and ranges."""
    for work in EQUITY:
        yield from work.measure(seconds)
