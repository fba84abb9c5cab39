"""Hands as data: columns, storage and replay, against the lock step that played them and the engine."""

import json
import weakref
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.agent import Actions, Views, play
from holdmem.core.errors import IllegalAction, NotationError, OutputExists
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, PARTS, Game, find_game
from holdmem.history import (
    Hands,
    HandsBuilder,
    RecordedHand,
    StoredHands,
    Terms,
    join,
    replay,
    replay_results,
    write_hands,
)
from holdmem.history.formats.parquet import HEADER, from_frame, game_of, game_text, to_frame
from holdmem.history.kernels.replay import FINE
from holdmem.history.replay import problem
from holdmem.players import Random
from random_games import games
from random_hands import NAMES, hands, masked, recorded

SEEDS = st.integers(0, 2**32)
LIMIT = find_game("limit")


# Columns


@settings(max_examples=25)
@given(hands(), hands(), SEEDS)
def test_joined_blocks_have_the_same_hands(one: Hands, other: Hands, seed: int) -> None:
    one, other = masked(one, seed), replace(other, players=tuple(reversed(other.players)))
    assert list(join([one, other])) == [*one, *other]
    assert list(join([one[:0], other])) == list(other)
    assert len(join([])) == 0


@given(hands(), st.data())
def test_slices_masks_and_places_pick_the_same_hands_as_lists_do(block: Hands, data: st.DataObject) -> None:
    whole = list(block)
    places = data.draw(st.lists(st.integers(0, len(block) - 1), max_size=8))
    marks = data.draw(st.lists(st.booleans(), min_size=len(block), max_size=len(block)))
    assert list(block[np.array(places, dtype=int)]) == [whole[place] for place in places]
    assert list(block[np.array(marks)]) == [hand for hand, mark in zip(whole, marks, strict=True) if mark]
    assert list(block[1:5:2]) == whole[1:5:2]
    picked = block[np.array(places, dtype=int)].packed()
    assert list(picked) == [whole[place] for place in places]
    assert len(picked.betting) == sum(len(hand.betting) for hand in picked)


@given(hands())
def test_a_block_built_of_its_hands_is_the_same_block(block: Hands) -> None:
    builder = HandsBuilder()
    for hand in block:
        builder.add(hand)
    assert len(builder) == len(block)
    assert list(builder.take()) == list(block)
    assert len(builder.take()) == 0


def test_hands_of_a_player_are_those_with_the_name() -> None:
    block = join([recorded(LIMIT, 1, 3), replace(recorded(LIMIT, 2, 3), players=("zoe", "bob"))])
    assert list(block.with_player("ann")) == list(block)[:3]
    assert list(block.with_player("bob")) == list(block)
    assert len(block.with_player("nobody")) == 0
    assert block.seats.tolist() == [2] * 6
    assert block.seated[:, :2].all()
    assert not block.seated[:, 2:].any()


def test_where_a_hand_is_from_is_a_file_and_line_or_its_number() -> None:
    builder = HandsBuilder(("a.log", "b.log"))
    hand = recorded(LIMIT, 1, 1)[0]
    builder.add(hand._replace(line=7), source=1)
    assert builder.take().where(0) == "b.log:7"
    assert recorded(LIMIT, 1, 3).where(2) == "hand 2"


# Replay


class Spy:
    """A seat that plays at random and keeps what it was shown."""

    def __init__(self, game: Game, seed: int, player: int) -> None:
        self._seat = Random().sit(game, 1, Streams.of(seed, "spy", player))
        self.seen: dict[tuple[int, int], tuple[np.record, list[tuple[int, int, int]], int]] = {}

    def act(self, views: Views) -> Actions:
        actions = self._seat.act(views)
        for view, row, code in zip(views, views.rows.copy(), actions.codes.tolist(), strict=True):
            self.seen[int(row.hand_id.hand), int(row.actions)] = (row, view.history, code)
        return actions


@settings(max_examples=15)
@given(games(), SEEDS)
def test_replay_shows_what_the_players_saw_and_did(game: Game, seed: int) -> None:
    count = 4
    spies = [Spy(game, seed, player) for player in range(game.seats)]
    where = hand_ids(count)
    where["hand"] = np.arange(count)
    dealt = Streams.of(seed, "cards").decks(where, game.deck_cards)
    finished = play(game, spies, dealt, where=where)
    block = Hands.of(finished, NAMES[: game.seats])
    seen = {key: value for spy in spies for key, value in spy.seen.items()}
    found = [decisions for decisions in replay(block) if len(decisions)]
    assert sum(map(len, found)) == len(seen)
    for decisions in found:
        for k, view in enumerate(decisions.views):
            row, history, code = seen[int(decisions.hand[k]), view.actions]
            assert decisions.views.rows[k] == row
            assert view.history == history
            assert decisions.actions[k] == code
            assert decisions.player[k] == finished.lineup[decisions.hand[k], view.seat]
            assert decisions.net[k] == finished.parts[decisions.hand[k], view.seat]
        assert decisions.known.all()
        assert decisions.settled.all()


