"""Revised memories: what is played, what is kept, and that cautious steps help."""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from holdmem.agent import make_agent
from holdmem.agent.tabular import BoardTable
from holdmem.cbr.case_costs import CaseCosts
from holdmem.cbr.revise import FILE, PARTS, Revisions, read_revisions, write_revisions
from holdmem.cbr.store import read_cases
from holdmem.cfr import Leduc, build_game_tree
from holdmem.cfr.exact_gradient import strategy_gradient
from holdmem.cfr.exact_response import ExactResponse, respond_to_flop
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.errors import GameError, TableError
from holdmem.engine import find_game
from holdmem.learning import improve as module
from holdmem.learning.costly_cases import MemoryCosts
from holdmem.learning.improve import improve_memory, stepped
from test_exact_response import LeducCards, leduc_tables, leduc_tree, sum_up

LIMIT = find_game("limit")
LEDUC = LeducCards(3, 2, (0, 1))


@pytest.fixture(scope="module")
def base():
    """Return a memory that is quickly read."""
    return read_cases(DATA / "sartre-1")


@pytest.fixture
def invented(monkeypatch):
    """Replace the best response by costs that depend on the seed alone: a raise would be better."""

    def costs(base, game, flops, seed):
        slopes = [np.tile([-1.0, -0.5, 1.0], (len(cases), 1)) for cases in base.streets]
        return MemoryCosts(300.0 - seed, flops, seed, tuple(CaseCosts(one) for one in slopes))

    monkeypatch.setattr(module, "costs_of", costs)


def test_steps_move_towards_the_better_action():
    """Cases that cost nothing stay; the others become a mixture."""
    costs = CaseCosts(np.array([[-1.0, 0.0, -1.0], [-1.0, -1.0, 2.0]]))
    found = stepped(np.array([[0.2, 0.8, 0.0], [0.5, 0.5, 0.0]]), costs, 0.1)
    assert found == pytest.approx(np.array([[0.2, 0.8, 0.0], [0.45, 0.45, 0.1]]))


def test_revised_triples_are_played_and_memories_kept(base, tmp_path):
    """What is played is the revised triple; counts and hands in the folder stay as they were."""
    base.save(tmp_path / "new")
    stored = read_cases(tmp_path / "new")
    assert stored.digest == base.digest  # writing keeps the order of cases
    triples = [cases.solutions.probabilities for cases in base.streets]
    triples[1][:10] = [0.25, 0.25, 0.5]
    revisions = Revisions.of(base, triples)
    assert sum(int(revisions.revised(street).sum()) for street in range(4)) == 10
    write_revisions(tmp_path / "new", stored, revisions, {})
    again = read_revisions(tmp_path / "new", stored)
    assert all((one == other).all() for one, other in zip(again.triples, revisions.triples, strict=True))
    played = again.applied(stored).streets[1].solutions
    assert played.probabilities[:10] == pytest.approx(np.tile([0.25, 0.25, 0.5], (10, 1)))
    assert played.probabilities[10:] == pytest.approx(stored.streets[1].solutions.probabilities[10:])
    seat = make_agent(f"memory:cases={tmp_path / 'new'},policy=revised").sit(LIMIT, 1, None)
    assert (seat.base.streets[1].solutions.counts == played.counts).all()
    assert 0 < 1 - revisions.overlap(base) < 0.1


def test_damaged_revisions_are_refused(base, tmp_path):
    """Triples of other cases, and numbers that are no probabilities."""
    base.save(tmp_path / "new")
    with pytest.raises(TableError, match="holdmem improve"):
        read_revisions(tmp_path / "new", base)
    wrong = Revisions(tuple(np.full(cases.solutions.counts.shape, 7) for cases in base.streets))
    write_revisions(tmp_path / "new", base, wrong, {})
    with pytest.raises(TableError, match="no probabilities"):
        read_revisions(tmp_path / "new", base)
    (tmp_path / "new" / FILE).write_bytes(b"PK")
    with pytest.raises(TableError, match="damaged"):
        read_revisions(tmp_path / "new", base)
    fewer = replace(base, streets=tuple(cases[:5] for cases in base.streets))
    same = Revisions.of(fewer, [cases.solutions.probabilities for cases in fewer.streets])
    write_revisions(tmp_path / "new", fewer, same, {})
    with pytest.raises(TableError, match="other cases"):
        read_revisions(tmp_path / "new", base)


