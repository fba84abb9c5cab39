"""Single decisions of a review in words."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.agent import View, describe_situation
from holdmem.agent.words import action_words
from holdmem.core.statistics import NORMAL
from holdmem.history import replay
from holdmem.history.describe import amount

if TYPE_CHECKING:
    from holdmem.ev.review.report import LeakReport


@dataclass(frozen=True)
class Example:
    """A decision: number of its hand, the situation, what was done and what was best, and the loss.

    `spread` is the smallest and largest loss under other models of the opponents, where it was compared.
    """

    number: int
    view: View
    did: str
    best: str
    loss: float
    reach: float
    money: str
    spread: tuple[float, float] | None = None

    @property
    def line(self) -> str:
        """The decision in one line."""
        cost = f"{self.loss:.2f} ± {self.reach:.2f} bb{self.money}"
        situation = describe_situation(self.view)
        text = f"hand {self.number}: {situation} Did: {self.did}; best: {self.best}, better by {cost}."
        return text if self.spread is None else f"{text} {self.other_models}"

    @property
    def other_models(self) -> str:
        """The second line: what the decision loses under other models of the opponents."""
        if self.spread is None:
            return ""
        low, high = self.spread
        return f"Under other models of the opponents it loses {low:.2f} to {high:.2f} bb."


def decision_json(found: "LeakReport", place: int) -> dict[str, Any]:
    """Return the decision at this place of the columns as JSON values."""
    one = example_of(found, place)
    return {
        "number": one.number,
        "situation": describe_situation(one.view),
        "taken": one.did,
        "best": one.best,
        "loss_bb": one.loss,
        "loss_standard_error_bb": float(found.columns["loss_error"][place]),
        "loss_bb_other_models": None if one.spread is None else list(one.spread),
    }


def example_of(found: "LeakReport", place: int) -> Example:
    """Return the decision at this place of the columns."""
    columns = found.columns
    hand = int(columns["hand"][place])
    decisions = next(iter(replay(found.hands[[hand]])))
    row = int(np.flatnonzero(decisions.views.actions == columns["action"][place])[0])
    view = decisions.views[row]
    terms = found.hands.terms[int(found.hands.rows["terms"][hand])]
    loss = float(columns["loss"][place])
    money = f" ({amount(terms, Fraction(loss * terms.game.big_blind))})" if terms.currency else ""
    return Example(
        number=int(found.hands.rows["number"][hand]),
        view=view,
        did=action_words(view, int(columns["taken"][place])),
        best=action_words(view, int(columns["best"][place])),
        loss=loss,
        reach=NORMAL * float(columns["loss_error"][place]),
        money=money,
        spread=found.spread(place),
    )
