"""A competition of our own in the manner of 2009 and 2010: the whole field and every memory."""

from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.findings import Finding
from holdmem.papers.lab import Lab
from holdmem.papers.ranking import crossing, ranked
from holdmem.rules import find_game

RULES = ("simplebot", "megabot", "jagbot", "dpp", "whlbot", "always-call", "always-raise", "random")
MODELS = ("poki", "simbot:rollouts=40", "alistairbot:samples=50")
EQUILIBRIA = ("eqm", "eqm-aggressive", "eqm-passive")
MEMORIES = ("sartre-1", "sartre-2", "plicas")
"""Budgets of those that think are counts, so that results repeat."""


def limit_two(lab: Lab) -> Finding:
    """Heads-up limit."""
    field = lab.at(smoke=("sartre-2", "simplebot"), quick=RULES + EQUILIBRIA + MEMORIES,
                   full=RULES + MODELS + EQUILIBRIA + MEMORIES)  # fmt: skip
    found = lab.tournament(find_game("limit"), field, hands=lab.at(smoke=50, quick=500, full=3_000))
    return Finding(ranked(found), (crossing(found),))


def limit_three(lab: Lab) -> Finding:
    """Three-player limit."""
    field = lab.at(smoke=RULES[:3], quick=RULES[:6], full=RULES)
    found = lab.tournament(find_game("limit", 3), field, hands=lab.at(smoke=20, quick=200, full=2_000))
    return Finding(ranked(found), (crossing(found),))


def nolimit_two(lab: Lab) -> Finding:
    """Heads-up no-limit."""
    solved = ("eqm-nl", "eqm-nl-aggressive", "eqm-nl-passive")
    field = lab.at(smoke=RULES[:2], quick=RULES + solved, full=(*RULES, *solved, "mctsbot:iterations=200"))
    found = lab.tournament(find_game("nolimit"), field, hands=lab.at(smoke=50, quick=500, full=3_000))
    return Finding(ranked(found), (crossing(found),))


PAPER = Paper(
    "competition",
    "none",
    "A competition of our own",
    (
        Experiment("limit2", "Limit, two players: bankroll and run-off", limit_two),
        Experiment("limit3", "Limit, three players: bankroll and run-off", limit_three),
        Experiment("nolimit2", "No-limit, two players: bankroll and run-off", nolimit_two),
    ),
)
