"""The lockstep loop: players at many tables at once, each asked for all its pending decisions together."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.agent.ask import ask_seat, show_to_all
from holdmem.agent.contract import Seat
from holdmem.agent.kernels.views import waiting_for
from holdmem.agent.views import Views
from holdmem.core.errors import AgentError, IllegalAction, NotationError
from holdmem.core.random import HandIds, hand_ids
from holdmem.core.types import Ints
from holdmem.engine.batch import Batch
from holdmem.engine.game import Game
from holdmem.engine.kernels.batch import act_or_stop, unfinished
from holdmem.engine.state import BOARD_CARDS, PARTS


@dataclass(frozen=True, eq=False)
class FinishedHands:
    """Finished hands with all cards visible; `seen_by` hides what a player did not see.

    Examples
    --------
    >>> game, rng = find_game("limit"), Streams.of(1)
    >>> seats = [make_agent("random").sit(game, 100, rng) for _ in range(2)]
    >>> finished = play(game, seats, rng.decks(hand_ids(100), game.deck_cards))
    >>> len(finished), float(finished.net.sum()), int(finished.showdown.sum())
    (100, 0.0, 9)
    >>> finished.seen_by(0).hole[0].tolist()  # the other folded, so its cards stay hidden
    [[38, 26], [-1, -1]]
    """

    batch: Batch
    lineup: Ints
    hand_ids: HandIds
    tables: Ints
    """Index of each hand's table among those at which the players sat down."""
    player: int | None = None

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.batch.game

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def parts(self) -> Ints:
        """Result by seat in exact units of 1/PARTS chip, shape (tables, seats)."""
        return self.batch.hands["net"][:, : self.game.seats]

    @property
    def net(self) -> NDArray[np.float64]:
        """Chips won or lost by seat, shape (tables, seats)."""
        return self.batch.net

    def by_player(self, players: int, parts: Ints | None = None) -> Ints:
        """Return results by player in units of 1/PARTS chip, shape (tables, players).

        A player in several seats gets their sum. `parts`, given by seat, replaces the result.
        """
        out = np.zeros((len(self), players), dtype=np.int64)
        np.add.at(out, (np.arange(len(self))[:, None], self.lineup), self.parts if parts is None else parts)
        return out

    @property
    def showdown(self) -> NDArray[np.bool_]:
        """Whether the hand went to a showdown."""
        return self.batch.hands["shown"].astype(bool)

    @property
    def live(self) -> NDArray[np.bool_]:
        """Whether each seat never folded, shape (tables, seats)."""
        bits = self.batch.hands["live"][:, None] >> np.arange(self.game.seats)
        return (bits & 1).astype(bool)

    @property
    def hole(self) -> NDArray[np.int8]:
        """Hole cards by seat, shape (tables, seats, 2); -1 where this player did not see them."""
        return self.batch.hands["hole"][:, : self.game.seats]

    @cached_property
    def board(self) -> NDArray[np.int8]:
        """The board, shape (tables, 5); -1 for cards that were never dealt."""
        hands = self.batch.hands
        dealt = np.where(hands["shown"] == 1, 5, np.array(BOARD_CARDS)[hands["street"]])
        return np.where(np.arange(5) < dealt[:, None], hands["board"], np.int8(-1))

    @property
    def history(self) -> NDArray[np.record]:
        """All actions, shape (tables, longest); the first `actions` entries of each row are valid."""
        return self.batch.history

    @property
    def actions(self) -> Ints:
        """Number of actions in each hand."""
        return self.batch.hands["actions"]

    def of(self, player: int) -> "FinishedHands":
        """Return the hands in which this player sat: all of them unless there are more players than seats."""
        sat = (self.lineup == player).any(axis=1)
        if sat.all():
            return self
        batch = copy(self.batch)
        for field in ("decks", "stacks", "hands", "history"):
            setattr(batch, field, getattr(batch, field)[sat])
        return FinishedHands(batch, self.lineup[sat], self.hand_ids[sat], self.tables[sat], self.player)

    def seen_by(self, player: int) -> "FinishedHands":
        """Return the hands as this player saw them, without any cards that it did not see.

        Everything is copied, so that nothing a player does to it affects the engine, other players or the
        results.
        """
        known = (self.lineup == player) | (self.live & self.showdown[:, None])
        hole = np.where(known[:, :, None], self.hole, np.int8(-1))
        batch = copy(self.batch)
        batch.decks = np.concatenate([hole.reshape(len(self), -1), self.board], axis=1)
        batch.hands = self.batch.hands.copy()
        batch.hands["hole"][:, : self.game.seats] = hole
        batch.hands["board"] = self.board
        batch.history, batch.stacks = self.batch.history.copy(), self.batch.stacks.copy()
        return FinishedHands(batch, self.lineup.copy(), self.hand_ids.copy(), self.tables.copy(), player)


