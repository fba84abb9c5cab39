"""Work units here and elsewhere: the same bytes everywhere, and a worker that dies costs only its unit."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdmem import tournament
from holdmem.arena import Design, Ledger, run, run_all
from holdmem.arena.exact import exact_exploitability
from holdmem.core.errors import AgentError, MissingExtra
from holdmem.core.parallel import ClusterError, WorkerDied, run_units
from holdmem.engine import find_game
from strangers import called
from tasks import Task, square
from test_ledger import rows_of

LIMIT = find_game("limit")
PATIENCE = 5.0
"""Seconds for a decision: long enough for new worker processes on a busy machine to load their kernels."""
DESIGNS = [
    Design(LIMIT, ("random", called("cautious")), hands=1200, seed=1),
    Design(LIMIT, ("random", called("Counter")), hands=15, matches=24, seed=1),
    Design(
        replace(find_game("nolimit"), stacks=(900, 900)),
        ("random", "always-call"),
        kind="freeze-out",
        hands=300,
        matches=24,
    ),
]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The ledger rows of all designs, played in this process."""
    ledger = Ledger(tmp_path_factory.mktemp("here") / "results.sqlite")
    for design in DESIGNS:
        run(design, ledger=ledger)
    return rows_of(ledger)


@pytest.mark.parametrize("workers", [1, 2])
def test_every_unit_comes_back_once_with_its_result(workers: int) -> None:
    tasks = [Task(number) for number in range(30)]
    found = list(run_units(square, tasks, workers=workers))
    assert sorted(found, key=lambda row: row[0].number) == [(task, task.number**2) for task in tasks]


def test_a_dead_worker_costs_only_its_unit(tmp_path: Path) -> None:
    """One that kills its worker once is tried again; one that always does is given up; the rest is done."""
    tasks = [Task(number) for number in range(20)]
    tasks[3] = Task(3, tmp_path / "once")
    tasks[11] = Task(11, tmp_path / "always", always=True)
    found = dict(run_units(square, tasks, workers=2))
    assert isinstance(found.pop(tasks[11]), WorkerDied)
    assert found == {task: task.number**2 for task in tasks if task.number != 11}


class BreaksWhenFilled(ThreadPoolExecutor):
    """A pool that is found broken when its fourth unit is handed in, while results of others are there."""

    handed_in = 0

    def submit(self, *call: Any) -> Future[Any]:
        self.handed_in += 1
        if self.handed_in == 4:
            raise BrokenProcessPool("a worker died a moment ago")
        return super().submit(*call)


def test_a_pool_that_breaks_between_two_units_loses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdmem.core.parallel._pool", BreaksWhenFilled)
    tasks = [Task(number) for number in range(10)]
    found = list(run_units(square, tasks, workers=2))
    assert sorted(found, key=lambda row: row[0].number) == [(task, task.number**2) for task in tasks]


def test_four_workers_write_the_same_ledger(here: list[Any], tmp_path: Path) -> None:
    """All designs at once, as a tournament plays them."""
    ledger = Ledger(tmp_path / "results.sqlite")
    run_all(DESIGNS, ledger=ledger, workers=4)
    assert rows_of(ledger) == here


def test_an_agent_that_kills_its_worker_costs_only_its_matches() -> None:
    names = ["random", called("KillsItsProcess"), "always-call"]
    found = tournament(LIMIT, *names, hands=200, workers=2)
    assert set(found.results) == {(0, 2)}
    assert set(found.failures) == {(0, 1), (1, 2)}
    assert all("worker died 2 times" in reason for reason in found.failures.values())


def test_time_limits_hold_in_worker_processes() -> None:
    found = tournament(
        LIMIT, "random", called("Loops"), "always-call", hands=200, workers=2, time_limit=PATIENCE
    )
    assert set(found.results) == {(0, 2)}
    assert all("took longer than 5 s" in reason for reason in found.failures.values())


