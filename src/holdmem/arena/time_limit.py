"""A time limit for agents, which works in any thread of any process while the agent runs Python code."""

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from time import monotonic, sleep
from typing import Any

from holdmem.agent import Actions, FinishedHands, Seat, Views
from holdmem.agent.ask import watches
from holdmem.agent.blame import error_location
from holdmem.core.errors import AgentError, BadDecision
from holdmem.core.jit import preparation

LOOK_AGAIN = 0.05
"""Seconds between checks of whether numba has finished."""


class TimeLimitExceeded(BaseException):
    """Raised inside an agent that has exceeded its time. Its own `except Exception` does not catch this."""

    seconds: float = 0.0

    def __init__(self) -> None:
        super().__init__(f"took longer than {self.seconds:g} s")


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitExceeded in the block once its time is up, repeatedly until the block ends.

    Compiled code is stopped only when it returns. Time spent compiling or loading kernels does not count and
    is not interrupted: numba must finish what it has begun. Whatever the block raises after its time is up
    becomes TimeLimitExceeded.
    """
    _ignore_where_it_cannot_be_raised()
    stop = type("TimeLimitExceeded", (TimeLimitExceeded,), {"seconds": seconds})
    ident = threading.get_ident()
    thread = ctypes.c_ulong(ident)
    done = threading.Event()
    struck = threading.Event()

    def watch() -> None:
        start, prepared = monotonic(), preparation(ident).seconds
        pause = seconds
        while not done.wait(pause):
            state = preparation(ident)
            pause = start + seconds + state.seconds - prepared - monotonic()
            if state.under_way:
                pause = LOOK_AGAIN
            elif pause <= 0:
                struck.set()
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(stop))
                pause = seconds

    watchdog = threading.Thread(target=watch, daemon=True)
    watchdog.start()
    cause: BaseException | None = None
    try:
        yield
    except (Exception, SystemExit, TimeLimitExceeded) as error:
        cause = error
    finally:
        _call_off(done, watchdog)
        if struck.is_set():
            _receive(thread, stop)
    if struck.is_set():
        raise stop from cause
    if cause is not None:
        raise cause


@cache
def _ignore_where_it_cannot_be_raised() -> None:
    """Suppress reports of one that is raised in a destructor or callback: the next one gets through."""
    before = sys.unraisablehook

    def hook(what: Any) -> None:
        if not issubclass(what.exc_type, TimeLimitExceeded):
            before(what)

    sys.unraisablehook = hook


def _call_off(done: threading.Event, watchdog: threading.Thread) -> None:
    """Stop the watchdog, even if it raises TimeLimitExceeded at this very moment."""
    while watchdog.is_alive():
        try:
            done.set()
            watchdog.join()
        except TimeLimitExceeded:
            continue


def _receive(thread: ctypes.c_ulong, stop: type[TimeLimitExceeded]) -> None:
    """Take an exception that may be pending, by replacing it with one and waiting for that.

    Cancelling it would leave CPython 3.11 with its flag of pending work set for good: everything runs slower,
    and a traced function (a debugger, coverage) never begins.
    """
    try:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(stop))
        while True:
            sleep(0)
    except TimeLimitExceeded:
        pass


class TimeLimitedSeat:
    """A seat with a time limit on `act` and `watch`; other methods are those of the wrapped seat."""

    watch: Callable[[FinishedHands], None]

    def __init__(self, seat: Seat, seconds: float) -> None:
        self.seat: Any = seat
        self.seconds = seconds
        for ability in ("policy", "explain", "counts", "mended"):
            if hasattr(seat, ability):
                setattr(self, ability, getattr(seat, ability))
        if watches(seat):
            self.watch = self._watch

    def act(self, views: Views) -> Actions:
        """Choose one action per view, within the time limit."""
        with self._in_time(f"for {len(views)} decisions"):
            actions: Actions = self.seat.act(views)
        return actions

    def _watch(self, hands: FinishedHands) -> None:
        with self._in_time(f"for watching {len(hands)} hands"):
            self.seat.watch(hands)

    @contextmanager
    def _in_time(self, what_for: str) -> Iterator[None]:
        try:
            with time_limit(self.seconds):
                yield
        except TimeLimitExceeded as error:
            place = error_location(_first_cause(error), only_own=True)
            said = f"{error} {what_for}{f', in {place}' if place else ''}"
            if isinstance(error.__cause__, BadDecision):  # a bot, which knows the view it was at
                raise BadDecision(f"{said}; {error.__cause__.where}") from None
            raise AgentError(said) from None


def _first_cause(error: BaseException) -> BaseException:
    return error if error.__cause__ is None else _first_cause(error.__cause__)


def with_time_limit(seat: Seat, seconds: float) -> TimeLimitedSeat:
    """Wrap a seat with a time limit."""
    return TimeLimitedSeat(seat, seconds)
