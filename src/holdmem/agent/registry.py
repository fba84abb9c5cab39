"""Agents by name, with parameters, as written on the command line:

    always-call
    sartre-2:policy=probabilistic,cases=FOLDER
    ensemble:members=[imitator:expert=eqm;sartre-2],lead=sartre-2      lists in brackets, with semicolons
    sartre-2:cases=[FOLDER, with a comma]                              text with separators, in brackets
    ./mybot.py:MyBot:depth=3                                           a class or @bot in your own file

A package adds its own agents with an entry point in the group `holdmem.agents`: the named module is imported
and registers them.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from holdmem.agent.agent_files import FILES, load_file, path_of
from holdmem.agent.blame import describe_exception
from holdmem.agent.bot import Bot
from holdmem.agent.contract import Agent
from holdmem.core.errors import AgentError, HoldMemError, NotationError, UnknownAgent, nearest

Class = TypeVar("Class", bound=type[Any])

_FILE = re.compile(r"(?:\w:(?=[\\/]))?[^:]*\.py(?=:|$)")
"""A path at the start of a text, up to the first colon that is not part of a drive letter."""

_ON, _OFF = ("on", "true", "yes", "1"), ("off", "false", "no", "0")


@dataclass(frozen=True)
class Entry:
    """A registered agent: its name, the class that builds it, a line on its style, and its source.

    `preset` has the parameters that the name stands for; they cannot be given in a text.
    """

    name: str
    build: type[Any]
    style: str
    source: str
    preset: Mapping[str, Any] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Field[Any]]:
        """The parameters that a text may give."""
        return {key: value for key, value in _fields(self.build).items() if key not in self.preset}


_ENTRIES: dict[str, Entry] = {}


def register(
    name: str, style: str, source: str = "", preset: Mapping[str, Any] | None = None
) -> Callable[[Class], Class]:
    """Register an agent class by a name, for `make_agent` and the command line.

    Parameters
    ----------
    name : the name.
    style : one line on how the agent plays, for lists of agents.
    source : the publication that describes the agent, if there is one.
    preset : parameters that this name stands for, if the class has several names.

    Returns
    -------
    decorator : registers the class and returns it unchanged.

    Raises
    ------
    AgentError : another class has this name.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @register("my-caller", style="never folds, never raises")
    ... @dataclass(frozen=True)
    ... class MyCaller:
    ...     def sit(self, game, tables, rng):
    ...         return self
    >>> make_agent("my-caller")
    MyCaller()
    """

    def add(build: Class) -> Class:
        known = _ENTRIES.get(name)
        if known and _full_name(known.build) != _full_name(build):
            raise AgentError(f"the name {name!r} is already taken by {_full_name(known.build)}")
        _ENTRIES[name] = Entry(name, build, style, source, preset or {})
        return build

    return add


def _full_name(build: type[Any]) -> str:
    # All files count as one module, so that two versions of a file, which register the same name, may play
    # each other.
    return f"{FILES if _is_in_file(build) else build.__module__}.{build.__qualname__}"


def _is_in_file(build: type[Any]) -> bool:
    return build.__module__.startswith(f"{FILES}.")


@cache
def _load_plugins() -> None:
    for plugin in entry_points(group="holdmem.agents"):
        try:
            plugin.load()
        except Exception as error:
            raise AgentError(f"{plugin.value}: cannot load this module of agents: {error!r}") from error


def registered() -> dict[str, Entry]:
    """Return all registered agents, keyed and sorted by name."""
    _load_plugins()
    return dict(sorted(_ENTRIES.items()))


_GIVEN: dict[str, Agent] = {}


def given_name(agent: Agent | str) -> str:
    """Return the text that names an agent. An agent object is remembered under its name in this process.

    This lets an agent that was just defined in a notebook play, although it is in no file.
    """
    if isinstance(agent, str):
        return agent
    text = name_of(as_agent(agent))
    _GIVEN[text] = agent
    return text


def as_agent(agent: Agent | str) -> Agent:
    """Return an agent given as such, or the one that a text names."""
    if isinstance(agent, str):
        return make_agent(agent)
    if isinstance(agent, type) and hasattr(agent, "sit"):
        raise AgentError(f"expected an agent, got its class: write {agent.__name__}() instead")
    if not hasattr(agent, "sit"):
        raise AgentError(f"expected an agent or its name, got {agent!r:.60}")
    return agent


def exists_elsewhere(text: str) -> bool:
    """Return whether another process can build the agent of this name from the text alone."""
    if text not in _GIVEN or _FILE.match(text):
        return True
    try:
        _make(text)
    except HoldMemError:
        return False
    return True


def make_agent(text: str) -> Agent:
    """Return the agent that a text names.

    Parameters
    ----------
    text : a registered name, with parameters after a colon ("sartre-2:policy=probabilistic"), or a class or
        `@bot` in a file ("./mybot.py:MyBot:depth=3"). `holdmem agents` lists all names.

    Returns
    -------
    Agent : the agent, a value; `agent.sit(game, tables, rng)` seats it.

    Raises
    ------
    UnknownAgent : no agent or parameter has this name; the message suggests similar ones.
    AgentError : a parameter has the wrong type or is missing.

    Examples
    --------
    >>> make_agent("sartre-2:policy=probabilistic").policy
    'probabilistic'
    """
    return _GIVEN[text] if text in _GIVEN else _make(text)


def _make(text: str) -> Agent:
    name, parameters = _split_name(text.strip())
    values = _split_parameters(parameters, text)
    if ".py:" in name:
        return _make_from_file(name, values)
    entry = registered().get(name)
    if entry is None:
        raise UnknownAgent(f"unknown agent {name!r}; {nearest(name, list(registered()))}")
    return _build(entry, values)


def _split_name(text: str) -> tuple[str, str]:
    """Split text into name and parameters; the name of an agent in a file is `path.py:object`."""
    file = _FILE.match(text)
    if file and file.end() == len(text):
        raise UnknownAgent(f"{text}: name the agent in this file as well, such as {text}:MyBot")
    start = file.end() + 1 if file else 0
    thing, _, parameters = text[start:].partition(":")
    return text[:start] + thing, parameters


def _split_parameters(text: str, whole: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in _split(text, ",", whole):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key:
            raise NotationError(f"{whole}: expected parameters such as depth=3, got {part!r}")
        if key in values:
            raise NotationError(f"{whole}: parameter {key} is given twice")
        values[key] = value
    return values


def _split(text: str, separator: str, whole: str) -> list[str]:
    """Split `text` at the separators that stand outside all brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth < 0:
            break
        if letter == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if depth:
        raise NotationError(f"{whole}: unbalanced brackets in {text!r}")
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def _make_from_file(name: str, values: dict[str, str]) -> Agent:
    path, _, thing = name.rpartition(":")
    module = load_file(path)
    agents = [key for key, value in vars(module).items() if _is_agent(value, module.__name__)]
    if thing not in agents:
        hint = nearest(thing, agents) if agents else "it has no class with sit() and no @bot function"
        raise UnknownAgent(f"{path}: no agent is called {thing!r}; {hint}")
    found = getattr(module, thing)
    if isinstance(found, Bot):
        types = {
            key: Path if isinstance(default, Path) else type(default)
            for key, default in found.defaults.items()
        }
        return found.with_params(
            **{key: _convert(value, types.get(key, str), name) for key, value in values.items()}
        )
    return _build(Entry(name, found, style="", source=""), values)


