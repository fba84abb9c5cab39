"""Players that are made on the page from one's own hands: made, listed, seated, watched, deleted."""

import time

import pytest

import holdmem
from holdmem.core.random import Streams
from holdmem.engine import find_game
from holdmem.history import join
from holdmem.web import library, players
from holdmem.web.offers import MadePlayer
from holdmem.web.players import PlayerShelf
from test_web_library import HANDS, TOKEN, dropped, opened, text, told  # noqa: F401
from test_web_server import Person, table


def make(client, file, player):
    answer = client.post("/v1/players", params={"file": file, "player": player})
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


def listed(client):
    return client.get("/v1/players").json()["players"]


def made(client, number):
    """What is known of a player once it has been learned."""
    while True:
        found = next(one for one in listed(client) if one["id"] == number)
        if found["state"] in ("ready", "refused"):
            return found
        time.sleep(0.05)


def entered(client):
    client.get(f"/hands?token={TOKEN}")
    return client


def heard(person, kind):
    """The next message of a kind, or what has come instead of it."""
    while (message := person.hear())["type"] not in (kind, "error", "left"):
        pass
    return message


@pytest.fixture(scope="module")
def shop(text, tmp_path_factory):  # noqa: F811
    """A client with a file, a player made from it, and the folder where they are."""
    folder = tmp_path_factory.mktemp("players")
    with opened(folder) as client:
        file = dropped(entered(client), text)
        told(client, file)
        number = make(client, file, "simplebot")
        made(client, number)
        yield client, file, number, folder


def test_a_player_says_what_the_command_says(shop, text, tmp_path):  # noqa: F811
    client, _, number, _ = shop
    (tmp_path / "hands.txt").write_bytes(text)
    same = holdmem.imitate(tmp_path / "hands.txt", "simplebot")
    found = made(client, number)
    assert (found["state"], found["name"], found["hands"]) == ("ready", "simplebot", HANDS)
    assert found["check"] == pytest.approx(same.about["check"])
    shares = {one["title"]: one["value"] for one in found["statistics"]}
    assert shares["VPIP"] == same.statistics.share("vpip").value


def test_it_sits_down_and_several_are_watched(shop):
    client, _, number, _ = shop
    name = f"made:{number}"
    with table(client) as socket:
        person = Person(socket)
        offered = next(one for one in person.lobby["agents"] if one["name"] == name)
        assert (offered["shown"], offered["made"]) == ("simplebot (clone)", True)
        assert f"{HANDS} hands" in offered["style"]
        assert offered["betting"] == "nolimit"
        for seats in (2, 10):
            person.say(type="who", game="nolimit", seats=seats)
            assert name in heard(person, "who")["agents"]
        person.say(type="sit", opponents=[name, name], game="nolimit")
        names = {seat["player"]: seat["name"] for seat in heard(person, "state")["seats"]}
        assert names == {0: "you", 1: "simplebot (clone) 1", 2: "simplebot (clone) 2"}
        person.say(type="watch", agents=[name] * 3, game="nolimit", seed=1)
        watched = heard(person, "spectacle")["table"]["agents"]
        assert watched == [f"simplebot (clone) {place}" for place in (1, 2, 3)]


def test_a_player_of_limit_hands_is_known_for_it(tmp_path):
    agents = ["always-call", "random"]
    holdmem.record("limit", *agents, folder=tmp_path / "limit", hands=40, seed=3)
    holdmem.write_hands(tmp_path / "limit", tmp_path / "limit.txt")
    with opened(tmp_path) as client:
        file = dropped(entered(client), (tmp_path / "limit.txt").read_bytes())
        told(client, file)
        number = make(client, file, "random")
        assert made(client, number)["betting"] == "limit"
        with table(client) as socket:
            person = Person(socket)
            betting = {one["name"]: one["betting"] for one in person.lobby["agents"]}
            assert (betting[f"made:{number}"], betting["always-call"]) == ("limit", None)
            person.say(type="who", game="limit", seats=2)
            assert f"made:{number}" in heard(person, "who")["agents"]


def test_the_betting_is_that_of_most_of_the_hands(tmp_path):
    blocks = []
    for game, hands in (("limit", 3), ("nolimit", 5)):
        holdmem.record(game, "always-call", "random", folder=tmp_path / game, hands=hands, seed=3)
        blocks.append(holdmem.read_hands(tmp_path / game).collect())
    assert players.betting_of(join(blocks)) == "nolimit"
    assert players.betting_of(join([blocks[0], blocks[1][:2]])) == "limit"
    assert players.betting_of(blocks[0]) == "limit"


