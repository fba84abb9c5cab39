"""Tools for an assistant: what they answer, what they refuse, and that no hidden card gets out."""

import asyncio
import json
import os
import random
import sys
from pathlib import Path

import pytest

from fresh import SOURCES
from holdmem import Situation, equity, explain, record, stats, write_hands
from holdmem.cards import name as card_name
from holdmem.core.errors import AgentError, GameError, HoldMemError, IllegalAction, NotationError
from holdmem.mcp import HandFiles, Tools
from holdmem.mcp import files as files_of_hands
from holdmem.mcp.server import NAMES, ToolFailure, bounded, plain

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
FILE = "pokerstars.txt"


@pytest.fixture
def tools() -> Tools:
    return Tools(HandFiles(EXAMPLES))


def some_action(turn, rng):
    """Anything legal, as the arguments of `act`."""
    choices = [{"action": "call"}] * 3
    choices += [{"action": "fold"}] if turn["to_call"] else []
    low, high = turn["min_raise_to"], turn["max_raise_to"]
    choices += [{"action": "raise", "to": rng.randint(low, high)}] if high else []
    return rng.choice(choices)


def play_hand(tools, rng):
    """Play one hand and return every answer, with the cards that were hidden when it was given."""
    told = [(tools.deal(), hidden_cards(tools))]
    while not told[-1][0]["over"]:
        state = told[-1][0]
        told.append((tools.advice(), hidden_cards(tools)))
        told.append((tools.act(state["hand"], **some_action(state["turn"], rng)), hidden_cards(tools)))
    return told


def hidden_cards(tools):
    """The cards that the person at the table may not know now."""
    hand = tools._table._table.hand
    deck = [card_name(card) for card in hand.deck.tolist()[: 2 * hand.game.seats + 5]]
    seat = hand.seat_of(0)
    own = [card_name(card) for card in hand.row["hole"][seat].tolist()]
    board = [card_name(card) for card in hand.row["board"].tolist()]
    dealt = {0: 0, 1: 3, 2: 4, 3: 5}[int(hand.row["street"])]
    return set(deck) - set(own) - set(board[:dealt])


@pytest.mark.parametrize(
    ("game", "opponents"), [("limit", ["always-call"]), ("nolimit", ["random", "always-call"])]
)
def test_no_answer_before_the_end_of_a_hand_has_a_card_that_a_person_could_not_see(tools, game, opponents):
    tools.sit_down(opponents, game)
    rng = random.Random(5)
    ended = 0
    for _ in range(10):
        told = play_hand(tools, rng)
        for answer, hidden in told[:-1]:
            assert len(hidden) >= 2 * len(opponents)
            text = json.dumps(plain(answer))
            assert not [card for card in hidden if f'"{card}"' in text]
            assert all(seat["cards"] is None for seat in answer.get("seats", ()) if not seat["you"])
            assert "seed" not in text
        ended += told[-1][0]["over"]
        assert [decision["player"] for decision in tools.reasons()["decisions"]].count(0) == 0
    assert ended == 10


def test_advice_depends_on_nothing_that_is_hidden(tools, monkeypatch):
    """Two tables that differ in the opponent's cards alone get the same advice, word by word."""
    tools.sit_down(["sartre-2"])
    while tools.deal()["over"]:
        pass
    table = tools._table._table
    before = json.dumps(plain(tools.advice()))
    other = 1 - table.hand.seat_of(0)
    free = sorted(set(range(52)) - set(table.hand.deck.tolist()[:9]))
    table.hand.batch.hands["hole"][0, other] = free[:2]
    table._advised = None
    assert json.dumps(plain(tools.advice())) == before


def test_reasons_and_further_hands_wait_for_the_end_of_the_hand(tools):
    for call in (tools.deal, tools.advice, tools.reasons):
        with pytest.raises(IllegalAction, match="sit down at a table first"):
            call()
    tools.sit_down(["always-call"])
    with pytest.raises(IllegalAction, match="when the hand is over"):
        tools.reasons()
    state = tools.deal()
    with pytest.raises(IllegalAction, match="when the hand is over"):
        tools.reasons()
    with pytest.raises(IllegalAction, match="finish this hand"):
        tools.deal()
    tools.sit_down(["always-call"])
    with pytest.raises(IllegalAction, match="not your turn"):
        tools.act(state["hand"], "call")


