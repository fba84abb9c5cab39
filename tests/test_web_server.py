"""The web table's server: who is let in, what is refused, and that one person is not another."""

import json
import random
import re
import sqlite3
import stat
import threading
from contextlib import closing, contextmanager, suppress

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

from holdmem.core import jit
from holdmem.core.errors import NotationError
from holdmem.engine import CALL, find_game
from holdmem.history.read import read_hands
from holdmem.web import messages
from holdmem.web.app import app
from holdmem.web.hosts import Hosts
from holdmem.web.offers import Lobby
from holdmem.web.saved_session import as_plain, hand_as_plain, restored
from holdmem.web.session import HumanTable, TableSettings
from holdmem.web.store import Store

HOST = "127.0.0.1:9"
TOKEN = "the-token-of-this-launch"
OFFER = Lobby(("always-call",), "always-raise")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "hands.sqlite")


@pytest.fixture
def client(store):
    server = app(OFFER, store, TOKEN, Hosts(9))
    with TestClient(server, base_url=f"http://{HOST}") as made:
        yield made


def admitted(client):
    """The same client, once it has opened the address of the launch."""
    assert client.get(f"/?token={TOKEN}").status_code == 200
    return client


def table(client, **headers):
    return client.websocket_connect(f"ws://{HOST}/v1/table?token={TOKEN}", headers=headers)


class Person:
    """A client that says and hears messages."""

    def __init__(self, socket, session=None, progress=False):
        self.socket, self.heard = socket, []
        self.say(type="hello", version=2, progress=progress, **({"session": session} if session else {}))
        self.lobby = self.hear()

    def say(self, **message):
        self.socket.send_text(json.dumps(message))

    def hear(self):
        self.heard.append(self.socket.receive_text())
        return json.loads(self.heard[-1])

    def sit(self, **wish):
        self.say(**({"type": "sit", "opponents": ["always-call"]} | wish))
        return self.state()

    def state(self):
        """The next state in which something is asked for or over."""
        while True:
            message = self.hear()
            if message["type"] == "progress":  # something had to be compiled
                continue
            if message["type"] == "error" or message["over"] or message["turn"]:
                return message

    def act(self, state, action="call", **more):
        self.say(type="act", hand=state["hand"], action=action, **more)
        return self.state()

    def finish(self, state):
        while not state["over"]:
            state = self.act(state)
        return state


# Who is let in


def test_without_the_token_nothing_is_given(client):
    for path in ("/", "/watch", "/results", "/page/table.js", "/v1/history.phh", "/?token=wrong"):
        assert client.get(path).status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HOST}/v1/table"):
        pass


def test_the_address_of_the_launch_lets_in_and_hides_the_token(client):
    answer = client.get(f"/?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    assert all(
        "HttpOnly" in cookie and "strict" in cookie for cookie in answer.headers.get_list("set-cookie")
    )
    for path in ("/", "/watch", "/results", "/page/table.js", "/page/style.css"):
        assert client.get(path).status_code == 200
    for path in ("/page/../server.py", "/page/server.py", "/page/%2e%2e/server.py", "/docs", "/openapi.json"):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "evil.example:9"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
    ],
)
def test_requests_under_another_name_or_from_another_page_are_refused(client, headers):
    admitted(client)
    assert client.get("/", headers=headers).status_code == 403
    assert client.delete("/v1/history", headers=headers).status_code == 403
    with pytest.raises(WebSocketDisconnect), table(client, **headers):
        pass


