"""The trainer's decks of every person: made and valued in the background, asked, answered, deleted."""

import logging
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from holdmem.core.atomic import storage_errors
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.types import JsonObject
from holdmem.ev import NamedPlayer
from holdmem.ev.review.run import field_model
from holdmem.web.kept_files import one_line
from holdmem.web.library import NAME, OWN
from holdmem.web.library_routes import LibraryDesk
from holdmem.web.trainer_decks import MOST_ANSWERS, Deck, score
from holdmem.web.trainer_messages import AnswerWish, DeckWish, LeakWish, MemoryWish
from holdmem.web.trainer_schedule import Answer, asking_order, cards_after, counts, next_spot
from holdmem.web.trainer_sources import (
    ALL_LEAKS,
    DEAREST,
    MEMORIES,
    FoundSpots,
    leak_spots,
    memory_spots,
    situation_spots,
)

logger: logging.Logger = logging.getLogger("holdmem.web")

AHEAD = 8
"""Spots that are valued before they are asked."""
VALUERS = 2
"""Decks that are valued at the same time, so that one that has to compile code does not hold up the other."""
MOST_DECKS = 100
"""Decks that a person can keep."""
OPEN_DECKS = 50
"""Decks of all persons whose hands and models are kept in memory."""
OWN_NAME = "hands played at this table"
HOME = "trainer"
"""Folder of the decks that do not come from a person's own hands."""
DRILLS = "drills"
"""Folder of the decks of a file's leaks, in the file's own folder."""


@dataclass
class Making:
    """A deck that is being made, or could not be."""

    title: str
    source: JsonObject
    problem: str = ""
    dealt: int = 0
    """Hands that have been dealt to find a situation."""


