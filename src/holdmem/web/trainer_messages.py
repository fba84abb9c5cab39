"""What may be asked of the trainer; anything else is answered with one clear line."""

from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from holdmem.core.errors import NotationError
from holdmem.web.trainer_sources import MEMORIES, ChosenSituation

LARGEST = 4096
"""Bytes of a request that are accepted."""
Position = Literal["SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "LJ", "HJ", "CO", "BTN"]
Small = Annotated[int, Field(ge=0, lt=2**31)]


class _Wish(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class LeakWish(_Wish):
    """A deck of a reviewed player's decisions: one leak, all of them, or the dearest decisions."""

    kind: Literal["leak"]
    file: Annotated[str, Field(pattern=r"^(own|[a-z0-9]{16})$")]
    leak: Annotated[str, Field(min_length=1, max_length=200)]
    player: Annotated[str, Field(min_length=1, max_length=300)] | None = None

    @property
    def title(self) -> str:
        """What the deck is called while it is being made."""
        return f"{self.leak[:1].upper()}{self.leak[1:]}"


class MemoryWish(_Wish):
    """A deck of the commonest decisions of a shipped memory."""

    kind: Literal["memory"]
    memory: Literal["sartre-2", "sartre-1", "imitator-eqm-nl", "casper"]

    @property
    def title(self) -> str:
        """What the deck is called while it is being made."""
        return MEMORIES[self.memory][0]


class SituationWish(_Wish):
    """A deck of a chosen situation."""

    kind: Literal["situation"]
    betting: Literal["limit", "nolimit"]
    seats: Annotated[int, Field(ge=2, le=10)]
    street: Annotated[int, Field(ge=0, le=3)]
    position: Position | None = None
    facing: Annotated[int, Field(ge=0, le=3)] | None = None
    seed: Small = 0

    @property
    def situation(self) -> ChosenSituation:
        """The situation as a value."""
        return ChosenSituation(
            self.betting == "limit", self.seats, self.street, self.position, self.facing, self.seed
        )

    @property
    def title(self) -> str:
        """What the deck is called while it is being made."""
        return self.situation.words


class AnswerWish(_Wish):
    """An answer: to which spot, after how many answers, and the action."""

    spot: Small
    turn: Small
    code: Annotated[int, Field(ge=-1, lt=2**31)]


DeckWish = LeakWish | MemoryWish | SituationWish
_DECKS: TypeAdapter[DeckWish] = TypeAdapter(Annotated[DeckWish, Field(discriminator="kind")])
_ANSWERS: TypeAdapter[AnswerWish] = TypeAdapter(AnswerWish)
Wish = TypeVar("Wish")


def read_deck(text: bytes) -> DeckWish:
    """Read a wish for a deck."""
    return _read(_DECKS, text, "a deck")


def read_answer(text: bytes) -> AnswerWish:
    """Read an answer."""
    return _read(_ANSWERS, text, "an answer")


def _read(reader: TypeAdapter[Wish], text: bytes, what: str) -> Wish:
    try:
        return reader.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "request"
        raise NotationError(f"expected {what}; {where}: {first['msg']}"[:300]) from None
    except (ValueError, RecursionError):
        raise NotationError(f"expected {what} as JSON") from None
