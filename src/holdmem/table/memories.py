"""Memories of seats as plain arrays, so that a run that was stopped goes on as if it had never been.

A seat that learns may have `state` and `restore`. Its state is all that later decisions depend on, as arrays
by name; a seat that has just sat down to the same game with the same parameters takes it up again. States
come from files: `restore` checks every array before a kernel sees it, with `taken`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from holdmem.errors import AgentError, NotationError
from holdmem.table.contract import Seat, WatchingSeat

State = dict[str, NDArray[Any]]

MOST = 2**53
"""More than anything is counted to: sums of such numbers stay within 64 bits."""
MOST_PLAYERS = 4096
"""As many may take turns at a table."""


@runtime_checkable
class KeepingSeat(WatchingSeat, Protocol):
    """A seat that learns and whose memory can be kept."""

    def state(self) -> State:
        """All that its later decisions depend on, as arrays of numbers by name."""
        ...

    def restore(self, state: State) -> None:
        """Take up such a state; NotationError if it is not one of this seat."""
        ...


def taken(
    state: Mapping[str, NDArray[Any]],
    name: str,
    like: NDArray[Any],
    least: int = 0,
    most: int = MOST,
    wider: bool = False,
) -> NDArray[Any]:
    """The array of this name, if it is of the same kind and shape as `like` and its numbers are possible.

    Whole numbers are from `least` to `most`, fractions finite. With `wider` there may be more players, which
    are on the second axis.
    """
    if name not in state:
        raise NotationError(f"expected an array {name!r}, got none")
    found = state[name]
    shape = list(like.shape)
    if wider and found.ndim == like.ndim and like.shape[1] < found.shape[1] <= MOST_PLAYERS:
        shape[1] = found.shape[1]
    if found.dtype != like.dtype or list(found.shape) != shape:
        raise NotationError(
            f"expected {name} of {like.dtype} and shape {like.shape}, got {found.dtype} and {found.shape}"
        )
    numbers = np.ascontiguousarray(found)
    plain = numbers.view(np.int64) if numbers.dtype.names else numbers  # records of whole numbers
    fine = np.isfinite(plain) if plain.dtype.kind == "f" else (plain >= least) & (plain <= most)
    if not fine.all():
        raise NotationError(f"expected {name} from {least} to {most}, got {plain[~fine][0]}")
    return numbers.copy()


def within(prefix: object, state: State) -> State:
    """A state as a part of another."""
    return {f"{prefix}/{name}": array for name, array in state.items()}


def part_of(state: State, prefix: object) -> State:
    """That part again."""
    start = f"{prefix}/"
    return {name.removeprefix(start): array for name, array in state.items() if name.startswith(start)}


def state_of(seats: Sequence[Seat], names: Sequence[str]) -> State:
    """The states of all seats that learn; AgentError names one whose memory cannot be kept."""
    found: State = {}
    for number, (seat, name) in enumerate(zip(seats, names, strict=True)):
        if isinstance(seat, WatchingSeat):
            found |= within(number, _keeping(seat, name).state())
    return found


def restore_all(seats: Sequence[Seat], names: Sequence[str], state: State) -> None:
    """Give all seats that learn their states again."""
    for number, (seat, name) in enumerate(zip(seats, names, strict=True)):
        if isinstance(seat, WatchingSeat):
            try:
                _keeping(seat, name).restore(part_of(state, number))
            except NotationError as error:
                raise NotationError(f"memory of {name}: {error}") from None


def _keeping(seat: Seat, name: str) -> KeepingSeat:
    if not isinstance(seat, KeepingSeat):
        raise AgentError(f"{name}: learns, but its memory cannot be kept: its seat has no state and restore")
    return seat
