"""Case-based limit strategies as tables: retrieval once for each decision and class of cards.

It works where all features are functions of the cards up to exchange of suits (`hand_class`, `hand_type`,
`board_texture`) or of the betting (`betting`), as in SARTRE and the limit imitators.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.tabular import BoardTable, bare_views, columns_of, decisions
from holdmem.cards.classes import CLASS_OF_HOLDING, HOLDINGS
from holdmem.cbr.features.betting import code_of
from holdmem.cbr.features.feature import Column
from holdmem.cbr.features.hand_types import HAND_TYPES, TEXTURES, hand_types, textures
from holdmem.cbr.features.kernels.hand_types import DRAWS
from holdmem.cbr.solutions import Solutions
from holdmem.core.errors import AgentError
from holdmem.core.types import Floats, Ints
from holdmem.engine.state import BOARD_CARDS, STREETS

if TYPE_CHECKING:
    from holdmem.cbr.seat import CaseBasedSeat

PREFLOP, POSTFLOP = {"hand_class", "betting"}, {"hand_type", "betting", "board_texture"}
AT_ONCE = 1 << 17
"""Targets retrieved at once."""


def hand_types_on(street: int) -> Ints:
    """Return the hand types that occur on a street; there are no draws on the river."""
    numbers = np.array(HAND_TYPES)
    return numbers[numbers % DRAWS == 0] if street == STREETS - 1 else numbers


class CaseTables:
    """The policy of a case-based seat by decision and class of cards; boards share the tables."""

    def __init__(self, seat: "CaseBasedSeat", tree: Any) -> None:
        self.seat = seat
        self.tree = tree
        self._tables: dict[int, Floats] = {}
        for street, features in enumerate(seat.base.representation.streets):
            others = set(features.names) - (POSTFLOP if street else PREFLOP)
            if others:
                raise AgentError(
                    f"{seat.base.representation.name}: not tabular: {', '.join(sorted(others))} depends on"
                    " more than the betting and a class of the cards"
                )

    def table_of(self, street: int) -> Floats:
        """Return the table of a street, [decision, action, class], computed when it is first needed."""
        if street not in self._tables:
            self._tables[street] = self._computed(street)
        return self._tables[street]

    def _computed(self, street: int) -> Floats:
        facts, count = decisions(self.tree, street), self.classes(street)
        table = np.empty((len(facts.nodes), 3, count))
        for rows, places in self.retrieved(street):
            views = bare_views(self.tree.game, street, facts, rows.repeat(count))
            policy = self.seat.reuse(views, self._solutions(street, places))
            found = columns_of(policy.probabilities, policy.codes).reshape(len(rows), count, 3)
            table[rows] = found.transpose(0, 2, 1)
        return table

    def classes(self, street: int) -> int:
        """Return the number of classes of a street."""
        return len(next(iter(self._values(street).values())))

    def retrieved(self, street: int) -> Iterator[tuple[Ints, Ints]]:
        """Yield some decisions at a time, and the cases retrieved for each of them and each class.

        The cases are rows of indices, -1 for none: those of the first decision's classes, then those of the
        second's, and so on.
        """
        classes, count = self._values(street), self.classes(street)
        codes = np.array([code_of(letters) for letters in decisions(self.tree, street).betting])
        step = max(AT_ONCE // count, 1)
        for start in range(0, len(codes), step):
            rows = np.arange(start, min(start + step, len(codes)))
            values = {name: np.tile(column, len(rows)) for name, column in classes.items()}
            values["betting"] = codes[rows.repeat(count)]
            yield rows, self._recall(street, values)

    def _values(self, street: int) -> dict[str, Column]:
        """Return the feature values of each class."""
        if street == 0:
            return {"hand_class": np.arange(169)}
        types = hand_types_on(street)
        return {
            "hand_type": types.repeat(len(TEXTURES)),
            "board_texture": np.tile(np.array(TEXTURES), len(types)),
        }

    def _recall(self, street: int, values: dict[str, Column]) -> Ints:
        cases = self.seat.base.streets[street]
        ordered = {name: values[name] for name in cases.features.names}
        if not len(cases):
            return np.full((len(values["betting"]), 1), -1)
        return cases.where(ordered, self.seat.base.representation.retrieval).places

    def _solutions(self, street: int, places: Ints) -> Solutions:
        cases = self.seat.base.streets[street]
        if not len(cases):
            return Solutions(*(np.zeros((len(places), 3), np.int64) for _ in range(3)))
        return cases.solutions.over(places)

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return the class of each holding on a board, and the table of the street."""
        street = BOARD_CARDS.index(len(board))
        if street == 0:
            return BoardTable(CLASS_OF_HOLDING.astype(np.int64), self.table_of(0))
        classes = np.zeros(len(HOLDINGS), np.int64)
        free = ~np.isin(HOLDINGS, board).any(axis=1)
        boards = np.full((int(free.sum()), 5), -1, np.int8)
        boards[:, : len(board)] = board
        found = np.searchsorted(hand_types_on(street), hand_types(HOLDINGS[free], boards))
        classes[free] = found * len(TEXTURES) + textures(boards[:1])[0]
        return BoardTable(classes, self.table_of(street))
