"""The `@bot` decorator, which turns a plain Python function of one view into an agent."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, getdoc, signature
from operator import attrgetter
from pickle import PicklingError
from sys import modules
from typing import Any

import numpy as np

from holdmem.agent.blame import describe_exception
from holdmem.agent.contract import Actions
from holdmem.agent.explanation import Explanation
from holdmem.agent.views import View, Views
from holdmem.agent.words.compose import explained
from holdmem.core.errors import AgentError, BadDecision, UnknownAgent, nearest
from holdmem.core.random import Streams
from holdmem.engine.game import Game

DecisionFunction = Callable[..., int]
"""Function of one view (and parameters with defaults) that returns FOLD, CALL or the total of a raise."""


@dataclass(frozen=True, eq=False)
class Bot:
    """Agent made of a function of one view, with the parameters that differ from the function's defaults."""

    function: DecisionFunction
    settings: tuple[tuple[str, Any], ...] = ()

    def __call__(self, view: View) -> int:
        return self.function(view, **dict(self.settings))

    def sit(self, game: Game, tables: int, rng: Streams) -> "BotSeat":
        """Return a seat without memory: the function with its parameters, and a source of random numbers."""
        return BotSeat(partial(self.function, **dict(self.settings)), rng)

    @property
    def defaults(self) -> dict[str, Any]:
        """The function's parameters and their default values."""
        _, *rest = signature(self.function).parameters.values()
        return {parameter.name: parameter.default for parameter in rest}

    def with_params(self, **settings: Any) -> "Bot":
        """Return a copy of this bot with some parameters changed."""
        for name in settings:
            if name not in self.defaults:
                known = nearest(name, list(self.defaults)) if self.defaults else "it takes none"
                raise UnknownAgent(f"{self.function.__name__}: unknown parameter {name!r}; {known}")
        changed = {**dict(self.settings), **settings}
        kept = {name: value for name, value in changed.items() if value != self.defaults[name]}
        return Bot(self.function, tuple(sorted(kept.items())))

    def _road(self) -> tuple[Any, ...]:
        return self.function.__module__, self.function.__qualname__, self.settings

    def _content(self) -> tuple[Any, ...]:
        # A code object holds its constants and names; outside values are in the closure and the defaults.
        return self._road(), self.function.__code__, self.function.__closure__, self.defaults

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bot) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._road())

    def __reduce__(self) -> Any:
        # The module attribute is the bot, not the bare function, so pickle the path to the bot.
        try:
            found = _find_bot(*self._road())
        except AttributeError:
            found = None
        if found != self:
            raise PicklingError(
                f"a bot must be defined at the top level of a module: {self.function.__qualname__}"
                f" cannot be found in {self.function.__module__}"
            )
        return _find_bot, self._road()


def _find_bot(module: str, name: str, settings: tuple[tuple[str, Any], ...]) -> Bot:
    __import__(module)
    found = attrgetter(name)(modules[module])
    return Bot(found.function if isinstance(found, Bot) else found, settings)


@dataclass(frozen=True)
class BotSeat:
    """Seat that calls the function on one view after another."""

    decide: DecisionFunction
    rng: Streams

    def act(self, views: Views) -> Actions:
        """Choose one action per view."""
        codes = [0] * len(views)
        for i in range(len(views)):
            try:
                codes[i] = self.decide(View(views, i, self.rng))
            except (KeyboardInterrupt, GeneratorExit):
                raise
            except BaseException as error:  # includes sys.exit() and an expired time limit
                bad = BadDecision(f"{describe_exception(error)}; at {views[i]}")
                bad.where = f"at {views[i]}"
                raise bad from error
        kinds = set(map(type, codes))  # checking the few distinct types is faster than checking every answer
        if any(kind is bool or not issubclass(kind, int | np.integer) for kind in kinds):
            raise self._refusal(views, codes, [_is_int(code) for code in codes].index(False))
        try:
            return Actions(np.array(codes, dtype=np.int64))
        except OverflowError:
            raise self._refusal(views, codes, max(range(len(codes)), key=lambda i: abs(codes[i]))) from None

    def explain(self, view: View) -> Explanation:
        """Return the action with the first paragraph of the function's docstring as its rule."""
        code = int(self.act(view.alone).codes[0])
        said = getdoc(getattr(self.decide, "func", self.decide)) or "it gives no reason"
        return explained(view, [(code, 1.0)], [" ".join(said.split("\n\n")[0].split())])

    def _refusal(self, views: Views, codes: list[Any], wrong: int) -> BadDecision:
        return BadDecision(
            f"expected FOLD, CALL or the total of a raise as an int, got {codes[wrong]!r} at {views[wrong]}"
        )


def _is_int(code: Any) -> bool:
    return isinstance(code, int | np.integer) and not isinstance(code, bool)


def bot(function: DecisionFunction) -> Bot:
    """Turn a plain function of one view into an agent.

    Parameters
    ----------
    function : takes a `View`, and optionally parameters with defaults; returns FOLD, CALL or the total of a
        raise.

    Returns
    -------
    Bot : the agent; `with_params` changes its parameters.

    Raises
    ------
    AgentError : the function takes no view, or has a parameter without a default.

    Examples
    --------
    >>> from holdmem import CALL, FOLD, bot
    >>> @bot
    ... def cautious(view, patience=4):
    ...     if view.to_call * patience > view.pot:
    ...         return FOLD
    ...     return CALL
    """
    parameters = list(signature(function).parameters.values())
    if not parameters:
        raise AgentError(f"{function.__name__}: a bot must take at least one argument, the view")
    if any(parameter.default is Parameter.empty for parameter in parameters[1:]):
        raise AgentError(f"{function.__name__}: every parameter after the view must have a default")
    return Bot(function)
