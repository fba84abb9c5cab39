"""What re-solving the river wins from its base, head to head, with the chances of the river left out.

    python -m benchmarks.resolving_gain --base eqm --game limit --hands 2000

Before the river a re-solver is its base, so hands of the base against itself reach its rivers as often as its
own would. On each river reached, the expected result of the solution against the base is computed exactly
over both ranges, by seat, and compared with that of the base against itself. Hands that end before count
zero. The mean over hands and seats is the expected result of a match between the two, and the interval is
over hands. Several ways of solving are compared on the same rivers.
"""

import argparse
from time import process_time

import numpy as np

from holdmem import Streams, find_game, make_agent
from holdmem.agent import PolicySeat, Views
from holdmem.cfr.subgame.response import SubgameStrategy, game_value
from holdmem.cfr.subgame.solver import SubgameSolver
from holdmem.cfr.subgame.tree import Subgame
from holdmem.core.random import hand_ids
from holdmem.core.types import Floats, Ints
from holdmem.engine import Batch, Game
from holdmem.players.resolving import Resolve
from holdmem.players.resolving.public_play import rebuild
from holdmem.players.resolving.subgames import RIVER, EndSolver, ResolveOptions, resolve_river


def rivers_reached(game: Game, seat: PolicySeat, hands: int, seed: int) -> tuple[Batch, Ints]:
    """Play hands of a seat against itself up to the river; return those that wait there."""
    ids = hand_ids(hands)
    batch = Batch(game, Streams.of(seed, "cards").decks(ids, game.deck_cards))
    tables = np.arange(hands)
    while True:
        waiting = batch.unfinished()
        early = waiting[batch.hands["street"][waiting] < RIVER]
        if not len(early):
            return batch, waiting
        batch.act(early, seat.act(Views.of(batch, early, ids, tables)).codes)


def views_of(batch: Batch, tables: Ints, seat: int) -> Views:
    """Views of the rivers, as if this seat were to act."""
    now = Views.of(batch, tables, hand_ids(len(batch)), np.arange(len(batch)))
    rows = now.rows.copy()
    rows["seat"] = seat
    return Views(batch.game, rows, batch.history, tables, tables)


def gains(
    solver: EndSolver, batch: Batch, tables: Ints, ways: dict[str, ResolveOptions]
) -> dict[str, Floats]:
    """What each way of solving wins more than the base on these rivers, mean of both seats, in chips."""
    views = [views_of(batch, tables, seat) for seat in (0, 1)]
    subgames = [solver.subgame(row, ()) for row in views[0].rows]
    public, actions = rebuild(views[0])
    counts = views[0].actions.astype(np.int64)
    reach = solver.follower.follow(public, actions, counts)
    every = np.arange(len(tables))
    base = [solver._base_tables(public, one, subgames, every) for one in views]
    found = {name: np.zeros(len(tables)) for name in ways}
    for row in every.tolist():
        board = tuple(views[0].board[row].tolist())
        ranges = [one / one.max() for one in reach[row]]
        both = base[0][row] + base[1][row]
        for name, how in ways.items():
            won = [gain(subgames[row], board, ranges, seat, base[seat][row], both, how) for seat in (0, 1)]
            found[name][row] = sum(won) / 2
    return found


def gain(
    subgame: Subgame,
    board: tuple[int, ...],
    ranges: list[Floats],
    seat: int,
    own: Floats,
    both: Floats,
    how: ResolveOptions,
) -> float:
    """What a seat wins more on a river by solving it, against the base with its range."""
    solved = resolve_river(subgame, board, ranges, seat, own, how)
    plain = SubgameSolver(subgame, board, ranges)
    tree, held = plain.trees[0], plain.first.sorted.holding
    place = {holding: k for k, holding in enumerate(solved.first.sorted.holding.tolist())}
    average = solved.first.average()[:, [place[holding] for holding in held.tolist()]]
    rows = np.repeat(tree.turn[tree.turn < 2] == seat, tree.actions[tree.turn < 2])
    before = np.ascontiguousarray(both[:, held])
    after = np.where(rows[:, None], average, before)
    values = [game_value(plain, SubgameStrategy(one, []), seat) for one in (before, after)]
    return values[1] - values[0]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="eqm")
    parser.add_argument("--game", default="limit")
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--shares", type=float, nargs="*", default=[0.0, 1.0, 10.0])
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so much CPU")
    asked = parser.parse_args()
    game = find_game(asked.game)
    seated = Resolve(make_agent(asked.base), iterations=asked.iterations).sit(game, 1, Streams.of(asked.seed))
    plain = seated.solver.options
    ways = {
        f"safe, share {share:g}": ResolveOptions(True, asked.iterations, share, plain.sizes, plain.weighting)
        for share in asked.shares
    }
    ways["unsafe"] = ResolveOptions(False, asked.iterations, 0.0, plain.sizes, plain.weighting)
    samples: dict[str, list[float]] = {name: [] for name in ways}
    played, start, step = 0, process_time(), 100
    while played < asked.hands and process_time() - start < asked.seconds:
        batch, tables = rivers_reached(game, seated.base, step, asked.seed * 10**6 + played)
        found = gains(seated.solver, batch, tables, ways)
        for name, won in found.items():
            samples[name] += [*won.tolist(), *[0.0] * (step - len(tables))]
        played += step
    print(f"{asked.base} in {game.name}: {played:,} hands, {asked.iterations} iterations\n")
    print("| way | mbb/h |\n| --- | --- |")
    for name, some in samples.items():
        numbers = np.array(some) * 1000 / game.big_blind
        half = 1.96 * numbers.std(ddof=1) / np.sqrt(len(numbers))
        print(f"| {name} | {numbers.mean():+.1f} ± {half:.1f} |")
    print(f"\n{process_time() - start:.0f} s of CPU")


if __name__ == "__main__":
    main()
