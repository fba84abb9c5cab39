"""A time limit for agents, which works in any thread of any process as long as the agent runs Python."""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from holdmem.table import Actions, Seat, Views


class TooSlow(Exception):
    """Raised inside an agent that has used up its time."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow here if the block takes longer. Compiled code is stopped only when it returns."""
    thread = threading.get_ident()
    done = threading.Event()

    def watch() -> None:
        if not done.wait(seconds):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooSlow))

    watchdog = threading.Thread(target=watch, daemon=True)
    watchdog.start()
    try:
        yield
    finally:
        done.set()
        watchdog.join()


class LimitedSeat:
    """A seat whose every answer has a time limit; its other abilities are those of the seat within."""

    def __init__(self, seat: Seat, seconds: float) -> None:
        self.seat = seat
        self.seconds = seconds
        for ability in ("policy", "watch", "explain"):
            if hasattr(seat, ability):
                setattr(self, ability, getattr(seat, ability))

    def act(self, views: Views) -> Actions:
        """One decision for each view, in time."""
        try:
            with time_limit(self.seconds):
                return self.seat.act(views)
        except TooSlow:
            raise TooSlow(f"took longer than {self.seconds} s for {len(views)} decisions") from None


def limited(seat: Seat, seconds: float) -> LimitedSeat:
    """The same seat with a time limit."""
    return LimitedSeat(seat, seconds)
