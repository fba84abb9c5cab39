"""Tables of strength: files are whole or refused, rows are what direct computation finds."""

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from holdmem import find_game, match
from holdmem.cards import Isomorphism, cards
from holdmem.cards.class_sizes import hands_in
from holdmem.cards.classes import HOLDINGS
from holdmem.cfr.card_abstraction import strengths_of
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.errors import NotationError, TableError
from holdmem.strength import HandCards, build_table, build_tables, check_table, e_hs, values, whole_column
from holdmem.strength.hands import kernel_layout
from holdmem.strength.table_files import FORMAT, HEADER, STEP, read_table, write_table
from holdmem.strength.tables import NOT_SHIPPED, TABLES, clear_table_cache, columns_of, find_table, state_of
from naive import isomorphism as naive

FULL = pytest.mark.skipif(not os.environ.get("HOLDMEM_FULL"), reason="HOLDMEM_FULL=1 runs it")
FLOP = TABLES["flop"]
DIGESTS = {
    "hs1": "1b822aa3fa6a0e83",
    "hs2": "b9ec5ac405bb03a3",
    "ihs": "e04c0485384d6b21",
    "ppot": "574f5e35d73e18fb",
    "npot": "bc3a54e1a641d117",
    "ppot1": "9b267cc845d2acb2",
    "npot1": "67de7fa2d3d78037",
    "hs4": "f5ae90d48ecfd5a3",
}
"""Starts of the SHA-256 of the flop's columns: every machine must build those that results were made with."""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder."""
    monkeypatch.setenv("HOLDMEM_CACHE", str(tmp_path))
    clear_table_cache()
    yield tmp_path / "tables"
    clear_table_cache()


@pytest.fixture
def flops():
    """Where this machine has the flop's tables."""
    return [(columns_of(table), table.path())[1] for table in (FLOP, TABLES["flop-two"])]


@pytest.fixture
def flops_only(flops, cache):
    """A cache folder with the flop's tables alone."""
    cache.mkdir()
    for path in flops:
        shutil.copy(path, cache)
    return cache


# Files


@pytest.mark.parametrize("packed", [True, False])
def test_what_is_written_is_read_back(tmp_path, packed):
    path = tmp_path / "some" / "small.table"
    columns = {name: np.random.default_rng(seed).integers(0, 65536, 999).astype(np.uint16)
               for seed, name in enumerate("ab")}  # fmt: skip
    write_table(path, "small", 7, columns, packed)
    again = read_table(path, {"name": "small", "version": 7})
    assert list(again) == ["a", "b"]
    assert all(np.array_equal(again[name], columns[name]) for name in columns)
    assert [file.name for file in path.parent.iterdir()] == ["small.table"]
    assert json.loads(path.read_bytes()[16:HEADER])["rows"] == 999


def damage(path, how):
    body = bytearray(path.read_bytes())
    if how == "cut":
        body = body[:-100]
    elif how == "longer":
        body += b"more"
    elif how == "flipped":
        body[len(body) // 2] ^= 1
    elif how == "foreign":
        body[:4] = b"PK\3\4"
    elif how == "header":
        body[16:20] = b"oops"
    elif how == "empty":
        body = b""
    path.write_bytes(body)


DAMAGES = {
    "cut": r"expected [0-9]+ bytes after the header, got [0-9]+",
    "longer": r"expected [0-9]+ bytes after the header, got [0-9]+",
    "flipped": "damaged: expected digest [0-9a-f]+, got",
    "foreign": "not a table file: expected the line .* got b'PK",
    "header": "2: expected a header in JSON",
    "empty": "not a table file: expected the line .* got b''",
}


@pytest.mark.parametrize(("how", "said"), DAMAGES.items())
def test_a_damaged_file_is_refused_by_name(cache, how, said):
    cache.mkdir()
    path = cache / "preflop.table"
    shutil.copy(DATA / "preflop.table", path)
    damage(path, how)
    with pytest.raises(TableError, match=f"preflop.table.*{said}.*holdmem tables build preflop"):
        e_hs(HandCards.read("AhKd"))
    assert "expected" in state_of(TABLES["preflop"])


def test_another_table_or_version_is_refused(cache):
    cache.mkdir()
    shutil.copy(DATA / "preflop.table", cache / "flop.table")
    with pytest.raises(TableError, match="expected name 'flop', got 'preflop'"):
        columns_of(FLOP)
    found = read_table(DATA / "preflop.table", {})
    write_table(cache / "preflop.table", "preflop", 0, found, packed=False)
    with pytest.raises(TableError, match="expected version 1, got 0"):
        columns_of(TABLES["preflop"])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -0.1, 1.1])
