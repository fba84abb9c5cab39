"""`Batch`: many hands of one game, each at its own decision, advanced by compiled code."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.evaluator import as_array
from holdmem.cards.kernels.evaluator import first_double
from holdmem.cards.notation import names
from holdmem.core.errors import GameError, IllegalAction, NotationError
from holdmem.core.types import Ints
from holdmem.engine.describe import describe_action
from holdmem.engine.game import Game
from holdmem.engine.kernels import batch
from holdmem.engine.state import ACTION, HAND, PARTS, UNLIMITED


def _keep_memory() -> None:
    """Make glibc keep freed arrays of up to 32 MB for reuse by the next batch.

    By default glibc returns them to the system, and every batch of thousands of hands has its pages mapped in
    again, which takes as long as playing the hands. glibc keeps blocks no larger than the largest block freed
    so far, so allocating and freeing this one raises the threshold; its pages are never touched. Other
    allocators are unaffected.
    """
    np.empty((32 << 20) - (1 << 16), dtype=np.uint8)


_keep_memory()


class Legal(NamedTuple):
    """Legal actions of the seats to act, one entry per table.

    A call is always legal, a fold only if calling costs chips. `least` and `most` bound the total on this
    street that a raise may make; both are 0 if no raise is legal.
    """

    to_call: Ints
    least: Ints
    most: Ints


class Batch:
    """Hands dealt from given decks. A deck lists the cards of seat 0, of seat 1 and so on, then the board."""

    def __init__(self, game: Game, decks: ArrayLike, stacks: ArrayLike | None = None) -> None:
        self.game: Game = game
        self.decks: NDArray[np.int8] = _checked_decks(game, decks)
        self.stacks: Ints = _checked_stacks(game, stacks, len(self.decks))
        self.hands: NDArray[np.record] = np.zeros(len(self.decks), dtype=HAND)
        self.history: NDArray[np.record] = np.zeros((len(self.decks), game.longest), dtype=ACTION)
        batch.deal_all(game.rules, self.stacks, self.decks, self.hands)

    def __len__(self) -> int:
        return len(self.hands)

    def deal(self, tables: Ints, decks: ArrayLike) -> None:
        """Deal new hands at these tables, with the stacks that they began with."""
        tables = self._checked_tables(tables)
        self.decks[tables] = _checked_decks(self.game, decks)
        batch.deal_at(self.game.rules, self.stacks, self.decks, self.hands, tables)

    def unfinished(self, tables: Ints | None = None) -> Ints:
        """Return those of `tables` (all by default) whose hand is not over."""
        tables = np.arange(len(self)) if tables is None else self._checked_tables(tables)
        out = np.empty_like(tables)
        return out[: batch.unfinished(self.hands, tables, out)]

    def legal(self, tables: Ints) -> Legal:
        """Return the legal actions of the seats to act at these tables; no hand may be over."""
        tables = self._checked_tables(tables)
        over = tables[self.hands["to_act"][tables] < 0]
        if len(over):
            raise IllegalAction(f"table {over[0]}: the hand is over, so no action is legal")
        legal = Legal(*np.empty((3, len(tables)), dtype=np.int64))
        batch.legal_all(self.game.rules, self.hands, tables, *legal)
        return legal

    def act(self, tables: Ints, actions: Ints) -> None:
        """Apply one action per table for the seat to act; all are checked before the first is applied."""
        tables, actions = self._checked_tables(tables), _ints(actions, "actions")
        if tables.shape != actions.shape or len(np.unique(tables)) < len(tables):
            raise IllegalAction(
                f"expected distinct tables and one action per table, got {tables.shape} and {actions.shape}"
            )
        wrong = batch.first_illegal(self.game.rules_row, self.hands, tables, actions)
        if wrong >= 0:
            raise IllegalAction(self.complaint(int(tables[wrong]), int(actions[wrong])))
        batch.act_all(self.game.rules_row, self.hands, self.history, tables, actions)

    def _checked_tables(self, tables: Ints) -> Ints:
        """Return the tables as an int64 array after checking that all are within the batch."""
        tables = _ints(tables, "tables")
        if len(tables) and not 0 <= tables.min() <= tables.max() < len(self):
            raise IllegalAction(
                f"expected tables from 0 to {len(self) - 1}, got {tables.min()} to {tables.max()}"
            )
        return tables

    def complaint(self, table: int, action: int) -> str:
        """Describe an illegal action: what was expected and what was received."""
        seat = self.hands["to_act"][table]
        if seat < 0:
            return f"table {table}: the hand is over, so no action is legal; got {describe_action(action)}"
        call, least, most = (int(column[0]) for column in self.legal(np.array([table])))
        highest = int(self.hands["highest"][table])
        expected = f"fold or call {call}" if call else "check (not a free fold)"
        if most:
            expected += f" or {describe_action(least, call, highest)}" + f" up to {most}" * (most > least)
        else:
            expected += " (no raise is legal)"
        return (
            f"table {table}, seat {seat}: expected {expected}, got {describe_action(action, call, highest)}"
        )

    @property
    def net(self) -> NDArray[np.float64]:
        """Chips won or lost, shape (tables, seats), of finished hands; `exact_net` avoids rounding."""
        return self.hands["net"][:, : self.game.seats] / PARTS

    def exact_net(self, table: int) -> list[Fraction]:
        """Return the result of one hand, per seat, as exact fractions of a chip."""
        return [Fraction(parts, PARTS) for parts in self.hands["net"][table, : self.game.seats].tolist()]


def _ints(values: ArrayLike, what: str) -> Ints:
    """Return the values as a contiguous int64 array; raise for fractions and numbers out of range."""
    column = as_array(values)
    whole = column.dtype.kind in "iu" and np.can_cast(column.dtype, np.int64)
    if column.ndim != 1 or (column.size and not whole):
        raise IllegalAction(f"expected {what} as a row of ints, got {column.dtype} of shape {column.shape}")
    return np.ascontiguousarray(column, dtype=np.int64)


def _checked_decks(game: Game, decks: ArrayLike) -> NDArray[np.int8]:
    rows = as_array(decks)
    if rows.ndim != 2 or rows.shape[1] < game.deck_cards or rows.dtype.kind not in "iu":
        raise NotationError(
            f"{game.name}: expected decks of {game.deck_cards} cards or more as rows of ints,"
            f" got {rows.dtype} of shape {rows.shape}"
        )
    if rows.size and not 0 <= rows.min() <= rows.max() < 52:
        raise NotationError(f"expected cards from 0 to 51, got {rows.min()} to {rows.max()}")
    rows = np.array(rows[:, : game.deck_cards], dtype=np.int8, order="C")
    double = first_double(rows)
    if double >= 0:
        raise NotationError(
            f"expected each card once per deck, got {names(rows[double].tolist())} in deck {double}"
        )
    return rows


def _checked_stacks(game: Game, stacks: ArrayLike | None, tables: int) -> Ints:
    rows = as_array(game.stacks if stacks is None else stacks)
    if rows.dtype.kind not in "iu":
        raise GameError(f"{game.name}: expected stacks of whole chips, got {rows.dtype}")
    if rows.size and not 1 <= rows.min() <= rows.max() <= UNLIMITED:
        raise GameError(
            f"{game.name}: expected stacks of 1 to {UNLIMITED} chips, got {rows.min()} to {rows.max()}"
        )
    try:
        chips = np.array(np.broadcast_to(rows, (tables, game.seats)), dtype=np.int64, order="C")
    except ValueError:
        raise GameError(
            f"{game.name}: expected stacks of shape ({tables}, {game.seats}), got {rows.shape}"
        ) from None
    if game.dead and (chips <= game.dead).any():
        raise GameError(
            f"{game.name}: expected stacks larger than the dead chips {game.dead}, got {chips.min()}"
        )
    return chips
