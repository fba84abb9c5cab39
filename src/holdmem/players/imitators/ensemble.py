"""Ensemble voting: each member votes for its most probable action (Rubin and Watson 2011, §4.1).

The action with strictly the most votes is taken; if the vote is tied, the lead's action. In no-limit, votes
are counted over the ten bet-size categories, and the bet is that of the first member that voted for the
winning category.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import (
    CALL,
    FOLD,
    Actions,
    Agent,
    Detail,
    ExplainingSeat,
    Explanation,
    FinishedHands,
    Policy,
    Seat,
    SeatState,
    View,
    Views,
    explained,
    register,
)
from holdmem.agent.tabular import BoardTable, bare_views, decisions
from holdmem.agent.words.actions import action_words
from holdmem.agent.words.english import joined, number
from holdmem.cbr.features.bet_sizes import BetSizes
from holdmem.cbr.reuse import most_frequent
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.solutions import Triple, Vocabulary
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.engine.describe import describe_action
from holdmem.engine.state import BOARD_CARDS, STREETS
from holdmem.players.imitators.composite import MemberSeats
from holdmem.players.imitators.imitator import basic_imitators, memories_of_basic_imitators
from holdmem.players.imitators.words import member_words


def counted(kinds: Ints, size: int) -> Ints:
    """Count votes per kind of action, shape (views, size), from `kinds` of shape (views, members)."""
    votes: Ints = (kinds[:, :, None] == np.arange(size)).sum(axis=1)
    return votes


def strict_winner(votes: Ints) -> Ints:
    """Return the kind with strictly the most votes in each row, or -1 where the maximum is tied."""
    best = votes.argmax(axis=1)
    most = votes.max(axis=1, keepdims=True)
    return np.where((votes == most).sum(axis=1) == 1, best, -1)


class EnsembleSeat:
    """Seat that has a `policy` only if all members have one, and `watch` only if some member learns."""

    policy: Callable[[Views], Policy]
    watch: Callable[[FinishedHands], None]

    def __init__(self, game: Game, members: MemberSeats, voters: int, lead: int) -> None:
        self.members = members
        self.voters = voters
        self.lead = lead
        self.actions: Vocabulary = Triple() if game.limit else BetSizes()
        if members.have_policies:
            self.policy = self._policy
        if members.learn:
            self.watch = members.watch

    def state(self) -> SeatState:
        """Return the members' learned state."""
        return self.members.state()

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.members.restore(state)

    def act(self, views: Views) -> Actions:
        """Return the action chosen by vote at each view."""
        return Actions(self.decide(views, self._wishes(views)))

    def _policy(self, views: Views) -> Policy:
        """Return a policy that gives the action chosen by vote probability 1."""
        codes = self.decide(views, self._wishes(views))
        return Policy(np.ones((len(views), 1)), codes[:, None])

    def _wishes(self, views: Views) -> Ints:
        """Return the action each member votes for, shape (views, members).

        It is the member's most probable action, or the one it samples if it has no policy.
        """
        wishes = np.empty((len(views), len(self.members)), dtype=np.int64)
        first = np.zeros(len(views))
        for member, seat in enumerate(self.members.seats):
            has_policy = getattr(seat, "policy", None) is not None
            wish = (
                most_frequent(self.members.policy(member, views)).draw(first)
                if has_policy
                else seat.act(views)
            )
            wishes[:, member] = wish.codes
        return wishes

    def decide(self, views: Views, wishes: Ints) -> Ints:
        """Return the action with strictly the most votes, or the lead's if there is none."""
        kinds = self._kinds(views, wishes)
        winner = strict_winner(counted(kinds, len(self.actions.names)))
        voted = (kinds == winner[:, None]).argmax(axis=1)
        chosen = np.where(winner >= 0, voted, self.lead)
        decided: Ints = wishes[np.arange(len(views)), chosen]
        return decided

    def _kinds(self, views: Views, wishes: Ints) -> Ints:
        return np.column_stack([self.actions.kinds(views, wish) for wish in wishes.T[: self.voters]])

    def tabulate(self, tree: Any) -> "VoteTables":
        """Return the vote by decision and class; AgentError unless all members share their classes."""
        return VoteTables(self, tree)

    def explain(self, view: View) -> Explanation:
        """Return the result of the vote and the action each member wants."""
        views = view.alone
        wishes = self._wishes(views)
        votes = counted(self._kinds(views, wishes), len(self.actions.names))
        winner, decided = int(strict_winner(votes)[0]), int(self.decide(views, wishes)[0])
        names = [member_words(name) for name in self.members.names]
        votes_said = _votes(view, names[: self.voters], wishes[0, : self.voters].tolist())
        how = "" if winner >= 0 else f"; without a majority {names[self.lead]} decides"
        details = [
            Detail(name, float(place < self.voters), {"wants": describe_action(int(wish))})
            for place, (name, wish) in enumerate(zip(self.members.names, wishes[0], strict=True))
        ]
        told = _told(view, self.members.seats[: self.voters], names, wishes[0].tolist(), decided)
        hands = () if told is None else told.hands
        reasons = [f"{votes_said}{how}", *(() if told is None else told.reasons)]
        return explained(view, [(decided, 1.0)], reasons, hands=hands, details=details)


