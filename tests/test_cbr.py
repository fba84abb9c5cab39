"""The library of case-based reasoning: laws of similarity, retrieval beside a twin, memory that adds up."""

import json
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.cbr.box_tree import BoxTree
from holdmem.cbr.builder import CaseBaseBuilder, Experience
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.features.betting import Stepped, code_of, codes_of, letters_of, readable
from holdmem.cbr.features.feature import FEATURES, Features, feature
from holdmem.cbr.maintain import compact, compare, drop_rare_cases, merge_case_bases, merge_cases, report
from holdmem.cbr.representation import Representation, declare
from holdmem.cbr.retain import RetainedCases, combined_solutions
from holdmem.cbr.retrieve import Exact, Nearest, Threshold, scan_cases
from holdmem.cbr.reuse import best_outcome, majority, probabilistic
from holdmem.cbr.similarity import Decay, Equal, Groups, Linear
from holdmem.cbr.solutions import OUTCOME, Solutions
from holdmem.cbr.store import read_cases, write_cases
from holdmem.core.data import DATA
from holdmem.core.errors import NotationError, OutputExists, TableError
from holdmem.engine import CALL, FOLD, STREET_NAMES, find_game
from naive import cbr as naive
from situations import moment

KINDS = ("fold", "call", "raise")


@feature
def shade(views):
    """A class, for tests."""
    return views.seat.astype(np.int64)


@feature
def amount(views):
    """A fraction, for tests."""
    return views.pot / 7


# Similarities


def test_similarities_are_what_the_documents_say() -> None:
    assert Linear(reach=9)(3, 4) == pytest.approx(0.889, abs=1e-3)  # one player's difference: 0.89
    assert Decay(k=1)(2, 3) == pytest.approx(0.368, abs=1e-3)  # one committed bet
    assert Decay(k=4, reach=168)(1, 169) == pytest.approx(np.exp(-4))
    assert Linear(reach=0.5)(0, 3) == 0
    groups = Groups((8, 9, 10), (5, 6, 7), (3, 4), (2,))
    assert groups([8, 7, 4, 2, 11], [10, 8, 3, 2, 11]).tolist() == [1, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [
        ("crrc-crrrrc-cr", "rrc-rrrrc-cr", 0.9),
        ("rrc-cc-cc-rrr", "cc-rc-crc-rrr", 0.8),
        ("rc-cc-r", "rc-cc-r", 1.0),
        ("rc-cc-r", "cc-crc-r", 0.8),  # the button raised in both: first before the flop, second after it
        ("rc-cc-r", "cc-rc-r", 0.0),  # here the other one did
        ("rc-cc-r", "rc-cc-cr", 0.0),
        ("rc-", "cc-", 0.0),
        ("crc-", "rc-", 0.0),
        ("r", "cr", 0.0),
    ],
)
def test_betting_is_compared_by_steps(one: str, other: str, similarity: float) -> None:
    stepped = Stepped()
    assert stepped(np.array([code_of(one)]), np.array([code_of(other)])) == similarity
    assert stepped(np.array([code_of(other)]), np.array([code_of(one)])) == similarity
    assert naive.betting_similarity(one, other) == similarity


STREET = ("cc", "rc", "crc", "rrc", "crrc", "rrrc", "crrrc", "rrrrc")
PARTS = st.sampled_from(STREET)
ACTIVE = st.sampled_from(("", "c", "r", "cr", "rr", "crr"))


@given(st.lists(PARTS, min_size=2, max_size=2), st.lists(PARTS, min_size=2, max_size=2), ACTIVE, ACTIVE)
def test_steps_are_those_of_the_twin(before: list[str], other: list[str], active: str, another: str) -> None:
    one, two = "-".join([*before, active]), "-".join([*other, another])
    found = Stepped()(np.array([code_of(one)]), np.array([code_of(two)]))[0]
    assert found == naive.betting_similarity(one, two)


