"""What stored results depend on: whatever matters changes their keys, and pages, commands and docs do not."""

import functools
import gc
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import holdmem
from fresh import run
from holdmem.agent import make_agent
from holdmem.agent.registry import registered
from holdmem.api.play import match
from holdmem.arena.dependencies import LAYERS, files_of, play_digests
from holdmem.arena.design import Design
from holdmem.core.data import DATA
from holdmem.core.errors import HoldMemError
from holdmem.core.random import Streams
from holdmem.engine import find_game
from holdmem.papers.dependencies import data_digests, shipped_data

PACKAGE = Path(holdmem.__file__).parent

KEYS = """
import json, sys
from holdmem.arena import Design
from holdmem.arena.exact import exact_hash
from holdmem.engine import find_game
from holdmem.learning.evolve.evolution_files import source_digest
from holdmem.papers import ExperimentRunner, find_experiments, find_paper
from holdmem.papers.casper import TABLES, RetrievalRun, retrievals
from holdmem.papers.dependencies import code_of_function
from holdmem.papers.runner import unit_hash

limit, nine = find_game("limit"), find_game("casper")
unit = RetrievalRun("adaptive", "casper", 9, 1, 0)
reads = [unit.player, *TABLES[unit.table]]
((_, figure),) = find_experiments([find_paper("casper")], ["figure5.2"])
print(json.dumps({
    "sartre-2 against eqm": Design(limit, ("sartre-2", "eqm")).hash,
    "casper": Design(nine, ("casper", *["poki"] * 8)).hash,
    "rules": Design(limit, ("dpp", "always-call")).hash,
    "a file's agent": Design(limit, (sys.argv[1] + ":mine", "dpp")).hash,
    "exact": exact_hash("eqm", limit, False),
    "evolution": source_digest(),
    "retrievals": unit_hash(retrievals, code_of_function(retrievals), unit, reads),
    "figure5.2": code_of_function(figure.run).digest,
}))
"""
EVERYTHING = {
    "sartre-2 against eqm", "casper", "rules", "a file's agent", "exact", "evolution", "retrievals",
    "figure5.2",
}  # fmt: skip
WITH_ENGINE = EVERYTHING - {"figure5.2"}

HARMLESS = (
    "web/page/lobby.js",
    "web/page/style.css",
    "web/__init__.py",
    "cli/reproduce_commands.py",
    "papers/pages.py",
    "papers/verdicts.py",
    "papers/findings.py",
    "papers/sartre.py",
    "plots/page.py",
    "data/field.json",
    "data/example-review.json",
)
"""Pages, commands, verdicts, other publications and data that no player reads."""

