"""Views: nothing hidden is in them, everything open is, and they stay as they were."""

import re
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.agent import CALL, FOLD, View, Views
from holdmem.agent.views import VIEW
from holdmem.cards import names
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import STREET_NAMES, Batch, find_game
from holdmem.engine.state import ACTION
from naive import views as naive
from situations import SEEDS, looks, moment, plain_games, random_actions, random_play, shuffled

BOARD_CARDS = (0, 3, 4, 5)
STREAMS = Streams.of(11, "a player")
CARD = re.compile("[2-9TJQKA][cdhs]")


def columns(views):
    """Every byte of the views by column, except `hand_id`, which says where they are and not what."""
    seen = {name: views.rows[name] for name in VIEW.names if name != "hand_id"}
    seen |= {f"history {name}": views.history[name] for name in ACTION.names}
    return {name: [row.tobytes() for row in column] for name, column in seen.items()}


def other_worlds(game, deck, rng):
    """The deck, then for each street and seat one that differs in all that this seat has not seen by then."""
    worlds = [deck]
    for street in range(4):
        board = range(2 * game.seats, 2 * game.seats + BOARD_CARDS[street])
        for seat in range(game.seats):
            seen = [2 * seat, 2 * seat + 1, *board]
            unseen = np.setdiff1d(np.arange(len(deck)), seen)
            other = deck.copy()
            other[unseen] = rng.permutation(np.setdiff1d(np.arange(52), deck[seen]))[: len(unseen)]
            worlds.append(other)
    return np.array(worlds)


# ------------------------------------------------------------------------------------- what is hidden


@given(plain_games(), SEEDS)
def test_a_view_is_the_same_whatever_the_hidden_cards_are(game, seed):
    rng = np.random.default_rng(seed)
    batch = Batch(game, other_worlds(game, shuffled(game, rng, 1)[0], rng))
    everywhere = np.arange(len(batch))
    while len(batch.unfinished()):
        views = looks(batch, everywhere)
        seat, street = int(views.seat[0]), int(views.street[0])
        for name, column in columns(views).items():
            unseen_later = [1 + later * game.seats + seat for later in range(street, 4)]
            same = unseen_later if name in ("hole", "board") else everywhere
            assert {column[world] for world in same} == {column[0]}
        action = random_actions(batch.legal(everywhere[:1]), rng)
        batch.act(everywhere, np.repeat(action, len(batch)))


@given(plain_games(), SEEDS)
def test_the_text_of_a_view_names_the_open_cards_and_no_others(game, seed):
    _, _, views = moment(game, seed)
    for view in views:
        text = str(view)
        assert CARD.findall(text) == CARD.findall(names([*view.hole, *view.board]))
        assert f"seat {view.seat} with" in text
        assert STREET_NAMES[view.street] in text
        assert f"pot {view.pot}, {view.to_call} to call, stacks {view.stacks}" in text
        assert len(re.findall(r"seat \d+ \w+s", text)) == view.actions


# ------------------------------------------------------------------------------------- what is open


@given(plain_games(), SEEDS)
def test_views_say_what_the_batch_says(game, seed):
    rng = np.random.default_rng(seed)
    batch = Batch(game, shuffled(game, rng, 4))
    for tables, _ in random_play(batch, rng):
        views = Views.of(batch, tables, hand_ids(4, match=3, table=8), np.array([9, 8, 7, 6]))
        legal = batch.legal(tables)
        assert (views.to_call == legal.to_call).all()
        assert (views.min_raise_to == legal.least).all()
        assert (views.max_raise_to == legal.most).all()
        assert views.hand_id.tolist() == [(3, 8, table) for table in tables]
        assert views.table.tolist() == [9 - table for table in tables]
        for row, table in zip(views.rows, tables, strict=True):
            seen = naive.look(batch, table)
            assert {name: row[name].tolist() for name in seen} == seen


