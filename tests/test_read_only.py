"""What agents are given can be read and not written: nobody changes what others see or what is counted."""

import asyncio
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from holdmem import Actions, find_game, match
from holdmem.acpc import DealerPlan, parse_seats, serve
from holdmem.agent import Views, play
from holdmem.core.random import hand_ids
from holdmem.engine import CALL, Batch
from situations import moment, shuffled
from strangers import arrays_behind, called, spoil

LIMIT = find_game("limit")


def moments(game: Any = LIMIT) -> tuple[Batch, Views]:
    batch, _, views = moment(game, 3)
    return batch, views


def memory_of(batch: Batch) -> list[np.ndarray]:
    return [batch.hands, batch.history, batch.stacks, batch.decks, batch.game.rules_row]


def test_columns_rows_and_what_was_played_cannot_be_written() -> None:
    _, views = moments()
    for part in (views, views[:1], views[np.arange(len(views))], views.with_hole(views.hole)):
        for array in (part.rows, part.table, part.pot, part.hole, part.hand_id, *part.played):
            assert not array.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


def test_rules_cannot_be_made_writable() -> None:
    rules = LIMIT.rules_row
    with pytest.raises(ValueError, match="WRITEABLE"):
        rules.setflags(write=True)
    with pytest.raises(ValueError, match="read-only"):
        LIMIT.rules.seats = 3


def test_nothing_behind_views_is_memory_of_the_engine() -> None:
    batch, views = moments()
    before = [array.tobytes() for array in memory_of(batch)]
    for array in arrays_behind(views, views[0], views.played, views.lists):
        shares = [np.shares_memory(np.asarray(array), engine) for engine in memory_of(batch)[:-1]]
        assert not any(shares)
    spoil(views, views[0], views.played)
    assert [array.tobytes() for array in memory_of(batch)] == before


def test_nothing_behind_ended_hands_is_memory_of_the_engine() -> None:
    class Calls:
        def act(self, views: Views) -> Any:
            return Actions(np.full(len(views), CALL))

        def watch(self, hands: Any) -> None:
            seen.append(hands)
            assert spoil(hands) > 3

    seen: list[Any] = []
    decks = shuffled(LIMIT, np.random.default_rng(1), 5)
    lineup, where, tables = np.tile([0, 1], (5, 1)), hand_ids(5), np.arange(5)
    plain = play(LIMIT, [Calls(), Calls()], decks, lineup=lineup, where=where, tables=tables)
    assert len(seen) == 2
    assert (plain.actions == 8).all()
    assert (plain.history["seat"][:, :8] >= 0).all()
    assert plain.hand_ids.tolist() == [(0, 0, hand) for hand in range(5)]
    assert tables.tolist() == plain.tables.tolist() == [0, 1, 2, 3, 4]
    assert plain.lineup.tolist() == lineup.tolist() == [[0, 1]] * 5


@pytest.mark.parametrize("watches", [False, True])
def test_a_vandal_changes_nothing_that_is_played_or_counted(watches: bool) -> None:
    honest = called("Oblivious") if watches else "random"
    vandal = called(f"Vandal:watches={'yes' if watches else 'no'}")
    found, expected = (
        match(LIMIT, one, called("cautious"), hands=40, matches=2, seed=5) for one in (vandal, honest)
    )
    assert found.units == expected.units
    assert found.styles() == expected.styles()


def test_a_vandal_changes_nothing_at_the_dealer_s_table(tmp_path: Any) -> None:
    logs = []
    for name, agent in (("one", called("Oblivious")), ("two", called("Vandal:watches=yes"))):
        seats = parse_seats(f"{agent},{called('cautious')}")
        seats = (replace(seats[0], name="first"), seats[1])
        plan = DealerPlan(LIMIT, seats, 30, seed=4, log=tmp_path / name)
        (ended,) = asyncio.run(serve(plan))
        assert not ended.problem
        logs.append((tmp_path / name / "match.log").read_text(encoding="utf-8"))
    assert logs[0] == logs[1]
