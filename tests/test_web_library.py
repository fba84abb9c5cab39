"""Files of hands that are dropped on the page: kept, read, shown, replayed, exported and deleted."""

import gzip
import io
import json
import stat
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest
from fastapi.testclient import TestClient

import holdmem
from example_review import AGAIN, example_hands, example_report, same, stored_values, unplayed
from holdmem.engine import PARTS
from holdmem.ev import SCREENING, THOROUGH, named_player
from holdmem.ev.review.run import field_model
from holdmem.ev.review.units import ReviewUnit, review_unit
from holdmem.history import join, read_hands
from holdmem.web import library_review, sessions
from holdmem.web.app import app
from holdmem.web.dashboard import Dashboard
from holdmem.web.hosts import Hosts
from holdmem.web.kept_files import write_if_there
from holdmem.web.library import HandLibrary
from holdmem.web.library_routes import EXAMPLE, EXAMPLE_REVIEW, EXAMPLE_VALUES, HERO
from holdmem.web.offers import Lobby
from holdmem.web.players import PlayerShelf
from holdmem.web.review_text import as_text, digest, review_json
from holdmem.web.store import Store

HOST, TOKEN = "127.0.0.1:9", "the-token-of-this-launch"
OFFER = Lobby(("always-call",), "always-raise")
HANDS = 60


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """Six-seat no-limit hands of our own as PokerStars text."""
    folder = tmp_path_factory.mktemp("library")
    agents = ["simplebot", "random", "always-call", "jagbot", "always-raise", "always-all-in"]
    holdmem.record("nolimit", *agents, folder=folder / "hands", hands=HANDS, seed=5)
    holdmem.write_hands(folder / "hands", folder / "hands.txt")
    return (folder / "hands.txt").read_bytes()


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def opened(folder):
    return TestClient(app(OFFER, Store(folder / "hands.sqlite"), TOKEN, Hosts(9)), base_url=f"http://{HOST}")


@pytest.fixture
def client(folder):
    with opened(folder) as made:
        assert made.get(f"/hands?token={TOKEN}").status_code == 200
        yield made


def dropped(client, content, name="hands.txt"):
    answer = client.post("/v1/hands", params={"name": name}, content=content)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def told(client, number):
    """What is known of a file once it has been read."""
    while True:
        found = next(one for one in client.get("/v1/hands").json()["files"] if one["id"] == number)
        if found["state"] in ("ready", "refused"):
            return found
        time.sleep(0.02)


def test_a_file_is_read_and_summed_up(client, text):
    found = told(client, dropped(client, text, "C:\\poker\\my hands.txt"))
    assert found["name"] == "my hands.txt"
    assert found["hands"] == HANDS
    assert found["bytes"] == len(text)
    assert {one["name"]: one["hands"] for one in found["players"]} == dict.fromkeys(
        ["simplebot", "random", "always-call", "jagbot", "always-raise", "always-all-in"], HANDS
    )
    assert sum(one["hands"] for one in found["games"]) == HANDS


def packed(text):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a/hands.txt", text)
    return archive.getvalue()


@pytest.mark.parametrize(
    ("pack", "name"), [(packed, "hands.zip"), (gzip.compress, "hands.txt.gz")], ids=["zip", "gz"]
)
def test_packed_files_are_read(client, text, pack, name):
    assert told(client, dropped(client, pack(text), name))["hands"] == HANDS


def test_the_dashboard_equals_the_public_statistics(client, text, tmp_path):
    (tmp_path / "hands.txt").write_bytes(text)
    number = dropped(client, text)
    told(client, number)
    for line in holdmem.stats(tmp_path / "hands.txt"):
        player = line.key["player"]
        found = client.get(f"/v1/hands/{number}/dashboard", params={"player": player}).json()
        assert found["hands"] == line.hands
        assert found["rate"]["mean"] == pytest.approx(line.bb_per_100().mean)
        assert found["curve"]["won"]["bankroll"][-1] == pytest.approx(line.bb_per_100().mean * HANDS / 100)
        shares = {one["name"]: one["value"] for one in found["statistics"]}
        assert shares["vpip"] == line.share("vpip").value
        assert sum(one["hands"] for one in found["positions"]) == HANDS


def test_the_list_has_every_hand_once_in_each_order(client, text, tmp_path):
    (tmp_path / "hands.txt").write_bytes(text)
    hands = join(list(read_hands(tmp_path / "hands.txt")))
    number = dropped(client, text)
    told(client, number)
    for order in ("played", "won", "lost", "pot"):
        pages = [
            client.get(
                f"/v1/hands/{number}/list",
                params={"player": "random", "order": order, "start": start, "count": 25},
            ).json()
            for start in (0, 25, 50)
        ]
        listed = [hand for page in pages for hand in page["hands"]]
        assert {page["total"] for page in pages} == {HANDS}
        assert sorted(hand["place"] for hand in listed) == list(range(1, HANDS + 1))
        results = [hand["bb"] for hand in listed]
        if order in ("won", "lost"):
            assert results == sorted(results, reverse=order == "won")
        for hand in listed:
            recorded = hands[hand["place"] - 1]
            net = recorded.net[recorded.names.index("random")] / PARTS / recorded.terms.game.big_blind
            assert hand["bb"] == pytest.approx(net, abs=0.006)
            assert hand["number"] == str(recorded.number)


