"""Tab completion of agents and games.

Completion goes by the name of a parameter, so a new command with a parameter `agents` or `game` has it at
once. Where no agent or game matches, as in `./my`, the shell completes file names.
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
    "auto": agent_names,
    "reference": agent_names,
    "others": agent_names,
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
    for option in getattr(parameter.annotation, "__metadata__", ()):
        if names is not None and getattr(option, "autocompletion", names) is None:
            option.autocompletion = names
