"""Agents from people's own files: `./mybot.py` is the module `holdmem.table.files.<path in hex>`.

A name that holds the path can be imported in any process, so agents from files can be pickled like others.
A file that has changed since it was loaded is loaded again.
"""

import sys
from collections.abc import Sequence
from hashlib import blake2b
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from holdmem.errors import AgentError

__path__: list[str] = []  # makes this module a package, so that files can be modules within it


class _AsItIs(SourceFileLoader):
    """Compiles the file as it is now, and notes what it was.

    Python's own cache of compiled files knows a file by its size and second: it takes a quick edit for none.
    """

    def exec_module(self, module: ModuleType) -> None:
        source = self.get_data(self.path)
        module.__dict__["__source_hash__"] = _hash(source)
        exec(self.source_to_code(source, self.path), module.__dict__)


class _ByPath:
    """Finds the module whose name ends in the path of its file."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith(__name__ + "."):
            return None
        place = bytes.fromhex(name.rpartition(".")[2]).decode()
        return spec_from_file_location(name, place, loader=_AsItIs(name, place))


def _hash(source: bytes) -> str:
    return blake2b(source, digest_size=16).hexdigest()


if not any(finder is _ByPath for finder in sys.meta_path):
    sys.meta_path.append(_ByPath)


def load_file(path: str) -> ModuleType:
    """The module in a file. An error in it is reported with its file and line."""
    found = Path(path).resolve()
    if not found.is_file():
        raise AgentError(f"expected a Python file with an agent, got {path!r}, which is no file")
    name = f"{__name__}.{str(found).encode().hex()}"
    known = sys.modules.get(name)
    if known is not None and source_hash(known) != _hash(found.read_bytes()):
        del sys.modules[name]
    try:
        return import_module(name)
    except SyntaxError as error:
        raise AgentError(f"{path}:{error.lineno}: expected Python, got a syntax error: {error.msg}") from None
    except Exception as error:
        raise AgentError(f"{path}: expected a module that can be imported, got {error!r}") from error


def source_hash(module: ModuleType) -> str | None:
    """A hash of the file as it was when this module was loaded from it; None for other modules."""
    found: str | None = vars(module).get("__source_hash__")
    return found
