"""Clones at the tables where people meet them: on the wire, and at the web table with their reasons."""

import asyncio
import json
import random

import pytest

from holdmem.acpc import DealerPlan, MatchClient, parse_seats
from holdmem.acpc.server import MatchServer
from holdmem.agent import make_agent
from holdmem.core.random import Streams
from holdmem.engine import CALL, FOLD, find_game
from holdmem.web.session import HumanTable, TableSettings

CLONES = ("clone:style=calling-station", "clone")


async def joined(port: int, agent: str) -> int:
    """Play an agent of ours over the wire; return the number of its answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    seat, answers = MatchClient(find_game("nolimit"), make_agent(agent), Streams.of(3)), 0
    writer.write(b"VERSION:2.0.0\r\n")
    while line := (await reader.readline()).decode().strip():
        if answer := seat.hear(line):
            writer.write(f"{answer}\r\n".encode())
            answers += 1
    writer.close()
    return answers


def test_a_clone_serves_and_joins_a_match(tmp_path) -> None:
    plan = DealerPlan(
        find_game("nolimit"), parse_seats("clone:style=tight-aggressive,@villain"), 40, log=tmp_path, seed=2
    )

    async def match():
        room = MatchServer(plan)
        await room.open()
        task = asyncio.create_task(joined(room.ports[0], "clone:style=calling-station"))
        return await asyncio.wait_for(room.play(), 120), await asyncio.wait_for(task, 120)

    (ended,), answers = asyncio.run(match())
    assert not ended.problem
    assert sum(ended.score) == 0
    assert answers > 20
    log = (tmp_path / "match.log").read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("STATE") for line in log) == 40


@pytest.mark.parametrize("seats", [2, 6])
def test_a_clone_plays_at_the_web_table_and_says_what_its_actions_rest_on(seats: int) -> None:
    game, others = find_game("nolimit", seats), tuple(CLONES[k % 2] for k in range(seats - 1))
    table, rng, said = HumanTable(TableSettings(game, others, "clone", False, seed=5)), random.Random(4), ""
    for _ in range(6):
        told = table.deal()
        while not told[-1]["over"]:
            turn = told[-1]["turn"]
            choices = [CALL, CALL] + [FOLD] * bool(turn["to_call"])
            choices += [turn["min_raise_to"]] if turn["max_raise_to"] else []
            told += table.act(told[-1]["hand"], rng.choice(choices))
        assert sum(seat["net"] for seat in told[-1]["seats"]) == pytest.approx(0)
        said += json.dumps(table.last.plain(), ensure_ascii=False)
    assert "shown" in said
    assert "inferred" in said
    assert "PokerStars, July 2009" in said
