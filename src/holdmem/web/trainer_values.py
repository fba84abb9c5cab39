"""What every answer to a spot is worth, or how often an expert gives it, with the reasons."""

from dataclasses import replace

import numpy as np

from holdmem.agent import Seat, View, Views, make_agent
from holdmem.agent.words import action_words
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.core.statistics import NORMAL
from holdmem.core.types import JsonObject
from holdmem.engine import CALL, FOLD, Game
from holdmem.ev import (
    THOROUGH,
    Assumptions,
    NamedPlayer,
    Precision,
    RolloutModels,
    Spots,
    candidates_at,
    loss_of,
    named_player,
    value_actions,
    value_decision,
)
from holdmem.ev.exact import can_enumerate
from holdmem.web.reasons import kind, would_do

SEED = 0
SPOT = replace(THOROUGH, most=8192)
"""Precision of a spot: told apart, or a standard error of 0.05 bb, or this many samples."""
SMALLEST = 0.05
"""Big blinds below which a loss counts as none, however clear it is."""
HALF = 0.5
"""Share of what the expert does most that an answer needs to count as right."""


def valued_answers(view: View, assumptions: Assumptions, precision: Precision | None = None) -> JsonObject:
    """Return the actions that can be answered at a view, with their values and losses in big blinds.

    Actions are fold, call, and the raises of the reference that are valued (`ev.candidates`). The loss of
    each is measured like that of an action taken: the best one is chosen by one half of the samples and
    priced by the other, so that chance makes no losses.
    """
    precision = precision or SPOT
    exact = value_decision(view, None, assumptions, precision, SEED) if _enumerable(view) else None
    if exact is not None and not exact.samples:
        best = exact.actions[exact.best].value
        rows = [(one.code, one.value, 0.0, best - one.value, 0.0) for one in exact.actions]
        return _values_of(view, rows, 0, assumptions)
    rng = Streams.of(SEED, "trainer")
    spots = Spots.of(view.alone, np.zeros(1, dtype=np.int64))
    reference = assumptions.reference.model(view.game, rng.spawn("reference"))
    models = RolloutModels(reference, assumptions.others.model(view.game, rng.spawn("others")))
    offered = candidates_at(spots.views, reference.policy(spots.views))
    sums = value_actions(spots, offered, models, models.others, precision, rng)
    width = offered.codes.shape[1]
    rows = []
    for column in np.flatnonzero(offered.present[0]).tolist():
        loss, error, _ = loss_of(sums, replace(offered, chosen=np.array([column])))
        one = (np.arange(width) == column).astype(np.float64)[None, None]
        variance = sums.whole.combined(one)[1][0, 0]
        value = float(sums.whole.means[0, 0, column])
        rows.append(
            (int(offered.codes[0, column]), value, float(np.sqrt(variance)), float(loss[0]), float(error[0]))
        )
    return _values_of(view, rows, int(sums.count.sum()), assumptions)


def _enumerable(view: View) -> bool:
    return can_enumerate(Spots.of(view.alone, np.zeros(1, dtype=np.int64)))


def _values_of(
    view: View, rows: list[tuple[int, float, float, float, float]], samples: int, assumptions: Assumptions
) -> JsonObject:
    unit = view.game.big_blind
    rows = sorted(rows)
    answers = [
        {
            "code": code,
            "words": action_words(view, code),
            "value": value / unit,
            "value_error": error / unit,
            "loss": loss / unit,
            "error": loss_error / unit,
            "right": is_right(loss / unit, loss_error / unit),
        }
        for code, value, error, loss, loss_error in rows
    ]
    how = f"Values from {samples:,} samples." if samples else "Values are exact, by enumeration."
    best = int(np.argmax([value for _, value, *_ in rows]))
    return {"judge": "ev", "answers": answers, "best": best, "assumed": f"{assumptions.words} {how}"}


def is_right(loss: float, error: float) -> bool:
    """Whether an answer counts as right: it is not clearly worse than the best by 0.05 bb or more."""
    return not (loss >= SMALLEST and loss > NORMAL * error)


def agreed_answers(views: Views, expert: str) -> JsonObject:
    """Return fold, call and raise as answers, each with the share of remembered decisions that did it.

    Where no expected value is honest, this is what is judged; a share is not a cost.
    """
    found = would_do(_seat(expert, views.game), views, int(views.seat[0]), expert)
    shares: dict[int, float] = {}
    remembered = any(one["remembered"] is not None for one in found.actions)
    for one in found.actions:
        share = (one["remembered"] or 0.0) if remembered else one["probability"]
        shares[kind(one["action"])] = shares.get(kind(one["action"]), 0.0) + share
    codes = [code for code, is_legal in ((FOLD, views.to_call[0] > 0), (CALL, True)) if is_legal]
    if views.max_raise_to[0] > 0:
        codes.append(int(views.min_raise_to[0]))
    common = [float(shares.get(kind(code), 0.0)) for code in codes]
    if max(common) <= 0:
        raise AgentError(f"{expert} remembers nothing like this")
    answers = [
        {
            "code": code,
            "words": action_words(views[0], code),
            "share": one,
            "right": one >= HALF * max(common),
        }
        for code, one in zip(codes, common, strict=True)
    ]
    best = int(np.argmax(common))
    what = "remembered decisions of its experts" if remembered else "its probabilities"
    return {"judge": "agreement", "answers": answers, "best": best, "assumed": f"{expert}: {what}"}


def reasons_of(views: Views, expert: str, names: list[str]) -> JsonObject:
    """Return what an agent would do here and why, for the page."""
    player = int(views.seat[0])
    return would_do(_seat(expert, views.game), views, player, expert, names).plain()


def _seat(expert: str, game: Game) -> Seat:
    return make_agent(expert).sit(game, 1, Streams.of(SEED))


def model_for(game: Game, expert: str | None = None) -> tuple[NamedPlayer | None, str]:
    """Return the model by which decisions of a game can be valued, and the agent that explains them.

    Heads-up limit has the solved game, heads-up no-limit of an equilibrium player that player, other no-limit
    tables the population. Limit tables of three and more have no model: None, and CASPER explains.
    """
    if expert is not None:
        return named_player(expert), expert
    if game.limit:
        return (named_player("eqm"), "eqm") if game.seats == 2 else (None, "casper")
    return named_player("population"), "clone"