def test_every_answer_has_a_strict_policy(client):
    for answer in (
        client.get("/"),
        admitted(client).get("/"),
        client.get("/page/table.js"),
        client.get("/nothing"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


# Playing


def test_a_hand_is_played_kept_and_explained(client, store):
    with table(client) as socket:
        person = Person(socket)
        final = person.finish(person.sit())
        assert final["id"] == 1
        person.say(type="reasons")
        told = person.hear()
        assert told["type"] == "reasons"
        assert told["decisions"]
        person.say(type="reasons", id=final["id"])
        assert person.hear() == told
        person.say(type="history")
        assert [hand["id"] for hand in person.hear()["hands"]] == [1]
        person.say(type="summary")
        assert person.hear()["score"]["hands"] == 1
        person.say(type="advice")
        assert "your turn" in person.hear()["message"]
    assert len(store.listed(person.lobby["session"])) == 1


CARDS = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")


def cards_in(text):
    """Every card that a text names, alone or in a row of them, by letters or by suit symbols."""
    text = text.translate(dict(zip(map(ord, "♣♦♥♠"), "cdhs", strict=True)))
    return {row[place : place + 2] for row in CARDS.findall(text) for place in range(0, len(row), 2)}


def without_memory(text):
    """A message without the remembered hands in advice, whose cards are those of other hands."""
    message = json.loads(text)
    if message["type"] == "advice":
        del message["hands"]
    return json.dumps(message, ensure_ascii=False)


def test_no_byte_before_the_end_of_a_hand_names_a_card_that_is_hidden(client):
    rng = random.Random(3)
    with table(client) as socket:
        person = Person(socket)
        for _ in range(25):
            person.heard.clear()
            shown: list[str] = []  # stays empty where everybody folds before it is our turn
            state = person.sit(opponents=["sartre-2"] if rng.random() < 0.5 else ["simplebot", "random"])
            while not state["over"]:
                for asked in ("advice", "summary", "reasons", "history"):
                    person.say(type=asked)
                    person.hear()
                actions = ["call", "fold"] if state["turn"]["to_call"] else ["call"]
                actions += ["raise"] if state["turn"]["max_raise_to"] else []
                action = rng.choice(actions)
                to = {"to": state["turn"]["min_raise_to"]} if action == "raise" else {}
                shown, state = state["board"], person.act(state, action, **to)
            hidden = {card for seat in state["seats"] if not seat["you"] for card in seat["cards"]}
            before = [without_memory(text) for text in person.heard if not json.loads(text).get("over")]
            assert len(before) == len(person.heard) - 1
            assert shown == [] or set(shown) <= set().union(*map(cards_in, before))
            for text in before:
                assert not cards_in(text) & hidden
                board = json.loads(text).get("board")
                assert board is None or not cards_in(text) & set(state["board"][len(board) :])


def test_an_action_meant_for_another_decision_hand_or_table_is_refused(client):
    with table(client) as socket:
        person = Person(socket)
        state = person.sit()
        here = {"sitting": state["table"]["sitting"], "acted": len(state["log"])}
        for wrong in ({"sitting": "elsewhere"}, {"acted": here["acted"] + 1}):
            assert person.act(state, **(here | wrong))["type"] == "error"
        assert person.act({"hand": 1}, **here)["type"] == "error"
        state = person.finish(person.act(state, **here))
        here = {"type": "next", "sitting": here["sitting"], "hand": state["hand"]}
        for wrong in ({"sitting": "elsewhere"}, {"hand": 1}):
            person.say(**(here | wrong))
            assert person.state()["type"] == "error"
        person.say(**here)
        assert person.state()["hand"] == 1


def test_a_lost_connection_comes_back_to_the_same_hand(client):
    with table(client) as socket:
        person = Person(socket)
        state = person.sit()
    with table(client) as socket:
        again = Person(socket, session=person.lobby["session"])
        assert again.lobby["seated"]
        assert again.hear() == state
        assert again.act(state)["hand"] == state["hand"]


def test_nobody_can_read_or_steer_the_table_of_another(client):
    with table(client) as one, table(client) as two:
        first, second = Person(one), Person(two)
        assert first.lobby["session"] != second.lobby["session"]
        state = first.finish(first.sit())
        for message in (
            {"type": "reasons", "id": state["id"]},
            {"type": "act", "hand": 0, "action": "call"},
            {"type": "next"},
            {"type": "advice"},
        ):
            second.say(**message)
            assert second.hear()["type"] == "error"
        second.say(type="history")
        assert second.hear()["hands"] == []


def test_history_is_downloaded_and_deleted_by_its_owner_alone(client, tmp_path):
    with table(client) as socket:
        person = Person(socket)
        person.finish(person.sit())
        person.finish(person.sit(game="nolimit", opponents=["random", "always-call"], stacks=[30, 20, 10]))
    mine = {"x-holdmem-session": person.lobby["session"]}
    admitted(client)
    offered = [one["format"] for one in person.lobby["downloads"]]
    assert offered == ["acpc", "ohh", "phh", "pokerstars"]
    for kind in offered:
        answer = client.get(f"/v1/history.{kind}", headers=mine)
        assert "attachment" in answer.headers["content-disposition"]
        (tmp_path / kind).write_bytes(answer.content)
        read = read_hands(tmp_path / kind, format=kind)
        assert sum(map(len, read)) == 2
        assert read.account.skipped == 0
        assert read.account.differing == []
        theirs = client.get(f"/v1/history.{kind}", headers={"x-holdmem-session": "somebody-else-entirely"})
        assert "you" not in theirs.text
    assert client.get("/v1/history.exe", headers=mine).status_code == 404
    assert client.delete("/v1/history", headers={"x-holdmem-session": "somebody-else-entirely"}).json() == {
        "deleted": 0
    }
    assert client.delete("/v1/history", headers=mine).json() == {"deleted": 2}


@contextmanager
def launched(path, offer=OFFER):
    """A server on this file, which closes it when it ends."""
    with closing(Store(path)) as store:
        server = app(offer, store, TOKEN, Hosts(9))
        with TestClient(server, base_url=f"http://{HOST}") as client, table(client) as socket:
            yield socket


def test_a_table_outlives_the_server_in_mid_hand_and_after_it(tmp_path):
    wish = {"opponents": ["random"], "game": "nolimit", "duplicate": True}
    with launched(tmp_path / "hands.sqlite") as socket:
        person = Person(socket)
        person.finish(person.sit(**wish))
        state = playing(person)
    for _ in range(9):  # every launch plays the hand on, and begins the next
        with launched(tmp_path / "hands.sqlite") as socket:
            again = Person(socket, person.lobby["session"])
            assert again.lobby["seated"]
            assert again.hear() == state
            final = again.finish(state)
            again.say(type="reasons")
            told = again.hear()
            assert len(told["decisions"]) + len(told["advice"]) == len(final["log"])
            state = playing(again)
    assert state["score"]["hands"] == state["hand"]
    with launched(tmp_path / "hands.sqlite") as socket:
        again = Person(socket, person.lobby["session"])
        again.hear()
        again.say(type="history")
        assert [hand["hand"] for hand in again.hear()["hands"]] == [*range(state["hand"])][::-1]
        again.say(type="leave")
        assert again.hear() == {"type": "left"}
    with launched(tmp_path / "hands.sqlite") as socket:
        assert not Person(socket, person.lobby["session"]).lobby["seated"]


def playing(person):
    """Deal until a hand is our turn, and take one decision in it if that does not end it."""
    while True:
        person.say(type="next")
        state = person.state()
        if not state["over"]:
            state = person.act(state)
        if not state["over"]:
            return state


def test_a_restored_table_deals_the_cards_that_the_old_one_would_have_dealt():
    one = HumanTable(TableSettings(find_game("limit"), ("random",), "always-call", duplicate=True, seed=3))
    for _ in range(25):
        state = one.deal()[-1]
        while not state["over"]:
            state = one.act(state["hand"], CALL)[-1]
    other = restored(*json.loads(json.dumps([as_plain(one), hand_as_plain(one)])), OFFER)
    assert other.state() == one.state()
    assert other.summary() == one.summary()
    assert other.last.plain() == one.last.plain()
    for _ in range(25):
        assert one.deal() == other.deal()
        while not one.hand.over:
            assert one.act(one.hand.number, CALL) == other.act(one.hand.number, CALL)
    assert one.score.pairs == other.score.pairs != []


@pytest.mark.parametrize("column", ["state", "hand"])
@pytest.mark.parametrize("damage", ["{broken", "[]", "{}", '{"form": 99, "number": 1e9}', "null"])
def test_a_stored_table_that_is_damaged_is_left_and_another_can_be_had(tmp_path, column, damage):
    path = tmp_path / "hands.sqlite"
    with launched(path) as socket:
        person = Person(socket)
        person.sit()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE sittings SET {column} = ?", (damage,))
    with launched(path) as socket:
        again = Person(socket, person.lobby["session"])
        assert "could not be restored" in again.hear()["why"]
        assert not again.sit()["over"]


# What is kept


def test_what_is_kept_is_the_users_alone(tmp_path):
    path = tmp_path / "mine" / "hands.sqlite"
    for _ in range(2):
        with closing(Store(path)) as store:
            store.keep("somebody", {}, {})
            files = list(path.parent.iterdir())
            assert len(files) == 3  # the file and SQLite's two journals
            assert {stat.S_IMODE(one.stat().st_mode) for one in files} == {0o600}
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        path.chmod(0o644)  # as an earlier version left it


def test_a_file_whose_tables_have_no_readable_names_is_refused(tmp_path):
    Store(tmp_path / "hands.sqlite").close()
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(
        (tmp_path / "hands.sqlite").read_bytes().replace(b"tablekeyskeys", b"table\xffeyskeys")
    )
    assert damaged.read_bytes() != (tmp_path / "hands.sqlite").read_bytes()
    with pytest.raises(NotationError, match=r"damaged\.sqlite: played hands cannot be stored here"):
        Store(damaged)


def test_another_programs_file_is_not_touched(tmp_path):
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE theirs (x)")
    path.chmod(0o644)
    with pytest.raises(NotationError, match="another program's"):
        Store(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


BAD_ROWS = {
    "hand": ["{broken", "[]", "null", "", "{}", "[" * 5000],
    "game": ["{broken", "{}", '{"name": "x", "blinds": "y"}'],
    "opponents": ["{broken", "3"],
    "played": ["yesterday", 1e300],
    "net": ["much"],
}


@pytest.mark.parametrize(
    ("column", "value"), [(column, value) for column, values in BAD_ROWS.items() for value in values]
)
def test_a_damaged_row_breaks_only_itself(client, store, column, value):
    with table(client) as socket:
        person = Person(socket)
        state = person.sit()
        for _ in range(3):
            person.finish(state)
            person.say(type="next")
            state = person.state()
        damage(store, f"{column} = ?", value)
        person.say(type="history")
        hands = person.hear()["hands"]
        assert [hand for hand in hands if "damaged" in hand] == [{"id": 2, "damaged": True}]
        assert [hand["id"] for hand in hands if "damaged" not in hand] == [3, 1]
        damage(store, "reasons = ?", "{broken")
        person.say(type="reasons", id=2)
        assert "damaged" in person.hear()["message"]
        assert person.finish(state)["over"]  # the table goes on
    if column in ("hand", "game", "played"):
        mine = {"x-holdmem-session": person.lobby["session"]}
        text = admitted(client).get("/v1/history.phh", headers=mine).text
        assert text.count("variant") == 3


def damage(store, what, value):
    with closing(sqlite3.connect(store.path)) as file, file:
        file.execute(f"UPDATE hands SET {what} WHERE id = 2", (value,))


@pytest.mark.parametrize(
    "change",
    [
        {"hole": [[120, 1], [2, 3]]},
        {"hole": [[1, 1], [2, 3]]},
        {"board": [-5, 0, 0, 0, 0]},
        {"betting": [7] * 5000},
        {"betting": []},
        {"stacks": [-5, 10]},
        {"net": [1000, 1000]},
        {"names": ["you"]},
    ],
)
def test_a_hand_that_cannot_have_happened_never_leaves_the_file(client, store, change):
    with table(client) as socket:
        person = Person(socket)
        for _ in range(2):
            person.finish(person.sit())
    key = person.lobby["session"]
    ((text,),) = store._all("SELECT hand FROM hands WHERE id = 2", ())
    damage(store, "hand = ?", json.dumps(json.loads(text) | change))
    assert [hand.number for block in store.hands(key) for hand in block] == [1]
    assert store.listed(key)[0] == {"id": 2, "damaged": True}


def test_a_full_disk_is_named_and_the_table_goes_on(client, store):
    with table(client) as socket:
        person = Person(socket)
        state = person.sit()
        ((pages,),) = store._all("PRAGMA page_count", ())
        store._all(f"PRAGMA max_page_count = {pages}", ())  # SQLite then says what it says of a full disk
        failed = 0
        for _ in range(30):
            final = person.finish(state)
            if "id" not in final:
                assert "the disk is full" in person.hear()["message"]
                failed += 1
            person.say(type="next")
            state = person.state()
        assert failed
        assert state["score"]["hands"] == 30
        store._all("PRAGMA max_page_count = 1000000", ())
        state = person.act(state)
        kept = restored(*store.sitting(person.lobby["session"]), OFFER)
        assert kept.score.plain()["hands"] == 30
        assert "id" in person.finish(state)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"opponents": ["./evil.py:Bot"]}, "does not offer the agent"),
        ({"opponents": ["sartre-2:cases=/etc"]}, "does not offer the agent"),
        ({"adviser": "nobody"}, "does not offer the agent"),
        ({"game": "/etc/passwd"}, "a built-in game"),
        ({"game": "../secret.game"}, "a built-in game"),
        ({"opponents": []}, "at least 1"),
        ({"opponents": ["random"] * 10}, "at most 9"),
        ({"big_blind": 3}, "whole chips"),
        ({"stacks": [-1]}, "greater"),
        ({"stacks": [5, 5, 5]}, "one stack for all players"),
        ({"nonsense": 1}, "Extra"),
        ({"seed": 1}, "Extra"),  # who knows the seed knows the cards
    ],
)
def test_a_wish_for_what_is_not_on_offer_is_refused(client, wish, words):
    with table(client) as socket:
        person = Person(socket)
        person.say(**({"type": "sit", "opponents": ["always-call"]} | wish))
        answer = person.hear()
        assert answer["type"] == "error"
        assert words in answer["message"]
        assert not person.sit()["over"]  # the table goes on


