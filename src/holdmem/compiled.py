"""The one door to numba: `@kernel` compiles a plain Python function, once per machine.

numba keeps compiled code on disk, but it looks only at the file of the function itself: after a change in a
callee of another file it would go on serving the old code. So the folder of our cache is named by a hash of
every file of the package (but `DATA`), of the versions of numba and llvmlite and of numba's settings; one
changed byte means another folder. Kernels defined outside the package are never kept on disk.

Run with `NUMBA_DISABLE_JIT=1` and every kernel is an ordinary Python function, for a debugger.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from getpass import getuser
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import platformdirs
from numba.core import config, event
from numba.core.caching import FunctionCache

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent
DATA = PACKAGE / "data"
"""Large tables. They are given to kernels as arguments and never compiled into them, so that compiled code
does not depend on them: they are left out of the fingerprint, which would read them all at every start."""
KEPT_CACHES = 5

KERNELS: list[str] = []
"""Names of all kernels defined so far, for showing how far a first compilation has come."""


def fingerprint() -> str:
    """A hash of everything that compiled code depends on, as the files are now."""
    digest = hashlib.blake2b(digest_size=16)
    settings = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    settings.pop("NUMBA_CACHE_DIR", None)
    settings.pop("NUMBA_NUM_THREADS", None)
    versions = (numba.__version__, llvmlite.__version__, sys.version_info[:3])
    digest.update(repr((versions, sorted(settings.items()))).encode())
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and DATA not in path.parents:
            digest.update(f"{path.relative_to(PACKAGE)}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


FINGERPRINT = fingerprint()


def cache_root() -> Path:
    """Where caches live: `HOLDMEM_CACHE` if set, else the user's cache folder, else a temporary one."""
    chosen = os.environ.get("HOLDMEM_CACHE") or platformdirs.user_cache_dir("holdmem", appauthor=False)
    try:
        Path(chosen).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=chosen).close()
    except OSError:
        chosen = str(Path(tempfile.gettempdir()) / f"holdmem-{getuser()}")
    return Path(chosen)


@cache
def kernel_cache() -> Path:
    """The folder of compiled code for exactly these sources; older ones beyond a few are removed."""
    folder = cache_root() / "kernels" / FINGERPRINT
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    others = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in others[KEPT_CACHES:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


class _SourceCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, except that nothing is stored once the sources differ from those at the start."""

    def save_overload(self, sig: Any, data: Any) -> None:
        if fingerprint() == FINGERPRINT:
            super().save_overload(sig, data)


def kernel(function: Function) -> Function:
    """Compile `function` on its first call, or load it if this very code was compiled here before."""
    KERNELS.append(_name(function))
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    inside = PACKAGE in Path(function.__code__.co_filename).parents
    if inside and not config.DISABLE_JIT:
        with _cache_dir(kernel_cache()):
            compiled._cache = _SourceCache(function)
    return compiled  # type: ignore[no-any-return]


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__.removeprefix('holdmem.')}.{function.__name__}"


@contextmanager
def _cache_dir(folder: Path) -> Iterator[None]:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _Compilations(event.Listener):  # type: ignore[misc]
    """Hears of every kernel that numba compiles (not of those it loads) and tells `announce`."""

    def __init__(self, announce: Callable[[str], None]) -> None:
        self.announce = announce

    def on_start(self, happened: Any) -> None:
        function = happened.data["dispatcher"].py_func
        if function.__module__.startswith("holdmem."):
            self.announce(_name(function))

    def on_end(self, happened: Any) -> None:
        pass


def _say_once(name: str) -> None:
    print("HoldMem compiles its kernels for this machine; this happens once.", file=sys.stderr, flush=True)
    _listener.announce = _say_nothing


def _say_nothing(name: str) -> None:
    pass


_listener = _Compilations(_say_once)
event.register("numba:compile", _listener)


@contextmanager
def compilations(announce: Callable[[str], None]) -> Iterator[None]:
    """Within this context `announce(name)` is called before a kernel is compiled, instead of the one line."""
    before = _listener.announce
    _listener.announce = announce
    try:
        yield
    finally:
        _listener.announce = before