MATTERS = {
    "engine/kernels/betting.py": WITH_ENGINE,
    "players/rule_based/dpp.py": WITH_ENGINE,
    "strength/equity_table.npz": WITH_ENGINE,
    "data/preflop.table": WITH_ENGINE,
    "data/sartre-2/flop.parquet": {"sartre-2 against eqm", "a file's agent"},
    "data/eqm.strategy": {"sartre-2 against eqm", "a file's agent", "exact"},
    "data/casper/cases.json": {"casper", "retrievals", "a file's agent"},
    "learning/learn.py": {"evolution", "retrievals", "a file's agent"},
    "papers/casper_retrieval.py": {"retrievals", "a file's agent"},
}
"""Files, and the keys that a change of each must change; an agent from elsewhere may use any of them."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., dict[str, str]]:
    """Return a function that computes keys with a copy of the package in which some files are changed."""
    place = tmp_path_factory.mktemp("installed")
    shutil.copytree(PACKAGE, place / "src" / "holdmem")
    agent = place / "mybot.py"
    agent.write_text(
        "from holdmem import CALL, bot\n\n\n@bot\ndef mine(view):\n    return CALL\n", encoding="utf-8"
    )

    def keys(*changed: str, edit: Callable[[bytes, str], bytes] = added) -> dict[str, str]:
        files = [place / "src" / "holdmem" / name for name in changed]
        before = [file.read_bytes() for file in files]
        for file, content in zip(files, before, strict=True):
            file.write_bytes(edit(content, file.suffix))
        found: dict[str, str] = json.loads(run(KEYS, agent, sources=place / "src").stdout)
        for file, content in zip(files, before, strict=True):
            file.write_bytes(content)
        return found

    return keys


def added(content: bytes, suffix: str) -> bytes:
    """Add something that changes no behaviour where the file is code."""
    return content + {".py": b"\nADDED = 1\n", ".json": b" "}.get(suffix, b"\n")


def differing(before: dict[str, str], after: dict[str, str]) -> set[str]:
    assert before.keys() == after.keys() == EVERYTHING
    return {name for name in before if before[name] != after[name]}


@pytest.fixture(scope="module")
def unchanged(installed: Callable[..., dict[str, str]]) -> dict[str, str]:
    return installed()


def test_pages_commands_and_verdicts_leave_keys_alone(
    installed: Callable[..., dict[str, str]], unchanged: dict[str, str]
) -> None:
    assert differing(unchanged, installed()) == set(), "the same files, the same keys"
    assert differing(unchanged, installed(*HARMLESS)) == {"a file's agent"}, "which may import any of them"


OFTEN = (
    "engine/kernels/betting.py",
    "players/rule_based/dpp.py",
    "data/sartre-2/flop.parquet",
    "data/eqm.strategy",
)
"""Tested every time; each takes a new process."""


@pytest.mark.parametrize(
    "changed", [pytest.param(name, marks=[] if name in OFTEN else [pytest.mark.long]) for name in MATTERS]
)
def test_what_matters_changes_the_keys_of_what_depends_on_it(
    changed: str, installed: Callable[..., dict[str, str]], unchanged: dict[str, str]
) -> None:
    def edit(content: bytes, suffix: str) -> bytes:
        if changed == "papers/casper_retrieval.py":  # what is added there is used by nothing
            return content.replace(b"player: str, *,", b"player: str, *, unused: int = 0,")
        return added(content, suffix)

    after = installed(changed, edit=edit)
    assert differing(unchanged, after) == MATTERS[changed]


def test_an_experiments_settings_count_and_its_wording_elsewhere_does_not(
    installed: Callable[..., dict[str, str]], unchanged: dict[str, str]
) -> None:
    def table(content: bytes, _: str) -> bytes:
        assert b'"jagbot:loose=0.8"' in content
        return content.replace(b'"jagbot:loose=0.8"', b'"jagbot:loose=0.7"')

    def remark(content: bytes, _: str) -> bytes:
        assert b"Nine seats make" in content
        return content.replace(b"Nine seats make", b"Nine seats lead to")

    assert differing(unchanged, installed("papers/casper_tables.py", edit=table)) == {
        "figure5.2", "retrievals", "a file's agent",
    }  # fmt: skip
    assert differing(unchanged, installed("papers/casper.py", edit=remark)) == {"a file's agent"}


def test_matches_depend_on_the_layers_that_play() -> None:
    assert {"engine", "agent", "players", "cbr", "cfr", "strength", "core", "arena"} <= LAYERS
    assert not {"web", "cli", "papers", "plots", "mcp", "api", "rl", "acpc"} & LAYERS
    assert play_digests().keys() == {"engine", "agents", "tables"}


def test_purposes_count_and_play_is_what_it_was() -> None:
    limit = find_game("limit")
    hashes = {
        Design(limit, ("dpp", "random"), purpose=purpose).hash for purpose in ("play", "record", "test")
    }
    assert len(hashes) == 3
    assert Design(limit, ("dpp", "random"), seed=7).rng("cards") == Streams.of(7, "cards")


OPENED: list[Path] = []
WATCHING = [False]


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and WATCHING[0] and isinstance(arguments[0], str | Path):
        OPENED.append(Path(arguments[0]))


@pytest.fixture(scope="module")
def watched() -> Iterator[list[Path]]:
    """Note every file that Python opens."""
    sys.addaudithook(_note)  # cannot be removed, only silenced
    yield OPENED
    WATCHING[0] = False


def forget_files() -> None:
    """Empty the caches of the package, so that files are read again."""
    for one in gc.get_objects():
        if type(one) is functools._lru_cache_wrapper and one.__module__.startswith(
            ("holdmem.players", "holdmem.cbr.store", "holdmem.cfr.strategy", "holdmem.people", "holdmem.ev")
        ):
            one.cache_clear()


GAMES = [("limit", 2), ("nolimit", 2), ("limit", 3), ("nolimit", 6)]


def sits(name: str, game: str, seats: int) -> bool:
    try:
        make_agent(name).sit(find_game(game, seats), 1, Streams.of(0))
    except HoldMemError:
        return False
    return True


def unlisted(name: str, watched: list[Path], use: Callable[[str, int], object]) -> list[Path]:
    """Return the shipped files that an agent reads in `use` and does not list."""
    listed = {DATA / "playable.csv", *DATA.glob("*.table"), *files_of(make_agent(name))}
    forget_files()
    watched.clear()
    WATCHING[0] = True
    used = [use(game, seats) for game, seats in GAMES if sits(name, game, seats)]
    WATCHING[0] = False
    assert used
    opened = {path.resolve() for path in watched if path.resolve().is_relative_to(DATA.resolve())}
    return [path for path in opened if not any(path.is_relative_to(one.resolve()) for one in listed)]


@pytest.mark.parametrize("name", sorted(registered()))
def test_agents_list_every_shipped_file_that_they_read(name: str, watched: list[Path]) -> None:
    assert unlisted(name, watched, lambda game, seats: game) == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(registered()))
def test_agents_read_no_other_files_at_the_table(name: str, watched: list[Path]) -> None:
    def play(game: str, seats: int) -> object:
        return match(game, name, *["always-call"] * (seats - 1), hands=1, seed=1)

    assert unlisted(name, watched, play) == []


def test_a_file_that_is_not_listed_is_noticed(watched: list[Path]) -> None:
    def peek(game: str, seats: int) -> object:
        return (DATA / "field.json").read_bytes()

    assert unlisted("dpp", watched, peek) == [(DATA / "field.json").resolve()]


@pytest.mark.parametrize(
    ("agent", "read"),
    [
        ("sartre-1", ["sartre-1"]),
        ("casper", ["casper"]),
        ("clone:style=passive", ["passive.people"]),
        ("imitator:expert=eqm-passive", ["imitator-eqm-passive"]),
        ("eqm-nl-passive", ["eqm-nl-passive.strategy"]),
        ("ensemble:members=[sartre-2;clone;dpp]", ["population.people", "sartre-2"]),
        ("dpp", []),
    ],
)
def test_the_files_of_agents_by_name(agent: str, read: list[str]) -> None:
    assert list(data_digests([agent])) == [f"data/{name}" for name in read]


def test_unknown_work_may_read_every_memory_strategy_and_person() -> None:
    names = {path.name for path in shipped_data()}
    assert {"casper", "sartre-1", "sartre-2", "imitator-eqm-nl", "eqm.strategy", "pluribus.people"} <= names
    assert not names & {"field.json", "flop.table", "example-hands.txt.gz"}
