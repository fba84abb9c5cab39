"""Hands shown with the explanations of shipped clones: like the situation explained, and our engine's."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest
from benchmarks import people_hands

from holdmem import Streams, explain
from holdmem.agent import View
from holdmem.cards.classes import CLASS_OF
from holdmem.cbr.hand_file import from_bytes, unpack
from holdmem.core.data import DATA
from holdmem.history import replay
from holdmem.history.stats import positions_of
from holdmem.people.holdings import preflop_groups
from holdmem.people.kernels.situations import FEATURES
from holdmem.people.memory import PersonMemory, read_person
from holdmem.players import clone_hands
from holdmem.players.clone import Clone, CloneSeat, PeopleStyle
from naive import people as naive

SHOWN = ("calling-station", "pluribus")


def cell(person: PersonMemory, view: View) -> tuple[int, int, int]:
    """What the memory tells apart at a view, by the slow twins."""
    row = naive.features(view, positions_of(view.game))
    question = "what_post" if view.street else "what_pre"
    leaf = naive.leaf_of(person.trees[question], [row[name] for name in FEATURES])
    hole = tuple(map(int, view.hole))
    if view.street:
        return 1, leaf, naive.holding_class(hole, tuple(card for card in map(int, view.board) if card >= 0))
    return 0, leaf, int(preflop_groups()[CLASS_OF[hole[0], hole[1]]])


@pytest.mark.parametrize("style", SHOWN)
def test_the_hands_shown_are_like_the_situation_and_what_the_clone_may_do(style: PeopleStyle) -> None:
    person = read_person(DATA / f"{style}.people")
    fresh = people_hands.dealt(style, person, person, count=30, seed=77)
    who, seat = fresh.players.index(style), CloneSeat(person, Streams.of(1), style)
    found = 0
    for decisions in replay(fresh):
        for row in np.flatnonzero(decisions.player == who).tolist():
            view = decisions.views[row]
            said = seat.explain(view)
            assert (clone_hands.SAID in said.reasons) == bool(said.hands)
            assert len(said.hands) <= 3
            for example in said.hands:
                found += 1
                assert cell(person, decision_of(example, seat)) == cell(person, view)
    assert found > 60


def decision_of(example: Any, seat: CloneSeat) -> View:
    """The decision of a shown hand as its player saw it; checks who played it, and that it may."""
    assert example.hand.names[example.seat] == seat.style
    assert all(name.startswith("other ") for name in example.hand.names if name != seat.style)
    style = seat.style
    pool = clone_hands._of_style(style, seat.person).hands
    place = [pool[k].number for k in range(len(pool))].index(example.hand.number)
    (decisions,) = replay(pool[place : place + 1])
    view = decisions.views[example.decision]
    assert view.seat == example.seat
    action = int(decisions.actions[example.decision])
    assert action == example.hand.betting[example.decision]
    assert seat.policy(view.alone).probability_of(np.array([action]))[0] > 0
    return view


def test_every_shipped_hand_is_legal_and_has_one_clone_and_unnamed_others() -> None:
    content = clone_hands.FILE.read_bytes()
    assert len(content) < 500_000
    hands, experts = unpack(from_bytes(content, "hands"), "hands")  # the engine replays each
    assert (experts.sum(axis=1) == 1).all()
    assert set(np.array(hands.players)[np.unique(hands.rows["player"][experts])]) == set(
        get_args(PeopleStyle)
    )
    assert {name for name in hands.players if not name.startswith("other ")} == set(get_args(PeopleStyle))
    assert (hands.rows["time"] < 0).all()
    assert hands.known[hands.seated].all()


def test_clones_of_your_own_files_show_none(tmp_path: Path) -> None:
    shipped = DATA / "calling-station.people"
    copy = tmp_path / "me.people"
    copy.write_bytes(shipped.read_bytes())
    view = people_hands.dealt("calling-station", read_person(shipped), read_person(shipped), 1, 5)
    (first, *_) = next(iter(replay(view))).views
    assert explain(Clone(style="calling-station"), first).hands
    assert not explain(Clone(copy), first).hands


def test_the_file_is_the_same_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_hands, "DEALT", 40)
    monkeypatch.setattr(people_hands, "KEPT", 10)
    every = get_args(PeopleStyle)
    one, other = (made_hands(tmp_path / name, every) for name in ("one", "other"))
    assert one == other
    made, _ = unpack(from_bytes(one, "hands"), "hands")
    assert len(made) == 10 * len(every)

    monkeypatch.setattr(people_hands, "shipped_hands", lambda: made)
    again, _ = unpack(from_bytes(made_hands(tmp_path / "nit", ("small-stakes-nit",)), "hands"), "hands")
    for style in every:  # those whose files are not in the folder keep their hands
        assert sorted(again.with_player(style).rows["number"].tolist()) == sorted(
            made.with_player(style).rows["number"].tolist()
        )


def made_hands(folder: Path, styles: Sequence[str]) -> bytes:
    """Make the file of hands with the files of these clones in the folder."""
    folder.mkdir()
    for style in styles:
        (folder / f"{style}.people").symlink_to(DATA / f"{style}.people")
    people_hands.people_hands(SimpleNamespace(folder=folder), Namespace())
    return (folder / clone_hands.FILE.name).read_bytes()
