"""What a client may say: version 1 of the protocol. docs/protocol.md describes it with examples.

Messages are checked here, and nowhere else: anything that is not one of these is answered by an error.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from holdmem.errors import NotationError

VERSION = 1
LARGEST = 4096
"""Bytes that one message may have."""

Name = Annotated[str, Field(min_length=1, max_length=200)]
Stack = Annotated[int, Field(ge=1, le=10_000)]
Number = Annotated[int, Field(ge=0, lt=2**31)]


class Message(BaseModel):
    """Any message: nothing but the fields that it has a use for."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Hello(Message):
    """The first message: which protocol the client speaks, and the session it comes back to, if any.

    With `progress` it is told how compiling goes while it waits for an answer.
    """

    type: Literal["hello"]
    version: int
    session: Annotated[str, Field(max_length=100)] | None = None
    progress: bool = False


class Sit(Message):
    """A new table."""

    type: Literal["sit"]
    opponents: Annotated[list[Name], Field(min_length=1, max_length=9)]
    game: Name = "limit"
    big_blind: Annotated[int, Field(ge=2, le=10_000)] | None = None
    stacks: Annotated[list[Stack], Field(min_length=1, max_length=10)] | None = None
    adviser: Name | None = None
    duplicate: bool = False


class Who(Message):
    """Which agents can sit down at such a table?"""

    type: Literal["who"]
    game: Name = "limit"
    seats: Annotated[int, Field(ge=2, le=10)] = 2
    big_blind: Annotated[int, Field(ge=2, le=10_000)] | None = None
    stacks: Annotated[list[Stack], Field(min_length=1, max_length=10)] | None = None


class Next(Message):
    """Deal the next hand."""

    type: Literal["next"]


class Act(Message):
    """A decision in this hand."""

    type: Literal["act"]
    hand: Number
    action: Literal["fold", "call", "raise"]
    to: Number | None = None


class Advice(Message):
    """What would the adviser do now?"""

    type: Literal["advice"]


class Reasons(Message):
    """Why did they act so in the hand that is over, or in an earlier one by its number in the history?"""

    type: Literal["reasons"]
    id: Number | None = None


class Summary(Message):
    """How is it going?"""

    type: Literal["summary"]


class History(Message):
    """The latest hands, or those before one."""

    type: Literal["history"]
    before: Number | None = None


class Leave(Message):
    """Stand up from the table."""

    type: Literal["leave"]


class Watch(Message):
    """A table of agents alone, to look at."""

    type: Literal["watch"]
    agents: Annotated[list[Name], Field(min_length=2, max_length=10)]
    game: Name = "limit"
    stack: Stack | None = None
    seed: Number | None = None


class Step(Message):
    """The next action at the table that is watched, or that many whole hands."""

    type: Literal["step"]
    hands: Annotated[int, Field(ge=0, le=1000)] = 0


AnyMessage = Hello | Sit | Who | Next | Act | Advice | Reasons | Summary | History | Leave | Watch | Step

_READER: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="type")])


def read(text: str) -> AnyMessage:
    """The message that a client sent."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "message"
        raise NotationError(f"expected a message of protocol {VERSION}; {where}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise NotationError(f"expected a message of protocol {VERSION} as JSON") from None
