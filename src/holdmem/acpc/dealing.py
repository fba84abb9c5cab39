"""The dealer without sockets or clocks: it takes answers with their times and produces lines to send.

A match can therefore be tested and replayed line by line. The rules for time and invalid answers are those of
the ACPC's dealer; docs/wire.md has them in full.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from holdmem.acpc.decks import DeckSource
from holdmem.acpc.matchstate import cards_for
from holdmem.acpc.single_hand import ACPCHand
from holdmem.agent import FinishedHands, Views
from holdmem.cards.notation import names
from holdmem.core.choices import LostPlayer
from holdmem.core.errors import AgentError
from holdmem.core.random import hand_ids
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS, CALL, FOLD, NOBODY
from holdmem.history.formats.acpc_text import cards_text, score_line, state_line

Transcript = Callable[[str, float, str], None]
"""Called with a word such as `TO 1` or `FROM 2`, a time and a line."""

COMMENTS = ("#", ";")


@dataclass(frozen=True)
class Limits:
    """A player's time limits in seconds: per answer, per hand, and per hand on average over the match.

    Invalid answers become calls; a player with more than `invalid` of them is lost (None for no limit). A
    lost player (by time, invalid answers or leaving) ends the match, or folds until its end.
    """

    response: float = 600.0
    hand: float = 600.0
    per_hand: float = 7.0
    invalid: int | None = None
    lost: LostPlayer = "end"


class Dealer:
    """One match: `hands` hands, dealt from `decks`; the button moves after each of them.

    Player k has seat k in the first hand. `take(player)` returns the lines pending for a player; no lines are
    written for players not in `receivers`. `player` is to act and was asked at time `asked`.
    """

    game: Game
    names: Sequence[str]
    hands: int
    decks: DeckSource
    limits: Limits
    hand: ACPCHand
    number: int
    player: int
    asked: float
    over: bool
    score: list[int]
    """Winnings by player in finished hands, in units of 1/PARTS chip."""
    played: int
    sent: int
    heard: int
    lost: dict[int, str]
    """Lost players, with the reason."""
    ignored: list[int]
    """Ignored lines, by player."""
    invalid: list[int]
    """Invalid answers that became calls, by player."""
    moved: list[int]
    """Raises moved into bounds, by player."""
    used_hand: list[float]
    used_match: list[float]

    def __init__(
        self,
        game: Game,
        players: Sequence[str],
        hands: int,
        decks: DeckSource,
        limits: Limits | None = None,
        *,
        match: int = 0,
        receivers: Sequence[int] | None = None,
        log: Callable[[str], None] | None = None,
        transcript: Transcript | None = None,
        ended: Callable[[FinishedHands], None] | None = None,
    ) -> None:
        if len(players) != game.seats:
            raise AgentError(f"{game.name}: expected {game.seats} players, got {len(players)}")
        seats = game.seats
        self.game, self.names, self.hands, self.decks = game, players, hands, decks
        self.limits = limits or Limits()
        self.hand, self.number, self.player, self.asked = ACPCHand(game), -1, NOBODY, 0.0
        self.over = False
        self.score = [0] * seats
        self.played, self.sent, self.heard = 0, 0, 0
        self.lost = {}
        self.ignored, self.invalid, self.moved = ([0] * seats for _ in range(3))
        self.used_hand, self.used_match = [0.0] * seats, [0.0] * seats
        self._receivers = list(range(seats)) if receivers is None else sorted(receivers)
        self._out = [""] * game.seats
        self._log, self._transcript, self._ended = log, transcript, ended
        self._spot = hand_ids(1, match=match)
        self._lineup: list[int] = []
        self._cards: list[str] = []
        self._street = 0
        self._prompt = ""

    # Events from players

    def start(self, now: float) -> None:
        """Deal the first hand."""
        self._deal()
        self._go_on(now)

    def answer(self, player: int, line: str, now: float) -> None:
        """Process a line from a player.

        A line that does not answer the current question is ignored and, unless it is a comment, counted.
        """
        self.heard += 1
        if self._transcript:
            self._transcript(f"FROM {player + 1}", now, line)
        if player != self.player or not line.startswith(self._prompt):
            if not line.startswith(COMMENTS):
                self.ignored[player] += 1
        elif self._in_time(player, now):
            self._play(player, self.hand.code_of(line[len(self._prompt) :].strip()), now)

    def decide(self, player: int, code: int, now: float) -> None:
        """Apply the decision of a HoldMem agent; with an illegal one it loses the match."""
        if player != self.player or not self._in_time(player, now):
            return
        if self.hand.act(code):
            self._go_on(now)
        else:
            self.lose(player, f"broke the rules: {self.hand.complaint(code)}", now)

    def check_time(self, now: float) -> None:
        """Declare the player to act lost if its time is up."""
        if self.player != NOBODY and now > self.deadline:
            self._in_time(self.player, now)

    @property
    def deadline(self) -> float:
        """Time by which the player to act must have answered."""
        player, limits = self.player, self.limits
        left = (
            limits.response,
            limits.hand - self.used_hand[player],
            limits.per_hand * self.hands - self.used_match[player],
        )
        return self.asked + min(left)

    def lose(self, player: int, why: str, now: float) -> None:
        """Declare a player lost. If the match ends with that, the current hand is not scored."""
        if self.over or player in self.lost:
            return
        self.lost[player] = why
        self._remark(f"{self.names[player]} {why}")
        if self.limits.lost == "end" or len(self.lost) == len(self.names):
            self._finish()
        elif player == self.player:
            self._go_on(now, sent=True)

    def stop(self, why: str) -> None:
        """End the match through no fault of a player; the current hand is not scored."""
        if not self.over:
            self._remark(why)
            self._finish()

    # Output to players

    def take(self, player: int) -> bytes:
        """Return the lines pending for a player, and clear them."""
        text, self._out[player] = self._out[player], ""
        return text.encode("ascii")

    def view(self) -> Views:
        """Return what the player to act may see."""
        return self.hand.view(self._spot)

    # The match

    def _in_time(self, player: int, now: float) -> bool:
        """Charge a player for the time of its answer; False if it was too late, which loses the player."""
        used = max(now - self.asked, 0.0)
        self.used_hand[player] += used
        self.used_match[player] += used
        limits, match = self.limits, self.limits.per_hand * self.hands
        if (
            used <= limits.response
            and self.used_hand[player] <= limits.hand
            and self.used_match[player] <= match
        ):
            return True
        if used > limits.response:
            spent, most, what = used, limits.response, "an answer"
        elif self.used_hand[player] > limits.hand:
            spent, most, what = self.used_hand[player], limits.hand, "a hand"
        else:
            spent, most, what = self.used_match[player], match, "the match"
        self.lose(player, f"took {spent:.3f} s for {what}, more than {most:g} s", now)
        return False

    def _play(self, player: int, code: int | None, now: float) -> None:
        """Apply an answer. A raise out of bounds moves to the nearest bound; other illegal ones call."""
        if code is None or not self.hand.act(code):
            least, most = self.hand.raises() if code is not None and code > CALL else (0, 0)
            if most and code is not None:
                self.moved[player] += 1
                self.hand.act(min(max(code, least), most))
            else:
                self.invalid[player] += 1
                if self.limits.invalid is not None and self.invalid[player] > self.limits.invalid:
                    self.lose(player, f"gave more than {self.limits.invalid} invalid answers", now)
                    return
                self.hand.act(CALL)
        self._go_on(now)

    def _go_on(self, now: float, sent: bool = False) -> None:
        """Report the state to all players, end the hand and deal the next, until a player has to be asked."""
        while True:
            if not sent:
                self._tell(now)
            sent = False
            if self.hand.seat < 0:
                self._close()
                if self.number + 1 == self.hands:
                    self._finish()
                    return
                self._deal()
                continue
            self.player = self._lineup[self.hand.seat]
            if self.player not in self.lost:
                self.asked = now
                return
            if not self.hand.act(FOLD):
                self.hand.act(CALL)

    def _deal(self) -> None:
        self.number += 1
        seats = self.game.seats
        self._lineup = [(seat + self.number) % seats for seat in range(seats)]
        self._spot["hand"] = self.number
        self.used_hand = [0.0] * seats
        self.hand.deal(self.decks.deck(self.number))
        self._cards, self._street = [cards_for(self.hand, seat) for seat in range(seats)], 0

    def _tell(self, now: float) -> None:
        """Write the state for every player in `receivers`, in player order."""
        if self.hand.street > self._street or self.hand.seat < 0:
            self._uncover()
        middle = f":{self.number}:{self.hand.betting}:"
        for player in self._receivers:
            if player in self.lost:
                continue
            seat = (player - self.number) % self.game.seats
            line = f"MATCHSTATE:{seat}{middle}{self._cards[seat]}"
            if seat == self.hand.seat:
                self._prompt = f"{line}:"
            self._out[player] += f"{line}\r\n"
            self.sent += 1
            if self._transcript:
                self._transcript(f"TO {player + 1}", now, line)

    def _uncover(self) -> None:
        """Add the cards of a new street, or of a showdown, to every player's lines."""
        if self.hand.shown:
            self._cards = [cards_for(self.hand, seat) for seat in range(self.game.seats)]
        elif self.hand.street > self._street:
            new = names(self.hand.board[BOARD_CARDS[self._street] :])
            self._cards = [f"{cards}/{new}" for cards in self._cards]
        self._street = self.hand.street

    def _close(self) -> None:
        """Score a finished hand, log it, and report it for players that watch."""
        net = self.hand.net
        self.played += 1
        for seat, player in enumerate(self._lineup):
            self.score[player] += net[seat]
        if self._log:
            cards = cards_text(self.hand.hole, self.hand.board)
            who = [self.names[player] for player in self._lineup]
            self._log(state_line(self.number, self.hand.betting, cards, net, who))
        if self._ended:
            self._ended(self.hand.finished(self._lineup, self._spot))

    def _remark(self, text: str) -> None:
        """Write a comment to the log, on one line whatever its text."""
        if self._log:
            self._log(f"# hand {self.number}: {' '.join(text.split())}")

    def _finish(self) -> None:
        self.player, self.over = NOBODY, True
        if self._log:
            for player, count in enumerate(self.ignored):
                if count:
                    self._log(f"# {count} lines of {self.names[player]} answered nothing and were ignored")
            self._log(score_line(self.score, self.names))
