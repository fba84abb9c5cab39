"""Actions in words: what a code means at a view, and what was done on each street so far."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from holdmem.agent.views import View
from holdmem.engine.describe import action_verb
from holdmem.engine.steps import HandStep

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


def actions_taken(view: View) -> Iterator[ActionTaken]:
    """Yield the actions of the hand up to this view."""
    street = raises = 0
    for step in view.steps:
        if step.street != street:
            street, raises = step.street, 0
        raises += step.action > 0
        to = 0 if view.game.limit or step.action <= 0 else step.action
        yield ActionTaken(street, step.seat, _name(view, step, raises), to, step.all_in)


def _name(view: View, step: HandStep, raises: int) -> str:
    """Return the name of an action, given the bets and raises on its street including this one."""
    name = action_verb(step.action, step.paid, step.highest)
    if name == "call" and not step.street and not raises:
        return "complete" if view.game.blinds[step.seat] else "limp"
    if name == "raise" and view.game.limit and raises >= max(view.game.max_raises[step.street], 2):
        return "cap"
    return "re-raise" if name == "raise" and raises > (1 if step.street == 0 else 2) else name
