"""The agent interface: what takes a seat, what it is asked, and what it may answer.

An `Agent` is a small frozen description of a player. Sitting down turns it into a `Seat`, which holds the
player's memory; to wipe the memory, sit down again. Only `act` is required. A seat without `watch` is static:
its hands may be played in any order and in batches of any size. A seat with `policy` draws its actions from
that policy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.agent.explanation import Explanation
from holdmem.agent.kernels.views import draw
from holdmem.agent.views import View, Views
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine.game import Game
from holdmem.engine.state import CALL, FOLD

if TYPE_CHECKING:
    from holdmem.agent.play import FinishedHands


@dataclass(frozen=True)
class Actions:
    """One action per view: FOLD, CALL (a check where checking is free), or the total of a raise.

    Totals are the chips that the seat has bet on the current street: raise-to, never raise-by.

    Parameters
    ----------
    codes : one integer per view.

    Raises
    ------
    AgentError : the codes are not one row of integers.

    Examples
    --------
    >>> len(Actions([FOLD, CALL, 20]))
    3
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
        # Columns of views are read-only; copy them, because numba compiles separately for read-only arrays.
        object.__setattr__(self, "codes", codes if codes.flags.writeable else codes.copy())

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True)
class Policy:
    """Action probabilities per view.

    Parameters
    ----------
    probabilities : shape (views, actions); each row sums to one.
    codes : the actions, as in `Actions`, of the same shape.

    Raises
    ------
    AgentError : the shapes differ, or the codes are not integers.

    Examples
    --------
    >>> policy = Policy([[0.25, 0.75]], [[FOLD, CALL]])
    >>> policy.draw([0.5]).codes.tolist()
    [0]
    """

    probabilities: NDArray[np.float64]
    codes: NDArray[np.int64]

    def __post_init__(self) -> None:
        probabilities, codes = np.asarray(self.probabilities), np.asarray(self.codes)
        if probabilities.ndim != 2 or probabilities.shape != codes.shape or codes.dtype.kind not in "iu":
            raise AgentError(
                f"expected probabilities and integer actions, both of shape (views, actions),"
                f" got probabilities of shape {probabilities.shape} and {codes.dtype} of shape {codes.shape}"
            )
        object.__setattr__(self, "probabilities", np.require(probabilities, np.float64, ["C", "W"]))
        object.__setattr__(self, "codes", np.require(codes, np.int64, ["C", "W"]))

    def draw(self, uniforms: ArrayLike) -> Actions:
        """Draw one action per view, given one uniform number in [0, 1) per view."""
        numbers = np.ascontiguousarray(uniforms, dtype=np.float64).reshape(-1)
        out = np.empty(len(self.codes), dtype=np.int64)
        if len(numbers) != len(out):
            raise AgentError(f"expected one random number for each of {len(out)} views, got {len(numbers)}")
        draw(self.probabilities, self.codes, numbers, out)
        return Actions(out)

    def probability_of(self, codes: ArrayLike) -> NDArray[np.float64]:
        """Return the probability that the policy gives to `codes`, one action per view."""
        chosen = self.codes == np.asarray(codes)[:, None]
        return np.where(chosen, self.probabilities, 0.0).sum(axis=1)  # type: ignore[no-any-return]


@runtime_checkable
class Seat(Protocol):
    """One agent playing at `tables` tables at once, with everything that it remembers.

    Examples
    --------
    >>> seat = make_agent("always-call").sit(find_game("limit"), tables=1, rng=Streams.of(1))
    >>> seat.act(Situation(hole="AhKd").views).codes.tolist()
    [0]
    """

    def act(self, views: Views) -> Actions:
        """Choose one action per view."""
        ...


@runtime_checkable
class PolicySeat(Seat, Protocol):
    """A seat that can report its action probabilities."""

    def policy(self, views: Views) -> Policy:
        """Return the probability of each action. Draw nothing, change nothing, and accept any hole cards."""
        ...


@runtime_checkable
class WatchingSeat(Seat, Protocol):
    """A seat that learns from finished hands, and therefore plays its hands one after another."""

    def watch(self, hands: "FinishedHands") -> None:
        """Learn from finished hands, of which only what this seat saw is visible."""
        ...


@runtime_checkable
class ExplainingSeat(Seat, Protocol):
    """A seat that can explain its decisions."""

    def explain(self, view: View) -> Explanation:
        """Explain the decision at this view. Called when the decision is made, since memory changes later."""
        ...


@runtime_checkable
class CountingSeat(Seat, Protocol):
    """A seat that keeps counts worth reporting after a match, such as how often it played in which way."""

    def counts(self) -> Mapping[str, int]:
        """Return the counts since it sat down, over all tables; match results add them up."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Description of a player: a frozen dataclass, equal and hashable by content, picklable.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Caller:
    ...     def sit(self, game, tables, rng):
    ...         return self  # it remembers nothing, so it can be its own seat
    ...     def act(self, views):
    ...         return Actions([CALL] * len(views))
    >>> isinstance(Caller(), Agent), isinstance(Caller(), Seat)
    (True, True)
    >>> match("limit", Caller(), "random", hands=10).hands
    20
    """

    def sit(self, game: Game, tables: int, rng: Streams) -> Seat:
        """Sit down with an empty memory. Raise AgentError if the agent cannot play this game."""
        ...


__all__ = [
    "CALL",
    "FOLD",
    "Actions",
    "Agent",
    "CountingSeat",
    "ExplainingSeat",
    "Explanation",
    "Policy",
    "PolicySeat",
    "Seat",
    "WatchingSeat",
]
