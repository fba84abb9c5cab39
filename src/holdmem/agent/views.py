"""What a seat may see when it has to act: `Views`, a batch of decisions, and `View`, one of them.

Views do not contain hidden cards, so no agent can look at them. Everything in them is read-only and a copy of
the engine's state: no agent can change what others see or what is counted.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.kernels.views import copy_history, copy_played, look
from holdmem.cards.notation import names
from holdmem.core.display import html_cards, html_table
from holdmem.core.hidden import hide, locked
from holdmem.core.kernels.philox import fill_uniforms_of_views
from holdmem.core.random import HAND_ID, HandIds, Streams, kernel_key
from holdmem.core.records import record
from holdmem.core.types import Ints
from holdmem.engine.batch import Batch
from holdmem.engine.describe import describe_action, third_person
from holdmem.engine.game import Game
from holdmem.engine.state import ACTION, BOARD_CARDS, CALL, SEATS, STREET_NAMES, UNLIMITED
from holdmem.engine.steps import HandStep, replay_steps

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
        ("hand_id", HAND_ID),
        ("seat", "i1"),
        ("street", "i1"),
        ("hole", "i1", 2),
        ("board", "i1", 5),
    ]
)
"""One view as kernels read and write it; the properties of `Views` document the fields."""


def _array(name: str, says: str) -> Any:
    return property(lambda views: views.rows[name], doc=says)


class Views:
    """A batch of decisions, one per row: hole cards, the board, the betting and the chips so far.

    Columns are arrays with one entry per row: `views.to_call`, `views.hole` (n, 2), `views.stack` (n, 10).
    `views[3]` is one `View`; a slice or an index array gives `Views` again.

    Examples
    --------
    >>> views = Situation(hole="AhKd", board="Kc8s2d", betting="rc/r").views
    >>> len(views), views.to_call.tolist(), views.hole.tolist()
    (1, [10], [[50, 45]])
    >>> views[0]
    View(flop, AhKd on Kc8s2d)
    """

    __slots__ = ("__dict__", "__weakref__", "_history")

    def __init__(
        self, game: Game, rows: NDArray[np.record], history: NDArray[np.record], hands: Ints, table: Ints
    ) -> None:
        self.game = game
        self.rows: NDArray[np.record] = locked(rows)
        self.table: Ints = locked(table)
        """Index, among the tables at which the seat sat down, of each view's table, shape (n,).

        Seats use it to find what they remember of that table.
        """
        self._hands = locked(hands)
        _HISTORY.__set__(self, history)

    @classmethod
    def of(cls, batch: Batch, hands: Ints, hand_ids: HandIds, tables: Ints) -> "Views":
        """Return what the seats to act in these hands of a batch see; `tables` gives each hand's table."""
        rows = np.empty(len(hands), dtype=VIEW)
        look(batch.game.rules_row, batch.hands, hands, hand_ids, rows)
        return cls(batch.game, rows, batch.history, hands.copy(), tables[hands])

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, int | np.integer):
            return View(self, int(which))
        history = _HISTORY.__get__(self)
        return Views(self.game, self.rows[which], history, self._hands[which], self.table[which])

    def with_hole(self, hole: NDArray[np.int8]) -> "Views":
        """Return the same decisions with other hole cards, shape (n, 2)."""
        rows = self.rows.copy()
        rows["hole"] = hole
        return Views(self.game, rows, _HISTORY.__get__(self), self._hands, self.table)

    def __repr__(self) -> str:
        return f"Views({len(self)} decisions in {self.game.name})"

    def __iter__(self) -> "Iterator[View]":
        return (View(self, i) for i in range(len(self)))

    pot: Ints = _array("pot", "Everything paid so far, this street's bets included.")
    to_call: Ints = _array("to_call", "Chips needed to call; 0 where checking is free.")
    min_raise_to: Ints = _array("min_raise_to", "Minimum total of a raise on this street; 0 for none.")
    max_raise_to: Ints = _array("max_raise_to", "Maximum total: all-in in no-limit; 0 if none is legal.")
    highest: Ints = _array("highest", "The highest bet on this street.")
    raises: Ints = _array("raises", "Number of raises on this street so far, as counted towards the cap.")
    actions: Ints = _array("actions", "Number of actions in the hand so far, by all seats.")
    live: Ints = _array("live", "Bit mask of the seats that have not folded.")
    stack: Ints = _array("stack", "Chips behind, by seat, (n, 10).")
    bet: Ints = _array("bet", "Chips bet on this street, by seat, (n, 10).")
    paid: Ints = _array("paid", "Chips paid in the whole hand, by seat, (n, 10).")
    hand_id: HandIds = _array("hand_id", "Match, table and number of the hand.")
    seat: NDArray[np.int8] = _array("seat", "The seat to act, numbered from the left of the button.")
    street: NDArray[np.int8] = _array("street", "0 (preflop) to 3 (river).")
    hole: NDArray[np.int8] = _array("hole", "The player's own hole cards, (n, 2).")
    board: NDArray[np.int8] = _array("board", "The board, (n, 5); -1 for cards not dealt yet.")

    @property
    def history(self) -> NDArray[np.record]:
        """The actions so far, shape (n, longest): `to`, `seat` and `street`; seat is -1 after the last."""
        history = _HISTORY.__get__(self)
        out = np.empty((len(self), history.shape[1]), dtype=ACTION)
        copy_history(history, self._hands, self.rows, out)
        return out

    @property
    def played(self) -> tuple[NDArray[np.record], Ints]:
        """The actions for kernels, copied faster than `history`: actions by hand, and the hand of each view.

        Only the first `actions` entries of a hand may be read.
        """
        out = np.zeros((len(self), max(self.rows["actions"].max(initial=0), 1)), dtype=ACTION)
        copy_played(_HISTORY.__get__(self), self._hands, np.ascontiguousarray(self.rows), out)
        return locked(out), locked(np.arange(len(self)))

    def uniforms(self, rng: Streams, count: int = 1) -> NDArray[np.float64]:
        """Return `count` uniform numbers per decision, shape (n, count), independent of the batch."""
        out = np.empty((len(self), count))
        fill_uniforms_of_views(kernel_key(rng), np.ascontiguousarray(self.rows), out)
        return out

    @cached_property
    def lists(self) -> "_Lists":
        """The columns as plain Python lists, for code that reads one view at a time."""
        return _Lists(self)


