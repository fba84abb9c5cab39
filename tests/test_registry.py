"""Agents by name: the grammar reads what it writes, and says what is wrong with the rest."""

import os
import pickle
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Literal, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fresh import run
from holdmem.agent import Agent, agent_files, make_agent, name_of, register, registered, registry
from holdmem.core.errors import AgentError, NotationError, UnknownAgent
from holdmem.core.random import Streams
from holdmem.engine import find_game
from holdmem.players import AlwaysCall, AlwaysRaise, Random


@register("test-parrot", style="has a parameter of every type")
@dataclass(frozen=True)
class Parrot:
    """An agent for the tests of the grammar; its seats are those of the caller."""

    depth: int = 1
    nerve: float = 0.5
    bold: bool = False
    label: str = "polly"
    words: tuple[str, ...] = ()
    maybe: str | None = None
    mood: Literal["calm", "wild"] = "calm"
    level: Literal[1, 2, 3] = 1
    cases: Path = Path("cases")
    limit: int | None = None
    old: Optional[float] = None  # noqa: UP045 - people write it so
    sizes: tuple[float, ...] = (0.5, 1.0)
    span: tuple[int, str] = (1, "a")
    grid: tuple[tuple[int, ...], ...] = ()
    lead: Agent = AlwaysCall()  # noqa: RUF009 - frozen
    rival: Agent | None = None
    members: tuple[Agent, ...] = ()
    made: tuple[int, ...] = field(default_factory=tuple)
    hidden: int = field(default=7, init=False)

    def sit(self, game, tables, rng):
        return AlwaysCall().sit(game, tables, rng)


@register("test-hungry", style="needs a parameter")
@dataclass(frozen=True)
class Hungry:
    """Cannot be built without being told how much."""

    food: int
    drink: str = "water"

    def sit(self, game, tables, rng):
        return AlwaysCall().sit(game, tables, rng)


@register("test-odd", style="has a parameter that no text can give")
@dataclass(frozen=True)
class Odd:
    """Has a parameter of a type that the grammar does not know."""

    how: complex = 1j

    def sit(self, game, tables, rng):
        return AlwaysCall().sit(game, tables, rng)


TEXTS = st.sampled_from(["none", "", " ", "[]", "[[a];b]", "[a][b]", "a[b]c"]) | st.text(
    "aZ9_-./:= ,;", max_size=6
)
NUMBERS = st.integers(-(2**70), 2**70)
FRACTIONS = st.floats(allow_nan=False)
PLAIN = {
    "depth": NUMBERS,
    "nerve": FRACTIONS,
    "bold": st.booleans(),
    "label": TEXTS,
    "words": st.lists(TEXTS, max_size=3).map(tuple),
    "maybe": st.none() | TEXTS,
    "mood": st.sampled_from(["calm", "wild"]),
    "level": st.sampled_from([1, 2, 3]),
    "cases": TEXTS.map(Path),
    "limit": st.none() | NUMBERS,
    "old": st.none() | FRACTIONS,
    "sizes": st.lists(FRACTIONS, max_size=3).map(tuple),
    "span": st.tuples(NUMBERS, TEXTS),
    "grid": st.lists(st.lists(NUMBERS, max_size=3).map(tuple), max_size=3).map(tuple),
    "made": st.lists(NUMBERS, max_size=2).map(tuple),
}


def parrots(agents):
    """Parrots with any of their parameters set, among them those that are agents."""
    nested = {"lead": agents, "rival": st.none() | agents, "members": st.lists(agents, max_size=3).map(tuple)}
    return st.fixed_dictionaries({}, optional=PLAIN | nested).map(lambda values: Parrot(**values))


SIMPLE = st.sampled_from([AlwaysCall(), AlwaysRaise(), Random(), Hungry(3), Hungry(4, drink="a;b")])
AGENTS = st.recursive(SIMPLE, parrots, max_leaves=6)


# ------------------------------------------------------------------------------------- what was written


