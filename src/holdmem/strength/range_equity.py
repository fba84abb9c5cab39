"""All-in equity of ranges: every compatible combination of holdings, weighted by the product of its weights.

    equity of a player = sum over deals of weight * equity of its holding / sum over deals of weight

A deal gives each player one holding of its range, no card twice; known hands are ranges of one holding. Two
ranges before the flop come from the table of all pairs (`preflop_equity`). Two ranges on a board, or with
dead cards, are counted by a sweep over the sorted holdings of every board. Three or more are counted by
enumerating every deal on every board, or sampled if that takes too long. Boards that differ only by a
permutation of interchangeable suits are counted once, with a weight.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.cards.notation import BOARD_LENGTHS, distinct, names
from holdmem.cards.ranges import Range
from holdmem.core.display import html_table, short, short_list
from holdmem.core.errors import NotationError, TooManyDeals
from holdmem.core.random import Streams, philox_key
from holdmem.strength.equity import MOST_PLAYERS, hand_equities
from holdmem.strength.kernels.range_equity import complete_boards, meet_many, meet_two, sample
from holdmem.strength.preflop_equity import BOARDS_OF_PAIR, wins_of_holdings

if TYPE_CHECKING:
    import polars as pl

MOST_SHOWDOWNS = 10_000_000_000
"""Limit of exact enumeration, some ten seconds of work; beyond it use sampling."""
EVALUATION = 5  # cost of evaluating a holding on a board, in showdowns


@dataclass(frozen=True, eq=False)
class RangeEquities:
    """Equities of ranges against one another, as shares from 0 to 1; arrays have one entry per player."""

    equity: NDArray[np.float64]
    """Mean share of the pot, ties split; sums to 1."""
    wins: NDArray[np.float64]
    """Share of showdowns that the player wins alone."""
    ties: NDArray[np.float64]
    """Share of showdowns in which the player ties for the win."""
    error: NDArray[np.float64]
    """Standard error of `equity`: 0 unless sampled."""
    boards: int
    """Number of completions of the board per deal."""
    samples: int = 0
    """Number of sampled showdowns; 0 for an exact result."""
    hands: tuple[str, ...] = ()
    """The hands and ranges as given, where known."""

    def _called(self) -> list[str]:
        return [*self.hands] or [f"player {player}" for player in range(1, len(self.equity) + 1)]

    def __repr__(self) -> str:
        pairs = zip(self._called(), self.equity, strict=True)
        shares = [f"{short(name, 24)} {share:.2%}" for name, share in pairs]
        how = f"{self.samples:,} showdowns sampled" if self.samples else "exact"
        return f"RangeEquities({short_list(shares)}; {how})"

    def _repr_html_(self) -> str:
        columns = zip(self._called(), self.equity, self.wins, self.ties, strict=True)
        rows = [(name, *(f"{share:.3%}" for share in shares)) for name, *shares in columns]
        return html_table(("hand", "equity", "wins", "ties"), rows)

    def frame(self) -> "pl.DataFrame":
        """Return the equities as a polars data frame, one row per player."""
        import polars as pl  # noqa: PLC0415

        shares = {"equity": self.equity, "wins": self.wins, "ties": self.ties, "standard_error": self.error}
        return pl.DataFrame({"hand": self._called(), **shares})


def range_equities(
    ranges: Sequence[Range], board: Iterable[int] = (), dead: Iterable[int] = ()
) -> RangeEquities:
    """Return the exact equities of two to ten ranges on a board; raise TooManyDeals if that takes too long.

    >>> pairs = range_equities([Range.parse("AA"), Range.parse("KK")])
    >>> pairs.equity.round(4).tolist()
    [0.8195, 0.1805]
    """
    question = _Question.of(ranges, board, dead)
    if len(question.known()) == 2 * len(ranges):
        return question.known_hands()
    if len(ranges) == 2 and not question.board and not question.dead:
        outcomes = _two_by_table(question.ranges[0].weights, question.ranges[1].weights)
    else:
        outcomes = question.count()
    if not outcomes.sum():
        raise NotationError(f"no deal gives every player a holding from its range: {question.clash()}")
    return question.summary(outcomes)


def sampled_equities(
    ranges: Sequence[Range],
    samples: int,
    seed: int = 0,
    board: Iterable[int] = (),
    dead: Iterable[int] = (),
) -> RangeEquities:
    """Estimate equities, with standard errors, from `samples` random showdowns; reproducible by `seed`."""
    if samples < 1:
        raise NotationError(f"expected at least one sample, got {samples}")
    question = _Question.of(ranges, board, dead)
    cumulative = np.array([each.weights for each in question.ranges]).cumsum(axis=1)
    outcomes = np.zeros(1 << len(ranges))
    key = philox_key(Streams.of(seed, "equity"))
    shared, gone = np.array(question.board, np.int64), np.array(question.dead, np.int64)
    if not sample(key, samples, shared, gone, HOLDINGS.astype(np.int64), cumulative, outcomes):
        raise NotationError(f"no deal gives every player a holding from its range: {question.clash()}")
    return question.summary(outcomes, samples)


def _two_by_table(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight of showdowns by set of winners, before the flop, from the table of all pairs."""
    table = _wins()
    won, lost = ours @ (table @ theirs), theirs @ (table @ ours)
    total = BOARDS_OF_PAIR * _compatible_weight(ours, theirs)
    return np.array([0.0, won, lost, max(total - won - lost, 0.0)])


