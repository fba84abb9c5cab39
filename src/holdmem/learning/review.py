"""Compare a person's hands with what a case-based expert would have done.

A difference is a decision in which the expert's most likely action is not the person's. Differences are
ranked by a score. If the expert has a case base, the score is the mean remembered outcome of the expert's
action minus that of the person's, times n / (n + 10), with n the smaller number of remembered outcomes, since
few outcomes are mostly luck. Where outcomes of both actions are not known, it is the pot times how much more
likely the expert's action is by the shrunk triple (`cbr/shrink.py`), again times n / (n + 10), with n the
number of remembered decisions. For experts without a case base it is the pot times how much more likely
their action is. The score is not an amount of money: it may exceed all the chips in play. It sorts the
differences and is not reported; their ranks are.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Agent, Policy, PolicySeat, Seat, Views, as_agent, describe_situation, name_of
from holdmem.agent.words import action_words
from holdmem.cards import names
from holdmem.cbr.features.betting import codes_of, letters_of
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.shrink import SHRINKAGE, coarser
from holdmem.core.errors import AgentError, NotationError, nearest
from holdmem.core.random import Streams
from holdmem.engine import STREET_NAMES, Game
from holdmem.engine.state import BOARD_CARDS
from holdmem.history import Decisions, Hands, replay
from holdmem.learning.review_result import Difference, Review

DOUBT = 10
"""Number of remembered outcomes at which a difference is weighted by one half."""


def review(
    blocks: Iterable[Hands], player: str, expert: Agent | str, *, shown: int = 5, seed: int = 0
) -> Review:
    """Compare a player's decisions with an expert's, in hands with the player's cards known."""
    name = expert if isinstance(expert, str) else name_of(expert)
    reviewer = _Reviewer(Review(player, name, shown), as_agent(expert), seed)
    known: set[str] = set()
    for block in blocks:
        known.update(block.players)
        mine = block.with_player(player)
        if len(mine):
            reviewer.read(mine)
    found = reviewer.review
    if not found.total:
        if player not in known:
            raise NotationError(f"no player {player!r} in these hands; {nearest(player, list(known))}")
        raise NotationError(found.reason or f"the hole cards of {player} are known in none of these hands")
    return found


