"""SARTRE: its classes of cards, its two memories and the three ways to re-use them."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem import check_agent, find_game, make_agent, match
from holdmem.arena import Design
from holdmem.cards import board as board_of
from holdmem.cards import category, evaluate, hole
from holdmem.cbr.features.betting import code_of
from holdmem.cbr.features.hand_types import (
    HAND_TYPES,
    MADE,
    TEXTURES,
    hand_type_name,
    hand_types,
    texture_name,
    textures,
)
from holdmem.cbr.store import write_cases
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.random import Streams
from holdmem.history import StoredHands
from holdmem.learning.learn import learn
from holdmem.learning.record import record
from holdmem.players.sartre import SARTRE_1, SARTRE_2
from naive import cbr as naive
from selections import quick_and_long
from situations import moment

SEEDS = st.integers(0, 2**32 - 1)


def dealt(rng: np.random.Generator, count: int, cards: int) -> tuple[np.ndarray, np.ndarray]:
    """Hole cards and boards of so many cards."""
    decks = rng.permuted(np.tile(np.arange(52), (count, 1)), axis=1)
    boards = np.full((count, 5), -1)
    boards[:, :cards] = decks[:, 2 : 2 + cards]
    return decks[:, :2], boards


def one_type(cards: str, board: str) -> str:
    boards = np.full((1, 5), -1)
    boards[0, : len(board_of(board))] = board_of(board)
    return hand_type_name(int(hand_types(np.array([hole(cards)]), boards)[0]))


@pytest.mark.parametrize(
    ("cards", "board", "name"),
    [
        ("AhKd", "7s8s2d", "two-overcards"),
        ("AhKh", "7h8h2d", "two-overcards-with-flush-draw"),
        ("9c6c", "7s8s2d", "one-overcard-with-straight-draw"),
        ("9h6h", "7h8h2d", "one-overcard-with-flush-and-straight-draw"),
        ("JcTc", "7s8s2d", "two-overcards-with-gutshot"),
        ("AcKd", "QsJh2d", "two-overcards-with-gutshot"),  # only a ten fills AKQJ
        ("Qc8c", "JsTd6h", "one-overcard-with-gutshot"),  # only a nine
        ("Qc8c", "JsTd7h", "one-overcard-with-gutshot"),
        ("Qc8c", "Ts6d4h", "one-overcard"),
        ("Jc7c", "9s8d5h", "one-overcard-with-straight-draw"),  # a ten or a six: a double gutshot
        ("5c5d", "7s8s2d", "middle-pair"),
        ("2c2h", "7s8s3d", "low-pair"),
        ("8c3c", "7s8s2d", "top-pair"),
        ("9c9d", "7s8s2d", "over-pair"),
        ("AcKd", "7s7h2d", "board-pair-and-overcard"),
        ("6c5d", "7s7h8d", "board-pair-with-straight-draw"),
        ("AcKd", "AsKh2d", "two-pair"),
        ("AcQd", "AsKhKd", "high-pair-and-board-pair"),
        ("2cQd", "2sKhKd", "low-pair-and-board-pair"),
        ("7cQd", "7s7h2d", "trips"),
        ("7c7d", "7s3h2d", "set"),
        ("AcKd", "7s7h7d", "board-trips"),
        ("6c5d", "7s8s9d", "two-card-straight"),
        ("Ac2d", "3s4s5d", "two-card-straight"),
        ("6cKd", "7s8s9dTc", "one-card-straight"),
        ("2cKd", "5s6s7s8h9d", "board-straight"),
        ("TcKd", "5s6s7s8h9d", "one-card-straight"),
        ("AhKh", "7h8h2h", "two-card-flush"),
        ("AhKd", "7h8h2h5h", "one-card-flush"),
        ("2c3d", "7h8hJhKh5h", "board-flush"),
        ("2c6h", "7h8hJhKh5h", "one-card-flush"),
        ("2h3d", "7h8hJhKh5h", "board-flush"),
        ("6h5d", "7h8h9h", "two-card-straight-with-flush-draw"),
        ("7c7d", "7s2h2d", "full-house"),
        ("AcKd", "7s7h7d2c2d", "board-full-house"),
        ("7c7d", "7s7h2d", "quads"),
        ("AcKd", "7s7h7d7c2d", "board-quads"),
        ("6h5h", "7h8h9h", "straight-flush"),
    ],
)
def test_hand_types_by_example(cards: str, board: str, name: str) -> None:
    assert one_type(cards, board) == name


@given(SEEDS, st.sampled_from([3, 4, 5]))
def test_hand_types_and_textures_are_those_of_the_twin(seed: int, cards: int) -> None:
    holes, boards = dealt(np.random.default_rng(seed), 30, cards)
    types, kinds = hand_types(holes, boards), textures(boards)
    for mine, table, number, kind in zip(
        holes.tolist(), boards[:, :cards].tolist(), types, kinds, strict=True
    ):
        assert hand_type_name(number) == naive.hand_type(mine, table)
        assert texture_name(kind) == naive.texture(table)


CATEGORIES = {
    "high card": MADE[:3], "pair": MADE[3:9], "two pair": MADE[9:13], "three of a kind": MADE[13:16],
    "straight": MADE[16:19], "flush": MADE[19:22], "full house": MADE[22:24], "four of a kind": MADE[24:26],
    "straight flush": MADE[26:],
}  # fmt: skip


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_every_hand_has_one_listed_type_of_its_category(cards: int) -> None:
    holes, boards = dealt(np.random.default_rng(cards), 40_000, cards)
    types = hand_types(holes, boards)
    assert set(types.tolist()) <= set(HAND_TYPES)
    assert set(textures(boards).tolist()) <= set(TEXTURES)
    strengths = evaluate(np.hstack([holes, boards[:, :cards]]))
    for number, strength in {(int(a), category(int(b))) for a, b in zip(types, strengths, strict=True)}:
        assert MADE[number // 5] in CATEGORIES[strength]
    if cards == 5:
        assert (types % 5 == 0).all()  # no draws on the river


def test_names_are_different() -> None:
    assert len({hand_type_name(number) for number in HAND_TYPES}) == len(HAND_TYPES) == 94
    assert len({texture_name(number) for number in TEXTURES}) == 18


@given(SEEDS, st.sampled_from([3, 4, 5]))
def test_suits_do_not_matter(seed: int, cards: int) -> None:
    holes, boards = dealt(np.random.default_rng(seed), 20, cards)
    types, kinds = hand_types(holes, boards).tolist(), textures(boards).tolist()
    for suits in permutations(range(4)):
        other_holes = holes // 4 * 4 + np.array(suits)[holes % 4]
        other_boards = np.where(boards >= 0, boards // 4 * 4 + np.array(suits)[boards % 4], -1)
        assert hand_types(other_holes, other_boards).tolist() == types
        assert textures(other_boards).tolist() == kinds


def test_boards_that_are_none_are_refused() -> None:
    with pytest.raises(NotationError, match="three to five"):
        textures(np.full((1, 5), -1))


# Memories


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Case bases of both kinds, learned from random play."""
    place = tmp_path_factory.mktemp("sartre")
    record(Design(find_game("limit"), ("random", "random"), hands=6000, kind="ring", seed=5), place / "hands")
    for kind in (SARTRE_1, SARTRE_2):
        lesson = learn(StoredHands(place / "hands"), "random", kind)
        write_cases(lesson.base, place / kind.name)
    return place