class TrainerDesk:
    """What the requests of the trainer ask for; a person is identified by the key of the session."""

    def __init__(self, hands: LibraryDesk, now: Callable[[], float] = time.time) -> None:
        self.hands = hands
        self.now = now
        self.maker: ThreadPoolExecutor = ThreadPoolExecutor(1, "trainer")
        self.valuer: ThreadPoolExecutor = ThreadPoolExecutor(VALUERS, "values")
        self._making: dict[tuple[str, str], Making] = {}
        self._valuing: set[Path] = set()
        self._decks: dict[Path, Deck] = {}
        self._lock = threading.RLock()

    # Decks

    def overview(self, person: str) -> JsonObject:
        """Return all decks with their scores, and what decks can be made of."""
        now = self.now()
        decks, answers = list[JsonObject](), list[list[Answer]]()
        for folder in self._folders(person):
            try:
                deck = self._deck(folder)
            except NotationError as error:
                decks.append({"id": folder.name, "title": "a damaged deck", "problem": str(error)})
                continue
            given = deck.answers()
            answers.append(given)
            decks.append(
                {"id": folder.name, **_about(deck), **counts(len(deck), given, now), "score": score([given])}
            )
        with self._lock:
            making = [
                {"id": number, "title": one.title, "making": not one.problem, "problem": one.problem}
                for (who, number), one in self._making.items()
                if who == person
            ]
        return {"decks": [*making, *decks], "score": score(answers), "sources": self._sources(person)}

    def _sources(self, person: str) -> JsonObject:
        memories = [{"name": name, "words": words} for name, (words, *_) in MEMORIES.items()]
        return {"memories": memories, "leaks": list(self._reviews(person))}

    def _reviews(self, person: str) -> Iterator[JsonObject]:
        """Yield the files whose hero has been reviewed, with the leaks that were found."""
        listed = self.hands.files(person)
        files = [(one["id"], one["name"]) for one in listed["files"] if one["state"] == "ready"]
        if listed["own"]:
            files.append((OWN, OWN_NAME))
        for number, name in files:
            with suppress(HoldMemError):
                found = self.hands.review(person, number, None)
                ready = found.get("state") == "ready"
                leaks = [one["situation"] for one in found["leaks"]] if ready else []
                more = [
                    *([ALL_LEAKS] if len(leaks) > 1 else []),
                    *([DEAREST] if ready and found["dearest"] else []),
                ]
                yield {"file": number, "name": name, "state": found["state"], "leaks": [*leaks, *more]}

    def make(self, person: str, wish: DeckWish) -> JsonObject:
        """Begin to make a deck; one that is there already is not made again."""
        source = wish.model_dump()
        with self._lock:
            for folder in self._folders(person):
                with suppress(NotationError):
                    if self._deck(folder).about.get("source") == source:
                        return {"id": folder.name}
            for (who, number), one in list(self._making.items()):
                if who == person and one.source == source and not one.problem:
                    return {"id": number}
                if who == person and one.problem:
                    del self._making[who, number]
            begun = sum(who == person for who, _ in self._making)
            if begun + len(list(self._folders(person))) >= MOST_DECKS:
                raise NotationError(f"there are {MOST_DECKS} decks already; delete one first")
            if isinstance(wish, LeakWish):
                self.hands.library.folder_of(person, wish.file)  # a file that is not there is said at once
            number = secrets.token_hex(8)
            self._making[person, number] = Making(wish.title, source)
        self.maker.submit(self._make, person, number, wish)
        return {"id": number}

    def _make(self, person: str, number: str, wish: DeckWish) -> None:
        making = self._making[person, number]
        try:
            found, others = self._found(person, wish, making)
            if isinstance(wish, LeakWish) and wish.file == OWN:
                self.hands.hands(person, OWN)  # HoldMemError if the history has been deleted meanwhile
            folder = self._root(person, wish) / number
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            about = {"kind": wish.kind, "source": making.source, "made": self.now()}
            Deck.write(folder, found, about, others)
            with self._lock:
                del self._making[person, number]
            self._value_ahead(self._deck(folder))
        except HoldMemError as error:
            making.problem = one_line(str(error), 300)
        except Exception:
            logger.exception("a deck could not be made")
            making.problem = "the deck could not be made; the server's log says why"

    def _found(self, person: str, wish: DeckWish, making: Making) -> tuple[FoundSpots, NamedPlayer | None]:
        if isinstance(wish, MemoryWish):
            return memory_spots(wish.memory), None
        if not isinstance(wish, LeakWish):
            return situation_spots(wish.situation, lambda dealt: setattr(making, "dealt", dealt)), None
        board = self.hands.dashboard(person, wish.file, wish.player)
        review = self.hands.review(person, wish.file, wish.player)

        def address(place: int) -> str:
            if wish.file != OWN:
                return f"/replay?upload={wish.file}&number={place}"
            return f"/replay?own={int(board.hands.rows['number'][place - 1])}"

        found = leak_spots(board.hands, board.player, review, wish.leak, address)
        found.title += f" ({self._name(person, wish.file)})"
        return found, self._learned(person, wish) or field_model(
            board.hands.with_player(board.player), board.player
        )

    def _name(self, person: str, number: str) -> str:
        return OWN_NAME if number == OWN else str(self.hands.library.summary(person, number)["name"])

    def _learned(self, person: str, wish: LeakWish) -> NamedPlayer | None:
        """Return the model of the others that an earlier deck of the same hands has learned."""
        root = self._root(person, wish)
        for folder in root.iterdir() if root.is_dir() else ():
            with suppress(HoldMemError, OSError):
                deck = Deck.read(folder)
                if deck.about["source"].get("player") == wish.player and deck.others is not None:
                    return deck.others
        return None

    def _root(self, person: str, wish: DeckWish) -> Path:
        if isinstance(wish, LeakWish):
            return self.hands.library.folder_of(person, wish.file) / DRILLS
        return self._home(person) / HOME

    def _home(self, person: str) -> Path:
        return self.hands.library.folder_of(person, OWN).parent

    def _folders(self, person: str) -> Iterator[Path]:
        """Yield the folders of all decks, newest first."""
        home = self._home(person)
        roots = [home / HOME, *(folder / DRILLS for folder in home.iterdir())]
        found = [folder for root in roots if root.is_dir() for folder in root.iterdir()]
        made = dict[Path, float]()
        for folder in found:
            with suppress(FileNotFoundError):  # deleted meanwhile
                if NAME.fullmatch(folder.name) and folder.is_dir():
                    made[folder] = folder.stat().st_mtime
        return iter(sorted(made, key=lambda folder: (-made[folder], folder.name)))

    def _find(self, person: str, number: str) -> Path:
        for folder in self._folders(person) if NAME.fullmatch(number) else ():
            if folder.name == number:
                return folder
        raise NotationError("there is no such deck of yours")

    def _deck(self, folder: Path) -> Deck:
        with self._lock:
            deck = self._decks.pop(folder, None)
            deck = Deck.read(folder) if deck is None else deck
            self._decks[folder] = deck  # the last one used is the last to go
            while len(self._decks) > OPEN_DECKS:
                self._decks.pop(next(iter(self._decks)))
            return deck

    def delete(self, person: str, number: str) -> None:
        """Delete a deck with its answers, or forget one that could not be made."""
        with self._lock:
            making = self._making.get((person, number))
            if making is not None:
                if not making.problem:
                    raise NotationError("this deck is still being made")
                del self._making[person, number]
                return
            folder = self._find(person, number)
            self._decks.pop(folder, None)
            gone = folder.with_name(f"{number}.gone")
            with storage_errors(folder):
                folder.rename(gone)
                shutil.rmtree(gone)

    # Values

    def _value_ahead(self, deck: Deck) -> None:
        """Value the spots that will be asked next, unless that is going on."""
        with self._lock:
            if deck.folder in self._valuing or self._unvalued(deck) is None:
                return
            self._valuing.add(deck.folder)
        with suppress(RuntimeError):  # the server is being closed
            self.valuer.submit(self._value_one, deck)

    def _unvalued(self, deck: Deck) -> int | None:
        """Return the first spot without values among those that are asked next."""
        ready = 0
        for spot in asking_order(len(deck), deck.answers(), self.now()):
            found = deck.value(spot)
            if found is None:
                return spot
            ready += "problem" not in found
            if ready >= AHEAD:
                return None
        return None

    def _value_one(self, deck: Deck) -> None:
        """Value one spot, then queue again, so that decks take turns."""
        kept = False
        try:
            spot = self._unvalued(deck)
            if spot is not None:
                deck.keep_value(spot, _value_of(deck, spot))
                kept = deck.value(spot) is not None
        finally:
            with self._lock:
                self._valuing.discard(deck.folder)
        if kept:  # else the deck has been deleted, or the disk is full
            self._value_ahead(deck)

    # Asking

    def ask(self, person: str, number: str) -> JsonObject:
        """Return the next spot of a deck, or what it waits for."""
        with self._lock:
            making = self._making.get((person, number))
        if making is not None:
            return {"state": "refused" if making.problem else "making", "title": making.title,
                    "problem": making.problem, "dealt": making.dealt}  # fmt: skip
        deck = self._deck(self._find(person, number))
        given, now = deck.answers(), self.now()
        self._value_ahead(deck)
        content: JsonObject = {
            **_about(deck), **counts(len(deck), given, now), "turn": len(given), "score": score([given])
        }  # fmt: skip
        values: dict[int, JsonObject | None] = {}

        def ready(spot: int) -> bool | None:
            value = values[spot] = deck.value(spot)
            return None if value is None else "problem" not in value

        spot = next_spot(len(deck), given, now, ready)
        if spot is not None and (value := values[spot]) is not None:
            offered = [{"code": one["code"], "words": one["words"]} for one in value["answers"]]
            table = deck.table(spot) | {"hand": len(given)}
            again = any(one.spot == spot for one in given)
            return content | {"state": "asked", "spot": spot, "table": table, "answers": offered,
                           "judge": value["judge"], "again": again}  # fmt: skip
        problems = [value["problem"] for value in values.values() if value and "problem" in value]
        if len(problems) == len(deck):
            return content | {"state": "refused", "problem": f"no spot could be valued: {problems[0]}"}
        return content | {"state": "waiting"}

    def answer(self, person: str, number: str, wish: AnswerWish) -> JsonObject:
        """Judge an answer and return it with the values of all answers and the reasons."""
        deck = self._deck(self._find(person, number))
        with self._lock:
            given = deck.answers()
            if wish.turn != len(given):
                raise NotationError("this spot has been answered already")
            value = deck.value(wish.spot) if wish.spot < len(deck) else None
            if value is None or "problem" in value:
                raise NotationError("this spot is not being asked")
            chosen = next((one for one in value["answers"] if one["code"] == wish.code), None)
            if chosen is None:
                raise NotationError("expected one of the answers that were offered")
            now = self.now()
            content = Answer(
                wish.spot, now, wish.code, bool(chosen["right"]), chosen.get("loss"), chosen.get("error"),
                chosen.get("share"),
            )  # fmt: skip
            given = [*given, content][-MOST_ANSWERS:]
            deck.keep_answers(given)
        self._value_ahead(deck)
        card = cards_after(given)[wish.spot]
        extra = deck.about["extra"][wish.spot]
        return {
            **_about(deck), "state": "answered", "spot": wish.spot, "turn": len(given), "code": wish.code,
            "right": content.right, "chosen": chosen, **value, "box": card.box, "due_in": card.due - now,
            "address": _address(deck, wish.spot), "review": extra.get("review"), "habit": extra.get("habit"),
            **counts(len(deck), given, now), "score": score([given]),
        }  # fmt: skip

    def close(self) -> None:
        """Let the spot that is being valued be the last."""
        self.maker.shutdown(wait=False, cancel_futures=True)
        self.valuer.shutdown(wait=False, cancel_futures=True)


def _about(deck: Deck) -> JsonObject:
    about = deck.about
    return {"title": about["title"], "kind": about["kind"], "spots": len(deck), "notes": about["notes"]}


def _value_of(deck: Deck, spot: int) -> JsonObject:
    """Return what the answers to a spot are worth, or the problem that keeps them from being known."""
    try:
        return deck.find_value(spot)
    except HoldMemError as error:
        return {"problem": one_line(str(error), 300)}
    except Exception:
        logger.exception("a spot could not be valued")
        return {"problem": "the spot could not be valued; the server's log says why"}


def _address(deck: Deck, spot: int) -> str | None:
    """Return where the hand of a spot is replayed, at its decision."""
    address = deck.about["extra"][spot].get("address")
    return f"{address}#{deck.about['steps'][spot]}" if address else None
