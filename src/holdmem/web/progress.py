"""Telling people who wait that code is being compiled for them."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from holdmem.compiled import compilations

Tell = Callable[[dict[str, Any]], None]


class Progress:
    """Who waits for an answer, and how many kernels were compiled meanwhile.

    Kernels are compiled when they are first needed, one after another for the whole process. So everybody who
    waits is told of each, whether it is compiled for them or for somebody else.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[object, Tell] = {}
        self._compiled = 0

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Listen to the compiler while the server runs; called in its event loop."""
        self._loop = asyncio.get_running_loop()
        with compilations(self._announce):
            yield

    @contextmanager
    def waiting(self, tell: Tell | None) -> Iterator[None]:
        """Somebody waits within this context, and wants to be told or not."""
        if not self._waiting:
            self._compiled = 0
        me = object()
        self._waiting[me] = tell or _say_nothing
        try:
            yield
        finally:
            del self._waiting[me]

    def _announce(self, kernel: str) -> None:
        """Called in the thread that compiles."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has been closed
                self._loop.call_soon_threadsafe(self._tell, kernel)

    def _tell(self, kernel: str) -> None:
        self._compiled += 1
        for tell in list(self._waiting.values()):
            tell({"type": "progress", "compiled": self._compiled, "kernel": kernel})


def _say_nothing(_: dict[str, Any]) -> None:
    pass
