"""Beyond Friedrich and Schwind (2011): what each dynamic unit adds against five styles, by two readings.

The literal reading answers aggression by fewer bets and raises, and its range control counts no blinds. The
text's intention suggests another: call down more against aggression and keep raising for value, and count the
blinds won where the opponent folds. It was chosen from the text alone, before anything of it was played; its
rows are exploratory and have no verdict.
"""

from holdmem.arena import Design
from holdmem.engine import find_game
from holdmem.papers.findings import Finding, Row, shown
from holdmem.papers.pairing import difference
from holdmem.papers.runner import ExperimentRunner

LIMIT = find_game("limit")
STYLES = {
    "a rock": "jagbot:loose=0.3,aggressive=0.1",
    "dpp": "dpp",
    "a maniac": "jagbot:loose=1,aggressive=1",
    "always-raise": "always-raise",
    "always-call": "always-call",
}
READINGS = {"literal": "", "by intention": "weighing=stealing,answer=calls"}
UNITS = {"both units": "", "DPRC alone": "dpac", "DPAC alone": "dprc"}
"""What is added, and what must be off for it."""
SEED = 6_000_000


def agent(off: str, reading: str) -> str:
    """Return PLICAS with these units off."""
    parts = [part for part in (f"off={off}" if off else "", READINGS[reading]) if part]
    return f"plicas:{','.join(parts)}" if parts else "plicas"


def styles(runner: ExperimentRunner) -> Finding:
    """Play PLICAS with both, one or none of its dynamic units, and pair by match on the same cards."""
    hands, matches = runner.at(smoke=(20, 5), quick=(200, 6), full=(4_000, 12))
    against = runner.at(smoke=("dpp",), quick=tuple(STYLES), full=tuple(STYLES))
    players = ["plicas:off=dprc+dpac"]
    players += [agent(off, reading) for reading in READINGS for off in UNITS.values()]
    designs = [
        Design(LIMIT, (player, STYLES[style]), hands, matches, seed=SEED + runner.seed)
        for style in against
        for player in players
    ]
    played = iter(runner.matches(designs, "dynamic units against five styles"))
    rows = []
    for style in against:
        static = next(played)
        for reading in READINGS:
            for unit in UNITS:
                found = next(played)
                gain = difference(found, static)
                rows.append(
                    Row(
                        f"{unit} against {style}, {reading}", "–", shown(gain, unit=True), found.hands,
                        found.design.agents[1], samples=gain.samples,
                        remark=f"{found.design.agents[0]} less {static.design.agents[0]}",
                    )
                )  # fmt: skip
    return Finding(tuple(rows), remark="Exploratory. Differences are match by match on the same cards.")
