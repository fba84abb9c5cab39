"""`@bot`: ten lines of plain Python become an agent."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from operator import attrgetter
from pickle import PicklingError
from sys import modules
from typing import Any

import numpy as np

from holdmem.errors import AgentError, BadDecision, UnknownAgent, nearest
from holdmem.rules.game import Game
from holdmem.table.blame import said
from holdmem.table.contract import Actions
from holdmem.table.streams import Streams
from holdmem.table.views import View, Views

Decide = Callable[..., int]
"""A function of one view (and settings with defaults) to FOLD, CALL or the total of a raise."""


@dataclass(frozen=True, eq=False)
class Bot:
    """An agent made of a function of one view, with the settings that differ from its defaults."""

    function: Decide
    settings: tuple[tuple[str, Any], ...] = ()

    def __call__(self, view: View) -> int:
        return self.function(view, **dict(self.settings))

    def sit(self, game: Game, tables: int, rng: Streams) -> "BotSeat":
        """A bot keeps nothing in mind, so a seat is the function itself and its random numbers."""
        return BotSeat(partial(self.function, **dict(self.settings)), rng)

    @property
    def defaults(self) -> dict[str, Any]:
        """The function's settings and what they are when nobody says otherwise."""
        _, *rest = signature(self.function).parameters.values()
        return {parameter.name: parameter.default for parameter in rest}

    def having(self, **settings: Any) -> "Bot":
        """The same bot with other settings."""
        for name in settings:
            if name not in self.defaults:
                known = nearest(name, list(self.defaults)) if self.defaults else "it has none"
                raise UnknownAgent(
                    f"{self.function.__name__}: expected one of its settings, got {name!r}; {known}"
                )
        changed = {**dict(self.settings), **settings}
        kept = {name: value for name, value in changed.items() if value != self.defaults[name]}
        return Bot(self.function, tuple(sorted(kept.items())))

    def _road(self) -> tuple[Any, ...]:
        return self.function.__module__, self.function.__qualname__, self.settings

    def _content(self) -> tuple[Any, ...]:
        # Code holds its constants and names; what it finds outside itself is in its closure and defaults.
        return self._road(), self.function.__code__, self.function.__closure__, self.defaults

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bot) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._road())

    def __reduce__(self) -> Any:
        # The module's name leads to the bot, not to the bare function: pickle that road.
        try:
            found = _find_bot(*self._road())
        except AttributeError:
            found = None
        if found != self:
            raise PicklingError(
                f"expected a bot at the top of a module, got {self.function.__qualname__},"
                f" which cannot be found in {self.function.__module__}"
            )
        return _find_bot, self._road()


def _find_bot(module: str, name: str, settings: tuple[tuple[str, Any], ...]) -> Bot:
    __import__(module)
    found = attrgetter(name)(modules[module])
    return Bot(found.function if isinstance(found, Bot) else found, settings)


@dataclass(frozen=True)
class BotSeat:
    """Asks the function about one view after another."""

    decide: Decide
    streams: Streams

    def act(self, views: Views) -> Actions:
        """One decision for each view."""
        codes = [0] * len(views)
        for i in range(len(views)):
            try:
                codes[i] = self.decide(View(views, i, self.streams))
            except (KeyboardInterrupt, GeneratorExit):
                raise
            except BaseException as error:  # also sys.exit() and the end of a time limit
                raise BadDecision(f"{said(error)}; at {views[i]}") from error
        kinds = set(map(type, codes))  # few, where to look at each answer would take time
        if any(kind is bool or not issubclass(kind, int | np.integer) for kind in kinds):
            raise self._refusal(views, codes, [_is_int(code) for code in codes].index(False))
        try:
            return Actions(np.array(codes, dtype=np.int64))
        except OverflowError:
            raise self._refusal(views, codes, max(range(len(codes)), key=lambda i: abs(codes[i]))) from None

    def _refusal(self, views: Views, codes: list[Any], wrong: int) -> BadDecision:
        return BadDecision(
            f"expected FOLD, CALL or the total of a raise as an int, got {codes[wrong]!r} at {views[wrong]}"
        )


def _is_int(code: Any) -> bool:
    return isinstance(code, int | np.integer) and not isinstance(code, bool)


def bot(function: Decide) -> Bot:
    """Turn a plain function of one view into an agent.

    >>> from holdmem import CALL, FOLD, bot
    >>> @bot
    ... def cautious(view, patience=4):
    ...     if view.to_call * patience > view.pot:
    ...         return FOLD
    ...     return CALL
    """
    parameters = list(signature(function).parameters.values())
    if not parameters:
        raise AgentError(f"{function.__name__}: expected a function of a view, got one of nothing")
    if any(parameter.default is Parameter.empty for parameter in parameters[1:]):
        raise AgentError(
            f"{function.__name__}: expected a default for every parameter after the view, got none"
        )
    return Bot(function)
