"""Train learners at the table over many hands, and record their winnings by blocks of hands.

A learner plays the same cards in every order of the players (two orders heads-up, six with three players),
and keeps what it has learned from one order to the next. A learner must observe each hand before it plays the
next, so hands cannot be batched. Instead, many runs, and many matches of each with different cards, are
played in parallel as the tables of one batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.arena.design import DeckPurpose
from holdmem.core.display import html_table, short
from holdmem.core.errors import GameError
from holdmem.core.statistics import FEWEST_MATCHES, Estimate, estimate
from holdmem.core.types import Floats, Ints
from holdmem.engine import PARTS, Game, find_game
from holdmem.players.learners.value_table import ValueTable

if TYPE_CHECKING:
    import polars as pl

BLOCK = 100
"""Number of hands whose results are summed in one block."""
STACK = 100
"""Stack in big blinds at the start of every hand; the thesis does not specify it."""


def learning_game(seats: int = 2, limit: bool = False) -> Game:
    """Game of the learners' experiments: no-limit with 100 big blinds reset every hand, or limit."""
    game = find_game("limit" if limit else "nolimit", seats)
    if limit:
        return game
    return replace(game, name=f"nolimit.{seats}p.100bb", stacks=(STACK * game.big_blind,) * seats)


@dataclass(frozen=True)
class TrainingRun:
    """A learner against opponents: `hands` in each order of the players, `matches` with different cards."""

    game: Game
    learner: str
    opponents: tuple[str, ...]
    hands: int = 100_000
    matches: int = 1
    seed: int = 0
    swapped: bool = True
    """Play the same cards in all orders of the players rather than in one."""
    first: int = 0
    """Number of the first match; each match number has its own cards."""
    purpose: DeckPurpose = "play"
    """What the decks are for."""

    def __post_init__(self) -> None:
        if len(self.opponents) != self.game.seats - 1:
            raise GameError(
                f"{self.game.name}: expected {self.game.seats - 1} opponents, got {len(self.opponents)}"
            )
        for name in ("hands", "matches"):
            if getattr(self, name) < 1:
                raise GameError(f"{name} must be at least 1, got {getattr(self, name)}")

    @property
    def players(self) -> tuple[str, ...]:
        """The learner, then its opponents."""
        return (self.learner, *self.opponents)

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """Seating orders, each the player in every seat; in the first, the learner has the button."""
        seats = self.game.seats
        orders = list(permutations(range(seats))) if self.swapped else [tuple(range(seats))]
        return [tuple(reversed(order)) for order in orders]

    @property
    def hands_per_match(self) -> int:
        """Number of hands per match, summed over all seating orders."""
        return self.hands * len(self.orders)