@given(hands(), SEEDS)
def test_results_are_the_engines_and_hidden_cards_stay_hidden(block: Hands, seed: int) -> None:
    found = replay_results(block)
    assert (found.problems == FINE).all()
    assert found.settled.all()
    assert (found.net == block.rows["net"]).all()
    hidden = masked(block, seed)
    again = replay_results(hidden)
    live_known = [
        all(known for seat, known in enumerate(row) if shown >> seat & 1)
        for row, shown in zip(hidden.known.tolist(), found.shown.tolist(), strict=True)
    ]
    assert again.settled.tolist() == live_known  # a hand without showdown needs no cards
    assert (again.net == np.where(again.settled[:, None], found.net, 0)).all()
    for decisions in replay(hidden):
        own = hidden.rows["hole"][decisions.hand, decisions.views.seat]
        assert (decisions.views.hole == own).all()
        assert (decisions.known == (own >= 0).all(axis=1)).all()
        assert decisions.settled.all()  # the record says the result


@given(hands(), SEEDS)
def test_without_a_recorded_result_only_settled_hands_have_one(block: Hands, seed: int) -> None:
    rows = masked(block, seed).rows
    rows["scored"], rows["net"] = 0, 0
    silent = replace(block, rows=rows)
    found = replay_results(silent)
    for decisions in replay(silent):
        assert (decisions.settled == found.settled[decisions.hand]).all()
        assert (decisions.net == found.net[decisions.hand, decisions.views.seat]).all()


PLAIN = RecordedHand(
    terms=Terms(LIMIT),
    names=("ann", "bob"),
    stacks=LIMIT.stacks,
    hole=((0, 1), (2, 3)),
    board=(4, 5, 6, 7, 8),
    betting=(CALL,) * 8,
)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, "fine"),
        ({"hole": ((0, 1), (2, 4))}, "a card occurs twice"),
        (
            {"betting": (20, 40, 30)},
            "action 2: seat 0: expected fold or call 10 or raise to 30, got raise to 40",
        ),
        ({"betting": (FOLD, CALL)}, "over after 1 actions, but check or call follows"),
        ({"betting": (CALL, CALL)}, "the betting stops after 2 actions"),
        ({"board": (4, 5, 6, 7)}, "the board has too few cards for the betting"),
        ({"stacks": (0, 50)}, "chips at every seat"),
    ],
)
def test_a_hand_that_cannot_be_played_again_is_named_with_the_reason(
    change: dict[str, object], reason: str
) -> None:
    builder = HandsBuilder()
    builder.add(PLAIN._replace(number=12, **change))
    block = builder.take()
    assert reason in problem(block, replay_results(block), 0)
    if reason != "fine":
        with pytest.raises(IllegalAction, match="hand 12: "):
            list(replay(block))


def test_a_free_fold_is_played_again_though_no_agent_may_do_it() -> None:
    builder = HandsBuilder()
    builder.add(PLAIN._replace(betting=(CALL, FOLD), board=()))
    found = replay_results(builder.take())
    assert found.net[0, :2].tolist() == [-10 * PARTS, 10 * PARTS]


# Storage


@given(hands(), SEEDS)
def test_a_block_as_a_frame_and_back_is_the_same(block: Hands, seed: int) -> None:
    block = masked(block, seed)
    rows = block.rows
    rows["scored"][::2], rows["net"][::2] = 0, 0
    rows["rake"][::3], rows["time"][::3], rows["line"][:2] = 5, 1_246_406_506, 3
    terms = replace(block.terms[0], chip=Fraction(1, 100), currency="€")
    block = replace(block, terms=(terms,), tables=("Wien 'Ä'",), sources=("a\tb.log",))
    again = from_frame(to_frame(block), "here")
    assert list(again) == list(block)
    assert [again.where(k) for k in range(len(again))] == [block.where(k) for k in range(len(block))]