def test_a_listed_hand_is_replayed_and_exported(client, text):
    number = dropped(client, text)
    told(client, number)
    answer = client.get("/v1/hand.phh", params={"upload": number, "number": 3})
    assert answer.status_code == 200
    assert "variant" in answer.text
    beyond = client.get("/v1/hand.phh", params={"upload": number, "number": HANDS + 1})
    assert beyond.status_code == 409
    assert "from 1 to 60" in beyond.text
    whole = client.get(f"/v1/hands/{number}/export.pokerstars")
    assert whole.text.count("PokerStars Hand #") == HANDS


def test_files_survive_a_restart_and_are_deleted_on_request(folder, text):
    with opened(folder) as client:
        client.get(f"/hands?token={TOKEN}")
        number = dropped(client, text)
        told(client, number)
        kept = client.cookies
    with opened(folder) as client:
        client.cookies = kept
        assert told(client, number)["hands"] == HANDS
        assert client.delete(f"/v1/hands/{number}").status_code == 200
        assert client.get("/v1/hands").json()["files"] == []
        assert client.get(f"/v1/hands/{number}/dashboard").status_code == 409
    assert not list((folder / "hands-files").glob(f"*/{number}*"))


def test_a_reading_that_was_interrupted_begins_again(folder, text):
    with opened(folder) as client:
        client.get(f"/hands?token={TOKEN}")
        number = dropped(client, text)
        told(client, number)
        kept = client.cookies
        (home,) = (folder / "hands-files").glob("*")
        (home / number / "summary.json").unlink()
    with opened(folder) as client:
        client.cookies = kept
        assert told(client, number)["hands"] == HANDS


def test_nobody_sees_the_files_of_others(folder, text):
    with opened(folder) as client:
        client.get(f"/hands?token={TOKEN}")
        number = dropped(client, text)
        told(client, number)
        client.cookies.delete("holdmem-session")
        client.get(f"/hands?token={TOKEN}")
        assert client.get("/v1/hands").json()["files"] == []
        for address in (f"{number}/dashboard", f"{number}/list", f"{number}/export.phh"):
            assert client.get(f"/v1/hands/{address}").status_code == 409
        assert client.delete(f"/v1/hands/{number}").status_code == 409
        assert client.get("/v1/hand.phh", params={"upload": number}).status_code == 409


@pytest.mark.parametrize(
    "content",
    [
        b"nothing of poker",
        bytes(range(256)) * 40,
        b"PK\x03\x04" + bytes(100),
        b"\x1f\x8b" + bytes(50),
        b"{" * 5000,
    ],
    ids=["words", "bytes", "broken zip", "broken gz", "braces"],
)
def test_a_hostile_file_leaves_one_line(client, folder, content):
    found = told(client, dropped(client, content, "../../../etc/passwd"))
    assert found["state"] == "refused"
    assert found["name"] == "passwd"
    assert found["problem"]
    assert "\n" not in found["problem"]
    assert str(folder) not in found["problem"]


def test_sizes_and_names_are_limited(folder, text):
    library = HandLibrary(folder / "files", largest=1000)
    with pytest.raises(holdmem.HoldMemError, match="larger"), library.receive("someone", "a") as incoming:
        incoming.write(text)
    assert not list((folder / "files").glob("*/*"))
    with pytest.raises(holdmem.HoldMemError, match="no such file"):
        library.hands("someone", "../../../../etc")
    (home,) = (folder / "files").glob("*")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_an_empty_file_is_refused(client):
    answer = client.post("/v1/hands", params={"name": "empty"}, content=b"")
    assert answer.status_code == 409
    assert "empty" in answer.text


def test_strangers_are_refused(folder, text):
    with opened(folder) as client:
        assert client.post("/v1/hands", content=text).status_code == 403
        client.get(f"/hands?token={TOKEN}")
        headers = {"Origin": "http://elsewhere.example"}
        assert client.post("/v1/hands", content=text, headers=headers).status_code == 403


def test_hands_without_results_count_in_no_winnings(text, tmp_path):
    (tmp_path / "hands.txt").write_bytes(text)
    hands = join(list(read_hands(tmp_path / "hands.txt")))
    hands.rows["scored"][:10] = 0
    hands.rows["hole"][:10] = -1
    found = Dashboard("random", hands).as_json()
    assert found["hands"] == HANDS
    assert found["unknown"] + found["curve"]["hands"] == HANDS
    assert np.isfinite(found["curve"]["won"]["bankroll"]).all()