def test_stakes_and_stacks_are_as_asked_for(client):
    with table(client) as socket:
        state = Person(socket).sit(game="nolimit", big_blind=4, stacks=[20], opponents=["always-call"] * 2)
        assert state["table"]["big_blind"] == 4
        assert {seat["stack"] + seat["paid"] for seat in state["seats"]} == {80}


def test_stacks_of_their_own_go_with_the_players(client):
    with table(client) as socket:
        person = Person(socket)
        state = person.sit(game="nolimit", stacks=[50, 20, 10], opponents=["always-call"] * 2)
        for _ in range(3):
            brought = {seat["player"]: seat["stack"] + seat["paid"] for seat in state["seats"]}
            assert brought == {0: 5000, 1: 2000, 2: 1000}
            person.finish(state)
            person.say(type="next")
            state = person.state()


# Waiting


@pytest.fixture
def slow(monkeypatch):
    """Sitting down against `random` compiles something, and waits to be let go on."""
    goes_on, begun = threading.Event(), threading.Event()
    deal = HumanTable.deal

    def wait(sitting):
        if sitting.order.opponents == ("random",):
            jit._listener.announce("agents.kernels.some_kernel")
            begun.set()
            assert goes_on.wait(60)
        return deal(sitting)

    monkeypatch.setattr(HumanTable, "deal", wait)
    yield begun, goes_on
    goes_on.set()