ORPHANS = """
import os, sys, time
from holdmem.core.parallel import run_units

def tell(path):
    with open(path, "w") as out:
        out.write(str(os.getpid()))
    time.sleep(60)

if __name__ == "__main__":
    list(run_units(tell, sys.argv[1:], workers=2))
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
def test_workers_do_not_outlive_a_killed_run(tmp_path: Path) -> None:
    script = tmp_path / "orphans.py"
    script.write_text(ORPHANS, encoding="utf-8")
    told = [tmp_path / "one", tmp_path / "two"]
    running = subprocess.Popen([sys.executable, str(script), *map(str, told)], stderr=subprocess.DEVNULL)
    _wait_until(lambda: all(path.exists() and path.read_text(encoding="utf-8") for path in told))
    running.kill()
    running.wait()
    _wait_until(lambda: not any(_alive(int(path.read_text(encoding="utf-8"))) for path in told))


def _alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return False


def _wait_until(true: Any, seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


# Dask


@contextmanager
def local_cluster(workers: int) -> Iterator[Any]:
    """Worker processes on this machine, reached by loopback only."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=2,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    ) as found:
        yield found


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster(2) as found:
        yield found


@pytest.fixture
def doomed() -> Iterator[Any]:
    """A cluster whose workers are killed: Dask does not restart one that dies while it is being started."""
    config = pytest.importorskip("dask").config
    with config.set({"distributed.scheduler.allowed-failures": 1}), local_cluster(2) as found:
        yield found


ONCE_STARTED = 3.0
"""Seconds after which a worker that has taken up a unit is surely started, on a busy machine too."""


def test_a_dask_cluster_writes_the_same_ledger(cluster: Any, here: list[Any], tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "results.sqlite")
    run_all(DESIGNS, ledger=ledger, on=cluster.scheduler_address)
    assert rows_of(ledger) == here


@pytest.mark.long
def test_exact_exploitability_on_dask_is_the_same_to_the_digit(cluster: Any) -> None:
    here = exact_exploitability("always-raise", LIMIT, flops=4, seed=6)
    assert exact_exploitability("always-raise", LIMIT, flops=4, seed=6, on=cluster.scheduler_address) == here


@pytest.mark.long
def test_time_limits_hold_in_the_threads_of_dask(cluster: Any) -> None:
    names = ["random", called("Loops"), "always-call"]
    found = tournament(LIMIT, *names, hands=600, on=cluster.scheduler_address, time_limit=PATIENCE)
    assert set(found.results) == {(0, 2)}
    assert all("took longer than 5 s" in reason for reason in found.failures.values())


def test_a_dead_dask_worker_loses_nothing(doomed: Any, tmp_path: Path) -> None:
    tasks = [Task(number) for number in range(30)]
    tasks[3] = Task(3, tmp_path / "once", after=ONCE_STARTED)
    found = dict(run_units(square, tasks, on=doomed.scheduler_address))
    assert (tmp_path / "once").exists()
    assert found == {task: task.number**2 for task in tasks}


@pytest.mark.long
def test_a_unit_that_kills_every_dask_worker_is_given_up(doomed: Any, tmp_path: Path) -> None:
    tasks = [Task(0), Task(1, tmp_path / "always", always=True, after=ONCE_STARTED), Task(2)]
    found = dict(run_units(square, tasks, on=doomed.scheduler_address))
    assert isinstance(found[tasks[1]], WorkerDied)
    assert (found[tasks[0]], found[tasks[2]]) == (0, 4)


def test_an_agents_error_on_dask_is_the_agents(cluster: Any) -> None:
    with pytest.raises(AgentError, match="ZeroDivisionError"):
        run(Design(LIMIT, ("random", called("Raises"))), on=cluster.scheduler_address)


def test_a_cluster_without_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdmem.core.parallel.NO_WORKERS", 0.5)
    with local_cluster(0) as empty, pytest.raises(ClusterError, match=r"has had no worker for 0\.5 s"):
        list(run_units(square, [Task(1)], on=empty.scheduler_address))


def test_no_scheduler_is_an_error_of_one_line() -> None:
    with pytest.raises(ClusterError, match="no Dask scheduler at tcp"):
        list(run_units(square, [Task(1)], on="tcp://nowhere"))


def test_without_dask_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"--on needs distributed, .* pip install 'holdmem\[cluster\]'"):
        list(run_units(square, [Task(1)], on="tcp://127.0.0.1:8786"))
