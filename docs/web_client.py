"""Play a hand at the web table, as any program can: python docs/web_client.py ADDRESS

ADDRESS is what `holdmem play` prints, with its token.
"""

import json
import sys
from urllib.parse import urlsplit

from websockets.sync.client import connect


def play_a_hand(address: str) -> float:
    """Sit down, call every bet, and return the chips won or lost."""
    parts = urlsplit(address)
    with connect(f"ws://{parts.netloc}/v1/table?{parts.query}", open_timeout=60) as socket:

        def say(**message: object) -> None:
            socket.send(json.dumps(message))

        say(type="hello", version=2)
        lobby = json.loads(socket.recv())
        say(type="sit", game=lobby["game"], opponents=lobby["opponents"])
        while True:
            message = json.loads(socket.recv())
            if message["type"] == "error":
                raise SystemExit(message["message"])
            if message["over"]:
                (me,) = [seat for seat in message["seats"] if seat["you"]]
                print(*(entry["text"] for entry in message["log"]), sep="\n")
                return me["net"]
            if message["turn"]:
                say(type="act", hand=message["hand"], action="call")


if __name__ == "__main__":
    print(f"{play_a_hand(sys.argv[1]):+g} chips")