def test_rounds_are_a_frame(base, invented):
    """Every round with the exploitability before its step."""
    found = improve_memory(base, LIMIT, rounds=3, flops=2)
    assert found.frame()["exploitability"].to_list() == [300.0, 299.0, 298.0]
    assert repr(found) == f"Improvement({found.revised:,} of {len(base):,} cases revised)"
    assert found._repr_html_().count("<tr>") == 4


def test_bad_options_are_refused(base):
    """A round and a step are needed."""
    with pytest.raises(GameError, match="at least 1 round"):
        improve_memory(base, LIMIT, rounds=0)
    with pytest.raises(GameError, match="step above 0"):
        improve_memory(base, LIMIT, step=0.0)


def test_the_command_writes_a_memory_that_shows_both_triples(base, invented, tmp_path):
    """`holdmem improve` keeps cases and hands; `holdmem cases --show` shows remembered and revised."""
    new = tmp_path / "new"
    options = ["improve", str(DATA / "sartre-1"), "-o", str(new), "--rounds", "2", "--step", "0.5", "--json"]
    done = CliRunner().invoke(app, options)
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["exploitability_before_step"] == [300.0, 299.0]
    assert 0 < answer["agreement"] < 1
    assert {"actions", "revised", "hands"} <= set(answer["dearest"][0])
    shown = CliRunner().invoke(app, ["cases", str(new), "--show", "flop:3"])
    assert "revised: fold" in shown.stdout
    triple = read_revisions(new, read_cases(new)).triples[1][3]
    remembered = base.streets[1].solutions.probabilities[3]
    expected = remembered * 0.5 * (1 - 0.5 / 1.5)
    assert triple[:2] / PARTS == pytest.approx(expected[:2], abs=1 / PARTS)


class LossyLeduc:
    """A memory of Leduc that sees after the board card only whether it pairs, is above or is below it."""

    def __init__(self, tables):
        self.tables = tables

    def on(self, board):
        """Return classes and table of the street."""
        rank = LEDUC.cards // 4 - 10
        if not len(board):
            return BoardTable(rank, self.tables[0])
        shown = int(board[0]) // 4 - 10
        return BoardTable(np.where(rank == shown, 0, np.where(rank > shown, 1, 2)), self.tables[1])


def test_cautious_steps_halve_the_exploitability_of_a_lossy_memory():
    """Twenty best responses and steps, in Leduc, where every best response is exact."""
    tree, rounds = leduc_tree()
    game = build_game_tree(Leduc())
    strategy = game.normalised(np.random.default_rng(1).exponential(size=game.size))
    full = leduc_tables(tree, rounds, game, strategy)
    tables = [full[0], full[1][:, :, [0, 3, 1]]]  # one remembered board for each class
    legal = [
        np.array(
            [[child >= 0 for child in action_columns(tree, node)] for node in decisions_of(tree, street)]
        )
        for street in (0, 1)
    ]
    lost = []
    for number in range(21):
        response = ExactResponse(tree, LossyLeduc(tables), LEDUC, np.float64)
        flops = list(LEDUC.deals(1))
        values = sum_up([respond_to_flop(response, flop) for flop in flops])
        found = strategy_gradient(response, [(flop, 1.0) for flop in flops], values)
        lost.append(-sum(found.won) / 2)
        for street in (0, 1):
            gradient = (found.tables[0][street] + found.tables[1][street]) / 2
            slopes = gradient - (gradient * tables[street]).sum(axis=1, keepdims=True)
            slopes[~legal[street]] = -np.inf
            flat = CaseCosts(slopes.transpose(0, 2, 1).reshape(-1, 3))
            moved = stepped(tables[street].transpose(0, 2, 1).reshape(-1, 3), flat, 0.2 / (1 + 0.2 * number))
            tables[street] = moved.reshape(slopes.shape[0], -1, 3).transpose(0, 2, 1)
    assert lost[20] < lost[0] / 2
