"""Training against best responses, with the card's kernels as C++ on a short deck."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from holdmem.agent.tabular import BoardTable
from holdmem.api import best_responses
from holdmem.cbr import read_cases
from holdmem.cfr.device import responder, trainer
from holdmem.cfr.device.cells import PLAYED, TrainingCells
from holdmem.cfr.device.responder import Export, HostDevice
from holdmem.cfr.device.trainer import STORED, Trainer
from holdmem.cfr.exact_response import ExactResponse
from holdmem.cfr.public_game import PublicGame
from holdmem.cfr.strategy import read_strategy
from holdmem.cfr.strategy_tables import StrategyTables
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.errors import HoldMemError, StrategyError
from holdmem.engine import find_game
from holdmem.learning import best_response_training
from holdmem.learning.best_response_training import memory_start, trained_cells
from holdmem.learning.improve import improve_by_best_response
from holdmem.learning.training_start import training_start
from test_exact_response import cache_by_board, respond, short_tree

compiled = pytest.mark.skipif(
    not any(shutil.which(name) for name in ("c++", "g++", "clang++")), reason="needs a C++ compiler"
)
FEW = (169, 2, 2, 2)


class EveryHand:
    """A strategy on a short deck with a class for every hand and its board, up to exchange of suits."""

    def __init__(self, tree, game):
        self.tree = tree
        self.game = game
        self.known = [{} for _ in range(game.streets)]
        self.classes = cache_by_board(self._classes)
        self.number_hands(())
        legal = [self._legal(street) for street in range(game.streets)]
        self.tables = [
            np.repeat((one / one.sum(axis=1, keepdims=True))[:, :, None], len(known), axis=2)
            for one, known in zip(legal, self.known, strict=True)
        ]

    def _legal(self, street):
        nodes = decisions_of(self.tree, street).tolist()
        return np.array([[child >= 0 for child in action_columns(self.tree, node)] for node in nodes])

    def number_hands(self, board):
        self.classes(board)
        if len(board) < sum(self.game.dealt):
            for card in set(self.game.cards.tolist()) - set(board):
                self.number_hands((*board, card))

    def _classes(self, board):
        known, found = self.known[len(board)], np.zeros(len(self.game.holdings), int)
        for number in np.flatnonzero(self.game.free(board)):
            holding = self.game.holdings[number]
            images = [
                (tuple(sorted(one[holding].tolist())), *one[list(board)].tolist())
                for one in self.game.permutations
            ]
            found[number] = known.setdefault(min(images), len(known))
        return found

    def on(self, board):
        return BoardTable(self.classes(board), self.tables[len(board)])


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """A player without preferences on a deck of eight cards with a card per street, and its file."""
    game, tree = PublicGame(4, 2, (0, 1, 1, 1)), short_tree((1, 1, 1, 1))
    response = ExactResponse(tree, EveryHand(tree, game), game, np.float64)
    path = tmp_path_factory.mktemp("start") / "start.npz"
    np.savez_compressed(path, **training_start(response, "every hand", [0, 1, 2, 3], listed=True))
    return response, path


def exploited(response, cells):
    """Return what best responses win in chips: in self-play, from the river, turn and flop on, in all."""
    strategy = EveryHand(response.tree, response.game)
    tables = [np.asarray(one.table(one.average()), float).transpose(0, 2, 1) for one in cells]
    strategy.tables = [table / table.sum(axis=1, keepdims=True) for table in tables]
    return respond(ExactResponse(response.tree, strategy, response.game, np.float64)).by_way.mean(axis=0)


@compiled
def test_a_strategy_that_sees_all_its_cards_becomes_hard_to_exploit(start):
    response, path = start
    training, flops = Trainer(Export(path), HostDevice()), [0, 1, 2, 3]
    lost = [exploited(response, training.cells)]
    for updates in (10, 30):
        for _ in range(updates):
            values = training.update(training.boards.all_of(flops), best_on_flop=True)
            assert all(np.isfinite(one).all() for one in values)
        lost.append(exploited(response, training.cells))
        np.testing.assert_allclose(training.measured(flops), lost[-1][1:4], atol=1e-5)
    whole = [one[-1] for one in lost]
    assert whole[0] > 16
    assert whole[1] < whole[0] / 2
    assert whole[2] < whole[0] / 7
    assert (lost[2] < lost[1] / 1.3)[1:].all()


@compiled
def test_one_turn_of_each_flop_is_enough(start):
    response, path = start
    training = Trainer(Export(path), HostDevice(), seed=2)
    before = exploited(response, training.cells)[-1]
    for _ in range(120):
        training.train(flops=4)
    assert exploited(response, training.cells)[-1] < before / 4


@compiled
def test_boards_are_drawn_by_their_weights_and_rivers_counted(start):
    boards, rng = Trainer(Export(start[1]), HostDevice()).boards, np.random.default_rng(1)
    weights = boards.export.data["weights"]
    drawn = [boards.draw(rng, 8) for _ in range(100)]
    counts = np.bincount([flop for batch in drawn for flop in batch.flops], minlength=len(weights))
    expected = counts.sum() * weights / weights.sum()
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()
    for batch in drawn:  # six rivers follow a flop and a turn of this deck of eight cards
        assert np.bincount(batch.rivers.parent, batch.river_weight).tolist() == [6] * 8
        there = (batch.turns.child >= 0).sum(axis=1)
        assert (batch.scale * there).tolist() == [7] * 8
    whole = boards.all_of([0, 1])
    assert whole.turn_weight.sum() == 14
    assert whole.river_weight.sum() == 14 * 6


@compiled
def test_resumed_training_gives_the_same_bits_and_damaged_checkpoints_are_refused(start, tmp_path):
    export, device, path = Export(start[1]), HostDevice(), tmp_path / "checkpoint"
    straight, first = Trainer(export, device, seed=3), Trainer(export, device, seed=3)
    for _ in range(4):
        straight.train(flops=2)
    first.train(flops=2)
    first.train(flops=2)
    first.keep(path)
    again = Trainer(export, device, seed=3)
    again.resume(path)
    again.train(flops=2)
    again.train(flops=2)
    for one, other in zip(straight.averages(), again.averages(), strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(ValueError, match="'seed': 4"):
        Trainer(export, device, seed=4).resume(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match="damaged, truncated or of another kind"):
        first.resume(path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["checkpoint"]


@compiled
def test_the_folder_is_all_that_another_machine_needs(start, tmp_path):
    folder = tmp_path / "device"
    shutil.copytree(Path(responder.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for program in folder.glob("*.py"):
        assert not re.search(r"^\s*(from|import) holdmem", program.read_text(encoding="utf-8"), re.M), program
    command = [sys.executable, "-m", "device.training", str(start[1]), "trained", "--device", "host"]
    options = ["--updates", "2", "--flops", "2", "--measure", "2", "--checkpoint", "checkpoint"]
    ran = subprocess.run(
        [*command, *options], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True
    )
    assert re.fullmatch(r"2 updates in \d+ s; chips per hand lost: .* from the flop on\n", ran.stdout)
    cells, updates = trained_cells(tmp_path / "trained", start[0], "every hand", listed=True)
    assert updates == 2
    again = Trainer(Export(start[1]), HostDevice())
    again.resume(tmp_path / "checkpoint")
    for found, expected in zip(cells, again.averages(), strict=True):
        np.testing.assert_allclose(found, expected, atol=2 / STORED)
    missing = [*command[:3], "missing.npz", "trained"]
    none = subprocess.run(missing, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert none.returncode == 1
    assert none.stderr.strip().startswith("missing.npz: ")
    assert len(none.stderr.splitlines()) == 1


def test_cases_that_several_decisions_retrieve_share_what_they_learn():
    kind = np.array([0, 1, 2, 3])
    cell = np.array([[0, 1], [1, 0], [2, 2], [0, 3]])  # the last is that without a case
    rng = np.random.default_rng(5)
    initial = rng.dirichlet(np.ones(3), 4)
    data = {"train/street1/kind": kind, "train/street1/cell": cell, "train/street1/initial": initial}
    cells = TrainingCells(np, data, 1, 2)
    cells.regrets[:3] = rng.normal(size=(3, 3))
    earned, reach = rng.normal(size=(4, 2, 3)).astype(np.float32), rng.random((4, 2)).astype(np.float32)
    played, regrets, sums = cells.current(), cells.regrets.astype(float), np.zeros((4, 3))
    table = cells.table(played)
    for row in range(4):
        for one in range(2):
            case = cell[row, one]
            became = np.zeros(3)
            for action in range(3):
                became[PLAYED[kind[row]][action]] += played[case, action]
            np.testing.assert_allclose(table[row, one], became, atol=1e-6)
            value = (became * earned[row, one]).sum()
            for action in range(3):
                regrets[case, action] += 3 * (earned[row, one, PLAYED[kind[row]][action]] - value)
            sums[case] += 9 * reach[row, one] * played[case]
    regrets[3] = sums[3] = 0
    cells.learn(played, earned, reach, 3.0)
    np.testing.assert_allclose(cells.regrets, regrets, atol=1e-4)
    np.testing.assert_allclose(cells.sums, sums, atol=1e-4)
    np.testing.assert_allclose(cells.average()[3], initial[3], atol=1e-6)


def test_a_solved_strategy_never_plays_what_is_illegal():
    data = {"train/street1/kind": np.array([0, 1, 2])}
    cells = TrainingCells(np, data, 1, 1)
    np.testing.assert_allclose(cells.current(), [[1 / 3] * 3, [0, 1 / 2, 1 / 2], [1 / 2, 1 / 2, 0]])
    everything = np.array([[[5.0, 1, 2]]] * 3, np.float32)
    cells.learn(cells.current(), everything, np.ones((3, 1), np.float32), 1.0)
    np.testing.assert_allclose(cells.current(), [[1, 0, 0], [0, 0, 1], [1, 0, 0]])


def as_trained(start, path, seed=0, updates=7):
    """Write a file as training writes it, with random probabilities of legal actions."""
    rng, arrays = np.random.default_rng(seed), {}
    for street in range(4):
        kind = start[f"train/street{street}/kind"]
        initial = start.get(f"train/street{street}/initial")
        if initial is None:
            legal = np.stack([np.isin(kind, (0, 2)), kind >= 0, np.isin(kind, (0, 1))], axis=1)
            weights = rng.random((len(kind), int(start["train/classes"][street]), 3)) * legal[:, None]
        else:
            weights = rng.random(initial.shape)
        weights = weights.reshape(-1, 3)
        arrays[f"street{street}"] = np.rint(weights / weights.sum(axis=1, keepdims=True) * STORED).astype(
            np.uint16
        )
    about = {"run": json.loads(str(start["meta"]))["run"], "updates": updates, "seed": seed}
    trainer._write(path, arrays, about, np.savez_compressed)
    return arrays


@pytest.fixture(scope="module")
def few_buckets():
    """What a strategy of few buckets trains from."""
    game = find_game("limit")
    return training_start(best_response_training.strategy_start(game, FEW), "buckets 169/2/2/2", [])


def test_a_trained_strategy_is_what_was_trained(few_buckets, tmp_path):
    arrays = as_trained(few_buckets, tmp_path / "trained")
    found = best_responses.solve_by_best_response(
        tmp_path / "some.strategy", buckets=FEW, trained=tmp_path / "trained"
    )
    assert found.iterations == 7
    strategy = read_strategy(found.file)
    assert strategy.about.iterations == 7
    assert strategy.about.source.startswith("holdmem solve --by best-response --buckets 169/2/2/2")
    tables = StrategyTables(strategy, strategy.tree).tables
    for street, table in enumerate(tables):
        expected = arrays[f"street{street}"].reshape(len(table), -1, 3).transpose(0, 2, 1) / STORED
        np.testing.assert_allclose(table, expected, atol=1.5 / 255)


def test_what_belongs_to_another_start_or_is_damaged_is_refused(few_buckets, tmp_path):
    path, game = tmp_path / "trained", find_game("limit")
    start = best_response_training.strategy_start(game, FEW)
    arrays = as_trained(few_buckets, path)
    whole = path.read_bytes()
    with pytest.raises(StrategyError, match="of another version of HoldMem"):
        trained_cells(path, best_response_training.strategy_start(game, (169, 2, 2, 3)), "buckets")
    with pytest.raises(StrategyError, match="no such file"):
        trained_cells(tmp_path / "none", start, "buckets")
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StrategyError, match="damaged, truncated or of another kind"):
        trained_cells(path, start, "buckets")
    run = json.loads(str(few_buckets["meta"]))["run"]
    for change, words in (
        ({"street2": arrays["street2"][:-1]}, "probabilities of street 2"),
        ({"street3": arrays["street3"] // 2}, "do not add up to one"),
    ):
        trainer._write(path, {**arrays, **change}, {"run": run, "updates": 7, "seed": 0}, np.savez)
        with pytest.raises(StrategyError, match=words):
            trained_cells(path, start, "buckets")
    trainer._write(path, arrays, {"run": run, "updates": "many", "seed": 0}, np.savez)
    with pytest.raises(StrategyError, match="'many' updates"):
        trained_cells(path, start, "buckets")


@pytest.mark.long
def test_a_memory_keeps_its_cases_and_plays_what_was_trained(tmp_path):
    base, game = read_cases(DATA / "sartre-1"), find_game("limit")
    arrays = as_trained(training_start(memory_start(base, game), "memory", []), tmp_path / "trained")
    found, updates = improve_by_best_response(base, game, trained=tmp_path / "trained")
    assert updates == 7
    for street, cases in enumerate(base.streets):
        expected = arrays[f"street{street}"][: len(cases)] / STORED
        np.testing.assert_allclose(found.revisions.probabilities(base, street), expected, atol=2e-4)


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_without_a_card_it_says_what_to_do(tmp_path):
    failed = run(
        "solve", "--by", "best-response", "--buckets", "169/2/2/2", "--minutes", "1", "-o", tmp_path / "s"
    )
    assert isinstance(failed.exception, HoldMemError)
    assert "train on another machine with --export and --trained" in str(failed.exception)
    assert not list(tmp_path.iterdir())
    neither = run("solve", "--by", "best-response", "--buckets", "169/2/2/2", "-o", tmp_path / "s")
    assert "expected a number of iterations or minutes" in str(neither.exception)
    for command in (("solve", "--export", "x"), ("improve", DATA / "sartre-1", "-o", "y", "--trained", "x")):
        assert "need --by best-response" in str(run(*command).exception)


def test_a_start_for_another_machine_says_what_to_run_there(few_buckets, tmp_path):
    path = tmp_path / "start.npz"
    told = run("solve", "--by", "best-response", "--buckets", "169/2/2/2", "--export", path)
    assert told.exit_code == 0, told.exception
    assert "python -m device.training start.npz start.trained" in told.stdout
    export = Export(path)
    assert export.meta["run"] == json.loads(str(few_buckets["meta"]))["run"]
    with pytest.raises(HoldMemError):
        trained_cells(path, best_response_training.strategy_start(find_game("limit"), FEW), "buckets")
