"""`Sitting`: one person at one table with some agents. It knows no network; the server moves it.

Every method that changes something returns the messages that this causes, in order. What they contain is what
the person may see; reasons and hidden cards are kept until the hand is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from holdmem.errors import AgentError, IllegalAction
from holdmem.history import Hands, RecordedHand
from holdmem.rules import Game
from holdmem.rules.state import PARTS
from holdmem.table import Seat, Streams, make_agent, secret_seed
from holdmem.table.hand import OneHand
from holdmem.table.words import numbered
from holdmem.web.dealing import PERSON, Deal, Dealer
from holdmem.web.reasons import Decision, difference, reasons, would_do
from holdmem.web.score import Score
from holdmem.web.seen import YOU, game_words, seen

Message = dict[str, Any]
LARGEST = 5
"""Differences that the summary of a sitting names."""


@dataclass(frozen=True)
class Order:
    """What a person asked for in the lobby."""

    game: Game
    opponents: tuple[str, ...]
    adviser: str
    duplicate: bool = False
    name: str = ""
    """What this sitting is called; it says nothing about the cards."""
    seed: int | None = None
    """Decides every card, and so never leaves the server; drawn in secret if there is none."""
    stacks: tuple[int, ...] | None = None
    """Chips of each player, the person first; else those of the game."""


@dataclass(frozen=True)
class Ended:
    """A hand that is over, with everything that may be said of it now."""

    record: RecordedHand
    decisions: tuple[Decision, ...]
    advice: tuple[tuple[Decision, int], ...]
    """What the adviser would have done at each decision of the person, and what the person did."""
    net: int
    again: int | None

    def plain(self) -> Message:
        """The reasons, as a message."""
        return {
            "type": "reasons",
            "hand": self.record.number,
            "decisions": [decision.plain() for decision in self.decisions],
            "advice": [
                {**advice.plain(), "done": done, "difference": round(difference(advice, done), 4)}
                for advice, done in self.advice
            ],
        }


class Sitting:
    """A table: the person is player 0, the agents follow. The button moves on; stacks are whole each hand."""

    def __init__(self, order: Order) -> None:
        seed = secret_seed() if order.seed is None else order.seed
        self.order = replace(order, seed=seed)
        self.game = order.game
        if len(order.opponents) != self.game.seats - 1:
            raise AgentError(f"expected {self.game.seats - 1} opponents, got {len(order.opponents)}")
        streams = Streams.of(seed)
        self.names = [YOU, *numbered(order.opponents)]
        self.seats = {
            player: self._seat(name, streams, player) for player, name in enumerate(order.opponents, 1)
        }
        self.adviser = self._seat(order.adviser, streams, "adviser")
        self.dealer = Dealer(self.game, streams, order.duplicate)
        self.score = Score(self.game)
        self.differences = Differences()
        self.hand: OneHand | None = None
        self.deal_now: Deal | None = None
        self.decisions: list[Decision] = []
        self.advice: list[tuple[Decision, int]] = []
        self.last: Ended | None = None
        self.number = 0

    def _seat(self, name: str, streams: Streams, player: int | str) -> Seat:
        return make_agent(name).sit(self.game, 1, streams.spawn("player", player))

    # What the person does

    def deal(self) -> list[Message]:
        """The next hand, up to the person's first decision."""
        if self.hand is not None and not self.hand.over:
            raise IllegalAction("expected this hand to be played to its end before the next")
        self.deal_now = self.dealer.deal(self.number)
        self.hand = OneHand(
            self.game, self.deal_now.deck, self.deal_now.lineup, self.number, self.order.stacks
        )
        self.number += 1
        self.decisions, self.advice = [], []
        return self._run()

    def act(self, number: int, code: int) -> list[Message]:
        """The person acts in this hand; the agents answer."""
        hand = self._mine(number)
        views = hand.views()
        advice = would_do(self.adviser, views, PERSON)
        hand.act(code)
        self.advice.append((advice, code))
        return self._run()

    def ask(self) -> Message:
        """What the adviser would do in the person's place, now."""
        hand = self._mine(None)
        found = would_do(self.adviser, hand.views(), PERSON).plain()
        about = {"sitting": self.order.name, "hand": hand.number, "actions": hand.acted}
        return {"type": "advice", **about, "by": self.order.adviser, **found}

    def _mine(self, number: int | None) -> OneHand:
        if self.hand is None or self.hand.to_act != PERSON:
            raise IllegalAction("expected your turn, but it is not")
        if number is not None and number != self.hand.number:
            raise IllegalAction(f"expected an action in hand {self.hand.number}, got one for hand {number}")
        return self.hand

    # What happens then

    def _run(self) -> list[Message]:
        """Let the agents act until it is the person's turn or the hand is over."""
        assert self.hand is not None
        messages = [self.state()]
        while self.hand.to_act not in (PERSON, None):
            self._agent_acts(self.hand, self.hand.to_act)
            messages.append(self.state())
        if self.hand.over:
            self._close(self.hand)
            messages[-1] = self.state()
        return messages

    def _agent_acts(self, hand: OneHand, player: int) -> None:
        seat, views = self.seats[player], hand.views()
        code = int(seat.act(views).codes[0])
        self.decisions.append(reasons(seat, views, player, code))
        hand.act(code)

    def _close(self, hand: OneHand) -> None:
        """Count the hand, show it to those who learn, and set down all that may now be told."""
        finished = hand.finished()
        for player, seat in [*self.seats.items(), (PERSON, self.adviser)]:
            watch = getattr(seat, "watch", None)
            if watch is not None:
                watch(finished.seen_by(player))
        net = int(finished.by_player(self.game.seats)[0, PERSON])
        again = self.deal_now.again if self.deal_now else None
        self.score.add(net, None if again is None else self.score.results[again])
        self.last = self.ended(hand)
        self.differences.add(self.last)

    def ended(self, hand: OneHand) -> Ended:
        """A hand that is over, with what was said in it."""
        finished = hand.finished()
        record: RecordedHand = Hands.of(finished, self.names)[0]
        if self.order.stacks is not None:
            terms = replace(record.terms, game=replace(self.game, stacks=tuple(record.stacks)))
            record = record._replace(terms=terms)
        net = int(finished.by_player(self.game.seats)[0, PERSON])
        again = self.deal_now.again if self.deal_now else None
        return Ended(record, tuple(self.decisions), tuple(self.advice), net, again)

    # What can be seen

    def state(self) -> Message:
        """The table as the person sees it."""
        assert self.hand is not None
        return {"type": "state", "table": self.about(), "score": self.score.plain(),
                **seen(self.hand, self.names, PERSON)}  # fmt: skip

    def about(self) -> Message:
        """What is played, and by whom."""
        chips, unit = self.game.unit
        return {
            "game": self.game.name,
            "words": game_words(self.game),
            "limit": self.game.limit,
            "big_blind": self.game.big_blind,
            "unit": unit,
            "unit_chips": chips,
            "opponents": list(self.order.opponents),
            "adviser": self.order.adviser,
            "duplicate": self.order.duplicate,
            "sitting": self.order.name,
        }

    def summary(self) -> Message:
        """The sitting so far: the result and the largest differences from the adviser."""
        return {
            "type": "summary",
            "sitting": self.order.name,
            "score": self.score.plain(),
            "by": self.order.adviser,
            **self.differences.plain(),
            "bankroll": bankroll(self.score.results),
        }