def test_steps_of_all_pairs_on_the_turn_are_those_of_the_twin() -> None:
    texts = [f"{one}-{two}-r" for one, two in product(STREET[:7], STREET)]
    codes = np.array([code_of(text) for text in texts])
    found = Stepped()(codes[:, None], codes[None])
    assert found.tolist() == [[naive.betting_similarity(one, other) for other in texts] for one in texts]


def test_more_seats_write_more_letters() -> None:
    stepped = Stepped(seats=3)
    # Seat 2 folds, then blinds: who raised on the flop is told by the seats that are left.
    one, other, third = (np.array([code_of(text)]) for text in ("frrc-cr", "fcrrc-cr", "crfc-cr"))
    assert stepped(one, other)[0] == 0.9  # seats 0 and 1 raised once each, in another order
    assert stepped(one, third)[0] == 0.0


@given(st.integers(0, 2**32 - 1))
def test_betting_of_views_is_what_was_done(seed: int) -> None:
    _, _, views = moment(find_game("limit"), seed)
    for code, view in zip(codes_of(views).tolist(), views, strict=True):
        streets = [""] * (view.street + 1)
        for street, _, to in view.history:
            streets[street] += "f" if to == FOLD else "c" if to == CALL else "r"
        assert letters_of(code) == "-".join(streets)
        assert code_of(letters_of(code)) == code


def test_a_sequence_too_long_for_a_number_is_still_told_apart() -> None:
    with pytest.raises(NotationError, match="25 letters"):
        code_of("c" * 26)
    _, _, views = moment(find_game("nolimit", 10), 3)
    assert len(codes_of(views)) == len(views)
    assert letters_of(-17).startswith("…")


@pytest.mark.parametrize(
    "wrong",
    [lambda: Linear(0), lambda: Decay(-1), lambda: Stepped((0.5, 0.9, 0.1)), lambda: Groups((1, 2), (2, 3)),
     Features, lambda: Features(nonsense=Equal()), lambda: SHADES.with_weights(shade=0, hand_class=0),
     lambda: SHADES.with_weights(other=1), lambda: Threshold(1.2), lambda: Nearest(0)],
)  # fmt: skip
def test_declarations_that_mean_nothing_are_refused(wrong) -> None:
    with pytest.raises(NotationError):
        wrong()


# Retrieval


def some_cases(rng: np.random.Generator, features: Features, count: int) -> Cases:
    """Few different values, so that many similarities are equal."""
    sequences = np.array([code_of(text) for text in ("rc-r", "cc-r", "crc-r", "rc-c")])
    draw = {
        "shade": lambda n: rng.integers(0, 4, n),
        "amount": lambda n: rng.integers(0, 5, n) / 4,
        "betting": lambda n: rng.choice(sequences, n),
        "hand_class": lambda n: rng.integers(0, 3, n),
    }
    values = {name: draw[name](count) for name in features.names}
    counts = rng.integers(0, 3, (count, 3))
    counts[:, 1] += 1
    won = rng.integers(-3, 4, (count, 3)) * OUTCOME * (counts > 0)
    return Cases(features, values, Solutions(counts, counts.copy(), won))


def rows_of(values) -> list[dict[str, float]]:
    return [
        dict(zip(values, row, strict=True))
        for row in zip(*(column.tolist() for column in values.values()), strict=True)
    ]


GENERAL = Features(shade=Groups((0, 1), (2,)), amount=Decay(2.0), hand_class=Equal()).with_weights(
    amount=3, shade=0.5
)
LINEAR = Features(amount=Linear(0.75), shade=Equal())


@settings(max_examples=40)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([GENERAL, LINEAR]),
    st.integers(1, 30),
    st.sampled_from([0.5, 0.9, 1.0]),
)
def test_retrieval_is_that_of_the_twin(seed: int, features: Features, count: int, least: float) -> None:
    rng = np.random.default_rng(seed)
    cases, targets = some_cases(rng, features, count), some_cases(rng, features, 5).values
    for rule, numbers in ((Threshold(least, 6, 3), (least, 6, 3)), (Nearest(4), (0.0, 4, 4))):
        found = cases.where(targets, rule)
        for row, target in enumerate(rows_of(targets)):
            expected = naive.retrieve(
                features, rows_of(cases.values), cases.solutions.seen.tolist(), target, *numbers
            )
            used = found.places[row] >= 0
            assert (found.places[row][used].tolist(), found.similar[row][used].tolist()) == expected


