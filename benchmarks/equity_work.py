"""Equities per second on one core: ours, and a loop around eval7, the quickest evaluator that Python has.

Each function does the work for about `seconds` of processor time and returns situations per second; results
are checked in the tests, not here.
"""

from collections.abc import Callable
from itertools import combinations
from time import process_time

import eval7
import numpy as np
from numpy.typing import NDArray

from holdmem.cards import Range, cards
from holdmem.strength import hand_equities, range_equities
from holdmem.strength.equity_kernels import equities


def situations(count: int, players: int, dealt: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Random hands (count, players, 2) and boards (count, dealt)."""
    rng = np.random.default_rng(1)
    rows = np.array([rng.permutation(52)[: 2 * players + dealt] for _ in range(count)], np.uint8)
    return rows[:, : 2 * players].reshape(count, players, 2), rows[:, 2 * players :]


def rate(work: Callable[[], int], seconds: float) -> float:
    """How much `work` does per second, after one call to warm up; it returns how much it did."""
    work()
    done, start = 0, process_time()
    while process_time() - start < seconds:
        done += work()
    return done / (process_time() - start)


def hands_per_second(dealt: int, players: int = 2, seconds: float = 1.0) -> float:
    """Situations of known hands per second by `hand_equities`, in a batch."""
    count = {0: 100_000 if players == 2 else 1, 3: 2_000, 4: 20_000, 5: 50_000}[dealt]
    hands, boards = situations(count, players, dealt)
    return rate(lambda: len(hand_equities(hands, boards).equity), seconds)


def counted_before_the_flop_per_second(seconds: float = 1.0) -> float:
    """Pairs of hands per second with all 1,712,304 boards counted, the table left aside."""
    hands, boards = situations(4, 2, 0)
    hands, nothing = np.ascontiguousarray(hands), np.zeros(0, np.uint8)

    def work() -> int:
        counts = [np.zeros((len(hands), 2), np.int64) for _ in range(3)]
        equities(hands, np.ascontiguousarray(boards), nothing, *counts)
        return len(hands)

    return rate(work, seconds)


def eval7_hands_per_second(dealt: int, players: int = 2, seconds: float = 1.0) -> float:
    """The same situations, one board after another in Python, by eval7's evaluator."""
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    hands, boards = situations(20, players, dealt)
    turn = iter(range(10**9))

    def work() -> int:
        i = next(turn) % len(hands)
        known = {*hands[i].ravel().tolist(), *boards[i].tolist()}
        holes = [[deck[card] for card in hand] for hand in hands[i].tolist()]
        board = [deck[card] for card in boards[i].tolist()]
        rest = [deck[card] for card in range(52) if card not in known]
        shares = [0.0] * players
        for drawn in combinations(rest, 5 - dealt):
            shared = [*board, *drawn]
            values = [eval7.evaluate(hole + shared) for hole in holes]
            best = max(values)
            part = 1 / values.count(best)
            for player, value in enumerate(values):
                if value == best:
                    shares[player] += part
        return 1

    return rate(work, seconds)


def ranges_per_second(first: str, second: str, board: str = "", seconds: float = 1.0) -> float:
    """Pairs of ranges per second by `range_equities`."""
    ranges, dealt = [Range.parse(first), Range.parse(second)], cards(board)

    def work() -> int:
        range_equities(ranges, dealt)
        return 1

    return rate(work, seconds)


def main() -> None:
    """Print all of them."""
    for dealt, street in ((3, "flop"), (4, "turn"), (5, "river")):
        ours, theirs = hands_per_second(dealt), eval7_hands_per_second(dealt)
        print(f"two hands, {street:<12} {ours:>14,.0f} /s   eval7 {theirs:>10,.1f} /s")
    print(f"two hands, by table     {hands_per_second(0):>14,.0f} /s")
    print(f"two hands, all counted  {counted_before_the_flop_per_second():>14,.1f} /s")
    print(f"three hands, preflop    {hands_per_second(0, players=3):>14,.1f} /s")
    print(f"random × random, flop   {ranges_per_second('random', 'random', 'Kc7s2d'):>14,.1f} /s")
    print(f"random × random, table  {ranges_per_second('random', 'random'):>14,.1f} /s")
    print(f"88+ × 15%, table        {ranges_per_second('88+', '15%'):>14,.1f} /s")


if __name__ == "__main__":
    main()
