"""Training: knowledge is kept over the orders, courses side by side are courses alone, commands work."""

import json
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from fresh import run
from holdmem.agent import CALL, Actions, play
from holdmem.agent.seat_state import state_of
from holdmem.cli import app
from holdmem.core.errors import AgentError, GameError, KnowledgeError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import PARTS, find_game
from holdmem.learning.training_batch import TrainingBatch, checkpoint_of, resumed, train
from holdmem.learning.training_runs import BLOCK, TrainingRun, joined, learning_game
from holdmem.learning.value_table_report import DIMENSIONS, aggregate, as_json, labels, triples
from holdmem.players.learners.value_table import read_knowledge
from strangers import called

TWO, THREE = learning_game(), learning_game(3)


def test_the_learners_game_has_a_hundred_big_blinds() -> None:
    assert [stack / TWO.big_blind for stack in TWO.stacks] == [100, 100]
    assert THREE.seats == 3
    assert learning_game(limit=True).limit


def test_courses_side_by_side_are_courses_alone() -> None:
    courses = [
        TrainingRun(TWO, learner, (other,), 60, 2, seed=3)
        for learner in ("action-learner", "outcome-learner:minimum=5")
        for other in ("always-call", "whlbot", "megabot:patience=7")
    ]
    together = train(courses)
    for course, report in zip(courses, together, strict=True):
        (alone,) = train([course], step=7)
        assert np.array_equal(alone.blocks, report.blocks)
        for one, other in zip(alone.knowledge, report.knowledge, strict=True):
            assert np.array_equal(one.values, other.values)
            assert np.array_equal(one.visits, other.visits)


def test_chips_only_change_hands() -> None:
    (report,) = train([TrainingRun(THREE, "action-learner", ("simplebot", "always-call"), 20, 2)])
    assert report.hands == 6 * 20
    assert report.blocks.shape == (2, 2, 3)
    assert not report.blocks.sum(axis=2).any()


def test_both_orders_have_the_same_cards_and_knowledge_is_kept() -> None:
    room = TrainingBatch([TrainingRun(TWO, "action-learner", ("always-call",), 30)])
    dealt = []

    class Looks:
        """Notes the cards that it is dealt."""

        def act(self, views):
            dealt.append((int(views.hand_id["hand"][0]), int(views.seat[0]), tuple(views.hole[0].tolist())))
            return Actions(np.full(len(views), CALL))

    room.seats[1] = Looks()
    room.play(30)
    before = room.knowledge().visits.sum()
    room.play(30)
    assert room.knowledge().hands == 60
    assert room.knowledge().visits.sum() > before > 0
    first = {hand: hole for hand, seat, hole in dealt if seat == 0}
    second = {hand: hole for hand, seat, hole in dealt if seat == 1}
    assert first.keys() & second.keys()
    assert all(first[hand] != second[hand] for hand in first.keys() & second.keys())


def test_winnings_and_moving_averages_are_those_of_the_blocks() -> None:
    (report,) = train([TrainingRun(TWO, "action-learner", ("simplebot",), 600, 5)])
    won = report.blocks[:, :, 0] / (PARTS * TWO.big_blind)
    assert report.winnings().mean == pytest.approx(won.sum() / (5 * 1200))
    assert report.winnings().samples == 5
    coarse = report.coarser(5)
    assert coarse.block == 300
    assert coarse.winnings().mean == pytest.approx(report.winnings().mean)
    assert coarse.bankrolls[:, -1].tolist() == report.bankrolls[:, -1].tolist()
    assert report.winnings(0.5, 1).mean == pytest.approx(won[:, 6:].sum() / (5 * 600))
    average = report.moving_average(window=1000)
    assert average.shape == (5, 3)
    assert average[2, 1] == pytest.approx(won[2, 1:11].sum() / 1000)
    assert BLOCK == 100


def test_a_player_is_shown_the_hands_at_its_tables_only() -> None:
    class Watches:
        """Notes what it is shown."""

        def __init__(self):
            self.seen = []

        def act(self, views):
            return Actions(np.full(len(views), CALL))

        def watch(self, hands):
            self.seen += hands.tables.tolist()
            assert (hands.lineup == hands.player).any(axis=1).all()
            assert len(hands.history) == len(hands.hole) == len(hands)

    players = [Watches() for _ in range(4)]
    where = hand_ids(3)
    decks = Streams(1).decks(where, 9)
    play(find_game("limit"), players, decks, lineup=[[0, 1], [2, 0], [1, 2]], where=where)
    assert [player.seen for player in players] == [[0, 1], [0, 2], [1, 2], []]


def told_by(room: TrainingBatch, file: Path) -> bytes:
    """All that comes of a course, byte for byte: the file of knowledge, the report, everybody's memory."""
    room.knowledge().write(file)
    (report,) = room.reports()
    memories = b"".join(array.tobytes() for array in state_of(room.seats, room.names).values())
    return file.read_bytes() + report.blocks.tobytes() + repr(report.winnings()).encode() + memories


