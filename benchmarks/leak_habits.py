"""Twenty habits that cost money, planted in a remembered style to see whether a review finds them.

A habit changes the policy of its base player in the situations of its trigger and nowhere else. `dose` is the
share of these decisions in which the habit is followed. Triggers and changes are fixed here before the
detector is tuned; the doses alone are set afterwards, so that each habit costs 2 to 4 bb per 100 hands.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from holdmem.agent import Policy, Views, legal_policy
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.core.data import DATA
from holdmem.core.random import Streams
from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine import Game
from holdmem.history.stats import POSITIONS
from holdmem.people.choose import classes_at, weights_at
from holdmem.people.holdings import MADE, postflop_strength
from holdmem.people.kernels.situations import CALLS, CHECKED, FEATURES, FOLDS, RAISES
from holdmem.people.memory import PersonMemory, read_person
from holdmem.people.situations import features_of

BASE = "tight-aggressive"
BLINDS = [POSITIONS.index(name) for name in ("SB", "BB")]
STEALERS = [1 + POSITIONS.index(name) for name in ("CO", "BTN", "SB")]
"""Codes of the feature `aggressor` for positions that steal blinds."""
DEEP = 10_000
"""Chips of 100 big blinds, which one habit takes every stack for."""


class Seen:
    """What triggers and changes look at: public features by name, and the strength of the own holding."""

    def __init__(self, views: Views) -> None:
        self.views = views
        self._features = features_of(views)
        self._held = classes_at(views)

    def __getattr__(self, name: str) -> np.ndarray:
        found: np.ndarray = self._features[:, FEATURES.index(name)]
        return found

    @property
    def strength(self) -> Floats:
        """Share of holdings beaten now, by class; draws count as what they hope for; 0 before the flop."""
        after = self.views.street > 0
        found: Floats = np.where(after, postflop_strength()[np.where(after, self._held, 0)], 0.0)
        return found

    @property
    def draws(self) -> Flags:
        """Whether the holding is a draw."""
        return (self.views.street > 0) & (self._held >= MADE)


Trigger = Callable[[Seen], Flags]
Change = Callable[[Floats, Ints, Seen], None]
"""Changes weights (n, 8) and totals of raises (n, 6) in place."""


def move(weights: Floats, of: list[int], to: int) -> None:
    """Move the weight of some classes of actions to another."""
    for one in of:
        weights[:, to] += weights[:, one]
        weights[:, one] = 0.0


ALL_RAISES = list(range(RAISES, 8))


def fold(weights: Floats, totals: Ints, seen: Seen) -> None:
    """Fold everything."""
    move(weights, [CALLS, *ALL_RAISES], FOLDS)


def call_for_fold(weights: Floats, totals: Ints, seen: Seen) -> None:
    """Call instead of folding."""
    move(weights, [FOLDS], CALLS)


def call_for_raise(weights: Floats, totals: Ints, seen: Seen) -> None:
    """Check or call instead of raising."""
    move(weights, ALL_RAISES, CALLS)


def bet_for_check(weights: Floats, totals: Ints, seen: Seen) -> None:
    """Bet half the pot instead of checking."""
    move(weights, [FOLDS, CALLS], RAISES + 2)


def bet_small(weights: Floats, totals: Ints, seen: Seen) -> None:
    """Bet an eighth of the pot instead of any other size."""
    move(weights, ALL_RAISES[1:], RAISES)
    totals[:, 0] = np.maximum(seen.views.highest + seen.views.pot // 8, 1)


def bet_large(weights: Floats, totals: Ints, seen: Seen) -> None:
    """Bet three times the pot instead of any other size."""
    move(weights, ALL_RAISES[:-1], ALL_RAISES[-1])
    totals[:, -1] = seen.views.highest + 3 * seen.views.pot


def all_in(weights: Floats, totals: Ints, seen: Seen) -> None:
    """Go all-in instead of folding or calling."""
    move(weights, [FOLDS, CALLS], ALL_RAISES[-1])
    totals[:, -1] = np.maximum(seen.views.max_raise_to, 1)


def nothing(weights: Floats, totals: Ints, seen: Seen) -> None:
    """Leave the weights as they are: the habit is in how the stacks are seen."""


@dataclass(frozen=True)
class Habit:
    """A habit: in which situations it applies, and what it does there."""

    name: str
    trigger: Trigger
    change: Change
    dose: float = 1.0
    stacks: int = DEEP
    """Stacks of the tables at which it is measured, in chips of a hundredth of a big blind."""
    blind_to_depth: bool = False


def _cbet(seen: Seen) -> Flags:
    return (seen.street == 1) & (seen.previous_aggressor == 3) & (seen.bets == 0)


def _faces_3bet(seen: Seen) -> Flags:
    return (seen.street == 0) & (seen.bets == 2) & (seen.own_preflop == 3)


HABITS = (
    Habit(
        "folds big blind to steals",
        lambda s: (
            (s.street == 0) & (s.position == BLINDS[1]) & (s.bets == 1) & np.isin(s.aggressor, STEALERS)
        ),
        fold,
    ),
    Habit(
        "cold-calls too much",
        lambda s: (s.street == 0) & (s.bets == 1) & (s.own_last == 0) & ~np.isin(s.position, BLINDS),
        call_for_fold,
    ),
    Habit("never 3-bets", lambda s: (s.street == 0) & (s.bets == 1), call_for_raise),
    Habit("limps", lambda s: (s.street == 0) & (s.first_in == 1), call_for_raise),
    Habit("calls 3-bets out of position", lambda s: _faces_3bet(s) & (s.aggressor_after == 1), call_for_fold),
    Habit("c-bets always", _cbet, bet_for_check),
    Habit("never c-bets", _cbet, call_for_raise),
    Habit(
        "folds to c-bets",
        lambda s: (s.street == 1) & (s.bets == 1) & (s.previous_aggressor == 2),
        fold,
    ),
    Habit(
        "never check-raises",
        lambda s: (s.street > 0) & (s.own_last == CHECKED) & (s.bets > 0),
        call_for_raise,
    ),
    Habit(
        "donk-bets",
        lambda s: (s.street == 1) & (s.bets == 0) & (s.previous_aggressor == 2) & (s.in_position > 0),
        bet_for_check,
    ),
    Habit(
        "gives up turns",
        lambda s: (s.street == 2) & (s.bets == 0) & (s.previous_aggressor == 3) & (s.own_barrels == 1),
        call_for_raise,
    ),
    Habit("calls rivers light", lambda s: (s.street == 3) & (s.bets > 0), call_for_fold),
    Habit(
        "never bluffs rivers", lambda s: (s.street == 3) & (s.bets == 0) & (s.strength < 0.5), call_for_raise
    ),
    Habit("value bets too small", lambda s: (s.street > 0) & (s.bets == 0) & (s.strength > 0.8), bet_small),
    Habit("overbets", lambda s: (s.street > 0) & (s.bets == 0), bet_large),
    Habit("slow-plays", lambda s: np.isin(s.street, (1, 2)) & (s.strength > 0.95) & ~s.draws, call_for_raise),
    Habit("chases draws", lambda s: np.isin(s.street, (1, 2)) & (s.bets > 0) & s.draws, call_for_fold),
    Habit(
        "stacks off with one pair",
        lambda s: (s.street > 0) & (s.bets > 0) & (s.strength > 0.72) & (s.strength < 0.95) & ~s.draws,
        all_in,
    ),
    Habit("plays 40 bb like 100", lambda s: s.street >= 0, nothing, stacks=4_000, blind_to_depth=True),
    Habit("folds to 3-bets", _faces_3bet, fold),
)
"""The twenty habits."""


class HabitSeat(SamplingSeat):
    """The base player with a habit."""

    def __init__(self, person: PersonMemory, habit: Habit, rng: Streams) -> None:
        super().__init__(rng)
        self.person, self.habit = person, habit

    def policy(self, views: Views) -> Policy:
        """Return the base player's policy, mixed with the habit's where that applies."""
        usual, totals = weights_at(self.person, views)
        if self.habit.blind_to_depth:
            usual = (1 - self.habit.dose) * usual + self.habit.dose * weights_at(self.person, deeper(views))[
                0
            ]
            return legal_policy(views, usual, totals)
        seen = Seen(views)
        changed, sizes = usual.copy(), totals.copy()
        self.habit.change(changed, sizes, seen)
        where = self.habit.trigger(seen)
        share = (where * self.habit.dose)[:, None]
        weights = np.hstack([(1 - share) * usual, share * changed[:, RAISES:]])
        weights[:, :RAISES] += share * changed[:, :RAISES]
        return legal_policy(views, weights, np.hstack([totals, sizes]))


def deeper(views: Views) -> Views:
    """Return the views as if every stack were 60 big blinds larger."""
    rows = views.rows.copy()
    rows["stack"][:, : views.game.seats] += 60 * views.game.big_blind
    rows["max_raise_to"] = np.where(
        rows["max_raise_to"] > 0, rows["max_raise_to"] + 60 * views.game.big_blind, 0
    )
    history, hands = views.played
    return Views(views.game, rows, history, hands, views.table)


@dataclass(frozen=True)
class WithHabit:
    """An agent: a shipped style with one of the habits, by number; none with -1."""

    habit: int
    dose: float = 1.0
    style: str = BASE

    def sit(self, game: Game, tables: int, rng: Streams) -> HabitSeat:
        """Return a seat."""
        habit = HABITS[self.habit] if self.habit >= 0 else Habit("none", lambda s: s.street < 0, nothing)
        chosen = Habit(
            habit.name, habit.trigger, habit.change, self.dose if self.habit >= 0 else 0.0, habit.stacks,
            habit.blind_to_depth,
        )  # fmt: skip
        return HabitSeat(read_person(DATA / f"{self.style}.people"), chosen, rng)
