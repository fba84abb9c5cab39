"""`HumanTable`: one person at a table with agents. It is independent of the network; the server drives it.

Every method that changes the state returns the resulting messages in order. They contain only what the person
may see; reasons and hidden cards are withheld until the hand is over.
"""

import logging
from dataclasses import asdict, dataclass, replace

import numpy as np

from holdmem.agent import Seat
from holdmem.agent.describe import numbered
from holdmem.agent.single_hand import SingleHand
from holdmem.arena.kernels.style import COUNTS, HANDS, count_style
from holdmem.arena.score import Score
from holdmem.arena.style import Style
from holdmem.core.errors import AgentError, HoldMemError, IllegalAction
from holdmem.core.random import Streams, secret_seed
from holdmem.core.types import Ints, JsonObject
from holdmem.engine import Game
from holdmem.engine.state import PARTS
from holdmem.history import Hands, RecordedHand
from holdmem.web.bankroll import curve
from holdmem.web.carried import CarriedStacks, TableFormat
from holdmem.web.dealing import PERSON, Deal, DuplicateDealer
from holdmem.web.differences import AdviceDifferences
from holdmem.web.less_luck import LessLuck
from holdmem.web.offers import NOBODY, Made, seated, shown_name
from holdmem.web.reasons import Decision, difference, reasons, would_do
from holdmem.web.serialize import YOU, game_words, table_state

logger: logging.Logger = logging.getLogger("holdmem.web")


class OpponentFailed(AgentError):
    """An agent failed at its turn, so its hand cannot go on. Its error can name cards, and is logged."""


@dataclass(frozen=True)
class TableSettings:
    """The settings that a person chose in the lobby."""

    game: Game
    opponents: tuple[str, ...]
    adviser: str
    duplicate: bool = False
    name: str = ""
    """Identifier of this sitting; it reveals nothing about the cards."""
    seed: int | None = None
    """Random seed. It determines every card, so it never leaves the server; None draws a secret one."""
    stacks: tuple[int, ...] | None = None
    """Chips of each player, the person first; None for the game's stacks."""
    format: TableFormat = "cash"
    """Whether every hand starts with these stacks, or they carry over."""


@dataclass(frozen=True)
class HandReview:
    """A finished hand with everything that may now be revealed about it."""

    record: RecordedHand
    decisions: tuple[Decision, ...]
    advice: tuple[tuple[Decision, int], ...]
    """The adviser's decision and the person's action, at each decision of the person."""
    net: int
    again: int | None

    def plain(self) -> JsonObject:
        """Return the reasons as a message."""
        return {
            "type": "reasons",
            "hand": self.record.number,
            "decisions": [decision.plain() for decision in self.decisions],
            "advice": [
                {**advice.plain(), "done": done, "difference": round(difference(advice, done), 4)}
                for advice, done in self.advice
            ],
        }