@given(AGENTS)
def test_an_agent_comes_back_from_its_name(agent):
    assert make_agent(name_of(agent)) == agent
    assert name_of(make_agent(name_of(agent))) == name_of(agent)


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("test-parrot", Parrot()),
        ("test-parrot:", Parrot()),
        ("test-parrot:depth=3", Parrot(depth=3)),
        ("test-parrot: depth = -3 , nerve = 1e-3", Parrot(depth=-3, nerve=0.001)),
        ("test-parrot:bold=on", Parrot(bold=True)),
        ("test-parrot:bold=No", Parrot(bold=False)),
        ("test-parrot:label=a b=c", Parrot(label="a b=c")),
        ("test-parrot:mood=wild,level=3", Parrot(mood="wild", level=3)),
        ("test-parrot:cases=/data/my cases", Parrot(cases=Path("/data/my cases"))),
        ("test-parrot:cases=./x.py", Parrot(cases=Path("x.py"))),
        ("test-parrot:cases=[/data/a,b;c],label=[ [x] ]", Parrot(cases=Path("/data/a,b;c"), label=" [x] ")),
        ("test-parrot: words = [ a ; b ] , lead = [ random ]", Parrot(words=("a", "b"), lead=Random())),
        ("test-parrot:words=[a;[b;c];[]],maybe=none", Parrot(words=("a", "b;c", ""))),
        ("test-parrot:limit=none,old=None", Parrot()),
        ("test-parrot:limit=4,old=2", Parrot(limit=4, old=2.0)),
        ("test-parrot:sizes=[0.5;1;2]", Parrot(sizes=(0.5, 1.0, 2.0))),
        ("test-parrot:sizes=3", Parrot(sizes=(3.0,))),
        ("test-parrot:sizes=[]", Parrot(sizes=())),
        ("test-parrot:span=[7;b]", Parrot(span=(7, "b"))),
        ("test-parrot:grid=[[1;2];[];[3]]", Parrot(grid=((1, 2), (), (3,)))),
        ("test-parrot:lead=random", Parrot(lead=Random())),
        ("test-parrot:lead=test-hungry:food=3", Parrot(lead=Hungry(3))),
        ("test-parrot:lead=[test-hungry:food=3,drink=tea],depth=2", Parrot(lead=Hungry(3, "tea"), depth=2)),
        ("test-parrot:members=[random;always-call]", Parrot(members=(Random(), AlwaysCall()))),
        (
            "test-parrot:members=[test-hungry:food=1,drink=tea;random],lead=always-raise",
            Parrot(members=(Hungry(1, "tea"), Random()), lead=AlwaysRaise()),
        ),
        (
            "test-parrot:members=[test-parrot:members=[random;random];random]",
            Parrot(members=(Parrot(members=(Random(), Random())), Random())),
        ),
    ],
)
def test_texts_mean_what_they_say(text, agent):
    assert make_agent(text) == agent
    assert make_agent(name_of(agent)) == agent


@pytest.mark.parametrize(
    ("agent", "text"),
    [
        (Parrot(), "test-parrot"),
        (Parrot(made=()), "test-parrot"),
        (Parrot(depth=3, bold=True), "test-parrot:depth=3,bold=on"),
        (Parrot(rival=None, limit=2), "test-parrot:limit=2"),
        (Parrot(lead=Hungry(3, "tea")), "test-parrot:lead=[test-hungry:food=3,drink=tea]"),
        (Hungry(3), "test-hungry:food=3"),
        (Random(), "random"),
    ],
)
def test_names_leave_out_what_is_as_usual(agent, text):
    assert name_of(agent) == text


@pytest.mark.parametrize("label", ["[", "a]b", "][", "[[x]"])
def test_a_text_whose_brackets_do_not_match_has_no_name(label):
    with pytest.raises(NotationError, match="unbalanced brackets"):
        name_of(Parrot(label=label))


