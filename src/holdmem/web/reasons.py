"""Reasons for an agent's decisions, and advice on the person's decisions, as plain values."""

from dataclasses import asdict, dataclass
from typing import Any

from holdmem.agent import Explanation, Seat, Views
from holdmem.agent.ask import ask_one
from holdmem.cards import names
from holdmem.engine import CALL, FOLD, STREET_NAMES
from holdmem.web.serialize import action_probabilities, finite


@dataclass(frozen=True)
class Decision:
    """A decision with its reasons. It stays on the server until the hand is over."""

    player: int
    street: str
    situation: str
    to_call: int
    pot: int
    action: int
    chances: list[dict[str, Any]]
    words: str
    grounds: list[dict[str, Any]]

    def plain(self) -> dict[str, Any]:
        """Return the decision as values of a message."""
        return asdict(self)


def reasons(seat: Seat, views: Views, player: int, action: int) -> Decision:
    """Return the seat's reasons for this action.

    Probabilities come from its explanation, else from its policy, else the action has probability 1.
    """
    explanation = _explanation(seat, views)
    return _decision(views, player, action, explanation, _chances(seat, views, explanation))


def would_do(seat: Seat, views: Views, player: int, name: str) -> Decision:
    """Return what the seat, called `name` in errors, would do here.

    That is its most probable action if it states probabilities, else its decision.
    """
    explanation = _explanation(seat, views)
    chances = _chances(seat, views, explanation)
    if chances:
        action = int(max(chances, key=lambda one: one["chance"])["action"])
    else:
        action = ask_one(seat, views, name)
    return _decision(views, player, action, explanation, chances)


def _decision(
    views: Views, player: int, action: int, explanation: Explanation, chances: list[dict[str, Any]]
) -> Decision:
    return Decision(
        player=player,
        street=STREET_NAMES[int(views.street[0])],
        situation=_situation(views),
        to_call=int(views.to_call[0]),
        pot=int(views.rows["pot"][0]),
        action=action,
        chances=chances or [{"action": action, "chance": 1.0}],
        words=explanation.words,
        grounds=[_ground(ground) for ground in explanation.evidence],
    )


def _situation(views: Views) -> str:
    """Describe the cards, the amount to call and the pot; the earlier actions are in the log."""
    view = views[0]
    board = f"on {names(view.board)}" if view.board else "before the flop"
    return f"{names(view.hole)} {board}, {view.to_call} to call for a pot of {view.pot}"


def _explanation(seat: Seat, views: Views) -> Explanation:
    explain = getattr(seat, "explain", None)
    if explain is None:
        return Explanation("")
    found: Explanation = explain(views[0])
    return found


def _chances(seat: Seat, views: Views, explanation: Explanation) -> list[dict[str, Any]]:
    """Return the probabilities in the explanation, which are those of the policy, else ask for the policy."""
    if explanation.probabilities:
        codes, chances = zip(*explanation.probabilities, strict=True)
        return action_probabilities(chances, codes)
    policy = getattr(seat, "policy", None)
    if policy is None:
        return []
    found = policy(views)
    return action_probabilities(found.probabilities[0].tolist(), found.codes[0].tolist())


def _ground(ground: Any) -> dict[str, Any]:
    facts = {name: finite(value) for name, value in ground.facts.items()}
    return {"what": ground.what, "weight": finite(ground.weight), "facts": facts}


def difference(advice: Decision, action: int) -> float:
    """Probability that the adviser gives to other kinds of action than the one taken, from 0 to 1.

    All raises count as one kind, whatever their size.
    """
    agreed: float = sum(one["chance"] for one in advice.chances if kind(one["action"]) == kind(action))
    return 1.0 - agreed


def kind(action: int) -> int:
    """Return the kind of an action: FOLD, CALL, or 1 for any raise."""
    return action if action in (FOLD, CALL) else 1
