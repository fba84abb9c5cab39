"""Client messages of protocol version 2; docs/protocol.md describes it with examples.

Messages are validated here and nowhere else: any other message is answered with an error.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from holdmem.core.errors import NotationError

VERSION = 2
LARGEST = 4096
"""Maximum size of a message in bytes."""

Name = Annotated[str, Field(min_length=1, max_length=200)]
GameFormat = Literal["cash", "match", "sit-and-go"]
StackDepth = Annotated[int, Field(ge=1, le=10_000)]
ProtocolInt = Annotated[int, Field(ge=0, lt=2**31)]


class Message(BaseModel):
    """Base class of all messages; unknown fields are rejected."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class Hello(Message):
    """The first message: the client's protocol version, and the session to resume, if any.

    With `progress`, the client receives reports on compilation while it waits for an answer.
    """

    type: Literal["hello"]
    version: int
    session: Annotated[str, Field(max_length=100)] | None = None
    progress: bool = False


class Sit(Message):
    """Open a new table and sit down at it. Stacks are in big blinds."""

    type: Literal["sit"]
    opponents: Annotated[list[Name], Field(min_length=1, max_length=9)]
    game: Name = "limit"
    big_blind: Annotated[int, Field(ge=2, le=10_000)] | None = None
    stacks: Annotated[list[StackDepth], Field(min_length=1, max_length=10)] | None = None
    adviser: Name | None = None
    duplicate: bool = False
    format: GameFormat = "cash"


class Who(Message):
    """Ask which agents can play at such a table. Stacks are in big blinds."""

    type: Literal["who"]
    game: Name = "limit"
    seats: Annotated[int, Field(ge=2, le=10)] = 2
    big_blind: Annotated[int, Field(ge=2, le=10_000)] | None = None
    stacks: Annotated[list[StackDepth], Field(min_length=1, max_length=10)] | None = None
    format: GameFormat = "cash"


class Next(Message):
    """Deal the next hand, after this one if it is named."""

    type: Literal["next"]
    hand: ProtocolInt | None = None
    sitting: Annotated[str, Field(max_length=100)] | None = None


class Act(Message):
    """Act in this hand; `to` is the total of a raise.

    With `sitting`, and `acted`, the number of actions before it, it is refused anywhere else.
    """

    type: Literal["act"]
    hand: ProtocolInt
    action: Literal["fold", "call", "raise"]
    to: ProtocolInt | None = None
    acted: ProtocolInt | None = None
    sitting: Annotated[str, Field(max_length=100)] | None = None


class Advice(Message):
    """Ask what the adviser would do now."""

    type: Literal["advice"]


class Reasons(Message):
    """Ask for the reasons of all decisions in the last hand, or in the hand of this id in the history."""

    type: Literal["reasons"]
    id: ProtocolInt | None = None


class Summary(Message):
    """Ask for the result so far."""

    type: Literal["summary"]


class History(Message):
    """Ask for the latest hands, or for those before the hand of this id."""

    type: Literal["history"]
    before: ProtocolInt | None = None


class Leave(Message):
    """Leave the table."""

    type: Literal["leave"]


class Watch(Message):
    """Open a table of agents only, to watch. The stack is in big blinds."""

    type: Literal["watch"]
    agents: Annotated[list[Name], Field(min_length=2, max_length=10)]
    game: Name = "limit"
    stack: StackDepth | None = None
    seed: ProtocolInt | None = None


class Step(Message):
    """Advance the watched table by one action, or by this many hands."""

    type: Literal["step"]
    hands: Annotated[int, Field(ge=0, le=1000)] = 0


class HandReference(Message):
    """A hand: one's own by its id, a watched one or one of a file by its number, or one of a match or upload.

    With `decision` or `advice`, and `example`: a hand that the memory behind that decision of one's own hand
    consists of.
    """

    own: ProtocolInt | None = None
    watched: ProtocolInt | None = None
    file: ProtocolInt | None = None
    match: Annotated[str, Field(pattern=r"^[0-9a-f]{6,64}$")] | None = None
    upload: Annotated[str, Field(pattern=r"^[a-z0-9]{16}$")] | None = None
    number: ProtocolInt = 1
    decision: ProtocolInt | None = None
    advice: ProtocolInt | None = None
    example: ProtocolInt | None = None


class Replay(HandReference):
    """Ask for a hand as a sequence of states."""

    type: Literal["replay"]


class Shelf(Message):
    """Ask which hands of the file named on the command line, or of a match, can be replayed."""

    type: Literal["shelf"]
    match: Annotated[str, Field(pattern=r"^[0-9a-f]{6,64}$")] | None = None


AnyMessage = (
    Hello | Sit | Who | Next | Act | Advice | Reasons | Summary | History | Leave | Watch | Step
    | Replay | Shelf
)  # fmt: skip

_READER: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="type")])


def read(text: str) -> AnyMessage:
    """Parse and validate a client's message."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "message"
        raise NotationError(f"expected a message of protocol {VERSION}; {where}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise NotationError(f"expected a message of protocol {VERSION} as JSON") from None


def hand_reference(values: dict[str, str]) -> HandReference:
    """Return the hand that the parameters of an address refer to."""
    try:
        return HandReference.model_validate(values, strict=False)
    except ValidationError:
        raise NotationError("expected the address of a hand, such as own=12") from None
