"""Solve one spot on the turn or river: board, both ranges, pot, stacks and bet sizes."""

from collections.abc import Sequence

from holdmem.api.spot_solution import SpotSolution
from holdmem.cards import Range, cards, names
from holdmem.cfr.betting_tree import Sizes
from holdmem.cfr.subgame.response import SubgameStrategy, average, exploitability, game_value
from holdmem.cfr.subgame.solver import SubgameSolver
from holdmem.cfr.subgame.tree import Subgame
from holdmem.core.errors import GameError, NotationError
from holdmem.strength import EQUITY_RANKING, range_equities

STEP = 20
"""Iterations between two looks at the exploitability."""
MOST_ITERATIONS = 2000


def solve_spot(
    board: str | Sequence[int],
    first: Range | str,
    second: Range | str,
    *,
    pot: float,
    stack: int | None = None,
    bets: Sequence[float] = (0.5, 1.0),
    raises: Sequence[float] = (1.0,),
    most_raises: int = 3,
    limit: tuple[int, int] | None = None,
    iterations: int | None = None,
    precision: float = 0.005,
) -> SpotSolution:
    """Solve a heads-up spot on the turn or river for both ranges, in holdings and without buckets.

    Parameters
    ----------
    board : four or five cards.
    first, second : ranges of the player who acts first and of the other, such as "22+, A2s+, KTo:0.5".
    pot : chips in the pot.
    stack : no-limit: chips behind, the smaller of both stacks.
    bets, raises : no-limit: sizes of a street's first bet and of further raises, as fractions of the pot;
        all-in is always possible.
    most_raises : maximum bets and raises per street, besides all-in.
    limit : limit: size of a bet on the turn and on the river.
    iterations : number of iterations; by default as many as `precision` takes.
    precision : exploitability to reach, as a share of the pot.

    Returns
    -------
    SpotSolution : `decision` gives frequencies by holding and class.

    Raises
    ------
    NotationError : board or ranges cannot be read.
    GameError : the chips do not fit together, or a range has no holding that the board leaves.

    Examples
    --------
    >>> spot = solve_spot("Kc8s2d5h9c", "AA, 76s", "KQs, KJs", pot=100, stack=100, bets=[1.0])
    >>> spot.exploitability < 0.005, [one.words for one in spot.decision().actions]
    (True, ['check', 'bet 100 all-in'])
    """
    shared = tuple(cards(board) if isinstance(board, str) else board)
    if len(shared) not in (4, 5):
        raise NotationError(f"expected a board of 4 or 5 cards, got {len(shared)}")
    if (stack is None) == (limit is None):
        raise GameError("expected the stack of a no-limit spot, or the bet sizes of a limit spot")
    if stack is not None and stack < 1:
        raise GameError(f"expected a stack of at least 1 chip, without which nobody can bet, got {stack}")
    ranges = tuple(
        Range.parse(one, ranking=EQUITY_RANKING) if isinstance(one, str) else one for one in (first, second)
    )
    sizes = Sizes(tuple(bets), tuple(raises), most_raises)
    chips = 10**9 if stack is None else stack
    subgame = Subgame(len(shared) - 2, pot, chips, sizes, limit, most_raises)
    solver = SubgameSolver(subgame, shared, [one.weights for one in ranges])
    found, strategy = _run(solver, iterations, precision)
    share = game_value(solver, strategy, 0)
    equity = range_equities(ranges, list(shared)).equity.tolist()
    return SpotSolution(
        names(shared),
        (ranges[0], ranges[1]),
        subgame,
        solver.iterations,
        found,
        (pot / 2 + share, pot / 2 - share),
        (equity[0], equity[1]),
        solver,
        strategy,
    )


def _run(solver: SubgameSolver, iterations: int | None, precision: float) -> tuple[float, SubgameStrategy]:
    """Run a number of iterations, or until the solution is precise enough."""
    if iterations is not None and iterations < 1:
        raise GameError(f"expected at least 1 iteration, got {iterations}")
    solver.run(iterations or STEP)
    strategy = average(solver)
    found = exploitability(solver, strategy)
    while iterations is None and found > precision and solver.iterations < MOST_ITERATIONS:
        solver.run(STEP)
        strategy = average(solver)
        found = exploitability(solver, strategy)
    return found, strategy
