"""AIVAT for recorded hands, of which some players' agents are known."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Agent, FinishedHands
from holdmem.arena.aivat.reduction import Aivat, sit_down
from holdmem.arena.result import estimates_frame
from holdmem.arena.score import Score
from holdmem.core.display import html_table, short_list
from holdmem.core.errors import NotationError
from holdmem.core.random import hand_ids
from holdmem.core.statistics import Estimate
from holdmem.core.types import Ints
from holdmem.engine import Batch, Game
from holdmem.history import Hands
from holdmem.history.replay import final_states

if TYPE_CHECKING:
    import polars as pl

NOT_HEADS_UP, NOT_KNOWN, HIDDEN, RAKED = (
    "not heads-up",
    "no player with a known agent",
    "hole cards hidden",
    "raked",
)
"""Why hands are left out."""


@dataclass(frozen=True)
class PlayerLuck:
    """Result of one player against another in recorded hands."""

    player: str
    opponent: str
    game: str
    known: tuple[str, ...]
    """The players, of the two, whose policies are known."""
    hands: int
    money: Estimate
    aivat: Estimate


@dataclass(frozen=True)
class RecordedLuck:
    """Results of recorded hands with the luck of cards and known policies removed."""

    players: tuple[PlayerLuck, ...]
    left_out: dict[str, int]
    """Number of hands that could not be used, by reason."""

    def __repr__(self) -> str:
        return f"RecordedLuck({short_list([f'{one.player} {one.aivat}' for one in self.players], width=48)})"

    def _repr_html_(self) -> str:
        rows = [(one.player, one.opponent, one.hands, one.money, one.aivat) for one in self.players]
        return html_table(("player", "opponent", "hands", "money", "aivat"), rows, "results without luck")

    def frame(self) -> "pl.DataFrame":
        """Return a polars data frame with one row per player and way of counting."""
        return estimates_frame(
            {"player": one.player, "opponent": one.opponent, "game": one.game, "luck": name} | asdict(found)
            for one in self.players
            for name, found in (("money", one.money), ("aivat", one.aivat))
        )

    def as_json(self) -> dict[str, Any]:
        """Return the output of `holdmem luck --json`, described in docs/luck.md."""
        players = [
            {
                "player": one.player,
                "opponent": one.opponent,
                "game": one.game,
                "known": list(one.known),
                "hands": one.hands,
                "money": one.money.as_json(),
                "aivat": one.aivat.as_json(),
            }
            for one in self.players
        ]
        return {"players": players, "left_out": self.left_out}


@dataclass
class _Pair:
    """Two players at one game, by name in the order of the alphabet."""

    aivat: Aivat
    money: Score
    less_luck: Score


@dataclass
class RecordedLuckCount:
    """Collects hands block by block."""

    agents: Mapping[str, Agent]
    pairs: dict[tuple[Game, tuple[str, str]], _Pair] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    count: int = 0

    def add(self, hands: Hands) -> None:
        """Add hands; those that cannot be used are counted by reason."""
        self.names.update(hands.players)
        rest = self._usable(hands)
        for ended in final_states(rest) if len(rest) else ():
            players = rest.rows["player"][ended.places, :2]
            for pair in np.unique(np.sort(players, axis=1), axis=0):
                these = np.flatnonzero((np.sort(players, axis=1) == pair).all(axis=1))
                names = sorted((rest.players[pair[0]], rest.players[pair[1]]))
                order = [rest.players.index(name) for name in names]
                lineup = (players[these] == order[1]).astype(np.int64)
                rows = rest.rows[ended.places[these]]
                played = self._finished(ended.game, rows, ended.hands[these], ended.history[these], lineup)
                self._add(ended.game, (names[0], names[1]), played)

    def _usable(self, hands: Hands) -> Hands:
        """Return the hands that can be used, counting the others."""
        who = [place for place, name in enumerate(hands.players) if name in self.agents]
        tests = (
            (NOT_HEADS_UP, lambda some: some.seats == 2),
            (NOT_KNOWN, lambda some: np.isin(some.rows["player"][:, :2], who).any(axis=1)),
            (HIDDEN, lambda some: some.known[:, :2].all(axis=1)),
            (RAKED, lambda some: some.rows["rake"] == 0),
        )
        for reason, test in tests:
            fine = test(hands)
            if not fine.all():
                self.left_out[reason] = self.left_out.get(reason, 0) + int((~fine).sum())
            hands = hands[fine]
        return hands

    def _finished(
        self,
        game: Game,
        rows: NDArray[np.record],
        states: NDArray[np.record],
        history: NDArray[np.record],
        lineup: Ints,
    ) -> FinishedHands:
        """Return recorded hands as finished ones; cards that were never dealt are any that are left."""
        batch = Batch(game, full_decks(rows), rows["stack"][:, :2])
        batch.hands, batch.history = states, history
        ids = hand_ids(len(rows), first_hand=self.count)
        self.count += len(rows)
        return FinishedHands(batch, lineup, ids, np.zeros(len(rows), np.int64))

    def _add(self, game: Game, names: tuple[str, str], hands: FinishedHands) -> None:
        if (game, names) not in self.pairs:
            seats = [sit_down(self.agents[n], n, game) if n in self.agents else None for n in names]
            self.pairs[game, names] = _Pair(Aivat(game, names, seats), Score(game), Score(game))
        pair = self.pairs[game, names]
        pair.money.results += hands.by_player(2)[:, 0].tolist()
        pair.less_luck.results += hands.by_player(2, pair.aivat.parts(hands))[:, 0].tolist()

    def result(self) -> RecordedLuck:
        """Return the results; NotationError if a named player never sat."""
        for name in self.agents:
            if name not in self.names:
                found = ", ".join(sorted(self.names)[:8]) or "none"
                raise NotationError(f"no player {name!r} in these hands; the players are {found}")
        rows = [one for (game, names), pair in self.pairs.items() for one in _rows(game, names, pair)]
        return RecordedLuck(tuple(rows), self.left_out)


def _rows(game: Game, names: tuple[str, str], pair: _Pair) -> list[PlayerLuck]:
    """Return the results of both players."""
    known = tuple(name for name, policy in zip(names, pair.aivat.known, strict=True) if policy)
    money, less_luck = pair.money.rate, pair.less_luck.rate
    assert money is not None
    assert less_luck is not None
    count = len(pair.money.results)
    first = PlayerLuck(names[0], names[1], game.name, known, count, money, less_luck)
    second = PlayerLuck(
        names[1],
        names[0],
        game.name,
        known,
        count,
        money.scaled(-1, money.unit),
        less_luck.scaled(-1, less_luck.unit),
    )
    return [first, second]


def full_decks(rows: NDArray[np.record]) -> NDArray[np.int8]:
    """Return the hole cards and a full board of each hand; cards never dealt are any that are left."""
    decks = np.concatenate([rows["hole"][:, :2].reshape(-1, 4), rows["board"]], axis=1).astype(np.int8)
    for place in np.flatnonzero((decks < 0).any(axis=1)):
        missing = np.flatnonzero(decks[place] < 0)
        decks[place, missing] = np.setdiff1d(np.arange(52), decks[place])[: len(missing)]
    return decks


def recorded_luck(blocks: Iterable[Hands], agents: Mapping[str, Agent]) -> RecordedLuck:
    """Remove luck from recorded heads-up hands, given the agents of some players by name."""
    found = RecordedLuckCount(agents)
    for hands in blocks:
        found.add(hands)
    return found.result()
