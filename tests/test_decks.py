"""Which decks hands, memories and findings have seen, by purpose and seed."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from holdmem import learn, record
from holdmem.api.memories import merge_cases
from holdmem.arena import Design
from holdmem.arena.units import WorkUnit, plan, play_hands
from holdmem.cli import app
from holdmem.core.errors import NotationError
from holdmem.engine import find_game
from holdmem.history import StoredHands
from holdmem.learning.decks import DeckRange, decks_in, decks_of_hands, overlaps
from holdmem.papers import PAPERS, find_paper
from holdmem.papers.decks import RECORDED_BEFORE, decks_of_memory, memories_seeing_their_decks
from holdmem.papers.dependencies import shipped_data
from holdmem.papers.runner import decks_of_unit
from holdmem.papers.storage import StoredFinding, read_findings
from tasks import Task

LIMIT = find_game("limit")
RESULTS = Path(__file__).parents[1] / "results"
PLAYED = Design(LIMIT, ("always-call", "always-call"), hands=6, matches=3, kind="ring", seed=5)


def dealt(design: Design) -> set[bytes]:
    """Return the decks that a design deals, as the cards of its hands."""
    planned = plan(design)
    blocks = [hands.hole for hands, _ in play_hands(WorkUnit(planned, 0, planned.total))]
    return {np.sort(cards.ravel()).tobytes() for hole in blocks for cards in hole}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"kind": "duplicate"},
        {"kind": "duplicate", "hands": 4, "matches": 2},
        {"hands": 10, "matches": 1},
        {"seed": 6},
        {"purpose": "record"},
        {"purpose": "test"},
    ],
)
def test_shared_decks_are_those_with_the_same_cards(changed: dict[str, object]) -> None:
    other = replace(PLAYED, **changed)
    ours, theirs = DeckRange.of(PLAYED), DeckRange.of(other)
    assert (len(dealt(PLAYED)), len(dealt(other))) == (ours.count, theirs.count)
    assert len(dealt(PLAYED) & dealt(other)) == ours.shared(theirs) == theirs.shared(ours)
    assert overlaps([ours], [theirs]) == bool(ours.shared(theirs))


def test_memories_name_the_decks_of_their_hands(tmp_path: Path) -> None:
    found = []
    for number, purpose in enumerate(("record", "play")):
        folder = tmp_path / purpose
        hands = record("limit", "dpp", "random", folder=folder, hands=60, seed=number, purpose=purpose)
        decks = DeckRange(purpose, number, LIMIT.name, 1, 60)
        assert decks_of_hands(hands) == decks_of_hands(str(folder)) == [decks]
        cases = learn(folder, "dpp")
        assert decks_in(cases.about) == decks_in(learn(hands, "dpp").about) == [decks]
        cases.save(tmp_path / f"cases-{purpose}")
        found.append(decks)
    both = merge_cases(tmp_path / "cases-record", tmp_path / "cases-play")
    assert decks_in(both.about) == found
    assert decks_in(learn([tmp_path / "record", tmp_path / "play"], "dpp").about) == found
    assert decks_in(learn(StoredHands(tmp_path / "record").blocks().__next__().hands, "dpp").about) == []
    shown = CliRunner().invoke(app, ["cases", str(tmp_path / "cases-record")])
    assert "decks: 60 of purpose record, seed 0" in shown.stdout


def test_the_command_records_for_a_purpose(tmp_path: Path) -> None:
    words = ["record", "dpp", "random", "--hands", "20", "--seed", "3", "-o", str(tmp_path / "hands")]
    assert CliRunner().invoke(app, [*words, "--purpose", "record"]).exit_code == 0
    said = json.loads((tmp_path / "hands" / "hands.json").read_text(encoding="utf-8"))["decks"]
    assert said == {"purpose": "record", "seed": 3, "game": LIMIT.name, "matches": 1, "hands": 20}
    wrong = CliRunner().invoke(app, [*words[:-1], str(tmp_path / "other"), "--purpose", "cheat"])
    assert isinstance(wrong.exception, NotationError)
    assert "expected purpose play, record or test, got 'cheat'" in str(wrong.exception)


def test_every_shipped_memory_has_known_decks() -> None:
    memories = [f"data/{path.name}" for path in shipped_data() if path.is_dir()]
    assert sorted(memories) == sorted(RECORDED_BEFORE), "a memory recorded again names its decks: take it out"
    assert all(decks_of_memory(name) == [RECORDED_BEFORE[name]] for name in memories)


def test_the_decks_of_units_of_work() -> None:
    from holdmem.learning.training_runs import TrainingRun, learning_game  # noqa: PLC0415
    from holdmem.papers.casper import RetrievalRun  # noqa: PLC0415
    from holdmem.papers.imitators_oracle import OracleMatch  # noqa: PLC0415
    from holdmem.papers.learners_courses import TrainingJob  # noqa: PLC0415

    assert decks_of_unit(Task(3)) == []
    assert decks_of_unit(RetrievalRun("adaptive", "casper", 9, 2, 51)) == [DeckRange("play", 51, "", 2, 9)]
    assert decks_of_unit(OracleMatch("limit", "eqm", 4, 10, 1, 7)) == [DeckRange("play", 7, "limit", 5, 10)]
    run = TrainingRun(learning_game(2), "action-learner", ("dpp",), 100, 2, 1)
    (decks,) = decks_of_unit(TrainingJob((run,)))
    assert (decks.seed, decks.matches, decks.hands) == (1, 2, 100)


def finding(decks: tuple[DeckRange, ...], *parts: str) -> StoredFinding:
    return StoredFinding(
        "mine", "one", "One", "full", 0, "", 0, "", "", (), (), (), "", {}, dict.fromkeys(parts, ""), decks
    )


def test_findings_on_decks_of_a_recording_are_noticed() -> None:
    casper = RECORDED_BEFORE["data/casper"]
    shared = replace(casper, matches=1, hands=1)
    assert memories_seeing_their_decks(finding((shared,), "data/casper", "engine")) == {"data/casper"}
    assert memories_seeing_their_decks(finding((shared,), "data/sartre-2", "engine")) == set()
    assert memories_seeing_their_decks(finding((replace(shared, purpose="test"),), "data/casper")) == set()
    assert memories_seeing_their_decks(finding((), "data/casper")) == set()


def test_no_stored_finding_tests_a_memory_on_its_own_decks() -> None:
    """Findings made before they named their decks are known to: docs/papers/casper.md says which."""
    kept = [one for name in PAPERS for one in read_findings(RESULTS, find_paper(name)) if one.decks]
    counted = [one for one in kept if (one.paper, one.experiment) != ("sartre", "table2")]
    assert [one.experiment for one in counted if memories_seeing_their_decks(one)] == []
