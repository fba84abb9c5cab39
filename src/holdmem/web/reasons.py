"""Reasons for an agent's decisions, and advice on the person's decisions, as plain values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from holdmem.agent import ExampleHand, Explanation, Seat, Views, describe_situation, explain_seat
from holdmem.engine import CALL, FOLD, STREET_NAMES
from holdmem.history.describe import as_json
from holdmem.web.serialize import finite


@dataclass(frozen=True)
class Decision:
    """A decision with its reasons. It stays on the server until the hand is over."""

    player: int
    street: str
    to_call: int
    pot: int
    action: int
    situation: str
    decision: str
    reasons: list[str]
    actions: list[dict[str, Any]]
    measure: str
    hands: list[dict[str, Any]]
    details: list[dict[str, Any]]
    grids: list[dict[str, Any]] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """Return the decision as values of a message."""
        return dict(vars(self))


def reasons(
    seat: Seat, views: Views, player: int, action: int, names: Sequence[str] | None = None
) -> Decision:
    """Return the seat's reasons for this action; `names` are those of the players by seat."""
    return _decision(views, player, action, explain_seat(seat, views[0], action), names)


def would_do(
    seat: Seat, views: Views, player: int, name: str, names: Sequence[str] | None = None
) -> Decision:
    """Return what the seat, called `name` in errors, would do here.

    That is its most probable action if it states probabilities, else its decision.
    """
    found = explain_seat(seat, views[0], name=name)
    return _decision(views, player, found.actions[0].code, found, names)


def _decision(
    views: Views, player: int, action: int, found: Explanation, names: Sequence[str] | None
) -> Decision:
    return Decision(
        player=player,
        street=STREET_NAMES[int(views.street[0])],
        to_call=int(views.to_call[0]),
        pot=int(views.pot[0]),
        action=action,
        situation=describe_situation(views[0], names),
        decision=found.decision,
        reasons=list(found.reasons),
        actions=[_action(one) for one in found.actions],
        measure=found.measure,
        hands=[_hand(one) for one in found.hands],
        details=[_detail(one) for one in found.details],
        grids=[_grid(one) for one in getattr(found, "grids", ())],
    )


def _action(one: Any) -> dict[str, Any]:
    worth = None if one.worth is None else round(one.worth, 4)
    remembered = None if one.remembered is None else round(one.remembered, 6)
    return {
        "action": one.code,
        "words": one.words,
        "probability": round(one.probability, 6),
        "remembered": remembered,
        "worth": worth,
    }


def _hand(one: ExampleHand) -> dict[str, Any]:
    return {"words": one.words, "seat": one.seat, "decision": one.decision, "hand": as_json(one.hand)}


def _detail(detail: Any) -> dict[str, Any]:
    facts = {name: finite(value) for name, value in detail.facts.items()}
    return {"what": detail.what, "weight": finite(detail.weight), "facts": facts}


def _grid(one: Any) -> dict[str, Any]:
    shares = [None if isnan(share) else round(share, 3) for share in one.shares]
    return {"title": one.title, "shares": shares}


def difference(advice: Decision, action: int) -> float:
    """Probability that the adviser gives to other kinds of action than the one taken, from 0 to 1.

    All raises count as one kind, whatever their size.
    """
    agreed: float = sum(one["probability"] for one in advice.actions if kind(one["action"]) == kind(action))
    return 1.0 - agreed


def kind(action: int) -> int:
    """Return the kind of an action: FOLD, CALL, or 1 for any raise."""
    return action if action in (FOLD, CALL) else 1