def test_numbers_that_are_no_shares_are_refused(cache, wrong):
    found = {name: column.copy() for name, column in TABLES["preflop"].read(DATA / "preflop.table").items()}
    found["hs2"][7] = wrong
    write_table(cache / "preflop.table", "preflop", 1, found, packed=False)
    with pytest.raises(TableError, match=r"preflop.table: invalid table: expected numbers from 0 to 1"):
        columns_of(TABLES["preflop"])


def test_what_no_table_is_called():
    with pytest.raises(NotationError, match="unknown table 'flp'; did you mean flop"):
        find_table("flp")


def test_a_table_that_is_not_built(cache):
    assert state_of(TABLES["turn"]) == "not built"
    with pytest.raises(TableError, match="holdmem tables build turn"):
        check_table("turn", 1)
    turn = HandCards.read("AhKd", "Kc7s2d9h")
    assert e_hs(turn) == e_hs(turn, rounding="exact")


# Values


def test_shipped_tables_are_small_and_whole():
    shipped = {path.stem: path.stat().st_size for path in DATA.glob("*.table")}
    assert shipped.keys() == TABLES.keys() - set(NOT_SHIPPED)
    assert sum(shipped.values()) < 6e6
    for name in shipped:
        assert TABLES[name].read(DATA / f"{name}.table").keys() == set(TABLES[name].columns)


def test_every_machine_builds_the_same_flops():
    columns = columns_of(FLOP) | columns_of(TABLES["flop-two"])
    digests = {name: sha256(column.astype("<u2").tobytes()).hexdigest() for name, column in columns.items()}
    assert {name: digest[:16] for name, digest in digests.items()} == DIGESTS


@pytest.mark.parametrize("room", [True, False])
def test_a_missing_flop_table_is_built_when_it_is_needed(cache, monkeypatch, capsys, room):
    monkeypatch.setattr(build_tables, "_work", few_boards)
    if not room:
        monkeypatch.setattr(build_tables, "disk_usage", lambda folder: SimpleNamespace(free=5_000_000))
    board = Isomorphism((3,)).cards([0])[0].tolist()
    hands = HandCards([[one for one in range(52) if one not in board][:2]], [board])
    found, exact = (values(hands, FLOP.columns, rounding=rounding) for rounding in ("shipped", "exact"))
    np.testing.assert_allclose(found, exact, rtol=0, atol=STEP / 2 + 1e-10)
    said = capsys.readouterr().err
    assert "HoldMem is building the table flop, once" in said
    assert ("the table flop cannot be stored" in said) is not room
    assert (FLOP.path() == cache / "flop.table") is room
    values(hands, FLOP.columns, rounding="shipped")
    assert capsys.readouterr().err == "", "it is read or kept, not built again"


def test_threads_that_need_a_table_build_it_once(cache, monkeypatch, capsys):
    monkeypatch.setattr(build_tables, "_work", few_boards)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(columns_of, [FLOP] * 4))
    assert capsys.readouterr().err.count("building the table flop") == 1
    assert all(np.array_equal(one["ihs"], found[0]["ihs"]) for one in found)


def test_columns_of_the_base_are_copied():
    whole, base = columns_of(FLOP), columns_of(TABLES["flop-potential"])
    assert FLOP.computed == ("hs1", "hs2", "ihs", "ppot1", "npot1")
    for name in ("ppot", "npot"):
        assert np.array_equal(whole[name], base[name])


def test_a_sample_of_the_flop_is_right():
    assert 0 < check_table("flop", 300, seed=1) <= STEP / 2 + 1e-10