# ------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("allways-call", UnknownAgent, r"unknown agent 'allways-call'; did you mean always-call"),
        ("Always-Call", UnknownAgent, r"did you mean always-call"),
        ("xyz", UnknownAgent, r"unknown agent 'xyz'; known: .*always-call.*random"),
        ("", UnknownAgent, r"unknown agent ''"),
        ("random:depth=3", UnknownAgent, r"random: unknown parameter 'depth'; it takes none"),
        ("test-parrot:dept=3", UnknownAgent, r"test-parrot: unknown parameter 'dept'; did you mean depth"),
        ("test-parrot:hidden=3", UnknownAgent, r"unknown parameter 'hidden'"),
        ("test-hungry", AgentError, r"parameter food is missing; write test-hungry:food="),
        ("test-hungry:drink=tea", AgentError, r"parameter food is missing"),
        ("test-parrot:depth=three", AgentError, r"test-parrot:depth: expected a whole number, got 'three'"),
        ("test-parrot:depth=1.5", AgentError, r"expected a whole number, got '1.5'"),
        ("test-parrot:depth=", AgentError, r"expected a whole number, got ''"),
        ("test-parrot:nerve=high", AgentError, r"test-parrot:nerve: expected a number, got 'high'"),
        ("test-parrot:bold=perhaps", AgentError, r"expected on or off, got 'perhaps'"),
        ("test-parrot:mood=sad", AgentError, r"expected calm or wild, got 'sad'"),
        ("test-parrot:level=4", AgentError, r"expected 1 or 2 or 3, got '4'"),
        ("test-parrot:limit=x", AgentError, r"expected a whole number, got 'x'"),
        ("test-parrot:sizes=[1;x]", AgentError, r"test-parrot:sizes: expected a number, got 'x'"),
        (
            "test-parrot:span=[1;a;b]",
            AgentError,
            r"test-parrot:span: expected a list of 2 items, got 3: 1; a; b",
        ),
        ("test-parrot:members=[random;nobody]", UnknownAgent, r"unknown agent 'nobody'"),
        ("test-odd:how=2", AgentError, r"a parameter of type .*complex.* cannot be given as text, got '2'"),
        (
            "test-parrot:depth",
            NotationError,
            r"test-parrot:depth: expected parameters such as depth=3, got 'depth'",
        ),
        ("test-parrot:=3", NotationError, r"expected parameters such as depth=3, got '=3'"),
        ("test-parrot:depth=3,depth=4", NotationError, r"parameter depth is given twice"),
        ("test-parrot:members=[random", NotationError, r"unbalanced brackets"),
        ("test-parrot:members=random]", NotationError, r"unbalanced brackets"),
        ("test-parrot:members=]random[", NotationError, r"unbalanced brackets"),
    ],
)
def test_a_text_that_names_no_agent_says_what_was_expected(text, error, says):
    with pytest.raises(error, match=says):
        make_agent(text)


def test_a_name_belongs_to_one_class():
    class Thief:
        """Wants a name that is taken."""

    with pytest.raises(
        AgentError,
        match=r"the name 'random' is already taken by holdmem\.players\.rule_based\.random\.Random",
    ):
        register("random", style="another")(Thief)
    Thief.__qualname__ = "Random"  # a class of the same name from another module is another class
    with pytest.raises(AgentError, match="is already taken by"):
        register("random", style="another")(Thief)
    assert type(make_agent("random")) is Random


def test_a_class_may_be_registered_again_when_its_module_is_read_again():
    again = register("test-hungry", style="needs a parameter")(Hungry)
    assert again is Hungry
    assert registered()["test-hungry"].style == "needs a parameter"


# ------------------------------------------------------------------------------------- plug-ins


def test_our_own_agents_are_found_through_the_entry_point():
    code = """if True:
        import sys
        from holdmem.agent import make_agent, registered
        assert "holdmem.players" not in sys.modules
        print(*registered(), make_agent("always-call"))
    """
    *names, made = run(code).stdout.split()
    assert {"always-all-in", "always-call", "random", "simplebot"} < set(names)
    assert names == sorted(names)
    assert made == "AlwaysCall()"


