"""Regret minimisation among the cases of a memory: its walk against plain recursion, and its laws."""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from holdmem.cards.classes import HOLDINGS, class_index
from holdmem.cbr.retrieve import Nearest
from holdmem.cbr.revise import PARTS, read_revisions
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.store import read_cases
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.board import random_boards, rank_holdings
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError, GameError, StrategyError
from holdmem.core.random import Streams
from holdmem.engine import Game, find_game
from holdmem.engine.state import BOARD_CARDS, STREETS
from holdmem.learning.case_regret import CaseSolver, HandTypeBuckets
from holdmem.learning.improve import improve_by_regret
from naive.public_chance_sampling import NaiveWalk

TINY = Game("tiny", (10, 5), raise_sizes=(10, 10, 20, 20), max_raises=(1, 1, 1, 1))
PLAIN = np.ones(3)


@pytest.fixture(scope="module")
def base():
    """Return the memory with the smallest number of cases."""
    return read_cases(DATA / "sartre-1")


def tables_of(base):
    """Return a memory as tables, played probabilistically."""
    return base.player("probabilistic").sit(TINY, 1, Streams(0)).tabulate(betting_tree(TINY))


class TabledWalk(NaiveWalk):
    """The plain walk with the probabilities of tables in place of regret matching."""

    def __init__(self, tree, tables):
        super().__init__(tree, [tables.classes(street) for street in range(STREETS)])
        self.played = {}
        for street in range(STREETS):
            for row, node in enumerate(decisions_of(tree, street).tolist()):
                self.played[node] = tables.table_of(street)[row, legal_columns(tree, node)]

    def strategy(self, node):
        """Return the table's probabilities."""
        return self.played[node]


def legal_columns(tree, node):
    """Return which of fold, call and raise are legal."""
    return [column for column, child in enumerate(action_columns(tree, node)) if child >= 0]


def dealt(board, tables):
    """Return the holdings on a board with the classes that the tables give them."""
    found = rank_holdings(board, HandTypeBuckets())
    number = {tuple(pair): place for place, pair in enumerate(HOLDINGS.tolist())}
    pairs = zip(found.first.tolist(), found.second.tolist(), strict=True)
    order = [number[pair] for pair in pairs]
    return found._replace(bucket=np.stack([tables.on(board[:size]).classes[order] for size in BOARD_CARDS]))


def by_case(tree, tables, table, street, size):
    """Add up a naive table of a street by case and remembered action; where illegal, the call counts."""
    found = np.zeros((size, 3))
    retrieved = np.concatenate([places for _, places in tables.retrieved(street)])
    count = tables.classes(street)
    for row, node in enumerate(decisions_of(tree, street).tolist()):
        legal = legal_columns(tree, node)
        for number in np.flatnonzero(np.abs(table[node]).sum(axis=0)).tolist():
            case = retrieved[row * count + number, 0]
            for action in range(3) if case >= 0 else ():
                found[case, action] += table[node][legal.index(action if action in legal else 1), number]
    return found


@pytest.mark.parametrize("name", ["sartre-1", "sartre-2"])
def test_regrets_and_reach_of_cases_are_what_plain_recursion_adds_up_to(name) -> None:
    """Retrieval, illegal actions and missing cases included."""
    memory = read_cases(DATA / name)
    tables, solver = tables_of(memory), CaseSolver(memory, TINY, seed=3, weighting="vanilla")
    slow = TabledWalk(solver.walker.tree, tables)
    board = random_boards(3, 0, 1)[0]
    slow.walk(0, board, dealt(board, tables), PLAIN, (1.0, 1.0))
    solver._walk(0)
    for street, cases in enumerate(memory.streets):
        ours, reach = solver.regrets[street][:-1], solver.sums[street][:-1].sum(axis=1)
        expected = by_case(slow.tree, tables, slow.regrets, street, len(cases))
        assert ours == pytest.approx(expected, rel=1e-3, abs=2e-4 * np.abs(expected).max())
        total = {node: table.sum(axis=0) * np.ones_like(table) for node, table in slow.sums.items()}
        expected = by_case(slow.tree, tables, total, street, len(cases))[:, 1]
        assert reach == pytest.approx(expected, rel=1e-3, abs=1e-3)
        assert np.abs(ours).max() > 1


def test_a_memory_that_folds_aces_learns_not_to(base) -> None:
    """Cases that are never reached keep what was remembered."""
    before = base.streets[0].solutions
    folding = Solutions(np.tile([1, 0, 0], (len(before), 1)), before.settled, before.won)
    first = replace(base.streets[0], solutions=folding)
    memory = replace(base, streets=(first, *base.streets[1:]))
    solver = CaseSolver(memory, TINY, seed=1)
    solver.run(40)
    aces = first.values["hand_class"] == class_index("AA")
    assert aces.any()
    fold, call, raised = solver.sums[0][:-1][aces].sum(axis=0)
    assert fold < 0.02 * (call + raised)
    never = solver.sums[3][:-1].sum(axis=1) == 0
    assert never.any()
    assert (solver.average(3)[never] == memory.streets[3].solutions.probabilities[never]).all()
    assert solver.average(3).sum(axis=1) == pytest.approx(1)


def test_a_stopped_run_goes_on_to_the_same_digits(base, tmp_path) -> None:
    """And a checkpoint of anything else is refused."""
    whole, first, second = (CaseSolver(base, TINY, seed=4) for _ in range(3))
    whole.run(3)
    first.run(1)
    first.keep(tmp_path / "c")
    second.resume(tmp_path / "c")
    second.run(2)
    assert all((one == other).all() for one, other in zip(whole.sums, second.sums, strict=True))
    assert all((one == other).all() for one, other in zip(whole.regrets, second.regrets, strict=True))
    with pytest.raises(StrategyError, match="omit --resume"):
        CaseSolver(base, TINY, seed=5).resume(tmp_path / "c")
    with pytest.raises(StrategyError, match="no such checkpoint"):
        first.resume(tmp_path / "none")
    (tmp_path / "c").write_bytes((tmp_path / "c").read_bytes()[:200])
    with pytest.raises(StrategyError, match="damaged"):
        first.resume(tmp_path / "c")


def test_what_cannot_be_improved_is_refused(base) -> None:
    """No iterations, and cases that are retrieved together."""
    with pytest.raises(GameError, match="at least 1 iteration"):
        improve_by_regret(base, TINY, iterations=0)
    several = replace(base, representation=replace(base.representation, retrieval=Nearest(3)))
    with pytest.raises(AgentError, match="one case at a time"):
        CaseSolver(several, TINY)


def test_the_command_stores_the_average_and_shows_what_changed_most(tmp_path) -> None:
    """`holdmem improve --by regret` says that nothing was measured, and keeps a checkpoint."""
    new = tmp_path / "new"
    options = ["improve", str(DATA / "sartre-1"), "-o", str(new), "--by", "regret", "--iterations", "2"]
    done = CliRunner().invoke(app, [*options, "--json", "--most", "3"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["is"] == "not measured"
    assert 0 < answer["agreement"] < 1
    assert len(answer["changed"]) == 3
    assert all({"actions", "revised", "hands"} <= set(case) for case in answer["changed"])
    stored = read_cases(new)
    solver = CaseSolver(stored, find_game("limit"))
    solver.resume(tmp_path / "new.checkpoint")
    triples = read_revisions(new, stored).triples[0]
    moved = triples.any(axis=1)
    assert triples[moved] / PARTS == pytest.approx(solver.average(0)[moved], abs=2 / PARTS)
