"""Dynamic selection: before each hand a bandit chooses the member that plays it, by past utilities.

Rubin and Watson (2011, §4.2) run UCB1 over the imitators. The utility of a hand is its showdown DIVAT where
the cards were shown (a bet-for-value baseline in limit, always-call in no-limit) and the money otherwise,
in small bets (limit) or big blinds (no-limit). What is learned about an opponent is kept per table and reset
with the match.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import (
    Actions,
    Agent,
    Detail,
    ExplainingSeat,
    Explanation,
    FinishedHands,
    Policy,
    PolicySeat,
    Seat,
    SeatState,
    View,
    Views,
    explained,
    register,
)
from holdmem.agent.seat_state import checked_array, prefixed, unprefixed
from holdmem.agent.words.english import counted, money, plain, unit_name
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import PARTS, Game
from holdmem.players.imitators.bandits import Bandit, Rule
from holdmem.players.imitators.composite import MemberSeats, merge_policies
from holdmem.players.imitators.imaginary import imagined_results
from holdmem.players.imitators.imitator import basic_imitators, memories_of_basic_imitators
from holdmem.players.imitators.words import member_words
from holdmem.variance import divat_showdown

Utility = Literal["divat", "money", "imaginary"]
EXPLORED = 60
"""Hands for which every member is equally likely with imaginary observations; then their share falls."""
EXPLORING = 0.1
"""Share of hands, at least, in which the member is drawn from all."""


class DynamicSeat:
    """Seat that keeps, per table, the member now playing and the utilities of all members."""

    policy: Callable[[Views], Policy]

    def __init__(
        self, members: MemberSeats, tables: int, rule: Rule, utility: Utility, scale: float, rng: Streams
    ) -> None:
        self.members = members
        self.utility = utility
        self.bandit: Bandit = Bandit(tables, len(members), rule, scale)
        self.current: Ints = np.zeros(tables, dtype=np.int64)
        self.rng: Streams = rng.spawn("choice")
        if members.have_policies:
            self.policy = self._policy

    def act(self, views: Views) -> Actions:
        """Return the actions of the member playing at each table."""
        codes = np.empty(len(views), dtype=np.int64)
        for member, rows in self._rows(views):
            codes[rows] = self.members.seats[member].act(views[rows]).codes
        return Actions(codes)

    def _policy(self, views: Views) -> Policy:
        """Return the policy of the member playing at each table."""
        parts = [(rows, self.members.policy(member, views[rows])) for member, rows in self._rows(views)]
        return merge_policies(len(views), parts)

    def _rows(self, views: Views) -> list[tuple[int, NDArray[np.int64]]]:
        """Return pairs (member, indices of the views it decides)."""
        chosen = self.current[views.table]
        return [(member, np.flatnonzero(chosen == member)) for member in np.unique(chosen).tolist()]

    def watch(self, hands: FinishedHands) -> None:
        """Credit the member that played with the hand's utility, and choose one for the next hand."""
        at = hands.tables
        self.bandit.add(at, self.current[at], self.utilities(hands))
        uniforms = self.rng.uniforms(hands.hand_ids, np.zeros(len(hands), np.int64), len(self.members))
        self.current[at] = self.bandit.choose(at, uniforms)
        self.members.watch(hands)

    def state(self) -> SeatState:
        """Return the member playing at each table, the bandit's record and the members' learned state."""
        members = prefixed("members", self.members.state())
        return {"current": self.current, **self.bandit.state(), **members}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.current = checked_array(state, "current", self.current, most=len(self.members) - 1)
        self.bandit.restore(state)
        self.members.restore(unprefixed(state, "members"))

    def utilities(self, hands: FinishedHands) -> NDArray[np.float64]:
        """Return the utility of each hand, in small bets (limit) or big blinds (no-limit).

        With more than two seats, where DIVAT is not defined, it is the money won.
        """
        with_divat = self.utility == "divat" and hands.game.seats == 2
        parts = divat_showdown(hands) if with_divat else hands.parts
        ours = hands.by_player(int(hands.lineup.max()) + 1, parts)[:, hands.player]
        return ours / (PARTS * hands.game.unit[0])

    def counts(self) -> dict[str, int]:
        """Return the number of hands each member has played, over all tables."""
        tried = self.bandit.tried.sum(axis=0).tolist()
        return dict(zip(self.members.names, tried, strict=True))

    def explain(self, view: View) -> Explanation:
        """Return which member plays at this table and why, then that member's own explanation."""
        table = int(view.alone.table[0])
        playing = int(self.current[table])
        names = [member_words(name) for name in self.members.names]
        tried, earned = self.bandit.tried[table].tolist(), self.bandit.earned[table].tolist()
        means = [value / max(count, 1) for value, count in zip(earned, tried, strict=True)]
        details = [
            Detail(name, float(member == playing), {"hands": tried[member], "mean": round(means[member], 3)})
            for member, name in enumerate(self.members.names)
        ]
        seat = self.members.seats[playing]
        reasons = [
            f"{names[playing][:1].upper()}{names[playing][1:]} plays this hand.",
            *_record(unit_name(view.game), means, tried, playing),
        ]
        found = (
            seat.explain(view) if isinstance(seat, ExplainingSeat) else explained(view, _chosen(seat, view))
        )
        return replace(found, reasons=(*reasons, *found.reasons), details=(*details, *found.details))


