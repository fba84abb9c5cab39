"""Actions in words: what a code means at a view, and what was done on each street so far."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from holdmem.agent.views import View
from holdmem.engine.describe import action_verb
from holdmem.engine.state import CALL, FOLD

Form = Literal["base", "present", "past", "gerund"]
FORMS: dict[str, tuple[str, str, str, str]] = {
    "fold": ("fold", "folds", "folded", "folding"),
    "check": ("check", "checks", "checked", "checking"),
    "call": ("call", "calls", "called", "calling"),
    "bet": ("bet", "bets", "bet", "betting"),
    "raise": ("raise", "raises", "raised", "raising"),
    "re-raise": ("re-raise", "re-raises", "re-raised", "re-raising"),
    "cap": ("cap the betting", "caps the betting", "capped the betting", "capping the betting"),
    "limp": ("limp in", "limps in", "limped in", "limping in"),
    "complete": ("complete", "completes", "completed", "completing"),
    "all-in": ("go all-in", "goes all-in", "went all-in", "going all-in"),
}


def verb(name: str, form: Form) -> str:
    """Return the form of a verb: "raises" of "raise"."""
    return FORMS[name][("base", "present", "past", "gerund").index(form)]


def kind_of(view: View, code: int) -> str:
    """Return the name of the kind of an action at this view: fold, check, call, bet or raise."""
    return action_verb(code, view.to_call, view.highest)


def action_words(view: View, code: int, form: Form = "base") -> str:
    """Return an action at this view in words: "fold", "call 10", "raise to 40", "go all-in for 950"."""
    kind = kind_of(view, code)
    own = view.stacks[view.seat]
    if kind == "call":
        return f"{verb(kind, form)} {min(view.to_call, own):,}{' all-in' if view.to_call >= own else ''}"
    if kind not in ("bet", "raise"):
        return verb(kind, form)
    if code >= view.bets[view.seat] + own:
        return f"{verb('all-in', form)} for {code:,}"
    return f"{verb(kind, form)} {'to ' * (kind == 'raise')}{code:,}"


@dataclass(frozen=True)
class ActionTaken:
    """One action of a hand: the street, the seat, its verb, and the total of a no-limit bet or raise."""

    street: int
    seat: int
    name: str
    to: int = 0
    all_in: bool = False

    @property
    def words(self) -> str:
        """The action in the past tense."""
        done = verb(self.name, "past")
        amount = "" if not self.to else f" {self.to:,}" if self.name == "bet" else f" to {self.to:,}"
        return f"{done}{amount}{' all-in' if self.all_in else ''}"


class _Street:
    """The bets on one street while a hand is retold."""

    def __init__(self, bets: list[int], highest: int) -> None:
        self.bets, self.highest, self.raises = bets, highest, 0


def actions_taken(view: View) -> Iterator[ActionTaken]:
    """Yield the actions of the hand up to this view."""
    game = view.game
    paid = view.alone.rows["paid"][0].tolist()
    behind = [stack + chips for stack, chips in zip(view.stacks, paid, strict=False)]
    behind = [stack - ante for stack, ante in zip(behind, game.antes or (0,) * game.seats, strict=True)]
    before, now = (
        0,
        _Street(
            [min(blind, chips) for blind, chips in zip(game.blinds, behind, strict=True)], game.big_blind
        ),
    )
    for street, seat, code in view.history:
        if street != before:
            behind = [chips - bet for chips, bet in zip(behind, now.bets, strict=True)]
            before, now = street, _Street([0] * game.seats, 0)
        yield _taken(view, street, seat, code, now, behind[seat])


def _taken(view: View, street: int, seat: int, code: int, now: _Street, chips: int) -> ActionTaken:
    """Return one action and enter it into the street; `chips` are the seat's at the street's start."""
    if code == FOLD:
        return ActionTaken(street, seat, "fold")
    if code == CALL:
        name = _calling(view, street, seat, now)
        now.bets[seat] = min(now.highest, chips)
        return ActionTaken(street, seat, name, all_in=name != "check" and now.bets[seat] == chips)
    name, limit = "raise" if now.highest else "bet", view.game.limit
    now.raises += 1
    if now.raises > 1 and (street == 0 or now.raises > 2):
        name = "re-raise"
    if limit and now.raises >= max(view.game.max_raises[street], 2):
        name = "cap"
    now.bets[seat] = now.highest = code
    return ActionTaken(street, seat, name, 0 if limit else code, code >= chips)


def _calling(view: View, street: int, seat: int, now: _Street) -> str:
    if now.bets[seat] >= now.highest:
        return "check"
    if street or now.raises:
        return "call"
    return "complete" if view.game.blinds[seat] else "limp"
