"""Files that mean harm, or are none of ours: each leaves one clear line, and the server as it was.

Nothing of a file is executed, nothing is written outside its folder, and no request ends in a traceback.
"""

import errno
import gzip
import io
import json
import logging
import socket
import stat
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import numpy as np
import pytest

import holdmem
from holdmem.core.atomic import storage_errors, write_atomically
from holdmem.core.errors import HoldMemError
from holdmem.web import library
from holdmem.web.kept_files import one_line
from holdmem.web.launch import WebServer
from test_web_library import HANDS, OFFER, client, dropped, folder, opened, packed, text, told  # noqa: F401

NOISE = np.random.default_rng(1).bytes(20_000)
FIVE = (Path(__file__).parents[1] / "docs" / "examples" / "pokerstars.txt").read_bytes()
UNKNOWN = "no hands of a known kind"


def zipped(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return content.getvalue()


def encrypted(text):  # noqa: F811
    """An archive whose only member is marked as encrypted, in its own header and in the directory."""
    content = bytearray(packed(text))
    for place in (6, content.rfind(b"PK\x01\x02") + 8):
        content[place] |= 1
    return bytes(content)


def lone_surrogates(tmp_path, text):  # noqa: F811
    """Open Hand History with names that no encoding has."""
    (tmp_path / "a.txt").write_bytes(text)
    holdmem.write_hands(tmp_path / "a.txt", tmp_path / "a.ohh")
    return (tmp_path / "a.ohh").read_bytes().replace(b'"simplebot"', rb'"simple\ud800bot"')


REFUSED = {
    "noise": (lambda hands: NOISE, "a.txt", UNKNOWN),
    "half a zip": (lambda hands: zipped(a=hands)[:3000], "a.zip", UNKNOWN),
    "encrypted": (encrypted, "a.zip", "encrypted"),
    "zip in zip": (lambda hands: zipped(a=zipped(a=hands)), "a.zip", UNKNOWN),
    "zip of nothing": (lambda hands: zipped(), "a.zip", "contains no files"),
    "bomb": (lambda hands: zipped(bomb=bytes(3 << 20)), "a.zip", "unpacks to more than"),
    "bomb in pieces": (lambda hands: zipped(**{f"{n}": bytes(1 << 19) for n in range(9)}), "a.zip", UNKNOWN),
    "gz bomb": (lambda hands: gzip.compress(bytes(3 << 20)), "a.gz", "contains no files"),
    "half a gz": (lambda hands: gzip.compress(NOISE)[:500], "a.gz", "to its end"),
    "7z": (lambda hands: b"7z\xbc\xaf\x27\x1c" + NOISE, "a.7z", UNKNOWN),
    "rar": (lambda hands: b"Rar!\x1a\x07\x01\x00" + NOISE, "a.rar", UNKNOWN),
    "UTF-16 without mark": (lambda hands: hands.decode().encode("utf-16-le"), "a.txt", UNKNOWN),
    "long line": (lambda hands: b"PokerStars Hand #1: " + b"(" * 300_000, "a.txt", "none of its hands"),
    "long line of a gz": (lambda hands: gzip.compress(b"x" * 3_000_000), "a.gz", UNKNOWN),
    "endless line": (lambda hands: b"PokerStars Hand #1: " + b"(" * (18 << 20), "a.txt", "line of over"),
    "endless line of a site": (
        lambda hands: b"Winamax Poker - " + b"(" * (2 << 20),
        "a.txt",
        "none of its hands",
    ),
    "endless string": (
        lambda hands: b'{"ohh": {"spec_version": "' + b"a" * (9 << 20),
        "a",
        "none of its hands",
    ),
    "endless hand": (lambda hands: b"variant = 'NT'\nactions = [" + b"'d'," * (1 << 19), "a", "line of over"),
    "endless hand in lines": (lambda hands: b"variant = 'NT'\n" + b"a = 1\n" * (1 << 18), "a", "characters"),
    "page": (lambda hands: b"<html><script>alert(1)</script></html>", "a.html", UNKNOWN),
}
READ = {
    "UTF-16": (lambda hands: hands.decode().encode("utf-16"), HANDS),
    "climbing names": (lambda hands: zipped(**{"../../../evil.txt": hands, "/evil.txt": hands}), 2 * HANDS),
    "zeros": (lambda hands: hands.replace(b"\n", b"\0\n"), HANDS),
    "old line ends": (lambda hands: hands.replace(b"\n", b"\r\n"), HANDS),
    "three times": (lambda hands: FIVE * 3, 5),
    "noise behind": (lambda hands: hands + NOISE, HANDS),
    "endless line behind": (lambda hands: hands + b"\n\nPokerStars Hand #1: " + b"(" * (18 << 20), HANDS),
    "noise in between": (lambda hands: zipped(a=NOISE, b=hands, c=b""), HANDS),
}


def is_clear(line, folder):  # noqa: F811
    """Whether this is one line for a person."""
    assert 10 <= len(line) <= library.LONGEST_LINE
    assert line == one_line(line, len(line))
    assert str(folder) not in line
    assert not any(word in line for word in ("Traceback", "Error(", "--max-size", "b'", "original"))


def is_usable(client, folder, caplog):  # noqa: F811
    """Whether the server goes on, and nothing is where it should not be."""
    assert client.get("/v1/hands").status_code == 200
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert {path.name.split("-")[0] for path in folder.iterdir()} <= {"hands.sqlite", "hands"}
    for path in (folder / "hands-files", *(folder / "hands-files").glob("*/*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert not list((folder / "hands-files").glob("**/*evil*"))


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_hands_leaves_one_clear_line(client, folder, text, caplog, monkeypatch, case):  # noqa: F811
    monkeypatch.setattr(library, "LARGEST_FILE", 1 << 20)
    make, name, words = REFUSED[case]
    found = told(client, dropped(client, make(text), name))
    assert found["state"] == "refused"
    assert words in found["problem"]
    is_clear(found["problem"], folder)
    assert client.get(f"/v1/hands/{found['id']}/dashboard").status_code == 409
    is_usable(client, folder, caplog)


@pytest.mark.parametrize("case", READ)
def test_what_can_be_read_is_read(client, folder, text, caplog, case):  # noqa: F811
    make, hands = READ[case]
    found = told(client, dropped(client, make(text), "a"))
    assert (found["state"], found["hands"]) == ("ready", hands)
    is_usable(client, folder, caplog)


def test_several_formats_come_in_one_archive(client, folder, text, caplog, tmp_path_factory):  # noqa: F811
    place = tmp_path_factory.mktemp("formats")
    (place / "a.txt").write_bytes(text)
    members = {"a.txt": text, "b.txt": FIVE}
    for kind in ("phhs", "ohh"):
        holdmem.write_hands(place / "a.txt", place / f"a.{kind}")
        members[f"a.{kind}"] = (place / f"a.{kind}").read_bytes()
    found = told(client, dropped(client, zipped(**members), "a.zip"))
    assert found["hands"] + sum(found["account"]["duplicates"].values()) == 3 * HANDS + 5
    assert not found["account"]["unread"]
    is_usable(client, folder, caplog)


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "\u202egnp.exe", "a\\..\\..\\b", "x" * 60])
def test_names_of_players_are_words_and_nothing_else(client, folder, text, caplog, name):  # noqa: F811
    found = told(client, dropped(client, text.replace(b"simplebot", name.encode())))
    assert name in [one["name"] for one in found["players"]]
    number = found["id"]
    board = client.get(f"/v1/hands/{number}/dashboard", params={"player": name})
    assert board.json()["player"] == name
    assert board.headers["content-type"] == "application/json"
    assert client.get(f"/v1/hands/{number}/review", params={"player": name}).json() == {"state": "none"}
    whole = client.get(f"/v1/hands/{number}/export.phh")
    assert whole.headers["content-type"] == "application/octet-stream"
    is_usable(client, folder, caplog)


def test_names_that_cannot_be_encoded_are_survived(client, folder, text, caplog, tmp_path_factory):  # noqa: F811
    found = told(client, dropped(client, lone_surrogates(tmp_path_factory.mktemp("names"), text)))
    assert found["problem"] == "a name in it has characters that cannot be stored"
    is_usable(client, folder, caplog)


def test_as_many_players_as_seats(client, folder, text, caplog):  # noqa: F811
    """Every hand has six people of its own; a hundred of them are named."""
    hands = text.split(b"PokerStars Hand ")
    strangers = [hand.replace(b"simplebot", b"somebody%d" % place) for place, hand in enumerate(hands)]
    found = told(client, dropped(client, b"PokerStars Hand ".join(strangers)))
    assert (found["hands"], len(found["players"])) == (HANDS, 5 + HANDS)
    is_usable(client, folder, caplog)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a/b\\c\nd.txt", "c d.txt"),
        ("\u202etxt.exe\u0000\u0007", "txt.exe"),
        ("../..", ".."),
        ("", "hands"),
        ("\n", "hands"),
        ("<b>x</b>", "b>"),
        ("ü" * 5000, "ü" * 120),
    ],
)
def test_a_name_of_a_file_is_shown_and_nothing_else(client, folder, caplog, name, shown):  # noqa: F811
    found = told(client, dropped(client, b"no hands", name))
    assert found["name"] == shown
    assert {len(path.name) for path in (folder / "hands-files").glob("*/*")} == {16}
    is_usable(client, folder, caplog)


@pytest.mark.parametrize(
    "address",
    [
        "list?start=99999999999999999999999",
        "list?count=-1",
        "list?order=x",
        "dashboard?player=%00",
        "export.exe",
    ],
)
def test_questions_beyond_what_is_there_get_one_line(client, folder, text, caplog, address):  # noqa: F811
    number = dropped(client, text)
    told(client, number)
    answer = client.get(f"/v1/hands/{number}/{address}")
    assert answer.status_code in (200, 400, 404, 409)
    assert "\n" not in answer.text
    is_usable(client, folder, caplog)


def test_an_unexpected_fault_is_said_once_and_not_tried_for_ever(client, monkeypatch, caplog):  # noqa: F811
    tried = []

    def fail(*_):
        tried.append(1)
        raise RuntimeError("not foreseen")

    monkeypatch.setattr(library, "read_file", fail)
    found = told(client, dropped(client, b"some hands"))
    assert found["problem"] == "the file could not be read; the server's log says why"
    assert "not foreseen" in caplog.text
    assert told(client, found["id"])["problem"] == found["problem"]
    assert tried == [1]


def test_a_fault_that_cannot_be_stored_is_said_all_the_same(client, monkeypatch):  # noqa: F811
    """On a full disk, say."""
    tried = []

    def fail(*_):
        tried.append(1)
        raise HoldMemError("no space left on the device")

    monkeypatch.setattr(library, "read_file", fail)
    monkeypatch.setattr(library, "write_if_there", lambda *_: False)
    found = told(client, dropped(client, b"some hands"))
    assert told(client, found["id"])["problem"] == "no space left on the device"
    assert tried == [1]


def test_a_full_disk_is_said_without_the_place_of_the_file(client, monkeypatch):  # noqa: F811
    def full(self, piece):
        with storage_errors(self.part):
            raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(library.Incoming, "write", full)
    answer = client.post("/v1/hands", content=b"some hands")
    assert answer.status_code == 409
    assert answer.text == "it could not be stored: no space left on the device; free some space"


def test_deleting_a_file_that_is_being_read_leaves_nothing(client, folder, monkeypatch):  # noqa: F811
    begun, deleted, over = threading.Event(), threading.Event(), threading.Event()

    def late(folder, tell):
        begun.set()
        deleted.wait()
        write_atomically(folder / "summary.json", "{}")

    monkeypatch.setattr(library, "read_file", late)
    forgotten = library.HandLibrary._read

    def watched(self, folder):
        forgotten(self, folder)
        over.set()

    monkeypatch.setattr(library.HandLibrary, "_read", watched)
    number = dropped(client, b"some hands")
    begun.wait()
    assert client.delete(f"/v1/hands/{number}").status_code == 200
    deleted.set()
    over.wait()
    assert client.get("/v1/hands").json()["files"] == []
    assert not list((folder / "hands-files").glob(f"*/{number}*"))


def test_files_come_and_go_at_the_same_time(client, folder, text, caplog):  # noqa: F811
    def come_and_go(_):
        number = dropped(client, text)
        client.get("/v1/hands")
        assert client.delete(f"/v1/hands/{number}").status_code == 200

    with ThreadPoolExecutor(6) as people:
        list(people.map(come_and_go, range(12)))
    assert told(client, dropped(client, text))["hands"] == HANDS  # after all that was waiting for a reader
    assert len(client.get("/v1/hands").json()["files"]) == 1
    is_usable(client, folder, caplog)


def test_all_files_of_a_person_together_have_a_limit(folder):  # noqa: F811
    made = library.HandLibrary(folder / "files", most=3 << 20)
    for name in ("first", "second"):
        with made.receive("someone", name) as incoming:
            incoming.write(bytes(1 << 20))
            incoming.finish()
    with made.receive("someone", "arriving") as arriving, made.receive("someone", "third") as third:
        arriving.write(bytes(900_000))
        with pytest.raises(library.FileTooLarge, match="more than 3 MB; delete one first"):
            third.write(bytes(500_000))
        third.write(bytes(10))
        with pytest.raises(library.FileTooLarge, match="delete one first"):
            third.finish()
    with made.receive("another", "first") as incoming:
        incoming.write(bytes(2 << 20))
        incoming.finish()
    home = incoming.folder.parent
    assert library.kept_bytes(home) == 2 << 20
    assert not list((folder / "files").glob("*/*.part"))


def test_what_a_killed_server_left_behind_is_removed(folder):  # noqa: F811
    made = library.HandLibrary(folder / "files")
    with made.receive("someone", "a") as incoming:
        home = incoming.part.parent
    for name in ("0123456789abcdef.part", "0123456789abcdef.gone"):
        (home / name).mkdir()
    with made.receive("someone", "a"):
        assert len(list(home.iterdir())) == 3  # they may belong to another server that is running
    library.LEFT_BEHIND, before = -1.0, library.LEFT_BEHIND
    try:
        with made.receive("someone", "a"):
            assert len(list(home.iterdir())) == 1
    finally:
        library.LEFT_BEHIND = before


def test_an_upload_that_stops_half_way_leaves_nothing(tmp_path, caplog):
    server = WebServer(OFFER, history=tmp_path / "hands.sqlite")
    with server.running():
        line = HTTPConnection("127.0.0.1", server.port)
        line.request("GET", server.address.partition(f":{server.port}")[2].replace("/?", "/hands?"))
        answer = line.getresponse()
        answer.read()
        kept = "; ".join(
            value.partition(";")[0] for name, value in answer.getheaders() if name == "set-cookie"
        )
        head = f"POST /v1/hands?name=a HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {kept}\r\n"
        with socket.create_connection(("127.0.0.1", server.port)) as cut:
            cut.sendall(f"{head}Content-Length: 100000\r\n\r\n".encode() + b"x" * 50_000)
            while not list(tmp_path.glob("hands-files/*/*.part")):
                pass
        while list(tmp_path.glob("hands-files/*/*")):
            pass
        line.request("GET", "/v1/hands", headers={"Cookie": kept})
        assert json.loads(line.getresponse().read())["files"] == []
        line.close()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_folders_are_closed_to_others(tmp_path):
    made = library.HandLibrary(tmp_path / "some" / "files")
    with made.receive("someone", "a.gz") as incoming:
        incoming.write(b"x")
        kept = made.folder / incoming.folder.parent.name / incoming.finish()
    for path in (made.folder, kept.parent, kept):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE((kept / "original.gz").stat().st_mode) == 0o600


def test_nothing_is_shown_but_what_is_seen():
    assert one_line("a\u202eb\x00c\n\td\ud800", 99) == "a b c d"
    assert one_line("x" * 500, 7) == "x" * 7
    assert one_line("Zoë 李 🂡", 99) == "Zoë 李 🂡"
