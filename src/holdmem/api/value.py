"""What the actions of a decision are worth."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from holdmem.agent import Agent, Situation, View
from holdmem.core.errors import NotationError
from holdmem.engine import CALL, FOLD, Game
from holdmem.ev import (
    THOROUGH,
    Assumptions,
    DecisionValue,
    NamedPlayer,
    compared_with,
    named_player,
    usual_player,
    value_decision,
)
from holdmem.ev.estimate import Precision
from holdmem.people.memory import PersonMemory

PlayerName = NamedPlayer | Agent | PersonMemory | Path | str
"""A player: a style or an agent by name, the file of a person, or a value."""


def value(
    situation: Situation | View,
    taken: int | str | None = None,
    *,
    reference: PlayerName | None = None,
    others: PlayerName | None = None,
    also: Sequence[PlayerName] | None = None,
    samples: int = THOROUGH.most,
    seed: int = 0,
) -> DecisionValue:
    """Return the expected value of every action at a decision, against the ranges of the others.

    The holdings of the others are drawn from their ranges, which follow from all they did by Bayes' rule
    under a model of them. Every action is played on to the end with the same cards. Heads-up on the river
    everything is enumerated where that is possible.

    Parameters
    ----------
    situation : the decision, as a `Situation` or a `View`.
    taken : the action that was taken, if its loss is asked for: FOLD, CALL or the total of a raise, or
        "fold", "check" or "call".
    reference : plays on after the action: "population", a shipped style, the file of a person, or an agent
        with a policy. By default the population; "eqm" in heads-up limit.
    others : the model of all others, by default the same.
    also : other models of the others, by default two; what they change is shown.
    samples : samples at most. Fewer are drawn where the best action is clear or its error below 0.05 bb.
    seed : random seed.

    Returns
    -------
    DecisionValue : the value of each action in chips and big blinds with its standard error, the loss of the
        action taken, and the assumptions in one line.

    Raises
    ------
    AgentError : a player does not exist, does not play this game, or does not give its probabilities.
    NotationError : the action taken is unknown, or the hole cards are not known.

    Examples
    --------
    >>> spot = Situation(hole="AhKd", board="Kc8s2d", betting="rc/")
    >>> found = value(spot, "check", others="always-call", reference="always-call", also=(), samples=512)
    >>> found.actions[found.best].words
    'bet 10'
    """
    view = situation.view if isinstance(situation, Situation) else situation
    assumptions = assumed(view.game, reference, others, also)
    return value_decision(view, _code(taken), assumptions, up_to(samples), seed)


def assumed(
    game: Game, reference: PlayerName | None, others: PlayerName | None, also: Sequence[PlayerName] | None
) -> Assumptions:
    """Return the reference player, the model of its opponents, and the models to compare that with."""
    usual = usual_player(game)
    model = named_player(others or usual)
    compared = compared_with(model) if also is None else tuple(named_player(one) for one in also)
    return Assumptions(named_player(reference or usual), model, compared)


def up_to(samples: int) -> Precision:
    """Return the thorough precision with at most this many samples."""
    return replace(THOROUGH, first=min(THOROUGH.first, samples), most=samples)


def _code(taken: int | str | None) -> int | None:
    if not isinstance(taken, str):
        return taken
    codes = {"fold": FOLD, "check": CALL, "call": CALL}
    if taken not in codes:
        raise NotationError(f"expected fold, check, call or the total of a raise in chips, got {taken!r}")
    return codes[taken]
