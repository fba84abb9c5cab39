"""Hands that cases were made of: every case has some, and each hand, replayed, leads to its case."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem.arena import Design
from holdmem.arena.design import content_hash
from holdmem.cbr.candidates import fewest_hands, tickets
from holdmem.cbr.card_codes import pack_cards, unpack_cards
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.check import digest_of
from holdmem.cbr.hand_file import from_bytes, pack, to_bytes, unpack
from holdmem.cbr.link import LinkedDecisions, choose_typical
from holdmem.cbr.maintain import compact, drop_rare_cases, merge_case_bases
from holdmem.cbr.remembered import MOST_HANDS, RememberedHand
from holdmem.cbr.representation import Representation, find_representation
from holdmem.cbr.retain import RetainedCases
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.store import HANDS, HEADER, read_cases
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.errors import TableError
from holdmem.engine import STREET_NAMES, find_game
from holdmem.history import Hands, RecordedHand, StoredHands, join, read_hands, replay, replay_results
from holdmem.learning import learn as learning
from holdmem.learning.learn import learn
from holdmem.learning.record import record
from pokerstars_hands import READABLE
from selections import quick_and_long

SHIPPED = sorted(path.parent.name for path in DATA.glob(f"*/{HEADER}"))
SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Hands:
    """Hands of an expert against itself and another."""
    folder = tmp_path_factory.mktemp("remembered")
    blocks = []
    for place, other in enumerate(("jagbot", "dpp")):
        design = Design(find_game("limit"), ("jagbot", other), kind="ring", hands=300, seed=place)
        record(design, folder / other)
        blocks += StoredHands(folder / other)
    return join(blocks)


def learned(hands: Hands, name: str = "sartre-2", block: int = 10_000, **options) -> CaseBase:
    blocks = (hands[start : start + block] for start in range(0, len(hands), block))
    return learn(blocks, "jagbot", find_representation(name), **options).base


@pytest.fixture(scope="module", params=quick_and_long(["sartre-2", "casper"], ["casper"]))
def base(request, recorded: Hands) -> CaseBase:
    return learned(recorded, request.param)


def content(hand: RecordedHand) -> tuple:
    """What makes a hand, without its number and the order of its hole cards and flop."""
    flop = tuple(sorted(hand.board[:3]))
    return (
        hand.terms, tuple(hand.names), hand.stacks, tuple(tuple(sorted(two)) for two in hand.hole),
        (*flop, *hand.board[3:]), hand.betting, hand.net, hand.rake, hand.second,
    )  # fmt: skip


def expect_its_case(kept: RememberedHand, cases: Cases, place: int, representation: Representation) -> None:
    """The engine replays the hand to its result, and at the decision the expert sees this very case."""
    assert len(kept.hands) == 1
    results = replay_results(kept.hands)
    assert results.settled.all()
    assert results.stands.all()
    seats = kept.hands[0].terms.game.seats
    assert results.net[0, :seats].tolist() == list(kept.hands[0].net)
    decisions = next(replay(kept.hands))
    view = decisions.views[np.array([kept.decision])]
    assert view.seat[0] == kept.seat
    for name, value in cases.features.of(view).items():
        assert value[0] == cases.values[name][place], name
    kind = int(representation.actions.kinds(view, decisions.actions[[kept.decision]])[0])
    assert cases.solutions.counts[place, kind] > 0
    if cases.solutions.seen[place] == 1:
        won = decisions.net[kept.decision] / (2520 * view.game.unit[0])
        assert cases.solutions.outcomes[place, kind] == pytest.approx(won, abs=1e-6)


def all_examples(base: CaseBase) -> list[list[tuple]]:
    """Hand, seat and decision of all examples of all cases."""
    return [
        [(content(kept.hands[0]), kept.seat, kept.decision) for kept in cases.examples(place)]
        for cases in base.streets
        for place in range(0, len(cases), 7)
    ]


# What ships


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_case_has_one_to_three_hands_that_lead_to_it(name: str) -> None:
    base = read_cases(DATA / name)
    rng = np.random.default_rng(7)
    for cases in base.streets:
        count = (cases.remembered.hand >= 0).sum(axis=1)
        assert count.min() >= 1
        assert count.max() <= MOST_HANDS
        for place in rng.choice(len(cases), 12, replace=False).tolist():
            shown = cases.examples(place)
            assert len(shown) == count[place]
            for kept in shown:
                expect_its_case(kept, cases, place, base.representation)


def test_shipped_memories_with_their_hands_are_small() -> None:
    files = [file for name in SHIPPED for file in (DATA / name).iterdir()]
    assert sum(file.stat().st_size for file in files) < 6_500_000


@pytest.mark.parametrize("name", SHIPPED)
def test_hardly_a_shipped_hand_is_there_in_vain(name: str) -> None:
    """Learning keeps only hands that a case shows; these were learned when others were chosen as typical."""
    base = read_cases(DATA / name)
    shown = np.unique(np.concatenate([cases.remembered.hand.ravel() for cases in base.streets]))
    assert np.count_nonzero(shown >= 0) > 0.99 * len(base.pool)


# Learning


def sample(cases: Cases, most: int = 120) -> range:
    """Indices of cases at even distances."""
    return range(0, len(cases), max(1, len(cases) // most))


def test_every_case_shows_hands_it_was_made_of(base: CaseBase, recorded: Hands) -> None:
    played = {content(hand) for hand in recorded}
    for cases in base.streets:
        for place in sample(cases):
            shown = cases.examples(place)
            assert 1 <= len(shown) <= MOST_HANDS
            assert len({content(kept.hands[0]) for kept in shown}) == len(shown)
            for kept in shown:
                assert content(kept.hands[0]) in played
                assert kept.hands[0].names[kept.seat] == "jagbot"
            expect_its_case(shown[0], cases, place, base.representation)


def test_the_first_hand_shows_what_the_expert_did_most_often(recorded: Hands) -> None:
    base = learned(recorded)
    for cases in base.streets:
        for place in sample(cases):
            kept = cases.examples(place)[0]
            decisions = next(replay(kept.hands))
            view = decisions.views[np.array([kept.decision])]
            kind = int(base.representation.actions.kinds(view, decisions.actions[[kept.decision]])[0])
            assert cases.solutions.counts[place, kind] == cases.solutions.counts[place].max()


@pytest.mark.parametrize("name", ["sartre-2", "casper"])
def test_the_same_bytes_for_any_blocks(name: str, recorded: Hands, tmp_path, monkeypatch) -> None:
    learned(recorded, name).save(tmp_path / "one")
    monkeypatch.setattr("holdmem.cbr.builder.PENDING", 300)
    monkeypatch.setattr("holdmem.cbr.candidates.PENDING_HANDS", 50)
    learned(recorded, name, block=37).save(tmp_path / "other")
    names = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert HANDS in names
    for file in names:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()


def test_hands_held_out_and_learned_later_are_kept_too(recorded: Hands, monkeypatch) -> None:
    monkeypatch.setattr(learning, "MOST_HELD", 20)
    monkeypatch.setattr("holdmem.cbr.builder.PENDING", 300)
    monkeypatch.setattr("holdmem.cbr.candidates.PENDING_HANDS", 50)
    base = learned(recorded, block=100, held_out=3)
    for cases in base.streets:
        assert (cases.remembered.hand >= 0).any(axis=1).all()


def shown_results(won: dict[int, list[int]]) -> list[tuple[int, int]]:
    """Kinds and results of the hands that a case shows, given the results of each kind of action."""
    kind = np.repeat(list(won), [len(results) for results in won.values()])
    result, place = np.concatenate(list(won.values())), np.arange(len(kind))
    counts = np.array([[len(won.get(kind, ())) for kind in range(3)]])
    decisions = LinkedDecisions(np.zeros_like(place), place, place, kind, result)
    hand, decision = choose_typical(decisions, Solutions(counts, counts, counts))
    assert hand[0].tolist() == decision[0].tolist()
    return [(int(kind[one]), int(result[one])) for one in hand[0] if one >= 0]


def test_typical_hands_spread_over_the_results() -> None:
    """The middle, a good and a bad result; never the rare split pot for being nearest to the mean."""
    assert shown_results({2: [-7, -5, 1, 4, 6]}) == [(2, 1), (2, 6), (2, -7)]
    assert shown_results({2: [-3] * 4 + [0] + [4] * 4 + [5]}) == [(2, 4), (2, 4), (2, -3)]
    assert shown_results({1: [3, -2]}) == [(1, 3), (1, -2)]


def test_kinds_of_actions_share_the_hands_shown() -> None:
    assert shown_results({0: [-1] * 4, 1: [-9, 2, 2, 2, 9], 2: [8] * 2}) == [(1, 2), (0, -1), (1, 2)]
    assert shown_results({1: [5] * 20, 2: [7]}) == [(1, 5)] * 3


def test_no_more_hands_are_kept_than_cases(recorded: Hands) -> None:
    base = learned(recorded)
    assert len(base.pool) < len(base) / 2


@given(SEEDS)
def test_the_fewest_hands_cover_every_case(seed: int) -> None:
    rng = np.random.default_rng(seed)
    case, hand = rng.integers(0, 30, 200), rng.integers(0, 60, 200)
    chosen = fewest_hands(case, hand)
    assert set(case[np.isin(hand, chosen)]) == set(case)
    assert len(chosen) <= len(set(case))
    order = rng.permutation(200)
    assert fewest_hands(case[order], hand[order]).tolist() == chosen.tolist()


def test_a_hand_that_stands_for_all_cases_is_the_only_one() -> None:
    assert fewest_hands(np.array([0, 1, 2, 0, 1, 2]), np.array([5, 6, 7, 9, 9, 9])).tolist() == [9]


def test_tickets_differ() -> None:
    assert len(np.unique(tickets(np.arange(100_000)))) == 100_000


# On disk


def test_hands_are_the_same_after_a_round_trip(base: CaseBase, tmp_path) -> None:
    base.save(tmp_path / "cases")
    again = read_cases(tmp_path / "cases")
    assert all_examples(again) == all_examples(base)
    again.save(tmp_path / "twice")
    for file in (HANDS, *(f"{street}.parquet" for street in STREET_NAMES)):
        assert (tmp_path / "cases" / file).read_bytes() == (tmp_path / "twice" / file).read_bytes()


@given(SEEDS, st.integers(2, 10))
def test_cards_survive_packing(seed: int, seats: int) -> None:
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.int8), (40, 1)), axis=1)
    hole, board = decks[:, : 2 * seats].reshape(40, seats, 2).copy(), decks[:, 40:45].copy()
    for dealt in (4, 3, 0):
        board[rng.random(40) < 0.2, dealt:] = -1
    hole[rng.random((40, seats)) < 0.2] = -1
    hole[rng.random((40, seats)) < 0.1, 1] = -1
    found, boards = unpack_cards(pack_cards(hole, board), seats)
    assert (np.sort(found, axis=2) == np.sort(hole, axis=2)).all()
    assert (np.sort(boards[:, :3], axis=1) == np.sort(board[:, :3], axis=1)).all()
    assert (boards[:, 3:] == board[:, 3:]).all()


def test_hands_of_a_site_keep_everything_but_the_line(tmp_path) -> None:
    """Rake, money, unknown cards, time, table, number and second boards are kept."""
    (tmp_path / "a.txt").write_text(
        "\n\n\n".join(sample.text for sample in READABLE.values()), encoding="utf-8"
    )
    hands = join(list(read_hands(tmp_path / "a.txt")))
    found, _ = unpack(from_bytes(to_bytes(pack(hands, hands.seated)), "here"), "here")
    assert len(hands) > 10
    for one, other in zip(hands, found, strict=True):
        assert content(one) == content(other) or one.net is None
        told = ("number", "table", "time", "site", "rake")
        assert [getattr(one, name) for name in told] == [getattr(other, name) for name in told]


@pytest.fixture
def saved(recorded: Hands, tmp_path) -> Path:
    learned(recorded).save(tmp_path / "cases")
    return tmp_path / "cases"


def sign(folder: Path) -> None:
    """Give a case base the digest of its contents."""
    header = json.loads((folder / HEADER).read_text(encoding="utf-8"))
    files = [*(folder / f"{street}.parquet" for street in STREET_NAMES), folder / HANDS]
    digest = digest_of(header, [file.read_bytes() for file in files])
    (folder / HEADER).write_text(json.dumps(header | {"digest": digest}), encoding="utf-8")


def test_a_damaged_file_of_hands_is_one_clear_error(saved: Path) -> None:
    data = bytearray((saved / HANDS).read_bytes())
    data[len(data) // 2] ^= 255
    (saved / HANDS).write_bytes(data)
    with pytest.raises(TableError, match="damaged or edited") as caught:
        read_cases(saved)
    assert "\n" not in str(caught.value)


def test_a_missing_file_of_hands_is_an_error(saved: Path) -> None:
    (saved / HANDS).unlink()
    with pytest.raises(TableError, match=r"hands\.parquet"):
        read_cases(saved)


DAMAGES = {
    "an illegal action": {"betting": lambda values: ["7", *values[1:]]},
    "betting that is no number": {"betting": lambda values: ["all in", *values[1:]]},
    "no betting": {"betting": lambda values: [None, *values[1:]]},
    "too few": {"betting": lambda values: values[1:]},
    "no game": {"game": lambda values: ["{}", *values[1:]]},
    "a stack too many": {"stacks": lambda values: [values[0] + " 3", *values[1:]]},
    "one player": {"players": lambda values: ['[["jagbot", 1]]', *values[1:]]},
    "no list": {"players": lambda values: 7},
    "something else": {"players": lambda values: [[1, 2], *values[1:]]},
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_hands_with_a_valid_digest_are_one_clear_error(damage: str, saved: Path) -> None:
    frame = pl.read_parquet(saved / HANDS)
    for name, change in DAMAGES[damage].items():
        text = json.dumps(change(json.loads(frame[name][0])))
        frame = frame.with_columns(pl.Series(name, [text]))
    frame.write_parquet(saved / HANDS)
    sign(saved)
    with pytest.raises(TableError) as caught:
        read_cases(saved).streets[0].examples(0)
    assert str(saved / HANDS) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("codes", [b"", b"\xff" * 4, None])
def test_damaged_cards_with_a_valid_digest_are_one_clear_error(codes: bytes | None, saved: Path) -> None:
    frame = pl.read_parquet(saved / HANDS)
    count = frame["hands"][0]
    spoiled = b"\xff" * len(frame["cards_2"][0]) if codes is None else codes * count
    frame = frame.with_columns(pl.Series("cards_2", [spoiled]))
    frame.write_parquet(saved / HANDS)
    sign(saved)
    with pytest.raises(TableError, match="hands of cases"):
        read_cases(saved).streets[0].examples(0)


@pytest.mark.parametrize(
    ("column", "value"), [("kept_hand_0", 10**6), ("kept_hand_0", -5), ("kept_action_0", 40)]
)
def test_a_link_to_nothing_is_an_error(column: str, value: int, recorded: Hands, tmp_path) -> None:
    learned(recorded, "casper").save(tmp_path / "cases")
    file = tmp_path / "cases" / "flop.parquet"
    frame = pl.read_parquet(file)
    steps = frame[column].cast(pl.Int64).to_list()
    frame.with_columns(pl.Series(column, [steps[0] + value, *steps[1:]])).write_parquet(file)
    sign(tmp_path / "cases")
    with pytest.raises(TableError):
        read_cases(tmp_path / "cases").streets[1].examples(0)


def test_a_case_base_without_hands_has_no_examples(saved: Path, tmp_path) -> None:
    """As older versions wrote them: no hands, no field in the header, another digest."""
    header = json.loads((saved / HEADER).read_text(encoding="utf-8"))
    del header["kept_hands"]
    (saved / HANDS).unlink()
    files = [(saved / f"{street}.parquet").read_bytes() for street in STREET_NAMES]
    (saved / HEADER).write_text(json.dumps(header | {"digest": digest_of(header, files)}), encoding="utf-8")
    old = read_cases(saved)
    assert old.pool is None
    assert all(cases.examples(0) == () for cases in old.streets)
    old.save(tmp_path / "again")
    assert not (tmp_path / "again" / HANDS).exists()


# Maintenance


def test_merged_case_bases_show_the_hands_of_both(recorded: Hands, base: CaseBase) -> None:
    name = base.representation.name
    halves = [learned(recorded[:300], name), learned(recorded[300:], name)]
    both = merge_case_bases(halves)
    for street, cases in enumerate(both.streets):
        assert (cases.remembered.hand >= 0).any(axis=1).all()
        for place in range(0, len(cases), 11):
            for kept in cases.examples(place):
                expect_its_case(kept, cases, place, both.representation)
        assert len(cases) >= len(halves[0].streets[street])
    assert len(merge_case_bases([halves[0], halves[0]]).pool) == len(halves[0].pool)


def test_merging_with_a_case_base_without_hands(recorded: Hands, base: CaseBase) -> None:
    plain = replace(base, streets=tuple(replace(cases, remembered=None) for cases in base.streets))
    both = merge_case_bases([plain, base])
    assert len(both.pool) == len(base.pool)
    shown = [len(cases.examples(len(cases) - 1)) for cases in both.streets]
    assert min(shown) >= 1


def test_compacted_and_rarer_case_bases_keep_hands_of_their_cases(base: CaseBase, tmp_path) -> None:
    small = drop_rare_cases(compact(base), 2)
    small.save(tmp_path / "small")
    again = read_cases(tmp_path / "small")
    assert len(again.pool) < len(base.pool)
    for cases in again.streets:
        for place in range(0, len(cases), 5):
            shown = cases.examples(place)
            assert shown
            expect_its_case(shown[-1], cases, place, base.representation)


def test_leading_cases_have_their_hands(base: CaseBase) -> None:
    for cases in base.streets:
        few = cases[:9]
        assert [few.examples(place)[0].decision for place in range(9)] == [
            cases.examples(place)[0].decision for place in range(9)
        ]


def test_cases_retained_at_the_table_show_what_was_known(recorded: Hands) -> None:
    base = learned(recorded)
    known = base.streets[0]
    retained = RetainedCases(known)
    one = replace(known[np.array([3])], remembered=None)
    retained.add(one)
    place = int(np.flatnonzero([len(retained.all.examples(k)) > 0 for k in range(len(retained.all))])[-1])
    assert place == len(retained.all) - 1  # the superseded case is the last, with its hands
    again = RetainedCases(known)
    again.restore(retained.state())
    assert len(again.all.examples(len(again.all) - 1)) == len(known.examples(3))


def test_show_prints_a_case_with_its_hands(saved: Path) -> None:
    done = CliRunner().invoke(app, ["cases", str(saved), "--show", "flop:3"])
    assert done.exit_code == 0, done.output
    assert "case flop:3, seen" in done.output
    assert "before the flop (pot 15)" in done.output
    told = json.loads(CliRunner().invoke(app, ["cases", str(saved), "--show", "flop:3", "--json"]).output)
    assert 1 <= len(told["hands"]) <= MOST_HANDS
    for hand in told["hands"]:
        assert hand["actions"][hand["decision"]]["player"] == hand["expert"] == "jagbot"
    for wrong in ("flop", "flop:", "flop:-1", "flop:99999999", "door:1", "flop:²"):
        assert CliRunner().invoke(app, ["cases", str(saved), "--show", wrong]).exit_code != 0


def test_a_copy_of_a_case_base_can_be_read(saved: Path, tmp_path) -> None:
    shutil.copytree(saved, tmp_path / "copy")
    assert read_cases(tmp_path / "copy").streets[0].examples(0)


def test_remembered_hands_do_not_change_what_a_player_is() -> None:
    """A match is stored under a hash of its players; the hands kept for explanations do not play."""
    base = read_cases(DATA / "sartre-1")
    bare = CaseBase(base.representation, tuple(replace(cases, remembered=None) for cases in base.streets))
    with_hands = CaseBase(base.representation, base.streets)
    assert content_hash(with_hands.player()) == content_hash(bare.player())
    assert content_hash(with_hands.player("probabilistic")) != content_hash(bare.player())
