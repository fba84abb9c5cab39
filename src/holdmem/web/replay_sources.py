"""Hands to replay: remembered ones, those of a file, and those of a match in the ledger."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

from holdmem.arena import Ledger, default_ledger
from holdmem.arena.units import WorkUnit, play_hands
from holdmem.cards import cards as read_cards
from holdmem.core.errors import NotationError
from holdmem.core.types import JsonObject
from holdmem.engine import CALL, FOLD, PARTS, find_game
from holdmem.history import Hands, RecordedHand
from holdmem.history.hands import UNKNOWN, Terms
from holdmem.history.hands_builder import HandsBuilder
from holdmem.history.kernels.replay import FINE
from holdmem.history.read import read_hands
from holdmem.history.replay import replay_results

MOST_OF_FILE = 20_000
"""Hands of a file that can be chosen from."""
FILES = re.compile(r"[/\\~]|\.py")
"""What a parameter that names a file contains; an agent in a file is code."""
MOST_LISTED = 500
"""Hands of a file or match that are listed with their results."""
MOST_OF_MATCH = 60
"""Hands of a match that are played again to be shown."""


@dataclass(frozen=True)
class NamedHands:
    """Hands from a file that was named on the command line."""

    name: str
    hands: Sequence[Hands]

    def __len__(self) -> int:
        return sum(len(block) for block in self.hands)

    def winners(self) -> list[JsonObject]:
        """Return who won most in each of the first hands, and how much; empty where that is unknown."""
        entries: list[JsonObject] = []
        for hand in islice((hand for block in self.hands for hand in block), MOST_LISTED):
            most, name = max(zip(hand.net or (), hand.names, strict=False), default=(0, ""))
            entries.append({"name": name, "net": most / PARTS} if name else {})
        return entries

    def find(self, number: int) -> RecordedHand:
        """Return the hand of this number, counted from 1."""
        before = 0
        for block in self.hands:
            if before < number <= before + len(block):
                return block[number - before - 1]  # type: ignore[no-any-return]
            before += len(block)
        raise NotationError(f"{self.name}: expected a hand from 1 to {before}, got {number}")


def from_file(path: Path, game: str | None = None) -> NamedHands:
    """Read the first hands of a file."""
    blocks, left = list[Hands](), MOST_OF_FILE
    for block in read_hands(path, game=game):
        blocks.append(block[:left])
        left -= len(blocks[-1])
        if left <= 0:
            break
    if not blocks:
        raise NotationError(f"{path}: no readable hands")
    return NamedHands(path.name, blocks)


def from_match(path: Path | None, design: str, offered: Sequence[str]) -> NamedHands:
    """Play the first hands of a match in the ledger again; its agents must be on offer."""
    plan = Ledger(path or default_ledger()).find(design)
    for name in plan.design.agents:
        if not _may_play(name, offered):
            raise NotationError(f"this server does not offer the agent {name[:80]!r}, which played here")
    wanted = max(1, MOST_OF_MATCH // len(plan.design.lineups))
    unit = WorkUnit(plan, 0, 1 if plan.sequential else min(wanted, plan.total), MOST_OF_MATCH)
    blocks, left = list[Hands](), MOST_OF_MATCH
    for finished, _ in islice(play_hands(unit), MOST_OF_MATCH):
        blocks.append(Hands.of(finished, plan.design.agents)[:left])
        left -= len(blocks[-1])
        if left <= 0:
            break
    return NamedHands(", ".join(plan.design.agents), blocks)


def _may_play(name: str, offered: Sequence[str]) -> bool:
    """Whether an agent is on offer, perhaps with other parameters; one that could name a file is not."""
    known, _, parameters = name.partition(":")
    return name in offered or (known in offered and not FILES.search(parameters))


def remembered(reasons: JsonObject, decision: int | None, advice: int | None, example: int) -> RecordedHand:
    """Return a hand that a case remembers, from the reasons of a hand."""
    listed, place = ("decisions", decision) if decision is not None else ("advice", advice or 0)
    try:
        return from_json(reasons[listed][place]["hands"][example]["hand"])
    except (KeyError, IndexError, TypeError, ValueError):
        raise NotationError("this hand is not among those remembered") from None


def from_json(said: Any) -> RecordedHand:
    """Return the hand that `history.describe.as_json` made values of; its game must be a built-in one."""
    game = find_game(str(said["game"]), len(said["players"]))
    hole = [read_cards(two) if two else [UNKNOWN, UNKNOWN] for two in said["hole"]]
    hand = RecordedHand(
        Terms(game, Fraction(1)),
        [str(name) for name in said["players"]],
        [int(stack) for stack in said["stacks"]],
        hole,
        read_cards(said["board"]),
        [_code(action) for action in said["actions"]],
        number=int(said["number"] or 0),
    )
    return checked(hand)


def checked(hand: RecordedHand) -> RecordedHand:
    """Return the hand if it can be played by the rules, else raise NotationError."""
    builder = HandsBuilder([""])
    builder.add(hand)
    hands = builder.take()
    if replay_results(hands).problems[0] != FINE:
        raise NotationError("this hand cannot be played by the rules")
    return hands[0]  # type: ignore[no-any-return]


def _code(action: Any) -> int:
    codes = {"folds": FOLD, "checks": CALL, "calls": CALL}
    return codes[action["verb"]] if action["verb"] in codes else int(action["to"])
