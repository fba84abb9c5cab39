"""What the shell completes on Tab: agents and games by name. Files are completed by the shell itself.

A parameter is completed by what it is called, so a new command that takes `agents` or a `game` needs nothing.
Where no name fits, as in `./my`, the shell falls back on files.
"""

import inspect
from collections.abc import Callable

import typer


def agent_names(incomplete: str) -> list[tuple[str, str]]:
    """Return the agents that begin like this, each with its style."""
    from holdmem.agent import registered

    return [
        (name, entry.style) for name, entry in sorted(registered().items()) if name.startswith(incomplete)
    ]


def game_names(incomplete: str) -> list[str]:
    """Return the games that begin like this."""
    from holdmem.engine.game_file import BUILT_IN, SHORT_NAMES

    return [name for name in dict.fromkeys((*SHORT_NAMES, *BUILT_IN)) if name.startswith(incomplete)]


COMPLETED: dict[str, Callable[[str], list[str] | list[tuple[str, str]]]] = {
    "agent": agent_names,
    "agents": agent_names,
    "against": agent_names,
    "opponents": agent_names,
    "game": game_names,
}
"""Parameters of commands by name, and what completes them."""


def add_completion(app: typer.Typer) -> None:
    """Let the shell complete the parameters of all commands that take agents or games."""
    for command in app.registered_commands:
        if command.callback is not None:
            for name, parameter in inspect.signature(command.callback).parameters.items():
                chosen = game_names if (command.callback.__name__, name) == ("games", "name") else None
                _complete(parameter, chosen or COMPLETED.get(name))


def _complete(parameter: inspect.Parameter, names: Callable[[str], object] | None) -> None:
    for told in getattr(parameter.annotation, "__metadata__", ()):
        if names is not None and getattr(told, "autocompletion", names) is None:
            told.autocompletion = names