def _told(
    view: View, seats: Sequence[Seat], names: Sequence[str], wishes: Sequence[int], decided: int
) -> Explanation | None:
    """Return the explanation of the first member that voted for the decision, if it explains itself."""
    for seat, name, wish in zip(seats, names, wishes, strict=False):
        if wish == decided and isinstance(seat, ExplainingSeat):
            found = seat.explain(view)
            return replace(found, reasons=(f"What follows is why {name} voted so.", *found.reasons))
    return None


def _votes(view: View, names: list[str], wishes: list[int]) -> str:
    """Say who voted for what: "the imitator of eqm and … voted to call, … to fold"."""
    if len(set(wishes)) == 1:
        return f"all {number(len(names))} members voted to {action_words(view, wishes[0])}: {joined(names)}"
    said = []
    for wish in sorted(set(wishes), key=lambda one: -wishes.count(one)):
        those = [name for name, other in zip(names, wishes, strict=True) if other == wish]
        said.append(f"{joined(those)} voted to {action_words(view, wish)}")
    return joined(said)


class VoteTables:
    """The vote of case-based members in limit, which see cards in the same classes."""

    def __init__(self, seat: EnsembleSeat, tree: Any) -> None:
        for member, name in zip(seat.members.seats, seat.members.names, strict=True):
            if not isinstance(member, CaseBasedSeat) or not tree.game.limit:
                raise AgentError(
                    f"ensemble: not tabular: its member {name} is not case-based, or not in limit"
                )
        self.seat = seat
        self.tree = tree
        self.members: list[Any] = [member.tabulate(tree) for member in seat.members.seats]  # type: ignore[attr-defined]

    @cached_property
    def tables(self) -> list[Floats]:
        """The table of each street, [decision, action, class]."""
        return [self._table(street) for street in range(STREETS)]

    def _table(self, street: int) -> Floats:
        facts = decisions(self.tree, street)
        tables = [member.table_of(street) for member in self.members]
        rows, _, count = tables[0].shape
        views = bare_views(self.tree.game, street, facts, np.arange(rows).repeat(count))
        codes = np.array([FOLD, CALL, 1])
        wishes = [
            most_frequent(Policy(table.transpose(0, 2, 1).reshape(-1, 3), np.tile(codes, (rows * count, 1))))
            for table in tables
        ]
        wanted = np.stack([wish.draw(np.zeros(rows * count)).codes for wish in wishes], axis=1)
        decided = self.seat.decide(views, wanted).reshape(rows, count)
        return np.stack([decided == code for code in codes], axis=1).astype(np.float64)

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return the vote's probabilities by the classes that all members share on a board."""
        return BoardTable(self.members[0].on(board).classes, self.tables[BOARD_CARDS.index(len(board))])


@register("ensemble", style="several imitators vote; one of them breaks ties",
          source="Rubin and Watson (2011)")  # fmt: skip
@dataclass(frozen=True)
class Ensemble:
    """Takes the action that most members vote for; on a tie the lead decides.

    Without `members` it uses the max-frequency imitators of the game's three experts; without `lead`, the
    first member leads. A lead that is not a member has no vote.
    """

    members: tuple[Agent, ...] = ()
    lead: Agent | None = None

    @property
    def shipped_files(self) -> tuple[Path, ...]:
        """The case bases of the usual members if none are given; results depend on their contents."""
        return () if self.members else memories_of_basic_imitators()

    def sit(self, game: Game, tables: int, rng: Streams) -> EnsembleSeat:
        """Return a seat for a game that all members support."""
        voters = self.members or basic_imitators(game, "max-frequency")
        lead = voters[0] if self.lead is None else self.lead
        everybody = voters if lead in voters else (*voters, lead)
        members = MemberSeats(everybody, game, tables, rng)
        return EnsembleSeat(game, members, len(voters), everybody.index(lead))
