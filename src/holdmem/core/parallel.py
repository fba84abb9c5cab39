"""Run work units in this process, in worker processes, or on a Dask cluster. Contains no poker logic.

A work unit is a picklable value. A function computes its result from the unit alone, so it does not matter
where a unit runs, in which order, or how often it is retried.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, parent_process
from time import monotonic
from typing import Any, TypeVar

from holdmem.core.errors import HoldMemError
from holdmem.core.extras import require

Unit = TypeVar("Unit")
Result = TypeVar("Result")

TRIES = 2
"""Number of workers that a unit may kill while running alone before it is given up."""

NO_WORKERS = 120.0
"""Seconds without any Dask worker after which a run is given up."""


class ClusterError(HoldMemError):
    """The cluster cannot be reached or has gone away."""


class WorkerDied(ClusterError):
    """Every worker that ran this unit died."""


class WorkerPool:
    """A pool of workers that is reused across runs, for units that depend on the results of earlier ones.

    `run` is `run_units` with these workers. With one worker, units run in this process. With `on`, the
    address of a Dask scheduler (tcp://host:port), each run opens its own connection. Leaving the context
    ends the processes.
    """

    def __init__(self, workers: int = 1, on: str | None = None) -> None:
        self.workers = workers
        self.on = on
        self._processes: ProcessPoolExecutor | None = None

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *reason: object) -> None:
        self._dismiss()

    def run(
        self, function: Callable[[Unit], Result], units: Iterable[Unit]
    ) -> Iterator[tuple[Unit, Result | WorkerDied]]:
        """Yield each unit with its result, in the order of completion."""
        if self.on is not None:
            yield from _on_dask(function, units, self.on)
        elif self.workers > 1:
            yield from self._in_processes(function, iter(units))
        else:
            for unit in units:
                yield unit, function(unit)

    def _in_processes(
        self, function: Callable[[Unit], Result], units: Iterator[Unit]
    ) -> Iterator[tuple[Unit, Result | WorkerDied]]:
        held: list[Unit] = []
        while True:
            self._processes = self._processes or _pool(self.workers)
            try:
                yield from _through_pool(self._processes, function, units, held, self.workers)
                return
            except BrokenProcessPool:
                self._dismiss()
                # One of these units killed its worker: run them singly, so that it takes no others down.
                yield from _one_by_one(function, held)
            except BaseException:  # includes GeneratorExit: the caller does not want the rest
                self._dismiss()
                raise

    def _dismiss(self) -> None:
        if self._processes is not None:
            self._processes.shutdown(wait=True, cancel_futures=True)
        self._processes = None


def run_units(
    function: Callable[[Unit], Result], units: Iterable[Unit], workers: int = 1, on: str | None = None
) -> Iterator[tuple[Unit, Result | WorkerDied]]:
    """Yield each unit with its result, in the order of completion.

    Units run in this process with one worker, in worker processes with more, or on the Dask cluster whose
    scheduler is at `on` (tcp://host:port). They are taken from the iterable only as workers become free. If a
    worker dies, only its units are lost, and they are retried. A unit that keeps killing its worker is
    yielded with a WorkerDied in place of a result.
    """
    with WorkerPool(workers, on) as crew:
        yield from crew.run(function, units)


def _through_pool(
    pool: ProcessPoolExecutor,
    function: Callable[[Unit], Result],
    units: Iterator[Unit],
    held: list[Unit],
    workers: int,
) -> Iterator[tuple[Unit, Result]]:
    """Run units in one pool of processes; `held` lists the units submitted and not yet yielded."""
    futures: dict[Future[Result], Unit] = {}

    def fill() -> None:
        for unit in islice(units, workers + 1 - len(futures)):
            held.append(unit)
            futures[pool.submit(function, unit)] = unit

    fill()
    while futures:
        for future in wait(futures, return_when=FIRST_COMPLETED).done:
            result = future.result()
            unit = futures.pop(future)
            fill()  # may find the pool broken; this unit is then still held
            held.remove(unit)
            yield unit, result


def _one_by_one(
    function: Callable[[Unit], Result], held: list[Unit]
) -> Iterator[tuple[Unit, Result | WorkerDied]]:
    """Run the held units one at a time in a single process, which is replaced when it dies.

    A unit that kills `TRIES` processes in a row is yielded with a WorkerDied.
    """
    deaths = 0
    while held:
        with _pool(1) as pool:
            try:
                while held:
                    result = pool.submit(function, held[0]).result()
                    deaths = 0
                    yield held.pop(0), result
            except BrokenProcessPool:
                deaths += 1
        if deaths == TRIES:
            deaths = 0
            yield held.pop(0), WorkerDied(f"the worker died {TRIES} times while running this unit; giving up")


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_with_parent)


def _leave_with_parent() -> None:
    """Initialise a worker: it exits when its parent dies, and Ctrl-C ends it in the middle of a unit.

    Without this, a worker whose parent was killed would wait for work for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def wait_and_leave() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait_and_leave, daemon=True).start()


def _on_dask(
    function: Callable[[Unit], Result], units: Iterable[Unit], address: str
) -> Iterator[tuple[Unit, Result | WorkerDied]]:
    client, as_completed = _connected(address)
    with client:
        waiting = iter(units)
        held: dict[Any, Unit] = {}
        finished = as_completed(loop=client.loop)
        suspects = []

        def fill(count: int) -> None:
            for unit in islice(waiting, count):
                future = client.submit(function, unit, pure=False)
                held[future] = unit
                finished.add(future)

        with _cancelled_without_workers(client, held):
            fill(max(4 * sum(client.nthreads().values()), 16))
            for future in finished:
                fill(1)
                unit, result = held.pop(future), _result_of(future, address)
                if isinstance(result, WorkerDied):
                    suspects.append(unit)  # may be innocent: a worker runs several units in threads
                else:
                    yield unit, result
            for unit in suspects:
                again = client.submit(function, unit, pure=False)
                held[again] = unit
                yield unit, _result_of(again, address)


@contextmanager
def _cancelled_without_workers(client: Any, held: dict[Any, Unit]) -> Iterator[None]:
    """Cancel the futures in `held` once the cluster has had no worker for `NO_WORKERS` seconds.

    Dask would wait for a worker for ever, even if all have died and none is started again.
    """
    ended = threading.Event()

    def watch() -> None:
        last = monotonic()
        while not ended.wait(NO_WORKERS / 20):
            with suppress(Exception):  # the scheduler went away, which the futures report
                if client.nthreads():
                    last = monotonic()
                elif monotonic() - last > NO_WORKERS:
                    client.cancel(list(held))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _connected(address: str) -> tuple[Any, Any]:
    require("cluster", "--on")
    from distributed import Client, as_completed  # noqa: PLC0415

    try:
        return Client(address, timeout="10s", set_as_default=False), as_completed
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler at {address}: {error}") from None


def _result_of(future: Any, address: str) -> Any:
    from distributed.scheduler import KilledWorker  # noqa: PLC0415

    try:
        return future.result()
    except KilledWorker:
        return WorkerDied("every Dask worker that ran this unit died")
    except CancelledError:
        raise ClusterError(
            f"{address}: the Dask scheduler went away, or has had no worker for {NO_WORKERS:g} s"
        ) from None
