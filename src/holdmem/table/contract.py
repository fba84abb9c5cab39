"""The agent contract: what sits down, what it is asked, what it may answer.

An `Agent` is a small frozen description; sitting down gives it a memory, the `Seat`. "Memories are wiped"
means: sit down again. Only `act` must be there. A seat without `watch` is static: its hands may be played in
any order and batch. A seat with `policy` draws its actions from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.errors import AgentError
from holdmem.rules.batch import in_words
from holdmem.rules.game import Game
from holdmem.rules.state import CALL, FOLD
from holdmem.table.kernels import draw
from holdmem.table.streams import Streams
from holdmem.table.views import View, Views

if TYPE_CHECKING:
    from holdmem.table.lockstep import Finished


@dataclass(frozen=True)
class Actions:
    """One decision for each view: FOLD, CALL (a check where it is free), or the total of a raise.

    Totals are chips on this street: raise-to, never raise-by.
    """

    codes: NDArray[np.int64]

    def __post_init__(self) -> None:
        codes = np.asarray(self.codes)
        if codes.ndim != 1 or codes.dtype.kind not in "iu":
            raise AgentError(
                f"expected actions as one row of ints (FOLD, CALL or the total of a raise),"
                f" got {codes.dtype} of shape {codes.shape}"
            )
        codes = np.ascontiguousarray(codes, dtype=np.int64)
        # Columns of views are read-only, and numba compiles once more for such arrays.
        object.__setattr__(self, "codes", codes if codes.flags.writeable else codes.copy())

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True)
class Policy:
    """The probability of each action for each view: `probabilities` and `codes`, both (n, actions)."""

    probabilities: NDArray[np.float64]
    codes: NDArray[np.int64]

    def __post_init__(self) -> None:
        chances, codes = np.asarray(self.probabilities), np.asarray(self.codes)
        if chances.ndim != 2 or chances.shape != codes.shape or codes.dtype.kind not in "iu":
            raise AgentError(
                f"expected a probability for each action, both as (views, actions) and actions as ints,"
                f" got probabilities of shape {chances.shape} and {codes.dtype} of shape {codes.shape}"
            )
        object.__setattr__(self, "probabilities", np.require(chances, np.float64, ["C", "W"]))
        object.__setattr__(self, "codes", np.require(codes, np.int64, ["C", "W"]))

    def draw(self, uniforms: ArrayLike) -> Actions:
        """One action a view, by numbers from 0 to below 1, one a view."""
        numbers = np.ascontiguousarray(uniforms, dtype=np.float64).reshape(-1)
        out = np.empty(len(self.codes), dtype=np.int64)
        if len(numbers) != len(out):
            raise AgentError(f"expected one random number for each of {len(out)} views, got {len(numbers)}")
        draw(self.probabilities, self.codes, numbers, out)
        return Actions(out)

    def probability_of(self, codes: ArrayLike) -> NDArray[np.float64]:
        """How likely the policy is to choose these actions, one a view."""
        chosen = self.codes == np.asarray(codes)[:, None]
        return np.where(chosen, self.probabilities, 0.0).sum(axis=1)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Ground:
    """One thing that an explanation rests on: a remembered case, a rule, a roll-out."""

    what: str
    weight: float
    facts: Mapping[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """Why an agent decides as it does: the situation in words, how likely each action was, the grounds."""

    words: str
    chances: tuple[tuple[int, float], ...] = ()
    grounds: tuple[Ground, ...] = ()

    def __str__(self) -> str:
        lines = [self.words]
        lines += [f"  {chance:6.1%}  {in_words(code)}" for code, chance in self.chances]
        for ground in self.grounds:
            facts = ", ".join(f"{name} {value}" for name, value in ground.facts.items())
            lines.append(f"  {ground.weight:.3f}  {ground.what}" + (f" ({facts})" if facts else ""))
        return "\n".join(lines)


@runtime_checkable
class Seat(Protocol):
    """One agent at `tables` tables at once, with all that it remembers."""

    def act(self, views: Views) -> Actions:
        """One decision for each view."""
        ...


@runtime_checkable
class PolicySeat(Seat, Protocol):
    """A seat that can say how likely it is to do what."""

    def policy(self, views: Views) -> Policy:
        """The probability of each action. Draws nothing, changes nothing, accepts any hole cards."""
        ...


@runtime_checkable
class WatchingSeat(Seat, Protocol):
    """A seat that learns from ended hands, and so plays hand after hand."""

    def watch(self, hands: "Finished") -> None:
        """What this seat saw of hands that have ended."""
        ...


@runtime_checkable
class ExplainingSeat(Seat, Protocol):
    """A seat that can give its reasons."""

    def explain(self, view: View) -> Explanation:
        """Why it decides as it does at this view; asked at the decision, since memory moves on."""
        ...


@runtime_checkable
class CountingSeat(Seat, Protocol):
    """A seat that counts what is worth knowing after a match, such as how often it played in which way."""

    def counts(self) -> Mapping[str, int]:
        """What it has counted since it sat down, all tables together; results of a match add them up."""
        ...


@runtime_checkable
class Agent(Protocol):
    """A description of a player: a frozen dataclass, equal and hashable by content, picklable."""

    def sit(self, game: Game, tables: int, rng: Streams) -> Seat:
        """Sit down with an empty memory. Raises AgentError if this game cannot be played."""
        ...


__all__ = [
    "CALL",
    "FOLD",
    "Actions",
    "Agent",
    "CountingSeat",
    "ExplainingSeat",
    "Explanation",
    "Ground",
    "Policy",
    "PolicySeat",
    "Seat",
    "WatchingSeat",
]