def test_every_module_of_the_entry_point_group_is_loaded(tmp_path, monkeypatch):
    (tmp_path / "their_agents.py").write_text(
        "from holdmem.agent import register\n"
        "@register('theirs', style='calls')\n"
        "class Theirs:\n"
        "    def sit(self, game, tables, rng): ...\n",
        encoding="utf-8",
    )
    theirs = EntryPoint("theirs", "their_agents", "holdmem.agents")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "entry_points", lambda group: [theirs] if group == theirs.group else [])
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    registry._load_plugins.cache_clear()
    assert type(make_agent("theirs")).__name__ == "Theirs"
    registry._load_plugins.cache_clear()


# ------------------------------------------------------------------------------------- agents in files

MYBOT = """from dataclasses import dataclass
from holdmem.players import AlwaysCall, AlwaysRaise
from holdmem.agent import CALL, Agent, bot, register

@bot
def simple(view, nerve=0.5, bold=False, label="x", depth=1):
    return CALL

@dataclass(frozen=True)
class Deep:
    depth: int = 1
    lead: Agent = AlwaysCall()  # noqa: RUF009 - frozen

    def sit(self, game, tables, rng):
        return self.lead.sit(game, tables, rng)

@register("mine", style="registers itself")
@dataclass(frozen=True)
class Mine(Deep):
    pass

class Bare:
    def sit(self, game, tables, rng):
        return AlwaysCall().sit(game, tables, rng)

def no_agent(view):
    return CALL
"""


@pytest.fixture
def mybot(tmp_path):
    path = tmp_path / "mybot.py"
    path.write_text(MYBOT, encoding="utf-8")
    return path


def written(tmp_path, text):
    path = tmp_path / "broken.py"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "rest",
    [
        "simple",
        "simple:nerve=1.0,bold=on,label=hello,depth=3",
        "Deep",
        "Deep:depth=3",
        "Deep:depth=3,lead=always-raise",
        "Mine:depth=2",
    ],
)
def test_agents_in_files_come_back_from_their_names(mybot, rest):
    agent = make_agent(f"{mybot}:{rest}")
    assert make_agent(name_of(agent)) == agent
    assert name_of(agent).startswith(f"{mybot}:")
    assert pickle.loads(pickle.dumps(agent)) == agent
    agent.sit(find_game("limit"), 1, Streams.of(0))


def test_parameters_reach_agents_in_files(mybot, monkeypatch):
    monkeypatch.chdir(mybot.parent)
    assert make_agent("./mybot.py:Deep:depth=3").depth == 3
    assert make_agent("mybot.py:Deep:depth=3") == make_agent(f"{mybot}:Deep:depth=3")
    bold = make_agent("./mybot.py:simple:bold=on,nerve=1,label=4,depth=-2")
    assert dict(bold.settings) == {"bold": True, "depth": -2, "label": "4", "nerve": 1.0}
    assert type(make_agent("./mybot.py:Bare")).__name__ == "Bare"


def test_two_versions_of_a_file_are_two_agents_even_if_both_register_one_name(mybot, tmp_path):
    older = tmp_path / "older.py"
    shutil.copy(mybot, older)
    versions = [make_agent(f"{path}:Mine") for path in (mybot, older)]
    assert versions[0] != versions[1]
    assert [make_agent(name_of(agent)) for agent in versions] == versions
    with pytest.raises(
        AgentError,
        match=r"the name 'random' is already taken by holdmem\.players\.rule_based\.random\.Random",
    ):
        make_agent(f"{written(tmp_path, MYBOT.replace('mine', 'random').replace('Mine', 'Random'))}:Random")


