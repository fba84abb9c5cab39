"""Local best response at many tables at once (after Lisý and Bowling, 2017, written from its description).

The exploiter knows the agent's policy, so it knows the agent's *range*: the probability of each holding given
all of the agent's actions, by Bayes' rule. At a decision it looks one action ahead. With W the equity of its
hand against the range, and chips counted over the whole hand, the values are:

    fold           − what it has paid
    call, check    (2W − 1) · stake, as if both then checked to the end
    raise          the agent folds as its policy says, over the range; otherwise it calls, the range is what
                   does not fold, and both check to the end

It takes the action with the highest value; ties go to a call. Any way of playing gives a lower bound on what
a best response wins.

How a hand is scored
--------------------
The agent's cards are dealt and it acts from its policy with them, but they affect the score no further.

    result = final value − luck of the deal − luck of every card − luck of each of the agent's choices

The value of a situation is that of a fold, or stake · (2W − 1) with all bets called and no more to come. At
the end of a hand this is the mean payoff over all holdings that the agent may have. Luck is the value after a
chance event minus its mean over all possible events. For the agent's choices that mean is over its range and
policy. For cards it is the value before the card, since W averages over all boards. For the deal the value is
big blind · (2W − 1) against any two cards, whose mean over all deals is zero. Luck so defined has mean zero
given everything before it, hence the result has exactly the mean of the money won.
"""

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Policy
from holdmem.arena.kernels.local_best_response import (
    mark_alive,
    mean_after_answer,
    narrow,
    rows_of,
    take_best,
    values,
    values_of_raises,
)
from holdmem.arena.range_policy import RangePolicy, RangePolicyQuery, group_keys, public_states
from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.core.random import HandIds, Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import CALL, FOLD, Batch, Game
from holdmem.engine.kernels.batch import act_all
from holdmem.engine.state import BOARD_CARDS
from holdmem.strength.equity_by_holding import equity_against_each
from holdmem.strength.preflop_equity import compatible

USES = np.array([np.isin(HOLDINGS, card).any(axis=1) for card in range(52)])
"""Whether a holding contains a card, shape (52, 1326)."""


@dataclass(frozen=True)
class ResponseOptions:
    """What the exploiter considers: raises as shares of the pot after a call, and its first active street.

    A share of 0 is the smallest legal raise and infinity is all-in; illegal sizes are clipped to the legal
    range. In limit only one raise exists. Before `first_street` the exploiter only checks and calls.
    """

    raises: tuple[float, ...] = (0.0, 0.5, 1.0, inf)
    first_street: int = 0

    @property
    def written(self) -> list[str]:
        """The raises as a user writes them."""
        words = {0.0: "min", inf: "all-in"}
        return [words.get(share, f"{share:g}") for share in self.raises]


