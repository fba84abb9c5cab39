"""`Explanation`: why an agent decides as it does, in sentences, with what they rest on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from holdmem.core.display import html_bar, html_table, short

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class ExplainedAction:
    """An action, how likely the agent takes it, and what memory or a search says about it.

    Attributes
    ----------
    code : FOLD, CALL or the total of a raise.
    words : the action in words: "call 10".
    probability : how likely the agent takes it.
    remembered : share of the remembered decisions in which it was taken, before the agent's policy is
        applied; None for agents without memory.
    worth : the number that the explanation's `measure` describes; None if unknown.
    """

    code: int
    words: str
    probability: float
    remembered: float | None = None
    worth: float | None = None


@dataclass(frozen=True)
class ExampleHand:
    """A remembered hand: one line on it, the hand itself, the expert's seat and the index of its decision."""

    words: str
    hand: Any
    seat: int
    decision: int


@dataclass(frozen=True)
class Detail:
    """One detail for developers, such as a retrieved case with its feature values."""

    what: str
    weight: float
    facts: Mapping[str, float | str] = field(default_factory=dict)

    def __str__(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return f"{self.weight:.3f}  {self.what}" + (f" ({facts})" if facts else "")


@dataclass(frozen=True)
class Explanation:
    """Why an agent decides as it does.

    Attributes
    ----------
    situation : the decision in poker words, as the player to act sees it.
    decision : one sentence on what the agent does, with probabilities.
    reasons : the reasons for the decision, in sentences, most important first.
    actions : the actions, most probable first.
    measure : what the `worth` of an action is, such as "mean result in small bets"; "" if there is none.
    hands : remembered hands like this one.
    details : what developers want to know: feature values, nodes, similarities.

    Examples
    --------
    >>> found = explain("sartre-2", Situation(hole="AhKd", board="Kc8s2d", betting="rc/r"))
    >>> found.decision
    'It raises to 20.'
    >>> found.reasons[0]
    'In 726 remembered decisions like this the expert eqm raised 59% and called 41% of the time.'
    >>> [(action.words, action.probability) for action in found.actions]
    [('raise to 20', 1.0), ('call 10', 0.0)]
    """

    situation: str = ""
    decision: str = ""
    reasons: tuple[str, ...] = ()
    actions: tuple[ExplainedAction, ...] = ()
    measure: str = ""
    hands: tuple[ExampleHand, ...] = ()
    details: tuple[Detail, ...] = ()

    @property
    def probabilities(self) -> tuple[tuple[int, float], ...]:
        """The actions of positive probability as (code, probability)."""
        return tuple((action.code, action.probability) for action in self.actions if action.probability > 0)

    @property
    def paragraphs(self) -> list[str]:
        """The explanation without its details, one text per line: situation, decision, reasons, hands."""
        many = ("", "One", "Two", "Three")
        title = f"{many[len(self.hands)]} of those hands:" if self.hands else ""
        lines = [self.situation, self.decision, *self.reasons, title]
        return [line for line in lines if line] + [f"– {hand.words}" for hand in self.hands]

    def __str__(self) -> str:
        return "\n".join(self.paragraphs)

    @property
    def detailed(self) -> str:
        """The explanation followed by its details."""
        return "\n".join([str(self), *(f"  {detail}" for detail in self.details)])

    def __repr__(self) -> str:
        return f"Explanation({short(self.situation, 80)} {short(self.decision, 60)})"

    def _repr_html_(self) -> str:
        text = "".join(f"<p>{escape(line)}</p>" for line in self.paragraphs)
        facts = [(f"{one.weight:.3f}", one.what, _facts(one)) for one in self.details]
        fold = html_table(("weight", "detail", "facts"), facts)
        folded = f"<details><summary>Details</summary>{fold}</details>" if facts else ""
        headings, rows = self.table
        bars = [html_bar(action.probability) for action in self.actions]
        drawn = [(row[0], bar, *row[2:]) for row, bar in zip(rows, bars, strict=True)]
        return f"{text}{html_table(headings, drawn)}{folded}"

    @property
    def table(self) -> tuple[list[str], list[tuple[str | None, ...]]]:
        """The actions as headings and rows of text, with the columns that have values."""
        columns: list[tuple[str, list[str | None]]] = [
            ("action", [action.words for action in self.actions]),
            ("probability", [f"{action.probability:.1%}" for action in self.actions]),
        ]
        if any(action.remembered is not None for action in self.actions):
            shares = [action.remembered for action in self.actions]
            columns.append(("remembered", [None if share is None else f"{share:.1%}" for share in shares]))
        if self.measure:
            worth = [action.worth for action in self.actions]
            columns.append((self.measure, [None if value is None else f"{value:+.2f}" for value in worth]))
        return [heading for heading, _ in columns], list(zip(*(cells for _, cells in columns), strict=True))

    def frame(self) -> "pl.DataFrame":
        """Return the actions as a polars data frame, one row per action."""
        import polars as pl  # noqa: PLC0415

        columns = {"action": pl.String, "code": pl.Int64, "probability": pl.Float64,
                   "remembered": pl.Float64, "worth": pl.Float64}  # fmt: skip
        rows = [
            (action.words, action.code, action.probability, action.remembered, action.worth)
            for action in self.actions
        ]
        return pl.DataFrame(rows, schema=columns, orient="row")


def _facts(detail: Detail) -> str:
    return ", ".join(f"{name} {value}" for name, value in detail.facts.items())