KEYS = Features(hand_class=Equal(), betting=Stepped(), shade=Equal())


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([GENERAL, LINEAR, KEYS, KEYS.with_weights(betting=0)]),
    st.integers(1, 400),
    st.sampled_from([0.0, 0.5, 0.8, 1.0]),
    st.integers(1, 40),
    st.integers(0, 10),
)
def test_the_tree_finds_what_a_scan_finds(seed, features, count, least, most, otherwise) -> None:
    rng = np.random.default_rng(seed)
    cases, values = some_cases(rng, features, count), some_cases(rng, features, 5).values
    if "amount" in values:
        values["amount"] = rng.choice([-1.0, 0.1, 0.25, 0.6, 3.0], 5)
    if "hand_class" in values:  # enough different rows for several boxes, also where all features are keys
        values["hand_class"], cases.values["hand_class"] = rng.integers(0, 13, 5), rng.integers(0, 13, count)
    memory = cases.memory
    slow = scan_cases(memory, values, least, most, otherwise)
    tree = BoxTree(memory.plan, memory.columns, memory.seen, cases_per_level=0)
    places, similar = np.empty_like(slow.places), np.empty_like(slow.similar)
    tree.find(memory.plan, memory.targets(values), int(least * 1e9), most, otherwise, places, similar)
    assert places.tolist() == slow.places.tolist()
    assert similar.tolist() == slow.similar.tolist()


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.sampled_from([(1, 1, 1), (1, 2, 0.5), (0, 1, 1)]))
def test_the_index_finds_what_looking_at_all_cases_finds(seed: int, count: int, weights) -> None:
    rng = np.random.default_rng(seed)
    features = KEYS.with_weights(**dict(zip(KEYS.names, weights, strict=True)))
    cases, targets = some_cases(rng, features, count), some_cases(rng, features, 20).values
    quick, slow = cases.where(targets, Nearest(1)), cases.where(targets, Threshold(0.0, 1, 1))
    assert quick.places.tolist() == slow.places.tolist()
    assert quick.similar.tolist() == slow.similar.tolist()


def test_ties_prefer_the_case_seen_more_often() -> None:
    features = Features(hand_class=Equal(), shade=Equal())
    counts = np.array([[0, 1, 0], [0, 5, 0], [9, 0, 0], [0, 5, 0]])
    cases = Cases(
        features,
        {"hand_class": np.array([1, 1, 2, 3]), "shade": np.array([1, 2, 9, 1])},
        Solutions(counts, counts, counts * 0),
    )
    target = {"hand_class": np.array([1, 8]), "shade": np.array([7, 7])}
    assert cases.where(target, Nearest(1)).places.tolist() == [
        [1],
        [2],
    ]  # of 0 and 1; then of all, the most seen
    assert cases.where(target, Exact()).places.tolist() == [[-1], [-1]]


# Re-use


def solutions(counts, won) -> Solutions:
    counts = np.array([counts])
    return Solutions(counts, counts, np.array([won]) * OUTCOME * counts)


@given(st.integers(0, 2**32 - 1))
def test_solutions_are_added_up_as_the_twin_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cases, places = some_cases(rng, SHADES, 30).solutions, rng.integers(-1, 30, (5, 4))
    found = cases.over(places)
    for part in ("counts", "settled", "won"):
        rows = getattr(cases, part).tolist()
        assert getattr(found, part).tolist() == [naive.summed(rows, row) for row in places.tolist()]


def test_policies_choose_as_the_document_says() -> None:
    one = solutions([2, 3, 5], [4, -1, 0])
    assert probabilistic(one).tolist() == [[2, 3, 5]]
    assert majority(one).tolist() == [[0, 0, 1]]
    assert best_outcome(one).tolist() == [[1, 0, 0]]
    never = solutions([0, 1, 3], [9, -2, -5])
    assert best_outcome(never).tolist() == [[0, 1, 0]]  # what was never done has an outcome of −∞
    assert never.outcomes[0, 0] == -np.inf


