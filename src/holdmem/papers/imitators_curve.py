"""Controls for Rubin and Watson (2011): how well an imitator plays by hands remembered."""

from pathlib import Path
from tempfile import TemporaryDirectory

from holdmem.arena import Design
from holdmem.engine import find_game
from holdmem.papers.findings import Finding, Row, shown
from holdmem.papers.growing import agreement_rows, memories
from holdmem.papers.runner import ExperimentRunner
from holdmem.players.imitators.imitator import LIMIT, NO_LIMIT

SEED = 8_000_000
"""Far from the seeds of the recordings."""
GAMES = {"limit": ("eqm", LIMIT), "nolimit": ("eqm-nl", NO_LIMIT)}
STEPS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)


def curve(runner: ExperimentRunner) -> Finding:
    """Play imitators of more and more hands of an expert against the expert and a rule-based player."""
    steps = runner.at(smoke=(500,), quick=STEPS[:4], full=STEPS)
    hands = runner.at(smoke=50, quick=5_000, full=100_000)
    test = runner.at(smoke=50, quick=5_000, full=50_000)
    rows = []
    for game, (expert, representation) in GAMES.items():
        table = find_game(game)
        recorded = Design(table, (expert, expert), steps[-1], kind="ring", seed=SEED)
        with TemporaryDirectory(prefix="holdmem-") as place:
            counts = memories(runner, recorded, representation, steps, Path(place))
            pairs = [(step, other) for step in steps for other in (expert, "simplebot")]
            designs = [
                Design(table, (f"imitator:cases={place}/{step}", other), hands, seed=SEED + runner.seed)
                for step, other in pairs
            ]
            rows += agreement_rows(runner, recorded, steps, Path(place), test)
            for (step, other), found in zip(pairs, runner.matches(designs, "imitators' curve"), strict=True):
                ours = found.estimates()[0]
                what = f"imitator of {expert}, {step:,} hands ({counts[step]:,} cases), against {other}"
                rows.append(Row(what, "–", shown(ours, unit=True), found.hands, other, samples=ours.samples))
    return Finding(tuple(rows), remark="A learning curve; not in the paper.")
