"""Agents from users' own files: `./mybot.py` is the module `holdmem.agent.agent_files.<path in hex>`.

A module name that holds the path can be imported in any process, so agents from files can be pickled like any
others. A file that has changed since it was loaded is reloaded, as is a file whose imports from its own
folder have changed.
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

from holdmem.core.errors import AgentError

FILES = __name__
__path__: list[str] = []  # makes this module a package, so that files can be modules within it


_LOADING = threading.RLock()
"""Held while a file is loaded.

Python lists a module before its code has run; a second thread that found it in that state would conclude that
its file has changed.
"""

_BESIDE: dict[Path, str] = {}
"""Hashes, at load time, of the files that agents' files have imported from their own folders."""


class _AsItIs(SourceFileLoader):
    """Loader that compiles the current contents of the file and records their hash.

    Python's own bytecode cache identifies a file by its size and modification time in seconds, so it can miss
    a quick edit.
    """

    def exec_module(self, module: ModuleType) -> None:
        source = self.get_data(self.path)
        module.__dict__["__source_hash__"] = _hash(source)
        exec(self.source_to_code(source, self.path), module.__dict__)
        module.__dict__["__beside__"] = sibling_imports(module)
        for file in sibling_imports(module):
            _BESIDE.setdefault(file, _hash(file.read_bytes()))


class _ByPath:
    """Finder for modules whose names end in the path of their file."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith(f"{FILES}."):
            return None
        path = path_of(name)
        folder = str(Path(path).parent)
        if folder not in sys.path:  # a file may import its neighbours, as when Python runs it
            sys.path.append(folder)
        return spec_from_file_location(name, path, loader=_AsItIs(name, path))


def _hash(source: bytes) -> str:
    return blake2b(source, digest_size=16).hexdigest()


if not any(finder is _ByPath for finder in sys.meta_path):
    sys.meta_path.append(_ByPath)


def path_of(module: str) -> str:
    """Return the path of the file from which a module of this name is made."""
    return bytes.fromhex(module.rpartition(".")[2]).decode()


def sibling_imports(module: ModuleType) -> list[Path]:
    """Return the files in a module's folder, or below it, from which it has imported something.

    Imports are followed transitively.
    """
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
    """Whether a module belongs to HoldMem, whose source is not tracked here.

    This matters for an agent's file in a folder above HoldMem's source.
    """
    return module is not None and module.__name__.partition(".")[0] == "holdmem"


def _forget_what_has_changed() -> None:
    """Unload changed files that agents' files have imported, and the modules that imported them."""
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
    """Import the module in a file. An error in it is reported with its file and line."""
    found = Path(path).resolve()
    if not found.is_file():
        raise AgentError(f"{path} is not a file; expected a Python file with an agent")
    try:
        with _LOADING:
            return _as_it_is(found)
    except SyntaxError as error:
        where = path if error.filename == str(found) else error.filename
        raise AgentError(f"{where}:{error.lineno}: syntax error: {error.msg}") from None
    except Exception as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(found)]
        where = f"{path}:{lines[-1]}" if lines else path
        raise AgentError(f"{where}: cannot be imported: {error!r}") from error


def _as_it_is(path: Path) -> ModuleType:
    """Return the module in a file, reloaded if the file has changed."""
    _forget_what_has_changed()
    name = f"{FILES}.{str(path).encode().hex()}"
    known = sys.modules.get(name)
    if known is not None and vars(known).get("__source_hash__") != _hash(path.read_bytes()):
        del sys.modules[name]
    return import_module(name)


def source_hash(module: ModuleType) -> str | None:
    """Return a hash of the file from which a module was loaded and of its imports from the same folder.

    The hash describes the files as they were when loaded. None for other modules.
    """
    own: str | None = vars(module).get("__source_hash__")
    if own is None:
        return None
    others = [_BESIDE[file] for file in vars(module)["__beside__"]]
    return _hash("".join([own, *others]).encode())
