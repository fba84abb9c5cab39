"""Solving one river, beside OpenSpiel's CFR on the very same subgame, and turns, on one core."""

from collections.abc import Iterator
from time import process_time

import numpy as np

from benchmarks.measure import Chunk, Line, Work
from holdmem import Range
from holdmem.cards import cards
from holdmem.cfr.betting_tree import Sizes
from holdmem.cfr.public_game import HOLDEM
from holdmem.cfr.subgame.response import exploitability
from holdmem.cfr.subgame.shape import FOLDED
from holdmem.cfr.subgame.solver import SubgameSolver
from holdmem.cfr.subgame.tree import StreetTree, Subgame
from holdmem.players.resolving.subgames import TURN_SIZES

BOARD = tuple(cards("Kc8s2d5h9c"))
LIMIT = Subgame(3, 120, 10**9, fixed=(20, 20))
NOLIMIT = Subgame(3, 1200, 9400, min_bet=100)
LIMIT_TURN = Subgame(2, 120, 10**9, fixed=(20, 20))
NOLIMIT_TURN = Subgame(2, 1200, 9400, TURN_SIZES, min_bet=100)
MANY_SIZES = Subgame(3, 1200, 19400, Sizes((0.5, 1.0, 3.0, 9.0), (1.0, 3.0, 9.0)), min_bet=100)
NARROW = "KQs, JTs, 99, 76s", "KJs, QTs, 55, AKs"
"""Ranges of a dozen holdings each, for a solver that visits every pair."""
PRECISE = 0.005


def solver_of(subgame: Subgame, ranges: tuple[str, str] = ("random", "random")) -> SubgameSolver:
    """A solver for both ranges."""
    board = BOARD[: 2 + subgame.street]
    return SubgameSolver(subgame, board, [Range.parse(one).weights for one in ranges])


def ours() -> Chunk:
    """A hundred iterations a chunk."""
    solver = solver_of(LIMIT, NARROW)

    def chunk() -> int:
        solver.run(100)
        return 100

    return chunk


def openspiel() -> Chunk:
    """OpenSpiel's CFR+ in C++ on the subgame as an extensive-form game."""
    import pyspiel  # noqa: PLC0415

    solver = pyspiel.CFRPlusSolver(pyspiel.load_efg_game(as_efg(solver_of(LIMIT, NARROW))))

    def chunk() -> int:
        solver.evaluate_and_update_policy()
        return 1

    return chunk


def as_efg(solver: SubgameSolver) -> str:
    """Write a river as an extensive-form game in Gambit's format: chance deals a pair of holdings."""
    tree = solver.trees[0]
    pairs = {
        (int(one), int(two)): solver.ranges[0][one] * solver.ranges[1][two]
        for one in np.flatnonzero(solver.ranges[0])
        for two in np.flatnonzero(solver.ranges[1])
        if not set(HOLDEM.holdings[one]) & set(HOLDEM.holdings[two])
    }
    total = sum(pairs.values())
    deals = " ".join(f'"{one}-{two}" {weight / total:.12f}' for (one, two), weight in pairs.items())
    lines = ['EFG 2 R "river" { "first" "second" } ""', f'c "" 1 "" {{ {deals} }} 0']
    sets: dict[tuple[int, int, int], int] = {}
    counter = [0]
    for pair in pairs:
        lines += efg_nodes(tree, 0, pair, sets, counter)
    return "\n".join(lines) + "\n"


def efg_nodes(
    tree: StreetTree,
    node: int,
    pair: tuple[int, int],
    sets: dict[tuple[int, int, int], int],
    outcomes: list[int],
) -> Iterator[str]:
    """A node and all below it, parents first."""
    turn = int(tree.turn[node])
    if turn > 1:
        outcomes[0] += 1
        won = payoff(tree, node, pair)
        yield f't "" {outcomes[0]} "" {{ {won} {-won} }}'
        return
    count = sum(1 for seat, _, _ in sets if seat == turn)
    number = sets.setdefault((turn, node, pair[turn]), count + 1)
    children = range(int(tree.child[node]), int(tree.child[node] + tree.actions[node]))
    moves = " ".join(f'"{tree.code[child]}"' for child in children)
    yield f'p "" {turn + 1} {number} "" {{ {moves} }} 0'
    for child in children:
        yield from efg_nodes(tree, child, pair, sets, outcomes)


def payoff(tree: StreetTree, node: int, pair: tuple[int, int]) -> float:
    """What the first player wins at a terminal."""
    if tree.turn[node] == FOLDED:
        return float(-tree.paid[node, 0] if tree.loser[node] == 0 else tree.paid[node, 1])
    one, two = HOLDEM.strengths(BOARD, np.array(pair)).astype(int).tolist()
    return float(tree.paid[node].min() * ((one > two) - (one < two)))


RIVER = Work(
    "limit river, a dozen holdings each", "iterations", {"holdmem": ours}, {"open_spiel (C++)": openspiel}
)


def resolving(seconds: float) -> Iterator[Line]:
    """Iterations of a small river beside OpenSpiel; milliseconds to precise solutions of whole ranges."""
    yield from RIVER.measure(seconds)
    games = {"limit": LIMIT, "no-limit": NOLIMIT, "no-limit (many sizes)": MANY_SIZES}
    for name, subgame in games.items():
        yield until_precise(f"{name} river, all holdings", subgame)
    for name, subgame in {"limit": LIMIT_TURN, "no-limit (pot)": NOLIMIT_TURN}.items():
        yield until_precise(f"{name} turn with its rivers, all holdings", subgame)


def until_precise(name: str, subgame: Subgame) -> Line:
    """Milliseconds of CPU until a best response wins no more than half a percent of the pot."""
    solver_of(subgame).run(1)
    solver, spent = solver_of(subgame), 0.0
    found = 1.0
    while found > PRECISE:
        start = process_time()
        solver.run(10)
        spent += process_time() - start
        found = exploitability(solver)
    remark = f"{solver.iterations} iterations, {found:.2%} of the pot"
    return Line(name, "CPU time to 0.5% of the pot", 1000 * spent, "ms", remark=remark)
