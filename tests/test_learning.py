"""Recording, learning, reviewing: the same bytes from any number of workers, and counts that add up."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from holdmem import FOLD, find_game
from holdmem.arena import Design
from holdmem.cbr.features.betting import letters_of
from holdmem.cli import app
from holdmem.core.errors import AgentError, NotationError
from holdmem.history import Hands, StoredHands, read_hands, replay
from holdmem.learning import learn as learning
from holdmem.learning.learn import learn
from holdmem.learning.record import record
from holdmem.learning.review import review
from holdmem.players.sartre import SARTRE_1, SARTRE_2
from real_hands import DATA, needs_data

HANDS = 1500
CASES = """
from holdmem.cbr import Equal, Features, Linear, Nearest, Representation, feature

@feature
def price(views):
    return views.to_call / (views.pot + views.to_call)

MINE = Representation("mine", (Features(price=Linear(1.0), hand_class=Equal()),) * 4, Nearest(3))
"""


def design(*agents: str, **choices) -> Design:
    return Design(find_game("limit"), agents, kind="ring", **{"hands": HANDS, "seed": 3, **choices})


@pytest.fixture(scope="module")
def hands(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("recorded") / "hands"
    assert record(design("random", "random"), folder) == HANDS
    return folder


def run(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output
    return done.stdout


def test_recorded_hands_are_playable_and_fully_known(hands: Path) -> None:
    header = StoredHands(hands).header
    assert (header["hands"], header["agents"]) == (HANDS, ["random", "random"])
    for block in StoredHands(hands):
        assert block.players == ("random",)
        assert block.known[block.seated].all()
        assert sum(len(decisions) for decisions in replay(block)) == block.rows["actions"].sum()


def test_workers_write_the_same_bytes(hands: Path, tmp_path: Path) -> None:
    record(design("random", "random"), tmp_path / "hands", workers=2)
    files = sorted(path.name for path in hands.iterdir())
    assert files == sorted(path.name for path in (tmp_path / "hands").iterdir())
    assert all((hands / name).read_bytes() == (tmp_path / "hands" / name).read_bytes() for name in files)


def test_an_agent_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "from holdmem import bot\n@bot\ndef bad(view):\n    return 0 if view.street < 2 else 1 // 0\n",
        encoding="utf-8",
    )
    with pytest.raises(AgentError, match="ZeroDivisionError"):
        record(design(f"{file}:bad", "always-call"), tmp_path / "hands")
    assert not (tmp_path / "hands").exists()


def by_hand(blocks, player: str) -> dict[str, int]:
    """Decisions counted one at a time."""
    counts: dict[str, int] = {}
    for block in blocks:
        for decisions in replay(block):
            for view, action, who in zip(decisions.views, decisions.actions, decisions.player, strict=True):
                if block.players[who] == player and view.street == 0:
                    letters = "".join("c" if to == 0 else "r" for _, _, to in view.history)
                    kind = "f" if action < 0 else "c" if action == 0 else "r"
                    counts[letters + kind] = counts.get(letters + kind, 0) + 1
    return counts


def test_what_is_learned_is_what_was_done(hands: Path) -> None:
    base = learn(StoredHands(hands), "random", SARTRE_2, held_out=0).base
    cases = base.streets[0]
    found: dict[str, int] = {}
    for code, counts in zip(cases.values["betting"].tolist(), cases.solutions.counts.tolist(), strict=True):
        for letter, count in zip("fcr", counts, strict=True):
            key = letters_of(code) + letter
            found[key] = found.get(key, 0) + count
    assert {key: count for key, count in found.items() if count} == by_hand(StoredHands(hands), "random")


def test_outcomes_are_the_net_of_the_whole_hand_in_small_bets(tmp_path: Path) -> None:
    record(design("always-raise", "always-call", hands=400), tmp_path / "hands")
    base = learn(StoredHands(tmp_path / "hands"), "always-raise", SARTRE_2, held_out=0).base
    totals = [cases.solutions.won.sum() / 1e6 for cases in base.streets]
    net = sum(block.rows["net"][block.rows["player"] == 0].sum() for block in StoredHands(tmp_path / "hands"))
    # always-raise acts once on the river, and every hand gets there.
    assert totals[3] == pytest.approx(net / 2520 / 10)
    for cases in base.streets:
        assert cases.solutions.counts[:, :2].sum() == 0


def test_held_out_hands_are_learned_after_all_when_they_are_many(hands: Path, monkeypatch) -> None:
    all_of_them = learn(StoredHands(hands), "random", SARTRE_2, held_out=0).about["decisions"]
    few = learn(StoredHands(hands), "random", SARTRE_2, held_out=5).about
    assert few["decisions"] + few["held_out_decisions"] == all_of_them
    monkeypatch.setattr(learning, "MOST_HELD", 100)
    blocks = [
        block[start : start + 300] for block in StoredHands(hands) for start in range(0, len(block), 300)
    ]
    thin = learn(blocks, "random", SARTRE_2, held_out=5).about
    assert thin["decisions"] + thin["held_out_decisions"] == all_of_them
    assert 0 < thin["held_out_decisions"] < few["held_out_decisions"] / 2


def test_imitation_of_a_certain_player_is_perfect(tmp_path: Path) -> None:
    record(design("always-call", "random", hands=800), tmp_path / "hands")
    rows = learn(StoredHands(tmp_path / "hands"), "always-call", SARTRE_2).imitation
    assert [row.street for row in rows] == ["preflop", "flop", "turn", "river", "all"]
    assert all(row.agreement == row.baseline_agreement == 1.0 for row in rows)
    assert all(row.log_loss < 0.5 for row in rows)


def test_the_same_memory_from_blocks_of_any_size(hands: Path) -> None:
    one = learn(StoredHands(hands), "random", SARTRE_1).base
    blocks = [
        block[start : start + 113] for block in StoredHands(hands) for start in range(0, len(block), 113)
    ]
    other = learn(blocks, "random", SARTRE_1).base
    assert one.counts == other.counts
    for mine, theirs in zip(one.streets, other.streets, strict=True):
        assert mine.solutions.won.tolist() == theirs.solutions.won.tolist()


def test_most_stops_at_the_number(hands: Path) -> None:
    assert learn(StoredHands(hands), "random", SARTRE_1, most=700).about["decisions"] == 700


def hidden(block: Hands, seen: np.ndarray) -> Hands:
    """The same hands with cards known only where `seen` says so."""
    rows = block.rows.copy()
    rows["hole"][~seen] = -1
    return replace(block, rows=rows)


def test_a_memory_of_showdowns_says_so(hands: Path) -> None:
    blocks = []
    for block in StoredHands(hands):
        board = (block.rows["board"] >= 0).all(axis=1)
        folded = np.array([FOLD in block.actions_of(place) for place in range(len(block))])
        blocks.append(hidden(block, np.repeat((board & ~folded)[:, None], 10, axis=1)))
    lesson = learn(blocks, "random", SARTRE_2)
    assert lesson.about["showdowns_only"]
    assert 0.3 < lesson.about["unseen"] < 0.95
    assert any("folded hands are missing" in warning for warning in lesson.warnings)
    with pytest.raises(NotationError, match="cards of random are known"):
        learn([hidden(block, np.zeros((len(block), 10), bool)) for block in blocks], "random", SARTRE_2)


def test_nothing_to_learn_is_said(hands: Path, tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="known: random"):
        learn(StoredHands(hands), "hero", SARTRE_2)
    record(replace(design("random", "random", hands=20), game=find_game("nolimit")), tmp_path / "nolimit")
    with pytest.raises(NotationError, match="expected a limit game"):
        learn(StoredHands(tmp_path / "nolimit"), "random", SARTRE_2)


# The command line


@pytest.fixture(scope="module")
def cases(hands: Path, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("cases")
    run("learn", hands, "--player", "random", "-o", folder / "two")
    run("learn", hands, "--player", "random", "--as", "sartre-1", "-o", folder / "one", "--most", 900)
    return folder


def test_learn_and_describe(cases: Path) -> None:
    header = json.loads((cases / "two" / "cases.json").read_text(encoding="utf-8"))
    assert header["expert"] == "random"
    assert header["features"]["turn"]["betting"] == "Stepped(steps=(1.0, 0.9, 0.8), seats=2)"
    assert {"agreement", "log_loss", "baseline_log_loss"} <= set(header["imitation"][0])
    assert "imitation on" in run("cases", cases / "two")
    answer = json.loads(run("cases", cases / "two", "--json"))
    assert answer["report"][0]["cases"] == header["counts"]["preflop"]["cases"]
    assert len(answer["most_used"]["flop"]) == 5


def test_compare_and_merge(cases: Path, tmp_path: Path) -> None:
    same = json.loads(run("cases", cases / "two", cases / "two", "--json"))
    assert all(row["shared"] == row["agreement"] == 1 for row in same["streets"])
    run("cases", cases / "two", cases / "two", "-o", tmp_path / "both")
    merged = json.loads((tmp_path / "both" / "cases.json").read_text(encoding="utf-8"))
    header = json.loads((cases / "two" / "cases.json").read_text(encoding="utf-8"))
    for street, row in merged["counts"].items():
        assert row["cases"] == header["counts"][street]["cases"]
        assert row["decisions"] == 2 * header["counts"][street]["decisions"]
    run("cases", cases / "two", cases / "two", "-o", tmp_path / "few", "--forget", 4)
    assert (
        json.loads((tmp_path / "few" / "cases.json").read_text(encoding="utf-8"))["counts"]
        != merged["counts"]
    )


def test_explain_a_state(cases: Path) -> None:
    state = "MATCHSTATE:0:1:rc/:AhKd|/7s8s2d"
    command = ["explain", f"sartre-2:cases={cases / 'two'}", "--state", state]
    plain = run(*command)
    assert "no pair, two overcards" in plain
    assert "hand_type" not in plain
    assert "two-overcards" in run(*command, "--details")
    answer = json.loads(run(*command, "--json"))
    assert answer["details"][0]["facts"]["hand_type"].startswith("two-overcards")
    assert sum(row["probability"] for row in answer["actions"]) == pytest.approx(1)
    assert answer["decision"].startswith("It ")


def test_review_with_a_page(hands: Path, cases: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    arguments = ["review", hands, "--player", "random", "--against", f"sartre-2:cases={cases / 'two'}"]
    answer = json.loads(run(*arguments, "--json", "--html", page))
    assert [one["rank"] for one in answer["differences"]] == [1, 2, 3, 4, 5]
    assert not {"cost", "score"} & set(answer["differences"][0])
    text, written = run(*arguments), page.read_text(encoding="utf-8")
    assert written.count("<h3>") == 5
    assert "differences by rank" in text
    for shown in (text, written):
        assert not re.search(r"big blinds|small bets|\bbb\b", shown), "a rank has no unit"


def test_review_agrees_with_oneself(tmp_path: Path) -> None:
    record(design("always-call", "random", hands=300), tmp_path / "hands")
    found = review(StoredHands(tmp_path / "hands"), "always-call", "always-call")
    assert found.agreed == found.decisions
    assert found.differences == []
    other = review(StoredHands(tmp_path / "hands"), "always-call", "always-raise")
    assert len(other.differences) == 5
    with pytest.raises(AgentError, match="does not give action probabilities"):
        review(StoredHands(tmp_path / "hands"), "always-call", "random")
    with pytest.raises(NotationError, match="known: always-call, random"):
        review(StoredHands(tmp_path / "hands"), "hero", "always-call")


def test_a_representation_of_ones_own(hands: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mycases.py").write_text(CASES, encoding="utf-8")
    run("learn", hands, "--player", "random", "--as", "./mycases.py:MINE", "-o", "mine")
    assert "100.0%" in run("explain", "memory:cases=mine", "--state", "MATCHSTATE:1:0::|AhKd")
    assert "0 of" not in run("check", "memory:cases=mine", "--game", "limit", "--game", "casper")


@needs_data
def test_real_logs_are_learned_from() -> None:
    lesson = learn(read_hands(DATA / "acpc" / "2p.limit.h1000.r0.log"), "p1", SARTRE_2, held_out=0)
    assert lesson.about["hands"] == 1000
    assert lesson.about["unseen"] == 0
