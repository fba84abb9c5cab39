"""Sessions: one `ClientSession` per session, with a private table that no other session can see or
control."""

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from holdmem.core.errors import HoldMemError, IllegalAction, NotationError
from holdmem.core.types import JsonObject
from holdmem.engine import CALL, FOLD
from holdmem.engine.state import PARTS
from holdmem.history import RecordedHand
from holdmem.web import messages as said
from holdmem.web.library import HandLibrary
from holdmem.web.offers import Lobby, game_for, strongest, table_game, uneven
from holdmem.web.players import PlayerShelf
from holdmem.web.replay import in_step, replayed
from holdmem.web.replay_sources import NamedHands, from_match, remembered
from holdmem.web.saved_session import as_plain, hand_as_plain, restored
from holdmem.web.serialize import YOU
from holdmem.web.session import HandReview, HumanTable, OpponentFailed, TableSettings
from holdmem.web.store import Store, StoreWriteError
from holdmem.web.watch import WatchedTable

MOST_PEOPLE = 2000
IDLE_SECONDS = 3600.0
"""Seconds after which a session without a connection is dropped; its hands and table remain in the store."""

logger: logging.Logger = logging.getLogger("holdmem.web")


@dataclass(eq=False)
class ClientSession:
    """One session. Its lock allows one operation at a time."""

    key: str
    offer: Lobby
    store: Store
    sitting: HumanTable | None = None
    spectacle: WatchedTable | None = None
    shelf: NamedHands | None = None
    """Hands of the file that was named when the server was started."""
    ledger: Path | None = None
    library: HandLibrary | None = None
    players: PlayerShelf | None = None
    matches: dict[str, NamedHands] = field(default_factory=dict)
    """The match of the ledger that was replayed last, by its hash."""
    looked: bool = False
    """Whether the store has been searched for a table of this session."""
    behind: bool = False
    """Whether the table has changed since it was last stored."""
    sitting_down: bool = False
    """Whether a table is being prepared, which can take a while."""
    seen: float = field(default_factory=time.monotonic)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: set[Callable[[JsonObject], None]] = field(default_factory=set)

    @property
    def lobby(self) -> Lobby:
        """What is on offer, with the players that this person made."""
        return self.offer if self.players is None else replace(self.offer, made=self.players.made(self.key))

    def welcome(self) -> JsonObject:
        """Return the lobby and whether this session has a table, which `back` then sends."""
        hello = {"type": "welcome", "version": said.VERSION, "session": self.key, **self.lobby.plain()}
        stored = not self.looked and self.store.sits(self.key)
        seated = stored or self.sitting_down or self.sitting is not None
        return {**hello, "seated": seated, "watching": self.spectacle is not None}

    def back(self, seated: bool = True) -> list[JsonObject]:
        """Return the current state of this session's table, restored from the store after a server restart.

        Without a table, return a "left" message if the client has been informed that it is `seated`.
        """
        if self.sitting is None and not self.looked:
            self.looked = True
            state = self.store.sitting(self.key)
            if state is not None:
                try:
                    self.sitting = restored(*state, self.lobby)
                except Exception as error:
                    return self._lost(error)
        return [self._state(self.sitting)] if self.sitting else [{"type": "left"}] if seated else []

    def _state(self, sitting: HumanTable) -> JsonObject:
        """Return the state of the table, with the id of its hand in the store if that is over."""
        state = sitting.state()
        newest = self.store.listed(self.key)[:1] if state["over"] else []
        for hand in newest:
            if hand.get("sitting") == sitting.order.name and hand["hand"] == state["hand"]:
                state["id"] = hand["id"]
        return state

    def _lost(self, error: Exception) -> list[JsonObject]:
        """Give up a stored table that cannot be restored; its finished hands stay in the history."""
        logger.warning("a stored table could not be restored: %r", error)
        self.store.leave(self.key)
        why = str(error) if isinstance(error, HoldMemError) else "its stored data is damaged"
        return [{"type": "left", "why": f"your table could not be restored: {why}"[:500]}]

    def answer(self, message: said.AnyMessage) -> list[JsonObject]:
        """Carry out a message and return the replies."""
        match message:
            case said.Hello():
                return [self.welcome(), *self.back(seated=False)]
            case said.Sit():
                self.sitting_down = True
                try:
                    return self._sit(message)
                finally:
                    self.sitting_down = False
            case said.Who():
                return [self.who(message)]
            case said.Watch():
                return self._watch(message)
            case said.Step():
                return [self._spectacle().step(message.hands)]
            case said.History():
                return [{"type": "history", "hands": self.store.listed(self.key, before=message.before)}]
            case said.Reasons():
                return [self._reasons(message.id)]
            case said.Replay():
                return [self._replay(message)]
            case said.Shelf():
                return [self._shelf(message.match)]
            case said.Leave():
                self.leave()
                return [{"type": "left"}]
        return self._at_table(message)

    def _at_table(self, message: said.AnyMessage) -> list[JsonObject]:
        sitting = self._sitting()
        match message:
            case said.Next() | said.Act():
                try:
                    return self._kept(sitting, self._progress(sitting, message))
                except OpponentFailed as error:
                    self.leave()
                    return [{"type": "left", "why": f"this hand cannot go on: {error}"}]
            case said.Advice():
                return [sitting.ask()]
            case _:
                return [sitting.summary()]

    def _progress(self, sitting: HumanTable, message: said.Next | said.Act) -> list[JsonObject]:
        if isinstance(message, said.Next):
            sitting.expect_at(message.sitting, message.hand)
            return sitting.deal()
        if message.sitting is not None or message.acted is not None:
            sitting.expect_at(message.sitting, message.hand, message.acted)
        return sitting.act(message.hand, _code(message))

    def who(self, wish: said.Who) -> JsonObject:
        """Return the agents that can play at such a table, and its default opponents and adviser."""
        stack = wish.stacks[0] if wish.stacks else None
        game = table_game(wish.game, wish.seats, wish.big_blind, stack, wish.format, self.lobby)
        able = self.lobby.able_at(game, uneven(wish.stacks or [], game), wish.format)
        usual = self.offer.usual(game.seats, able)
        adviser = self.offer.adviser if self.offer.adviser in able else None
        return {**wish.model_dump(), "agents": able, "opponents": usual, "adviser": adviser}

    def _sit(self, wish: said.Sit) -> list[JsonObject]:
        lobby = self.lobby
        opponents = lobby.checked(wish.opponents)
        adviser = lobby.checked([wish.adviser or lobby.adviser])[0]
        stack, seats = wish.stacks[0] if wish.stacks else None, len(opponents) + 1
        game = table_game(wish.game, seats, wish.big_blind, stack, wish.format, self.lobby)
        if wish.adviser is None and adviser not in lobby.able_at(game, None, wish.format, [adviser]):
            adviser = strongest(opponents, game)
        stacks = uneven(wish.stacks or [], game)
        if wish.format != "cash":
            lobby.expect_carried(game, [*opponents, adviser], wish)
        order = TableSettings(
            game, opponents, adviser, wish.duplicate, name=secrets.token_hex(8), stacks=stacks,
            format=wish.format,
        )  # fmt: skip
        sitting = HumanTable(order, lobby.made)
        replies = sitting.deal()
        self.sitting, self.looked = sitting, True
        return self._kept(sitting, replies)

    def leave(self) -> None:
        """Leave the table."""
        self.sitting, self.looked = None, True
        self.store.leave(self.key)

    def _kept(self, sitting: HumanTable, replies: list[JsonObject]) -> list[JsonObject]:
        """Store the table, and the hand if it has just ended, and return the replies.

        If storing fails, play continues.
        """
        over = sitting.last if sitting.hand and sitting.hand.over else None
        try:
            if over is not None:
                replies[-1]["id"] = self._store(sitting, over)
            elif sitting.number == 1 or self.behind:
                self.store.keep(self.key, as_plain(sitting), hand_as_plain(sitting))
            else:
                self.store.keep_hand(self.key, hand_as_plain(sitting))
            self.behind = False
        except StoreWriteError as error:
            self.behind = True
            if over is not None:
                logger.warning("%s: %s; a hand could not be stored", self.store.path, error)
                replies.append({"type": "error", "message": f"{error}: this hand could not be stored"})
        return replies

    def _store(self, sitting: HumanTable, ended: HandReview) -> int:
        table = as_plain(sitting), hand_as_plain(sitting)
        net = ended.net / PARTS
        number = self.store.add(self.key, sitting.order.name, ended.record, ended.plain(), net, table)
        sitting.differences.stored(ended.record.number, number)
        return number

    def _reasons(self, number: int | None) -> JsonObject:
        if number is not None:
            return self.store.reasons(self.key, number)
        ended = self._sitting().last
        if ended is None:
            raise IllegalAction("reasons are shown only after the first hand is over")
        return ended.plain()

    def find_hand(self, wish: said.HandReference) -> RecordedHand:
        """Return the hand that a client refers to."""
        if wish.own is not None and wish.example is not None:
            reasons = self.store.reasons(self.key, wish.own)
            return remembered(reasons, wish.decision, wish.advice, wish.example)
        if wish.own is not None:
            return self.store.hand(self.key, wish.own)[0]  # type: ignore[no-any-return]
        if wish.watched is not None and wish.example is not None:
            replies: JsonObject = {"decisions": self._spectacle().explained(wish.watched)}
            return remembered(replies, wish.decision, None, wish.example)
        if wish.watched is not None:
            return self._spectacle().recorded(wish.watched)
        if wish.match is not None:
            return self._match(wish.match).find(wish.number)
        if wish.upload is not None and self.library is not None:
            hands = self.library.hands(self.key, wish.upload)
            return NamedHands("this file", [hands]).find(wish.number)
        if wish.file is not None and self.shelf is not None:
            return self.shelf.find(wish.file)
        raise NotationError("expected a hand of your own, of a match, of a file or one that you watched")

    def _replay(self, wish: said.Replay) -> JsonObject:
        hand, reasons = self.find_hand(wish), list[Any]()
        you = self.library.hero(self.key, wish.upload) if wish.upload and self.library else YOU
        hero = hand.names.index(you) if you in hand.names else None
        if wish.own is not None and wish.example is None:
            reasons = list(in_step(hand, YOU, self.store.reasons(self.key, wish.own)))
        elif wish.watched is not None and wish.example is None:
            reasons = self._spectacle().explained(wish.watched)
        number = next((n for n in (wish.file, wish.watched) if n is not None), wish.number)
        replies = replayed(hand, hero, number - 1 if wish.watched is None else number)
        return {**replies, "reasons": reasons, "asked": wish.model_dump(exclude_none=True)}

    def _shelf(self, match: str | None) -> JsonObject:
        """Return the name and size of the file, or of the part of a match, that can be replayed."""
        found = self._match(match) if match else self.shelf
        size, name = (len(found), found.name) if found else (0, "")
        won = found.winners() if found else []
        return {"type": "shelf", "match": match, "name": name, "hands": size, "won": won}

    def _match(self, design: str) -> NamedHands:
        if design not in self.matches:
            self.matches = {design: from_match(self.ledger, design, list(self.offer.agents()))}
        return self.matches[design]

    def _watch(self, wish: said.Watch) -> list[JsonObject]:
        agents = self.lobby.checked(wish.agents)
        game = game_for(wish.game, len(agents), None, wish.stack, self.lobby)
        self.spectacle = WatchedTable(game, agents, wish.seed, self.lobby.made)
        return [self.spectacle.state()]

    def _sitting(self) -> HumanTable:
        if self.sitting is None:
            raise IllegalAction("you have no table: sit down first")
        return self.sitting

    def _spectacle(self) -> WatchedTable:
        if self.spectacle is None:
            raise IllegalAction("you have no table to watch: choose agents first")
        return self.spectacle