def test_agents_in_files_may_be_parameters(mybot):
    deep = make_agent(f"{mybot}:Deep:depth=3")
    text = f"test-parrot:members=[{mybot}:Deep:depth=3;{mybot}:simple;random],lead={mybot}:Deep:depth=3"
    agent = make_agent(text)
    assert agent.members == (deep, make_agent(f"{mybot}:simple"), Random())
    assert agent.lead == deep
    assert make_agent(name_of(agent)) == agent
    assert make_agent(f"{mybot}:Deep:lead={mybot}:Deep:depth=3").lead == deep


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        ("", r"name the agent in this file as well, such as .*mybot.py:MyBot"),
        (":", r"no agent is called ''; known: Bare, Deep, Mine, simple"),
        (":Deeep", r"no agent is called 'Deeep'; did you mean Deep\?"),
        (":no_agent", r"no agent is called 'no_agent'"),
        (":AlwaysCall", r"no agent is called 'AlwaysCall'"),  # only imported there
        (":Deep:dept=3", r"mybot.py:Deep: unknown parameter 'dept'; did you mean depth\?"),
        (":Deep:depth=x", r"mybot.py:Deep:depth: expected a whole number, got 'x'"),
        (":Bare:depth=3", r"mybot.py:Bare: unknown parameter 'depth'; it takes none"),
        (":simple:dept=3", r"simple: unknown parameter 'dept'; did you mean depth\?"),
        (":simple:depth=x", r"expected a whole number, got 'x'"),
    ],
)
def test_a_text_that_names_no_agent_of_a_file_says_what_was_expected(mybot, rest, says):
    with pytest.raises(AgentError, match=says):
        make_agent(f"{mybot}{rest}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def sit(:\n", r"broken\.py:1: syntax error: "),
        ("x = 1\ny = (\n", r"broken\.py:2: syntax error: "),
        ("x = 1\n\ny = x / 0\n", r"broken\.py:3: cannot be imported: .*ZeroDivisionError"),
        ("import no_such_module_of_mine\n", r"broken\.py:1: .*No module named 'no_such_module_of_mine'"),
        ("x = 1\n", r"no agent is called 'Any'; it has no class with sit\(\) and no @bot function"),
        ("", r"it has no class with sit\(\)"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path, text, says):
    with pytest.raises(AgentError, match=says):
        make_agent(f"{written(tmp_path, text)}:Any")


def test_a_syntax_error_in_a_module_that_the_file_imports_is_found_there(tmp_path, monkeypatch):
    (tmp_path / "their_broken_module.py").write_text("\n\n)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AgentError, match=r"their_broken_module\.py:3: syntax error"):
        make_agent(f"{written(tmp_path, 'import their_broken_module')}:Any")


def test_threads_that_load_one_file_at_once_get_one_agent(tmp_path, monkeypatch):
    """Workers of a cluster run several units in one process; each begins by loading its agents."""
    path = tmp_path / "slow_to_read.py"
    path.write_text(
        "from holdmem import CALL, bot\n\n@bot\ndef calls(view):\n    return CALL\n", encoding="utf-8"
    )
    read = agent_files._AsItIs.get_data

    def slowly(loader, path):
        time.sleep(0.1)
        return read(loader, path)

    monkeypatch.setattr(agent_files._AsItIs, "get_data", slowly)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(make_agent, [f"{path}:calls"] * 8))
    assert found == found[:1] * 8


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(AgentError, match=r"nowhere\.py is not a file"):
        make_agent(f"{tmp_path}/nowhere.py:Bot")


def test_an_edited_file_is_new_code_in_the_next_process(tmp_path):
    """Even when size and second of the edit are the same, which is all that a stored .pyc looks at."""
    path = tmp_path / "edited.py"
    code = """if True:
        import sys
        from holdmem.agent import make_agent
        print(make_agent(sys.argv[1] + ":number").function(None))
    """
    for number in "123":
        path.write_text(
            f"from holdmem.agent import bot\n@bot\ndef number(view): return {number}\n", encoding="utf-8"
        )
        os.utime(path, (1_700_000_000, 1_700_000_000))
        assert run(code, path, PYTHONDONTWRITEBYTECODE="").stdout.strip() == number
    assert not (tmp_path / "__pycache__").exists()
