"""Agents by name, with parameters, as people write them on the command line:

    always-call
    sartre-2:policy=probabilistic,cases=FOLDER
    ensemble:members=[imitator:expert=eqm;sartre-2],lead=sartre-2      lists in brackets, with semicolons
    ./mybot.py:MyBot:depth=3                                           a class or @bot of one's own

A package adds agents of its own by an entry point in the group `holdmem.agents`: the module that it names is
imported, and registers them.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from holdmem.errors import AgentError, NotationError, UnknownAgent, nearest
from holdmem.table.bot import Bot
from holdmem.table.contract import Agent
from holdmem.table.files import load_file

Class = TypeVar("Class", bound=type[Any])

_ON, _OFF = ("on", "true", "yes", "1"), ("off", "false", "no", "0")


@dataclass(frozen=True)
class Entry:
    """A registered agent: its name, the class that builds it, a line on its style and where it comes from."""

    name: str
    build: type[Any]
    style: str
    source: str


_ENTRIES: dict[str, Entry] = {}


def register(name: str, style: str, source: str = "") -> Callable[[Class], Class]:
    """Make an agent class known by name: `@register("always-call", style="never folds, never raises")`."""

    def add(build: Class) -> Class:
        known = _ENTRIES.get(name)
        if known and known.build.__qualname__ != build.__qualname__:
            raise AgentError(
                f"expected a new name, got {name!r}, which is {known.build.__qualname__} already"
            )
        _ENTRIES[name] = Entry(name, build, style, source)
        return build

    return add


@cache
def _load_plugins() -> None:
    for plugin in entry_points(group="holdmem.agents"):
        plugin.load()


def registered() -> dict[str, Entry]:
    """All agents that can be named, by name."""
    _load_plugins()
    return dict(sorted(_ENTRIES.items()))


_GIVEN: dict[str, Agent] = {}


def given_name(agent: Agent | str) -> str:
    """The text that names an agent; one that is given as a value is found by it again in this process.

    So an agent that was just written in a notebook can play, though no file has it.
    """
    if isinstance(agent, str):
        return agent
    text = name_of(agent)
    _GIVEN[text] = agent
    return text


def make_agent(text: str) -> Agent:
    """The agent that `text` names, in the grammar at the head of this module."""
    if text in _GIVEN:
        return _GIVEN[text]
    name, parameters = _split_name(text.strip())
    values = dict(_split_parameters(parameters, text))
    if ".py:" in name:
        return _make_from_file(name, values)
    entry = registered().get(name)
    if entry is None:
        raise UnknownAgent(f"expected an agent, got {name!r}; {nearest(name, list(registered()))}")
    return _build(entry.build, name, values)


def _split_name(text: str) -> tuple[str, str]:
    """Name and parameters; the name of an agent in a file is `path.py:object`."""
    path, dot_py, rest = text.partition(".py:")
    if dot_py:
        thing, _, parameters = rest.partition(":")
        return f"{path}.py:{thing}", parameters
    if text.endswith(".py"):
        raise UnknownAgent(f"expected a file and the agent in it such as {text}:MyBot, got {text!r}")
    name, _, parameters = text.partition(":")
    return name, parameters


def _split_parameters(text: str, whole: str) -> Iterator[tuple[str, str]]:
    for part in _split(text, ",", whole):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise NotationError(f"{whole}: expected parameters such as depth=3, got {part!r}")
        yield key.strip(), value.strip()


def _split(text: str, separator: str, whole: str) -> list[str]:
    """The parts of `text` between separators that stand outside all brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth < 0:
            break
        if letter == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if depth:
        raise NotationError(f"{whole}: expected every bracket to be closed, got {text!r}")
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def _make_from_file(name: str, values: dict[str, str]) -> Agent:
    path, _, thing = name.rpartition(":")
    module = load_file(path)
    agents = [key for key, value in vars(module).items() if _is_agent(value, module.__name__)]
    if thing not in agents:
        hint = nearest(thing, agents) if agents else "it has no class with sit() and no function under @bot"
        raise UnknownAgent(f"{path}: expected an agent, got {thing!r}; {hint}")
    found = getattr(module, thing)
    if isinstance(found, Bot):
        types = {key: type(default) for key, default in found.defaults.items()}
        return found.having(
            **{key: _convert(value, types.get(key, str), name) for key, value in values.items()}
        )
    return _build(found, name, values)


