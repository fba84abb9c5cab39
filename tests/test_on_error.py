"""`on_error="fold"`: failed decisions become checks or folds, are counted, and change nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem import CALL, FOLD, Ledger, View, bot, match, tournament
from holdmem.arena import Design, MatchResult, run
from holdmem.arena.on_error import Replacements
from holdmem.arena.tally import check_result
from holdmem.cli import app
from holdmem.core.errors import AgentError
from holdmem.engine import find_game
from strangers import called

LIMIT = find_game("limit")


def trouble(view: View) -> bool:
    """Some decisions, by the cards alone: about one in five, with and without a bet to call."""
    return sum(view.hole) % 5 == 0


def give_up(view: View) -> int:
    return FOLD if view.to_call else CALL


@bot
def fails(view: View) -> int:
    return 1 // 0 if trouble(view) else CALL


@bot
def answers_in_words(view: View) -> Any:
    return "call" if trouble(view) else CALL


@bot
def raises_too_much(view: View) -> int:
    return 10**9 if trouble(view) else CALL


@bot
def raises_too_little(view: View) -> int:
    return 1 if trouble(view) else CALL


@bot
def invents_an_action(view: View) -> int:
    return -7 if trouble(view) else CALL


@bot
def as_mended(view: View) -> int:
    """What all of these come to, written by hand."""
    return give_up(view) if trouble(view) else CALL


@bot
def folds_for_free(view: View) -> int:
    return FOLD if trouble(view) else CALL


WRONG = [fails, answers_in_words, raises_too_much, raises_too_little, invents_an_action]


def money(result: MatchResult) -> list[Any]:
    return [unit["matches"] for unit in result.units]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.function.__name__)
@pytest.mark.parametrize("game", ["limit", "nolimit"])
def test_a_failed_decision_is_a_check_or_a_fold(game: str, wrong: Any) -> None:
    expected = match(game, as_mended, "random", hands=60, seed=3)
    found = match(game, wrong, "random", hands=60, seed=3, on_error="fold")
    assert money(found) == money(expected)
    ours, others = found.mended()
    assert ours.decisions > 10
    assert ours.free_folds == 0
    assert not others
    assert "seat" in ours.first
    with pytest.raises((AgentError, ValueError)):
        match(game, wrong, "random", hands=60, seed=3)


def test_a_free_fold_is_a_check_and_counted_separately() -> None:
    found = match("limit", folds_for_free, "random", hands=60, seed=3, on_error="fold")
    assert money(found) == money(match("limit", as_mended, "random", hands=60, seed=3))
    assert found.mended()[0].free_folds > 5
    assert found.mended()[0].decisions == 0
    assert "a check, which is free" in found.mended()[0].first


def test_who_makes_no_mistake_plays_the_same() -> None:
    agents, choices = ("random", "always-raise"), {"hands": 100, "seed": 1}
    careful = match("nolimit", *agents, **choices, on_error="fold")
    assert careful.units == match("nolimit", *agents, **choices).units
    assert not any(careful.mended())


@pytest.mark.parametrize("name", ["Raises", "WrongShape", "Fractions"])
def test_agents_that_answer_in_batches_are_mended_too(name: str) -> None:
    found = match(LIMIT, "always-call", called(name), hands=20, on_error="fold")
    assert found.mended()[1].decisions > 0
    assert called(name) in found.mended()[1].first


@pytest.mark.parametrize("name", ["Loops", "loops"])
def test_the_time_limit_still_stops(name: str) -> None:
    match(LIMIT, "always-call", "random", hands=20)  # brings the kernels into memory
    with pytest.raises(AgentError, match=r"took longer than 1\.5 s") as caught:
        match(LIMIT, "always-call", called(name), hands=20, time_limit=1.5, on_error="fold")
    assert called(name) in str(caught.value)


def test_the_account_does_not_depend_on_the_batch() -> None:
    design = Design(LIMIT, ("random", called("divides_by_zero")), hands=600, seed=5, on_error="fold")
    one, other = run(design, batch=4096), run(design, batch=7)
    assert one.units == other.units
    assert one.mended()[1].decisions > 20


def test_the_account_survives_the_ledger(tmp_path: Path) -> None:
    design = Design(LIMIT, ("random", called("divides_by_zero")), hands=100, seed=5, on_error="fold")
    first = run(design, ledger=Ledger(tmp_path / "ledger.sqlite"))
    again = run(design, ledger=Ledger(tmp_path / "ledger.sqlite"))
    assert again.mended() == first.mended()
    for unit in first.units:
        check_result(unit, design)
        with pytest.raises(ValueError, match="not a result"):
            check_result({**unit, "mended": [{"decisions": "many"}, {}]}, design)


def test_accounts_add_up_to_the_earliest_message() -> None:
    late, early = (
        Replacements(2, 0, "late", (0, 0, 9, 1)),
        Replacements(1, 3, "early", (0, 0, 2, 4)),
    )
    assert late + early == early + late == Replacements(3, 3, "early", (0, 0, 2, 4))
    assert Replacements() + late == late + Replacements() == late
    assert Replacements.of(json.loads(json.dumps(early.as_stored()))) == early


def test_a_tournament_goes_on() -> None:
    names = ("random", "always-call", called("divides_by_zero"))
    found = tournament("limit", *names, hands=60, on_error="fold")
    assert not found.failures
    assert len(found.results) == 3


def test_the_command_warns() -> None:
    asked = ["match", "always-call", called("divides_by_zero"), "--hands", "50", "--no-ledger"]
    done = CliRunner().invoke(app, [*asked, "--on-error", "fold"], env={"COLUMNS": "400"})
    assert done.exit_code == 0, done.output
    assert "failed decisions became checks or folds; the first: " in done.output
    assert "ZeroDivisionError" in done.output
    told = CliRunner().invoke(app, [*asked, "--on-error", "fold", "--json"])
    assert json.loads(told.output)["agents"][1]["mended"]["decisions"] > 0
    assert CliRunner().invoke(app, asked).exit_code != 0
