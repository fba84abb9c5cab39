"""Why an agent did what it did, and what it would have done in the person's place, as plain values."""

from dataclasses import asdict, dataclass
from typing import Any

from holdmem.cards import names
from holdmem.rules import CALL, FOLD, STREET_NAMES
from holdmem.table import Explanation, Seat, Views
from holdmem.web.seen import chances_of, finite


@dataclass(frozen=True)
class Decision:
    """One decision with its reasons; it stays on the server until the hand is over."""

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
        """The same as values of a message."""
        return asdict(self)


def reasons(seat: Seat, views: Views, player: int, action: int) -> Decision:
    """What the seat says of its decision here: its explanation, else its policy, else the bare action."""
    explanation = _explanation(seat, views)
    chances = _chances(seat, views) if not explanation.chances else _plain_chances(explanation)
    return Decision(
        player=player,
        street=STREET_NAMES[int(views.street[0])],
        situation=_situation(views),
        to_call=int(views.to_call[0]),
        pot=int(views.rows["pot"][0]),
        action=action,
        chances=chances or [{"action": action, "chance": 1.0}],
        words=explanation.words,
        grounds=[_ground(ground) for ground in explanation.grounds],
    )


def would_do(seat: Seat, views: Views, player: int) -> Decision:
    """What the seat would do here. It is asked for its probabilities if it has them, else to decide."""
    chances = _chances(seat, views)
    likeliest = max(chances, key=lambda one: one["chance"])["action"] if chances else None
    action = int(seat.act(views).codes[0]) if likeliest is None else int(likeliest)
    return reasons(seat, views, player, action)


def _situation(views: Views) -> str:
    """Cards, pot and price; the actions before it stand in the log."""
    view = views[0]
    board = f"on {names(view.board)}" if view.board else "before the flop"
    return f"{names(view.hole)} {board}, {view.to_call} to call for a pot of {view.pot}"


def _explanation(seat: Seat, views: Views) -> Explanation:
    explain = getattr(seat, "explain", None)
    if explain is None:
        return Explanation("")
    found: Explanation = explain(views[0])
    return found


def _chances(seat: Seat, views: Views) -> list[dict[str, Any]]:
    policy = getattr(seat, "policy", None)
    if policy is None:
        return []
    found = policy(views)
    return chances_of(found.probabilities[0].tolist(), found.codes[0].tolist())


def _plain_chances(explanation: Explanation) -> list[dict[str, Any]]:
    codes, chances = zip(*explanation.chances, strict=True)
    return chances_of(chances, codes)


def _ground(ground: Any) -> dict[str, Any]:
    facts = {name: finite(value) for name, value in ground.facts.items()}
    return {"what": ground.what, "weight": finite(ground.weight), "facts": facts}


def difference(advice: Decision, action: int) -> float:
    """How little of the adviser's probability lies on what was done: 0 if all of it, 1 if none.

    Raises count as one kind of action, whatever their size.
    """
    agreed: float = sum(one["chance"] for one in advice.chances if kind(one["action"]) == kind(action))
    return 1.0 - agreed


def kind(action: int) -> int:
    """Fold, call or raise."""
    return action if action in (FOLD, CALL) else 1
