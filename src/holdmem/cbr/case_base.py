"""`CaseBase`: the cases of all four streets and where they come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Situation, View, Views
from holdmem.cbr.cases import Cases, no_cases
from holdmem.cbr.remembered import HandPool
from holdmem.cbr.representation import Representation
from holdmem.cbr.retrieve import Nearest
from holdmem.cbr.reuse import PolicyName
from holdmem.cbr.solutions import Solutions
from holdmem.core.display import html_shares, html_table, short
from holdmem.core.errors import NotationError
from holdmem.core.types import Floats, Ints
from holdmem.engine import STREET_NAMES

if TYPE_CHECKING:
    import polars as pl

    from holdmem.cbr.player import CaseBasePlayer, Retain
    from holdmem.cbr.similar_cases import SimilarCases


@dataclass(frozen=True, eq=False)
class CaseBase:
    """Cases of all four streets, and where they come from.

    Attributes
    ----------
    representation : the features of a case and how cases are retrieved.
    streets : the cases of each street, preflop to river.
    about : metadata: the expert, the game, the number of hands, how well the expert is imitated.

    Examples
    --------
    >>> cases = CaseBase.load("sartre-2")
    >>> cases
    CaseBase(sartre-2 of eqm: 92,860 cases, 6,687,008 decisions)
    >>> spot = Situation(hole="AhKd", board="Kc8s2d", betting="rc/r")
    >>> similarities, indices = cases.neighbors(spot.views, k=3)
    >>> similarities.round(3).tolist()
    [[1.0, 0.667, 0.667]]
    """

    representation: Representation
    streets: tuple[Cases, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def empty(cls, representation: Representation) -> "CaseBase":
        """Return a case base without cases.

        Parameters
        ----------
        representation : features, similarities and policy that the cases will have.

        Returns
        -------
        CaseBase : a case base to which cases can be added.
        """
        kinds = len(representation.actions.names)
        return cls(representation, tuple(no_cases(features, kinds) for features in representation.streets))

    def __len__(self) -> int:
        return sum(len(cases) for cases in self.streets)

    def __repr__(self) -> str:
        expert = f" of {short(str(self.about['expert']), 60)}" if "expert" in self.about else ""
        decisions = sum(row["decisions"] for row in self.counts.values())
        return f"CaseBase({self.representation.name}{expert}: {len(self):,} cases, {decisions:,} decisions)"

    def _repr_html_(self) -> str:
        kinds = self.representation.actions.names
        sums = [cases.solutions.counts.sum(axis=0).tolist() for cases in self.streets]
        rows = [
            (
                name,
                f"{row['cases']:,}",
                f"{row['decisions']:,}",
                html_shares(dict(zip(kinds, done, strict=True))),
            )
            for (name, row), done in zip(self.counts.items(), sums, strict=True)
        ]
        return html_table(("street", "cases", "decisions", "actions"), rows, repr(self))

    @classmethod
    def load(cls, folder: Path | str) -> "CaseBase":
        """Read a case base from its folder, or a shipped one by name; see `read_cases`.

        Parameters
        ----------
        folder : folder of a case base, or the name of a shipped one ("sartre-2").

        Returns
        -------
        CaseBase : the cases with their representation.
        """
        from holdmem.cbr.store import read_cases  # noqa: PLC0415  it imports this module

        return read_cases(folder)

    def save(self, folder: Path | str) -> None:
        """Write the case base to a new folder; raise OutputExists if it is already there.

        Parameters
        ----------
        folder : folder to create.
        """
        from holdmem.cbr.store import write_cases  # noqa: PLC0415

        write_cases(self, folder)

    def player(self, policy: PolicyName = "majority", retain: "Retain" = "nothing") -> "CaseBasePlayer":
        """Return an agent that plays from this case base, which need not be saved.

        Parameters
        ----------
        policy : how the retrieved cases become an action: by majority, probabilistically or by best outcome.
        retain : which decisions to add to the case base during play: nothing, its own, or all whose hole
            cards it has seen.

        Returns
        -------
        CaseBasePlayer : the agent. Worker processes need a saved case base ("memory:cases=FOLDER").
        """
        from holdmem.cbr.player import CaseBasePlayer  # noqa: PLC0415

        return CaseBasePlayer(self, policy, retain)

    def neighbors(self, views: Views, k: int = 5) -> tuple[Floats, Ints]:
        """Find the k most similar cases for each view.

        Parameters
        ----------
        views : the situations to look up, all on one street.
        k : number of cases per situation.

        Returns
        -------
        similarities, indices : both of shape (len(views), k), most similar first. Indices refer to the cases
            of that street, as in `frame`; where it has fewer than k cases, the rest are -1 with similarity 0.

        Raises
        ------
        NotationError : the views are on several streets, or k is below 1.
        """
        streets = np.unique(views.street).tolist()
        if len(streets) > 1:
            raise NotationError(f"expected views of one street, got {len(streets)} streets")
        similarities, indices = np.zeros((len(views), k)), np.full((len(views), k), -1, dtype=np.int64)
        retrieval, cases = Nearest(k), self.streets[streets[0] if streets else 0]
        if len(cases) and len(views):
            found = cases.where(cases.features.of(views), retrieval)
            width = found.places.shape[1]
            similarities[:, :width], indices[:, :width] = found.similarities, found.places
        return similarities, indices

    def similar(self, situation: Situation | View, k: int = 5) -> "SimilarCases":
        """Compare one decision with its k most similar cases, feature by feature.

        Parameters
        ----------
        situation : the decision, as a `Situation` or a `View`.
        k : number of cases.

        Returns
        -------
        SimilarCases : a table in notebooks; `frame()` has the numbers.

        Raises
        ------
        NotationError : k is below 1.

        Examples
        --------
        >>> memory = CaseBase.load("sartre-2")
        >>> memory.similar(Situation(hole="AhKd", board="Kc8s2d", betting="rc/r"), k=1)
        SimilarCases(1 of 5,065 flop cases, similarity 1.000 to 1.000)
        """
        from holdmem.cbr.similar_cases import similar_cases  # noqa: PLC0415  it needs words for features

        return similar_cases(self, situation.view if isinstance(situation, Situation) else situation, k)

    def frame(self, street: str = "preflop") -> "pl.DataFrame":
        """Return the cases of one street as a polars data frame, one row per case.

        Columns are the features, the number of decisions per action, those of known outcome, and the sums
        won after them in millionths of a small bet (in no-limit, of a big blind).

        Parameters
        ----------
        street : name of the street: preflop, flop, turn or river.

        Returns
        -------
        polars.DataFrame : one row per case.
        """
        from holdmem.cbr.maintain import to_frame  # noqa: PLC0415  it imports this module

        if street not in STREET_NAMES:
            raise NotationError(f"expected a street of {', '.join(STREET_NAMES)}, got {street!r}")
        return to_frame(self.streets[STREET_NAMES.index(street)], self.representation.actions.names)

    @cached_property
    def digest(self) -> str:
        """Hash of the representation and all cases."""
        state = blake2b(self.representation.name.encode(), digest_size=8)
        for cases in self.streets:
            state.update(repr((cases.features.names, cases.features.weights)).encode())
            solutions = cases.solutions
            for column in (*cases.values.values(), solutions.counts, solutions.settled, solutions.won):
                state.update(np.ascontiguousarray(column).tobytes())
        return state.hexdigest()

    @property
    def pool(self) -> HandPool | None:
        """The hands that the cases share; None if the case base keeps no hands."""
        return next((cases.remembered.pool for cases in self.streets if cases.remembered is not None), None)

    @property
    def caveats(self) -> list[str]:
        """Sentences on the limits of this case base, such as hands whose cards were never seen."""
        said = []
        if self.about.get("unseen"):
            said.append(
                f"hole cards were unknown in {self.about['unseen']:.1%} of the player's hands,"
                " from which nothing was learned"
            )
        if self.about.get("showdowns_only"):
            said.append(
                "no fold was learned: where cards are known only from showdowns, folded hands are missing,"
                " and the case base plays on where the expert would fold"
            )
        if self.about.get("unusual_order"):
            said.append(
                f"{self.about['game']} has its own order of action: the betting letters do not show position"
                " as in other games"
            )
        return said

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """Number of stored cases and of the decisions they represent, by street."""
        return {
            name: {"cases": len(cases), "decisions": int(cases.solutions.seen.sum())}
            for name, cases in zip(STREET_NAMES, self.streets, strict=True)
        }

    def reweighted(self, representation: Representation) -> "CaseBase":
        """Return the same cases under other weights or another retrieval, without copying any case.

        Parameters
        ----------
        representation : same features with other weights, or another retrieval.

        Returns
        -------
        CaseBase : shares its cases with this one.
        """
        pairs = zip(self.streets, representation.streets, strict=True)
        streets = tuple(cases.reweighted(features) for cases, features in pairs)
        return CaseBase(representation, streets, self.about)

    def recall(self, views: Views) -> tuple[Solutions, NDArray[np.float64], NDArray[np.int64]]:
        """Return each view's summed solutions, its best similarity and the number of cases used.

        Parameters
        ----------
        views : the situations to look up, on any streets.

        Returns
        -------
        Solutions : decisions and outcomes of the cases used, summed per view.
        best : similarity of the most similar case, shape (len(views),).
        used : number of cases used, shape (len(views),).
        """
        kinds = len(self.representation.actions.names)
        total = Solutions(*(np.zeros((len(views), kinds), np.int64) for _ in range(3)))
        similar, used = np.zeros(len(views)), np.zeros(len(views), np.int64)
        for street, cases in enumerate(self.streets):
            rows = np.flatnonzero(views.street == street)
            if len(rows) and len(cases):
                here = views if len(rows) == len(views) else views[rows]
                found = cases.where(cases.features.of(here), self.representation.retrieval)
                part = cases.solutions.over(found.places)
                total.counts[rows], total.settled[rows] = part.counts, part.settled
                total.won[rows] = part.won
                similar[rows], used[rows] = found.similarities[:, 0], (found.places >= 0).sum(axis=1)
        return total, similar, used