@given(plain_games(), SEEDS)
def test_history_is_what_was_done_and_blank_beyond(game, seed):
    rng = np.random.default_rng(seed)
    batch = Batch(game, shuffled(game, rng, 3))
    done = [[] for _ in range(3)]
    for tables, actions in random_play(batch, rng):
        views = looks(batch, tables)
        for view, past, table in zip(views, views.history, tables, strict=True):
            assert view.history == done[table]
            known = [(to, seat, street) for street, seat, to in done[table]]
            assert past.tolist() == known + [(0, -1, -1)] * (game.longest - len(known))
        for table, seat, street, action in zip(tables, views.seat, views.street, actions, strict=True):
            done[table].append((street, seat, action))


@given(plain_games(), SEEDS)
def test_one_view_says_in_plain_python_what_its_row_says(game, seed):
    _, _, views = moment(game, seed)
    for view, row in zip(views, views.rows, strict=True):
        for name in ("pot", "to_call", "min_raise_to", "max_raise_to", "highest", "raises", "actions"):
            assert type(getattr(view, name)) is int
            assert getattr(view, name) == row[name]
        assert (view.seat, view.street, view.hole) == (row.seat, row.street, tuple(row.hole))
        assert view.board == tuple(card for card in row.board if card >= 0)
        assert len(view.board) == BOARD_CARDS[view.street]
        assert view.stacks == row.stack[: game.seats].tolist()
        assert view.bets == row.bet[: game.seats].tolist()
        assert view.live == [bool(row.live >> seat & 1) for seat in range(game.seats)]
        assert view.game is game
        assert view.live[view.seat]
        assert len(view.history) == view.actions


@given(plain_games(), SEEDS)
def test_views_keep_what_they_saw_when_the_hand_goes_on(game, seed):
    rng = np.random.default_rng(seed)
    batch = Batch(game, shuffled(game, rng, 3))
    kept = []
    for tables, _ in random_play(batch, rng):
        views = looks(batch, tables)
        kept.append((views, columns(views)))
    assert all(columns(views) == before for views, before in kept)


@given(plain_games(seats=st.integers(2, 4)), SEEDS)
def test_parts_of_views_are_views(game, seed):
    _, _, views = moment(game, seed)
    whole = columns(views)
    for which in (slice(1, None), np.arange(len(views))[::-1], views.to_call > 0, slice(0, 0)):
        part = columns(views[which])
        places = np.arange(len(views))[which]
        assert part == {name: [values[i] for i in places] for name, values in whole.items()}
    assert [str(view) for view in views[::-1]] == [str(view) for view in views][::-1]


# ------------------------------------------------------------------------------------- random numbers


def drawn(views, streams=STREAMS, count=3):
    numbers = []
    for i in range(len(views)):
        view = View(views, i, streams)
        numbers.append([view.random() for _ in range(count)])
    return numbers


@given(plain_games(seats=st.integers(2, 4), stacks=st.just(500)), SEEDS)
def test_random_numbers_of_a_view_are_its_own_in_any_batch(game, seed):
    batch, tables, views = moment(game, seed)
    numbers = drawn(views)
    assert numbers == drawn(views) == views.uniforms(STREAMS, 3).tolist()
    assert numbers == [drawn(looks(batch, tables[[k]]))[0] for k in range(len(tables))]
    assert numbers[::-1] == drawn(views[::-1])
    assert len(set(chain(*numbers))) == 3 * len(views)
    if len(views):
        assert numbers != drawn(views, Streams.of(12, "a player"))
        batch.act(tables, np.full(len(tables), CALL))
        later = drawn(looks(batch))
        assert not set(chain(*numbers)) & set(chain(*later))


def test_a_view_that_no_agent_was_given_has_no_random_numbers():
    _, _, views = moment(find_game("limit"), 0)
    with pytest.raises(RuntimeError, match="no random numbers"):
        views[0].random()


def test_the_text_of_a_view_says_who_did_what():
    game = find_game("limit", seats=3)
    batch = Batch(game, [np.arange(52)])
    for action in (20, FOLD, CALL):
        batch.act(np.array([0]), np.array([action]))
    (view,) = looks(batch)
    assert str(view) == (
        "flop, seat 1 with 2h2s, 3h3s4c; pot 45, 0 to call; "  # stacks that nobody can use up are not told
        "so far seat 2 raises to 20, seat 0 folds, seat 1 calls 10"
    )
