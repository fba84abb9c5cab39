"""A minimal client of the web table: it plays hands over the protocol and reports their results."""

import json
from collections.abc import Iterator
from typing import Any

from websockets.sync.client import ClientConnection, connect

from holdmem.core.errors import HoldMemError


def play_hands(address: str, hands: int) -> Iterator[str]:
    """Sit down at the default table, check or call in every hand, and yield one line per hand."""
    with connect(address) as socket:
        _say(socket, type="hello", version=2)
        lobby = _hear(socket)
        _say(socket, type="sit", game=lobby["game"], opponents=lobby["opponents"])
        for number in range(hands):
            if number:
                _say(socket, type="next")
            yield _play(socket)


def _play(socket: ClientConnection) -> str:
    while True:
        state = _hear(socket)
        if state["over"]:
            mine = next(seat for seat in state["seats"] if seat["you"])
            cards = f"{''.join(mine['cards'])} on {''.join(state['board']) or 'no board'}"
            return f"hand {state['hand'] + 1}: {cards}, {mine['net']:+g} chips, {len(state['log'])} actions"
        if state["turn"]:
            _say(socket, type="act", hand=state["hand"], action="call")


def _say(socket: ClientConnection, **message: Any) -> None:
    socket.send(json.dumps(message))


def _hear(socket: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(socket.recv(timeout=60))
    if message["type"] == "error":
        raise HoldMemError(f"the web table says: {message['message']}")
    return message
