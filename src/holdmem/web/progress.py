"""Reports to waiting clients on the compilation of kernels."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from holdmem.core.jit import compilations

MessageCallback = Callable[[dict[str, Any]], None]


class CompileNotifier:
    """The clients that wait for an answer, and the number of kernels compiled in the meantime.

    Kernels are compiled on first use, one at a time for the whole process. So every waiting client receives a
    report on each kernel, no matter for whom it is compiled.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[object, MessageCallback] = {}
        self._compiled = 0

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Receive compilation events while the server runs; enter this in its event loop."""
        self._loop = asyncio.get_running_loop()
        with compilations(self._announce):
            yield

    @contextmanager
    def waiting(self, tell: MessageCallback | None) -> Iterator[None]:
        """Count a client as waiting within this context; `tell` receives the reports, None ignores them."""
        if not self._waiting:
            self._compiled = 0
        me = object()
        self._waiting[me] = tell or _say_nothing
        try:
            yield
        finally:
            del self._waiting[me]

    def _announce(self, kernel: str) -> None:
        """Pass an event to the event loop; called in the compiling thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has been closed
                self._loop.call_soon_threadsafe(self._tell, kernel)

    def _tell(self, kernel: str) -> None:
        self._compiled += 1
        for tell in list(self._waiting.values()):
            tell({"type": "progress", "compiled": self._compiled, "kernel": kernel})


def _say_nothing(_: dict[str, Any]) -> None:
    pass
