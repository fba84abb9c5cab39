"""A player's hands of one file, or of those played here, as columns for statistics over all sessions."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.agent import Agent
from holdmem.arena.aivat.recorded import RecordedLuckCount
from holdmem.arena.score import FEWEST_HANDS
from holdmem.core.array_file import read_npz
from holdmem.core.errors import HoldMemError
from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine import PARTS
from holdmem.history import Hands
from holdmem.history.describe import stakes
from holdmem.history.hands import UNKNOWN
from holdmem.history.stats.kernels.count import ADJUSTED, ALL_INS
from holdmem.web.dashboard import Dashboard
from holdmem.web.kept_files import write_if_there

NOBODY = -1
NOTHING, ALL_IN, WITHOUT_LUCK = 0, 1, 2
"""How luck was removed from a hand: not at all, by sharing the all-in's pot, by AIVAT."""


@dataclass(frozen=True, eq=False)
class SessionHands:
    """Hands of a player with a known result, in the order in which they were played.

    Attributes
    ----------
    number : number of the hand.
    time : when it was played, in seconds; UNKNOWN where the history does not say.
    won, less_luck : result in big blinds, and the same with luck removed by `method`.
    method : how luck was removed: NOTHING, ALL_IN or WITHOUT_LUCK.
    all_in : whether the player was all-in before the river.
    game : place of the game in `games`.
    others : places of the other players in `players`, NOBODY where a seat is empty.
    unknown : number of hands that were left out, since their results are not known.
    """

    number: Ints
    time: Ints
    won: Floats
    less_luck: Floats
    method: Ints
    all_in: Flags
    game: Ints
    others: Ints
    games: tuple[str, ...]
    players: tuple[str, ...]
    unknown: int

    def __len__(self) -> int:
        return len(self.won)

    def is_whole(self) -> bool:
        """Return whether all columns are numbers of the same hands, and places exist."""
        columns = (self.number, self.time, self.won, self.less_luck, self.method, self.all_in, self.game)
        shapes = {column.shape for column in columns} | {self.others.shape[:1]}
        kinds = "".join(column.dtype.kind for column in (*columns, self.others))
        return (
            kinds == "iiffibii"
            and shapes == {(self.won.size,)}
            and self.others.ndim == 2
            and _are_places(self.game, 0, len(self.games))
            and _are_places(self.others, NOBODY, len(self.players))
        )


def session_hands(board: Dashboard, known: Mapping[str, Agent] | None = None) -> SessionHands:
    """Return the hands of a dashboard's player as columns; `known` are agents by the names of their players.

    Where a heads-up opponent's policy is known, luck is removed by AIVAT, else all-ins are adjusted.
    """
    seats, fine = board.seats, board.seats.known[board.rows]
    rows = board.rows[fine]
    hand = seats.hand[rows]
    records, terms = seats.hands.rows[hand], seats.hands.terms
    blinds = np.array([one.game.big_blind for one in terms], dtype=np.int64)[records["terms"]] * PARTS
    won, less = seats.net[rows] / blinds, seats.adjusted[rows] / blinds
    method = np.where(seats.counts[rows, ADJUSTED] > 0, ALL_IN, NOTHING).astype(np.int64)
    if known:
        _remove_luck(seats.hands, hand, board.player, known, less, method)
    words = [f"{stakes(one)}, {_seats(one.game.seats)}" for one in terms]
    games = tuple(dict.fromkeys(words))
    others = records["player"].astype(np.int64)
    others[np.arange(len(rows)), seats.seat[rows]] = NOBODY
    return SessionHands(
        records["number"].astype(np.int64), records["time"].astype(np.int64), won, less, method,
        seats.counts[rows, ALL_INS] > 0, np.array([games.index(text) for text in words])[records["terms"]],
        np.where(others == UNKNOWN, NOBODY, others), games, seats.hands.players, int((~fine).sum()),
    )  # fmt: skip


def _are_places(column: Ints, least: int, end: int) -> bool:
    return bool(((column >= least) & (column < end)).all())


def _seats(count: int) -> str:
    return "heads-up" if count == 2 else f"{count} seats"


def _remove_luck(
    hands: Hands, hand: Ints, player: str, known: Mapping[str, Agent], less: Floats, method: Ints
) -> None:
    """Remove luck by AIVAT from hands against one known opponent, game by game; leave the others alone."""
    who = hands.players.index(player)
    pair, terms = hands.rows["player"][hand, :2], hands.rows["terms"][hand]
    alone = hands.seats[hand] == 2
    for name, agent in known.items():
        if name not in hands.players:
            continue
        place = hands.players.index(name)
        against = alone & (pair == place).any(axis=1) & (pair == who).any(axis=1)
        for term in np.unique(terms[against]).tolist():
            these = np.flatnonzero(against & (terms == term))
            if len(these) >= FEWEST_HANDS:
                found = _aivat(hands[hand[these]].packed(), player, name, agent)
                if found is not None:
                    less[these] = found / hands.terms[term].game.big_blind
                    method[these] = WITHOUT_LUCK


def _aivat(hands: Hands, player: str, name: str, agent: Agent) -> Floats | None:
    """Return the player's results in chips without luck; None where that is not possible."""
    count = RecordedLuckCount({name: agent})
    try:
        count.add(hands)
    except HoldMemError:  # an agent that learns, or plays otherwise today than it did then
        return None
    if len(count.pairs) != 1:
        return None
    ((_, names), pair) = next(iter(count.pairs.items()))
    if len(pair.less_luck.results) != len(hands):
        return None
    found: Floats = np.array(pair.less_luck.results, dtype=np.float64) / PARTS
    return found if names[0] == player else -found


def keep(path: Path, hands: SessionHands) -> None:
    """Store the columns."""
    content = io.BytesIO()
    columns: dict[str, Any] = {name: np.array(value) for name, value in vars(hands).items()}
    np.savez_compressed(content, **columns)
    write_if_there(path, content.getvalue())


def kept(path: Path) -> SessionHands | None:
    """Return stored columns; None if there are none, or they are damaged."""
    try:
        found = read_npz(path)
        values: dict[str, Any] = {one.name: found[one.name] for one in fields(SessionHands)}
        for name in ("games", "players"):
            values[name] = tuple(str(text) for text in values[name].tolist())
        columns = SessionHands(**values | {"unknown": int(values["unknown"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return columns if columns.is_whole() else None
