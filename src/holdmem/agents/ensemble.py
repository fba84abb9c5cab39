"""An ensemble: every member votes for the action it is most likely to take (Rubin and Watson 2011, §4.1).

The action with strictly the most votes is taken, if there is one; otherwise the lead's. In no-limit votes
count for the ten categories of bets, and the bet is that of the first member that voted for the category.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdmem.agents.imitator import basic_imitators
from holdmem.agents.members import Members
from holdmem.casebase.bet_sizes import BetSizes
from holdmem.casebase.reuse import most_frequent
from holdmem.casebase.solutions import Triple, Vocabulary
from holdmem.rules import Game
from holdmem.rules.batch import in_words
from holdmem.table import (
    Actions,
    Agent,
    Explanation,
    Finished,
    Ground,
    Policy,
    State,
    Streams,
    View,
    Views,
    register,
)

Ints = NDArray[np.int64]


def counted(kinds: Ints, size: int) -> Ints:
    """Votes for each kind of action, (views, size), of the kinds that members voted for, (views, members)."""
    votes: Ints = (kinds[:, :, None] == np.arange(size)).sum(axis=1)
    return votes


def strict_winner(votes: Ints) -> Ints:
    """The kind with strictly the most votes in each row; -1 where two have as many."""
    best = votes.argmax(axis=1)
    most = votes.max(axis=1, keepdims=True)
    return np.where((votes == most).sum(axis=1) == 1, best, -1)


class EnsembleSeat:
    """Has a policy if all its members have one, and watches if one of them does."""

    policy: Callable[[Views], Policy]
    watch: Callable[[Finished], None]

    def __init__(self, game: Game, members: Members, voters: int, lead: int) -> None:
        self.members, self.voters, self.lead = members, voters, lead
        self.actions: Vocabulary = Triple() if game.limit else BetSizes()
        if members.have_policies:
            self.policy = self._policy
        if members.learn:
            self.watch = members.watch

    def state(self) -> State:
        """What its members have learned."""
        return self.members.state()

    def restore(self, state: State) -> None:
        """Take that up again."""
        self.members.restore(state)

    def act(self, views: Views) -> Actions:
        """What is voted for."""
        return Actions(self.decide(views, self._wishes(views)))

    def _policy(self, views: Views) -> Policy:
        """All chance to what is voted for."""
        codes = self.decide(views, self._wishes(views))
        return Policy(np.ones((len(views), 1)), codes[:, None])

    def _wishes(self, views: Views) -> Ints:
        """What each member would do, (views, members): its likeliest action, or what it draws."""
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
        """The action with strictly the most votes, else the lead's."""
        kinds = self._kinds(views, wishes)
        winner = strict_winner(counted(kinds, len(self.actions.names)))
        voted = (kinds == winner[:, None]).argmax(axis=1)
        chosen = np.where(winner >= 0, voted, self.lead)
        decided: Ints = wishes[np.arange(len(views)), chosen]
        return decided

    def _kinds(self, views: Views, wishes: Ints) -> Ints:
        return np.column_stack([self.actions.kinds(views, wish) for wish in wishes.T[: self.voters]])

    def explain(self, view: View) -> Explanation:
        """Who votes for what."""
        views = view.alone
        wishes = self._wishes(views)
        votes = counted(self._kinds(views, wishes), len(self.actions.names))
        winner, decided = int(strict_winner(votes)[0]), int(self.decide(views, wishes)[0])
        how = f"{votes[0].max()} of {self.voters} votes" if winner >= 0 else "no majority, the lead decides"
        grounds = [
            Ground(name, float(place < self.voters), {"wants": in_words(int(wish))})
            for place, (name, wish) in enumerate(zip(self.members.names, wishes[0], strict=True))
        ]
        return Explanation(f"{how}: {in_words(decided)}", ((decided, 1.0),), tuple(grounds))


@register("ensemble", style="several players vote; where they are at odds, the lead decides",
          source="Rubin and Watson (2011)")  # fmt: skip
@dataclass(frozen=True)
class Ensemble:
    """Without members, the max-frequency imitators of the game's three experts; without a lead, the first.

    A lead that is no member has no vote.
    """

    members: tuple[Agent, ...] = ()
    lead: Agent | None = None

    def sit(self, game: Game, tables: int, rng: Streams) -> EnsembleSeat:
        """Plays what all members play."""
        voters = self.members or basic_imitators(game, "max-frequency")
        lead = voters[0] if self.lead is None else self.lead
        everybody = voters if lead in voters else (*voters, lead)
        members = Members(everybody, game, tables, rng)
        return EnsembleSeat(game, members, len(voters), everybody.index(lead))
