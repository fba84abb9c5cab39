"""The ledger: nothing is lost, nothing is played twice, and files that are no ledger are left alone."""

import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdmem.arena import Design, Ledger, plan, run
from holdmem.arena.export import COLUMNS, export, finished
from holdmem.core import cache_folder
from holdmem.core.errors import NotationError
from holdmem.engine import find_game
from strangers import called

DESIGN = Design(find_game("limit"), ("random", called("Counter")), hands=10, matches=16, seed=1)


def rows_of(ledger: Ledger) -> list[Any]:
    """Everything in a ledger but the times."""
    with sqlite3.connect(ledger.path) as book:
        designs = book.execute("SELECT hash, design, in_turn FROM designs ORDER BY hash").fetchall()
        units = book.execute("SELECT * FROM units ORDER BY hash, start").fetchall()
    book.close()
    return [designs, units]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "new" / "results.sqlite")


def played(ledger: Ledger, design: Design = DESIGN, **how: Any) -> list[int]:
    """Hands that were known at the start of a run, and that were done after each unit."""
    done: list[int] = []
    run(design, ledger=ledger, progress=lambda hands, of: done.append(hands), **how)
    return done


def test_a_second_run_plays_nothing_and_says_the_same(ledger: Ledger) -> None:
    first = run(DESIGN, ledger=ledger)
    assert played(ledger) == [first.hands]
    assert run(DESIGN, ledger=ledger) == first


def test_what_is_missing_is_played_and_nothing_else(ledger: Ledger, tmp_path: Path) -> None:
    """Any unit lost: the run goes on with just that one, and the ledger is as it was."""
    run(DESIGN, ledger=ledger)
    whole = rows_of(ledger)
    units = plan(DESIGN).split()
    for lost in (0, 3, len(units) - 1):
        with sqlite3.connect(ledger.path) as book:
            book.execute("DELETE FROM units WHERE start = ?", (units[lost].start,))
        book.close()
        assert ledger.result(plan(DESIGN)) is None
        assert played(ledger) == [320 - units[lost].hands, 320]
        assert rows_of(ledger) == whole


SLOW = """
import time
from pathlib import Path
from holdmem import CALL, bot

@bot
def slow(view):
    if Path(__file__).with_name("slowly").exists():
        time.sleep(0.002)
    return CALL if view.random() < 0.9 or not view.max_raise_to else view.min_raise_to
"""


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.long), 2])
def test_a_killed_run_goes_on_where_it_was(workers: int, tmp_path: Path) -> None:
    bot, slowly = tmp_path / "bot.py", tmp_path / "slowly"
    bot.write_text(SLOW, encoding="utf-8")
    slowly.touch()
    design = Design(find_game("limit"), (f"{bot}:slow", "always-call"), hands=1000, seed=4)
    ledger = Ledger(tmp_path / "killed.sqlite")
    command = [sys.executable, "-m", "holdmem", "match", *design.agents, "--hands", "1000", "--seed", "4"]
    command += ["--ledger", str(ledger.path), "--workers", str(workers)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while not rows_of(ledger)[1] and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    slowly.unlink()
    known = rows_of(ledger)[1]
    assert 1 <= len(known) < len(plan(design).split())
    first, *_ = played(ledger, design)
    assert first == len(known) * 500
    whole = Ledger(tmp_path / "whole.sqlite")
    run(design, ledger=whole)
    assert rows_of(ledger) == rows_of(whole)


def _play_into(path: Path, first: int) -> None:
    for seed in range(first, 12, 2):
        run(replace(DESIGN, seed=seed, matches=2, hands=2), ledger=Ledger(path))
        run(replace(DESIGN, seed=99, matches=8, hands=2), ledger=Ledger(path))


def test_two_processes_may_write_at_once(ledger: Ledger, tmp_path: Path) -> None:
    """Into one ledger, some of it the same results."""
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_play_into, args=(ledger.path, first)) for first in (0, 1)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    alone = Ledger(tmp_path / "alone.sqlite")
    _play_into(alone.path, 0)
    _play_into(alone.path, 1)
    assert rows_of(ledger) == rows_of(alone)


def test_old_results_need_no_agents(ledger: Ledger, tmp_path: Path) -> None:
    """The file of an agent may go; what it did stays."""
    bot = tmp_path / "bot.py"
    bot.write_text(SLOW, encoding="utf-8")
    result = run(replace(DESIGN, agents=(f"{bot}:slow", "random"), hands=300), ledger=ledger)
    bot.unlink()
    found = ledger.find(result.hash[:6])
    assert found == result.plan
    assert ledger.result(found) == result
    assert finished(ledger) == [result]


# Files that are no ledger


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("buy milk " * 100, encoding="utf-8")
    with pytest.raises(NotationError, match=r"notes\.txt: cannot be read as a results ledger"):
        Ledger(path)
    assert path.read_text(encoding="utf-8") == "buy milk " * 100


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "photos.sqlite"
    with sqlite3.connect(path) as book:
        book.execute("CREATE TABLE photos (name TEXT)")
    book.close()
    before = path.read_bytes()
    with pytest.raises(NotationError, match="another program's"):
        Ledger(path)
    assert path.read_bytes() == before