def _is_agent(value: object, module: str) -> bool:
    if isinstance(value, Bot):
        return True
    return isinstance(value, type) and hasattr(value, "sit") and value.__module__ == module


def _build(entry: Entry, values: dict[str, str]) -> Agent:
    """Construct an agent, converting its parameters from text."""
    name, known = entry.name, entry.parameters
    types = get_type_hints(entry.build) if known else {}
    for key in values:
        if key not in known:
            hint = nearest(key, list(known)) if known else "it takes none"
            raise UnknownAgent(f"{name}: unknown parameter {key!r}; {hint}")
    for key, one in known.items():
        if key not in values and one.default is MISSING and one.default_factory is MISSING:
            raise AgentError(f"{name}: parameter {key} is missing; write {name}:{key}=…")
    chosen = {key: _convert(value, types[key], f"{name}:{key}") for key, value in values.items()}
    try:
        agent: Agent = entry.build(**entry.preset, **chosen)
    except HoldMemError:
        raise
    except Exception as error:
        raise AgentError(f"{name}: {describe_exception(error)} when it was built") from error
    return agent


def _fields(build: type[Any]) -> dict[str, Field[Any]]:
    return {one.name: one for one in fields(build) if one.init} if is_dataclass(build) else {}


def _convert(text: str, wanted: Any, where: str) -> Any:
    """Convert a parameter's text to the type of its field."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        if NoneType in inner and text.lower() == "none":
            return None
        return _convert(text, next(one for one in inner if one is not NoneType), where)
    if origin is Literal:
        choices = {str(choice): choice for choice in inner}
        if text not in choices:
            raise AgentError(f"{where}: expected {' or '.join(choices)}, got {text!r}")
        return choices[text]
    if origin is tuple:
        return _convert_list(_split(_unbracketed(text), ";", where), inner, where)
    if wanted is Agent:
        return make_agent(_unbracketed(text))
    if wanted is bool:
        if text.lower() not in _ON + _OFF:
            raise AgentError(f"{where}: expected on or off, got {text!r}")
        return text.lower() in _ON
    return _convert_plain(text, wanted, where)


def _convert_list(parts: list[str], types: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    if types[-1] is ...:
        types = types[:1] * len(parts)
    if len(parts) != len(types):
        raise AgentError(
            f"{where}: expected a list of {len(types)} items, got {len(parts)}: {'; '.join(parts)}"
        )
    return tuple(_convert(part, wanted, where) for part, wanted in zip(parts, types, strict=True))


def _unbracketed(text: str) -> str:
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _convert_plain(text: str, wanted: Any, where: str) -> Any:
    words = {int: "a whole number", float: "a number", str: "text", Path: "a path"}
    if wanted not in words:
        raise AgentError(f"{where}: a parameter of type {wanted} cannot be given as text, got {text!r}")
    try:
        return wanted(_unbracketed(text) if wanted in (str, Path) else text)
    except ValueError:
        raise AgentError(f"{where}: expected {words[wanted]}, got {text!r}") from None


def name_of(agent: Agent) -> str:
    """Return the text from which `make_agent` rebuilds this agent, without parameters at their defaults."""
    if isinstance(agent, Bot):
        file, thing = agent.function.__code__.co_filename, agent.function.__qualname__
        return _joined(f"{file}:{thing}" if Path(file).is_file() else thing, dict(agent.settings))
    if _is_in_file(type(agent)):  # a name that the file registers is known only where it is loaded
        path = path_of(type(agent).__module__)
        return _joined(f"{path}:{type(agent).__qualname__}", _changed(agent))
    entry = _entry_of(agent)
    if entry:
        return _joined(entry.name, _changed(agent, entry.preset))
    script = getattr(sys.modules.get(type(agent).__module__), "__file__", None)
    if script and script.endswith(".py") and not type(agent).__module__.startswith("holdmem."):
        return _joined(f"{script}:{type(agent).__qualname__}", _changed(agent))
    ours = type(agent).__module__.startswith("holdmem.")
    if ours and isinstance(getattr(agent, "name", None), str):  # made in this process, such as from cases
        return str(agent.name)  # type: ignore[attr-defined]
    return _joined(_full_name(type(agent)), _changed(agent))


def _entry_of(agent: Agent) -> Entry | None:
    """Return the entry that builds this agent, the one with most preset parameters if there are several."""
    entries = [
        entry
        for entry in registered().values()
        if entry.build is type(agent)
        and all(getattr(agent, key) == value for key, value in entry.preset.items())
    ]
    return max(entries, key=lambda entry: len(entry.preset), default=None)


def _changed(agent: Any, preset: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the parameters that differ from their defaults, apart from the preset ones."""
    values = {key: getattr(agent, key) for key in _fields(type(agent)) if key not in (preset or {})}
    return {key: value for key, value in values.items() if value != _default(_fields(type(agent))[key])}


def _default(one: Field[Any]) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()


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
        return f"[{text}]" if {",", ";"} & set(text) else text
    if isinstance(value, str | Path):
        return _quoted(str(value))
    return "none" if value is None else str(value)


def _quoted(text: str) -> str:
    """Put brackets around text that would otherwise be misread. Brackets inside it must match."""
    _split(text, ";", text)
    special = set(text) & set(",;[]") or text != text.strip() or text.lower() in ("", "none")
    return f"[{text}]" if special else text