def test_ties_of_actions_are_broken_by_rule() -> None:
    assert majority(solutions([4, 4, 4], [0, 0, 0])).tolist() == [[0, 1, 0]]
    assert majority(solutions([4, 1, 4], [0, 0, 0])).tolist() == [[0, 0, 1]]
    assert best_outcome(solutions([1, 2, 6], [3, 3, 3])).tolist() == [[0, 0, 1]]
    unknown = Solutions(np.array([[1, 5, 2]]), np.zeros((1, 3), int), np.zeros((1, 3), int))
    assert best_outcome(unknown).tolist() == [[0, 1, 0]]


# Maintenance, storage, retaining

SHADES = Features(hand_class=Equal(), shade=Equal())
TESTED = declare(Representation("tested", (SHADES,) * 4))


def base_of(*streets: Cases) -> CaseBase:
    return CaseBase(
        TESTED, streets or tuple(some_cases(np.random.default_rng(k), SHADES, 30) for k in range(4))
    )


@given(st.integers(0, 2**32 - 1))
def test_merging_keeps_every_count_and_outcome(seed: int) -> None:
    cases = some_cases(np.random.default_rng(seed), SHADES, 50)
    one = merge_cases(cases, KINDS)
    for part in ("counts", "settled", "won"):
        assert (
            getattr(one.solutions, part).sum(axis=0).tolist()
            == getattr(cases.solutions, part).sum(axis=0).tolist()
        )
    keys = list(zip(*(column.tolist() for column in one.values.values()), strict=True))
    assert (
        len(keys)
        == len(set(keys))
        == len({*zip(*(column.tolist() for column in cases.values.values()), strict=True)})
    )


def test_merging_in_any_order_gives_the_same_memory() -> None:
    one, other = base_of(), base_of(*(some_cases(np.random.default_rng(k + 9), SHADES, 20) for k in range(4)))
    there, back = merge_case_bases([one, other]), merge_case_bases([other, one])
    for first, second in zip(there.streets, back.streets, strict=True):
        assert first.solutions.won.tolist() == second.solutions.won.tolist()
        assert {name: column.tolist() for name, column in first.values.items()} == {
            name: column.tolist() for name, column in second.values.items()
        }
    with pytest.raises(NotationError, match="one representation"):
        merge_case_bases([one, CaseBase.empty(Representation("other", (SHADES,) * 4))])


def test_forgetting_and_reporting() -> None:
    base = compact(base_of())
    kept = drop_rare_cases(base, seen_less_than=8)
    assert all((cases.solutions.seen >= 8).all() for cases in kept.streets)
    assert [len(cases) for cases in drop_rare_cases(base, most=3).streets] == [3] * 4
    rows = report(base)
    assert rows[0].redundancy == pytest.approx(1 - rows[0].cases / rows[0].decisions)
    same = compare(base, base)
    assert all((row.shared, row.agreement, row.distance) == (1, 1, 0) for row in same)
    assert compare(base, kept)[0].shared < 1


def test_a_case_base_comes_back_from_disk(tmp_path: Path) -> None:
    base = compact(base_of())
    write_cases(base, tmp_path / "cases", {"expert": "somebody"})
    back = read_cases(tmp_path / "cases")
    assert back.about["expert"] == "somebody"
    assert back.counts == base.counts == back.about["counts"]
    for mine, theirs in zip(base.streets, back.streets, strict=True):
        for part in ("counts", "settled", "won"):
            assert getattr(mine.solutions, part).tolist() == getattr(theirs.solutions, part).tolist()
    assert read_cases(tmp_path / "cases") is back
    with pytest.raises(OutputExists, match="already exists"):
        write_cases(base, tmp_path / "cases")