def test_the_shipped_review_is_of_the_shipped_example(client):
    packed = EXAMPLE.read_bytes()
    shipped = json.loads(EXAMPLE_REVIEW.read_text(encoding="utf-8"))
    assert shipped["of"] == digest(packed)
    number = client.post("/v1/hands/example").json()["id"]
    found = told(client, number)
    assert (found["hero"], found["hands"]) == (shipped["player"], shipped["hands"])
    review = client.get(f"/v1/hands/{number}/review").json()
    assert review == shipped
    for leak in review["leaks"]:
        assert leak["cost"]["ci95"][0] > 0
        for hand in leak["examples"]:
            assert client.get("/v1/hand.phh", params={"upload": number, "number": hand["place"]}).text.count(
                hand["number"]
            )


def test_the_shipped_review_is_what_its_values_say():
    """Standard errors, tests for leaks, words and statistics are those of the present code."""
    hands = example_hands()
    shipped = json.loads(EXAMPLE_REVIEW.read_text(encoding="utf-8"))
    found = json.loads(as_text(review_json(example_report(hands, tuple(shipped["other_models"])), hands)))
    same(unplayed(found | {"of": shipped["of"]}), unplayed(shipped))


def test_the_shipped_values_are_those_of_the_present_models():
    """Some decisions are valued again; all of them take minutes."""
    hands, shipped = example_hands(), stored_values()
    reference, others = named_player("population"), field_model(hands, HERO)
    for place in valued_again(shipped):
        hand, action = int(shipped["hand"][place]), int(shipped["action"][place])
        again = bool(shipped["again"][place])
        unit = ReviewUnit(
            number=0,
            first=hand,
            hands=hands[hand : hand + 1].packed(),
            player=HERO,
            reference=reference,
            others=others,
            precision=THOROUGH if again else SCREENING,
            seed=0,
            only=frozenset([(hand, action)]),
            purpose="review again" if again else ReviewUnit.purpose,
        )
        found = review_unit(unit)
        for name in ("codes", "taken", "best", "samples", "values", "errors", "cost", "loss", "loss_error"):
            wanted = shipped[name][place]
            assert np.allclose(found[name][0], wanted, rtol=1e-4, atol=1e-4, equal_nan=True), (name, AGAIN)


