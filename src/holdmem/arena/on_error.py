"""`--on-error fold`: where a bot fails, it checks or folds, the match goes on, and the decision is counted.

A decision is mended if the bot raises an error, gives no usable answer, or chooses an action that the rules
forbid. A fold where a check is free becomes a check, counted separately: it is careless, not wrong. An agent
that exceeds its time limit, or fails while it watches, still ends the match.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from holdmem.agent import CALL, FOLD, Actions, FinishedHands, Seat, View, Views
from holdmem.agent.ask import ask_one, ask_seat, watches
from holdmem.arena.time_limit import TimeLimitExceeded
from holdmem.core.errors import BadDecision
from holdmem.core.types import Ints
from holdmem.engine.describe import describe_action

Place = tuple[int, ...]
"""Match, table, hand and decision: the order in which messages are first, whatever the batch."""


@dataclass(frozen=True)
class Replacements:
    """How many decisions of one agent were replaced after an error or a free fold, and the first message."""

    decisions: int = 0
    free_folds: int = 0
    first: str = ""
    place: Place = ()

    def __bool__(self) -> bool:
        return bool(self.decisions or self.free_folds)

    def __add__(self, other: "Replacements") -> "Replacements":
        one = min((found for found in (self, other) if found.first), key=_place, default=self)
        folds = self.free_folds + other.free_folds
        return Replacements(self.decisions + other.decisions, folds, one.first, one.place)

    def as_json(self) -> dict[str, Any]:
        """Return the numbers and the message, without where it is from."""
        return {"decisions": self.decisions, "free_folds": self.free_folds, "first": self.first}

    def as_stored(self) -> dict[str, Any]:
        """Return the form in which the ledger keeps it."""
        return {**self.as_json(), "place": list(self.place)}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Replacements":
        """Rebuild the account from the ledger's form; KeyError or ValueError if that is damaged."""
        decisions, folds, first = stored["decisions"], stored["free_folds"], stored["first"]
        place = tuple(stored["place"])
        if type(first) is not str or any(type(number) is not int for number in (decisions, folds, *place)):
            raise ValueError(f"not an account of mended decisions: {stored!r:.60}")
        return cls(decisions, folds, first, place)

    def __str__(self) -> str:
        said = [f"{self.decisions:,} failed decisions became checks or folds"] if self.decisions else []
        said += [f"{self.free_folds:,} free folds became checks"] if self.free_folds else []
        return f"{' and '.join(said)}; the first: {self.first}"


def _place(found: Replacements) -> Place:
    return found.place


@runtime_checkable
class ReplacingSeat(Protocol):
    """A seat that has counted its mended decisions."""

    def mended(self) -> Replacements:
        """Return the account since it sat down."""
        ...


class FoldingSeat:
    """A seat whose failed decisions become checks or folds; other methods are those of the wrapped seat."""

    watch: Callable[[FinishedHands], None]

    def __init__(self, seat: Seat, name: str) -> None:
        self.seat = seat
        self.name = name
        self.account: Replacements = Replacements()
        for ability in ("policy", "explain", "counts"):
            if hasattr(seat, ability):
                setattr(self, ability, getattr(seat, ability))
        if watches(seat):
            self.watch = seat.watch

    def mended(self) -> Replacements:
        """Return the account of mended decisions since it sat down."""
        return self.account

    def act(self, views: Views) -> Actions:
        """Choose one legal action per view; a batch that fails is asked about one view at a time."""
        try:
            codes = ask_seat(self.seat, views, self.name).codes
        except BadDecision as error:
            _stop_if_out_of_time(error)
            codes = np.array([self._ask_one(views[row : row + 1]) for row in range(len(views))])
        return Actions(self._legal(views, codes))

    def _ask_one(self, views: Views) -> int:
        try:
            return ask_one(self.seat, views, self.name)
        except BadDecision as error:
            _stop_if_out_of_time(error)
            self.account += Replacements(1, 0, str(error), _where(views[0]))
            return FOLD if views[0].to_call else CALL

    def _legal(self, views: Views, codes: Ints) -> Ints:
        """Replace illegal actions by a check or a fold."""
        raises = (views.max_raise_to > 0) & (codes >= views.min_raise_to) & (codes <= views.max_raise_to)
        legal = (codes == CALL) | ((codes == FOLD) & (views.to_call > 0)) | ((codes > 0) & raises)
        if legal.all():
            return codes
        mended = codes.copy()
        for row in np.flatnonzero(~legal).tolist():
            view, wanted = views[row], int(codes[row])
            free = wanted == FOLD
            mended[row] = FOLD if view.to_call else CALL
            said = f"{self.name}: {_complaint(view, wanted)}; at {view}"
            self.account += Replacements(int(not free), int(free), said, _where(view))
        return mended


def _complaint(view: View, wanted: int) -> str:
    if wanted == FOLD:
        return "expected a check, which is free, got a fold"
    most = view.max_raise_to
    expected = f"a raise to {view.min_raise_to} up to {most}" if most else "no raise, since none is legal"
    return f"expected {expected}, got {describe_action(wanted)}"


def _where(view: View) -> Place:
    row = view.alone.rows[0]
    return (*(int(row["hand_id"][name]) for name in ("match", "table", "hand")), int(row["actions"]))


def _stop_if_out_of_time(error: BadDecision) -> None:
    """Raise the bot's own error if its time is up: the time limit stops the match."""
    if error.__cause__ is not None and _out_of_time(error):
        raise error.__cause__


def _out_of_time(error: BaseException | None) -> bool:
    """Whether an error was caused by the end of the agent's time."""
    return error is not None and (isinstance(error, TimeLimitExceeded) or _out_of_time(error.__cause__))


def all_mended(units: Iterable[Mapping[str, Any]], players: int) -> list[Replacements]:
    """Add up the accounts of a match's units, by player."""
    found = [Replacements()] * players
    for unit in units:
        stored = unit.get("mended", [])
        found = (
            [one + Replacements.of(more) for one, more in zip(found, stored, strict=True)]
            if stored
            else found
        )
    return found