def test_damaged_case_bases_are_named(tmp_path: Path) -> None:
    write_cases(compact(base_of()), tmp_path / "cases")
    (tmp_path / "cases" / "cases.json").write_text('{"format": "something else"}', encoding="utf-8")
    with pytest.raises(TableError, match="expected format"):
        read_cases(tmp_path / "cases")
    with pytest.raises(TableError, match=r"cases\.json"):
        read_cases(tmp_path)


@pytest.mark.parametrize("file", [*(f"{name}.parquet" for name in STREET_NAMES), "cases.json"])
def test_a_changed_byte_anywhere_is_found_by_the_digest(tmp_path: Path, file: str) -> None:
    write_cases(compact(base_of()), tmp_path / "cases", {"expert": "somebody"})
    path = tmp_path / "cases" / file
    content = bytearray(path.read_bytes())
    place = content.index(b"somebody") if file == "cases.json" else len(content) // 2
    content[place] ^= 1
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"cases: damaged or edited: .* digest .* learn it again"):
        read_cases(tmp_path / "cases")


def without_digest(folder: Path, **changed: Any) -> None:
    """Make it a case base of an earlier version, whose header had no digest, with other fields."""
    said = json.loads((folder / "cases.json").read_text(encoding="utf-8")) | changed
    said.pop("digest", None)
    (folder / "cases.json").write_text(json.dumps(said), encoding="utf-8")


def test_a_case_base_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    base = compact(base_of())
    write_cases(base, tmp_path / "cases")
    without_digest(tmp_path / "cases")
    assert read_cases(tmp_path / "cases").counts == base.counts


