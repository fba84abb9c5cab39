"""Agents as text: take `name:key=value,…` apart, convert values to the types of parameters, and write them.

`registry` says what such a text looks like. A parameter may itself be an agent: a `MakeAgent` builds
it from its text, and a `NameAgent` writes it.
"""

import re
from collections.abc import Callable
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from holdmem.agent.contract import Agent
from holdmem.core.errors import AgentError, NotationError, UnknownAgent

MakeAgent = Callable[[str], Agent]
NameAgent = Callable[[Agent], str]

FILE = re.compile(r"(?:\w:(?=[\\/]))?[^:]*\.py(?=:|$)")
"""A path at the start of a text, up to the first colon that is not part of a drive letter."""
_ON, _OFF = ("on", "true", "yes", "1"), ("off", "false", "no", "0")


def split_name(text: str) -> tuple[str, str]:
    """Split text into name and parameters; the name of an agent in a file is `path.py:object`."""
    file = FILE.match(text)
    if file and file.end() == len(text):
        raise UnknownAgent(f"{text}: name the agent in this file as well, such as {text}:MyBot")
    start = file.end() + 1 if file else 0
    thing, _, parameters = text[start:].partition(":")
    return text[:start] + thing, parameters


def split_parameters(text: str, whole: str) -> dict[str, str]:
    """Return the values of `key=value,…` by key; `whole` is the text to name in an error."""
    values: dict[str, str] = {}
    for part in split(text, ",", whole):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key:
            raise NotationError(f"{whole}: expected parameters such as depth=3, got {part!r}")
        if key in values:
            raise NotationError(f"{whole}: parameter {key} is given twice")
        values[key] = value
    return values


def split(text: str, separator: str, whole: str) -> list[str]:
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


def convert(text: str, wanted: Any, where: str, make: MakeAgent) -> Any:
    """Convert a parameter's text to the type of its field."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        if NoneType in inner and text.lower() == "none":
            return None
        return convert(text, next(one for one in inner if one is not NoneType), where, make)
    if origin is Literal:
        choices = {str(choice): choice for choice in inner}
        if text not in choices:
            raise AgentError(f"{where}: expected {' or '.join(choices)}, got {text!r}")
        return choices[text]
    if origin is tuple:
        return _convert_list(split(_unbracketed(text), ";", where), inner, where, make)
    if wanted is Agent:
        return make(_unbracketed(text))
    if wanted is bool:
        if text.lower() not in _ON + _OFF:
            raise AgentError(f"{where}: expected on or off, got {text!r}")
        return text.lower() in _ON
    return _convert_plain(text, wanted, where)


def _convert_list(parts: list[str], types: tuple[Any, ...], where: str, make: MakeAgent) -> tuple[Any, ...]:
    if types[-1] is ...:
        types = types[:1] * len(parts)
    if len(parts) != len(types):
        raise AgentError(
            f"{where}: expected a list of {len(types)} items, got {len(parts)}: {'; '.join(parts)}"
        )
    return tuple(convert(part, wanted, where, make) for part, wanted in zip(parts, types, strict=True))


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


def joined(name: str, values: dict[str, Any], name_of: NameAgent) -> str:
    """Return an agent's text from its name and the parameters to write."""
    if not values:
        return name
    return f"{name}:" + ",".join(f"{key}={_written(value, name_of)}" for key, value in values.items())


def _written(value: Any, name_of: NameAgent) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "[" + ";".join(_written(one, name_of) for one in value) + "]"
    if hasattr(value, "sit"):
        text = name_of(value)
        return f"[{text}]" if {",", ";"} & set(text) else text
    if isinstance(value, str | Path):
        return _quoted(str(value))
    return "none" if value is None else str(value)


def _quoted(text: str) -> str:
    """Put brackets around text that would otherwise be misread. Brackets inside it must match."""
    split(text, ";", text)
    special = set(text) & set(",;[]") or text != text.strip() or text.lower() in ("", "none")
    return f"[{text}]" if special else text
