"""Beyond Rubin (2007): why CASPER loses among the players that it learned from.

Four Poki and four Simbot, once with Pokis that learn from what they see and once with Pokis that do not. The
tested players are CASPER, CASPER with reuse by outcome, and both teachers in CASPER's seat, all with the same
cards. These are no decks of the recording of its memory.
"""

from holdmem.arena import Design, Estimate, MatchResult
from holdmem.engine import find_game
from holdmem.papers.casper_published import CASPER02, SIMBOT
from holdmem.papers.findings import Finding, Row, over_matches, shown
from holdmem.papers.pairing import difference, per_match
from holdmem.papers.runner import ExperimentRunner

GAME = find_game("casper")
BY_OUTCOME = "casper:policy=best-outcome"
PLAYERS = (CASPER02, BY_OUTCOME, "poki", SIMBOT)
POKIS = {"poki": "Pokis that learn", "poki:learns=off": "Pokis that do not learn"}
SEED = 5_000_000
"""Far from the seed of the recording, 2007."""


def teachers(runner: ExperimentRunner) -> Finding:
    """Play each at both tables, and compare on the same cards."""
    hands, matches = runner.at(smoke=(1, 2), quick=(40, 10), full=(150, 50))
    designs = [
        Design(GAME, (player, *(poki, SIMBOT) * 4), hands, matches, seed=SEED + runner.seed)
        for poki in POKIS
        for player in PLAYERS
    ]
    played = iter(runner.matches(designs, "CASPER among its teachers"))
    won: dict[tuple[str, str], MatchResult] = {}
    total = 9 * hands * matches
    rows = []
    for poki, said in POKIS.items():
        for player in PLAYERS:
            won[poki, player] = next(played)
            rows.append(_row(f"{player} among {said}", over_matches(per_match(won[poki, player])), total))
    first, second = POKIS
    for what, one, other in (
        ("what learning Pokis cost CASPER", (second, CASPER02), (first, CASPER02)),
        ("reuse by outcome less Poki, among Pokis that learn", (first, BY_OUTCOME), (first, "poki")),
        ("reuse by outcome less Simbot, among Pokis that learn", (first, BY_OUTCOME), (first, SIMBOT)),
    ):
        rows.append(_row(what, difference(won[one], won[other]), total))
    return Finding(tuple(rows), remark="Not in the thesis. Differences are match by match on the same cards.")


def _row(what: str, found: Estimate, hands: int) -> Row:
    against = "four Poki and four Simbot of HoldMem (16 roll-outs)"
    return Row(what, "–", shown(found), hands, against, samples=found.samples)
