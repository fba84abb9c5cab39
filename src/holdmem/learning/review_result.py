"""What a review found: decisions in which an expert would have acted differently, by rank."""

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from holdmem.agent.words import counted, percent
from holdmem.core.display import html_table, short
from holdmem.engine import STREET_NAMES

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Difference:
    """One decision in which the expert would most likely have acted differently."""

    where: str
    street: str
    hole: str
    board: str
    betting: str
    situation: str
    """The decision in words, with the player as "you"."""
    did: str
    expert: str
    probability: float
    """Probability of the expert's most likely action."""
    probability_of_yours: float
    score: float
    """Sorts the differences, largest first. Not an amount of money, so it is not reported."""
    by_memory: bool
    """The score is based on remembered outcomes rather than on the pot size."""
    cases: int
    """Number of decisions remembered for this situation; 0 if the expert has no case base."""
    similarity: float

    @property
    def compared(self) -> str:
        """What the player did, what the expert does, and how much the expert remembers, in words."""
        yours = (
            f"You chose to {self.did}, which the expert does {percent(self.probability_of_yours)} of the time"
        )
        how = "exactly" if self.similarity >= 1 else "nearly"
        memory = f" It remembers {counted(self.cases, 'decision')} {how} like this." if self.cases else ""
        return f"{yours}; it would {self.expert} ({percent(self.probability)}).{memory}"

    def as_json(self, rank: int) -> dict[str, Any]:
        """Return the fields as JSON values, with the rank of this difference in place of its score."""
        fields = asdict(self)
        del fields["score"]
        return {"rank": rank, **fields}


@dataclass
class Review:
    """Result of a review: agreement by street, and the highest-ranked differences.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record, review
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "sartre-2", "always-call", folder=f"{folder}/hands", hands=50, seed=4)
    ...     found = review(played, "always-call", against="sartre-2", shown=1)
    >>> found
    Review(always-call against sartre-2: same action in 57.0% of 242 decisions)
    >>> found.differences[0].did, found.differences[0].expert
    ('call 20', 'raise to 40')
    """

    player: str
    expert: str
    shown: int = 5
    hands: int = 0
    unseen: int = 0
    declined: int = 0
    reason: str = ""
    decisions: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STREET_NAMES, 0))
    agreed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STREET_NAMES, 0))
    likelihood: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STREET_NAMES, 0.0))
    """Sum, by street, of the expert's probabilities of the actions taken."""
    differences: list[Difference] = field(default_factory=list)
    """By rank, most important first."""

    def __repr__(self) -> str:
        same = sum(self.agreed.values()) / max(self.total, 1)
        return (
            f"Review({short(self.player)} against {short(self.expert)}:"
            f" same action in {same:.1%} of {self.total:,} decisions)"
        )

    def _repr_html_(self) -> str:
        rows = [
            (rank, one.situation, one.did, f"{one.expert} ({one.probability:.0%})")
            for rank, one in enumerate(self.differences, 1)
        ]
        headings = ("rank", "situation", "action taken", "expert's action")
        return html_table(headings, rows, repr(self))

    def frame(self) -> "pl.DataFrame":
        """Return the differences as a polars data frame, one row each, by rank.

        Returns
        -------
        polars.DataFrame : one row per difference, by rank.
        """
        import polars as pl  # noqa: PLC0415

        return pl.DataFrame([one.as_json(rank) for rank, one in enumerate(self.differences, 1)])

    @property
    def total(self) -> int:
        """Number of decisions compared."""
        return sum(self.decisions.values())

    def as_json(self) -> dict[str, Any]:
        """Return the review as JSON values.

        Returns
        -------
        dict : values that JSON can represent.
        """
        streets = {
            name: {
                "decisions": self.decisions[name],
                "agreement": round(self.agreed[name] / max(self.decisions[name], 1), 4),
                "mean_probability": round(self.likelihood[name] / max(self.decisions[name], 1), 4),
            }
            for name in STREET_NAMES
        }
        return {
            "player": self.player,
            "expert": self.expert,
            "hands": self.hands,
            "hands_with_unknown_cards": self.unseen,
            "hands_of_other_games": self.declined,
            "streets": streets,
            "differences": [one.as_json(rank) for rank, one in enumerate(self.differences, 1)],
        }