BAD_COLUMNS = {
    "no such class of cards": (pl.col("hand_class").cast(pl.Int64) + 169, "hand_class of case 0 is"),
    "five streets of betting": (pl.lit(code_of("----c")).alias("betting"), "betting of case 0 is"),
    "a letter that does not exist": (pl.lit(5).alias("betting"), "betting of case 0 is 5"),
    "twenty-six letters": (pl.lit(5**26).alias("betting"), "betting of case 0 is"),
    "counts below zero": (pl.lit(-1).alias("call"), "case 0 has impossible counts"),
    "absurd counts": (pl.lit(2**41).alias("fold"), "case 0 has impossible counts"),
    "more results than decisions": (
        (pl.col("call").cast(pl.Int64) + 1).alias("call_settled"), "case 0 has impossible counts",
    ),
    "absurd sums": (pl.lit(2**62).alias("raise_won"), "column 'raise_won' has sums beyond"),
    "text": (pl.lit("many").alias("call"), "column 'call' has the wrong type"),
    "fractions of decisions": (pl.lit(0.5).alias("call"), "column 'call' has the wrong type"),
    "nothing": (pl.lit(None, pl.Int64).alias("call"), "column 'call' has .* missing values"),
    "infinity": (pl.lit(float("inf")).alias("hand_class"), "hand_class of case 0 is inf"),
    "other counts than the header's": (pl.col("call").cast(pl.Int64) + 1, "the header gives"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD_COLUMNS)
def test_cases_that_cannot_be_reach_no_kernel(tmp_path: Path, what: str) -> None:
    column, reason = BAD_COLUMNS[what]
    shutil.copytree(DATA / "sartre-2", tmp_path / "cases")
    path = tmp_path / "cases" / "preflop.parquet"
    pl.read_parquet(path).with_columns(column).write_parquet(path)
    without_digest(tmp_path / "cases")
    with pytest.raises(TableError, match=rf"preflop\.parquet: .*{reason}"):
        read_cases(tmp_path / "cases")


def test_a_case_base_without_a_column_is_named(tmp_path: Path) -> None:
    shutil.copytree(DATA / "sartre-2", tmp_path / "cases")
    path = tmp_path / "cases" / "flop.parquet"
    pl.read_parquet(path).drop("board_texture").write_parquet(path)
    without_digest(tmp_path / "cases")
    with pytest.raises(TableError, match=r"flop\.parquet: .*no column 'board_texture'"):
        read_cases(tmp_path / "cases")


@pytest.mark.parametrize("name", sorted(path.parent.name for path in DATA.glob("*/cases.json")))
def test_every_shipped_memory_has_a_digest_and_is_what_it_says(name: str) -> None:
    base = read_cases(DATA / name)
    assert len(base.about["digest"]) == 64
    assert base.counts == base.about["counts"]
    for cases in base.streets:  # all results are known, so one array serves for both counts
        assert np.shares_memory(cases.solutions.counts, cases.solutions.settled)


@pytest.mark.parametrize(
    ("name", "value"),
    [("outcome_step", 0), ("outcome_step", "1"), ("outcome_step", 1.5), ("counts", []), ("counts", {}),
     ("marks", {"7000": [1, 2, 3]}), ("marks", 5), ("table", {"gives_up": "often"}), ("table", [])],
)  # fmt: skip
def test_a_header_of_other_types_is_named(tmp_path: Path, name: str, value: Any) -> None:
    write_cases(compact(base_of()), tmp_path / "cases")
    without_digest(tmp_path / "cases", **{name: value})
    with pytest.raises(TableError, match=rf"cases\.json: expected {name} to be"):
        read_cases(tmp_path / "cases")


@given(st.lists(st.sampled_from("crf-"), max_size=25).map("".join))
def test_every_betting_sequence_is_readable_unless_it_has_five_streets(letters: str) -> None:
    assert readable(np.array([code_of(letters)])).tolist() == [letters.count("-") < 4]


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_retained_cases_are_found_as_if_they_had_been_merged(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = merge_cases(some_cases(rng, SHADES, 15), KINDS)
    additions = RetainedCases(known)
    new = [some_cases(rng, SHADES, 4) for _ in range(3)]
    for cases in new:
        additions.add(cases)
    every = known
    for cases in new:
        frame = base_of(every, every, every, every), base_of(cases, cases, cases, cases)
        every = merge_case_bases(frame).streets[0]
    targets = some_cases(rng, SHADES, 10).values
    found = combined_solutions(Nearest(1), known, known.where(targets, Nearest(1)), additions.cases, targets)
    expected = every.where(targets, Nearest(1))
    best = every.solutions.over(expected.places)
    assert found.seen.tolist() == best.seen.tolist()  # which of equally good ones is stored first may differ


@given(st.integers(0, 2**32 - 1))
def test_gathering_counts_every_decision_once(seed: int) -> None:
    _, _, views = moment(find_game("limit"), seed)
    count = len(views)
    experience = Experience(
        views, np.zeros(count, np.int64), np.full(count, 2520 * 10), np.ones(count, bool), np.arange(count)
    )
    gathering = CaseBaseBuilder(TESTED)
    gathering.add(experience)
    gathering.add(experience)
    base = gathering.take()
    assert gathering.decisions == 2 * count == sum(row["decisions"] for row in base.counts.values())
    for cases in base.streets:
        assert (cases.solutions.outcomes[:, 1] == 1.0).all()  # ten chips are one small bet


def test_features_are_known_by_name() -> None:
    assert {"hand_class", "hand_type", "board_texture", "betting"} <= set(FEATURES)
    with pytest.raises(NotationError, match="one number for each"):
        feature(lambda views: views.hole, lambda value: "").of(moment(find_game("limit"), 1)[2])


def test_cases_may_stay_single(tmp_path: Path) -> None:
    single = declare(
        Representation("single", (SHADES.with_weights(shade=0),) * 4, Threshold(0.5), merged=False)
    )
    _, _, views = moment(find_game("limit"), 4)
    count = len(views)
    zeros = np.zeros(count, np.int64)
    gathering = CaseBaseBuilder(single)
    for _ in range(3):
        gathering.add(Experience(views, zeros, zeros, np.ones(count, bool), np.arange(count)))
    write_cases(gathering.take(), tmp_path / "cases")
    base = read_cases(tmp_path / "cases")
    assert len(base) == 3 * count
    assert len(merge_case_bases([base, base])) == 6 * count
    assert (base.recall(views)[2] >= 3).all()
