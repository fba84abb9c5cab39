"""The cases most similar to one situation, feature by feature: `CaseBase.similar`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.agent import View
from holdmem.cbr.feature_words import words_of
from holdmem.core.display import Html, html_bar, html_shares, html_table
from holdmem.core.errors import NotationError
from holdmem.core.types import Floats, Ints
from holdmem.engine import STREET_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from holdmem.cbr.case_base import CaseBase
    from holdmem.cbr.cases import Cases
    from holdmem.cbr.features.feature import Column


@dataclass(frozen=True, eq=False)
class SimilarCases:
    """The cases of a case base that are most similar to one decision, most similar first.

    Attributes
    ----------
    base : the case base.
    view : the decision that they are compared with.
    similarities : global similarity of each case, from 0 to 1.
    indices : where each case is, as in `CaseBase.frame`.
    """

    base: "CaseBase"
    view: View
    similarities: Floats
    indices: Ints

    def __len__(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        best = f", similarity {self.similarities[0]:.3f} to {self.similarities[-1]:.3f}" if len(self) else ""
        return (
            f"SimilarCases({len(self)} of {len(self.cases):,} {STREET_NAMES[self.view.street]} cases{best})"
        )

    @property
    def cases(self) -> "Cases":
        """All cases of the decision's street."""
        street: int = self.view.street
        return self.base.streets[street]

    @property
    def target(self) -> "Mapping[str, Column]":
        """The decision's own feature values, one entry each."""
        return self.cases.features.of(self.view.alone)

    def local_similarities(self) -> dict[str, Floats]:
        """Return the similarity of each case by feature; the weighted mean is the global similarity."""
        target = self.target
        return {
            name: local(target[name], self.cases.values[name][self.indices])
            for name, local in self.cases.features.similarities
        }

    def frame(self) -> "pl.DataFrame":
        """Return one row per case: its index, similarity, feature values and actions, as a polars frame.

        Each feature has a column of values and one of local similarities, `NAME_similarity`.
        """
        import polars as pl  # noqa: PLC0415

        kept = self.base.frame(STREET_NAMES[self.view.street])[self.indices.tolist()]
        local = {f"{name}_similarity": found for name, found in self.local_similarities().items()}
        first = pl.DataFrame({"case": self.indices, "similarity": self.similarities})
        return first.hstack(kept).hstack(pl.DataFrame(local))

    def _repr_html_(self) -> str:
        features = self.cases.features
        labels = [words_of(feature).label for feature in features.computed]
        here = features.words({name: column[0] for name, column in self.target.items()})
        local = self.local_similarities()
        rows = [self._row(row, place, local) for row, place in enumerate(self.indices.tolist())]
        first = ("this decision", None, *here.values(), None, None)
        return html_table(("case", "similarity", *labels, "seen", "actions"), [first, *rows], repr(self))

    def _row(self, row: int, place: int, local: "Mapping[str, Floats]") -> tuple[Any, ...]:
        cases = self.cases
        said = cases.features.words({name: column[place] for name, column in cases.values.items()})
        values = [html_bar(float(local[name][row]), said[name]) for name in said]
        return (place, html_bar(float(self.similarities[row]), f"{self.similarities[row]:.3f}"), *values,
                f"{int(cases.solutions.seen[place]):,}", self._actions(place))  # fmt: skip

    def _actions(self, place: int) -> Html:
        counts = self.cases.solutions.counts[place].tolist()
        return html_shares(dict(zip(self.base.representation.actions.names, counts, strict=True)))


def similar_cases(base: "CaseBase", view: View, k: int) -> SimilarCases:
    """Find the k cases that are most similar to one decision."""
    if k < 1:
        raise NotationError(f"expected a number of cases of at least 1, got {k}")
    similarities, indices = base.neighbors(view.alone, k)
    found = np.flatnonzero(indices[0] >= 0)
    return SimilarCases(base, view, similarities[0][found], indices[0][found])
