"""Exact exploitability by flops: sampling, the ledger, agents that do not qualify, the command."""

import json
import sqlite3

import numpy as np
import pytest
from typer.testing import CliRunner

import holdmem as hm
from holdmem.agent import make_agent
from holdmem.agent.tabular import ConstantTables, decisions
from holdmem.arena import Ledger
from holdmem.arena import exact as module
from holdmem.arena.agent_laws import tables_fit_policy
from holdmem.arena.exact import exact_exploitability, sample_flops
from holdmem.arena.exact_result import all_flops
from holdmem.arena.tabular_laws import check_tables
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.exact_response import ExactResponse, FlopValues, respond_before_flop
from holdmem.cfr.public_game import HOLDEM
from holdmem.cli import app
from holdmem.core.errors import AgentError, GameError
from holdmem.core.random import Streams
from holdmem.engine import find_game

LIMIT = find_game("limit")


def test_flops_boards_and_weights():
    """There are 1,755 flops, 63,193 flops with a turn, and their weights count every deal."""
    assert len(all_flops()) == 1755
    assert sum(flop.weight for flop in all_flops()) == 22_100
    turns = 0
    for flop in all_flops()[::40]:
        deals = list(HOLDEM.deals(2, flop.cards, flop.stabiliser))
        assert sum(deal.weight for deal in deals) == 49
        turns += len(deals)
    assert turns / len(all_flops()[::40]) == pytest.approx(63_193 / 1755, rel=0.1)


def test_sampled_flops_follow_their_weights_and_grow():
    """Flops are drawn in proportion to the deals that they stand for; a larger sample begins the same."""
    drawn = sample_flops(20_000, seed=3)
    weights = np.array([flop.weight for flop in all_flops()])
    counts = np.array([drawn[flop] for flop in range(1755)])
    for weight in np.unique(weights):
        expected = 20_000 * weights[weights == weight].sum() / 22_100
        assert counts[weights == weight].sum() == pytest.approx(expected, abs=6 * expected**0.5)
    assert list(sample_flops(50, seed=3)) == list(sample_flops(80, seed=3))[: len(sample_flops(50, seed=3))]


@pytest.fixture
def quick(monkeypatch):
    """Replace the response on a flop by numbers that depend on the flop alone; count the calls."""
    calls = []

    def respond(response, flop):
        calls.append(flop.cards)
        rng = np.random.default_rng(sum(flop.cards))
        return FlopValues(rng.normal(size=(2, 169, 7)) * flop.weight, rng.normal(size=(2, 4)) * flop.weight)

    monkeypatch.setattr(module, "_respond", lambda unit: respond(None, all_flops()[unit.flop]))
    return calls


def test_ledger_resumes_and_changes_no_digit(tmp_path, quick):
    """A second run computes nothing, a larger sample only what is new, and damage is computed again."""
    ledger = Ledger(tmp_path / "results.sqlite")
    fresh = exact_exploitability("always-call", LIMIT, flops=12, seed=1)
    first = exact_exploitability("always-call", LIMIT, flops=8, seed=1, ledger=ledger)
    assert exact_exploitability("always-call", LIMIT, flops=8, seed=1, ledger=ledger) == first
    quick.clear()
    again = exact_exploitability("always-call", LIMIT, flops=12, seed=1, ledger=ledger)
    assert again == fresh
    assert len(quick) == len(sample_flops(12, 1)) - len(sample_flops(8, 1))
    with sqlite3.connect(ledger.path) as database:
        database.execute("UPDATE units SET result = '{}' WHERE start = (SELECT min(start) FROM units)")
    quick.clear()
    assert exact_exploitability("always-call", LIMIT, flops=12, seed=1, ledger=ledger) == fresh
    assert len(quick) == 1
    assert ledger.plans() == []  # flops are no match, so lists of matches leave them out


def test_held_out_flops_bound_from_below(quick):
    """Play before the flop that was chosen on other flops never wins more than that chosen on all of them."""
    found = exact_exploitability("always-call", LIMIT, flops=6, seed=2)
    assert found.held_out.mean < found.exploitability.mean
    assert found.exploitability.low < found.exploitability.mean < found.exploitability.high


def test_all_flops_have_no_interval(quick):
    """The whole game is exact."""
    found = exact_exploitability("always-call", LIMIT)
    assert (found.flops, found.seed, found.exploitability.low) == (1755, None, None)
    assert found.exploitability.mean == pytest.approx(np.mean(found.by_seat))


@pytest.mark.parametrize("agent", ["casper", "plicas", "action-learner", "dynamic", "dpp"])
def test_agents_that_are_not_tabular_say_why(agent):
    """Agents without tables are refused, with a reason."""
    with pytest.raises(AgentError, match=r"tabul|learns"):
        exact_exploitability(agent, LIMIT, flops=2)


def test_other_games_are_refused():
    """Only heads-up limit has exact best responses."""
    with pytest.raises(GameError, match="heads-up limit"):
        exact_exploitability("always-call", find_game("nolimit"), flops=2)
    with pytest.raises(GameError, match="at least 2"):
        exact_exploitability("always-call", LIMIT, flops=1)