def test_a_wrong_value_is_found(monkeypatch):
    found = dict(columns_of(FLOP))
    found["npot1"] = found["npot1"] ^ np.uint16(1)
    monkeypatch.setattr(build_tables, "columns_of", lambda table: found)
    with pytest.raises(TableError, match=r"flop.table: expected npot1 0\.[0-9]+ for class [0-9]+, got"):
        check_table("flop", 20)


@pytest.mark.parametrize("board", ["2c7h9d", "AsAhAd", "4s8sJs"])
@pytest.mark.parametrize("name", ["flop-potential", "flop", "flop-two"])
def test_building_a_flop_gives_its_rows(name, board):
    table = TABLES[name]
    classes, rounded = build_tables.values_on(kernel_layout(np.array(cards(board))), table)
    for column, found in zip(table.computed, rounded, strict=True):
        assert np.array_equal(columns_of(table)[column][classes], found)


def test_building_a_turn_gives_what_is_computed_hand_by_hand():
    turn = TABLES["turn"]
    board = kernel_layout(np.array(cards("4s8sJsTd")))
    classes, rounded = build_tables.values_on(board, turn)
    hands = kernel_layout(Isomorphism((2, 4)).cards(classes[::50]))
    direct = build_tables.compute_directly(
        kernel_layout(hands[:, :2]), kernel_layout(hands[:, 2:]), turn.columns
    )
    assert np.abs(rounded[:, ::50].T * STEP - direct).max() <= STEP / 2 + 1e-10


@pytest.mark.parametrize("board", ["8s9hKdJd", "Td6d4dJc", "AsQd5d4c", "2c2d7h7s"])
def test_equilibria_see_the_same_with_and_without_the_turn_table(cache, board):
    """Their buckets go by the rounded values, so a table changes how quickly they play and nothing else.

    On each board some mean lies halfway between two steps, where the last bit decides.
    """
    turn, dealt = TABLES["turn"], kernel_layout(np.array(cards(board)))
    form = Isomorphism((4,))
    classes, rounded = build_tables.values_on(kernel_layout(form.cards(form.index(dealt[None])))[0], turn)
    table = np.zeros((len(turn.columns), turn.rows), np.uint16)
    table[:, classes] = rounded
    holdings = kernel_layout(HOLDINGS[~np.isin(HOLDINGS, dealt).any(axis=1)])
    boards = np.tile(dealt, (len(holdings), 1))
    assert turn.path() is None
    rows = turn.index(holdings, boards)
    for name, found in zip(("hs1", "hs2"), strengths_of(holdings, boards), strict=True):
        assert np.array_equal(found, table[turn.columns.index(name)][rows])


@pytest.mark.parametrize(("players", "expected"), [(("eqm", "random"), ["turn"]), (("dpp", "random"), [])])
def test_a_long_run_builds_first_what_its_players_look_up(flops_only, monkeypatch, capsys, players, expected):
    built = []
    monkeypatch.setattr(build_tables, "LONG_RUN", 40)
    monkeypatch.setattr(build_tables, "build_table", lambda name, **_: built.append(name))
    match(find_game("limit"), *players, hands=10)
    assert built == []
    match(find_game("limit"), *players, hands=20)
    assert built == expected
    assert ("HoldMem is building the table turn" in capsys.readouterr().err) is bool(expected)


def test_a_run_goes_on_without_a_table_that_cannot_be_built(flops_only, monkeypatch, capsys):
    monkeypatch.setattr(build_tables, "LONG_RUN", 40)
    monkeypatch.setattr(build_tables, "disk_usage", lambda folder: SimpleNamespace(free=5_000_000))
    assert match(find_game("limit"), "eqm", "random", hands=20).hands == 40
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("the table turn cannot be built: ")
    assert said.endswith("140 MB needed, only 5 MB free; continuing without it")