def test_while_one_waits_for_the_compiler_others_play_and_a_reload_waits_on(client, slow):
    begun, goes_on = slow
    with table(client) as one, table(client) as two:
        first, other = Person(one, progress=True), Person(two, progress=True)
        first.say(type="sit", opponents=["random"])
        told = first.hear()
        assert told == {"type": "progress", "compiled": 1, "kernel": "agents.kernels.some_kernel"}
        assert begun.wait(60)
        assert other.finish(other.sit())["over"]
        with table(client) as three:
            again = Person(three, session=first.lobby["session"])
            assert again.lobby["seated"]  # so it does not sit down elsewhere
            goes_on.set()
            assert again.hear()["type"] == "state"
        assert first.hear()["type"] == "state"


def test_one_who_did_not_ask_for_progress_hears_none(client, slow):
    slow[1].set()
    with table(client) as socket:
        person = Person(socket)
        person.say(type="sit", opponents=["random"])
        assert person.hear()["type"] == "state"


# Whatever is said


def test_only_protocol_1_is_spoken_and_only_after_hello(client):
    with table(client) as socket:
        for text in ("{}", '{"type": "next"}', '{"type": "hello", "version": 3}', "hello", ""):
            socket.send_text(text)
            assert json.loads(socket.receive_text())["type"] == "error"
        Person(socket)
    with table(client) as socket:
        assert answers_before_the_end(socket, "nonsense", most=100) < 50


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
TYPES = st.sampled_from(
    ["hello", "sit", "next", "act", "advice", "reasons", "summary", "history", "watch", "step", "leave"]
)


