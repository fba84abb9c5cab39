"""A dealer's cards are secret: no seed is known before the last seating that uses it has ended."""

import asyncio
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem import find_game
from holdmem.acpc import DealerPlan, MatchReport, parse_seats, serve
from holdmem.acpc.log_file import HIDDEN, LogFile
from holdmem.acpc.seeds import Seeds
from holdmem.acpc.server import MatchServer
from holdmem.cli import app
from holdmem.core.errors import NotationError
from holdmem.core.random import LEAST_SECRET

LIMIT = find_game("limit")
SEATS = parse_seats("random,always-raise")


def plan(**choices: Any) -> DealerPlan:
    return DealerPlan(LIMIT, SEATS, 12, **choices)


def served(what: DealerPlan) -> list[MatchReport]:
    return asyncio.run(serve(what))


def states(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def head(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].rpartition(" ")[2]


def test_matches_have_secrets_of_their_own_that_repeat_each(tmp_path: Path) -> None:
    found = served(plan(matches=2, duplicate=True, log=tmp_path / "all"))
    seeds = [ended.seed for ended in found]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3]
    for match, seed in ((0, seeds[0]), (1, seeds[2])):
        assert seed is not None
        assert seed >= LEAST_SECRET
        served(plan(duplicate=True, seed=seed, log=tmp_path / str(match)))
        for order in range(2):
            public_seed = tmp_path / "all" / f"match.{match}.{order}.log"
            assert head(public_seed) == str(seed)
            assert states(public_seed) == states(tmp_path / str(match) / f"match.{order}.log")
    assert {ended.seed for ended in served(plan())}.isdisjoint(seeds)


def test_a_given_seed_is_what_it_always_was(tmp_path: Path) -> None:
    served(plan(matches=2, seed=3, log=tmp_path))
    assert [head(tmp_path / f"match.{match}.log") for match in range(2)] == ["3", "3"]
    assert [states(tmp_path / f"match.{match}.log")[:2] for match in range(2)] == [
        [
            "STATE:0:rf:Ac9h|TdKs:-10|10:random|always-raise",
            "STATE:1:rrf:9s2c|5h7d:20|-20:always-raise|random",
        ],
        ["STATE:0:rf:4s2s|Jd8s:-10|10:random|always-raise", "STATE:1:f:8cJc|Td8d:5|-5:always-raise|random"],
    ]


def logs_of(folder: Path, count: int) -> list[LogFile]:
    files = [LogFile(folder / f"{number}.log") for number in range(count)]
    for file in files:
        file.add(f"# name/game/hands/seed zoë limit.game 9 {HIDDEN}")
        file.add("STATE:0")
        file.close()
    return files


def test_a_seed_is_told_with_the_last_seating_that_uses_it(tmp_path: Path) -> None:
    seeds = Seeds(plan(matches=2, duplicate=True))
    files = logs_of(tmp_path, 4)
    seeds.ended(0, files[:1])
    seeds.ended(3, files[3:])
    assert [seeds.public_seed(table) for table in range(4)] == [None] * 4
    assert [head(file.path) for file in files] == [HIDDEN] * 4
    seeds.ended(1, files[1:2])
    assert [seeds.public_seed(table) for table in range(4)] == [seeds.of(0)] * 2 + [None] * 2
    assert [head(file.path) for file in files] == [str(seeds.of(0))] * 2 + [HIDDEN] * 2
    assert files[0].path.read_text(encoding="utf-8").endswith(f"{seeds.of(0)}\nSTATE:0\n")


def test_matches_with_the_cards_of_a_log_share_one_secret(tmp_path: Path) -> None:
    served(plan(seed=3, log=tmp_path / "old"))
    what = plan(matches=2, cards=tmp_path / "old" / "match.log", log=tmp_path / "new")
    one, other = served(what)
    assert one.seed == other.seed
    assert (one.seed or 0) >= LEAST_SECRET
    seeds = Seeds(what)
    seeds.ended(0, ())
    assert seeds.public_seed(0) is None


def test_logs_hide_a_secret_while_its_match_is_played(tmp_path: Path) -> None:
    async def play() -> tuple[str, int | None]:
        room = MatchServer(DealerPlan(LIMIT, parse_seats("random,@b"), 5, log=tmp_path))
        await room.open()
        reader, writer = await asyncio.open_connection("127.0.0.1", room.ports[0])
        writer.write(b"VERSION:2.0.0\r\n")
        playing = asyncio.create_task(room.play())
        await reader.readline()  # the match is on
        room.tables[0].flush_logs()
        (growing,) = tmp_path.glob("match.log.*.part")
        before = head(growing)
        writer.close()
        (ended,) = await playing
        return before, ended.seed

    before, seed = asyncio.run(play())
    assert before == HIDDEN
    assert head(tmp_path / "match.log") == str(seed)


@pytest.mark.parametrize("given", [True, False])
def test_serve_warns_of_a_seed_that_others_may_know(given: bool) -> None:
    words = ("serve", "--seats", "random,@b", "--hands", "2", "--start-timeout", "0")
    found = CliRunner().invoke(app, [*words, *(("--seed", "7") if given else ())])
    assert ("warning: anyone who knows the seed 7 knows all cards" in found.stderr) == given
    assert ("secret until now" in found.stderr) != given


@pytest.mark.parametrize("name", ["../../x", "a/b", "..\\x", "a b", "", "x\n"])
def test_a_name_of_logs_is_no_path(name: str) -> None:
    with pytest.raises(NotationError, match="names in logs consist of letters"):
        plan(name=name)


def test_join_leaves_a_dealer_that_changes_its_cards() -> None:
    lines = b"MATCHSTATE:0:0:c:AsAd|\r\nMATCHSTATE:0:1::2c2d|\r\nMATCHSTATE:0:0:cr:KsKd|\r\n"

    def deal() -> None:
        connection, _ = door.accept()
        with connection:
            connection.recv(100)
            connection.sendall(lines)
            while connection.recv(1 << 16):
                pass

    with socket.create_server(("127.0.0.1", 0)) as door:
        dealer = threading.Thread(target=deal)
        dealer.start()
        port = str(door.getsockname()[1])
        found = CliRunner().invoke(app, ["join", "127.0.0.1", port, "always-call"])
        dealer.join(60)
    assert isinstance(found.exception, NotationError)
    assert "the cards of hand 0 have changed; they were AsAd| for seat 0" in str(found.exception)
