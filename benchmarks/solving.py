"""Solving games, and playing from what was solved, on one core."""

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Chunk, Line, Prepare, Work
from holdmem import find_game, make_agent
from holdmem.agent import Views
from holdmem.cfr import CFRSolver, Leduc, build_game_tree
from holdmem.cfr.betting_tree import Sizes
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, Batch
from holdmem.learning.solve import HoldemSolve, SolveTask, local_response_probe
from holdmem.strength.tables import TABLES

VIEWS = 8192
SOLVES = {
    "solve limit, 169/400/400/200": SolveTask("limit", (169, 400, 400, 200)),
    "solve no-limit, 169/300/300/150": SolveTask("nolimit", (169, 300, 300, 150)),
    "the same with bets of 3 and 9 pots": SolveTask(
        "nolimit", (169, 300, 300, 150), sizes=Sizes((0.5, 1.0, 3.0, 9.0), (1.0, 3.0, 9.0))
    ),
}
HARD, TRIES = 500, 300
"""The first limit solve is timed until a local best response wins no more than this many mbb/h from it, and
given up after this many iterations. 400 hands a try: the figure is rough, and a lower bound."""


def our_leduc() -> Chunk:
    """A hundred iterations a chunk."""
    solver = CFRSolver(build_game_tree(Leduc()), "vanilla")

    def chunk() -> int:
        solver.run(100)
        return 100

    return chunk


def openspiel_leduc() -> Chunk:
    """OpenSpiel's CFR in C++, five a chunk; suits that do not matter are not told apart there either."""
    import pyspiel  # noqa: PLC0415

    solver = pyspiel.CFRSolver(pyspiel.load_game("leduc_poker", {"suit_isomorphism": True}))

    def chunk() -> int:
        for _ in range(5):
            solver.evaluate_and_update_policy()
        return 5

    return chunk


LEDUC = Work(
    "Leduc, vanilla CFR", "iterations", {"holdmem": our_leduc}, {"open_spiel (C++)": openspiel_leduc}
)


def decisions(name: str, game_name: str) -> Prepare:
    """A chunk of decisions of a whole hand that is called down, streets mixed as they come."""

    def prepare() -> Chunk:
        game = find_game(game_name)
        seat = make_agent(name).sit(game, VIEWS, Streams.of(0))
        batches = called_down(game)

        def chunk() -> int:
            for views in batches:
                seat.act(views)
            return sum(map(len, batches))

        return chunk

    return prepare


def called_down(game: "object") -> list[Views]:
    """Views of all decisions where everybody calls."""
    streams, places = Streams.of(1, "cards"), hand_ids(VIEWS)
    batch = Batch(game, streams.decks(places, 9))  # type: ignore[arg-type]
    found, tables = [], np.arange(VIEWS)
    while len(batch.unfinished()):
        now = Views.of(batch, tables, places, tables)
        found.append(Views(now.game, now.rows, batch.history.copy(), tables, tables))
        batch.act(tables, np.full(VIEWS, CALL))
    return found


PLAY = [
    Work(f"decisions of {name}", "decisions", {"holdmem": decisions(name, game)}, bar=1e6)
    for name, game in (("eqm", "limit"), ("eqm-nl", "nolimit"))
]


def solving(seconds: float) -> Iterator[Line]:
    """Leduc beside OpenSpiel; iterations, information sets and memory of the shipped sizes; decisions."""
    yield from LEDUC.measure(seconds)
    for name, task in SOLVES.items():
        yield from solve_lines(name, task, seconds)
    yield until_hard_to_exploit(*next(iter(SOLVES.items())))
    remark = "" if TABLES["turn"].path() else "without the turn's table: `holdmem tables build turn`"
    for work in PLAY:
        for line in work.measure(seconds):
            yield Line(**{**vars(line), "remark": remark})


def solve_lines(name: str, task: SolveTask, seconds: float) -> Iterator[Line]:
    """How fast a solve goes, and how large it is."""
    solve = HoldemSolve(task)

    def chunk() -> int:
        solve.solver.run(1)
        return 1

    yield from Work(name, "iterations", {"holdmem": lambda: chunk}).measure(seconds)
    yield Line(name, "information sets", solve.solver.layout.information_sets)
    yield Line(name, "memory", solve.memory / 1e6, "MB")


def until_hard_to_exploit(name: str, task: SolveTask) -> Line:
    """Minutes of solving until a local best response wins little."""
    title = f"minutes to a local best response of {HARD} mbb/h"
    probe = local_response_probe(task.rules, hands=400)
    for report in HoldemSolve(task).run(TRIES, None, every=10, probe=probe):
        if report.local_response is not None and report.local_response <= HARD:
            remark = f"{report.iterations} iterations, {report.local_response:.0f} mbb/h"
            return Line(name, title, report.seconds / 60, "min", remark=remark)
    return Line(name, title, remark=f"not within {TRIES} iterations")
