"""A time limit for agents, which works in any thread of any process as long as the agent runs Python."""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from holdmem.errors import AgentError
from holdmem.table import Actions, Finished, Seat, Views


class TooSlow(BaseException):
    """Raised inside an agent that has used up its time. Gets past the agent's own `except Exception`."""

    seconds = 0.0

    def __init__(self) -> None:
        super().__init__(f"took longer than {self.seconds:g} s")


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow in the block once it has taken longer, again and again until it stops.

    Compiled code is stopped only when it returns.
    """
    stop = type("TooSlow", (TooSlow,), {"seconds": seconds})
    thread = ctypes.c_ulong(threading.get_ident())
    done = threading.Event()
    struck = threading.Event()

    def watch() -> None:
        while not done.wait(seconds):
            struck.set()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(stop))

    watchdog = threading.Thread(target=watch, daemon=True)
    watchdog.start()
    try:
        yield
    finally:
        _call_off(done, watchdog)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)  # what has not struck yet shall not later
    if struck.is_set():
        raise stop


def _call_off(done: threading.Event, watchdog: threading.Thread) -> None:
    """Stop the watchdog, even if it strikes this very moment."""
    while watchdog.is_alive():
        try:
            done.set()
            watchdog.join()
        except TooSlow:
            continue


class LimitedSeat:
    """A seat whose every answer has a time limit; its other abilities are those of the seat within."""

    def __init__(self, seat: Seat, seconds: float) -> None:
        self.seat: Any = seat
        self.seconds = seconds
        for ability in ("policy", "explain", "counts"):
            if hasattr(seat, ability):
                setattr(self, ability, getattr(seat, ability))
        if hasattr(seat, "watch"):
            self.watch = self._watch

    def act(self, views: Views) -> Actions:
        """One decision for each view, in time."""
        with self._in_time(f"for {len(views)} decisions"):
            actions: Actions = self.seat.act(views)
        return actions

    def _watch(self, hands: Finished) -> None:
        with self._in_time(f"for watching {len(hands)} hands"):
            self.seat.watch(hands)

    @contextmanager
    def _in_time(self, what_for: str) -> Iterator[None]:
        try:
            with time_limit(self.seconds):
                yield
        except TooSlow as error:
            raise AgentError(f"{error} {what_for}") from None


def limited(seat: Seat, seconds: float) -> LimitedSeat:
    """The same seat with a time limit."""
    return LimitedSeat(seat, seconds)
