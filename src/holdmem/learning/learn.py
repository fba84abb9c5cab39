"""Learn a case base from recorded hands in one pass, in memory proportional to the distinct cases.

The decisions of every twentieth hand are held out to measure the imitation. When they become too many, every
second of these hands is learned after all, so that ten million hands need no more memory than one million.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.cbr.builder import CaseBaseBuilder, Experience, Origin
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.representation import Representation
from holdmem.cbr.shrink import SHRINKAGE, Shrinkage
from holdmem.core.errors import AgentError, NotationError, nearest
from holdmem.engine import Game
from holdmem.history import Decisions, Hands, replay
from holdmem.learning.imitation import HeldOutDecisions, Imitation, held_out_by_street, joined, measure

HELD_OUT = 20
MOST_HELD = 100_000
"""Held-out decisions per street beyond which every second held-out hand is learned after all."""

HandsProgress = Callable[[int], None]
"""Called with the number of hands read so far."""


@dataclass(frozen=True)
class LearningResult:
    """Result of learning: the case base, facts about the input, and how well it imitates."""

    base: CaseBase
    about: dict[str, Any]
    imitation: list[Imitation]

    @property
    def warnings(self) -> list[str]:
        """Caveats to know before relying on the case base."""
        return self.base.caveats


@dataclass
class CaseLearner:
    """Reads hands block by block; `finish` returns the lesson."""

    representation: Representation
    players: str | Sequence[str]
    """Names of one or more players whose decisions are learned into one case base."""
    held_out: int = HELD_OUT
    most: int | None = None
    """Stop after this many decisions."""
    marks: Sequence[int] = ()
    """Numbers of hands at which the number of cases is recorded.

    The case base of only the first hands is then that number of leading cases of each street. Requires a
    representation that does not merge equal cases, so that cases stay in the order of the hands.
    """
    hands: int = 0
    seatings: int = 0
    unseen: int = 0
    folds: int = 0
    declined: str = ""
    marked: dict[str, list[int]] = field(default_factory=dict)
    table: NDArray[np.int64] = field(default_factory=lambda: np.zeros(4, np.int64))
    """Counts over all players in these hands.

    In order: decisions before the flop, folds among them, actions other than folds, raises among those.
    """
    _game: Game | None = None
    _names: set[str] = field(default_factory=set)
    _held: list[list[HeldOutDecisions]] = field(default_factory=lambda: [[], [], [], []])
    _tests: list[list[HeldOutDecisions]] = field(default_factory=lambda: [[], [], [], []])
    _gathering: CaseBaseBuilder = field(init=False)
    _empty: CaseBase = field(init=False)

    def __post_init__(self) -> None:
        self.players = (self.players,) if isinstance(self.players, str) else tuple(self.players)
        if self.marks and self.representation.merged:
            raise NotationError(
                f"{self.representation.name}: marks need a representation that does not merge equal cases"
            )
        self._gathering = CaseBaseBuilder(self.representation, held=self._held_hands)
        self._empty = CaseBase.empty(self.representation)

    @property
    def full(self) -> bool:
        """Whether the requested number of decisions has been learned."""
        return self.most is not None and self._gathering.decisions >= self.most

    def so_far(self) -> CaseBase:
        """Return what has been learned so far."""
        return self._gathering.take()

    def read(self, hands: Hands) -> None:
        """Learn from a block of hands."""
        self._names.update(hands.players)
        mine = hands.with_player(*self.players)
        for mark in self.marks:
            if self.hands < mark < self.hands + len(mine):
                until = mark - self.hands
                self._read(mine[:until])
                mine = mine[until:]
        self._read(mine)

    def _read(self, mine: Hands) -> None:
        """Learn from hands in which the players sit."""
        if not len(mine) or self.full:
            return
        who = self._places(mine)
        seats = np.isin(mine.rows["player"], who)
        self.seatings += int(seats.sum())
        self.unseen += int((seats & ~mine.known).sum())
        self._gathering.keep_hands(mine, seats, self.hands)
        for decisions in replay(mine):
            self._learn(decisions, who)
        self.hands += len(mine)
        if self.hands in self.marks:
            self.marked[str(self.hands)] = list(self._gathering.cases)

    def test(self, hands: Hands) -> None:
        """Keep a block of hands to measure the imitation, without learning from it."""
        mine = hands.with_player(*self.players)
        for decisions in replay(mine) if len(mine) else ():
            experience = self._experience(decisions, self._places(mine))
            if experience is not None:
                for street, held in enumerate(held_out_by_street(self._empty, experience)):
                    self._tests[street].append(held)

    def _places(self, mine: Hands) -> NDArray[np.int64]:
        return np.array([place for place, name in enumerate(mine.players) if name in self.players])

    def _experience(self, decisions: Decisions, who: NDArray[np.int64]) -> Experience | None:
        """Return the players' decisions with known cards, or None if the game cannot be learned."""
        try:
            self.representation.check(decisions.views.game)
        except AgentError as error:
            self.declined = str(error)
            return None
        rows = np.flatnonzero(np.isin(decisions.player, who) & decisions.known)
        number = self.hands + decisions.hand
        return Experience(decisions.views, decisions.actions, decisions.net, decisions.settled, rows, number)

    def _learn(self, decisions: Decisions, who: NDArray[np.int64]) -> None:
        experience = self._experience(decisions, who)
        if experience is None:
            return
        self._game = self._game or decisions.views.game
        before, plays = decisions.views.street == 0, decisions.actions >= 0
        self.table += [before.sum(), (before & ~plays).sum(), plays.sum(), (decisions.actions > 0).sum()]
        self.folds += int((decisions.actions[experience.rows] < 0).sum())
        apart = self._is_held(self.hands + decisions.hand[experience.rows])
        self._learn_these(experience, np.flatnonzero(~apart))
        if apart.any():
            for street, held in enumerate(held_out_by_street(self._empty, experience[apart])):
                self._held[street].append(held)
            self._thin_out()

    def _learn_these(self, experience: Experience, rows: NDArray[np.int64]) -> None:
        if self.most is not None:
            rows = rows[: max(self.most - self._gathering.decisions, 0)]
        self._gathering.add(experience[rows])

    def _is_held(self, hand: NDArray[np.int64]) -> NDArray[np.bool_]:
        if not self.held_out:
            return np.zeros(len(hand), dtype=np.bool_)
        return hand % self.held_out == self.held_out - 1  # type: ignore[no-any-return]

    def _thin_out(self) -> None:
        """If too many are held out, halve the share from now on and learn the past hands that drop out."""
        if max(sum(map(len, parts)) for parts in self._held) <= MOST_HELD:
            return
        self.held_out *= 2
        for street, parts in enumerate(self._held):
            if parts:
                held = joined(parts, self.representation.actions.names)
                stays = self._is_held(held.origin.hand)
                self._gathering.add_cases(held.cases[~stays], street, held.origin[~stays])
                self._held[street] = [held[stays]]

    def _held_hands(self) -> NDArray[np.int64]:
        """Return the numbers of the hands with decisions held out, which may be learned later."""
        numbers = [held.origin.hand for parts in self._held for held in parts]
        return np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *numbers]))

    def held(self) -> list[HeldOutDecisions]:
        """Return all held-out and test decisions, by street."""
        kinds = self.representation.actions.names
        apart = [[*ours, *theirs] for ours, theirs in zip(self._held, self._tests, strict=True)]
        return [
            joined(parts, kinds) if any(map(len, parts)) else no_held_out(self._empty, street)
            for street, parts in enumerate(apart)
        ]

    def finish(self) -> LearningResult:
        """Return the case base with the facts for its header."""
        if not self._gathering.decisions:
            raise NotationError(self._why_nothing())
        base, held = self.so_far(), self.held()
        found = measure(base, held)
        about = {
            "expert": " and ".join(self.players),
            "game": self._game.name if self._game else "",
            "unusual_order": bool(
                self._game and self._game.first != self._game.with_seats(self._game.seats).first
            ),
            "hands": self.hands,
            "table": {
                "gives_up": round(int(self.table[1]) / max(int(self.table[0]), 1), 6),
                "raises": round(int(self.table[3]) / max(int(self.table[2]), 1), 6),
            },
            "decisions": self._gathering.decisions,
            "held_out_decisions": sum(map(len, held)),
            "unseen": round(self.unseen / max(self.seatings, 1), 6),
            "showdowns_only": bool(self.unseen and not self.folds),
            "imitation": [one.as_json() for one in found],
            **({"marks": self.marked} if self.marked else {}),
        }
        return LearningResult(CaseBase(base.representation, base.streets, about), about, found)

    def _why_nothing(self) -> str:
        if self.declined:
            return self.declined
        if not self._names:
            return "no hands to learn from"
        for player in self.players:
            if player not in self._names:
                known = nearest(player, list(self._names))
                return f"no player {player!r} in these hands; {known}"
        whose = " and ".join(self.players)
        return f"nothing to learn: the hole cards of {whose} are known in none of {self.hands:,} hands"