class HumanTable:
    """A table. The person is player 0, the agents follow.

    The button moves after every hand. Every hand of a cash game starts with full stacks; in a match and a
    sit-and-go stacks carry over.
    """

    def __init__(self, order: TableSettings, made: Made = NOBODY) -> None:
        seed = secret_seed() if order.seed is None else order.seed
        self.order: TableSettings = replace(order, seed=seed)
        self.game: Game = order.game
        self.made = made
        if len(order.opponents) != self.game.seats - 1:
            raise AgentError(f"expected {self.game.seats - 1} opponents, got {len(order.opponents)}")
        rng = Streams.of(seed)
        self.names: list[str] = [YOU, *numbered([shown_name(name, made) for name in order.opponents])]
        self.seats: dict[int, Seat] = {
            player: self._seat(name, rng, player) for player, name in enumerate(order.opponents, 1)
        }
        self.adviser: Seat = self._seat(order.adviser, rng, "adviser")
        self.dealer: DuplicateDealer = DuplicateDealer(self.game, rng, order.duplicate)
        carries = order.format != "cash"
        self.carried: CarriedStacks | None = CarriedStacks.begin(self.game, order.format) if carries else None
        self.began = self.carried
        """The carried stacks as they were when the hand began."""
        self.score: Score = Score(self.game)
        self.less_luck: LessLuck | None = None if carries else LessLuck(self.game, self.names, self.seats)
        self.styles: Ints = np.zeros((self.game.seats, len(COUNTS)), dtype=np.int64)
        """Counts of what each player did so far, for `Style`."""
        self.differences: AdviceDifferences = AdviceDifferences()
        self.hand: SingleHand | None = None
        self.deal_now: Deal | None = None
        self.decisions: list[Decision] = []
        self.advice: list[tuple[Decision, int]] = []
        self.last: HandReview | None = None
        self.number: int = 0
        self._advised: tuple[tuple[int, int], Decision] | None = None

    def _seat(self, name: str, rng: Streams, player: int | str) -> Seat:
        return seated(name, self.made).sit(self.game, 1, rng.spawn("player", player))

    # Actions of the person

    def deal(self) -> list[JsonObject]:
        """Deal the next hand and play it up to the person's first decision."""
        if self.hand is not None and not self.hand.over:
            raise IllegalAction("finish this hand before the next")
        if self.carried is not None and self.carried.over:
            raise IllegalAction("this match is over: sit down at a new table")
        self.deal_now = self.dealer.deal(self.number)
        if self.carried is not None:
            self.deal_now = replace(self.deal_now, lineup=self.carried.lineup())
            self.began = self.carried.copy()
        self.hand = self.dealt(self.deal_now, self.number)
        self.number += 1
        self.decisions, self.advice = [], []
        return self._run()

    def dealt(self, deal: Deal, number: int) -> SingleHand:
        """Return the hand of this number at its beginning."""
        if self.carried is None:
            return SingleHand(self.game, deal.deck, deal.lineup, number, self.order.stacks)
        game = self.carried.game_now(number)
        return SingleHand(game, deal.deck, deal.lineup, number, self.carried.stacks)

    def expect_at(self, sitting: str | None, number: int | None, acted: int | None = None) -> None:
        """Raise IllegalAction for a message on another table, hand or decision; None is not compared."""
        if sitting is not None and sitting != self.order.name:
            raise IllegalAction("that was said at another table, which you have left")
        if self.hand is None or number is None:
            return
        if number != self.hand.number:
            raise IllegalAction(f"this is hand {self.hand.number + 1}; that was said in hand {number + 1}")
        if acted is not None and acted != self.hand.acted:
            raise IllegalAction("that was said at an earlier decision of this hand")

    def act(self, number: int, code: int) -> list[JsonObject]:
        """Take the person's action in this hand and let the agents respond."""
        hand = self._mine(number)
        advice = self._advise(hand)
        hand.act(code)
        self.advice.append((advice, code))
        return self._run()

    def ask(self) -> JsonObject:
        """Return what the adviser would do now in the person's place."""
        hand = self._mine(None)
        found = self._advise(hand).plain()
        about = {"sitting": self.order.name, "hand": hand.number, "acted": hand.acted}
        return {"type": "advice", **about, "by": shown_name(self.order.adviser, self.made), **found}

    def _advise(self, hand: SingleHand) -> Decision:
        """Return the adviser's decision here, computed once however often it is asked for."""
        now = hand.number, hand.acted
        if self._advised is None or self._advised[0] != now:
            names = self._names(hand)
            self._advised = now, would_do(self.adviser, hand.views(), PERSON, self.order.adviser, names)
        return self._advised[1]

    def _names(self, hand: SingleHand) -> list[str]:
        """Return the names of the players by seat."""
        return [self.names[player] for player in hand.lineup]

    def _mine(self, number: int | None) -> SingleHand:
        if self.hand is None or self.hand.to_act != PERSON:
            raise IllegalAction("not your turn")
        if number is not None and number != self.hand.number:
            raise IllegalAction(f"expected an action in hand {self.hand.number}, got one for hand {number}")
        return self.hand

    # Progress of the hand

    def _run(self) -> list[JsonObject]:
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

    def _agent_acts(self, hand: SingleHand, player: int) -> None:
        seat, views = self.seats[player], hand.views()
        try:
            code = hand.let_act(seat, self.names[player])
            self.decisions.append(reasons(seat, views, player, code, self._names(hand)))
        except HoldMemError as error:
            logger.warning("%s", error)
            raise OpponentFailed(f"{self.names[player]} failed; the server's log says why") from error

    def _close(self, hand: SingleHand) -> None:
        """Score the hand, show it to agents that learn, and record what may now be revealed."""
        agents = [(player, seat, self.names[player]) for player, seat in self.seats.items()]
        hand.show_to_all([*agents, (PERSON, self.adviser, self.order.adviser)])
        finished = hand.finished()
        net = int(finished.by_player(self.game.seats)[0, PERSON])
        again = self.deal_now.again if self.deal_now else None
        self.score.add(net, None if again is None else self.score.results[again])
        if self.less_luck:
            self.less_luck.add(finished)
        count_style(finished.batch.hands, finished.history, finished.lineup, hand.game.rules, self.styles)
        self.last = self.ended(hand)
        self.differences.add(self.last.record.number, self.last.advice)
        self.settle(hand)

    def settle(self, hand: SingleHand) -> None:
        """Carry the stacks over to the next hand, if this table does so."""
        if self.carried is not None:
            self.carried.settle(hand.lineup, [int(parts) // PARTS for parts in hand.finished().parts[0]])

    def ended(self, hand: SingleHand) -> HandReview:
        """Return a finished hand with the decisions and advice in it."""
        finished = hand.finished()
        record: RecordedHand = Hands.of(finished, self.names)[0]
        if self.order.stacks is not None or self.carried is not None:
            terms = replace(record.terms, game=replace(hand.game, stacks=tuple(record.stacks)))
            record = record._replace(terms=terms)
        net = int(finished.by_player(self.game.seats)[0, PERSON])
        again = self.deal_now.again if self.deal_now else None
        return HandReview(record, tuple(self.decisions), tuple(self.advice), net, again)

    # What the person sees

    def state(self) -> JsonObject:
        """Return the table as the person sees it."""
        assert self.hand is not None
        return {"type": "state", "table": self.about(), "score": self._score(),
                **table_state(self.hand, self.names, PERSON)}  # fmt: skip

    def _score(self) -> JsonObject:
        """Return the person's result, and the same less luck where the opponent's policy is known."""
        return {**self.score.plain(), "less_luck": self.less_luck and self.less_luck.plain()}

    def about(self) -> JsonObject:
        """Return the game, the opponents and the settings of this sitting."""
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
            "adviser_name": shown_name(self.order.adviser, self.made),
            "duplicate": self.order.duplicate,
            "sitting": self.order.name,
            "tournament": self.carried and self.carried.plain(self.hand.number if self.hand else 0),
        }

    def summary(self) -> JsonObject:
        """Return the result so far and the largest differences from the adviser."""
        return {
            "type": "summary",
            "sitting": self.order.name,
            "score": self._score(),
            "by": shown_name(self.order.adviser, self.made),
            **self.differences.plain(),
            **curve(self.score.results),
            "statistics": [style_of(counts) for counts in self.styles.tolist()],
        }


def style_of(counts: list[int]) -> JsonObject:
    """Return the playing style that these counts describe; only `hands` before the first hand."""
    return asdict(Style.of(counts)) if counts[HANDS] else {"hands": 0}
