"""`Cases`: the remembered situations of one street with what was done in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from holdmem.cbr.case_index import CaseIndex, Neighbors
from holdmem.cbr.features.feature import Column, Features
from holdmem.cbr.remembered import Examples, RememberedHand
from holdmem.cbr.retrieve import Retrieval
from holdmem.cbr.solutions import Solutions
from holdmem.core.errors import NotationError


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases of one street: one column of values per feature, their solutions, and some of their hands.

    `remembered` is None in case bases that keep no hands, as older ones do.
    """

    features: Features
    values: Mapping[str, Column]
    solutions: Solutions
    remembered: Examples | None = field(default=None, metadata={"affects_play": False})

    def __post_init__(self) -> None:
        if tuple(self.values) != self.features.names:
            raise NotationError(
                f"expected columns {', '.join(self.features.names)}, got {', '.join(self.values)}"
            )

    def __len__(self) -> int:
        return len(self.solutions)

    def __getitem__(self, which: Any) -> "Cases":
        chosen = {name: column[which] for name, column in self.values.items()}
        hands = None if self.remembered is None else self.remembered[which]
        return Cases(self.features, chosen, self.solutions[which], hands)

    def examples(self, place: int) -> tuple[RememberedHand, ...]:
        """Return hands that a case was made of, at most three; none if the case base keeps no hands.

        Parameters
        ----------
        place : index of the case, as `CaseBase.neighbors` returns it.

        Returns
        -------
        tuple of RememberedHand : most typical first.
        """
        return () if self.remembered is None else self.remembered.of(place)

    @cached_property
    def memory(self) -> CaseIndex:
        """These cases prepared for retrieval."""
        return CaseIndex(self.features, self.values, self.solutions.seen)

    def __getstate__(self) -> dict[str, Any]:
        """Leave what is prepared for retrieval out of the pickle: it is large and quickly rebuilt."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def reweighted(self, features: Features) -> "Cases":
        """Return these cases with different feature weights; the cached columns and tree are shared."""
        changed = replace(self, features=features)
        changed.__dict__["memory"] = self.memory.reweighted(features)
        return changed

    def where(self, values: Mapping[str, Column], retrieval: Retrieval) -> Neighbors:
        """Retrieve the cases to use for targets with these feature values."""
        return retrieval.retrieve(self.memory, values)


def no_cases(features: Features, kinds: int) -> Cases:
    """Return an empty set of cases for one street."""
    empty: dict[str, Column] = {name: np.zeros(0, dtype=np.int64) for name in features.names}
    return Cases(features, empty, Solutions.empty(kinds))
