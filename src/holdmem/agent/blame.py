"""Locate where an agent failed: file and line, as text that can be passed back from a worker process."""

import os
import sysconfig
from functools import cache
from pathlib import Path
from traceback import FrameSummary, extract_tb

from holdmem.core.errors import HoldMemError
from holdmem.core.sources import PACKAGE

GENERATED = ("<frozen", "<string>")
"""File names of frames without a source file: the import system, generated dataclass methods."""


def describe_exception(error: BaseException) -> str:
    """Return the message of an agent's exception and the line of the agent's own code that it came from."""
    if isinstance(error, HoldMemError):  # raised by HoldMem; its message need not name the calling line
        place = error_location(error, only_own=True)
        return f"{error} (from {place})" if place else str(error)
    place = error_location(error)
    return f"raised {error!r} in {place}" if place else f"raised {error!r}"


def error_location(error: BaseException, only_own: bool = False) -> str | None:
    """Return the innermost line of code outside HoldMem and installed libraries, as `file:line (function)`.

    Without such a line, return the innermost line of all, or None if `only_own`.
    """
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename)]
    found = own or ([] if only_own else list(frames))
    return _written(found[-1]) if found else None


def _is_own(file: str) -> bool:
    return not file.startswith(GENERATED) and not any(folder in Path(file).parents for folder in _libraries())


@cache
def _libraries() -> frozenset[Path]:
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return frozenset({PACKAGE, *(Path(sysconfig.get_path(name)) for name in names)})


def _written(frame: FrameSummary) -> str:
    """Return the frame's place, its path relative to the working directory where possible."""
    path = Path(frame.filename)
    here = Path(os.curdir).resolve()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    return f"{shown}:{frame.lineno} ({frame.name})"