def valued_again(shipped):
    """Places of a few decisions of every street, and of two that were valued more precisely."""
    screened, precise = (np.flatnonzero(shipped["again"] == again) for again in (0, 1))
    return [*screened[:: len(screened) // 12].tolist(), *precise[:: len(precise) // 2].tolist()]


def test_the_example_shows_the_value_of_its_decisions_at_once(client):
    number = client.post("/v1/hands/example").json()["id"]
    told(client, number)
    shipped = json.loads(EXAMPLE_REVIEW.read_text(encoding="utf-8"))
    example = shipped["leaks"][0]["examples"][0]
    where = {"upload": number, "number": example["place"], "player": HERO}
    stored = client.get("/v1/judgement", params=where).json()["stored"]
    (one,) = (one for one in stored if one["step"] == example["step"])
    assert len(one["actions"]) >= 2
    assert all(action["error"] is not None for action in one["actions"])
    assert EXAMPLE_VALUES.stat().st_size < 500_000


def test_a_review_is_made_in_the_background_and_kept(client, text):
    number = dropped(client, text)
    told(client, number)
    address, who = f"/v1/hands/{number}/review", {"player": "simplebot"}
    assert client.get(address, params=who).json() == {"state": "none"}
    client.post(address, params=who)
    while (found := client.get(address, params=who).json())["state"] == "running":
        time.sleep(0.05)
    assert found["state"] == "ready", found
    assert (found["player"], found["hands"]) == ("simplebot", HANDS)


@pytest.fixture
def gate(monkeypatch):
    """Reviews of few samples that get no further than their first estimates until this is set."""
    opened = threading.Event()

    def held(*hands, progress, **how):
        def hold(done, total):
            opened.wait()
            progress(done, total)

        return holdmem.find_leaks(*hands, progress=hold, samples=16, again=0, **how)

    monkeypatch.setattr(library_review, "find_leaks", held)
    yield opened
    opened.set()


def reviewed(client, number, player):
    """The review of a player once it is over."""
    while True:
        found = client.get(f"/v1/hands/{number}/review", params={"player": player}).json()
        if found["state"] != "running":
            return found
        time.sleep(0.02)


def test_first_estimates_are_there_before_the_rest(client, text, gate):
    number = dropped(client, text)
    told(client, number)
    address, who = f"/v1/hands/{number}/review", {"player": "simplebot"}
    client.post(address, params=who)
    while (running := client.get(address, params=who).json())["first"] is None:
        time.sleep(0.02)
    gate.set()
    whole = reviewed(client, number, "simplebot")
    assert (running["state"], whole["state"]) == ("running", "ready")
    assert running["begun"]
    assert running["first"]["decisions"] == whole["decisions"] > 0
    assert running["first"]["samples"] > 0
    assert running["first"]["tables"].keys() == whole["tables"].keys()


def test_a_stopped_review_leaves_nothing_and_begins_again_on_request(client, text, gate):
    number = dropped(client, text)
    told(client, number)
    address, who = f"/v1/hands/{number}/review", {"player": "simplebot"}
    assert client.post(address, params=who).json()["state"] == "running"
    assert client.delete(address, params=who).json() == {"state": "stopped"}
    gate.set()
    client.post(address, params={"player": "random"})
    assert reviewed(client, number, "random")["state"] == "ready"  # so the one before has come to its end
    assert client.get(address, params=who).json() == {"state": "stopped"}
    client.post(address, params=who)
    assert reviewed(client, number, "simplebot")["state"] == "ready"
    client.delete(address, params=who)  # there is nothing to stop
    assert client.get(address, params=who).json()["state"] == "ready"


def test_deleting_a_file_stops_its_review(client, folder, text, gate):
    number, other = dropped(client, text), dropped(client, text)
    told(client, number), told(client, other)
    client.post(f"/v1/hands/{number}/review", params={"player": "simplebot"})
    assert client.delete(f"/v1/hands/{number}").status_code == 200
    gate.set()
    client.post(f"/v1/hands/{other}/review", params={"player": "random"})
    assert reviewed(client, other, "random")["state"] == "ready"
    assert not list((folder / "hands-files").glob(f"*/{number}*"))


def test_a_review_that_the_end_of_the_server_interrupted_can_begin_again(folder, text, gate):
    with opened(folder) as client:
        client.get(f"/hands?token={TOKEN}")
        number = dropped(client, text)
        told(client, number)
        client.post(f"/v1/hands/{number}/review", params={"player": "simplebot"})
        kept = client.cookies
    gate.set()
    with opened(folder) as client:
        client.cookies = kept
        address, who = f"/v1/hands/{number}/review", {"player": "simplebot"}
        assert client.get(address, params=who).json() == {"state": "none"}


def test_a_review_that_cannot_be_made_says_why(client, text):
    number = dropped(client, text)
    told(client, number)
    client.post(f"/v1/hands/{number}/review", params={"player": "nobody"})
    while (found := client.get(f"/v1/hands/{number}/review", params={"player": "nobody"}).json())[
        "state"
    ] == "running":
        time.sleep(0.05)
    assert found["state"] == "refused"
    assert "nobody" in found["problem"]


def test_all_folders_are_closed_to_other_users(tmp_path):
    """Whichever is made first, and also those that an earlier version has left open."""
    root = tmp_path / "files"
    root.mkdir(mode=0o755)
    files = HandLibrary(root)
    own = files.folder_of("somebody", "own")
    with files.receive("somebody", "hands.txt") as incoming:
        incoming.write(b"hands")
        number = incoming.finish()
    shelf = PlayerShelf(tmp_path / "more" / "files")
    shelf.make("somebody", {"id": "own", "name": "mine"}, "Villain", None, SimpleNamespace(submit=print))
    made = [root, own.parent, own, files.folder_of("somebody", number), *shelf.folder.glob("**/")]
    assert len(made) == 8
    assert {stat.S_IMODE(one.stat().st_mode) for one in made} == {0o700}


def test_a_file_whose_reading_fails_unexpectedly_is_refused_and_not_read_again(client, text, monkeypatch):
    def fails(*_):
        raise RuntimeError

    monkeypatch.setattr("holdmem.web.library.read_file", fails)
    found = told(client, dropped(client, text))
    assert (found["state"], "log says why" in found["problem"]) == ("refused", True)


def test_two_requests_at_once_find_the_same_session(tmp_path, monkeypatch):
    both, new = threading.Barrier(2), sessions.SessionRegistry._new

    def slowly(registry, key):
        with suppress(threading.BrokenBarrierError):
            both.wait(timeout=0.2)  # as long as it would take the other to come here, too
        return new(registry, key)

    monkeypatch.setattr(sessions.SessionRegistry, "_new", slowly)
    store = Store(tmp_path / "hands.sqlite")
    registry = sessions.SessionRegistry(OFFER, store, HandLibrary(tmp_path / "files"))
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(registry.find, ["the-key-of-a-session"] * 2)
    assert one is other
    store.close()


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path):
    (tmp_path / "there").mkdir()
    write_if_there(tmp_path / "there", b"content")  # a folder is in the way
    write_if_there(tmp_path / "gone" / "file", b"content")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
