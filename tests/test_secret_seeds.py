"""Secret seeds: nobody can guess them, nobody sees them before the end, and then they repeat everything."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem import Ledger, check_agent, find_game, make_agent, match, tournament
from holdmem.arena import Design, run
from holdmem.cli import app
from holdmem.core.errors import GameError
from holdmem.core.random import LEAST_SECRET
from strangers import called

LIMIT = find_game("limit")
DESIGN = Design(LIMIT, ("random", called("cautious")), hands=600, seed="secret")
GUESSER, TWIN = called("SeedGuesser"), called("SeedGuesser:guesses=0")


def holdmem(*words: str) -> str:
    return CliRunner().invoke(app, words, catch_exceptions=False).stdout


class Killed(Exception):
    """Instead of a signal."""


def killed_after(hands: int) -> Any:
    def tell(done: int, of: int) -> None:
        if hands <= done < of:
            raise Killed

    return tell


def test_a_secret_seed_repeats_to_the_digit_once_it_is_known() -> None:
    found = run(DESIGN)
    seed = found.design.seed
    assert isinstance(seed, int)
    assert seed >= LEAST_SECRET
    again = match(LIMIT, *DESIGN.agents, hands=600, seed=seed)
    assert (again.hash, again.units) == (found.hash, found.units)
    assert again.as_json() == found.as_json()
    assert run(DESIGN).design.seed != seed


def test_a_killed_run_goes_on_with_its_secret_and_a_finished_one_draws_another(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "results.sqlite")
    with pytest.raises(Killed):
        run(DESIGN, ledger=ledger, progress=killed_after(500))
    (secret,) = ledger.secrets()
    ((begun, _),) = ledger.plans()
    assert begun.design.seed == "secret"
    found = run(DESIGN, ledger=ledger)
    assert found.design.seed == secret
    assert found.units == match(LIMIT, *DESIGN.agents, hands=600, seed=secret).units
    assert ledger.secrets() == set()
    assert [plan.design.seed for plan, _ in ledger.plans()] == [secret]
    assert run(DESIGN, ledger=ledger).design.seed not in (secret, "secret")


def test_another_design_has_another_secret(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "results.sqlite")
    for hands in (600, 700):
        with pytest.raises(Killed):
            match(
                LIMIT, *DESIGN.agents, hands=hands, seed="secret", ledger=ledger, progress=killed_after(500)
            )
    assert len(ledger.secrets()) == 2


def test_matches_of_a_tournament_share_a_secret_that_shows_when_the_last_has_ended(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "results.sqlite")
    agents = ("random", "always-call", "always-raise")
    with pytest.raises(Killed):
        tournament(LIMIT, *agents, hands=300, seed="secret", ledger=ledger, progress=killed_after(900))
    (secret,) = ledger.secrets()
    plans = [plan for plan, _ in ledger.plans()]
    ended = [result for plan in plans if (result := ledger.result(plan))]
    assert ended
    assert all(result.as_json()["seed"] == "secret" for result in ended)
    found = tournament(LIMIT, *agents, hands=300, seed="secret", ledger=ledger)
    assert found.as_json()["seed"] == secret
    assert found.as_json() == tournament(LIMIT, *agents, hands=300, seed=secret).as_json()
    assert {plan.design.seed for plan, _ in ledger.plans()} == {secret}


def test_an_agent_that_fails_gives_no_secret_away(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "results.sqlite")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        match(LIMIT, called("Raises"), "random", hands=50, seed="secret", ledger=ledger)
    assert [plan.design.seed for plan, _ in ledger.plans()] == ["secret"]


def test_the_commands_show_a_secret_at_the_end_alone(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "results.sqlite")
    there = ("--ledger", str(ledger.path), "--json")
    with pytest.raises(Killed):
        run(DESIGN, ledger=ledger, progress=killed_after(500))
    (secret,) = ledger.secrets()
    listed = holdmem("results", "list", *there)
    assert json.loads(listed)[0]["seed"] == "secret"
    assert str(secret) not in listed
    choice = ("match", *DESIGN.agents, "--hands", "600")
    told, again = (holdmem(*choice, "--seed", seed, *there) for seed in ("secret", str(secret)))
    assert json.loads(told)["seed"] == secret
    assert told == again


@pytest.mark.parametrize("seed", ["Secret", "0", "", -1])
def test_other_words_are_no_seeds(seed: Any) -> None:
    with pytest.raises(GameError, match="expected a seed of 0 or more, or 'secret'"):
        Design(LIMIT, ("random", "random"), seed=seed)


# ------------------------------------------------------------------------------------- an agent that guesses


def mean(agent: str, seed: Any) -> float:
    return match(LIMIT, agent, "always-call", hands=300, seed=seed).estimates()[0].mean


def test_a_guessed_seed_is_worth_a_lot() -> None:
    assert mean(GUESSER, 1234) > mean(TWIN, 1234) + 1.0


def test_under_a_secret_seed_guessing_gains_nothing() -> None:
    found = match(LIMIT, GUESSER, "always-call", hands=300, seed="secret")
    twin = match(LIMIT, TWIN, "always-call", hands=300, seed=found.design.seed)
    assert found.units == twin.units


def test_an_agent_that_guesses_has_manners_where_it_cannot_guess() -> None:
    assert check_agent(make_agent(GUESSER), [LIMIT]).problems == []
