"""check_agent: our agents pass, and each law catches the agent that breaks it."""

import pytest

from holdmem import check_agent, find_game, make_agent
from holdmem.agent import registered
from holdmem.arena.agent_laws import LAWS
from holdmem.arena.conformance import usual_games
from holdmem.core.random import LEAST_SECRET
from selections import quick_and_long
from strangers import called

LIMIT = [find_game("limit")]
HEADS_UP = ("eqm", "memory", "plicas", "resolve", "sartre")
"""Those that play one game alone."""
HEADS_UP_BOTH = ("dynamic", "ensemble", "imitator")
"""Those that ship with memories of heads-up limit and of heads-up no-limit."""
LIMIT_ONLY = ("casper",)

BREAKERS = {
    "RaisesTooMuch": ("acts legally", "raise to 1000000000"),
    "FoldsForFree": ("acts legally", "not a free fold"),
    "WrongShape": ("acts legally", "one for each of"),
    "WrongType": ("acts legally", "expected Actions"),
    "Fractions": ("acts legally", "row of ints"),
    "Raises": ("acts legally", "ZeroDivisionError"),
    "Exits": ("acts legally", "SystemExit"),
    "RaisesInSit": ("acts legally", "the chair is broken"),
    "divides_by_zero": ("acts legally", "turn, seat"),
    "Unequal": ("can be pickled, compared and hashed", "frozen dataclass"),
    "Unpicklable": ("can be pickled, compared and hashed", "not for export"),
    "Whimsical": ("repeats under a seed", "two runs with the same seed differ"),
    "Cheats": ("is blind to hidden cards", "up to the preflop"),
    "CheatsOnTheTurn": ("is blind to hidden cards", "up to the turn"),
    "LooksAtOtherHands": ("is blind to hidden cards", "up to the river"),
    "WritesIntoViews": ("keeps to what it is given", "read-only"),
    "WritesIntoHistory": ("keeps to what it is given", "read-only"),
    "ForcesItsWay": ("keeps to what it is given", "writes into its views"),
    "WritesWhatItWatches": ("keeps to what it is given", "writes into the hands"),
    "Cheats ": ("keeps to what it is given", "sys._getframe"),
    "Inspects": ("keeps to what it is given", "sys._getframe"),
    "InspectsWhenItSits": ("keeps to what it is given", "sys._getframe), at sit()"),
    "ReadsATraceback": ("keeps to what it is given", "tb_frame"),
    "AsksForObjects": ("keeps to what it is given", "gc.get_objects"),
    "AsksForReferrers": ("keeps to what it is given", "gc.get_referrers"),
    "hides_in_a_string": ("keeps to what it is given", "sys._getframe"),
    "MindsTheBatch": ("is indifferent to batch size", "differ at hand"),
    "MixesTables": ("learns at each table alone", "differently at table"),
    "Remembers": ("is static if it says so", "it remembers something"),
    "WatchesBadly": ("acts legally", "KeyError"),
    "ActsOtherwise": ("draws its actions from its policy", "at another rate than policy states"),
    "DoesTheImpossible": ("draws its actions from its policy", "probability 0"),
    "SumsToTwo": ("draws its actions from its policy", "sum to one"),
    "IllegalPolicy": ("draws its actions from its policy", "illegal action"),
    "AnotherAnswerTwice": ("draws its actions from its policy", "called twice"),
    "ChangedByAsking": ("draws its actions from its policy", "after a call of policy"),
    "ExplainsNothing": ("explains itself", "expected an Explanation"),
    "Declines": ("sits in at least one game", "plays no poker"),
}


QUICK = {
    "alistairbot": "alistairbot:samples=4",
    "mctsbot": "mctsbot:iterations=12",
    "simbot": "simbot:rollouts=3",
}
"""Players that think as long as they are told to are checked with short thoughts."""


def _games_of(name: str) -> int:
    """How many of the usual games an agent of ours plays."""
    if name.startswith(HEADS_UP):
        return 1
    if name in HEADS_UP_BOTH:
        return 2
    return sum(game.limit or name not in LIMIT_ONLY for game in usual_games())


PRESETS = [name for name in registered() if name.startswith("eqm-")]
LONG = ("ensemble", "dynamic", "memory", "poki", "resolve", "sartre-1", *PRESETS)
"""Agents that take long, and those of a class of which another, `eqm` or `sartre-2`, is tested every time."""


@pytest.mark.parametrize("name", quick_and_long(sorted(registered()), LONG))
def test_every_agent_of_ours_has_manners_in_every_game(name: str) -> None:
    found = check_agent(make_agent(QUICK.get(name, name)), seed=0)
    assert found.problems == []
    assert len(found.declined) == len(usual_games()) - _games_of(name)
    assert len(found.checked) == 1 + 10 * (len(usual_games()) - len(found.declined))


@pytest.mark.parametrize(
    "name", ["cautious", "by_the_cards", "Counter", "Oblivious", "Patient", "Explains", "Of"]
)
def test_strangers_with_manners_pass(name: str) -> None:
    assert check_agent(make_agent(called(name)), LIMIT, 0).problems == []


@pytest.mark.parametrize("name", BREAKERS)
def test_each_law_catches_who_breaks_it(name: str) -> None:
    law, says = BREAKERS[name]
    problems = check_agent(make_agent(called(name.strip())), LIMIT, 0).problems
    assert any(law in manner.name and says in manner.problem for manner in problems), problems


@pytest.mark.parametrize("text", ["action-learner:explore=0.1", "outcome-learner:minimum=0", "jagbot"])
def test_nobody_who_draws_from_its_policy_is_accused(text: str) -> None:
    law = LAWS["draws its actions from its policy"]
    games = [find_game("limit"), find_game("nolimit", seats=3)]
    assert not any(law(make_agent(text), game, seed) for game in games for seed in range(30))


@pytest.mark.parametrize("name", ["Loops", "WatchesForEver"])
def test_endless_agents_run_out_of_time(name: str) -> None:
    found = check_agent(make_agent(called(name)), LIMIT, 0, 0.2)
    assert any("took longer than 0.2 s" in manner.problem for manner in found.problems)


def test_a_game_may_be_declined() -> None:
    found = check_agent(make_agent(called("Declines")), LIMIT)
    assert found.declined == (("holdem.limit.2p.reverse_blinds, 2 seats", "plays no poker"),)


def test_the_seed_decides_what_is_tried() -> None:
    agent = make_agent(called("MindsTheBatch"))
    one, again, other = (check_agent(agent, LIMIT, seed) for seed in (1, 1, 2))
    assert one == again != other


def test_what_is_tried_is_secret_unless_a_seed_is_given() -> None:
    agent = make_agent("always-call")
    one, other = (check_agent(agent, LIMIT) for _ in range(2))
    assert one.problems == other.problems == []
    assert min(one.seed, other.seed) >= LEAST_SECRET
    assert one.seed != other.seed
    assert check_agent(agent, LIMIT, one.seed) == one


@pytest.mark.parametrize("name", ["Logs", "by_the_cards"])
def test_libraries_may_look_at_frames(name: str) -> None:
    found = check_agent(make_agent(called(name)), LIMIT, 0)
    assert not [manner for manner in found.problems if "keeps to" in manner.name]
