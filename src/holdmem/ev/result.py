"""Results: what every action of a decision is worth, and what the one taken has cost."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scipy.special import stdtrit

from holdmem.agent import View, describe_situation
from holdmem.agent.words import action_words
from holdmem.core.display import html_table
from holdmem.core.statistics import CONFIDENCE, NORMAL
from holdmem.history.describe import amount
from holdmem.history.hands import Terms

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class ActionValue:
    """Expected value of one action in chips from the decision on, so that a fold is worth 0.

    `probability` is that of the action in the reference's policy. `error` is the standard error, and `spread`
    the smallest and largest value under the other models of the opponents.
    """

    code: int
    words: str
    value: float
    error: float
    probability: float
    spread: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class DecisionValue:
    """What every action of a decision is worth.

    Attributes
    ----------
    view : the decision.
    actions : the actions with their values.
    taken : place of the action that was taken in `actions`, or None.
    best : place of the action with the highest value.
    loss, loss_error : expected value lost by the action taken and its standard error, in chips. The best
        action is chosen by one half of the samples and priced by the other.
    loss_spread : smallest and largest loss under the other models.
    cost, cost_error : the reference's expected value less that of the action taken.
    samples, effective : samples drawn, and their effective number; both 0 where nothing was sampled.
    assumptions : what was assumed, in one line.
    unit : chips per big blind.
    terms : stakes of the hand, for amounts of money; None where chips are not money.
    """

    view: View
    actions: tuple[ActionValue, ...]
    taken: int | None
    best: int
    loss: float
    loss_error: float
    loss_spread: tuple[float, float] | None
    cost: float
    cost_error: float
    samples: int
    effective: float
    assumptions: str
    unit: int
    terms: Terms | None = None

    @property
    def wide(self) -> float:
        """Half-width of a 95% interval in standard errors, by Student's t over the effective samples."""
        if not self.samples:  # exact
            return NORMAL
        return math.inf if self.effective <= 1 else float(stdtrit(self.effective - 1, (1 + CONFIDENCE) / 2))

    @property
    def state(self) -> str:
        """Whether the action taken is told apart from the best one: apart, close or open."""
        if self.taken is None:
            return "open"
        if abs(self.loss) > self.wide * self.loss_error or self.taken == self.best:
            return "apart"
        return "close" if self.loss_error <= CLOSE * self.unit else "open"

    def __repr__(self) -> str:
        best = self.actions[self.best]
        lost = (
            ""
            if self.taken is None
            else f", lost {self.bb(self.loss)} ± {self.bb(self.wide * self.loss_error)}"
        )
        return f"DecisionValue(best {best.words}: {self.bb(best.value, sign=True)} bb{lost})"

    def __str__(self) -> str:
        return "\n".join([describe_situation(self.view), *self.lines()])

    def _repr_html_(self) -> str:
        rows = [
            (one.words, self.bb(one.value, sign=True), self.bb(self.wide * one.error)) for one in self.actions
        ]
        return html_table(("action", "bb", "± 95%"), rows, repr(self))

    def words(self, chips: float) -> str:
        """Format chips in big blinds, and in money where they are money."""
        found = f"{self.bb(chips, sign=True)} bb"
        return f"{found} ({amount(self.terms, Fraction(chips), signed=True)})" if self.terms else found

    def bb(self, chips: float, sign: bool = False) -> str:
        """Format chips in big blinds."""
        return f"{chips / self.unit:+.2f}" if sign else f"{chips / self.unit:.2f}"

    def lines(self) -> list[str]:
        """Return the values, the loss and the assumptions as lines of text."""
        found = [self._line(place) for place in range(len(self.actions))]
        if self.taken is not None:
            found.append(f"The action taken loses {self._loss_words()} against the best one.")
            if self.loss_spread is not None:
                low, high = (self.bb(chips) for chips in self.loss_spread)
                found.append(f"Under other models of the opponents it loses {low} to {high} bb.")
        return [*found, self.assumptions]

    def _loss_words(self) -> str:
        found = f"{self.bb(self.loss)} ± {self.bb(self.wide * self.loss_error)} bb"
        money = self.terms is not None and bool(self.terms.currency)
        return f"{found} ({amount(self.terms, Fraction(self.loss))})" if self.terms and money else found

    def money(self, chips: float) -> float | None:
        """Return chips as an amount of the file's currency; None where chips are not money."""
        if self.terms is None or not self.terms.currency:
            return None
        return chips * float(self.terms.chip)

    def _line(self, place: int) -> str:
        one = self.actions[place]
        marks = [
            word for word, is_so in (("taken", place == self.taken), ("best", place == self.best)) if is_so
        ]
        reach = "exact" if one.error == 0 else f"± {self.bb(self.wide * one.error)}"
        spread = ""
        if one.spread is not None:
            spread = f", other models {' to '.join(self.bb(chips, sign=True) for chips in one.spread)}"
        said = f" ({', '.join(marks)})" if marks else ""
        return f"{one.words}: {self.words(one.value)} {reach}{spread}{said}"

    def as_json(self) -> dict[str, Any]:
        """Return the values as JSON values, in big blinds."""
        actions = [
            {
                "action": one.words,
                "code": one.code,
                "bb": one.value / self.unit,
                "chips": one.value,
                "money": self.money(one.value),
                "standard_error_bb": one.error / self.unit,
                "reference": one.probability,
                "other_models_bb": None
                if one.spread is None
                else [chips / self.unit for chips in one.spread],
            }
            for one in self.actions
        ]
        spread = None if self.loss_spread is None else [chips / self.unit for chips in self.loss_spread]
        return {
            "situation": describe_situation(self.view),
            "actions": actions,
            "taken": None if self.taken is None else self.actions[self.taken].words,
            "best": self.actions[self.best].words,
            "loss_bb": self.loss / self.unit,
            "loss_standard_error_bb": self.loss_error / self.unit,
            "loss_money": self.money(self.loss),
            "loss_bb_other_models": spread,
            "cost_bb": self.cost / self.unit,
            "cost_standard_error_bb": self.cost_error / self.unit,
            "currency": None if self.terms is None else self.terms.currency,
            "state": self.state,
            "samples": self.samples,
            "effective_samples": self.effective,
            "assumptions": self.assumptions,
        }

    def frame(self) -> "pl.DataFrame":
        """Return the actions as a polars data frame, one row each, in big blinds."""
        import polars as pl  # noqa: PLC0415

        return pl.DataFrame(
            {
                "action": [one.words for one in self.actions],
                "code": [one.code for one in self.actions],
                "bb": [one.value / self.unit for one in self.actions],
                "error": [one.error / self.unit for one in self.actions],
                "reference": [one.probability for one in self.actions],
                "taken": [place == self.taken for place in range(len(self.actions))],
            }
        )


CLOSE = 0.05
"""Standard error in big blinds below which a decision that is not told apart counts as close."""


def words_of(view: View, code: int) -> str:
    """Return an action in words."""
    return action_words(view, code)
