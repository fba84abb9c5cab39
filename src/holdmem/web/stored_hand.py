"""Convert hands to stored text and back; a row is validated before anything else uses it."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from holdmem.core.errors import HoldMemError, NotationError
from holdmem.history import Hands, HandsBuilder, RecordedHand, Terms, replay_results
from holdmem.history.formats.parquet import game_of
from holdmem.history.kernels.replay import FINE

HandRow = tuple[Any, Any, Any, Any]
"""Id, time, game and hand, as stored in the file."""

CardNumber = Annotated[int, Field(ge=0, lt=52)]
Chips = Annotated[int, Field(ge=0, lt=2**31)]
Action = Annotated[int, Field(ge=-1, lt=2**31)]
Parts = Annotated[int, Field(gt=-(2**53), lt=2**53)]
Seats: Any = Field(min_length=2, max_length=10)


class HandSchema(BaseModel):
    """Schema of a stored hand; whether the hand is possible is checked by replaying it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    names: Annotated[list[Annotated[str, Field(max_length=300)]], Seats]
    stacks: Annotated[list[Chips], Seats]
    hole: Annotated[list[Annotated[list[CardNumber], Field(min_length=2, max_length=2)]], Seats]
    board: Annotated[list[CardNumber], Field(max_length=5)]
    betting: Annotated[list[Action], Field(max_length=10_000)]
    net: Annotated[list[Parts], Seats]
    rake: Literal[0]
    number: Annotated[int, Field(ge=-1, lt=2**53)]
    table: str
    time: Annotated[int, Field(ge=-1, lt=2**53)]
    line: Annotated[int, Field(ge=-1, lt=2**31)]
    site: Literal[""] = ""
    second: Annotated[list[CardNumber], Field(max_length=0)] = []
    inferred: Literal[False] = False


def as_text(hand: RecordedHand) -> str:
    """Return a recorded hand as JSON, without its game."""
    said = hand._asdict()
    del said["terms"]
    return json.dumps(said)


def valid_hands(rows: Sequence[HandRow], where: str) -> tuple[Hands, list[bool]]:
    """Return the hands whose replay gives their recorded result, and whether each row is one of them."""
    builder, places = HandsBuilder([where]), []
    for place, row in enumerate(rows):
        hand = _recorded(row, where)
        if hand is not None:
            builder.add(hand)
            places.append(place)
    hands = builder.take()
    found = replay_results(hands)
    fine = (found.problems == FINE) & found.settled & (found.net == hands.rows["net"]).all(axis=1)
    good = np.array(places, dtype=np.int64)[fine]
    return hands[np.flatnonzero(fine)], np.isin(np.arange(len(rows)), good).tolist()


def _recorded(row: HandRow, where: str) -> RecordedHand | None:
    """Return the hand of a row, or None if it cannot be read."""
    number, played, game_said, text = row
    try:
        game = game_of(game_said, where)
        said = HandSchema.model_validate(json.loads(text) | {"number": number, "time": int(played)})
        if {len(said.names), len(said.stacks), len(said.hole), len(said.net)} != {game.seats}:
            raise NotationError(f"{where}: expected {game.seats} seats")
        return RecordedHand(Terms(game, Fraction(1)), **dict(said))
    except (HoldMemError, ValueError, TypeError, ArithmeticError, RecursionError):
        return None


def listed(row: tuple[Any, ...], fine: bool) -> dict[str, Any]:
    """Return a row as an entry of the history."""
    number, played, game, hand, sitting, opponents, net = row
    names = _read(opponents)
    if not fine or not isinstance(names, list) or not isinstance(net, float):
        return {"id": number, "damaged": True}
    return {
        "id": number,
        "sitting": str(sitting),
        "played": played,
        "game": str(json.loads(game)["name"]),
        "opponents": [str(name) for name in names],
        "hand": json.loads(hand)["number"],
        "net": net,
    }


def json_object(text: Any) -> dict[str, Any] | None:
    """Parse a text as a JSON object; None if it is not one."""
    found = _read(text)
    return found if isinstance(found, dict) else None


def known_reasons(found: dict[str, Any]) -> dict[str, Any]:
    """Return stored reasons without the decisions that an earlier version explained in other fields."""
    for name in ("decisions", "advice"):
        value = found.get(name)
        kept = value if isinstance(value, list) else []
        found[name] = [one for one in kept if isinstance(one, dict) and "reasons" in one]
    return found


def _read(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
