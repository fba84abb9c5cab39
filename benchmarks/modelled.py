"""Decisions of the players that model their opponents, with all that they learn from the hands."""

from benchmarks.measure import Chunk, Prepare, Work
from holdmem import make_agent
from holdmem.agent import Actions, FinishedHands, Views, WatchingSeat, play
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import find_game

TABLES = 256
HANDS = 6


class Notes:
    """Sits in for a player and keeps what it was asked and shown."""

    def __init__(self, seat: WatchingSeat) -> None:
        self.seat = seat
        self.seen: list[Views | FinishedHands] = []

    def act(self, views: Views) -> Actions:
        """What the player does."""
        self.seen.append(views)
        return self.seat.act(views)

    def watch(self, hands: FinishedHands) -> None:
        """What the player sees."""
        self.seen.append(hands)
        self.seat.watch(hands)


def evening(name: str, opponent: str, game_name: str) -> Prepare:
    """All decisions of one player in some hands at many tables, and all that it watches of them."""

    def prepare() -> Chunk:
        game = find_game(game_name)
        seats = [make_agent(name), *[make_agent(opponent)] * (game.seats - 1)]
        players = [agent.sit(game, TABLES, Streams.of(7, seat)) for seat, agent in enumerate(seats)]
        notes = Notes(players[0])  # type: ignore[arg-type]
        for hand in range(HANDS):
            where = hand_ids(TABLES, first_hand=hand * TABLES)
            lineup = [(seat + hand) % game.seats for seat in range(game.seats)]
            decks = Streams.of(7, "cards").decks(where, game.deck_cards)
            play(game, [notes, *players[1:]], decks, lineup=lineup, where=where)

        def chunk() -> int:
            decisions = 0
            for what in notes.seen:
                if isinstance(what, Views):
                    notes.seat.act(what)
                    decisions += len(what)
                else:
                    notes.seat.watch(what)
            return decisions

        return chunk

    return prepare


POKI = Work(
    "poki among eight jagbots", "decisions", {"holdmem": evening("poki", "jagbot", "casper")}, bar=10_000
)
SIMULATIONS = Work(
    "simulations, by default",
    "decisions",
    {
        "simbot, nine seats": evening("simbot", "jagbot", "casper"),
        "simbot, limit": evening("simbot", "jagbot", "limit"),
        "alistairbot, limit": evening("alistairbot", "jagbot", "limit"),
        "mctsbot, no-limit": evening("mctsbot", "jagbot", "nolimit"),
    },
)
