"""Parameters that Friedrich and Schwind (2011) leave open, each at other values, on the same cards."""

from holdmem.arena import Design
from holdmem.engine import find_game
from holdmem.papers.findings import Finding, Row, shown
from holdmem.papers.pairing import difference
from holdmem.papers.runner import ExperimentRunner

LIMIT = find_game("limit")
SEED = 6_100_000
SETTINGS = (
    "range=0.5", "range=1", "n_hands=30", "n_hands=300", "n_cases=30", "n_cases=300", "n_similar=10",
    "n_similar=40", "buckets=5", "buckets=20", "merge=0.25", "merge=0.75", "shift=0.5", "shift=2",
)  # fmt: skip


def sensitivity(runner: ExperimentRunner) -> Finding:
    """Compare each setting with the usual one against dpp and eqm."""
    hands, matches = runner.at(smoke=(20, 5), quick=(200, 6), full=(4_000, 12))
    settings = SETTINGS[-1:] if runner.scale == "smoke" else SETTINGS
    players = ["plicas", *(f"plicas:{one}" for one in settings)]
    rows = []
    for opponent in runner.at(smoke=("dpp",), quick=("dpp", "eqm"), full=("dpp", "eqm")):
        designs = [
            Design(LIMIT, (player, opponent), hands, matches, seed=SEED + runner.seed) for player in players
        ]
        usual, *others = runner.matches(designs, "PLICAS' parameters")
        for setting, found in zip(settings, others, strict=True):
            gain = difference(found, usual)
            rows.append(
                Row(
                    f"plicas:{setting} less plicas, against {opponent}", "–", shown(gain, unit=True),
                    found.hands, opponent, samples=gain.samples,
                )
            )  # fmt: skip
    return Finding(tuple(rows), remark="Exploratory. Differences are match by match on the same cards.")
