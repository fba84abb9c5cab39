"""The benchmarks by name, each measured in a process of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from operator import attrgetter

from benchmarks.measure import Line

Benchmark = Callable[[float], Iterator[Line]]
"""Seconds for each contender to lines."""

BENCHMARKS = {
    "seven": "evaluation:SEVEN.measure",
    "board": "evaluation:BOARD.measure",
    "every-hand": "evaluation:every_hand",
    "tables": "evaluation:table_size",
    "suits": "isomorphism:SUITS.measure",
    "limit": "hands:LIMIT.measure",
    "bots": "hands:BOTS.measure",
    "six-seats": "hands:SIX_SEATS.measure",
    "strength": "strength:strength",
    "equity": "strength:equity",
    "decisions": "decisions:measure",
    "poki": "modelled:POKI.measure",
    "simulations": "modelled:SIMULATIONS.measure",
    "plicas": "plicas:LEARNING.measure",
    "arena": "arena:arena",
    "logs": "histories:LOGS.measure",
    "phh": "histories:PHH.measure",
    "stars": "histories:STARS.measure",
    "environments": "environments:measure",
    "exploit": "exploit:exploit",
    "wire": "wire:wire",
    "solving": "solving:solving",
    "resolving": "resolving:resolving",
    "memory": "memory:memory",
    "evolution": "evolving:evolution",
    "casper": "casper:casper",
    "casper02": "casper:casper02",
    "imitators": "imitators:imitators",
    "learners": "learning:GRID.measure",
    "start": "starting:starts",
    "web": "web:load",
    "seating": "seating:seating",
    "page": "painting:painting",
    "hands": "dropping:dropping",
}
"""Where each is found; imported only in the process that runs it."""


def find(name: str) -> Benchmark:
    """The benchmark of this name."""
    module, _, path = BENCHMARKS[name].partition(":")
    found: Benchmark = attrgetter(path)(import_module(f"benchmarks.{module}"))
    return found


def measure(name: str, seconds: float) -> list[Line]:
    """The lines of one benchmark."""
    return list(find(name)(seconds))


def measure_apart(name: str, seconds: float) -> list[Line]:
    """The same in a fresh process: the state of the heap can change the speed of play twofold."""
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        return fresh.submit(measure, name, seconds).result()