LONG = pytest.param("sartre-2", marks=pytest.mark.long)  # `test_check_agent` has the same law


@pytest.mark.parametrize("agent", ["always-call", "always-raise", "simplebot", LONG, "eqm"])
def test_tables_state_the_policy(agent):
    """The law of `check_agent`: tables equal the policy, and exchanging suits changes nothing."""
    assert tables_fit_policy(make_agent(agent), LIMIT, seed=7) == ""


def test_wrong_tables_are_found():
    """A seat whose tables state another policy, or depend on suits, fails the law."""
    right = make_agent("always-call").sit(LIMIT, 1, Streams(0))
    wrong = make_agent("always-raise").sit(LIMIT, 1, Streams(0)).tabulate(betting_tree(LIMIT))

    class Liar(type(right)):
        """Calls, and says that it raises."""

        def tabulate(self, tree):
            return wrong

    views = hm.Situation(hole="AhKd", board="Kc8s2d", betting="rc/").views
    assert check_tables(right, LIMIT, [views], 0) == ""
    assert "another policy" in check_tables(Liar(), LIMIT, [views], 0)


def test_command_prints_text_and_json(quick):
    """`holdmem exploit --exact --json` prints what `hm.exploit(exact=True)` returns."""
    options = ["exploit", "always-call", "--exact", "--flops", "5", "--no-ledger"]
    machine = CliRunner().invoke(app, [*options, "--json"])
    assert json.loads(machine.stdout) == hm.exploit("always-call", exact=True, flops=5).as_json()
    plain = CliRunner().invoke(app, options)
    assert "exploiting from the river on" in plain.stdout
    assert "5 random flops" in plain.stdout


def test_always_fold_loses_its_blinds():
    """Folding to every bet loses the mean of the blinds, whatever the flops add for those who wait."""
    tree = betting_tree(LIMIT)
    tables = []
    for street in range(4):
        facing = decisions(tree, street).to_call > 0
        tables.append(np.stack([facing, ~facing, np.zeros_like(facing)], axis=1)[:, :, None].astype(float))
    response = ExactResponse(tree, ConstantTables(tuple(tables)))
    nothing = FlopValues(np.zeros((2, 169, 7)), np.zeros((2, 4)))
    won = respond_before_flop(response, nothing).by_way[:, -1] * 1000 / LIMIT.big_blind
    assert sorted(won) == pytest.approx([500, 1000])  # 750 in the mean, as published


def test_an_interrupted_run_keeps_its_flops(tmp_path, quick):
    """Ctrl-C loses only the flop in work; the next run goes on from there and finds the same."""
    ledger = Ledger(tmp_path / "results.sqlite")

    def stop(done, of):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exact_exploitability("always-call", LIMIT, flops=9, seed=1, ledger=ledger, progress=stop)
    assert len(quick) == 5
    seen = []
    again = exact_exploitability(
        "always-call", LIMIT, flops=9, seed=1, ledger=ledger, progress=lambda *both: seen.append(both)
    )
    assert len(quick) == len(sample_flops(9, 1))
    assert seen[0] == (5, len(sample_flops(9, 1)))
    assert again == exact_exploitability("always-call", LIMIT, flops=9, seed=1)


@pytest.mark.long
def test_two_workers_find_the_same_digits():
    """Flops are added up in their order, whoever computed them."""
    one = exact_exploitability("always-raise", LIMIT, flops=4, seed=6)
    assert exact_exploitability("always-raise", LIMIT, flops=4, seed=6, workers=2) == one


def test_streets_have_intervals_and_differences_are_paired(quick):
    """The estimate from a street on is the mean over flops, and so is a difference of two agents."""
    one = exact_exploitability("always-call", LIMIT, flops=6, seed=2)
    for street, samples in one.by_flop.items():
        assert np.mean(samples) == pytest.approx(one.estimate(street).mean)
    assert one.estimate("preflop") == one.exploitability
    same = one.minus(one, "flop")
    assert (same.mean, same.low, same.high) == (0, 0, 0)
    with pytest.raises(GameError, match="same flops"):
        one.minus(exact_exploitability("always-call", LIMIT, flops=5, seed=2), "flop")


def test_several_agents_in_a_table_and_a_picture(quick, tmp_path):
    """`holdmem exploit A B --exact` prints a row per agent; --png draws them."""
    pytest.importorskip("matplotlib")
    options = ["--exact", "--flops", "5", "--no-ledger", "--png", str(tmp_path / "streets.png")]
    done = CliRunner().invoke(app, ["exploit", "always-call", "always-raise", *options])
    assert done.exit_code == 0, done.output
    assert done.stdout.count("| `always-") == 2
    assert (tmp_path / "streets.png").read_bytes()[:4] == b"\x89PNG"
    refused = CliRunner().invoke(app, ["exploit", "always-call", "always-raise"])
    assert refused.exit_code != 0