def play(
    game: Game,
    players: Sequence[Seat],
    decks: ArrayLike,
    *,
    lineup: ArrayLike | None = None,
    where: HandIds | None = None,
    stacks: ArrayLike | None = None,
    tables: Ints | None = None,
    names: Sequence[str] | None = None,
) -> FinishedHands:
    """Play one hand per deck and show the finished hands to the players that watch.

    Parameters
    ----------
    game : the game that the players sat down to.
    players : the seats that agents return when they sit down.
    decks : cards of shape (hands, game.deck_cards): the hole cards of each seat, then the board.
    lineup : player in each seat, shape (hands, seats); by default player k has seat k.
    where : match, table and number of each hand, which determine the players' random numbers.
    stacks : chips of each seat, shape (hands, seats); by default the game's.
    tables : table of each hand among those at which the players sat down; by default 0, 1, 2, …
    names : names of the players in error messages.

    Returns
    -------
    FinishedHands : the hands with all cards visible.

    Raises
    ------
    AgentError : a player failed, or broke the contract (BadDecision).
    IllegalAction : a player chose an action that the rules forbid.
    NotationError : the numbers of decks, hand ids and tables differ.

    Examples
    --------
    >>> from holdmem import Streams, find_game, make_agent
    >>> from holdmem.agent import hand_ids, play
    >>> game, rng = find_game("limit"), Streams.of(1)
    >>> decks = rng.decks(hand_ids(100), game.deck_cards)
    >>> seats = [make_agent("always-call").sit(game, 100, rng) for _ in range(2)]
    >>> float(play(game, seats, decks).net.sum())
    0.0
    """
    names = [f"player {player}" for player in range(len(players))] if names is None else names
    _check_seats(players, names)
    batch = Batch(game, decks, stacks)
    lineup = _checked_lineup(game, lineup, len(batch), len(players))
    where = hand_ids(len(batch)) if where is None else where
    tables = np.arange(len(batch)) if tables is None else tables
    if not len(batch) == len(where) == len(tables):
        raise NotationError(
            f"expected {len(batch)} hand ids and tables, as many as decks, got {len(where)} and {len(tables)}"
        )
    waiting = batch.unfinished()
    mine, left = np.empty_like(waiting), np.empty_like(waiting)
    while len(waiting):
        for player, seat in enumerate(players):
            count = waiting_for(batch.hands, lineup, player, waiting, mine)
            if count:
                hands = mine[:count]
                let_act(batch, hands, Views.of(batch, hands, where, tables), seat, names[player])
        count = unfinished(batch.hands, waiting, left)
        waiting, left = left[:count], waiting
    finished = FinishedHands(batch, lineup, where, tables)
    show_to_all(finished, zip(range(len(players)), players, names, strict=True))
    return finished


def let_act(batch: Batch, hands: Ints, views: Views, seat: Seat, name: str) -> None:
    """Ask one player for its actions in these hands of a batch and apply them; errors name the player."""
    actions = ask_seat(seat, views, name)
    wrong = act_or_stop(batch.game.rules_row, batch.hands, batch.history, hands, actions.codes)
    if wrong >= 0:
        complaint = batch.complaint(int(hands[wrong]), int(actions.codes[wrong]))
        raise IllegalAction(f"{name}: {complaint}; at {views[wrong]}")


def _check_seats(players: Sequence[Seat], names: Sequence[str]) -> None:
    if len(names) != len(players):
        raise AgentError(f"expected {len(players)} player names, got {len(names)}")
    for name, seat in zip(names, players, strict=True):
        if getattr(seat, "act", None) is None:
            raise AgentError(f"{name}: expected a seat with act(), as an agent's sit() returns, got {seat!r}")


def _checked_lineup(game: Game, lineup: ArrayLike | None, tables: int, players: int) -> Ints:
    if lineup is None and players != game.seats:
        raise AgentError(f"{game.name}: expected {game.seats} players, got {players}")
    rows = np.arange(game.seats) if lineup is None else np.asarray(lineup)
    if rows.shape not in ((game.seats,), (tables, game.seats)) or rows.dtype.kind not in "iu":
        raise AgentError(
            f"{game.name}: expected a lineup of ints of shape ({tables}, {game.seats}),"
            f" got {rows.dtype} of shape {rows.shape}"
        )
    if rows.size and not 0 <= rows.min() <= rows.max() < players:
        raise AgentError(f"expected a lineup of players 0 to {players - 1}, got {rows.min()} to {rows.max()}")
    return np.array(np.broadcast_to(rows, (tables, game.seats)), dtype=np.int64, order="C")


def chips(parts: Ints) -> NDArray[np.float64]:
    """Convert units of 1/PARTS chip to chips."""
    return parts / PARTS
