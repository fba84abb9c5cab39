"""The hands that cases were made of, to be shown and replayed with a decision.

A case keeps up to three of its hands. The cases of all streets share one `HandPool`, which has each hand
once. Where equal cases are merged, nothing says which hand belongs to which case: the hands are replayed, and
an expert's decision belongs to the case with the same features. Where every decision is a case of its own,
the case has the place of its hand in the pool.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.cbr.hand_file import arranged, from_bytes, numbered, pack, to_bytes, unpack
from holdmem.core.errors import TableError
from holdmem.core.types import Flags, Ints
from holdmem.history import Hands, replay

if TYPE_CHECKING:
    from holdmem.cbr.link import CaseLink

MOST_HANDS = 3
"""Hands that a case shows at most."""

NO_HAND = -1


@dataclass(frozen=True)
class RememberedHand:
    """A hand that a case was made of.

    Attributes
    ----------
    hands : the hand, alone: game, names, stacks, cards, betting and result.
    seat : seat of the expert, counted from the left of the button.
    decision : index of the case's own action among the actions of the hand.
    """

    hands: Hands
    seat: int
    decision: int


@dataclass(frozen=True, eq=False)
class HandPool:
    """Hands shared by cases, in compact columns; hands are unpacked and checked when they are asked for.

    `content` is a file, its columns, or what returns them: hands just learned are chosen when first needed.
    """

    content: bytes | pl.DataFrame | Callable[[], pl.DataFrame]
    where: str = "hands of cases"
    count: int | None = None
    """Number of hands that the header of a case base gives."""

    @classmethod
    def of(cls, hands: Hands, experts: Flags) -> "HandPool":
        """Return a pool of these hands; `experts`, of shape (hands, 10), marks the seats of experts."""
        return cls(pack(hands, experts))

    def arranged(self) -> "HandPool":
        """Return the hands in the order that compresses best."""
        return HandPool(arranged(self.frame), self.where)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The hands as a data frame of compact columns, as `hand_file` stores them."""
        if isinstance(self.content, pl.DataFrame):
            return self.content
        if not isinstance(self.content, bytes):
            chosen = self.content()
            object.__setattr__(self, "content", chosen)  # frees what it was chosen from
            return chosen
        frame = from_bytes(self.content, self.where)
        if len(frame) != self.count:
            raise TableError(
                f"{self.where}: the header gives {self.count:,} hands, the file has {len(frame):,}"
            )
        return frame

    def __len__(self) -> int:
        return len(self.frame) if self.count is None else self.count

    def __getstate__(self) -> dict[str, Any]:
        """Leave what is unpacked out of the pickle."""
        content = self.content if isinstance(self.content, bytes) else self.frame
        return {"content": content, "where": self.where, "count": self.count}

    def take(self, places: Ints | None = None) -> tuple[Hands, Flags]:
        """Return hands, all by default, and the seats of their experts; TableError if one is damaged."""
        return unpack(self.frame if places is None else self.frame[places], self.where)

    def select(self, places: Ints) -> "HandPool":
        """Return a pool that contains only these hands."""
        return HandPool(numbered(self.frame[places]), self.where)

    def to_bytes(self) -> bytes:
        """Return the pool as a Parquet file."""
        return to_bytes(self.frame)


def join_pools(pools: Sequence[HandPool]) -> tuple[HandPool, list[Ints]]:
    """Return one pool with every hand once, and the places in it of the hands of each pool."""
    if len(pools) == 1:
        return pools[0], [np.arange(len(pools[0]))]
    together = pl.concat([pool.frame for pool in pools], how="diagonal").with_columns(
        pl.selectors.starts_with("cards_").fill_null(0),
        number=pl.when(pl.col("site") == "").then(0).otherwise("number"),
    )
    places = together.select(pl.struct(pl.all()).rank("dense").cast(pl.Int64))[:, 0].to_numpy() - 1
    firsts, order = np.unique(places, return_index=True)
    moved = np.empty(len(firsts), dtype=np.int64)
    moved[np.argsort(order)] = np.arange(len(order))
    ends = np.cumsum([len(pool) for pool in pools])
    return HandPool(numbered(together[np.sort(order)])), np.split(moved[places], ends[:-1])


@dataclass(frozen=True, eq=False)
class Examples:
    """The hands of the cases of one street, one row per case.

    `links` knows the hands of the cases as they were learned. `rows` are the indices of these cases there,
    NO_HAND for cases without hands; None stands for all cases in order.
    """

    links: "CaseLink"
    rows: Ints | None = None

    def __getitem__(self, which: Any) -> "Examples":
        return Examples(self.links, self.places[which])

    def at(self, rows: Ints) -> "Examples":
        """Return the hands at these rows, none where a row is NO_HAND."""
        return Examples(self.links, np.where(rows == NO_HAND, NO_HAND, self.places[rows]))

    @property
    def places(self) -> Ints:
        """Indices of these cases among those that `links` knows."""
        return np.arange(len(self.links)) if self.rows is None else self.rows

    @property
    def pool(self) -> HandPool:
        """The hands that the cases share."""
        return self.links.pool

    @property
    def hand(self) -> NDArray[np.int32]:
        """Places in the pool, of shape (cases, up to three); NO_HAND where there are no more."""
        return self.links.hand if self.rows is None else self._chosen(self.links.hand)

    @property
    def decision(self) -> NDArray[np.int16]:
        """Indices of the cases' own actions, in the same shape."""
        return self.links.decision if self.rows is None else self._chosen(self.links.decision)

    def _chosen(self, table: NDArray[Any]) -> NDArray[Any]:
        none = np.full((1, table.shape[1]), NO_HAND, dtype=table.dtype)
        return np.concatenate([table, none])[self.places]  # the last row is that of NO_HAND

    def of(self, place: int) -> tuple[RememberedHand, ...]:
        """Return the hands of one case, most typical first."""
        row = place if self.rows is None else int(self.rows[place])
        if row == NO_HAND:
            return ()
        pairs = zip(self.links.hand[row].tolist(), self.links.decision[row].tolist(), strict=True)
        return tuple(self._one(hand, decision) for hand, decision in pairs if hand != NO_HAND)

    def _one(self, hand: int, decision: int) -> RememberedHand:
        """Return one hand; the seat is the one that the engine asks for this decision."""
        alone, _ = self.pool.take(np.array([hand]))
        seats = next(replay(alone)).views.seat
        if decision >= len(seats):
            raise TableError(
                f"{self.pool.where}: hand {hand + 1:,} has {len(seats)} actions, but a case is said to be"
                f" number {decision + 1}"
            )
        return RememberedHand(alone, int(seats[decision]), decision)


def stack_examples(parts: Sequence[tuple[Examples | None, int]]) -> Examples | None:
    """Return the hands of several sets of cases, of which the sizes are given, that share their links."""
    first = next((examples for examples, _ in parts if examples is not None), None)
    if first is None:
        return None
    rows = [np.full(size, NO_HAND) if one is None else one.places for one, size in parts]
    return Examples(first.links, np.concatenate(rows))
