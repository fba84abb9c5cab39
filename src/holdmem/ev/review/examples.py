"""Single decisions of a review in words."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from holdmem.agent import View, describe_situation
from holdmem.agent.words import action_words
from holdmem.core.statistics import NORMAL
from holdmem.ev.review.report import LeakReport
from holdmem.history import replay
from holdmem.history.describe import amount


@dataclass(frozen=True)
class Example:
    """A decision: number of its hand, the situation, what was done and what was best, and the loss."""

    number: int
    view: View
    did: str
    best: str
    loss: float
    reach: float
    money: str

    @property
    def line(self) -> str:
        """The decision in one line."""
        cost = f"{self.loss:.2f} ± {self.reach:.2f} bb{self.money}"
        situation = describe_situation(self.view)
        return f"hand {self.number}: {situation} Did: {self.did}; best: {self.best}, better by {cost}."


def example_of(found: LeakReport, place: int) -> Example:
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
    )
