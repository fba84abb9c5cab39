"""Judgement of single hands: valued in the background, one at a time, and stored with their file.

Whoever looks at a hand sees at once what a review of the file already says about it. A hand that nobody
asks for any more is given up, so that leafing through a file does not leave a queue behind.
"""

import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from holdmem.core.atomic import write_atomically
from holdmem.core.errors import HoldMemError
from holdmem.core.types import JsonObject
from holdmem.history import Hands
from holdmem.history.formats.parquet import game_text
from holdmem.web import stored_hand
from holdmem.web.judged import PRECISION, Judge
from holdmem.web.kept_files import one_line
from holdmem.web.kept_model import kept_model, learned_model

FORM = 1
"""Version of what is kept; anything older is valued again."""
PATIENCE = 20.0
"""Seconds without a question after which a hand is given up."""
MOST_KEPT = 200
"""Hands that are kept in memory."""

logger: logging.Logger = logging.getLogger("holdmem.web")


@dataclass(frozen=True)
class JudgementRequest:
    """Whose decisions in which hand are to be valued.

    Attributes
    ----------
    judge : the hand and the player.
    folder : where the file of the hand is kept; None for hands that are in no file.
    hands : returns the hands from which the model of the others is learned; None for the usual model.
    """

    judge: Judge
    folder: Path | None = None
    hands: Callable[[], Hands] | None = None

    @property
    def key(self) -> str:
        """What the values depend on, apart from the model of the others."""
        hand = self.judge.hand
        parts = (
            FORM,
            str(PRECISION),
            game_text(hand.terms.game),
            stored_hand.as_text(hand),
            self.judge.player,
        )
        return hashlib.blake2b(
            "\n".join(map(str, parts)).encode(errors="replace"), digest_size=16
        ).hexdigest()

    @property
    def place(self) -> tuple[Path | None, str]:
        """What is asked for: the same hand of two files may be valued by different models of the others."""
        return self.folder, self.key

    def others_known(self) -> Judge:
        """Return the judge with the model of the others: that of a review, or learned now."""
        if self.folder is None:
            return self.judge
        others = kept_model(self.folder, self.judge.player)
        if others is None and self.hands is not None:
            others = learned_model(self.folder, self.judge.player, self.hands())
        return replace(self.judge, others=others)


@dataclass
class Judgement:
    """How far a hand is valued."""

    state: str = "running"
    stage: str = "waiting for its turn"
    total: int = 0
    decisions: list[JsonObject] = field(default_factory=list)
    problem: str = ""
    looked: float = field(default_factory=time.monotonic)

    def as_json(self) -> JsonObject:
        """Return what is known so far."""
        judgement: JsonObject = {"state": self.state, "total": self.total, "decisions": self.decisions}
        more = {"problem": self.problem, "stage": self.stage if self.state == "running" else ""}
        return judgement | {name: text for name, text in more.items() if text}


@dataclass
class JudgementDesk:
    """Values hands on request, and tells how far it is."""

    submit: Executor
    _known: dict[tuple[Path | None, str], Judgement] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self, asked: JudgementRequest) -> JsonObject:
        """Return what is known of a hand: its values, how far they are, or that nothing has been begun."""
        with self._lock:
            known = self._known.get(asked.place)
            if known is not None:
                known.looked = time.monotonic()
                return known.as_json()
        return _read(asked) or {"state": "none", "total": 0, "decisions": []}

    def begin(self, asked: JudgementRequest) -> JsonObject:
        """Begin to value a hand, unless that is going on or done."""
        found = self.look(asked)
        if found["state"] != "none":
            return found
        with self._lock:
            if asked.place not in self._known:
                while len(self._known) >= MOST_KEPT:
                    self._known.pop(next(iter(self._known)))
                self._known[asked.place] = Judgement()
                self.submit.submit(self._value, asked, self._known[asked.place])
        return self.look(asked)

    def _value(self, asked: JudgementRequest, judgement: Judgement) -> None:
        """Value the decisions of a hand until all are done or nobody looks any more."""
        try:
            judgement.total = len(asked.judge.decisions())
            if _is_waited_for(judgement):
                judgement.stage = "learning how the others play"
                judge = asked.others_known()
                judgement.stage = "valuing"
                for one in judge.judged():
                    judgement.decisions.append(one)
                    if not _is_waited_for(judgement):
                        break
            if len(judgement.decisions) == judgement.total:
                _keep(asked, judgement)
                judgement.state = "ready"
                return
        except HoldMemError as error:
            judgement.state, judgement.problem = "refused", one_line(str(error), 300)
            return
        except Exception:
            logger.exception("a hand could not be valued")
            judgement.state, judgement.problem = "refused", "the values failed; the server's log says why"
            return
        with self._lock:
            self._known.pop(asked.place, None)


def _is_waited_for(judgement: Judgement) -> bool:
    return time.monotonic() - judgement.looked < PATIENCE


def _file(asked: JudgementRequest) -> Path | None:
    return None if asked.folder is None else asked.folder / "judged" / f"{asked.key}.json"


def _read(asked: JudgementRequest) -> JsonObject | None:
    file = _file(asked)
    if file is None:
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("state") == "ready" else None


def _keep(asked: JudgementRequest, judgement: Judgement) -> None:
    """Store the values next to the file of the hand, which may have been deleted meanwhile."""
    file = _file(asked)
    if file is None or not file.parent.parent.is_dir():
        return
    with suppress(OSError, HoldMemError):
        file.parent.mkdir(mode=0o700, exist_ok=True)
        kept = {"state": "ready", "total": judgement.total, "decisions": judgement.decisions}
        write_atomically(file, json.dumps(kept, ensure_ascii=False, allow_nan=False))