def no_held_out(base: CaseBase, street: int) -> HeldOutDecisions:
    """Return an empty set of held-out decisions for this street."""
    none = np.zeros(0, dtype=np.bool_)
    nowhere = Origin(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    return HeldOutDecisions(base.streets[street][:0], nowhere, none, none)


def learn(
    blocks: Iterable[Hands],
    players: str | Sequence[str],
    representation: Representation,
    *,
    held_out: int = HELD_OUT,
    tests: Iterable[Hands] = (),
    most: int | None = None,
    marks: Sequence[int] = (),
    progress: HandsProgress | None = None,
) -> LearningResult:
    """Learn a case base of one or more players' decisions in one streaming pass.

    Every `held_out`-th hand is kept to measure the imitation (0: none), and so are all `tests`. `most` limits
    the number of decisions. `marks` are the numbers of hands at which the number of cases is recorded.
    """
    learner = CaseLearner(representation, players, held_out, most, sorted(marks))
    read = 0
    for hands in blocks:
        learner.read(hands)
        read += len(hands)
        if progress:
            progress(read)
        if learner.full:
            break
    for hands in tests:
        learner.test(hands)
    return learner.finish()


def measure_imitation(
    base: CaseBase,
    blocks: Iterable[Hands],
    player: str | Sequence[str],
    shrinkage: Shrinkage = SHRINKAGE,
) -> list[Imitation]:
    """Measure how well a case base imitates a player in hands that it should not have learned from."""
    learner = CaseLearner(base.representation, player)
    for hands in blocks:
        learner.test(hands)
    return measure(base, learner.held(), shrinkage)
