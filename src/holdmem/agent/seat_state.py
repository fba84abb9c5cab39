"""Memories of seats as plain arrays, so that an interrupted run can resume without affecting its results.

A seat that learns may have `state` and `restore`. Its state is everything that later decisions depend on, as
arrays by name; a seat that has just sat down to the same game with the same parameters restores it. States
come from files, so `restore` checks every array with `checked_array` before a kernel reads it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.contract import Seat, WatchingSeat
from holdmem.core.errors import AgentError, NotationError

SeatState = dict[str, NDArray[Any]]

MOST = 2**53
"""Upper bound of every stored count, so that sums of them stay within 64 bits."""
MOST_PLAYERS = 4096
"""Maximum number of players that may take turns at a table."""


@runtime_checkable
class SavableSeat(WatchingSeat, Protocol):
    """A seat that learns and whose memory can be saved."""

    def state(self) -> SeatState:
        """Return everything that later decisions depend on, as arrays of numbers by name."""
        ...

    def restore(self, state: SeatState) -> None:
        """Restore such a state. Raise NotationError if it does not fit this seat."""
        ...


def checked_array(
    state: Mapping[str, NDArray[Any]],
    name: str,
    like: NDArray[Any],
    least: int = 0,
    most: int = MOST,
    wider: bool = False,
) -> NDArray[Any]:
    """Return a copy of the array `name`, checked to have the dtype and shape of `like` and valid values.

    Integers must lie in [`least`, `most`], floats must be finite. With `wider`, the second axis, that of the
    players, may be longer than in `like`, up to MOST_PLAYERS.
    """
    if name not in state:
        raise NotationError(f"the array {name!r} is missing")
    found = state[name]
    shape = list(like.shape)
    if wider and found.ndim == like.ndim and like.shape[1] < found.shape[1] <= MOST_PLAYERS:
        shape[1] = found.shape[1]
    if found.dtype != like.dtype or list(found.shape) != shape:
        raise NotationError(
            f"expected {name} as {like.dtype} of shape {like.shape}, got {found.dtype} of {found.shape}"
        )
    numbers = np.ascontiguousarray(found)
    plain = numbers.view(np.int64) if numbers.dtype.names else numbers  # records of int64 fields
    fine = np.isfinite(plain) if plain.dtype.kind == "f" else (plain >= least) & (plain <= most)
    if not fine.all():
        raise NotationError(f"expected {name} from {least} to {most}, got {plain[~fine][0]}")
    return numbers.copy()


def prefixed(prefix: object, state: SeatState) -> SeatState:
    """Prefix the names of a state, so that it can be part of another state."""
    return {f"{prefix}/{name}": array for name, array in state.items()}


def unprefixed(state: SeatState, prefix: object) -> SeatState:
    """Extract the part stored under a prefix; the inverse of `prefixed`."""
    start = f"{prefix}/"
    return {name.removeprefix(start): array for name, array in state.items() if name.startswith(start)}


def state_of(seats: Sequence[Seat], names: Sequence[str]) -> SeatState:
    """Return the states of all seats that learn. Raise AgentError for a seat whose memory cannot be saved."""
    found: SeatState = {}
    for number, (seat, name) in enumerate(zip(seats, names, strict=True)):
        if isinstance(seat, WatchingSeat):
            found |= prefixed(number, _keeping(seat, name).state())
    return found


def restore_all(seats: Sequence[Seat], names: Sequence[str], state: SeatState) -> None:
    """Restore the states of all seats that learn."""
    for number, (seat, name) in enumerate(zip(seats, names, strict=True)):
        if isinstance(seat, WatchingSeat):
            try:
                _keeping(seat, name).restore(unprefixed(state, number))
            except NotationError as error:
                raise NotationError(f"memory of {name}: {error}") from None


def _keeping(seat: Seat, name: str) -> SavableSeat:
    if not isinstance(seat, SavableSeat):
        raise AgentError(f"{name}: learns, but its memory cannot be saved: its seat lacks state and restore")
    return seat