def test_a_place_where_no_file_can_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for path in (tmp_path / "file" / "results.sqlite", tmp_path):
        with pytest.raises(NotationError, match=str(path)):
            Ledger(path)


@pytest.mark.skipif(os.name == "nt", reason="permissions")
def test_a_ledger_that_may_only_be_read_can_be_read(ledger: Ledger) -> None:
    """SQLite itself is told so, since a superuser may write anywhere."""
    result = run(DESIGN, ledger=ledger)
    ledger.path.chmod(0o444)
    ledger.path.parent.chmod(0o555)
    try:
        again = Ledger(ledger.path)
        assert again.result(again.find(result.hash)) == result
    finally:
        ledger.path.parent.chmod(0o755)


DAMAGES = (
    "UPDATE units SET result = '[]'",
    "UPDATE units SET result = '{}'",
    "UPDATE units SET result = '{'",
    pytest.param(f"UPDATE units SET result = '{100_000 * '['}'", id="a deep result"),
    "UPDATE units SET result = x'00ff'",
    "UPDATE units SET result = replace(result, 'hands', 'hand')",
    "UPDATE units SET result = replace(result, '1', '2')",
    "UPDATE units SET stop = stop + 1 WHERE start = 0",
)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("digests", [True, False])
def test_damaged_results_are_played_again(
    damage: str, digests: bool, ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = run(DESIGN, ledger=ledger)
    with sqlite3.connect(ledger.path) as book:
        book.execute(damage)
        if not digests:
            if "'2'" in damage or "stop" in damage:
                return  # other numbers are no damage to one who has no digest
            book.execute("DROP TABLE digests")  # a ledger of an earlier version
    book.close()
    cache_folder.say.cache_clear()
    again = Ledger(ledger.path)
    assert again.result(whole.plan) is None
    (line,) = capsys.readouterr().err.splitlines()
    assert "skipped as damaged" in line
    assert "run the same match again to replace" in line
    assert run(DESIGN, ledger=again).units == whole.units
    found = again.result(whole.plan)
    assert found is not None
    assert found.units == whole.units


def test_a_ledger_of_an_earlier_version_is_read_and_goes_on(ledger: Ledger) -> None:
    whole = run(DESIGN, ledger=ledger)
    with sqlite3.connect(ledger.path) as book:
        book.execute("DROP TABLE digests")
        book.execute("DELETE FROM units WHERE start = 0")
    book.close()
    old = Ledger(ledger.path)
    assert run(DESIGN, ledger=old).units == whole.units
    with sqlite3.connect(ledger.path) as book:
        assert book.execute("SELECT count(*) FROM digests").fetchone() == (1,)
    book.close()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE designs SET design = '{}'", "cannot read a stored design"),
        pytest.param(
            f"UPDATE designs SET design = '{100_000 * '['}'", "a result as JSON", id="a deep design"
        ),
        ("DROP TABLE units", "no such table"),
    ],
)
def test_a_damaged_ledger_says_so(damage: str, says: str, ledger: Ledger) -> None:
    run(DESIGN, ledger=ledger)
    with sqlite3.connect(ledger.path) as book:
        book.execute(damage)
    book.close()
    with pytest.raises(NotationError, match=says):
        finished(ledger)


def test_a_ledger_whose_tables_have_no_readable_names_is_refused(ledger: Ledger, tmp_path: Path) -> None:
    """SQLite names a damaged table in its message, which is then no UTF-8 either."""
    run(DESIGN, ledger=ledger)
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(ledger.path.read_bytes().replace(b"tableunitsunits", b"table\xffnitsunits"))
    assert damaged.read_bytes() != ledger.path.read_bytes()
    with pytest.raises(NotationError, match=r"damaged\.sqlite: cannot be read as a results ledger"):
        Ledger(damaged).plans()


def test_hashes_may_be_cut_short_but_not_too_short(ledger: Ledger) -> None:
    for seed in range(3):
        run(replace(DESIGN, seed=seed, matches=1), ledger=ledger)
    (first, _), *_ = ledger.plans()
    assert ledger.find(first.hash[:10]) == first
    with pytest.raises(NotationError, match="3 results begin with it"):
        ledger.find("")
    with pytest.raises(NotationError, match="no result begins with it"):
        ledger.find("xyz")


# Export


def test_exports_hold_every_finished_result(ledger: Ledger, tmp_path: Path) -> None:
    results = [run(replace(DESIGN, seed=seed), ledger=ledger) for seed in (1, 2)]
    ledger.begin(plan(replace(DESIGN, seed=3)))  # begun, not finished
    assert export(ledger, tmp_path / "all.json") == export(ledger, tmp_path / "all.csv") == 2
    told = {one["hash"]: one for one in json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))}
    assert told == {result.hash: json.loads(json.dumps(result.as_json())) for result in results}
    head, *lines = (tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()
    assert head == ",".join(COLUMNS)
    assert len(lines) == 4
    assert not list(tmp_path.glob("*.part"))


def test_exports_know_two_kinds_of_file(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"\.json or \.csv"):
        export(ledger, tmp_path / "all.xlsx")


def test_what_sqlite_says_of_damage_is_told_in_one_line(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "damaged.sqlite")
    with pytest.raises(NotationError, match=r"SQLite: could not decode '20T00'$"), ledger._open():
        raise sqlite3.OperationalError("could not decode\n'20T00'\n")