HEADS_UP = [
    "always-call", "simplebot", "whlbot", "megabot:patience=7", "poki", "outcome-learner:minimum=5",
    "mctsbot:iterations=20", "ensemble:members=[whlbot;megabot]", "dynamic:members=[whlbot;simplebot]",
]  # fmt: skip


@pytest.mark.parametrize("other", HEADS_UP)
def test_a_course_that_is_stopped_comes_to_the_same_end(other: str, tmp_path: Path) -> None:
    hands = 8 if other.startswith(("poki", "mctsbot")) else 60
    course, file = TrainingRun(TWO, "action-learner", (other,), hands, 2, seed=2), tmp_path / "some.knowledge"
    whole = TrainingBatch([course])
    whole.play(2 * hands)
    end = told_by(whole, file)
    stops = (1, hands // 2 + 1, hands, 2 * hands - 1)
    part = TrainingBatch([course])
    for stop in stops:
        part.play(stop - part.done)
        part.keep(checkpoint_of(file))
        part = resumed(course, file)
        assert part.done == stop
    part.play(2 * hands)
    assert told_by(part, file) == end


@pytest.mark.parametrize("other", ["casper:retain=own", "casper:retain=seen", "plicas", "simbot:rollouts=4"])
def test_a_course_of_limit_that_is_stopped_comes_to_the_same_end(other: str, tmp_path: Path) -> None:
    limit = learning_game(limit=True)
    course, file = (
        TrainingRun(limit, "outcome-learner:minimum=5", (other,), 12, seed=2),
        tmp_path / "some.knowledge",
    )
    whole = TrainingBatch([course])
    whole.play(24)
    end = told_by(whole, file)
    part = TrainingBatch([course])
    part.play(17)
    part.keep(checkpoint_of(file))
    rest = resumed(course, file)
    rest.play(24)
    assert told_by(rest, file) == end


def test_a_checkpoint_of_another_course_is_refused(tmp_path: Path) -> None:
    course, file = TrainingRun(TWO, "action-learner", ("whlbot",), 80, seed=2), tmp_path / "some.knowledge"
    room = TrainingBatch([course])
    room.play(100)
    room.keep(checkpoint_of(file))
    with pytest.raises(KnowledgeError, match=r"some\.knowledge\.checkpoint: .* seed 2 instead of 3"):
        resumed(replace(course, seed=3), file)
    content = checkpoint_of(file).read_bytes()
    for damaged in (b"", content[: len(content) // 2], content[:-1], b"something else"):
        checkpoint_of(file).write_bytes(damaged)
        with pytest.raises(KnowledgeError, match=r"to resume, got .* omit --resume to start over"):
            resumed(course, file)
    checkpoint_of(file).unlink()
    room.knowledge().write(file)
    with pytest.raises(
        KnowledgeError, match=r"cannot be resumed because .*some\.knowledge\.checkpoint does not exist"
    ):
        resumed(course, file)
    room.play(160)
    room.knowledge().write(file)
    with pytest.raises(KnowledgeError, match="all 160 hands have been played"):
        resumed(course, file)


BAD_STATES = {
    "a player who does not exist": ("seats/0/neighbours/around", lambda found: found + 50),
    "a strategy that does not exist": ("seats/1/current", lambda found: found + 4),
    "infinite winnings": ("seats/1/total", lambda found: found + np.inf),
    "counts below zero": ("seats/0/visits", lambda found: found - 1),
    "absurd counts": ("seats/0/counts", lambda found: found + 2**60),
    "another shape": ("seats/0/lessons", lambda found: found[:, :5]),
    "another type": ("seats/1/since", lambda found: found.astype(np.int32)),
    "Python's objects": ("seats/1/since", lambda found: found.astype(object)),
    "other blocks": ("blocks", lambda found: found[:, :1]),
}


@pytest.mark.parametrize("what", BAD_STATES)
def test_a_state_that_cannot_be_reaches_no_kernel(what: str, tmp_path: Path) -> None:
    course, file = TrainingRun(TWO, "action-learner", ("megabot",), 80), tmp_path / "some.knowledge"
    room = TrainingBatch([course])
    room.play(20)
    room.keep(checkpoint_of(file))
    with np.load(checkpoint_of(file)) as kept:
        arrays = dict(kept)
    name, change = BAD_STATES[what]
    with checkpoint_of(file).open("wb") as opened:
        np.savez(opened, **{**arrays, name: change(arrays[name])})
    with pytest.raises(KnowledgeError, match=r"some\.knowledge\.checkpoint: expected a checkpoint"):
        resumed(course, file)


def test_a_stranger_whose_memory_cannot_be_kept_is_named(tmp_path: Path) -> None:
    room = TrainingBatch([TrainingRun(TWO, "action-learner", (called("Oblivious"),), 80)])
    with pytest.raises(AgentError, match="Oblivious: learns, but its memory cannot be saved"):
        room.keep(tmp_path / "c")


def test_matches_may_be_played_apart() -> None:
    course = TrainingRun(TWO, "action-learner", ("always-call",), 40, 3)
    (whole,) = train([course])
    parts = [train([replace(course, matches=1, first=number)])[0] for number in range(3)]
    assert np.array_equal(joined(parts).blocks, whole.blocks)
    assert len(joined(parts).knowledge) == 3


def test_what_is_no_course() -> None:
    with pytest.raises(GameError, match="expected 1 opponents, got 2"):
        TrainingRun(TWO, "action-learner", ("simplebot", "simplebot"))
    with pytest.raises(GameError, match="hands must be at least 1"):
        TrainingRun(TWO, "action-learner", ("simplebot",), 0)
    with pytest.raises(GameError, match="in one batch must have the same game"):
        TrainingBatch([TrainingRun(TWO, "action-learner", ("simplebot",), hands) for hands in (5, 6)])
    with pytest.raises(AgentError, match="no knowledge to save"):
        TrainingBatch([TrainingRun(TWO, "random", ("simplebot",), 5)]).knowledge()


@pytest.mark.parametrize("learner", ["action-learner:raises=[0.5;1]", "outcome-learner:minimum=0"])
def test_knowledge_is_gathered_by_any_dimension(learner: str) -> None:
    (report,) = train([TrainingRun(TWO, learner, ("simplebot",), 100)])
    known = report.knowledge[0]
    probabilities = triples(known)
    assert np.allclose(probabilities[known.lessons > 0].sum(axis=1), 1)
    assert np.isnan(probabilities[known.lessons == 0]).all()
    for name in DIMENSIONS:
        found = aggregate(known, name)
        assert found.visits.sum() == known.visits.sum() == as_json(known)["visits"]
        assert found.lessons.sum() == known.lessons.sum()
        assert len(labels(known, name)) == len(found.visits)
        weighed = np.nansum(found.triples, axis=1)
        assert np.allclose(weighed[found.lessons > 0], 1)


def learned() -> str:
    """A few hands of every kind of learner, as one text."""
    courses = [
        TrainingRun(game, learner, others, 4)
        for game, others in ((TWO, ("simplebot",)), (THREE, ("always-call", "simplebot")))
        for learner in ("action-learner:raises=[0.5;2]", "outcome-learner:minimum=2,bucketing=NNU")
    ]
    digest = sha256()
    for report in [train([course])[0] for course in courses]:
        digest.update(np.round(report.knowledge[0].values, 9).tobytes() + report.blocks.tobytes())
        digest.update(report.knowledge[0].visits.tobytes())
    return digest.hexdigest()


@pytest.mark.long
def test_learning_is_the_same_uncompiled() -> None:
    code = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        from test_training_runs import learned
        print(learned())
    """
    printed = run(code, Path(__file__).parent, NUMBA_DISABLE_JIT="1").stdout
    assert printed.strip() == learned()


def test_training_and_looking_on_the_command_line(tmp_path) -> None:
    file, picture = tmp_path / "mine.knowledge", tmp_path / "mine.png"
    common = ["train", "action-learner", "--against", "simplebot", "--hands", "60", "--save", str(file)]
    trained = CliRunner().invoke(app, [*common, "--plot", str(picture), "--json", "--matches", "2"])
    assert trained.exit_code == 0, trained.output
    told = json.loads(trained.stdout)
    assert (told["hands"], told["matches"]) == (240, 2)
    assert picture.stat().st_size > 1000
    assert read_knowledge(file).hands == 120
    shown = CliRunner().invoke(app, ["knowledge", str(file), "--plot", str(picture), "--by", "position"])
    assert shown.exit_code == 0, shown.output
    assert "of 2,880 states seen" in shown.stdout
    numbers = json.loads(CliRunner().invoke(app, ["knowledge", str(file), "--json"]).stdout)
    assert numbers["states_seen"] == told["states_seen"]
    assert len(numbers["buckets"]) == 24


@pytest.mark.parametrize("stop", [2, 3])
def test_a_training_that_is_killed_ends_as_if_it_had_not_been(
    stop: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(file: Path, *more: str) -> tuple[int, str]:
        words = ["train", "action-learner", "--against", "whlbot", "--hands", "800", "--every", "0", "--json"]
        found = CliRunner().invoke(app, [*words, "--save", file.name, *more])
        return found.exit_code, found.stdout

    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "whole")
    code, told = train(Path("mine.knowledge"))
    assert code == 0
    monkeypatch.chdir(tmp_path / "parts")
    with monkeypatch.context() as killing:
        calls, play_on = count(1), TrainingBatch.play
        killing.setattr(
            TrainingBatch, "play", lambda *some: sys.exit(9) if next(calls) > stop else play_on(*some)
        )
        assert train(Path("mine.knowledge"))[0] == 9
    assert Path("mine.knowledge.checkpoint").exists()
    assert train(Path("mine.knowledge"), "--resume") == (0, told)
    assert Path("mine.knowledge").read_bytes() == (tmp_path / "whole" / "mine.knowledge").read_bytes()
    assert [path.name for path in Path().iterdir()] == ["mine.knowledge"]
