"""Hand strength: how many hands a second, ours and eval7's evaluator in a plain loop.

Each function does its work once and returns the throughput, in hands a second. `python -m
benchmarks.strength_work` prints them all, medians of several runs on one core.
"""

from collections.abc import Callable
from itertools import combinations
from statistics import median
from time import perf_counter

import numpy as np

from holdmem.cards import DECK, names
from holdmem.cards.classes import HOLDINGS
from holdmem.strength import Hands, e_hs, e_hs2, hs, ihs, potential, values
from holdmem.strength.hands import plain
from holdmem.strength.on_board import moments_on_board, potentials_on_board


def random_hands(count: int, board: int, seed: int = 0) -> Hands:
    """Hole cards and boards dealt at random."""
    deals = np.random.default_rng(seed).random((count, 52)).argsort(axis=1)
    return Hands(deals[:, :2], deals[:, 2 : 2 + board])


def rate(hands: int, work: Callable[[], object]) -> float:
    """Hands a second, once."""
    start = perf_counter()
    work()
    return hands / (perf_counter() - start)


def flop_expected(count: int = 50) -> float:
    """E[HS²] of flop hands without a table."""
    hands = random_hands(count, 3)
    return rate(count, lambda: e_hs2(hands, exact=True))


def flop_potential(count: int = 50) -> float:
    """IHS, PPOT and NPOT of flop hands without a table."""
    hands = random_hands(count, 3)
    return rate(count, lambda: values(hands, ("ihs", "ppot", "npot"), exact=True))


def flop_next_card(count: int = 500) -> float:
    """PPOT and NPOT of flop hands with one card to come, without a table."""
    hands = random_hands(count, 3)
    return rate(count, lambda: potential(hands, 1, exact=True))


def turn_potential(count: int = 1000) -> float:
    """IHS, PPOT and NPOT of turn hands without a table."""
    hands = random_hands(count, 4)
    return rate(count, lambda: values(hands, ("ihs", "ppot", "npot"), exact=True))


def river_strength(count: int = 50_000) -> float:
    """HS of river hands."""
    hands = random_hands(count, 5)
    return rate(count, lambda: hs(hands))


def flop_looked_up(count: int = 50_000) -> float:
    """IHS, PPOT, NPOT, E[HS] and E[HS²] of flop hands from the table."""
    hands = random_hands(count, 3)
    return rate(count, lambda: values(hands, ("ihs", "ppot", "npot", "hs1", "hs2")))


def turn_looked_up(count: int = 50_000) -> float:
    """The same of turn hands, from the table if it is built."""
    hands = random_hands(count, 4)
    return rate(count, lambda: values(hands, ("ihs", "ppot", "npot", "hs1", "hs2")))


def flops_whole(count: int = 5) -> float:
    """E[HS] and E[HS²] of all 1,176 holdings: flops a second."""
    return rate(count, lambda: [moments_on_board(*flop, np.empty((1176, 2))) for flop in whole_flops(count)])


def flops_whole_potential(count: int = 3) -> float:
    """IHS, PPOT and NPOT of all 1,176 holdings: flops a second."""
    flops = whole_flops(count)
    return rate(count, lambda: [potentials_on_board(*flop, *np.empty((3, 1176))) for flop in flops])


def whole_flops(count: int) -> list[tuple[np.ndarray, int, np.ndarray]]:
    """Random flops, the number of cards to come, and all holdings on them."""
    boards = plain(random_hands(count, 3).board[:, :3])
    return [(board, 2, plain(HOLDINGS[~np.isin(HOLDINGS, board).any(axis=1)])) for board in boards]


def flop_expected_eval7() -> float:
    """E[HS²] of one flop hand: eval7's evaluator on every holding and board."""
    return rate(1, lambda: eval7_shares(random_hands(1, 3)))


def river_strength_eval7(count: int = 200) -> float:
    """HS of river hands: eval7's evaluator on every holding."""
    hands = random_hands(count, 5)
    return rate(count, lambda: eval7_shares(hands))


def eval7_shares(hands: Hands) -> list[float]:
    """The share of showdowns won by each hand on each board that can come."""
    import eval7  # noqa: PLC0415

    deck = [eval7.Card(names([card])) for card in DECK]
    shares = []
    for hole, padded in zip(hands.hole.tolist(), hands.board.tolist(), strict=True):
        board = [card for card in padded if card >= 0]
        left = [card for card in DECK if card not in hole + board]
        for more in combinations(left, 5 - len(board)):
            full = [deck[card] for card in (*board, *more)]
            own = eval7.evaluate([*full, deck[hole[0]], deck[hole[1]]])
            rivals = combinations([deck[card] for card in left if card not in more], 2)
            others = [eval7.evaluate([*full, one, other]) for one, other in rivals]
            shares.append((sum(own > other for other in others) + others.count(own) / 2) / len(others))
    return shares


OURS = (
    flop_expected,
    flop_potential,
    flop_next_card,
    turn_potential,
    river_strength,
    flop_looked_up,
    turn_looked_up,
    flops_whole,
    flops_whole_potential,
)
PEERS = (flop_expected_eval7, river_strength_eval7)


def main(runs: int = 7) -> None:
    """Print the medians."""
    for work in (ihs, e_hs):
        work(random_hands(1, 3))
    for measure in (*OURS, *PEERS):
        measure()
        middle = median(measure() for _ in range(runs if measure in OURS else 3))
        said = (measure.__doc__ or "").strip()
        print(f"{measure.__name__:24} {middle:14,.1f} a second  {1e6 / middle:14,.2f} µs each   {said}")


if __name__ == "__main__":
    main()
