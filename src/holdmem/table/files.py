"""Agents from people's own files: `./mybot.py` is the module `holdmem.table.files.<path in hex>`.

A name that holds the path can be imported in any process, so agents from files can be pickled like others.
A file that has changed since it was loaded, or that imports one from beside it that has, is loaded again.
"""

import sys
import threading
from collections.abc import Sequence
from hashlib import blake2b
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from holdmem.errors import AgentError

FILES = __name__
__path__: list[str] = []  # makes this module a package, so that files can be modules within it


_LOADING = threading.RLock()
"""Held while a file is loaded: Python lists a module before its code has run, and a second thread that found
it so would take it for one whose file has changed."""

_BESIDE: dict[Path, str] = {}
"""What agents' files have imported from beside them: hashes of these files when they were loaded."""


class _AsItIs(SourceFileLoader):
    """Compiles the file as it is now, and notes what it was.

    Python's own cache of compiled files knows a file by its size and second: it takes a quick edit for none.
    """

    def exec_module(self, module: ModuleType) -> None:
        source = self.get_data(self.path)
        module.__dict__["__source_hash__"] = _hash(source)
        exec(self.source_to_code(source, self.path), module.__dict__)
        module.__dict__["__beside__"] = imported_from_beside(module)
        for file in imported_from_beside(module):
            _BESIDE.setdefault(file, _hash(file.read_bytes()))


class _ByPath:
    """Finds the module whose name ends in the path of its file."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith(f"{FILES}."):
            return None
        path = path_of(name)
        folder = str(Path(path).parent)
        if folder not in sys.path:  # a file may import what lies beside it, as when Python runs it
            sys.path.append(folder)
        return spec_from_file_location(name, path, loader=_AsItIs(name, path))


def _hash(source: bytes) -> str:
    return blake2b(source, digest_size=16).hexdigest()


if not any(finder is _ByPath for finder in sys.meta_path):
    sys.meta_path.append(_ByPath)


def path_of(module: str) -> str:
    """The path of the file that a module of this name is made from."""
    return bytes.fromhex(module.rpartition(".")[2]).decode()


def imported_from_beside(module: ModuleType) -> list[Path]:
    """The files in the folder of a module, or below it, that it has imported something from."""
    folder, libraries = Path(str(module.__file__)).parent, Path(sys.prefix)
    found, todo = {}, [module]
    while todo:
        for value in list(vars(todo.pop()).values()):
            name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            other = sys.modules.get(name) if isinstance(name, str) else None
            file = Path(getattr(other, "__file__", None) or "/")
            near = file.is_relative_to(folder) and not file.is_relative_to(libraries) and not _is_ours(other)
            if other is not None and other is not module and near and file not in found:
                found[file] = other
                todo.append(other)
    return sorted(found)


def _is_ours(module: ModuleType | None) -> bool:
    """Our own source counts by itself, even for a file that lies above it."""
    return module is not None and module.__name__.partition(".")[0] == "holdmem"


def _forget_what_has_changed() -> None:
    """Files from beside that have changed are to be imported again, and so is whatever imported them."""
    changed = {file for file, was in _BESIDE.items() if not file.is_file() or _hash(file.read_bytes()) != was}
    if not changed:
        return
    for name, module in list(sys.modules.items()):
        if changed.intersection(vars(module).get("__beside__", ())):
            changed.update(vars(module)["__beside__"])
            del sys.modules[name]
    for name, module in list(sys.modules.items()):
        if Path(getattr(module, "__file__", None) or "/") in changed:
            del sys.modules[name]
    for file in changed:
        _BESIDE.pop(file, None)
    invalidate_caches()


def load_file(path: str) -> ModuleType:
    """The module in a file. An error in it is reported with its file and line."""
    found = Path(path).resolve()
    if not found.is_file():
        raise AgentError(f"expected a Python file with an agent, got {path!r}, which is no file")
    try:
        with _LOADING:
            return _as_it_is(found)
    except SyntaxError as error:
        where = path if error.filename == str(found) else error.filename
        raise AgentError(
            f"{where}:{error.lineno}: expected Python, got a syntax error: {error.msg}"
        ) from None
    except Exception as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(found)]
        where = f"{path}:{lines[-1]}" if lines else path
        raise AgentError(f"{where}: expected a module that can be imported, got {error!r}") from error


def _as_it_is(path: Path) -> ModuleType:
    """The module in a file, loaded again if the file has changed."""
    _forget_what_has_changed()
    name = f"{FILES}.{str(path).encode().hex()}"
    known = sys.modules.get(name)
    if known is not None and vars(known).get("__source_hash__") != _hash(path.read_bytes()):
        del sys.modules[name]
    return import_module(name)


def source_hash(module: ModuleType) -> str | None:
    """A hash of the file as it was when this module was loaded from it, and of what it has imported from
    its folder; None for other modules."""
    own: str | None = vars(module).get("__source_hash__")
    if own is None:
        return None
    others = [_BESIDE[file] for file in vars(module)["__beside__"]]
    return _hash("".join([own, *others]).encode())