class _Reviewer:
    def __init__(self, review: Review, agent: Agent, seed: int) -> None:
        self.review = review
        self.agent = agent
        self.rng = Streams.of(seed, "review")
        self.seats: dict[Game, Seat | None] = {}

    def seat(self, game: Game) -> PolicySeat | None:
        """Return the expert seated at this game, or None if it does not play it."""
        if game not in self.seats:
            try:
                seat = self.agent.sit(game, 1, self.rng)
            except AgentError as error:
                self.review.reason, self.seats[game] = str(error), None
            else:
                if not isinstance(seat, PolicySeat):
                    raise AgentError(f"{self.review.expert}: this agent does not give action probabilities")
                self.seats[game] = seat
        return self.seats[game]  # type: ignore[return-value]

    def read(self, hands: Hands) -> None:
        """Review a block of hands in which the player sat."""
        who = hands.players.index(self.review.player)
        seated = hands.rows["player"] == who
        self.review.unseen += int((seated & ~hands.known).any(axis=1).sum())
        for decisions in replay(hands):
            seat = self.seat(decisions.views.game)
            rows = np.flatnonzero((decisions.player == who) & decisions.known)
            if seat is None:
                self.review.declined += len(np.unique(decisions.hand))
            elif len(rows):
                self._compare(decisions, rows, seat)
        self.review.hands += len(hands)

    def _compare(self, decisions: Decisions, rows: NDArray[np.int64], seat: PolicySeat) -> None:
        views = decisions.views[rows]
        policy, did = seat.policy(views), np.maximum(decisions.actions[rows], -1)
        free_fold = (did < 0) & (views.to_call == 0)
        did = np.where(free_fold, 0, did)  # people do fold where a check is free
        best = policy.probabilities.argmax(axis=1)
        places = np.arange(len(rows))
        would, probability = policy.codes[places, best], policy.probabilities[places, best]
        likely = _probability(policy, did, views.game)
        same = (np.sign(would) == np.sign(did)) if views.game.limit else would == did
        for street, name in enumerate(STREET_NAMES):
            here = views.street == street
            self.review.decisions[name] += int(here.sum())
            self.review.agreed[name] += int((same & here).sum())
            self.review.likelihood[name] += float(likely[here].sum())
        facts = {
            "probability": probability,
            "probability_of_yours": likely,
            **self._score(seat, views, did, would, probability - likely),
        }
        worst = np.flatnonzero(~same)
        worst = worst[np.argsort(-facts["score"][worst], kind="stable")][: self.review.shown]
        for i in worst.tolist():
            said = {name: _plain(column[i]) for name, column in facts.items()}
            self.review.differences.append(
                _difference(decisions, int(rows[i]), views[[i]], int(did[i]), int(would[i]), said)
            )
        self.review.differences.sort(key=lambda one: -one.score)
        del self.review.differences[self.review.shown :]

    def _score(
        self, seat: Seat, views: Views, did: NDArray[Any], would: NDArray[Any], gap: NDArray[np.float64]
    ) -> dict[str, NDArray[Any]]:
        """Return scores, whether they rest on remembered outcomes, number of decisions, and similarity."""
        pot, none = views.pot / views.game.unit[0], np.zeros(len(views))
        if not isinstance(seat, CaseBasedSeat):
            return _scores(np.maximum(gap, 0.0) * pot, none.astype(bool), none.astype(int), none)
        solutions, similar, _ = seat.base.recall(views)
        actions = seat.base.representation.actions
        places = np.arange(len(views))
        yours, theirs = actions.kinds(views, did), actions.kinds(views, would)
        settled = np.minimum(solutions.settled[places, yours], solutions.settled[places, theirs])
        known, seen = settled > 0, solutions.seen
        probabilities = SHRINKAGE.probabilities(solutions, coarser(seat.base, views))
        doubtful = (
            np.maximum(probabilities[places, theirs] - probabilities[places, yours], 0.0)
            * seen
            / (seen + DOUBT)
        )
        outcomes = np.where(np.isfinite(solutions.outcomes), solutions.outcomes, 0.0)
        worth = (outcomes[places, theirs] - outcomes[places, yours]) * settled / (settled + DOUBT)
        return _scores(np.where(known, worth, doubtful * pot), known, seen, similar)


def _probability(policy: Policy, did: NDArray[Any], game: Game) -> NDArray[np.float64]:
    """Probability that the expert takes the action taken; in limit, any raise counts as the raise."""
    if not game.limit:
        return policy.probability_of(did)
    same = np.sign(policy.codes) == np.sign(did)[:, None]
    return np.where(same, policy.probabilities, 0.0).sum(axis=1)  # type: ignore[no-any-return]


def _scores(*columns: NDArray[Any]) -> dict[str, NDArray[Any]]:
    return dict(zip(("score", "by_memory", "cases", "similarity"), columns, strict=True))


def _plain(value: Any) -> Any:
    number = value.item()
    return round(number, 4) if isinstance(number, float) else number


def _difference(
    decisions: Decisions, row: int, view: Views, did: int, would: int, said: dict[str, Any]
) -> Difference:
    street = int(view.street[0])
    hands, hand = decisions.hands, int(decisions.hand[row])
    number, where = int(hands.rows["number"][hand]), hands.where(hand)
    return Difference(
        where=where if where.startswith("hand ") or number < 0 else f"{where}, hand {number}",
        street=STREET_NAMES[street],
        hole=names(view.hole[0].tolist()),
        board=names(view.board[0, : BOARD_CARDS[street]].tolist()),
        betting=letters_of(int(codes_of(view)[0])),
        situation=describe_situation(view[0]),
        did=action_words(view[0], did),
        expert=action_words(view[0], would),
        **said,
    )