(_HISTORY,) = hide(Views, "_history")


class _Lists(dict[Any, list[Any]]):
    """Columns converted to lists on first use; key (streams, k) gives each view's k-th random number."""

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
    """One decision as plain Python values: the argument of a function under `@bot`.

    Examples
    --------
    >>> view = Situation(hole="AhKd", board="Kc8s2d", betting="rc/r").view
    >>> view
    View(flop, AhKd on Kc8s2d)
    >>> view.pot, view.to_call, view.min_raise_to
    (50, 10, 20)
    >>> view.describe(CALL), view.describe(20)
    ('call 10', 'raise to 20')
    >>> view.history  # street, seat, action
    [(0, 1, 20), (0, 0, 0), (1, 0, 10)]
    """

    __slots__ = ("_draws", "_i", "_lists", "_views", "rng")

    def __init__(self, views: Views, i: int, rng: Streams | None = None) -> None:
        self._views = views
        self._lists = views.lists
        self._i = i
        self._draws = 0
        self.rng: Streams | None = rng

    pot: int = _column("pot", "Everything paid so far, this street's bets included.")
    to_call: int = _column("to_call", "Chips needed to call; 0 where checking is free.")
    min_raise_to: int = _column("min_raise_to", "Minimum total of a raise on this street; 0 for none.")
    max_raise_to: int = _column("max_raise_to", "Maximum total: all-in in no-limit; 0 if none is legal.")
    highest: int = _column("highest", "The highest bet on this street.")
    raises: int = _column("raises", "Number of raises on this street so far.")
    actions: int = _column("actions", "Number of actions in the hand so far.")
    seat: int = _column("seat", "The seat to act, numbered from the left of the button.")
    street: int = _column("street", "0 (preflop) to 3 (river).")

    @property
    def game(self) -> Game:
        """The game being played."""
        return self._views.game

    @property
    def hole(self) -> tuple[int, int]:
        """The player's own two hole cards."""
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
        """Whether each seat has not folded."""
        mask = self._lists["live"][self._i]
        return [bool(mask >> seat & 1) for seat in range(self.game.seats)]

    @property
    def history(self) -> list[tuple[int, int, int]]:
        """The actions so far as (street, seat, action): FOLD, CALL or the total of a raise."""
        entries = self._lists["history"][self._i][: self.actions]
        return [(street, seat, to) for to, seat, street in entries]

    @property
    def steps(self) -> list[HandStep]:
        """The actions so far with what each meant, which `HandStep.describe` puts into words."""
        dead = self.game.dead or (0,) * self.game.seats
        chips = zip(self.stacks, self._by_seat("paid"), dead, strict=True)
        return replay_steps(self.game, [sum(parts) for parts in chips], [to for _, _, to in self.history])

    def describe(self, action: int) -> str:
        """Return an action of the player to act in words: fold, check, call 10, bet 20, raise to 40."""
        stack, bet = self.stacks[self.seat], self.bets[self.seat]
        all_in = self.to_call >= stack if action == CALL else action == bet + stack
        return describe_action(action, self.to_call, self.highest, all_in=all_in)

    def _by_seat(self, name: str) -> list[int]:
        values: list[int] = self._lists[name][self._i]
        return values[: self.game.seats]

    @property
    def alone(self) -> Views:
        """This decision as a batch of one, for functions that work on batches."""
        found: Views = self._views[self._i : self._i + 1]
        return found

    def random(self) -> float:
        """Return a uniform number in [0, 1), fixed by seed and decision; each call returns the next one."""
        if self.rng is None:
            raise RuntimeError("this view was not given to an agent, so it has no random numbers")
        self._draws += 1
        column: list[float] = self._lists[self.rng, self._draws]
        return column[self._i]

    def __repr__(self) -> str:
        return f"View({STREET_NAMES[self.street]}, {names(self.hole)} on {names(self.board) or 'no board'})"

    def __str__(self) -> str:
        board = names(self.board) or "no board"
        lines = [f"{STREET_NAMES[self.street]}, seat {self.seat} with {names(self.hole)}, {board}"]
        stacks = f", stacks {self.stacks}" if min(self.game.stacks) < UNLIMITED else ""
        lines.append(f"pot {self.pot}, {self.to_call} to call{stacks}")
        said = ", ".join(f"seat {step.seat} {third_person(step.describe())}" for step in self.steps)
        lines.append(f"so far {said or 'nothing'}")
        return "; ".join(lines)

    def _repr_html_(self) -> str:
        caption = f"{STREET_NAMES[self.street]}, seat {self.seat} to act, {self.game.name}"
        said = ", ".join(f"seat {step.seat} {third_person(step.describe())}" for step in self.steps)
        headings = ("hole cards", "board", "pot", "to call", "betting so far")
        row = (html_cards(names(self.hole)), html_cards(names(self.board)), self.pot, self.to_call, said)
        return html_table(headings, [row], caption)
