"""What cases cost: slopes by case equal what revising the case changes, retrieval included."""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from holdmem.cbr.case_costs import CaseCosts, case_costs, revised_table
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.store import read_cases
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.exact_response import ExactResponse
from holdmem.cfr.public_game import PublicDeal, PublicGame
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.random import Streams
from holdmem.engine import find_game
from holdmem.learning.costly_cases import MemoryCosts, exploitability_on, flop_gradient, true_savings

LIMIT = find_game("limit")
FLOP = 1


def tables_of(base):
    """Return a memory as tables, its actions in proportion to its counts."""
    seat = base.player("probabilistic").sit(LIMIT, 1, Streams(0))
    return seat.tabulate(betting_tree(LIMIT))


def with_counts(base, place, counts):
    """Return the memory with other counts for one case of the flop."""
    cases = base.streets[FLOP]
    changed = cases.solutions.counts.copy()
    changed[place] = counts
    solutions = Solutions(changed, cases.solutions.settled, cases.solutions.won)
    streets = list(base.streets)
    streets[FLOP] = replace(cases, solutions=solutions)
    return replace(base, streets=tuple(streets))


@pytest.mark.parametrize("name", ["sartre-1", "sartre-2"])
def test_slopes_are_what_revising_a_case_changes(name):
    """For any linear worth of the flop's decisions, a case that plays one action alone changes it so."""
    base, rng = read_cases(DATA / name), np.random.default_rng(8)
    tables = tables_of(base)
    before = tables.table_of(FLOP)
    gradient = rng.normal(size=before.shape)
    found = case_costs(tables, FLOP, gradient)
    seen = base.streets[FLOP].solutions.seen
    for place in rng.choice(np.argsort(-seen)[:200], 2, replace=False).tolist():
        for action in range(3):
            revised = tables_of(with_counts(base, place, np.eye(3, dtype=np.int64)[action] * seen[place]))
            change = (gradient * (revised.table_of(FLOP) - before)).sum()
            assert found.slopes[place, action] == pytest.approx(change, abs=1e-6)


def test_costs_are_never_negative():
    """A case that plays the best action already costs nothing."""
    costs = CaseCosts(np.array([[-1.0, 0.0, -2.0], [0.5, -0.5, 0.25]]))
    assert costs.costs.tolist() == [0.0, 0.5]
    assert costs.actions.tolist() == [1, 0]


def test_the_command_lists_the_dearest_cases_with_hands(monkeypatch):
    """`holdmem cases FOLDER --cost` shows cost, features, counts and a better action."""
    rng = np.random.default_rng(3)
    sizes = [len(cases) for cases in read_cases(DATA / "sartre-2").streets]
    streets = tuple(CaseCosts(rng.normal(size=(size, 3))) for size in sizes)
    fake = MemoryCosts(300.0, 2, 5, streets, savings=(1.25, 0.5, 0.125))
    monkeypatch.setattr("holdmem.api.memories.memory_costs", lambda *_, **__: fake)
    options = ["cases", str(DATA / "sartre-2"), "--cost", "--flops", "2", "--most", "3"]
    done = CliRunner().invoke(app, [*options, "--json"])
    answer = json.loads(done.stdout)
    assert [case["saving"] for case in answer["cases"]] == [1.25, 0.5, 0.125]
    assert answer["cases"][0]["cost"] == pytest.approx(max(one.costs.max() for one in streets))
    plain = CliRunner().invoke(app, options).stdout
    assert plain.count("better:") == 3
    assert "1.250 mbb/h  saved if this case alone always plays that" in plain
    assert "do not add up" in plain
    frame = fake.frame()
    assert frame.height == sum(sizes)
    assert frame["cost"].max() == answer["cases"][0]["cost"]
    dearest = frame.sort("cost", descending=True).row(0, named=True)
    assert f"{dearest['street']}:{dearest['case']}" == answer["cases"][0]["case"]
    assert dearest["better"] == answer["cases"][0]["better"]
    assert repr(fake) == f"MemoryCosts({sum(sizes):,} cases: 300.0 mbb/h on 2 random flops)"
    assert answer["cases"][0]["case"] in fake._repr_html_()


class OneBoard(PublicGame):
    """Hold'em in which one flop, one turn and one river are dealt."""

    board = (47, 27, 1, 12, 30)  # Kc 8s 2d 5h 9c, or the like

    def deals(self, street, board=(), stabiliser=None):
        """Deal the given cards, without exchanges of suits."""
        same = np.arange(len(self.holdings))[None]
        dealt = self.board[sum(self.dealt[:street]) : sum(self.dealt[: street + 1])]
        yield PublicDeal(dealt, same, self.permutations[:1])

    def chance(self, street):
        """The board always comes."""
        return 1.0


@pytest.mark.parametrize("name", ["sartre-1", "sartre-2"])
def test_a_revised_table_is_the_table_of_the_revised_memory(name):
    """Retrieval and illegal actions included."""
    base, rng = read_cases(DATA / name), np.random.default_rng(9)
    tables, seen = tables_of(base), base.streets[FLOP].solutions.seen
    for place in rng.choice(np.argsort(-seen)[:200], 2, replace=False).tolist():
        for action in range(3):
            whole = tables_of(with_counts(base, place, np.eye(3, dtype=np.int64)[action] * seen[place]))
            assert revised_table(tables, FLOP, place, action) == pytest.approx(whole.table_of(FLOP))


def test_revising_a_case_alone_saves_something_and_no_more_than_it_costs():
    """Costs bound what a single case can save, where a case is met at most once in a hand."""
    game, tables = OneBoard(), tables_of(read_cases(DATA / "sartre-1"))
    response = ExactResponse(betting_tree(LIMIT), tables, game, np.float64)
    flops = [(flop, 1.0) for flop in game.deals(1)]
    found = flop_gradient(response, flops)
    scale = 1000 / LIMIT.big_blind / 2
    streets = [
        case_costs(tables, street, scale * (found.tables[0][street] + found.tables[1][street]))
        for street in range(4)
    ]
    costs = MemoryCosts(-sum(found.won) * scale, 1, 0, tuple(streets))
    assert exploitability_on(response, flops) == pytest.approx(costs.exploitability)
    dearest = costs.dearest(3)
    savings = true_savings(response, flops, dearest)
    for case, saving in zip(dearest, savings, strict=True):
        assert 0 < saving <= case.cost * (1 + 1e-9)