@pytest.mark.parametrize(
    "action",
    [
        {"action": "raise"},
        {"action": "raise", "to": -1},
        {"action": "raise", "to": 0},
        {"action": "bet", "to": 10**30},
        {"action": "raise", "to": 7},
        {"action": "all-in"},
        {"action": "x" * 10_000},
    ],
)
def test_an_illegal_action_is_refused_and_changes_nothing(tools, action):
    tools.sit_down(["always-call"])
    state = tools.deal()
    acted = tools._table._table.hand.acted
    with pytest.raises(IllegalAction) as refused:
        tools.act(state["hand"], **action)
    assert len(str(refused.value)) < 300
    assert tools._table._table.hand.acted == acted
    with pytest.raises(IllegalAction, match="expected an action in hand 0"):
        tools.act(state["hand"] + 1, "call")


def folder_with_ways_out(tmp_path):
    """A folder with one file of hands, beside others that no name in it may lead to."""
    folder, outside = tmp_path / "hands", tmp_path / "outside"
    for made in (folder / "below", outside):
        made.mkdir(parents=True)
    for place in (
        folder / "mine.txt",
        folder / "below" / "more.txt",
        folder / ".hidden.txt",
        outside / "a.txt",
    ):
        place.write_bytes((EXAMPLES / FILE).read_bytes())
    (folder / "link.txt").symlink_to(outside / "a.txt")
    (folder / "linked").symlink_to(outside)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "zero").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe")
    return folder


WAYS_OUT = [
    "../outside/a.txt",
    "below/../../outside/a.txt",
    "below/../mine.txt",
    "/etc/passwd",
    "link.txt",
    "linked/a.txt",
    "loop",
    "zero",
    "pipe",
    ".hidden.txt",
    "below",
    ".",
    "",
    "missing.txt",
    "mine.txt\0",
    "~/mine.txt",
    "file:///etc/passwd",
    "x" * 100_000,
    "a/" * 5_000,
    "\ud800",
]


@pytest.mark.parametrize("name", WAYS_OUT, ids=lambda name: ascii(name)[:24])
def test_only_plain_files_of_the_folder_are_read(tmp_path, name):
    """All others are refused in the same words, so that nothing is learned about what exists."""
    tools = Tools(HandFiles(folder_with_ways_out(tmp_path)))
    for tool in (tools.statistics, tools.review, lambda file: tools.explain_hand(file, 1)):
        with pytest.raises(NotationError) as refused:
            tool(name)
        assert str(refused.value) == f"no such file in the folder of hands: {name[:80]!r}"


def test_files_are_listed_by_the_names_under_which_they_can_be_read(tmp_path):
    files = HandFiles(folder_with_ways_out(tmp_path))
    assert [one["file"] for one in files.listed()] == ["below/more.txt", "mine.txt"]
    assert len(files.read("below/more.txt")) == len(files.read("mine.txt")) == 5


def test_without_a_folder_no_file_is_read():
    tools = Tools(HandFiles(None))
    for call in (tools.hand_files, lambda: tools.statistics(FILE)):
        with pytest.raises(NotationError, match="no folder of hands was named"):
            call()
    with pytest.raises(NotationError, match="expected a folder"):
        HandFiles(EXAMPLES / FILE)


def test_large_and_damaged_files_are_refused_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "noise.txt").write_bytes(random.Random(1).randbytes(5_000))
    (tmp_path / "hands.txt").write_bytes((EXAMPLES / FILE).read_bytes())
    tools = Tools(HandFiles(tmp_path))
    with pytest.raises(ToolFailure) as refused:
        bounded(tools)["statistics"]("noise.txt")
    assert str(refused.value).startswith("noise.txt: ")
    assert str(tmp_path) not in str(refused.value)
    monkeypatch.setattr(files_of_hands, "MOST_HANDS", 4)
    with pytest.raises(NotationError, match="more than 4 hands"):
        tools.statistics("hands.txt")
    monkeypatch.setattr(files_of_hands, "MOST_FILES", 1)
    assert len(tools.hand_files()) == 1


