"""A guard that reports an agent that looks behind what it is given, or writes into it.

Python reports to audit hooks when code asks for stack frames or for all objects of the garbage collector.
Libraries do so for legitimate reasons, so only requests from the agent's own code count. This catches
straightforward attempts; an agent in this process that wants to hide can (docs/agents.md).
"""

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from holdmem.agent import Actions, FinishedHands, Seat, Views
from holdmem.agent.ask import watches

FORBIDDEN = frozenset(
    {
        *("sys._getframe", "sys._current_frames", "sys.settrace", "sys.setprofile"),
        *("gc.get_objects", "gc.get_referrers", "gc.get_referents"),
    }
)
FRAME_OF_TRACEBACK = "tb_frame"
HELPERS = ("inspect", "traceback")
"""Modules that make such requests on behalf of their callers."""

_LIBRARIES = (sysconfig.get_path("stdlib"), str(Path(__file__).parents[1]), "<frozen ")


class _Hook:
    """The process's only audit hook, since hooks cannot be removed; inactive unless a guard is on duty."""

    def __init__(self) -> None:
        self.guard: Guard | None = None
        self.installed = False

    def install(self) -> None:
        if not self.installed:
            sys.addaudithook(self.hear)
            self.installed = True

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        guard = self.guard
        if guard is None:
            return
        if event in FORBIDDEN or (event == "object.__getattr__" and arguments[1] == FRAME_OF_TRACEBACK):
            self.guard = None  # the guard's own requests are no offence
            guard.note(event if event in FORBIDDEN else FRAME_OF_TRACEBACK, sys._getframe(1))
            self.guard = guard


_HOOK = _Hook()


class Guard:
    """Watches one agent; `problem` describes its first offence and is empty if there was none."""

    def __init__(self, agent: Any) -> None:
        module = sys.modules.get(getattr(agent, "function", type(agent)).__module__)
        self._own = getattr(module, "__file__", None) or "<nowhere>"
        self.problem: str = ""

    @contextmanager
    def on_duty(self) -> Iterator[None]:
        """Attribute whatever runs in this context to the agent."""
        _HOOK.install()
        _HOOK.guard = self
        try:
            yield
        finally:
            _HOOK.guard = None

    def note(self, event: str, frame: FrameType | None) -> None:
        """Record a forbidden request if it comes from the agent's own code."""
        while frame is not None and frame.f_globals.get("__name__") in HELPERS:
            frame = frame.f_back
        if frame is not None and not self._is_library(frame.f_code.co_filename):
            self._complain(f"looks beyond what it is given ({event}), at {frame.f_code.co_name}()")

    def _is_library(self, file: str) -> bool:
        if file == self._own:
            return False
        return file.startswith(_LIBRARIES) or "site-packages" in file or "dist-packages" in file

    def compare(self, before: list[bytes], after: list[bytes], what: str) -> None:
        """Record an offence if the agent has modified this."""
        if before != after:
            self._complain(f"writes into {what}")

    def _complain(self, what: str) -> None:
        self.problem = self.problem or what

    def wrap(self, seat: Seat) -> Seat:
        """Wrap a seat so that this guard watches it."""
        return _WatchedWatcher(self, seat) if watches(seat) else _Watched(self, seat)


class _Watched:
    def __init__(self, guard: Guard, seat: Any) -> None:
        self.guard, self.seat = guard, seat

    def act(self, views: Views) -> Actions:
        before = _bytes(views.rows, views.table)
        with self.guard.on_duty():
            actions: Actions = self.seat.act(views)
        self.guard.compare(before, _bytes(views.rows, views.table), "its views")
        return actions


class _WatchedWatcher(_Watched):
    def watch(self, hands: FinishedHands) -> None:
        """Pass finished hands to the seat while the guard watches."""
        before = _parts(hands)
        with self.guard.on_duty():
            self.seat.watch(hands)
        self.guard.compare(before, _parts(hands), "the hands it is shown")


def _parts(hands: FinishedHands) -> list[bytes]:
    batch = hands.batch
    return _bytes(batch.hands, batch.history, batch.stacks, hands.lineup, hands.hand_ids, hands.tables)


def _bytes(*arrays: np.ndarray[Any, Any]) -> list[bytes]:
    return [array.tobytes() for array in arrays]
