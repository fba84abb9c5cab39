"""Running work units here or elsewhere. Knows no poker.

A work unit is a value that can be pickled; a function turns it into a result and depends on nothing else. So
it does not matter where a unit runs, in which order, or how often it had to be tried.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from holdmem.errors import HoldMemError

Unit = TypeVar("Unit")
Result = TypeVar("Result")

TRIES = 3
"""How often a unit may lose its worker before it is given up."""


class ClusterError(HoldMemError):
    """A cluster that cannot be reached, or a unit that keeps killing its worker."""


def run_units(
    function: Callable[[Unit], Result], units: Sequence[Unit], workers: int = 1, on: str | None = None
) -> Iterator[tuple[Unit, Result]]:
    """Each unit with its result, as they are finished.

    In this process with one worker, in processes with more, or on the Dask cluster whose scheduler is at
    `on` (tcp://host:port). A worker that dies costs only the units it had, which are tried again.
    """
    if on is not None:
        yield from _on_dask(function, units, on)
    elif workers > 1 and len(units) > 1:
        yield from _in_processes(function, units, min(workers, len(units)))
    else:
        for unit in units:
            yield unit, function(unit)


def _in_processes(
    function: Callable[[Unit], Result], units: Sequence[Unit], workers: int
) -> Iterator[tuple[Unit, Result]]:
    left = dict(enumerate(units))
    for attempt in range(1, TRIES + 1):
        # After a death the rest goes one by one, so that a unit that kills its worker takes no other along.
        with ProcessPoolExecutor(1 if attempt > 1 else workers, mp_context=get_context("spawn")) as pool:
            futures = {pool.submit(function, unit): number for number, unit in left.items()}
            try:
                for future in as_completed(futures):
                    result = future.result()
                    yield left.pop(futures[future]), result
            except BrokenProcessPool:
                continue
            finally:
                _cancel(futures)
        return
    raise ClusterError(f"a worker died {TRIES} times; {len(left)} of {len(units)} units were not finished")


def _cancel(futures: dict[Future[Any], int]) -> None:
    for future in futures:
        future.cancel()


def _on_dask(
    function: Callable[[Unit], Result], units: Sequence[Unit], address: str
) -> Iterator[tuple[Unit, Result]]:
    try:
        from dask.distributed import Client  # noqa: PLC0415
        from dask.distributed import as_completed as dask_as_completed  # noqa: PLC0415
    except ImportError:
        raise ClusterError("expected Dask for --on, got none; install holdmem[cluster]") from None
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"expected a Dask scheduler at {address}, got {error}") from None
    with client:
        futures = {client.submit(function, unit, pure=False, retries=TRIES): unit for unit in units}
        for future in dask_as_completed(futures):
            yield futures[future], future.result()