def agent(folder, name: str, **choices: str):
    said = "".join(f",{key}={value}" for key, value in choices.items())
    return make_agent(f"{name}:cases={folder / name}{said}")


@pytest.mark.parametrize(
    "policy",
    [
        pytest.param("majority", marks=pytest.mark.long),
        "probabilistic",
        pytest.param("best-outcome", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", quick_and_long(["sartre-1", "sartre-2"], ["sartre-2"]))
def test_sartre_has_manners(folder, name: str, policy: str) -> None:
    found = check_agent(
        agent(folder, name, policy=policy), [find_game("limit"), find_game("nolimit")], seed=0
    )
    assert not found.problems
    assert [title for title, _ in found.declined] == ["holdem.nolimit.2p.reverse_blinds, 2 seats"]


def test_both_kinds_remember_the_same_decisions(folder) -> None:
    one, other = (
        agent(folder, name).sit(find_game("limit"), 1, Streams(0)).base for name in ("sartre-1", "sartre-2")
    )
    assert one.counts == other.counts
    assert one.counts["preflop"]["cases"] < one.counts["preflop"]["decisions"] / 4


def test_they_agree_where_a_case_matches_and_1_calls_otherwise(folder) -> None:
    """Merged cases must play as single ones would: SARTRE-1 combines all that match exactly."""
    game = find_game("limit")
    first, second = (
        agent(folder, name, policy="probabilistic").sit(game, 1, Streams(0))
        for name in ("sartre-1", "sartre-2")
    )
    unknown = 0
    for seed in range(60):
        views = moment(game, seed, tables=20)[2]
        exact = first.base.recall(views)[2] > 0
        one, other = first.policy(views), second.policy(views)
        assert np.allclose(one.probabilities[exact], other.probabilities[exact])
        assert (second.base.recall(views)[2] == 1).all()  # the nearest case, whatever its similarity
        for row in np.flatnonzero(~exact):
            unknown += 1
            assert one.codes[row][one.probabilities[row] > 0].tolist() == [0]
    assert unknown > 20


def test_explanations_show_the_case(folder) -> None:
    game = find_game("limit")
    views = next(
        views for views in (moment(game, seed)[2] for seed in range(50)) if (views.street == 2).any()
    )
    view = views[int(np.argmax(views.street == 2))]
    found = agent(folder, "sartre-2").sit(game, 1, Streams(0)).explain(view)
    assert found.situation.startswith("Turn, ")
    assert "hand_type" in found.details[0].facts
    assert len(found.details) == 2
    facts = found.details[1].facts
    assert all("similarity" in str(facts[name]) for name in ("hand_type", "betting", "board_texture"))
    locals_ = [
        float(str(facts[name]).rpartition(" ")[2][:-1]) for name in ("hand_type", "betting", "board_texture")
    ]
    assert found.details[1].weight == pytest.approx(sum(locals_) / 3)
    assert {"fold", "call", "raise"} & set(facts)
    assert sum(chance for _, chance in found.probabilities) == pytest.approx(1)


def test_cases_of_the_other_kind_are_refused(folder) -> None:
    with pytest.raises(AgentError, match="expected cases of sartre-1"):
        make_agent(f"sartre-1:cases={folder / 'sartre-2'}").sit(find_game("limit"), 1, Streams(0))


@pytest.mark.parametrize("retain", ["own", "seen"])
def test_memory_learns_at_the_table(folder, retain: str) -> None:
    text = f"memory:cases={folder / 'sartre-2'},policy=best-outcome,retain={retain}"
    if retain == "own":
        assert not check_agent(make_agent(text), [find_game("limit")], seed=0).problems
    static = match(
        find_game("limit"), text.replace(f",retain={retain}", ""), "always-call", hands=30, matches=2
    )
    learning = match(find_game("limit"), text, "always-call", hands=30, matches=2)
    assert static.estimates()[0].mean != learning.estimates()[0].mean


def test_preflop_betting_is_kept_in_letters(folder) -> None:
    base = agent(folder, "sartre-2").sit(find_game("limit"), 1, Streams(0)).base
    known = set(base.streets[0].values["betting"].tolist())
    assert known == {code_of(text) for text in ("", "c", "r", "cr", "rr", "crr", "rrr", "crrr")}


@pytest.mark.parametrize("name", ["sartre-1", "sartre-2"])
def test_the_shipped_memory_is_of_the_balanced_expert(name: str) -> None:
    base = make_agent(name).sit(find_game("limit"), 1, Streams(0)).base
    assert base.about["expert"] == "eqm"
    assert base.about["unseen"] == 0
    overall = base.about["imitation"][-1]
    assert overall["agreement"] > overall["baseline_agreement"] + 0.2
    assert overall["log_loss"] < overall["baseline_log_loss"] / 2
    sizes = [file.stat().st_size for file in (DATA / name).iterdir()]
    assert sum(sizes) < 2_000_000