def test_no_name_leads_to_code_or_to_another_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("import pathlib; pathlib.Path('ran').touch()\n", encoding="utf-8")
    tools = Tools(HandFiles(EXAMPLES))
    for agent in (
        "./evil.py:Bot",
        "evil.py",
        f"memory:cases={tmp_path}",
        f"clone:person={tmp_path}",
        "x" * 300,
    ):
        with pytest.raises(AgentError, match="does not offer"):
            tools.sit_down([agent])
        with pytest.raises(AgentError, match="does not offer"):
            tools.explain_decision("AhKd", agent=agent)
    for game in ("./my.game", str(EXAMPLES / FILE), "/etc/passwd"):
        with pytest.raises(GameError, match="expected a built-in game"):
            tools.sit_down(["always-call"], game)
        with pytest.raises(GameError, match="expected a built-in game"):
            tools.explain_decision("AhKd", game=game)
        with pytest.raises(GameError, match="expected a built-in game"):
            tools.agents(game)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "call",
    [
        lambda tools: tools.equity([]),
        lambda tools: tools.equity(["AhKd"]),
        lambda tools: tools.equity(["random"] * 40),
        lambda tools: tools.equity(["AhKd", "A" * 100_000]),
        lambda tools: tools.equity(["AhKd", "AhKd"]),
        lambda tools: tools.equity(["AhKd", "QQ"], board="zz"),
        lambda tools: tools.explain_decision("AhAh"),
        lambda tools: tools.explain_decision("AhKd", betting="r" * 100_000),
        lambda tools: tools.explain_decision("AhKd", betting="fff"),
        lambda tools: tools.statistics(FILE, by="hole cards"),
        lambda tools: tools.review(FILE, player="nobody"),
        lambda tools: tools.explain_hand(FILE, -(10**40)),
        lambda tools: tools.agents(seats=10**9),
        lambda tools: tools.sit_down([]),
        lambda tools: tools.sit_down(["always-call"] * 1_000),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_short_line(tools, call):
    with pytest.raises(HoldMemError) as refused:
        call(tools)
    assert len(str(refused.value)) < 400


def test_answers_are_those_of_the_library(tools):
    exact = equity("AhKd", "QsQc", board="Kc7s2d")
    found = tools.equity(["AhKd", "QsQc"], board="Kc7s2d")
    assert found["exact"]
    assert [one["equity"] for one in found["players"]] == exact.equity.tolist()
    spot = Situation(hole="AhKd", board="Kc8s2d", betting="rc/r")
    told = tools.explain_decision("AhKd", "Kc8s2d", "rc/r")
    assert told["decision"] == explain("sartre-2", spot).decision
    assert told["reasons"] == list(explain("sartre-2", spot).reasons)
    counted = {line.key["player"]: line for line in stats(EXAMPLES / FILE)}
    lines = tools.statistics(FILE, top=100)["lines"]
    assert {line["name"]: line["hands"] for line in lines} == {
        name: one.hands for name, one in counted.items()
    }
    assert tools.statistics(FILE, player="bob")["lines"] == [counted["bob"].as_json()]
    assert tools.statistics(FILE, top=1)["not_shown"] == len(counted) - 1


def test_agents_are_listed_with_what_was_measured_in_such_games(tools, monkeypatch):
    monkeypatch.setattr("holdmem.web.offers.Lobby.able", lambda *asked: ["always-call", "memory"])
    listed = tools.agents("nolimit", 6)["agents"]
    assert [one["name"] for one in listed] == ["always-call", "memory"]
    assert (listed[0]["measured"]["game"], listed[0]["measured"]["seats"]) == ("nolimit", 6)
    assert listed[1]["measured"] is None


def test_too_many_deals_are_sampled_and_that_is_said(tools, monkeypatch):
    monkeypatch.setattr("holdmem.mcp.tools.MOST_SHOWDOWNS", 1_000)
    found = tools.equity(["random"] * 5)
    assert not found["exact"]
    assert all(one["standard_error"] > 0 for one in found["players"])


def test_a_review_and_the_values_of_a_hand_come_from_a_file(tmp_path):
    played = record("limit", "random", "always-call", folder=tmp_path / "played", hands=6, seed=3)
    write_hands(played, tmp_path / "six.phhs")
    tools = Tools(HandFiles(tmp_path))
    found = tools.review("six.phhs", "random")
    assert found["hands"] == found["hands_in_file"] == 6
    assert found["assumptions"].startswith("Assumed")
    assert found["dearest_decisions"][0].startswith("hand ")
    told = tools.explain_hand("six.phhs", 1, "random")
    assert told["decisions"][0]["taken"] in [one["action"] for one in told["decisions"][0]["actions"]]
    json.dumps(plain([found, told]), allow_nan=False)


def test_a_call_ends_in_time_and_leaves_no_half_played_hand():
    class Endless(Tools):
        def deal(self):
            while True:
                pass

        def hand_files(self):
            raise NotationError("one\nline")

        def reasons(self):
            raise RuntimeError("a secret of the machine\nin two lines")

    tools = Endless(HandFiles(None))
    tools.sit_down(["always-call"])
    with pytest.raises(ToolFailure, match=r"deal took longer than 0\.05 s"):
        bounded(tools, seconds=0.05)["deal"]()
    calls = bounded(tools)
    with pytest.raises(ToolFailure, match="sit down at a table first"):
        calls["act"](0, "call")
    with pytest.raises(ToolFailure, match="one line"):
        calls["hand_files"]()
    tools.sit_down(["always-call"])
    with pytest.raises(ToolFailure, match=r"^reasons failed; the log of holdmem mcp says why$"):
        calls["reasons"]()
    with pytest.raises(ToolFailure, match="sit down at a table first"):
        calls["advice"]()


def test_values_are_rounded_and_infinite_ones_are_null():
    given = {"a": [float("inf"), float("nan"), 1 / 3], "b": (1, True, None, "x")}
    assert plain(given) == {"a": [None, None, 0.33333], "b": [1, True, None, "x"]}


def test_the_official_client_reads_asks_and_plays_over_standard_input_and_output():
    pytest.importorskip("mcp", reason="the MCP library is not installed (extra mcp)")
    asyncio.run(_session())


async def _session():
    from mcp.client.client import Client  # noqa: PLC0415
    from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: PLC0415

    place = os.environ | {"PYTHONPATH": str(SOURCES)}
    command = ["-m", "holdmem", "mcp", "--hands", str(EXAMPLES)]
    server = StdioServerParameters(command=sys.executable, args=command, env=place)
    async with Client(stdio_client(server)) as client:

        async def call(name, **asked):
            done = await client.call_tool(name, asked)
            said = "".join(part.text for part in done.content)
            return done.structured_content if not done.is_error else said

        listed = (await client.list_tools()).tools
        assert tuple(tool.name for tool in listed) == NAMES
        assert all(len(tool.description.split()) > 5 for tool in listed)
        assert (await call("equity", hands=["AsAh", "KsKh"]))["players"][0]["equity"] == 0.82637
        assert (await call("hand_files"))["result"][0]["file"] == FILE
        assert len((await call("statistics", file=FILE))["lines"]) == 19
        refused = await call("statistics", file="../README.md")
        assert refused.endswith("no such file in the folder of hands: '../README.md'")
        assert len(refused.splitlines()) == 1
        assert "not offer" in await call("sit_down", opponents=["./bot.py:Bot"])
        assert "valid list" in await call("equity", hands=7)
        assert (await call("sit_down", opponents=["always-call"]))["limit"]
        state = await call("deal")
        while not state["over"]:
            state = await call("act", hand=state["hand"], action="call")
        assert state["showdown"]
        assert sum(seat["net"] for seat in state["seats"]) == 0
        assert (await call("reasons"))["decisions"]
