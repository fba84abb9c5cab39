"""What a seat may see when it has to act: `Views`, a batch of it, and `View`, one of the batch.

Hidden cards are nowhere in here, so no agent can look at them. Everything in here is read-only, and a copy of
what the engine has: no agent can change what others see or what is counted.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.notation import names
from holdmem.rules.batch import Batch, in_words
from holdmem.rules.game import Game
from holdmem.rules.state import ACTION, BOARD_CARDS, SEATS, STREET_NAMES, UNLIMITED, record
from holdmem.table.hidden import hide, locked
from holdmem.table.kernels import copy_history, look
from holdmem.table.philox import fill_uniforms_of_views
from holdmem.table.streams import SPOT, Spots, Streams, kernel_key

if TYPE_CHECKING:
    from collections.abc import Iterator

VIEW = record(
    [
        ("pot", "i8"),
        ("to_call", "i8"),
        ("min_raise_to", "i8"),
        ("max_raise_to", "i8"),
        ("highest", "i8"),
        ("raises", "i8"),
        ("actions", "i8"),
        ("live", "i8"),
        ("stack", "i8", SEATS),
        ("bet", "i8", SEATS),
        ("paid", "i8", SEATS),
        ("spot", SPOT),
        ("seat", "i1"),
        ("street", "i1"),
        ("hole", "i1", 2),
        ("board", "i1", 5),
    ]
)
"""One view as the kernels read and write it; the properties of `Views` say what the fields are."""

Ints = NDArray[np.int64]


def _array(name: str, says: str) -> Any:
    return property(lambda views: views.rows[name], doc=says)


class Views:
    """A batch of decisions, one row each: own cards, the board so far, the betting so far, the chips.

    Columns are arrays with one entry a row: `views.to_call`, `views.hole` (n, 2), `views.stack` (n, 10).
    `views[3]` is one `View`; a slice or an array of places gives `Views` again.
    """

    __slots__ = ("__dict__", "__weakref__", "_history")

    def __init__(
        self, game: Game, rows: NDArray[np.record], history: NDArray[np.record], hands: Ints, table: Ints
    ) -> None:
        self.game = game
        self.rows = locked(rows)
        self.table = locked(table)
        """Which of the tables that the seat sat down at, (n,): the place of what it remembers of this one."""
        self._hands = locked(hands)
        _HISTORY.__set__(self, history)

    @classmethod
    def of(cls, batch: Batch, hands: Ints, spots: Spots, tables: Ints) -> "Views":
        """What the seats to act in these hands of a batch see; `tables` says where each hand is played."""
        rows = np.empty(len(hands), dtype=VIEW)
        look(batch.game.rules_row, batch.hands, hands, spots, rows)
        return cls(batch.game, rows, batch.history, hands.copy(), tables[hands])

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, int | np.integer):
            return View(self, int(which))
        history = _HISTORY.__get__(self)
        return Views(self.game, self.rows[which], history, self._hands[which], self.table[which])

    def with_hole(self, hole: NDArray[np.int8]) -> "Views":
        """The same decisions with other hole cards, (n, 2)."""
        rows = self.rows.copy()
        rows["hole"] = hole
        return Views(self.game, rows, _HISTORY.__get__(self), self._hands, self.table)

    def __iter__(self) -> "Iterator[View]":
        return (View(self, i) for i in range(len(self)))

    pot = _array("pot", "Everything paid so far, this street's bets included.")
    to_call = _array("to_call", "Chips that a call costs; 0 where a check is free.")
    min_raise_to = _array("min_raise_to", "The least total that a raise may make this street; 0 if none may.")
    max_raise_to = _array("max_raise_to", "The most: all-in in no-limit; 0 where no raise is legal.")
    highest = _array("highest", "The highest bet on this street.")
    raises = _array("raises", "Raises on this street so far, towards the cap.")
    actions = _array("actions", "Actions in the hand so far, by all seats.")
    live = _array("live", "Seats that have not folded, as bits.")
    stack = _array("stack", "Chips behind, by seat, (n, 10).")
    bet = _array("bet", "Chips bet on this street, by seat, (n, 10).")
    paid = _array("paid", "Chips paid in the whole hand, by seat, (n, 10).")
    spot = _array("spot", "Match, table and number of the hand.")
    seat = _array("seat", "The seat that acts, counted from the left of the button.")
    street = _array("street", "0 before the flop to 3 on the river.")
    hole = _array("hole", "The own two cards, (n, 2).")
    board = _array("board", "The board, (n, 5); -1 for cards that have not come yet.")

    @property
    def history(self) -> NDArray[np.record]:
        """The actions so far, (n, longest), with `to`, `seat`, `street`; seat is -1 after the last."""
        history = _HISTORY.__get__(self)
        out = np.empty((len(self), history.shape[1]), dtype=ACTION)
        copy_history(history, self._hands, self.rows, out)
        return out

    @property
    def played(self) -> tuple[NDArray[np.record], Ints]:
        """The same for kernels, copied more quickly: the actions of hands, and which of them each view is of.

        Only the first `actions` of a hand are there to be read.
        """
        return locked(_HISTORY.__get__(self).take(self._hands, 0)), locked(np.arange(len(self)))

    def uniforms(self, streams: Streams, count: int = 1) -> NDArray[np.float64]:
        """`count` random numbers for each decision, (n, count), the same whatever batch it comes in."""
        out = np.empty((len(self), count))
        fill_uniforms_of_views(kernel_key(streams), np.ascontiguousarray(self.rows), out)
        return out

    @cached_property
    def lists(self) -> "_Lists":
        """The columns as plain Python lists, for code that looks at one view at a time."""
        return _Lists(self)


(_HISTORY,) = hide(Views, "_history")


class _Lists(dict[Any, list[Any]]):
    """Columns turned into lists when first asked for; a stream and a count stand for that random number."""

    def __init__(self, views: Views) -> None:
        self.views = views

    def __missing__(self, what: Any) -> list[Any]:
        if isinstance(what, tuple):
            self[what] = self.views.uniforms(*what)[:, -1].tolist()
        elif what == "history":
            self[what] = self.views.history.tolist()
        else:
            self[what] = self.views.rows[what].tolist()
        return self[what]


def _column(name: str, says: str) -> Any:
    def read(self: "View") -> Any:
        return self._lists[name][self._i]

    return property(read, doc=says)


class View:
    """One decision, as plain Python values; what a function under `@bot` is given."""

    __slots__ = ("_draws", "_i", "_lists", "_views", "streams")

    def __init__(self, views: Views, i: int, streams: Streams | None = None) -> None:
        self._views = views
        self._lists = views.lists
        self._i = i
        self._draws = 0
        self.streams = streams

    pot = _column("pot", "Everything paid so far, this street's bets included.")
    to_call = _column("to_call", "Chips that a call costs; 0 where a check is free.")
    min_raise_to = _column(
        "min_raise_to", "The least total that a raise may make this street; 0 if none may."
    )
    max_raise_to = _column("max_raise_to", "The most: all-in in no-limit; 0 where no raise is legal.")
    highest = _column("highest", "The highest bet on this street.")
    raises = _column("raises", "Raises on this street so far.")
    actions = _column("actions", "Actions in the hand so far.")
    seat = _column("seat", "The seat that acts, counted from the left of the button.")
    street = _column("street", "0 before the flop to 3 on the river.")

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._views.game

    @property
    def hole(self) -> tuple[int, int]:
        """The own two cards."""
        first, second = self._lists["hole"][self._i]
        return first, second

    @property
    def board(self) -> tuple[int, ...]:
        """The cards on the board so far."""
        return tuple(self._lists["board"][self._i][: BOARD_CARDS[self.street]])

    @property
    def stacks(self) -> list[int]:
        """Chips behind, by seat."""
        return self._by_seat("stack")

    @property
    def bets(self) -> list[int]:
        """Chips bet on this street, by seat."""
        return self._by_seat("bet")

    @property
    def live(self) -> list[bool]:
        """Who has not folded, by seat."""
        mask = self._lists["live"][self._i]
        return [bool(mask >> seat & 1) for seat in range(self.game.seats)]

    @property
    def history(self) -> list[tuple[int, int, int]]:
        """The actions so far as (street, seat, action): FOLD, CALL or the total of a raise."""
        entries = self._lists["history"][self._i][: self.actions]
        return [(street, seat, to) for to, seat, street in entries]

    def _by_seat(self, name: str) -> list[int]:
        values: list[int] = self._lists[name][self._i]
        return values[: self.game.seats]

    @property
    def alone(self) -> Views:
        """This decision as a batch of one, for what works on batches."""
        found: Views = self._views[self._i : self._i + 1]
        return found

    def random(self) -> float:
        """A random number from 0 to below 1: fixed by seed and decision, another at each call."""
        if self.streams is None:
            raise RuntimeError("this view was not given to an agent, so it has no random numbers")
        self._draws += 1
        column: list[float] = self._lists[self.streams, self._draws]
        return column[self._i]

    def __str__(self) -> str:
        board = names(self.board) or "no board"
        lines = [f"{STREET_NAMES[self.street]}, seat {self.seat} with {names(self.hole)}, {board}"]
        stacks = f", stacks {self.stacks}" if min(self.game.stacks) < UNLIMITED else ""
        lines.append(f"pot {self.pot}, {self.to_call} to call{stacks}")
        lines.append(
            "so far " + (", ".join(f"seat {s}: {in_words(to)}" for _, s, to in self.history) or "nothing")
        )
        return "; ".join(lines)
