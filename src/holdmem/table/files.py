"""Agents from people's own files: `./mybot.py` is the module `holdmem.table.files.<path in hex>`.

A name that holds the path can be imported in any process, so agents from files can be pickled like others.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import CodeType, ModuleType
from typing import Any

from holdmem.errors import AgentError

FILES = __name__
__path__: list[str] = []  # makes this module a package, so that files can be modules within it


class _Fresh(SourceFileLoader):
    """Reads the source each time: a stored .pyc misses an edit within a second that keeps the size."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


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
        return spec_from_file_location(name, path, loader=_Fresh(name, path))


if not any(finder is _ByPath for finder in sys.meta_path):
    sys.meta_path.append(_ByPath)


def path_of(module: str) -> str:
    """The path of the file that a module of this name is made from."""
    return bytes.fromhex(module.rpartition(".")[2]).decode()


def beside(path: str) -> list[Path]:
    """A loaded file and all loaded modules from its folder and below: what an agent in it is made of."""
    folder, libraries = Path(path).parent, Path(sys.prefix)
    loaded = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    files = {Path(file) for file in loaded if file}
    near = {file for file in files if file.is_relative_to(folder) and not file.is_relative_to(libraries)}
    return sorted({Path(path), *near})


def load_file(path: str) -> ModuleType:
    """The module in a file. An error in it is reported with its file and line."""
    found = Path(path).resolve()
    if not found.is_file():
        raise AgentError(f"expected a Python file with an agent, got {path!r}, which is no file")
    try:
        return import_module(f"{FILES}.{str(found).encode().hex()}")
    except SyntaxError as error:
        where = path if error.filename == str(found) else error.filename
        raise AgentError(
            f"{where}:{error.lineno}: expected Python, got a syntax error: {error.msg}"
        ) from None
    except Exception as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(found)]
        where = f"{path}:{lines[-1]}" if lines else path
        raise AgentError(f"{where}: expected a module that can be imported, got {error!r}") from error