def test_a_disk_that_fails_is_said_in_one_line(cache, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device", "turn.table")

    monkeypatch.setattr(build_tables, "_work", few_boards)
    monkeypatch.setattr(build_tables, "write_table", full)
    assert "No space left on device" in build_tables.try_to_build("turn")
    assert TABLES["turn"].path() is None


def test_a_build_is_written_and_used(cache, monkeypatch):
    """The whole way, with a few boards only: what is not met stays as it was in memory."""
    monkeypatch.setattr(build_tables, "_work", few_boards)
    seen = []
    path = build_table("turn", progress=lambda done, boards: seen.append((done, boards)))
    assert path == cache / "turn.table"
    assert FORMAT.read(path, mapped=True)[0]["rows"] == TABLES["turn"].rows
    assert seen == [(0, 1), (1, 1)]
    board = Isomorphism((4,)).cards([0])[0].tolist()
    hole = [one for one in range(52) if one not in board][:2]
    turn = HandCards([hole], [board])
    assert 0 < abs(e_hs(turn) - e_hs(turn, rounding="exact")).item() <= STEP / 2


def few_boards(name, unit, workers, progress):
    progress(0, 1)
    yield unit(name, range(1))
    progress(1, 1)


def test_work_is_the_same_for_any_number_of_workers():
    results = []
    for workers in (1, 2):
        done = []
        work = build_tables._work(
            "flop", first_board, workers, lambda *progress, done=done: done.append(progress)
        )
        results.append(list(work))
        assert done[0] == (0, 1755)
        assert done[-1] == (1755, 1755)
    assert results[0] == results[1]


def first_board(name, numbers):
    return Isomorphism((3,)).cards([numbers.start]).tolist()


@FULL
@pytest.mark.parametrize("name", ["preflop", "flop-potential"])
def test_the_shipped_tables_can_be_built_again(name, tmp_path):
    again = TABLES[name].read(build_table(name, tmp_path, workers=2))
    for column, shipped in TABLES[name].read(DATA / f"{name}.table").items():
        assert np.array_equal(again[column], shipped)


def test_the_mean_over_all_flops_is_a_half():
    """Of E[HS] up to rounding; of IHS exactly: it is a multiple of 1/2162, so that rounding can be undone."""
    deals = hands_in(Isomorphism((2, 3)), np.arange(FLOP.rows))
    assert whole_column("flop", "hs1") @ deals / deals.sum() == pytest.approx(0.5, abs=1e-7)
    ihs = np.rint(whole_column("flop", "ihs") * 2162) / 2162
    assert ihs @ deals / deals.sum() == pytest.approx(0.5, abs=1e-12)


# Classes


@pytest.mark.parametrize(
    ("rounds", "hands"), [((2,), 1326), ((3,), 22_100), ((2, 3), 25_989_600), ((5,), 2_598_960)]
)
def test_classes_have_all_hands(rounds, hands):
    form = Isomorphism(rounds)
    assert hands_in(form, np.arange(form.size)).sum() == hands


def test_hands_in_a_class_are_its_permutations():
    form = Isomorphism((2, 3))
    classes = np.random.default_rng(0).integers(0, form.size, 300)
    for hand, count in zip(form.cards(classes).tolist(), hands_in(form, classes), strict=True):
        assert count == len({naive.permuted(hand, (2, 3), suits) for suits in naive.PERMUTATIONS})


# Commands


def run(*arguments):
    return CliRunner().invoke(app, ["tables", *arguments], catch_exceptions=False)


def test_tables_are_listed(cache):
    rows = {row["name"]: row for row in json.loads(run("--json").stdout)}
    assert rows["flop-potential"]["state"] == "ready"
    assert rows["flop"]["classes"] == 1_286_792
    assert rows["flop"]["state"] == rows["turn"]["state"] == "not built"
    shown = run().output
    assert "1,286,792" in shown
    assert "not built" in shown


def test_a_damaged_table_is_built_anew_by_the_command(cache, monkeypatch):
    cache.mkdir()
    (cache / "turn.table").write_bytes(b"nothing")
    monkeypatch.setattr(build_tables, "_work", few_boards)
    assert run("build", "turn", "--workers", "1").exit_code == 0
    assert state_of(TABLES["turn"]) == "ready"
    assert "exists" in run("build", "turn").output


def test_tables_are_checked_by_the_command(cache):
    assert "20 classes agree" in run("check", "flop", "--sample", "20").output
    with pytest.raises(NotationError, match="unknown table"):
        run("check", "flpo")
