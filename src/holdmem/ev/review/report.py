"""`LeakReport`: the result of a review, as a value that prints, and as JSON."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.core.display import html_table, short
from holdmem.core.statistics import NORMAL, Estimate
from holdmem.ev.estimate import Precision
from holdmem.ev.result import CLOSE
from holdmem.ev.review.examples import decision_json
from holdmem.ev.review.leaks import Leak, LeakTest, per_100
from holdmem.ev.review.reference_hands import ReferenceHand
from holdmem.ev.review.situations import TABLES
from holdmem.ev.review.units import Columns
from holdmem.history import Hands
from holdmem.history.stats import StatLine

if TYPE_CHECKING:
    import polars as pl

LISTED = 20
"""Dearest decisions that the JSON and the HTML page list."""


@dataclass(frozen=True, eq=False)
class LeakReport:
    """What a player's decisions cost, in which situations, and how sure that is.

    Attributes
    ----------
    player : whose hands these are.
    reference, others : who plays on for the player, and the model of the others, in words.
    hands : the reviewed hands.
    columns : one entry per decision; see `frame`.
    tests : leaks, strengths, differences of style and open classes.
    statistics : the player's tracker statistics, with the win rate.
    precision : how precisely each decision was valued.
    also : other models of the others, under which the dearest decisions were valued too, in words.
    reference_hands : hands of the reference for each leak, by family and name.
    """

    player: str
    reference: str
    others: str
    hands: Hands
    columns: Columns
    tests: LeakTest
    statistics: StatLine
    precision: Precision
    also: tuple[str, ...] = ()
    reference_hands: dict[tuple[str, str], tuple[ReferenceHand, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        found = f"{len(self.leaks)} leak{'' if len(self.leaks) == 1 else 's'}"
        counts = f"{len(self.hands):,} hands, {self.decisions:,} decisions"
        return f"LeakReport({short(self.player)}: {counts}, {found})"

    def _repr_html_(self) -> str:
        rows = [(one.name, one.habit, str(one.cost), one.decisions) for one in self.leaks]
        return html_table(("situation", "habit", "cost", "decisions"), rows, repr(self))

    @property
    def decisions(self) -> int:
        """Number of decisions with known hole cards."""
        return len(self.columns["cost"])

    @property
    def leaks(self) -> tuple[Leak, ...]:
        """Situation classes that cost money beyond chance, dearest first."""
        return self.tests.leaks

    @property
    def cost(self) -> Estimate:
        """The reference's expected value less the player's, over all decisions."""
        return per_100(self.columns["cost"], self.columns["hand"], len(self.hands))

    @property
    def loss(self) -> Estimate:
        """Expected value lost against the best action of each decision."""
        return per_100(self.columns["loss"], self.columns["hand"], len(self.hands))

    def by(self, table: str) -> list[tuple[str, int, Estimate, Estimate]]:
        """Return name, decisions, loss and cost of every class of a table, in order of the cost."""
        names = np.array(self.columns[table])
        found = []
        for name in sorted(set(self.columns[table])):
            mask = names == name
            hand = self.columns["hand"][mask]
            loss, cost = (
                per_100(self.columns[what][mask], hand, len(self.hands)) for what in ("loss", "cost")
            )
            found.append((name, int(mask.sum()), loss, cost))
        return sorted(found, key=lambda one: -one[3].mean)

    @property
    def precise(self) -> float:
        """Share of decisions whose standard error is within the precision asked for."""
        return float(np.mean(self.columns["precise"]))

    @property
    def dearest_states(self) -> dict[str, int]:
        """Number of the decisions valued again that are told apart, close (below 0.05 bb) or open."""
        if "again" not in self.columns:
            return {}
        which = self.columns["again"]
        loss, error = self.columns["loss"][which], self.columns["loss_error"][which]
        apart = (np.abs(loss) > NORMAL * error) | (self.columns["is_best"][which] & (error == 0))
        close = ~apart & (error <= CLOSE)
        return {
            "told apart": int(apart.sum()), "close": int(close.sum()), "open": int((~apart & ~close).sum())
        }  # fmt: skip

    def spread(self, place: int) -> tuple[float, float] | None:
        """Return the smallest and largest loss of a decision under the other models, if it was compared."""
        if "loss_low" not in self.columns or np.isnan(self.columns["loss_low"][place]):
            return None
        return float(self.columns["loss_low"][place]), float(self.columns["loss_high"][place])

    @property
    def compared(self) -> tuple[int, int]:
        """Number of decisions that lose more than 0.05 bb under every other model, and of those compared."""
        if "loss_low" not in self.columns:
            return 0, 0
        low = self.columns["loss_low"]
        return int((low > CLOSE).sum()), int((~np.isnan(low)).sum())

    @property
    def states(self) -> dict[str, int]:
        """Number of decisions that are best, clearly not best, or open."""
        clear = self.columns["loss"] > NORMAL * self.columns["loss_error"]
        best = self.columns["is_best"]
        return {
            "best": int((best & ~clear).sum()),
            "clearly worse": int(clear.sum()),
            "open": int((~best & ~clear).sum()),
        }

    def hands_needed(self, leak: Leak) -> int | None:
        """Return how many hands it would take for a cost of this size to be clear."""
        if not leak.cost.mean or not leak.cost.standard_error:
            return None
        z = 3.0  # about what the false-discovery control asks of one class among fifty
        return math.ceil(len(self.hands) * (z * leak.cost.standard_error / leak.cost.mean) ** 2 / 100) * 100

    @property
    def assumptions(self) -> str:
        """What was assumed, in one line."""
        compared = f"; the dearest decisions are compared with {' and '.join(self.also)}" if self.also else ""
        return (
            f"Assumed: the others play like {self.others}, and after each action {self.player} goes on like"
            f" {self.reference}{compared}. Intervals are of sampling only."
        )

    def dearest(self, most: int = 5) -> list[int]:
        """Return the places of the decisions that lost most, among those that clearly lost."""
        clear = self.columns["loss"] > NORMAL * self.columns["loss_error"]
        order = np.argsort(-np.where(clear, self.columns["loss"], 0), kind="stable")[:most]
        return [int(place) for place in order if clear[place]]

    def frame(self) -> "pl.DataFrame":
        """Return the decisions as a polars data frame, one row each; values are in big blinds."""
        import polars as pl  # noqa: PLC0415

        numbers = self.hands.rows["number"][self.columns["hand"]]
        flat = {
            name: column
            for name, column in self.columns.items()
            if isinstance(column, list) or column.ndim == 1
        }
        return pl.DataFrame({"number": numbers, **flat})

    def as_json(self) -> dict[str, Any]:
        """Return the review as JSON values."""
        rate, adjusted = self.statistics.bb_per_100(), self.statistics.all_in_adjusted()
        tests = self.tests
        return {
            "player": self.player,
            "reference": self.reference,
            "others": self.others,
            "hands": len(self.hands),
            "decisions": self.decisions,
            "win_rate": None if rate is None else rate.as_json(),
            "all_in_adjusted": None if adjusted is None else adjusted.as_json(),
            "cost": self.cost.as_json(),
            "loss": self.loss.as_json(),
            "precise": self.precise,
            "states": self.states,
            "dearest_states": self.dearest_states,
            "other_models": list(self.also),
            "dearest_decisions": [decision_json(self, place) for place in self.dearest(LISTED)],
            "samples": int(self.columns["samples"].sum()),
            "assumptions": self.assumptions,
            "classes_tested": tests.tested,
            "leaks": [self._leak_json(one) for one in tests.leaks],
            "better_than_the_reference": [self._leak_json(one) for one in tests.strengths],
            "differences_of_style": [one.as_json() for one in tests.style],
            "open": [one.as_json() | {"hands_needed": self.hands_needed(one)} for one in tests.open],
            "tables": {table: [_row(row) for row in self.by(table)] for table in TABLES},
        }

    def _leak_json(self, leak: Leak) -> dict[str, Any]:
        numbers = self.hands.rows["number"]
        hands = [int(numbers[self.columns["hand"][place]]) for place in leak.examples]
        shown = [one.as_json() for one in self.reference_hands.get((leak.family, leak.name), ())]
        return leak.as_json() | {"typical_hands": hands, "reference_hands": shown}


def _row(row: tuple[str, int, Estimate, Estimate]) -> dict[str, Any]:
    name, decisions, loss, cost = row
    return {"name": name, "decisions": decisions, "loss": loss.as_json(), "cost": cost.as_json()}
