"""The wire with sockets, on loopback: good players, bad ones, many at once, and nobody suffers for another.

HOLDMEM_FULL=1 plays the 200 matches for longer and watches the memory.
"""

import asyncio
import json
import mmap
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem.acpc import DealerPlan, Limits, MatchClient, MatchReport, parse_seats
from holdmem.acpc.server import MatchServer
from holdmem.agent import make_agent
from holdmem.cli import app
from holdmem.core.errors import AgentError, HoldMemError
from holdmem.core.random import Streams
from holdmem.engine import Game, find_game

LIMIT, NO_LIMIT = find_game("limit"), find_game("nolimit")
FULL = bool(os.environ.get("HOLDMEM_FULL"))
HOST = "127.0.0.1"
VERSION = b"VERSION:2.0.0\r\n"

Client = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def plan(seats: str, hands: int, game: Game = LIMIT, **rest: Any) -> DealerPlan:
    return DealerPlan(game, parse_seats(seats), hands, **rest)


def player(agent: str, game: Game = LIMIT, lines: list[str] | None = None) -> Client:
    """A well-behaved client around an agent of ours."""

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seat = MatchClient(game, make_agent(agent), Streams.of(3, agent))
        writer.write(VERSION)
        while line := (await reader.readline()).decode().strip():
            if lines is not None:
                lines.append(line)
            if answer := seat.hear(line):
                writer.write(f"{answer}\r\n".encode())

    return play


async def connected(port: int, client: Client) -> None:
    reader, writer = await asyncio.open_connection(HOST, port, limit=1 << 20)
    try:
        await client(reader, writer)
    except ConnectionError:
        pass
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def served(what: DealerPlan, *clients: Sequence[Client]) -> list[MatchReport]:
    """Play a plan with these clients, one sequence a foreign place, all connecting at once."""

    async def run() -> list[MatchReport]:
        room = MatchServer(what)
        await room.open()
        tasks = [
            asyncio.create_task(connected(port, client))
            for port, some in zip(room.ports, clients, strict=True)
            for client in some
        ]
        try:
            return await asyncio.wait_for(room.play(), 120)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    return asyncio.run(run())


def states(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("STATE")]


# Matches as they should be


def test_foreign_players_and_ours_play_the_same_match(tmp_path: Path) -> None:
    ours = plan("always-raise,always-call", 50, log=tmp_path / "ours", seed=3)
    mixed = plan("always-raise,@always-call", 50, log=tmp_path / "mixed", seed=3)
    foreign = plan("@always-raise,@always-call", 50, log=tmp_path / "foreign", seed=3)
    found = [
        served(ours),
        served(mixed, [player("always-call")]),
        served(foreign, [player("always-raise")], [player("always-call")]),
    ]
    logs = [
        (tmp_path / name / "match.log").read_text(encoding="utf-8") for name in ("ours", "mixed", "foreign")
    ]
    assert logs[0] == logs[1] == logs[2]
    assert len(states(tmp_path / "ours" / "match.log")) == 50
    assert logs[0].splitlines()[:4] == [
        "# name/game/hands/seed match holdem.limit.2p.reverse_blinds.game 50 3",
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
    ]
    assert [ended[0].problem for ended in found] == [""] * 3
    assert {str(ended[0]) for ended in found} == {logs[0].splitlines()[-1]}
    assert not list(tmp_path.rglob("*.part"))