def _code(message: said.Act) -> int:
    if message.action == "raise":
        if not message.to:
            raise IllegalAction("a raise needs its total in 'to'")
        return message.to
    return FOLD if message.action == "fold" else CALL


class SessionRegistry:
    """All sessions of this server, each found by its secret key."""

    def __init__(
        self,
        offer: Lobby,
        store: Store,
        library: HandLibrary,
        shelf: NamedHands | None = None,
        ledger: Path | None = None,
    ) -> None:
        self.offer = offer
        self.store = store
        self.shelf = shelf
        self.ledger = ledger
        self.library = library
        self.players: PlayerShelf = PlayerShelf(library.folder)
        self._people: dict[str, ClientSession] = {}
        self._lock = threading.Lock()

    def find(self, key: str | None) -> ClientSession:
        """Return the session of this key, or a new one. An unknown key may be a session dropped when idle."""
        if key is None or not 16 <= len(key) <= 100 or not key.isascii():
            key = secrets.token_urlsafe(24)
        with self._lock:  # requests ask from threads of their own
            self._forget_the_idle()
            if key not in self._people:
                self._people[key] = self._new(key)
            person = self._people[key]
            person.seen = time.monotonic()
        return person

    def _new(self, key: str) -> ClientSession:
        if len(self._people) >= MOST_PEOPLE:
            raise NotationError(f"server full ({MOST_PEOPLE} sessions)")
        return ClientSession(
            key, self.offer, self.store, shelf=self.shelf, ledger=self.ledger, library=self.library,
            players=self.players,
        )  # fmt: skip

    def find_hand(self, key: str, wish: said.HandReference) -> RecordedHand:
        """Return the hand that the person of this key refers to."""
        return self.find(key).find_hand(wish)

    def _forget_the_idle(self) -> None:
        old = time.monotonic() - IDLE_SECONDS
        for key, person in list(self._people.items()):
            if not person.listeners and person.seen < old:
                del self._people[key]