class ImaginarySeat(DynamicSeat):
    """Seat that credits every member for every hand, with what it would have earned (see `imaginary`).

    The rule names a leader for the next hand. The member that plays is the leader, or with a probability that
    falls to `EXPLORING` any of them: actions that the leader never takes would teach nothing about those who
    take them.
    """

    def __init__(
        self, members: MemberSeats, tables: int, rule: Rule, utility: Utility, scale: float, rng: Streams
    ) -> None:
        super().__init__(members, tables, rule, utility, scale, rng)
        if not members.have_policies or members.learn:
            raise AgentError(
                "dynamic: imaginary observations need members that do not learn and report their"
                " action probabilities"
            )
        self.probabilities: Floats = np.zeros((tables, len(members)))
        self.probabilities[:, 0] = 1.0
        self.played: Ints = np.zeros((tables, len(members)), dtype=np.int64)

    def watch(self, hands: FinishedHands) -> None:
        """Credit all members with what they would have earned, and choose one for the next hand."""
        at, count = hands.tables, len(self.members)
        np.add.at(self.played, (at, self.current[at]), 1)
        worth = imagined_results(hands, self.members, self.probabilities[at]) / hands.game.unit[0]
        seen = ~np.isnan(worth).any(axis=1)
        for member in range(count):
            self.bandit.add(at[seen], np.full(int(seen.sum()), member), worth[seen, member])
        uniforms = self.rng.uniforms(hands.hand_ids, np.zeros(len(hands), np.int64), count + 1)
        self.probabilities[at] = self._probabilities_of(at, self.bandit.choose(at, uniforms[:, :count]))
        marks = self.probabilities[at].cumsum(axis=1)
        self.current[at] = np.minimum((marks <= uniforms[:, count:]).sum(axis=1), count - 1)

    def _probabilities_of(self, tables: Ints, leaders: Ints) -> Floats:
        count = len(self.members)
        explore = np.clip(EXPLORED / np.maximum(self.played[tables].sum(axis=1), 1), EXPLORING, 1.0)[:, None]
        found: Floats = explore / count + (1 - explore) * (leaders[:, None] == np.arange(count))
        return found

    def counts(self) -> dict[str, int]:
        """Return the number of hands each member has played, over all tables."""
        return dict(zip(self.members.names, self.played.sum(axis=0).tolist(), strict=True))

    def state(self) -> SeatState:
        """Return what `DynamicSeat.state` does, and the probabilities of the choice at each table."""
        return {**super().state(), "chances": self.probabilities, "played": self.played}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        super().restore(state)
        self.probabilities = checked_array(state, "chances", self.probabilities)
        self.played = checked_array(state, "played", self.played)


def _record(unit: str, means: list[float], tried: list[int], playing: int) -> list[str]:
    """Say what the member that plays has earned, and the others."""
    others = [mean for place, mean in enumerate(means) if tried[place] and place != playing]
    span = f", the others from {plain(min(others), 2)} to {plain(max(others), 2)}" if others else ""
    rule = "Each hand is played by the member that has won most so far, and now and then by another."
    if not tried[playing]:
        return [f"{rule} This one plays for the first time."]
    own = f"{money(means[playing], unit, 2)} per hand in {counted(tried[playing], 'hand')}"
    return [f"{rule} This one has earned {own}{span}."]


def _chosen(seat: Seat, view: View) -> Policy:
    """Return the seat's action at this view with probability 1, or its policy if it has one."""
    if isinstance(seat, PolicySeat):
        return seat.policy(view.alone)
    return Policy(np.ones((1, 1)), seat.act(view.alone).codes[:, None])


@register("dynamic", style="has several players, and lets the one decide that has won most so far",
          source="Rubin and Watson (2011)")  # fmt: skip
@dataclass(frozen=True)
class Dynamic:
    """Chooses one of several members for each hand with a bandit.

    Without `members` it uses the six basic imitators of the game. `rule` is the bandit rule and `utility`
    what a hand counts for. `scale` maps utilities from -scale to scale to rewards from 0 to 1; 0 uses them
    unchanged, as the paper does.
    """

    members: tuple[Agent, ...] = ()
    rule: Rule = "ucb1"
    utility: Utility = "divat"
    scale: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.scale < float("inf"):
            raise AgentError(f"dynamic: expected a scale of 0 or more, got {self.scale}")

    @property
    def shipped_files(self) -> tuple[Path, ...]:
        """The case bases of the usual members if none are given; results depend on their contents."""
        return () if self.members else memories_of_basic_imitators()

    def sit(self, game: Game, tables: int, rng: Streams) -> DynamicSeat:
        """Return a seat for a game that all members support."""
        agents = self.members or basic_imitators(game, "max-frequency", "probabilistic")
        members = MemberSeats(agents, game, tables, rng)
        imagines = self.utility == "imaginary" and game.seats == 2
        return (ImaginarySeat if imagines else DynamicSeat)(
            members, tables, self.rule, self.utility, self.scale, rng
        )
