"""Agents from people's own files: `./mybot.py` is the module `holdmem.table.files.<path in hex>`.

A name that holds the path can be imported in any process, so agents from files can be pickled like others.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from holdmem.errors import AgentError

__path__: list[str] = []  # makes this module a package, so that files can be modules within it


class _ByPath:
    """Finds the module whose name ends in the path of its file."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith(__name__ + "."):
            return None
        return spec_from_file_location(name, bytes.fromhex(name.rpartition(".")[2]).decode())


if not any(finder is _ByPath for finder in sys.meta_path):
    sys.meta_path.append(_ByPath)


def load_file(path: str) -> ModuleType:
    """The module in a file. An error in it is reported with its file and line."""
    found = Path(path).resolve()
    if not found.is_file():
        raise AgentError(f"expected a Python file with an agent, got {path!r}, which is no file")
    try:
        return import_module(f"{__name__}.{str(found).encode().hex()}")
    except SyntaxError as error:
        raise AgentError(f"{path}:{error.lineno}: expected Python, got a syntax error: {error.msg}") from None
    except Exception as error:
        raise AgentError(f"{path}: expected a module that can be imported, got {error!r}") from error