def test_nobody_else_can_seat_see_or_delete_it(shop):
    client, _, number, _ = shop
    kept = dict(client.cookies)
    client.cookies.delete("holdmem-session")
    entered(client)
    assert listed(client) == []
    assert client.delete(f"/v1/players/{number}").status_code == 409
    with table(client) as socket:
        person = Person(socket)
        assert not any(one["name"].startswith("made:") for one in person.lobby["agents"])
        person.say(type="sit", opponents=[f"made:{number}"], game="nolimit")
        assert "does not offer" in heard(person, "error")["message"]
    client.cookies.update(kept)


def test_names_from_outside_are_in_no_path_and_leave_one_line(shop):
    client, file, _, folder = shop
    for hostile in ("../../../../tmp/x\n<b>", "me", "x" * 400, "simplebot\0", "\u202eesrever"):
        answer = client.post("/v1/players", params={"file": file, "player": hostile})
        if answer.status_code != 200:
            assert answer.status_code == 409
            continue
        found = made(client, answer.json()["id"])
        assert found["state"] == "refused"
        assert found["problem"] == "the file has no hands of this player"
        assert found["name"].isprintable()
        assert client.delete(f"/v1/players/{found['id']}").status_code == 200
    assert client.post("/v1/players", params={"file": "0" * 16, "player": "simplebot"}).status_code == 409
    assert client.delete("/v1/players/..%2f..%2fx").status_code in (404, 405, 409)
    (home,) = folder.glob("*-files/*/players")
    assert all(len(path.name) == 16 and path.name.isalnum() for path in home.iterdir())
    assert home.stat().st_mode & 0o777 == 0o700


def test_players_survive_a_restart_and_the_deletion_of_their_file(tmp_path, text):  # noqa: F811
    with opened(tmp_path) as client:
        file = dropped(entered(client), text)
        told(client, file)
        number = make(client, file, "jagbot")
        made(client, number)
        with table(client) as socket:
            person = Person(socket)
            person.say(type="sit", opponents=[f"made:{number}"], game="nolimit")
            heard(person, "state")
        kept = client.cookies
    (home,) = tmp_path.glob("*-files/*/players")
    (home / number / "made.json").unlink()
    with opened(tmp_path) as client:
        client.cookies = kept
        assert made(client, number)["state"] == "ready"  # learned again
        client.delete(f"/v1/hands/{file}")
        with table(client) as socket:  # back at the table with it
            person = Person(socket)
            assert "jagbot (clone)" in {seat["name"] for seat in heard(person, "state")["seats"]}
        assert client.delete(f"/v1/players/{number}").status_code == 200
        assert listed(client) == []


class Later:
    """An executor that only notes what it is to do."""

    def __init__(self):
        self.jobs = []

    def submit(self, work, *values):
        self.jobs.append((work, values))


def test_who_becomes_ready_while_somebody_looks_is_not_made_again(tmp_path, monkeypatch):
    shelf, later = PlayerShelf(tmp_path), Later()
    shelf.make("somebody", {"id": "own", "name": "mine"}, "Villain", None, later)
    write = players.write_atomically

    def looked_at(path, content):
        assert shelf.listed("somebody", None, later)[0]["state"] == "learning"
        write(path, content)

    monkeypatch.setattr(players, "write_atomically", looked_at)
    monkeypatch.setattr(players, "_learned", lambda *_: {"hands": 3})
    ((work, values),) = later.jobs
    work(*values[:2], lambda: None)
    assert shelf.listed("somebody", None, later)[0]["state"] == "ready"
    assert len(later.jobs) == 1


def test_a_file_that_becomes_ready_while_somebody_looks_is_not_read_again(tmp_path, monkeypatch):
    files, later = library.HandLibrary(tmp_path), Later()
    with files.receive("somebody", "hands.txt") as incoming:
        incoming.write(b"no hands")
        number = incoming.finish()
    files.begin("somebody", number, later)
    read = library.read_object

    def ends_meanwhile(path):
        found = read(path)
        if path.name == "summary.json" and found is None:
            ((work, values),) = later.jobs
            work(*values)
        return found

    monkeypatch.setattr(library, "read_object", ends_meanwhile)
    assert files.summary("somebody", number)["state"] == "reading"
    assert files.summary("somebody", number)["state"] == "refused"


def test_a_damaged_player_is_refused_in_one_line(tmp_path):
    (tmp_path / "person.people").write_bytes(b"damaged")
    player = MadePlayer("made:x", "Villain (clone)", "", tmp_path / "person.people")
    with pytest.raises(holdmem.HoldMemError, match=r"^Villain \(clone\) cannot be read: delete it"):
        player.sit(find_game("nolimit"), 1, Streams.of(0))