@given(
    JSON
    | st.fixed_dictionaries({"type": TYPES}, optional={"hand": JSON, "action": JSON, "to": JSON, "id": JSON})
)
@settings(max_examples=300, deadline=None)
def test_anything_that_is_not_a_message_is_an_error_and_nothing_else(value):
    with suppress(NotationError):
        assert messages.read(json.dumps(value)).type == value["type"]


def test_ten_thousand_malformed_messages_and_the_table_goes_on(client):
    rng = random.Random(7)
    with table(client) as socket:
        person = Person(socket)
        state = person.sit()
    for _ in range(50):  # a connection that talks this much is closed; it may come back
        with table(client) as socket:
            again = Person(socket, session=person.lobby["session"])
            assert again.hear() == state
            for _ in range(200):
                socket.send_text(garbage(rng, state))
                assert again.hear()["type"] == "error"
    with table(client) as socket:
        again = Person(socket, session=person.lobby["session"])
        assert again.finish(again.hear())["over"]


def garbage(rng, state):
    """Something that is no legal message in this state."""
    kind = rng.randrange(7)
    if kind == 0:
        return "".join(chr(rng.randrange(32, 0x2FFF)) for _ in range(rng.randrange(200)))
    if kind == 1:
        return "x" * 100_000
    if kind == 2:
        return "[" * rng.randrange(1, 4000)
    if kind == 3:
        return json.dumps({"type": "act", "hand": state["hand"] + rng.randrange(1, 9), "action": "call"})
    if kind == 4:
        return json.dumps(
            {
                "type": "act",
                "hand": state["hand"],
                "action": "raise",
                "to": rng.choice([None, 0, 1, 2**31 - 1]),
            }
        )
    if kind == 5:
        return json.dumps(
            {"type": "act", "hand": state["hand"], "action": rng.choice(["", "all-in", None, 3])}
        )
    return json.dumps({"type": rng.choice(["", "deal", "next", None, 7]), "hand": -1})


def test_one_who_talks_too_fast_is_cut_off(client):
    with table(client) as socket:
        Person(socket)
        assert answers_before_the_end(socket, '{"type": "history"}', most=3000) < 3000


def answers_before_the_end(socket, text, most):
    """How often this can be said until the server hangs up."""
    for count in range(most):
        try:
            socket.send_text(text)
            socket.receive_text()
        except WebSocketDisconnect:
            return count
    return most


def test_a_table_that_breaks_is_left_and_another_can_be_had(client, monkeypatch):
    with table(client) as socket:
        person = Person(socket)
        state = person.sit()
        monkeypatch.setattr("holdmem.web.session.HumanTable.act", lambda *_: 1 / 0)
        assert "failed" in person.act(state)["message"]
        monkeypatch.undo()
        assert person.sit()["turn"]