@dataclass(eq=False)
class TrainingReport:
    """Result of a training run: winnings by match, block of hands and player, and the final knowledge.

    Attributes
    ----------
    course : what was played.
    blocks : winnings in each block of hands, in 2520ths of a chip, shape (matches, blocks, players).
    hands : hands played in each match.
    knowledge : what was learned in each match.
    block : hands per block.

    Examples
    --------
    >>> from holdmem import train
    >>> report = train("outcome-learner", "always-call", game="limit", hands=200, matches=10, seed=1)
    >>> report
    TrainingReport(outcome-learner against always-call: 4,000 hands)
    >>> report.bankrolls.shape  # matches, blocks of hands, players
    (10, 4, 2)
    >>> print(report.winnings(first=0.5))  # the second half of the run
    +0.0390 ± 0.1549 bb/h
    """

    course: TrainingRun
    blocks: Ints
    hands: int
    knowledge: list[ValueTable] = field(default_factory=list)
    block: int = BLOCK

    def __repr__(self) -> str:
        against = ", ".join(short(name) for name in self.course.opponents)
        hands = self.hands * len(self.blocks)
        return f"TrainingReport({short(self.course.learner)} against {short(against)}: {hands:,} hands)"

    def _repr_html_(self) -> str:
        rows = [(name, str(self.winnings(player=i))) for i, name in enumerate(self.course.players)]
        return html_table(("player", "won"), rows, f"{self.hands * len(self.blocks):,} hands")

    def frame(self) -> "pl.DataFrame":
        """Return the big blinds won so far, one row per match, block and player, as a polars data frame.

        Returns
        -------
        polars.DataFrame : one row per match, block and player.
        """
        import polars as pl  # noqa: PLC0415

        match, block, player = np.indices(self.blocks.shape).reshape(3, -1)
        columns = {
            "match": match,
            "hands": np.minimum((block + 1) * self.block, self.hands),
            "player": [self.course.players[one] for one in player.tolist()],
            "won": self.bankrolls.ravel(),
        }
        return pl.DataFrame(columns)

    def _bb(self, blocks: Ints) -> Floats:
        return blocks / (PARTS * self.course.game.big_blind)

    @property
    def bankrolls(self) -> Floats:
        """Big blinds won up to the end of each block, shape (matches, blocks, players)."""
        return self._bb(self.blocks.cumsum(axis=1))

    def moving_average(self, player: int = 0, window: int = 1000) -> Floats:
        """Big blinds per hand over the last `window` hands, at each block from then on, (matches, points).

        Parameters
        ----------
        player : index of the player.
        window : number of hands per mean.

        Returns
        -------
        NDArray : big blinds per hand, shape (matches, points).
        """
        won = self._bb(self.blocks[:, :, player])
        width = min(max(window // self.block, 1), won.shape[1])
        sums = np.cumsum(np.pad(won, ((0, 0), (1, 0))), axis=1)
        return np.asarray((sums[:, width:] - sums[:, :-width]) / (width * self.block))

    def winnings(self, first: float = 0.0, last: float = 1.0, player: int = 0) -> Estimate:
        """Big blinds per hand between two fractions of the run, as 0.9 and 1; interval over matches.

        Parameters
        ----------
        first : fraction of the run at which to begin.
        last : fraction at which to end.
        player : index of the player.

        Returns
        -------
        Estimate : mean over matches with its interval.
        """
        count = self.blocks.shape[1]
        begin = int(first * count)
        end = max(int(last * count), begin + 1)
        won = self.blocks[:, begin:end, player].sum(axis=1).tolist()
        hands = min(end * self.block, self.hands) - begin * self.block
        unit = 1 / (PARTS * self.course.game.big_blind * max(hands, 1))
        return estimate(len(won), sum(won), sum(one * one for one in won), unit, "bb/h", FEWEST_MATCHES)

    def coarser(self, most: int) -> "TrainingReport":
        """Merge blocks until at most `most` of them are left.

        Parameters
        ----------
        most : largest number of blocks.

        Returns
        -------
        TrainingReport : the same results in fewer blocks.
        """
        times = -(-self.blocks.shape[1] // most)
        missing = -self.blocks.shape[1] % times
        padded = np.pad(self.blocks, ((0, 0), (0, missing), (0, 0)))
        matches, blocks, players = padded.shape
        together = padded.reshape(matches, blocks // times, times, players).sum(axis=2)
        return replace(self, blocks=together, block=times * self.block)


def joined(reports: Sequence[TrainingReport]) -> TrainingReport:
    """Merge the reports of different matches of one run."""
    blocks = np.concatenate([one.blocks for one in reports])
    known = [knowledge for one in reports for knowledge in one.knowledge]
    return replace(reports[0], blocks=blocks, knowledge=known)


def notes_of(course: TrainingRun) -> dict[str, Any]:
    """Return where knowledge comes from, for the file that stores it."""
    return {
        "agent": course.learner,
        "against": list(course.opponents),
        "game": course.game.name,
        "seats": course.game.seats,
        "stacks": list(course.game.stacks),
        "hands": course.hands,
        "swapped": course.swapped,
        "seed": course.seed,
    }