@dataclass
class Differences:
    """Where the person and the adviser parted, the largest first.

    An adviser that always does one thing differs by nothing or by everything, so the probability alone says
    little. They are ordered by that probability times the pot that was at stake: a rank, not an amount of
    money. The later one comes first among equals.
    """

    decisions: int = 0
    """Decisions of the person so far."""
    differing: int = 0
    """How many of them the adviser would more likely not have taken."""
    largest: list[Message] = field(default_factory=list)

    def add(self, ended: Ended) -> None:
        """Take in the decisions of one more hand."""
        for place, (advice, done) in enumerate(ended.advice):
            gap = difference(advice, done)
            self.decisions += 1
            if gap > 0.5:
                self.differing += 1
                told = {
                    "hand": ended.record.number,
                    "place": place,
                    "difference": round(gap, 4),
                    "done": done,
                }
                self.largest.append({**told, **advice.plain()})
        self.largest = sorted(self.largest, key=_rank)[:LARGEST]

    def plain(self) -> Message:
        """The same as values of a message."""
        return {"differences": self.largest, "differing": self.differing, "decisions": self.decisions}


def _rank(one: Message) -> tuple[float, int, int]:
    return -one["difference"] * one["pot"], -one["hand"], -one["place"]


def bankroll(results: Sequence[int]) -> list[float]:
    """The running total in chips, thinned out to some hundred points, the last always among them."""
    totals = np.cumsum([0, *results]) / PARTS
    step = max(1, len(totals) // 300)
    return [float(total) for total in totals[::-step][::-1]]