@settings(max_examples=12)
@given(st.lists(hands(), max_size=3), st.sampled_from(["all", "all.parquet"]))
def test_stored_hands_come_back_the_same(blocks: list[Hands], name: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        count = sum(map(len, blocks))
        assert write_hands(iter(blocks), path) == count
        stored = StoredHands(path)
        assert [file.name for file in Path(folder).iterdir()] == [name]
        assert len(stored) == count
        assert [hand for block in stored for hand in block] == [hand for block in blocks for hand in block]


@given(games())
def test_a_game_as_text_and_back_is_the_same_game(game: Game) -> None:
    assert game_of(game_text(game), "here") == game


def test_the_header_says_what_is_there(tmp_path: Path) -> None:
    six = find_game("nolimit", 6)
    write_hands([recorded(LIMIT, 1, 5), recorded(six, 2, 3)], tmp_path / "h", about={"expert": "Zoë"})
    header = json.loads((tmp_path / "h" / HEADER).read_text(encoding="utf-8"))
    assert header["hands"] == 8
    assert header["games"] == {LIMIT.name: 5, six.name: 3}
    assert StoredHands(tmp_path / "h").header["expert"] == "Zoë"
    with pytest.raises(OutputExists, match="already exists"):
        write_hands([], tmp_path / "h")


def test_a_stop_in_the_middle_leaves_nothing_that_looks_whole(tmp_path: Path) -> None:
    def failing() -> Iterator[Hands]:
        yield recorded(LIMIT, 1)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        write_hands(failing(), tmp_path / "h")
    assert not (tmp_path / "h").exists()
    assert write_hands([recorded(LIMIT, 1)], tmp_path / "h") == 6


@pytest.mark.parametrize("name", ["h", "h.parquet"])
def test_hands_are_stored_and_read_in_the_memory_of_a_block(tmp_path: Path, name: str) -> None:
    """Each block can be forgotten before the next is made."""
    alive: list[weakref.ref[Hands]] = []

    def watched(blocks: Iterator[Hands]) -> Iterator[Hands]:
        for block in blocks:
            assert sum(one() is not None for one in alive) <= 1
            alive.append(weakref.ref(block))
            yield block
            del block

    write_hands(watched(recorded(LIMIT, seed, 20) for seed in range(10)), tmp_path / name)
    assert len(alive) == 10
    alive.clear()
    assert sum(len(block) for block in watched(iter(StoredHands(tmp_path / name)))) == 200
    assert len(alive) == (10 if name == "h" else 1)


def test_a_large_file_is_read_block_by_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = recorded(LIMIT, 1, 50)
    write_hands([block], tmp_path / "h.parquet")
    monkeypatch.setattr("holdmem.history.formats.parquet.BLOCK", 16)
    read = list(StoredHands(tmp_path / "h.parquet"))
    assert [len(part) for part in read] == [16, 16, 16, 2]
    assert list(join(read)) == list(block)


def changed(path: Path, column: pl.Expr) -> None:
    pl.read_parquet(path).with_columns(column).write_parquet(path)


DAMAGES = {
    "no parquet": (
        lambda path: path.write_bytes(b"PAR1 and nothing"),
        "cannot be read as stored hands in Parquet",
    ),
    "cut short": (
        lambda path: path.write_bytes(path.read_bytes()[:900]),
        "cannot be read as stored hands in Parquet",
    ),
    "no column": (
        lambda path: pl.read_parquet(path).drop("betting").write_parquet(path),
        "expected a column 'betting' of List",
    ),
    "another type": (lambda path: changed(path, pl.col("rake").cast(pl.String)), "expected a column 'rake'"),
    "no game": (lambda path: changed(path, pl.lit("[1]").alias("game")), "expected a game as"),
    "a game for nobody": (
        lambda path: changed(path, pl.lit('{"name":"x"}').alias("game")),
        "expected a game",
    ),
    "no chip": (lambda path: changed(path, pl.lit("dollar").alias("chip")), "expected the value of a chip"),
    "stacks missing": (
        lambda path: changed(path, pl.col("stacks").list.head(1)),
        "expected lists with 1 stacks per player, got 1 in row 1",
    ),
    "board of six": (
        lambda path: changed(path, pl.lit([1, 2, 3, 4, 5, 6]).cast(pl.List(pl.Int8)).alias("board")),
        "expected lists of at most five board cards, got 6 in row 1",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_foreign_file_is_named(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "h.parquet"
    write_hands([recorded(LIMIT, 1)], path)
    spoil, reason = DAMAGES[damage]
    spoil(path)
    with pytest.raises(NotationError, match=f"h.parquet: {reason}"):
        list(StoredHands(path))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot be read as the header of stored hands"),
        ("{", "cannot be read as the header of stored hands"),
        ("[]", "expected format 'holdmem hands'"),
        ('{"format": "tables"}', "expected format 'holdmem hands'"),
        ('{"format": "holdmem hands", "version": 99}', "expected version 1, got 99"),
    ],
)
def test_a_folder_without_our_header_is_refused(tmp_path: Path, text: str | None, reason: str) -> None:
    write_hands([recorded(LIMIT, 1)], tmp_path / "h")
    header = tmp_path / "h" / HEADER
    header.unlink() if text is None else header.write_text(text, encoding="utf-8")
    with pytest.raises(NotationError, match=reason):
        list(StoredHands(tmp_path / "h"))