def _is_agent(value: object, module: str) -> bool:
    if isinstance(value, Bot):
        return True
    return isinstance(value, type) and hasattr(value, "sit") and value.__module__ == module


def _build(build: type[Any], name: str, values: dict[str, str]) -> Agent:
    """An agent class with its fields taken from text."""
    types = get_type_hints(build) if is_dataclass(build) else {}
    known = {field.name: field for field in fields(build) if field.init} if is_dataclass(build) else {}
    for key in values:
        if key not in known:
            hint = nearest(key, list(known)) if known else "it has none"
            raise UnknownAgent(f"{name}: expected one of its parameters, got {key!r}; {hint}")
    for key, field in known.items():
        if key not in values and field.default is MISSING and field.default_factory is MISSING:
            raise AgentError(f"{name}: expected its parameter {key}, got none; write {name}:{key}=…")
    agent: Agent = build(
        **{key: _convert(value, types[key], f"{name}:{key}") for key, value in values.items()}
    )
    return agent


def _convert(text: str, wanted: Any, where: str) -> Any:
    """A parameter's text as a value of the type that the field has."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        if NoneType in inner and text.lower() == "none":
            return None
        return _convert(text, next(one for one in inner if one is not NoneType), where)
    if origin is Literal:
        if text not in inner:
            raise AgentError(f"{where}: expected {' or '.join(map(str, inner))}, got {text!r}")
        return text
    if origin is tuple:
        return tuple(_convert(part, inner[0], where) for part in _split(_unbracketed(text), ";", where))
    if wanted is Agent:
        return make_agent(_unbracketed(text))
    if wanted is bool:
        if text.lower() not in _ON + _OFF:
            raise AgentError(f"{where}: expected on or off, got {text!r}")
        return text.lower() in _ON
    return _convert_plain(text, wanted, where)


def _unbracketed(text: str) -> str:
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _convert_plain(text: str, wanted: Any, where: str) -> Any:
    words = {int: "a whole number", float: "a number", str: "text", Path: "a path"}
    if wanted not in words:
        raise AgentError(f"{where}: a parameter of type {wanted} cannot be given as text, got {text!r}")
    try:
        return wanted(text)
    except ValueError:
        raise AgentError(f"{where}: expected {words[wanted]}, got {text!r}") from None


def name_of(agent: Agent) -> str:
    """The text that `make_agent` turns into this agent again; parameters at their defaults are left out."""
    if isinstance(agent, Bot):
        file, thing = agent.function.__code__.co_filename, agent.function.__qualname__
        return _joined(f"{file}:{thing}" if Path(file).is_file() else thing, dict(agent.settings))
    for entry in registered().values():
        if entry.build is type(agent):
            return _joined(entry.name, _changed(agent))
    module = type(agent).__module__
    if module.startswith("holdmem.table.files."):
        path = bytes.fromhex(module.rpartition(".")[2]).decode()
        return _joined(f"{path}:{type(agent).__qualname__}", _changed(agent))
    return f"{module}.{type(agent).__qualname__}"


def _changed(agent: Any) -> dict[str, Any]:
    if not is_dataclass(agent):
        return {}
    values = {field.name: (getattr(agent, field.name), field) for field in fields(agent) if field.init}
    return {name: value for name, (value, field) in values.items() if value != field.default}


def _joined(name: str, values: dict[str, Any]) -> str:
    if not values:
        return name
    return f"{name}:" + ",".join(f"{key}={_written(value)}" for key, value in values.items())


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "[" + ";".join(_written(one) for one in value) + "]"
    if hasattr(value, "sit"):
        text = name_of(value)
        return f"[{text}]" if "," in text else text
    return "none" if value is None else str(value)