def test_a_seed_repeats_a_match_and_another_deals_other_cards(tmp_path: Path) -> None:
    texts = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        served(plan("random,always-call", 30, NO_LIMIT, log=tmp_path / name, seed=seed))
        texts.append((tmp_path / name / "match.log").read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert texts[0].splitlines()[5:] != texts[2].splitlines()[5:]


def test_a_duplicate_match_has_the_same_cards_for_the_other_side(tmp_path: Path) -> None:
    what = plan("always-raise,@b", 20, log=tmp_path, duplicate=True, matches=2)
    found = served(what, [player("always-call")] * 4)
    assert [ended.names for ended in found] == [["always-raise", "b"], ["b", "always-raise"]] * 2
    for match in range(2):
        one, other = (states(tmp_path / f"match.{match}.{order}.log") for order in range(2))
        assert [line.split(":")[3] for line in one] == [line.split(":")[3] for line in other]
        assert [line.split(":")[5] for line in one] == [
            "|".join(reversed(line.split(":")[5].split("|"))) for line in other
        ]
    first, second = found[0].score, found[1].score
    assert first[0] == second[0]  # both play by rote, so the cards of a seat decide
    assert states(tmp_path / "match.0.0.log") != states(tmp_path / "match.1.0.log")


def test_three_players_in_all_orders(tmp_path: Path) -> None:
    game = find_game("holdem.limit.3p")
    what = plan("always-raise,@b,random", 5, game, log=tmp_path, duplicate=True)
    found = served(what, [player("always-call", game)] * 6)
    assert len({tuple(ended.names) for ended in found}) == 6
    assert all(not ended.problem and sum(ended.score) == 0 for ended in found)


def test_a_transcript_and_the_cards_of_a_log(tmp_path: Path) -> None:
    served(plan("always-raise,random", 10, log=tmp_path / "a", seed=8))
    lines: list[str] = []
    again = plan(
        "always-raise,@b", 10, log=tmp_path / "b", cards=tmp_path / "a" / "match.log", transcript=True
    )
    served(again, [player("always-call", lines=lines)])
    old, new = (states(tmp_path / name / "match.log") for name in "ab")
    holes = [[line.split(":")[3].split("/")[0] for line in some] for some in (old, new)]
    assert holes[0] == holes[1]
    told = (tmp_path / "b" / "match.actions.log").read_text(encoding="utf-8").splitlines()
    assert [line.split(" ", 4)[4] for line in told if line.startswith("TO 2 at ")] == lines
    with pytest.raises(HoldMemError, match="expected cards for 11 hands, got 10"):
        MatchServer(plan("random,random", 11, cards=tmp_path / "a" / "match.log"))


def test_agents_that_watch_see_what_they_would_see_in_the_arena(tmp_path: Path) -> None:
    bot = tmp_path / "watcher.py"
    bot.write_text(
        "from dataclasses import dataclass\n"
        "from holdmem import Actions\n"
        "import numpy as np\n"
        "@dataclass(frozen=True)\n"
        "class Watcher:\n"
        "    path: str\n"
        "    def sit(self, game, tables, rng):\n"
        "        return Seat(self.path)\n"
        "class Seat:\n"
        "    def __init__(self, path):\n"
        "        self.path = path\n"
        "    def act(self, views):\n"
        "        return Actions(np.zeros(len(views), dtype=int))\n"
        "    def watch(self, hands):\n"
        "        own = hands.hole[0][hands.lineup[0] == hands.player].tolist()\n"
        "        seen = hands.hand_ids[0].hand, own, hands.net[0].tolist(), hands.board[0].tolist()\n"
        "        with open(self.path, 'a') as file:\n"
        "            file.write(f'{seen}\\n')\n",
        encoding="utf-8",
    )
    inside, outside = tmp_path / "in", tmp_path / "out"
    served(plan(f"{bot}:Watcher:path={inside},random", 25, seed=2))
    served(plan("@w,random", 25, seed=2), [player(f"{bot}:Watcher:path={outside}")])
    assert inside.read_text(encoding="utf-8") == outside.read_text(encoding="utf-8")
    assert len(inside.read_text(encoding="utf-8").splitlines()) == 25


# Bad players


def scripted(*chunks: bytes, wait: bool = True) -> Client:
    """Says all this, whatever it is told, then waits for the end or leaves."""

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for chunk in chunks:
            writer.write(chunk)
            await writer.drain()
        while wait and await reader.read(1 << 16):
            pass

    return play


def answering(answer: Callable[[str], Sequence[str]]) -> Client:
    """Answers every line by this function."""

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(VERSION)
        while line := (await reader.readline()).decode().strip():
            for told in answer(line):
                writer.write(told.encode("latin-1") + b"\r\n")

    return play


async def leaves_in_mid_hand(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(VERSION)
    for _ in range(5):
        line = (await reader.readline()).decode().strip()
        writer.write(f"{line}:c\r\n".encode())


NOISE = bytes(range(256)) * 40
BAD: dict[str, tuple[Client, bool]] = {
    # a client, and whether its match comes to its end all the same
    "calls and says much else": (answering(lambda line: ["", "x" * 5000, "\xff\x00", f"{line}:c"]), True),
    "repeats itself": (answering(lambda line: [f"{line}:c"] * 3), True),
    "raises out of bounds": (answering(lambda line: [f"{line}:r99999999999"]), True),
    "answers nonsense": (answering(lambda line: [f"{line}:please"]), True),
    "answers another hand": (
        answering(lambda line: [f"MATCHSTATE:0:99{line[14:]}:c"]),
        False,
    ),
    "sends a megabyte in a line": (scripted(VERSION, b"c" * (1 << 20), b"\n"), False),
    "sends noise": (scripted(VERSION, NOISE), False),
    "says nothing": (scripted(VERSION), False),
    "cuts its lines": (answering(lambda line: [line[:-1]]), False),
    "leaves at once": (scripted(VERSION, wait=False), False),
    "leaves in mid-hand": (leaves_in_mid_hand, False),
}


@pytest.mark.parametrize("lost", ["end", "fold"])
def test_bad_players_spoil_no_match_but_their_own(tmp_path: Path, lost: Any) -> None:
    limits = Limits(response=3.0, lost=lost)
    what = plan("always-raise,@b", 12, matches=2 * len(BAD), log=tmp_path, limits=limits)
    clients = [client for bad, _ in BAD.values() for client in (bad, player("always-call"))]
    found = served(what, clients)
    assert len(found) == 2 * len(BAD)
    spoiled = 0
    for ended in found:
        path = tmp_path / f"{ended.title}.log"
        assert len(states(path)) == ended.played
        assert path.read_text(encoding="utf-8").splitlines()[-1] == str(ended)
        assert sum(ended.score) == 0
        assert (ended.played == 12) == (not ended.problem)
        spoiled += bool(ended.lost)
        if ended.lost:
            assert f"b {ended.lost['b']}" in path.read_text(encoding="utf-8")
        if lost == "fold":
            assert ended.played == 12
    assert spoiled == sum(not whole for _, whole in BAD.values())
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    "words", [b"", b"HELLO\r\n", b"VERSION:1.0.0\r\n", b"VERSION:2.1.0\r\n", NOISE, b"v" * (1 << 20)]
)
def test_whoever_does_not_know_the_version_leaves_the_place_to_others(words: bytes) -> None:
    found = served(plan("always-call,@b", 5), [scripted(words, wait=False), player("always-call")])
    assert not found[0].problem


def test_nobody_comes() -> None:
    found = served(plan("always-call,@b", 5, matches=2, start=0.1), [])
    assert [ended.problem for ended in found] == ["no player connected for b within 0.1 s"] * 2


def test_one_connection_too_many_is_hung_up_on() -> None:
    found = served(plan("always-call,@b", 5), [player("always-call")] * 4)
    assert [ended.problem for ended in found] == [""]


def test_a_player_that_does_not_read_runs_out_of_time() -> None:
    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(VERSION)
        await asyncio.sleep(60)

    folding = answering(lambda line: [f"{line}:f"])
    what = plan("@a,@b,@c", 1000, find_game("holdem.limit.3p"), limits=Limits(response=2.0))
    found = served(what, [folding], [deaf], [folding])
    assert list(found[0].lost) == ["b"]
    assert found[0].messages < 50


def test_an_agent_of_ours_that_fails_ends_its_match_alone(tmp_path: Path) -> None:
    bot = tmp_path / "failing.py"
    bot.write_text(
        "from holdmem import bot, CALL\n@bot\ndef failing(view):\n"
        "    if view._views.hand_id['hand'][0] == 3 and view._views.hand_id['match'][0] == 1:\n"
        "        raise RuntimeError('out of cards')\n"
        "    return CALL\n",
        encoding="utf-8",
    )
    found = served(plan(f"{bot}:failing,@b", 10, matches=3, seed=0), [player("always-call")] * 3)
    assert [bool(ended.problem) for ended in found] == [False, True, False]
    assert found[1].played == 3
    assert "out of cards" in found[1].problem


def test_an_agent_of_ours_that_hangs_runs_out_of_time(tmp_path: Path) -> None:
    bot = tmp_path / "hanging.py"
    bot.write_text(
        "import time\nfrom holdmem import bot, CALL\n@bot\ndef hanging(view):\n"
        "    time.sleep(6)\n"
        "    return CALL\n",
        encoding="utf-8",
    )
    game = find_game("holdem.limit.3p")
    what = plan(f"{bot}:hanging,@b,always-call", 6, game, limits=Limits(response=3.0, lost="fold"))
    (ended,) = served(what, [player("always-call", game)])
    assert list(ended.lost) == ["hanging"]
    assert (ended.played, ended.problem) == (6, "")


def test_a_log_that_cannot_be_written_ends_its_match_alone(tmp_path: Path) -> None:
    (tmp_path / "match.1.log").mkdir()
    found = served(plan("always-call,@b", 5, matches=3, log=tmp_path), [player("always-call")] * 2)
    assert [bool(ended.problem) for ended in found] == [False, True, False]
    assert "match.1.log" in found[1].problem
    assert not list(tmp_path.glob("*.part"))


def test_a_dealer_that_is_stopped_leaves_whole_logs(tmp_path: Path) -> None:
    async def run() -> None:
        room = MatchServer(plan("always-call,@b", 10, log=tmp_path))
        await room.open()
        silent = asyncio.create_task(connected(room.ports[0], answering(lambda line: [])))
        playing = asyncio.create_task(room.play())
        while not room.tables or not room.tables[0].playing:
            await asyncio.sleep(0.01)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        await silent

    asyncio.run(run())
    lines = (tmp_path / "match.log").read_text(encoding="utf-8").splitlines()
    assert lines[-2:] == ["# hand 0: the dealer was stopped", "SCORE:0|0:always-call|b"]


def test_agents_are_checked_before_anybody_connects() -> None:
    with pytest.raises(AgentError, match="unknown agent"):
        MatchServer(plan("no-such-agent,@b", 1))
    with pytest.raises(AgentError, match="expected 2 seats, got 3"):
        plan("@a,@b,@c", 1)
    with pytest.raises(HoldMemError, match="expected a port for each of 1"):
        plan("random,@b", 1, ports=(1, 2))


# Many at once


def resident() -> int:
    """Bytes of memory that this process has, where the system says so."""
    status = Path("/proc/self/statm")
    return int(status.read_text(encoding="utf-8").split()[1]) * mmap.PAGESIZE if status.exists() else 0


def test_two_hundred_matches_at_once(tmp_path: Path) -> None:
    """Nothing is lost; and in the long run memory does not grow with the hands that have been played."""
    hands = 100 if FULL else 4
    what = plan("@a,@b", hands, matches=200, log=tmp_path)
    marks: list[int] = []

    async def run() -> list[MatchReport]:
        room = MatchServer(what)
        await room.open()
        names = ("always-raise", "always-call")
        clients = [
            asyncio.create_task(connected(port, player(name)))
            for _ in range(200)
            for port, name in zip(room.ports, names, strict=True)
        ]
        most = 0
        playing = asyncio.create_task(room.play())
        while not playing.done():
            await asyncio.sleep(0.05)
            most = max(most, sum(table.playing for table in room.tables.values()))
            marks.append(resident())
        assert most > 100
        await asyncio.gather(*clients)
        return await playing

    found = asyncio.run(run())
    assert [(ended.problem, ended.played) for ended in found] == [("", hands)] * 200
    assert all(ended.ignored == ended.invalid == [0, 0] for ended in found)
    for ended in found:
        lines = states(tmp_path / f"{ended.title}.log")
        assert [int(line.split(":")[1]) for line in lines] == list(range(hands))
    if FULL and resident():
        quarter, last = marks[len(marks) // 4], marks[-1]
        print(f"{quarter / 1e6:.1f} MB resident after a quarter of the time, {last / 1e6:.1f} MB at the end")
        assert last < 1.1 * quarter


# The command line and the page


def test_the_client_of_the_page_plays() -> None:
    page = (Path(__file__).parents[1] / "docs" / "wire.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0], names)

    async def run() -> list[MatchReport]:
        room = MatchServer(plan("always-raise,@b", 10))
        await room.open()
        client = asyncio.get_running_loop().run_in_executor(None, names["play"], HOST, room.ports[0])
        found = await room.play()
        await client
        return found

    (ended,) = asyncio.run(run())
    assert (ended.problem, ended.played, ended.invalid) == ("", 10, [0, 0])
    assert ended.ignored[1] > 0


def holdmem(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "holdmem", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def test_serve_and_join_from_the_command_line(tmp_path: Path) -> None:
    words = ("--seats", "always-raise,@b", "--hands", "20", "--log", str(tmp_path / "logs"), "--duplicate")
    dealer = holdmem("serve", *words, "--start-timeout", "100")
    assert dealer.stdout is not None
    port = dealer.stdout.readline().strip()
    seen = tmp_path / "seen.log"
    guest = holdmem("join", HOST, port, "always-call", "--matches", "2", "--log", str(seen), "--json")
    told, complaint = guest.communicate(timeout=100)
    scores, _ = dealer.communicate(timeout=100)
    assert (guest.returncode, dealer.returncode) == (0, 0), complaint
    assert json.loads(told)["hands"] == 40
    names = [line.split(":")[2] for line in scores.splitlines()]
    assert names == ["always-raise|b", "b|always-raise"]
    won = sum(
        float(line.split(":")[1].split("|")[line.split(":")[2].split("|").index("b")])
        for line in scores.splitlines()
    )
    assert json.loads(told)["chips"] == won
    both = [line for order in range(2) for line in states(tmp_path / "logs" / f"match.{order}.log")]
    assert [line.split(":")[1:3] for line in states(seen)] == [line.split(":")[1:3] for line in both]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("join", HOST, "1", "random", "--wait", "0"), "cannot connect to a dealer at 127.0.0.1 port 1"),
        (("serve", "--seats", "random"), "expected two or more seats"),
        (("serve", "--seats", "random,@b", "--ports", "x"), "expected comma-separated ports from 0 to 65535"),
        (("serve", "--seats", "random,@b", "--transcript"), "a transcript needs a folder for logs"),
        (("serve", "--seats", "random,@b", "--name", "../../x"), "and . + - _, got '../../x'"),
        (("serve", "--seats", "random,@b", "--name", ""), "and . + - _, got ''"),
        (("serve", "--seats", "random,@../b"), "and . + - _, got '../b'"),
        (("serve", "--seats", "random,@b", "--cards", "nowhere.log"), "nowhere.log: cannot be read"),
    ],
)
def test_what_a_user_can_put_right_is_one_message(words: tuple[str, ...], says: str) -> None:
    found = CliRunner().invoke(app, words)
    assert isinstance(found.exception, HoldMemError)
    assert says in str(found.exception)


def test_a_match_without_an_end_exits_with_one() -> None:
    words = ("serve", "--seats", "random,@b", "--hands", "5", "--start-timeout", "0.2")
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 1
    assert "no player connected for b" in found.stderr
