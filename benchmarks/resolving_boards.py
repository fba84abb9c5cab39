"""What an exact responder wins from the turn on, in limit, from a base and from its re-solver, by board.

    python -m benchmarks.resolving_boards --rivers 4
    python -m benchmarks.resolving_boards --rivers 4 --first 6 --boards 2

Ten flops with a turn are fixed below. On each, the responder plays the base's own strategy up to the turn and
a best response from there on. The rivers of a board are all 48, or the first few of a fixed order, then
weighted up; both players meet the same ones. Values are in thousandths of a big blind per hand in which this
flop and turn would come, mean of both seats.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from time import process_time

import numpy as np

from holdmem import find_game, make_agent
from holdmem.arena.exact_result import over_flops
from holdmem.cards import cards
from holdmem.cfr.betting_tree import Sizes, betting_tree
from holdmem.cfr.exact_response import ExactResponse, respond_to_flop
from holdmem.cfr.public_game import CardTuple, PublicDeal, PublicGame
from holdmem.core.random import Streams
from holdmem.core.types import Ints
from holdmem.players.resolving.subgames import ResolveOptions
from holdmem.players.resolving.tables import ResolvedTables

BOARDS = (
    *("Kc8s2d5h", "AhTd6c6s", "9s8s7d2c", "QdJd4d7h", "5c4h3sKd"),
    *("JhJc8d3s", "Ts6h2hAc", "7c7d7hQs", "AsKsQhTc", "8d5s2c9h"),
)
TURN = 2
"""Index of the responder that starts on the turn."""


@dataclass(frozen=True)
class FixedBoard(PublicGame):
    """Hold'em with a given flop and turn, and some of the rivers in place of all."""

    given: CardTuple = ()
    rivers: CardTuple = ()

    def deals(
        self, street: int, board: CardTuple = (), stabiliser: Ints | None = None
    ) -> Iterator[PublicDeal]:
        """The given cards, without exchanges of suits."""
        some = {1: [self.given[:3]], 2: [self.given[3:]], 3: [(card,) for card in self.rivers]}[street]
        same = np.arange(len(self.holdings))[None]
        for dealt in some:
            yield PublicDeal(dealt, same, self.permutations[:1])

    def chance(self, street: int) -> float:
        """Rivers stand for all 48, of which two holdings leave 44."""
        return 48 / 44 / len(self.rivers) if street == 3 else 1.0


def board_of(text: str, count: int, seed: int = 0) -> FixedBoard:
    """A fixed board with its first rivers in a random order."""
    given = tuple(cards(text))
    left = [card for card in range(52) if card not in given]
    order = np.random.default_rng([seed, *given]).permutation(left)
    return FixedBoard(given=given, rivers=tuple(order[:count].tolist()))


def won(game: FixedBoard, strategy: object, tree: object) -> float:
    """What the responder wins from the turn on."""
    response = ExactResponse(tree, strategy, game, np.float64)  # type: ignore[arg-type]
    (flop,) = game.deals(1)
    pairs = comb(48, 2) * comb(46, 2)
    found = respond_to_flop(response, flop).by_way[:, TURN].mean() / pairs
    return float(found * 1000 / response.tree.game.big_blind)


def main() -> None:
    """Measure board after board and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="eqm")
    parser.add_argument("--rivers", type=int, default=4)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--share", type=float, default=10.0)
    parser.add_argument("--unsafe", action="store_true")
    parser.add_argument("--least", type=float, default=1e-4)
    parser.add_argument("--first", type=int, default=0, help="begin with this board, counted from 0")
    parser.add_argument("--boards", type=int, default=len(BOARDS), help="number of boards")
    asked = parser.parse_args()
    rules = find_game("limit")
    tree = betting_tree(rules)
    base = make_agent(asked.base).sit(rules, 1, Streams.of(0, "player", 0)).tabulate(tree)  # type: ignore[attr-defined]
    options = ResolveOptions(not asked.unsafe, asked.iterations, asked.share, Sizes())
    rows = []
    print(f"| board | {asked.base} | re-solved |\n| --- | --- | --- |")
    for text in BOARDS[asked.first :][: asked.boards]:
        game, start = board_of(text, asked.rivers), process_time()
        tables = ResolvedTables(base, tree, options, game, asked.least)
        rows.append((won(game, base, tree), won(game, tables, tree)))
        print(f"| {text} | {rows[-1][0]:,.1f} | {rows[-1][1]:,.1f} |", flush=True)
        print(f"<!-- {process_time() - start:.0f} s of CPU -->", flush=True)
    before, after = np.array(rows).T
    print(f"| mean | {before.mean():,.1f} | {after.mean():,.1f} |")
    if len(rows) > 1:
        print(f"difference, paired by board: {over_flops((after - before).mean(), after - before)}")
    print(f"share of the base's: {after.sum() / before.sum():.1%}")


if __name__ == "__main__":
    main()