@cache
def _wins() -> NDArray[np.float64]:
    """Return the table of all pairs of holdings as float64, for fast matrix products."""
    return wins_of_holdings().astype(np.float64)


def _compatible_weight(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> float:
    """Return the weight of all pairs of holdings that share no card, by inclusion and exclusion."""
    mine, others = (np.bincount(HOLDINGS.ravel(), np.repeat(weights, 2)) for weights in (ours, theirs))
    return float(ours.sum() * theirs.sum() - mine @ others + ours @ theirs)


@dataclass(frozen=True)
class _Question:
    """Ranges reduced by card removal, with the board and the dead cards."""

    ranges: tuple[Range, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @classmethod
    def of(cls, ranges: Sequence[Range], board: Iterable[int], dead: Iterable[int]) -> "_Question":
        """Validate the input: two to ten ranges, each with holdings left after card removal."""
        shared, gone = tuple(board), tuple(dead)
        if not 2 <= len(ranges) <= MOST_PLAYERS:
            raise NotationError(f"expected 2 to {MOST_PLAYERS} hands or ranges, got {len(ranges)}")
        if len(shared) not in BOARD_LENGTHS:
            raise NotationError(f"expected a board of 0, 3, 4 or 5 cards, got {names(shared)}")
        distinct([*shared, *gone])
        if 52 - len(gone) < 5 + 2 * len(ranges):
            raise NotationError(f"too few cards for {len(ranges)} hands and a board: {len(gone)} are dead")
        held = distinct([card for each in ranges if len(each) == 1 for card in next(iter(each))])
        distinct([*held, *shared, *gone])
        out = [*shared, *gone, *held]
        possible = tuple(each if len(each) == 1 else each.without(out) for each in ranges)
        for before, after in zip(ranges, possible, strict=True):
            if not len(after):
                raise NotationError(f"every holding of {before} contains a card in use: {names(out)}")
        return cls(possible, shared, gone)

    def known(self) -> set[int]:
        """Return the cards of the players whose range is a single holding."""
        return {card for each in self.ranges if len(each) == 1 for card in next(iter(each))}

    @property
    def boards(self) -> int:
        """Number of completions of the board per deal."""
        return comb(52 - 2 * len(self.ranges) - len(self.board) - len(self.dead), 5 - len(self.board))

    def clash(self) -> str:
        """Return the ranges as text for an error message."""
        return " against ".join(str(each) for each in self.ranges)

    def known_hands(self) -> RangeEquities:
        """Return the result if every range is a single holding."""
        hands = [[next(iter(each)) for each in self.ranges]]
        found = hand_equities(hands, [self.board] if self.board else None, self.dead)
        exact = np.zeros(len(self.ranges))
        return RangeEquities(found.equity[0], found.wins[0], found.ties[0], exact, self.boards)

    def count(self) -> NDArray[np.float64]:
        """Return the weights of showdowns by set of winners, counted on every board."""
        weights = np.array([each.weights for each in self.ranges])
        some = weights.any(axis=0)
        weights, holdings = np.ascontiguousarray(weights[:, some]), HOLDINGS[some].astype(np.int64)
        outcomes = np.zeros(1 << len(weights))
        boards, board_weights = self.completed_boards()
        if len(weights) == 2:
            self.limit(len(boards) * EVALUATION * len(holdings))
            meet_two(boards, board_weights, holdings, weights[0], weights[1], outcomes)
        else:
            deals = prod(len(each) for each in self.ranges)
            self.limit(len(boards) * (EVALUATION * len(holdings) + deals))
            meet_many(boards, board_weights, holdings, weights, outcomes)
        return outcomes

    def limit(self, showdowns: int) -> None:
        """Raise TooManyDeals if the enumeration would take too long."""
        if showdowns > MOST_SHOWDOWNS:
            raise TooManyDeals(
                f"about {showdowns:.1e} showdowns are too many to enumerate (limit {MOST_SHOWDOWNS:.0e});"
                " sample them instead (--samples 1000000, or sampled_equities)"
            )

    def completed_boards(self) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return full boards up to interchangeable suits, and the number of boards that each represents."""
        deck = np.setdiff1d(np.arange(52), [*self.board, *self.dead, *self.known()])
        room = comb(len(deck), 5 - len(self.board))
        boards, weights = np.empty((room, 5), np.uint8), np.empty(room)
        dealt = np.array(self.board, np.int64)
        found = complete_boards(dealt, deck, self.alike(), boards, weights)
        return boards[:found], weights[:found]

    def alike(self) -> NDArray[np.int64]:
        """Return for each suit the lowest suit interchangeable with it for these ranges and known cards."""
        first = np.arange(4)
        for one, other in combinations(range(4), 2):
            if first[other] == other and self.same_after_exchange(one, other):
                first[other] = first[one]
        return first

    def same_after_exchange(self, one: int, other: int) -> bool:
        """Whether exchanging two suits leaves all ranges and known cards unchanged."""
        suits = np.arange(4)
        suits[[one, other]] = other, one
        card = 4 * (np.arange(52) // 4) + suits[np.arange(52) % 4]
        holding = HOLDING_OF[card[HOLDINGS[:, 0]], card[HOLDINGS[:, 1]]]
        known = all({*card[list(cards)].tolist()} == {*cards} for cards in (self.board, self.dead) if cards)
        return known and all(np.array_equal(each.weights, each.weights[holding]) for each in self.ranges)

    def summary(self, outcomes: NDArray[np.float64], samples: int = 0) -> RangeEquities:
        """Return each player's shares from the weights of showdowns by set of winners."""
        sets = np.arange(len(outcomes))
        member = sets[:, None] >> np.arange(len(self.ranges)) & 1
        winners = np.maximum(member.sum(axis=1), 1)
        probability = outcomes / outcomes.sum()
        part = member / winners[:, None]
        equity = probability @ part
        wins = probability @ (member * (winners == 1)[:, None])
        variance = np.maximum(probability @ part**2 - equity**2, 0)
        error = np.sqrt(variance / samples) if samples else np.zeros_like(equity)
        return RangeEquities(equity, wins, probability @ member - wins, error, self.boards, samples)
