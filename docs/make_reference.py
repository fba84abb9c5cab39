"""Write docs/reference.md from the docstrings: python docs/make_reference.py [--check]"""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

PAGE = Path(__file__).with_name("reference.md")
PACKAGES = (
    "api", "cards", "engine", "agent", "strength", "history", "history.stats", "variance", "cbr", "cfr",
    "opponents", "players", "ev", "ev.review", "arena", "acpc", "rl", "plots", "papers", "core.errors",
)  # fmt: skip
HEAD = """# Reference

Made from the docstrings by `python docs/make_reference.py`; a test keeps it current. The first part is the
front door: what `from holdmem import …` offers. The packages follow with everything else that they export,
first `holdmem.api` with rarer verbs and the classes of results.
[ARCHITECTURE.md](../ARCHITECTURE.md) says how the packages fit together.

Examples are run by a test. They begin after `from holdmem import *`, those of a package also after
`from holdmem.PACKAGE import *`.
"""
SECTION = re.compile(r"(?m)^(Parameters|Attributes|Returns|Raises|Examples)\n-+\n")


def page() -> str:
    """The whole page."""
    holdmem = import_module("holdmem")
    parts, described = [HEAD, api(holdmem)], described_in(holdmem)
    for name in PACKAGES:
        module = import_module(f"holdmem.{name}")
        parts.append(package(module, described))
        described = described_in(module) | described
    return "\n".join(parts)


def described_in(module: ModuleType) -> dict[tuple[str, int], str]:
    """The part of the page for each public name of a module and what it stands for."""
    return {(name, id(getattr(module, name))): module.__name__ for name in exported(module)}


def exported(module: ModuleType) -> list[str]:
    """The public names of a package; of a module without a list of them, the classes that it defines."""
    own = [
        name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__
    ]
    return list(getattr(module, "__all__", [name for name in own if inspect.isclass(vars(module)[name])]))


def api(holdmem: ModuleType) -> str:
    """The public names."""
    parts = ["## holdmem\n"]
    for name in sorted(holdmem.__all__, key=str.lower):
        home = next(home for home, names in holdmem._HOMES.items() if name in names)
        module = import_module(f"holdmem.{home}")
        parts.append(f"### `holdmem.{name}`\n\n{entry(name, getattr(module, name), module)}")
    return "\n".join(parts)


def package(module: ModuleType, described: dict[tuple[str, int], str]) -> str:
    """One package: what it is for, and every public name that no earlier part describes."""
    said = first(module)
    parts = [f"## {module.__name__}\n", f"{first(module, whole=True) if said.endswith(':') else said}\n"]
    things = {name: getattr(module, name) for name in sorted(exported(module), key=str.lower)}
    homes = {name: described.get((name, id(thing))) for name, thing in things.items()}
    for home in dict.fromkeys(filter(None, homes.values())):
        names = ", ".join(f"`{name}`" for name in things if homes[name] == home)
        parts.append(f"Described under `{home}`: {names}.\n")
    for name, thing in things.items():
        if not homes[name] and not inspect.ismodule(thing):
            parts.append(f"### `{name}`\n\n{entry(name, thing, module)}")
    return "\n".join(parts)


def entry(name: str, thing: Any, module: ModuleType) -> str:
    """A function or class with its signature and docstring; of a constant what its module says of it."""
    if not (inspect.isclass(thing) or inspect.isroutine(thing)):
        return f"{constant(name, module)} ({type(thing).__name__})\n"
    parts = [f"```text\n{name}{signature(thing)}\n```", first(thing, whole=True)]
    if inspect.isclass(thing) and (listed := list(members(thing))):
        parts += ["Methods and properties:", "\n".join(listed)]
    return "\n\n".join(parts) + "\n"


def members(thing: type) -> Iterator[str]:
    """A line for each public method and property of a class that has a docstring."""
    for member, what in sorted(vars(thing).items()):
        call = inspect.unwrap(getattr(what, "func", getattr(what, "fget", getattr(what, "__func__", what))))
        if not member.startswith("_") and inspect.isfunction(call) and call.__doc__:
            shown = signature(call) if inspect.isfunction(what) or hasattr(what, "__func__") else ""
            yield f"- `{member}{shown}`: {first(call)}"


def signature(thing: Any) -> str:
    """How it is called, as its source has it: names of types as they are written."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return called(node)
    if not isinstance(node, ast.ClassDef):
        return "(…)"
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            return called(part).partition(" -> ")[0]
    fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
    return f"({', '.join(ast.unparse(part) for part in fields)})" if is_dataclass(thing) else ""


def called(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The arguments without `self`, and what comes back."""
    text = ast.unparse(node.args)
    text = re.sub(r"^(self|cls)(, (/, )?|$)", "", text)
    return f"({text})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def constant(name: str, module: ModuleType) -> str:
    """The docstring after a constant's assignment, in whichever module of the package that is."""
    for file in sorted(Path(str(module.__file__)).parent.glob("*.py")):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        for node, after in pairwise(body):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = [
                one.id
                for one in ast.walk(ast.Tuple(list(filter(None, targets))))
                if isinstance(one, ast.Name)
            ]
            if name in names and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                return " ".join(str(after.value.value).split())
    return "A constant"


def first(thing: Any, whole: bool = False) -> str:
    """The first paragraph of a docstring, or all of it."""
    text = inspect.getdoc(thing) or ""
    if not whole:
        return " ".join(text.split("\n\n")[0].split())
    head, *rest = SECTION.split(re.sub(r"\n\n(?=>>>)", "\n\nExamples\n--------\n", text, count=1))
    parts = [section(title, body) for title, body in zip(rest[::2], rest[1::2], strict=True)]
    return "\n\n".join(filter(None, [fenced(head).strip(), *parts]))


def section(title: str, body: str) -> str:
    """A section of a numpydoc docstring as a list; examples as the session that they are."""
    if title == "Examples":
        return f"Examples:\n\n```python\n{body.replace('  # doctest: +SKIP', '').strip()}\n```"
    entries = re.sub(r"\n +", " ", body.strip()).split("\n")
    rows = [re.sub(r"^(.*?) : ", r"- `\1`: ", one) for one in entries if one]
    return f"{title}:\n\n" + "\n".join(rows)


def fenced(text: str) -> str:
    """The text with its indented blocks as code."""
    return re.sub(r"(?m)^( {4}.*(?:\n {4}.*|\n(?=\n {4}))*)", lambda block: f"```text\n{block[0]}\n```", text)


def main() -> None:
    """Write the page, or say whether it is current."""
    text = page()
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.read_text(encoding="utf-8") == text else "docs/reference.md is not current")
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
