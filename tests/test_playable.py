"""Playable flops: counted, against closed forms and a slow twin (plicas, figure 4)."""

import json
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem.cards import CLASSES, hole
from holdmem.cards.classes import COMBOS, class_index
from holdmem.cli import app
from holdmem.core.errors import NotationError, TableError
from holdmem.strength import playable_curves
from holdmem.strength.kernels.playable import FLUSH_DRAW, OVERCARDS, PAIR, STRAIGHT_DRAW, flop_parts
from holdmem.strength.playable import COLUMNS, Curves, read_playable, write_playable
from naive import plicas as naive

RANKS = "23456789TJQKA"
FLOPS = comb(50, 3)
BITS = {"pair": PAIR, "overcards": OVERCARDS, "flush draw": FLUSH_DRAW, "straight draw": STRAIGHT_DRAW}


@given(st.permutations(range(52)))
def test_the_parts_are_those_of_the_twin(deck) -> None:
    found = flop_parts(np.array(deck[:5], np.int8))
    expected = naive.flop_parts(deck[:2], deck[2:5])
    assert {name for name, bit in BITS.items() if found & bit} == expected


@pytest.mark.parametrize("name", ["98s", "QJo", "55"])
def test_the_table_counts_every_flop_of_a_class(name: str) -> None:
    first, second = hole({"98s": "9d8d", "QJo": "QcJh", "55": "5c5s"}[name])
    expected = naive.count_flops((first, second))
    index = class_index(name)
    counts = dict(zip(COLUMNS, read_playable()[index].tolist(), strict=True))
    assert counts == {column: int(COMBOS[index]) * expected[column] for column in COLUMNS}


def test_any_two_cards_pair_as_often_as_five_cards_do() -> None:
    """High cards are 1,302,540 of the 2,598,960 hands of five cards."""
    counts = read_playable()
    assert counts[:, 0].tolist() == (COMBOS.astype(int) * FLOPS).tolist()
    assert counts[:, 1].sum() * 2_598_960 == counts[:, 0].sum() * (2_598_960 - 1_302_540)
    assert round(playable_curves().pair[-1], 4) == 0.4988


def test_overcards_and_flush_draws_have_closed_forms() -> None:
    for index, name in enumerate(CLASSES):
        low, suited, pair = RANKS.index(name[1]), name.endswith("s"), len(name) == 2
        _, _, overcards, flush_draws, _, _ = (read_playable()[index] // COMBOS[index]).tolist()
        assert overcards == (0 if pair else comb(4 * low, 3)), name
        two_more, three_more = comb(11, 2) * 39, 2 * comb(12, 3)
        assert flush_draws == (two_more if suited else three_more), name


def test_the_curves_begin_with_aces_and_end_with_any_two_cards() -> None:
    curves = playable_curves()
    assert all(curve.shape == (169,) for curve in curves)
    assert curves.share[[0, -1]].tolist() == [6 / 1326, 1]
    assert (curves.pair[0], curves.overcards[0], curves.playable[0]) == (1, 0, 1)
    ends = [round(float(curve[-1]), 4) for curve in curves]
    assert ends == [1, 0.4988, 0.0725, 0.0429, 0.1326, 0.6669]
    parts = np.stack(curves[1:5])
    assert (curves.playable >= parts.max(axis=0)).all()
    assert (curves.playable <= parts.sum(axis=0) + 1e-12).all()


def test_a_tighter_range_is_playable_more_often() -> None:
    """On the whole, not at every step: a better class may be playable less often."""
    playable = playable_curves().playable
    assert (np.diff(playable[::8]) <= 0).all()
    assert (np.diff(playable) > 0).any()


def test_a_table_is_read_as_it_was_written(tmp_path) -> None:
    path = tmp_path / "playable.csv"
    write_playable(read_playable(), path)
    assert (read_playable(path) == read_playable()).all()
    assert [file.name for file in tmp_path.iterdir()] == ["playable.csv"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("overcards", "over"), ":1: expected the columns"),
        (lambda text: text.replace("\nKK,", "\nKK,x"), ":3: expected a class and 6 numbers"),
        (lambda text: "\n".join(text.splitlines()[:-1]), "a line for each of 169 classes, got 168"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path, change, says: str) -> None:
    path = tmp_path / "playable.csv"
    write_playable(read_playable(), path)
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(TableError, match=says):
        read_playable(path)


def test_curves_have_the_columns_of_the_table() -> None:
    assert [field.replace("_", " ") for field in Curves._fields[1:]] == list(COLUMNS[1:])


def test_the_command_shows_and_draws_the_curves(tmp_path) -> None:
    picture = tmp_path / "figure4.png"
    found = CliRunner().invoke(app, ["playable", "0.4", "100", "--json", "--png", str(picture)])
    assert found.exit_code == 0, found.output
    aces, all_hands = json.loads(found.output)
    assert aces["playable"] == 1
    assert round(all_hands["pair"], 4) == 0.4988
    assert picture.read_bytes().startswith(b"\x89PNG")
    shown = CliRunner().invoke(app, ["playable"], env={"COLUMNS": "100"}).output
    assert "49.88%" in shown
    with pytest.raises(NotationError, match="at most 100 percent, got 101"):
        CliRunner().invoke(app, ["playable", "101"], catch_exceptions=False)