class LocalResponder:
    """Plays one hand per deck against an agent; `seats` holds the exploiter's seat in each."""

    def __init__(
        self,
        game: Game,
        asker: RangePolicyQuery,
        decks: NDArray[np.int8],
        seats: Ints,
        options: ResponseOptions,
    ) -> None:
        self.batch: Batch = Batch(game, decks)
        self.asker = asker
        self.seats = seats
        self.options = options
        hole, every = self.batch.hands["hole"], np.arange(len(seats))
        self.own: NDArray[np.int8] = hole[every, seats]
        self.holding: Ints = HOLDING_OF[hole[every, 1 - seats, 0], hole[every, 1 - seats, 1]].astype(np.int64)
        self.weights: Floats = compatible()[HOLDING_OF[self.own[:, 0], self.own[:, 1]]].astype(np.float64)
        self.equity: Floats = equity_against_each(self.own, np.empty((len(seats), 0), np.int8))
        self.flop_equity: Floats | None = None
        self.luck: Floats = self._luck_of_deal()
        self.known: tuple[dict[bytes, int], RangePolicy] | None = None

    def play(self, rng: Streams, where: HandIds) -> None:
        """Play all hands to the end; the agent samples its actions at these random-stream positions."""
        while len(waiting := self.batch.unfinished()):
            own = self.batch.hands["to_act"][waiting] == self.seats[waiting]
            self._agent_acts(waiting[~own], rng, where)
            self._exploiter_acts(waiting[own])

    @property
    def results(self) -> Floats:
        """Chips won in each hand after variance reduction; see the module docstring."""
        return self._values(np.arange(len(self.seats))) - self.luck

    @property
    def dealt_parts(self) -> Ints:
        """Exploiter's winnings with the cards actually dealt, in parts of a chip."""
        return self.batch.hands["net"][np.arange(len(self.seats)), self.seats]

    def _luck_of_deal(self) -> Floats:
        stake = min(self.batch.game.big_blind, *self.batch.game.stacks)
        wins = (self.weights * self.equity).sum(axis=1) / self.weights.sum(axis=1)
        return stake * (2 * wins - 1)  # type: ignore[no-any-return]

    def _values(self, tables: Ints) -> Floats:
        out = np.empty(len(tables))
        values(self.batch.hands, tables, self.seats, self.weights, self.equity, out)
        return out

    # The agent's decisions

    def _agent_acts(self, tables: Ints, rng: Streams, where: HandIds) -> None:
        """Act for the agent at these tables, reusing answers from the exploiter's lookahead."""
        if not len(tables):
            return
        keys = public_states(self.batch.hands[tables], self.batch.history[tables])
        numbers, answers = self.known or ({}, None)
        known = np.array([key in numbers for key in keys])
        if answers is not None and known.any():
            states = np.array([numbers[key] for key in keys if key in numbers], dtype=np.int64)
            self._follow(tables[known], answers, states, rng, where)
        if not known.all():
            new = tables[~known]
            _, states, first = group_keys([key for key in keys if key not in numbers])
            found = self._ask(self.batch.hands, self.batch.history, new[first], new, states)
            self._follow(new, found, states, rng, where)

    def _ask(
        self,
        hands: NDArray[np.record],
        history: NDArray[np.record],
        representatives: Ints,
        tables: Ints,
        states: Ints,
    ) -> RangePolicy:
        """Return the policy at the states, for each holding possible at any table in that state."""
        alive = np.zeros((len(representatives), len(HOLDINGS)), np.uint8)
        mark_alive(self.weights, tables, states, alive)
        return self.asker.ask(hands, history, representatives, alive)

    def _follow(self, tables: Ints, answers: RangePolicy, states: Ints, rng: Streams, where: HandIds) -> None:
        """Sample the agent's actions with its actual cards, and update its range by Bayes' rule."""
        hands = self.batch.hands
        mean, rows = np.empty(len(tables)), np.empty(len(tables), np.int64)
        mean_after_answer(hands, tables, self.seats, answers, states, self.weights, self.equity, mean)
        rows_of(answers, states, self.holding[tables], rows)
        chosen = Policy(answers.probabilities[rows], answers.codes[rows])
        codes = chosen.draw(rng.uniforms(where[tables], hands["actions"][tables])).codes
        narrow(tables, answers, states, codes, self.weights)
        self._act(tables, codes, mean)

    def _act(self, tables: Ints, codes: Ints, mean: Floats | None = None) -> None:
        """Apply actions, add the luck of an agent's choice (value less `mean`), and reveal new cards."""
        hands = self.batch.hands
        street = hands["street"][tables]
        act_all(self.batch.game.rules_row, hands, self.batch.history, tables, codes)
        if mean is not None:
            self.luck[tables] += self._values(tables) - mean
        for later in (1, 2, 3):
            dealt = tables[(hands["street"][tables] == later) & (street < later)]
            if len(dealt):
                self._see_cards(dealt, later)

    def _see_cards(self, tables: Ints, street: int) -> None:
        """Reveal new board cards: remove the holdings that contain them, and recompute equities."""
        before = self._values(tables)
        board = self.batch.hands["board"][tables]
        new = board[:, BOARD_CARDS[street - 1] : BOARD_CARDS[street]]
        self.weights[tables] *= ~USES[new].any(axis=1)
        self.equity[tables] = self._equity_on_board(tables, board[:, : BOARD_CARDS[street]])
        self.luck[tables] += self._values(tables) - before

    def _equity_on_board(self, tables: Ints, board: NDArray[np.int8]) -> Floats:
        if board.shape[1] > BOARD_CARDS[1]:
            return equity_against_each(self.own[tables], board)
        if self.flop_equity is None:  # all at once: hands on the same flop take the time of one
            self.flop_equity = equity_against_each(self.own, self.batch.hands["board"][:, : BOARD_CARDS[1]])
        return self.flop_equity[tables]

    # The exploiter's decisions

    def _exploiter_acts(self, tables: Ints) -> None:
        self.known = None
        if not len(tables):
            return
        hands = self.batch.hands
        best = self._values(tables)
        codes = np.full(len(tables), CALL, dtype=np.int64)
        free = hands["street"][tables] >= self.options.first_street
        folded = -hands["paid"][tables, self.seats[tables]].astype(np.float64)
        gives_up = free & (self.batch.legal(tables).to_call > 0) & (folded > best)
        best[gives_up], codes[gives_up] = folded[gives_up], FOLD
        which, totals = self._raises(tables)
        allowed = free[which]
        if allowed.any():
            which, totals = which[allowed], totals[allowed]
            take_best(which, totals, self._values_of_raises(tables[which], totals), best, codes)
        self._act(tables, codes)

    def _raises(self, tables: Ints) -> tuple[Ints, Ints]:
        """Return the raises to consider as table indices and totals, each total at most once per table."""
        to_call, least, most = self.batch.legal(tables)
        shares = (0.0,) if self.batch.game.limit else self.options.raises
        hands = self.batch.hands[tables]
        pot = hands["paid"][:, :2].sum(axis=1) + to_call
        found = [np.full(len(tables), -1)]
        for share in shares:
            size = np.minimum(share * pot, most)
            totals = np.clip(hands["highest"] + np.floor(size).astype(np.int64), least, most)
            found.append(np.where(np.any([totals == other for other in found], axis=0), 0, totals))
        table = np.stack(found[1:], axis=1) * (most > 0)[:, None]
        which, column = np.nonzero(table)
        return which, table[which, column]

    def _values_of_raises(self, tables: Ints, totals: Ints) -> Floats:
        """Value of each raise by one-step lookahead; a table occurs once for each of its raises."""
        hands, history = self.batch.hands[tables], self.batch.history[tables]
        act_all(self.batch.game.rules_row, hands, history, np.arange(len(tables)), totals)
        numbers, states, first = group_keys(public_states(hands, history))
        answers = self._ask(hands, history, first, tables, states)
        self.known = numbers, answers
        found = np.empty(len(tables))
        values_of_raises(hands, tables, self.seats, answers, states, self.weights, self.equity, found)
        return found
