"""The person's result less luck, where the opponent's policy is known: see `arena.aivat`."""

from holdmem.agent import FinishedHands, Seat
from holdmem.arena.aivat import Aivat, has_known_policy
from holdmem.arena.score import FEWEST_HANDS, Score
from holdmem.core.types import JsonObject
from holdmem.engine import Game
from holdmem.web.dealing import PERSON


class LessLuck:
    """Results of one person against one agent; nothing is computed before there are enough hands."""

    def __init__(self, game: Game, names: list[str], seats: dict[int, Seat]) -> None:
        self.waiting: list[FinishedHands] = []
        self.score: Score = Score(game)
        self.aivat: Aivat | None = None
        if game.seats == 2 and not game.dead and all(map(has_known_policy, seats.values())):
            self.aivat = Aivat(game, names, [seats.get(player) for player in range(game.seats)])

    def add(self, hand: FinishedHands) -> None:
        """Add a finished hand, with all cards."""
        if self.aivat is not None:
            self.waiting.append(hand)

    def plain(self) -> JsonObject | None:
        """Return the mean per hand as values of a message; None before `FEWEST_HANDS` or if unknown."""
        if self.aivat is None or len(self.score.results) + len(self.waiting) < FEWEST_HANDS:
            return None
        for hand in self.waiting:
            parts = hand.by_player(2, self.aivat.parts(hand))
            self.score.add(int(parts[0, PERSON]))
            self.aivat.forget_boards()
        self.waiting.clear()
        rate = self.score.rate
        return None if rate is None else rate.as_json()
