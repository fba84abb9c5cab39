"""Decks of spots on disk: the hands, what each answer is worth, and what was answered.

    deck.json      title, where the spots come from, and where in each hand they are
    hands/         one hand for each spot
    others.people  the model of the others, where it was learned from the person's own hands
    spot-7.json    what the answers to spot 7 are worth, once that is computed
    answers.json   what was answered, and when

Decks of one's own leaks are kept with the file of hands that they are from, and go with it. Everything is
written atomically, and what is damaged reads as missing.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

from holdmem.agent.single_hand import SingleHand
from holdmem.core.atomic import atomic_folder, write_atomically
from holdmem.core.errors import NotationError
from holdmem.core.statistics import CONFIDENCE, share
from holdmem.core.types import Floats, JsonObject
from holdmem.engine.state import UNLIMITED
from holdmem.ev import Assumptions, NamedPlayer, named_player
from holdmem.history import Hands, StoredHands, join, write_hands
from holdmem.history.steps import known_deck
from holdmem.web.kept_files import read_json, write_if_there
from holdmem.web.serialize import YOU, table_state
from holdmem.web.trainer_schedule import Answer
from holdmem.web.trainer_sources import FoundSpots
from holdmem.web.trainer_values import agreed_answers, model_for, reasons_of, valued_answers

MOST_ANSWERS = 5000
"""Answers of a deck that are kept; the oldest go first."""
FEWEST = 5
"""Answers from which a mean has an interval."""


@dataclass(frozen=True, eq=False)
class Deck:
    """A deck in its folder."""

    folder: Path
    about: JsonObject

    @classmethod
    def read(cls, folder: Path) -> "Deck":
        """Read a deck; NotationError if it is damaged."""
        about = read_json(folder / "deck.json")
        if not isinstance(about, dict) or not isinstance(about.get("steps"), list):
            raise NotationError("this deck is damaged: delete it")
        return cls(folder, about)

    @classmethod
    def write(cls, folder: Path, found: FoundSpots, about: JsonObject, others: NamedPlayer | None) -> "Deck":
        """Write a new deck; it appears when it is complete."""
        content = about | {
            "title": found.title,
            "explains": found.explains,
            "valued_by": found.valued_by,
            "notes": found.notes,
            "steps": found.steps,
            "extra": found.extra,
        }
        with atomic_folder(folder) as temporary:
            write_hands(found.together, temporary / "hands")
            if others is not None and isinstance(others.source, bytes):
                (temporary / "others.people").write_bytes(others.source)
                content["others"] = others.words
            write_atomically(temporary / "deck.json", json.dumps(content, ensure_ascii=False))
        return cls(folder, content)

    def __len__(self) -> int:
        return len(self.about["steps"])

    @cached_property
    def hands(self) -> Hands:
        """One hand for each spot."""
        return join(list(StoredHands(self.folder / "hands")))

    # Spots

    def playing(self, spot: int) -> tuple[SingleHand, list[str]]:
        """Return the hand of a spot before its decision, and the names by seat; the person is "you"."""
        hand = self.hands[spot]
        playing = SingleHand(hand.terms.game, known_deck(hand), range(hand.terms.game.seats), 0, hand.stacks)
        for code in hand.betting[: self.about["steps"][spot]]:
            playing.act(int(code))
        if playing.to_act is None:
            raise NotationError("there is no decision here")
        names = list(hand.names)
        names[playing.to_act] = YOU
        return playing, names

    def table(self, spot: int) -> JsonObject:
        """Return the table as the person sees it at a spot: only their own cards."""
        playing, names = self.playing(spot)
        assert playing.to_act is not None
        content = table_state(playing, names, playing.to_act)
        for seat, start, behind in zip(
            content["seats"], self.hands[spot].stacks, playing.row["stack"].tolist(), strict=False
        ):
            if start < UNLIMITED:  # the stakes of a file name no stacks, its hands do
                seat |= {"stack": behind, "all_in": seat["in"] and not behind}
        return content

    # Values

    def value(self, spot: int) -> JsonObject | None:
        """Return what the answers to a spot are worth; None before that is computed."""
        found = read_json(self.folder / f"spot-{spot}.json")
        return found if isinstance(found, dict) and ("problem" in found or "answers" in found) else None

    def find_value(self, spot: int) -> JsonObject:
        """Compute what the answers to a spot are worth, and what the expert would do and why."""
        playing, names = self.playing(spot)
        views = playing.views()
        model, expert = model_for(views.game, self.about["valued_by"])
        content = (
            agreed_answers(views, expert)
            if model is None
            else valued_answers(views[0], Assumptions(model, self.others or model))
        )
        explains = str(self.about["explains"])
        by = named_player("population").words if explains == "clone" else explains
        return content | {"by": by, "reasons": reasons_of(views, explains, names)}

    def keep_value(self, spot: int, content: JsonObject) -> None:
        """Store what the answers to a spot are worth."""
        write_if_there(self.folder / f"spot-{spot}.json", json.dumps(content, ensure_ascii=False))

    @cached_property
    def others(self) -> NamedPlayer | None:
        """The model of the others, where it was learned from the person's own hands."""
        file = self.folder / "others.people"
        return replace(named_player(file), words=str(self.about["others"])) if file.is_file() else None

    # Answers

    def answers(self) -> list[Answer]:
        """Return all answers, oldest first."""
        found = read_json(self.folder / "answers.json")
        try:
            return [Answer(**one) for one in found or []]
        except TypeError:
            return []

    def keep_answers(self, answers: Sequence[Answer]) -> None:
        """Store the answers."""
        content = [asdict(one) for one in answers[-MOST_ANSWERS:]]
        write_atomically(self.folder / "answers.json", json.dumps(content))


def score(decks: Sequence[Sequence[Answer]]) -> JsonObject:
    """Return how well some decks were answered, with 95% intervals: all answers, and the first to each spot.

    Losses are in big blinds per spot where expected values are known, `agreed` is the expert's mean share of
    what was answered elsewhere.
    """
    answers = [one for given in decks for one in given]
    first = [one for given in decks for one in {each.spot: each for each in reversed(given)}.values()]
    return {
        "answers": len(answers),
        "right": share(sum(one.right for one in answers), len(answers)).as_json(),
        "first_right": share(sum(one.right for one in first), len(first)).as_json(),
        "lost": _mean([one.loss for one in answers if one.loss is not None]),
        "agreed": _mean([one.share for one in answers if one.share is not None]),
    }


def _mean(values: Sequence[float]) -> JsonObject | None:
    """Return mean and interval by Student's t; None without values, no interval below `FEWEST`."""
    if not values:
        return None
    found: Floats = np.array(values, dtype=np.float64)
    mean, count = float(found.mean()), len(found)
    if count < FEWEST:
        return {"mean": mean, "low": None, "high": None, "of": count}
    reach = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2) * found.std(ddof=1) / np.sqrt(count))
    return {"mean": mean, "low": mean - reach, "high": mean + reach, "of": count}
