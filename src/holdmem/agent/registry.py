"""Agents by name, with parameters, as written on the command line:

    always-call
    sartre-2:policy=probabilistic,cases=FOLDER
    ensemble:members=[imitator:expert=eqm;sartre-2],lead=sartre-2      lists in brackets, with semicolons
    sartre-2:cases=[FOLDER, with a comma]                              text with separators, in brackets
    ./mybot.py:MyBot:depth=3                                           a class or @bot in your own file

A package adds its own agents with an entry point in the group `holdmem.agents`: the named module is imported
and registers them.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from holdmem.agent.agent_files import FILES, load_file, path_of
from holdmem.agent.agent_text import FILE, convert, joined, split_name, split_parameters
from holdmem.agent.blame import describe_exception
from holdmem.agent.bot import Bot
from holdmem.agent.contract import Agent
from holdmem.core.errors import AgentError, HoldMemError, UnknownAgent, nearest

Class = TypeVar("Class", bound=type[Any])


@dataclass(frozen=True)
class Entry:
    """A registered agent: its name, the class that builds it, a line on its style, and its source.

    `preset` holds the parameters that the name fixes; an agent's text cannot change them.
    """

    name: str
    build: type[Any]
    style: str
    source: str
    preset: Mapping[str, Any] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Field[Any]]:
        """Parameters that may be set in the agent's text, as in `jagbot:loose=0.6`; presets may not."""
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
    if text not in _GIVEN or FILE.match(text):
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
    name, parameters = split_name(text.strip())
    values = split_parameters(parameters, text)
    if ".py:" in name:
        return _make_from_file(name, values)
    entry = registered().get(name)
    if entry is None:
        raise UnknownAgent(f"unknown agent {name!r}; {nearest(name, list(registered()))}")
    return _build(entry, values)


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
            **{key: convert(value, types.get(key, str), name, make_agent) for key, value in values.items()}
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
    chosen = {key: convert(value, types[key], f"{name}:{key}", make_agent) for key, value in values.items()}
    try:
        agent: Agent = entry.build(**entry.preset, **chosen)
    except HoldMemError:
        raise
    except Exception as error:
        raise AgentError(f"{name}: {describe_exception(error)} when it was built") from error
    return agent


def _fields(build: type[Any]) -> dict[str, Field[Any]]:
    return {one.name: one for one in fields(build) if one.init} if is_dataclass(build) else {}


def name_of(agent: Agent) -> str:
    """Return the text from which `make_agent` rebuilds this agent, without parameters at their defaults."""
    if isinstance(agent, Bot):
        file, thing = agent.function.__code__.co_filename, agent.function.__qualname__
        return joined(f"{file}:{thing}" if Path(file).is_file() else thing, dict(agent.settings), name_of)
    if _is_in_file(type(agent)):  # a name that the file registers is known only where it is loaded
        path = path_of(type(agent).__module__)
        return joined(f"{path}:{type(agent).__qualname__}", _changed(agent), name_of)
    entry = _entry_of(agent)
    if entry:
        return joined(entry.name, _changed(agent, entry.preset), name_of)
    script = getattr(sys.modules.get(type(agent).__module__), "__file__", None)
    if script and script.endswith(".py") and not type(agent).__module__.startswith("holdmem."):
        return joined(f"{script}:{type(agent).__qualname__}", _changed(agent), name_of)
    ours = type(agent).__module__.startswith("holdmem.")
    if ours and isinstance(getattr(agent, "name", None), str):  # made in this process, such as from cases
        return str(agent.name)  # type: ignore[attr-defined]
    return joined(_full_name(type(agent)), _changed(agent), name_of)


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
