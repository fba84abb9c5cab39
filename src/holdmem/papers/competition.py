"""Competition in the format of 2009 and 2010 among our own agents.

The fields include equilibrium, case-based, learning, rule-based and search agents.
"""

from holdmem.engine import Game, find_game
from holdmem.papers import summaries
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.exploitability import exploitability
from holdmem.papers.findings import Finding
from holdmem.papers.ranking import crossing, ranked
from holdmem.papers.runner import ExperimentRunner
from holdmem.papers.yardsticks import yardsticks

RULES = ("simplebot", "megabot", "jagbot", "dpp", "whlbot", "always-call", "always-raise", "random")
LEARNERS = ("action-learner", "outcome-learner")
LIMIT = (
    "eqm", "eqm-aggressive", "eqm-passive", "sartre-1", "sartre-2", "casper", "imitator:expert=eqm-passive",
    "ensemble", "dynamic", "plicas", "poki", *LEARNERS, *RULES,
)  # fmt: skip
THREE = ("casper", "poki", *LEARNERS, *RULES)
NOLIMIT = (
    "eqm-nl", "eqm-nl-aggressive", "eqm-nl-passive", "imitator:expert=eqm-nl-passive", "ensemble", "dynamic",
    "poki", *LEARNERS, *RULES,
)  # fmt: skip
THINKERS = ("simbot:rollouts=40", "alistairbot:samples=50")
"""Search agents have budgets in counts rather than time, so that results are reproducible."""

MATCHES = 5
"""Learners are reset between matches, so their confidence intervals need several matches."""


def limit_two(runner: ExperimentRunner) -> Finding:
    """Play heads-up limit."""
    field = runner.at(smoke=("sartre-2", "simplebot"), quick=LIMIT, full=LIMIT + THINKERS)
    return _played(runner, find_game("limit"), field, runner.at(smoke=50, quick=60, full=600))


def limit_three(runner: ExperimentRunner) -> Finding:
    """Play three-player limit."""
    field = runner.at(smoke=RULES[:3], quick=THREE[:7], full=THREE)
    return _played(runner, find_game("limit", 3), field, runner.at(smoke=20, quick=30, full=100))


def nolimit_two(runner: ExperimentRunner) -> Finding:
    """Run the heads-up no-limit competition."""
    field = runner.at(smoke=RULES[:2], quick=NOLIMIT, full=(*NOLIMIT, *THINKERS, "mctsbot:iterations=200"))
    return _played(runner, find_game("nolimit"), field, runner.at(smoke=50, quick=60, full=600))


def _played(runner: ExperimentRunner, game: Game, field: tuple[str, ...], hands: int) -> Finding:
    found = runner.tournament(game, field, hands=hands, matches=MATCHES)
    return Finding(ranked(found), (crossing(found),))


PAPER = Paper(
    "competition",
    "Not from a publication.",
    "A competition of our own",
    (
        Experiment("limit2", "Limit, two players: bankroll and run-off", limit_two),
        Experiment("limit3", "Limit, three players: bankroll and run-off", limit_three, minutes=7),
        Experiment("nolimit2", "No-limit, two players: bankroll and run-off", nolimit_two),
        Experiment("exploitability", "What a local best response wins from each", exploitability, minutes=15),
        Experiment("yardsticks", "SimpleBot and MCTSBot beside the originals", yardsticks, minutes=5),
    ),
    summaries.COMPETITION,
    summaries.COMPETITION_METHOD,
)
