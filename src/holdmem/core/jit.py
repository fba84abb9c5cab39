"""The only use of numba: `@kernel` compiles a plain Python function, once per machine.

numba caches compiled code on disk, but checks only the file of the function itself: after a change to a
callee in another file it would keep using the old code. So each part of the package (`rules`, `strength`) has
its own cache folder, named by a hash of every file of that part and of the parts that it imports, directly or
not (except `DATA`), of the versions of numba and llvmlite and of numba's settings. One changed byte means
another folder, while a change in `cli` leaves the engine compiled. Kernels defined outside the package are
never cached on disk.

Loading compiled code runs it, so it is loaded only from folders that no other user can write to, and only if
it has the digest that it was stored with; anything else is compiled again.

With `NUMBA_DISABLE_JIT=1` every kernel is an ordinary Python function, for use in a debugger.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from glob import escape
from pathlib import Path
from threading import RLock, get_ident
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

import llvmlite
import numba
from numba.core import config, event
from numba.core.caching import FunctionCache, IndexDataCacheFile

from holdmem.core.cache_folder import say, trusted_folder
from holdmem.core.sources import PACKAGE, part_of, source_hash, sources_of, stamp

Function = TypeVar("Function", bound=Callable[..., Any])

KEPT_CACHES = 5

KERNELS: list[str] = []
"""Names of all kernels defined so far, to show the progress of a first compilation."""


def fingerprint(part: str) -> str:
    """Return a hash of all that compiled code of this part depends on: sources, numba and its settings."""
    settings = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    settings.pop("NUMBA_CACHE_DIR", None)
    settings.pop("NUMBA_NUM_THREADS", None)
    versions = (numba.__version__, llvmlite.__version__, sys.version_info[:3])
    everything = (versions, sorted(settings.items()), source_hash(sources_of(part)))
    return hashlib.blake2b(repr(everything).encode(), digest_size=16).hexdigest()


STAMP = stamp()


def _as_at_start() -> bool:
    """Whether the sources are unchanged since the start, so that fingerprints taken since then are valid."""
    try:
        return stamp() == STAMP
    except OSError:  # a file disappeared while we looked: it is being edited
        return False


@cache
def kernel_cache(part: str) -> Path:
    """Return the folder of compiled code for exactly these sources; remove all but a few older ones."""
    folder = trusted_folder("kernels", f"{part}-{fingerprint(part)}")
    os.utime(folder)
    for old in sorted(folder.parent.glob(f"{part}-*"), key=_last_used, reverse=True)[KEPT_CACHES:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def _last_used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:  # another process has just removed it
        return 0.0


@dataclass
class CompileTime:
    """Time that a thread has spent on compiling and loading kernels."""

    seconds: float = 0.0
    depth: int = 0
    since: float = 0.0

    @property
    def under_way(self) -> bool:
        """Whether the thread is doing so now; interrupting it would leave numba in an inconsistent state."""
        return self.depth > 0


_PREPARATIONS: dict[int, CompileTime] = {}


def preparation(thread: int) -> CompileTime:
    """Return the time that a thread has spent on preparing kernels, and whether it is doing so now."""
    return _PREPARATIONS.setdefault(thread, CompileTime())


def _begin() -> None:
    mine = preparation(get_ident())
    if not mine.depth:
        mine.since = monotonic()
    mine.depth += 1


def _end() -> None:
    mine = preparation(get_ident())
    mine.depth -= 1
    if not mine.depth:
        mine.seconds += monotonic() - mine.since


@contextmanager
def _preparing() -> Iterator[None]:
    _begin()
    try:
        yield
    finally:
        _end()


class _Damaged(Exception):
    """A file of compiled code differs from what was stored."""


class _CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """numba's files of compiled code, each followed by a digest that is checked before loading."""

    def _dump(self, obj: Any) -> bytes:
        stored: bytes = super()._dump(obj)
        return stored + _digest(stored)  # readers of the code stop at its end, before the digest

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        if _digest(content[:-DIGEST]) != content[-DIGEST:]:
            raise _Damaged
        return super()._load_data(name)


DIGEST = 16


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()


class _SourceCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, except that nothing is loaded or stored once the sources have changed.

    Damaged files are removed and recompiled. If nothing can be stored, code is compiled per process.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file.__class__ = _CheckedFile

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not _as_at_start():
            return None
        try:
            with _preparing():
                return super().load_overload(sig, target_context)
        except Exception:  # whatever unpickling half a file leads to
            self._remove()
            say("removed damaged compiled code; compiling it again")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        # numba numbers the files of a kernel's overloads. Two processes that save at the same time would take
        # the same number, and the index of one would lead to the code of the other.
        self._cache_file._data_name_pattern = f"{self._impl.filename_base}.{uuid4().hex}.{{number}}.nbc"
        if not _as_at_start():
            return
        try:
            with _preparing():
                super().save_overload(sig, data)
        except OSError as error:
            say(f"cannot store compiled code in {self._cache_path}: {error.strerror or error}")

    def _remove(self) -> None:
        """Remove the index of this kernel and all its overloads."""
        for file in Path(self._cache_path).glob(f"{escape(self._impl.filename_base)}.*"):
            file.unlink(missing_ok=True)


def kernel(function: Function) -> Function:
    """Compile `function` on its first call, or load it if the same code was compiled here before."""
    KERNELS.append(_name(function))
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    if _inside(function) and not config.DISABLE_JIT:
        with _cache_dir(kernel_cache(part_of(Path(function.__code__.co_filename)))):
            compiled._cache = _SourceCache(function)
    return compiled  # type: ignore[no-any-return]


def _inside(function: Callable[..., Any]) -> bool:
    return PACKAGE in Path(function.__code__.co_filename).parents


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__.removeprefix('holdmem.')}.{function.__name__}"


_CHOOSING_A_FOLDER = RLock()


@contextmanager
def _cache_dir(folder: Path) -> Iterator[None]:
    # The setting is per process: threads that import at the same time would misplace each other's kernels.
    with _CHOOSING_A_FOLDER:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            config.CACHE_DIR = before


class _Listener(event.Listener):  # type: ignore[misc]
    """Calls `announce` for every HoldMem kernel that numba compiles, but not for those it loads."""

    def __init__(self, announce: Callable[[str], None]) -> None:
        self.announce = announce

    def on_start(self, happened: Any) -> None:
        function = happened.data["dispatcher"].py_func
        if _inside(function):
            self.announce(_name(function))

    def on_end(self, happened: Any) -> None:
        pass


class _TimedListener(_Listener):
    """Also counts the time of compilation, which no agent has to answer for."""

    def on_start(self, happened: Any) -> None:
        _begin()
        super().on_start(happened)

    def on_end(self, happened: Any) -> None:
        _end()


def _say_once(name: str) -> None:
    print(
        "HoldMem is compiling code for this machine; `holdmem compile` does so for all commands at once.",
        file=sys.stderr,
        flush=True,
    )
    _listener.announce = _say_nothing


def _say_nothing(name: str) -> None:
    pass


_listener = _TimedListener(_say_once)
event.register("numba:compile", _listener)


@contextmanager
def compilations(announce: Callable[[str], None]) -> Iterator[None]:
    """Within this context, call `announce(name)` before each compilation instead of printing a line once."""
    before = _listener.announce
    _listener.announce = announce
    try:
        yield
    finally:
        _listener.announce = before


@contextmanager
def every_compilation(tell: Callable[[str], None]) -> Iterator[None]:
    """Within this context, call `tell(name)` before each compilation, in addition to `announce`."""
    listener = _Listener(tell)
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
