"""The engine against its laws, against its slow twin, and on the cases that rule books argue about."""

import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from holdmem.cards import cards
from holdmem.core.errors import IllegalAction
from holdmem.engine import CALL, FOLD, PARTS, Batch, Game, find_game
from holdmem.engine.state import HAND
from naive.rules import Hand
from random_games import games
from random_play import decks, play, play_out
from replay import actions_of, digest_of_random_play, replay

SEEDS = st.integers(0, 2**32 - 1)
HANDS = 4


def deal(game: Game, seed: int, count: int = HANDS) -> tuple[Batch, np.random.Generator]:
    """Hands from shuffled decks: the first with the game's stacks, the others with these in other seats."""
    rng = np.random.default_rng(seed)
    stacks = rng.permuted(np.tile(game.stacks, (count, 1)), axis=1)
    stacks[0] = game.stacks
    stacks = np.maximum(stacks, np.array(game.dead or 0) + 1)
    return Batch(game, decks(rng, game, count), stacks), rng


def twin_of(batch: Batch, table: int) -> Hand:
    """The same hand for the slow engine."""
    return Hand(batch.game, batch.decks[table].tolist(), batch.stacks[table].tolist())


def same(some: NDArray[np.void], others: NDArray[np.void]) -> bool:
    """Whether hands agree in every field; the bytes between the fields mean nothing."""
    return all((some[field] == others[field]).all() for field in HAND.names)


def assert_same_position(batch: Batch, table: int, twin: Hand) -> None:
    """Turn, street, chips and legal actions are those of the twin."""
    hand, seats = batch.hands[table], twin.seats()
    to_act = twin.to_act()
    assert hand.to_act == (-1 if to_act is None else to_act)
    assert hand.street == twin.street
    assert hand.stack[: len(seats)].tolist() == [twin.stack(seat) for seat in seats]
    assert hand.paid[: len(seats)].tolist() == [twin.paid(seat) for seat in seats]
    assert hand.bet[: len(seats)].tolist() == [twin.bet(seat) for seat in seats]
    assert [seat for seat in seats if int(hand.live) >> seat & 1] == twin.live()
    if to_act is not None:
        legal = batch.legal(np.array([table]))
        assert tuple(int(column[0]) for column in legal) == twin.legal()


@given(games(), SEEDS)
@settings(max_examples=300, deadline=None)
def test_the_engine_agrees_with_its_twin_at_every_action_and_in_the_exact_result(
    game: Game, seed: int
) -> None:
    batch, rng = deal(game, seed)
    twins = [twin_of(batch, table) for table in range(len(batch))]
    for actions in play(batch, rng):
        for table, action in actions.items():
            assert_same_position(batch, table, twins[table])
            twins[table].act(action)
    for table, twin in enumerate(twins):
        assert_same_position(batch, table, twin)
        assert batch.exact_net(table) == twin.result()
        assert bool(batch.hands["shown"][table]) == (len(twin.live()) > 1)


@given(games(), SEEDS)
@settings(max_examples=150, deadline=None)
def test_whatever_is_not_legal_is_refused_and_changes_nothing(game: Game, seed: int) -> None:
    batch, rng = deal(game, seed, count=1)
    table = np.array([0])
    for _ in play(batch, rng):
        call, least, most = (int(column[0]) for column in batch.legal(table))
        legal = {CALL, *([FOLD] if call else []), *range(least or 1, most + 1)}
        before = batch.hands.copy()
        for action in {-(2**40), -2, FOLD, 1, least - 1, most + 1, 2**40} - legal:
            with pytest.raises(IllegalAction):
                batch.act(table, np.array([action]))
        assert same(batch.hands, before)


@given(games(), SEEDS)
@settings(max_examples=200, deadline=None)
def test_chips_are_conserved_and_every_hand_ends_in_time(game: Game, seed: int) -> None:
    batch, rng = deal(game, seed, count=16)
    for _ in play(batch, rng):
        assert (batch.hands["stack"] >= 0).all()
        chips = (batch.hands["stack"] + batch.hands["paid"])[:, : game.seats] + np.array(game.dead or 0)
        assert chips.tolist() == batch.stacks.tolist()
    assert (batch.hands["net"].sum(axis=1) == 0).all()
    assert (batch.hands["actions"] <= game.longest).all()
    worst = -PARTS * np.minimum(batch.stacks, batch.stacks.max(axis=1, keepdims=True))
    assert (batch.hands["net"][:, : game.seats] >= worst).all()


@given(games(st.integers(1, 10**6)), SEEDS)
@settings(max_examples=100, deadline=None)
def test_those_who_always_raise_end_in_time(game: Game, seed: int) -> None:
    batch, rng = deal(game, seed)
    while len(tables := batch.unfinished()):
        legal = batch.legal(tables)
        shove = rng.random(len(tables)) < 0.1
        batch.act(tables, np.where(shove, legal.most, legal.least))
    assert (batch.hands["actions"] <= game.longest).all()
    assert (batch.hands["net"].sum(axis=1) == 0).all()


def test_short_all_ins_that_the_cap_lets_pass_still_end_in_time() -> None:
    """Eight seats shove one chip more than the last: none is a full raise, all must be answered."""
    stacks = [18, 17, 16, 15, 14, 13, 12, 11, 1000, 1000]
    game = Game("creep", (0,) * 9 + (10,), max_raises=(1, 0, 0, 0), first=(0,) * 4, cap_counts="full-raises")
    batch = Batch(game, [range(25)], stacks)
    while len(tables := batch.unfinished()):
        seat = batch.hands["to_act"][0]
        behind = batch.hands["stack"][0, :8].nonzero()[0]
        shoves = len(behind) and seat == behind[-1]
        batch.act(tables, batch.legal(tables).most if shoves else np.array([CALL]))
    assert batch.hands["bet"].max() <= 1000
    assert batch.hands["actions"][0] == 52 + 2 * 3 <= game.longest


@given(games(), SEEDS)
@settings(max_examples=50, deadline=None)
def test_order_and_size_of_batches_change_nothing(game: Game, seed: int) -> None:
    batch, rng = deal(game, seed, count=7)
    play_out(batch, rng)
    actions, order = actions_of(batch), rng.permutation(7)
    for part in (order, order[:3], order[3:], order[:1]):
        again = replay(game, batch.decks[part], [actions[table] for table in part], batch.stacks[part])
        assert same(again.hands, batch.hands[part])


@given(games(), SEEDS, st.permutations(range(4)))
@settings(max_examples=100, deadline=None)
def test_permuting_suits_changes_no_result(game: Game, seed: int, suits: list[int]) -> None:
    batch, rng = deal(game, seed)
    play_out(batch, rng)
    recoloured = batch.decks // 4 * 4 + np.array(suits)[batch.decks % 4]
    again = replay(game, recoloured, actions_of(batch), batch.stacks)
    assert (again.hands["net"] == batch.hands["net"]).all()


@given(games(), SEEDS)
@settings(max_examples=50, deadline=None)
def test_betting_does_not_depend_on_the_cards(game: Game, seed: int) -> None:
    batch, rng = deal(game, seed)
    play_out(batch, rng)
    again = replay(game, decks(rng, game, len(batch)), actions_of(batch), batch.stacks)
    for field in ("to_act", "street", "stack", "paid", "live", "shown"):
        assert (again.hands[field] == batch.hands[field]).all()


def test_compiled_and_uncompiled_play_the_same_to_the_byte() -> None:
    plain = subprocess.run(
        [sys.executable, "-W", "error", str(Path(__file__).with_name("replay.py"))],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert plain.stderr == ""
    assert plain.stdout.strip() == digest_of_random_play()


# Golden counts


def continuations(batch: Batch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every legal action at every unfinished table of a limit game: tables, repeated, and actions."""
    tables = batch.unfinished()
    call, least, _ = batch.legal(tables)
    pairs = [
        (table, action)
        for table, owed, raise_to in zip(tables, call, least, strict=True)
        for action in ([FOLD] if owed else []) + [CALL] + ([raise_to] if raise_to else [])
    ]
    return np.array(pairs).T


def count_sequences(game: Game, streets: int) -> list[tuple[int, int, int]]:
    """Betting sequences that end each street in a fold, in a showdown, or by moving on to the next."""
    counts = np.zeros((streets, 3), dtype=int)
    batch = Batch(game, [range(game.deck_cards)])
    while len(batch):
        tables, actions = continuations(batch)
        grown = Batch(game, np.repeat([range(game.deck_cards)], len(tables), axis=0))
        grown.hands[:] = batch.hands[tables]
        street = grown.hands["street"].copy()
        grown.act(np.arange(len(grown)), actions)
        over, shown = grown.hands["to_act"] < 0, grown.hands["shown"] == 1
        moved = grown.hands["street"] > street
        for column, ends in enumerate((over & ~shown, over & shown, moved)):
            counts[:, column] += np.bincount(street[ends], minlength=streets)
        keep = np.flatnonzero(~over & (grown.hands["street"] < streets))
        batch = Batch(game, grown.decks[keep])
        batch.hands[:] = grown.hands[keep]
    return [tuple(row) for row in counts.tolist()]


@cache
def lines(live: int, waiting: int, raises: int, facing: bool, option: bool) -> tuple[tuple[int, int], ...]:
    """How many ways a street can go on, by how many seats are left: ((live, ways), ...), 1 for a fold-out.

    Of the `live` seats `waiting` have yet to act and `raises` are left under the cap. Before the flop the
    last to act is the big blind, who has the `option`: it faces no bet until somebody raises.
    """
    if live == 1 or not waiting:
        return ((live, 1),)
    owes = facing and not (option and waiting == 1)
    after = [lines(live, waiting - 1, raises, facing, option)]
    if owes:
        after.append(lines(live - 1, waiting - 1, raises, facing, option))
    if raises:
        after.append(lines(live, live - 1, raises - 1, True, False))
    ways: dict[int, int] = {}
    for seats, count in (line for way in after for line in way):
        ways[seats] = ways.get(seats, 0) + count
    return tuple(sorted(ways.items()))


def expected_sequences(game: Game, streets: int) -> list[tuple[int, int, int]]:
    """The same counts from the recurrence, for stacks that never run out."""
    arrived, counts = {game.seats: 1}, []
    for street in range(streets):
        left: dict[int, int] = {}
        for seats, ways in arrived.items():
            for live, more in lines(seats, seats, game.max_raises[street], street == 0, street == 0):
                left[live] = left.get(live, 0) + ways * more
        folded = left.pop(1)
        last = street == 3
        counts.append((folded, sum(left.values()) if last else 0, 0 if last else sum(left.values())))
        arrived = left
    return counts


GOLDEN = [
    # The ACPC's limit game has 7, 9, 9 and 9 ways to go on, and 7, 8, 8 and 8 ways to fold.
    ("limit", 2, [(7, 0, 7), (56, 0, 63), (504, 0, 567), (4536, 5103, 0)]),
    ("holdem.limit.3p", 3, [(43, 0, 87), (2236, 0, 4303)]),
    ("casper", 2, [(9, 0, 9), (90, 0, 99), (990, 0, 1089), (10890, 11979, 0)]),
    ("casper", 5, [(5851, 0, 27315)]),
]


@pytest.mark.parametrize(("name", "seats", "golden"), GOLDEN)
def test_betting_sequences_per_street_are_as_many_as_the_recurrence_says(
    name: str, seats: int, golden: list[tuple[int, int, int]]
) -> None:
    game = find_game(name, seats)
    assert count_sequences(game, len(golden)) == expected_sequences(game, len(golden)) == golden


# Cases by name

BOARD = "2c7d9hJsKd"
ACES, QUEENS, TENS, EIGHTS, FOURS = "AcAd", "QcQd", "TcTd", "8c8d", "4c4d"
"""Pairs that win in this order on that board."""


def ring(*stacks: int, **choices: object) -> Game:
    """No-limit with blinds of 5 and 10: seat 0 has the small one, seat 1 the big one."""
    return Game("ring", (5, 10) + (0,) * (len(stacks) - 2), stacks, **choices)  # type: ignore[arg-type]


def heads_up(big_stack: int, small_stack: int) -> Game:
    """No-limit for two: seat 0 has the big blind of 10, seat 1 the button and the small blind of 5."""
    return Game("heads-up", (10, 5), (big_stack, small_stack))


def after(game: Game, *actions: int, holes: Sequence[str] = (), board: str = BOARD) -> Batch:
    """One table at which this has been done; unless told, lower seats hold better pairs."""
    holes = holes or (ACES, QUEENS, TENS, EIGHTS, FOURS)[: game.seats]
    return replay(game, [cards("".join(holes) + board)], [actions])


def turn(batch: Batch) -> tuple[int, tuple[int, int, int]]:
    """The seat to act, and the price of a call and the least and most of a raise."""
    call, least, most = (int(column[0]) for column in batch.legal(np.array([0])))
    return int(batch.hands["to_act"][0]), (call, least, most)


def net(batch: Batch) -> list[Fraction]:
    """The result of the one table, which must be over."""
    assert not len(batch.unfinished())
    return batch.exact_net(0)


def test_heads_up_the_button_has_the_small_blind_acts_first_before_the_flop_and_last_after_it() -> None:
    game = heads_up(1000, 1000)
    assert turn(after(game)) == (1, (5, 20, 1000))
    assert turn(after(game, CALL, CALL)) == (0, (0, 10, 990))


def test_the_big_blind_has_an_option() -> None:
    game = ring(1000, 1000, 1000)
    assert turn(after(game, CALL, CALL)) == (1, (0, 20, 1000))
    assert turn(after(game, CALL, CALL, CALL)) == (0, (0, 10, 990))
    assert turn(after(game, CALL, CALL, 20)) == (2, (10, 30, 1000))


def test_a_big_blind_all_in_for_less_leaves_the_largest_posted_blind_to_be_matched() -> None:
    game = ring(1000, 3, 1000)
    assert turn(after(game)) == (2, (5, 15, 1000))
    # The big blind wins 3 chips of each; seat 0 beats seat 2 for the 2 that each paid beyond them.
    assert net(after(game, *[CALL] * 8, holes=(QUEENS, ACES, TENS))) == [-1, 6, -5]


def test_a_small_blind_all_in_for_less_still_wins_what_it_matched() -> None:
    assert net(after(ring(2, 1000, 1000), *[CALL] * 8, holes=(ACES, QUEENS, TENS))) == [4, 6, -10]


def test_heads_up_nobody_acts_when_the_blinds_put_the_small_blind_all_in() -> None:
    assert net(after(heads_up(1000, 3))) == [3, -3]
    assert net(after(heads_up(1000, 5), holes=(QUEENS, ACES))) == [-5, 5]


def test_heads_up_the_small_blind_answers_an_all_in_big_blind_only_if_it_owes_chips() -> None:
    assert turn(after(heads_up(7, 1000))) == (1, (2, 0, 0))
    assert net(after(heads_up(7, 1000), CALL)) == [7, -7]
    assert net(after(heads_up(7, 1000), FOLD)) == [5, -5]
    assert net(after(heads_up(3, 1000))) == [3, -3]


def test_all_blinds_all_in_is_a_hand_without_a_decision() -> None:
    assert net(after(heads_up(8, 4), holes=(QUEENS, ACES))) == [-4, 4]


def test_three_all_ins_make_a_main_pot_and_two_side_pots() -> None:
    game = ring(100, 300, 600, 600)
    all_in = (600, CALL, CALL, CALL)
    # Worst hand, deepest stack: each of the others wins the pot up to its own stack from all deeper ones.
    assert net(after(game, *all_in, holes=(ACES, QUEENS, TENS, EIGHTS))) == [300, 300, 0, -600]
    assert net(after(game, *all_in, holes=(EIGHTS, TENS, QUEENS, ACES))) == [-100, -300, -600, 1000]
    assert net(after(game, *all_in, holes=(TENS, ACES, EIGHTS, QUEENS))) == [-100, 700, -600, 0]


def test_folded_chips_stay_in_the_pots_they_reached() -> None:
    game = ring(100, 300, 600, 600)
    # Seat 2 puts 200 in and folds to 600; seat 0 wins 100 of each, seat 1 the rest up to 300.
    over = after(game, 200, 600, CALL, CALL, FOLD, holes=(ACES, QUEENS, TENS, EIGHTS))
    assert net(over) == [300, 200, -200, -300]


def test_a_bet_that_nobody_calls_comes_back() -> None:
    game = ring(100, 1000, 1000)
    assert net(after(game, 1000, CALL, FOLD, holes=(ACES, QUEENS, TENS))) == [110, -10, -100]
    assert net(after(game, 1000, FOLD, FOLD)) == [-5, -10, 15]


def test_a_lone_seat_that_owes_nothing_may_only_check() -> None:
    batch = after(ring(1000, 3, 1000), FOLD)
    assert turn(batch) == (0, (0, 0, 0))


def test_odd_chips_are_split_or_go_to_the_first_winning_seat() -> None:
    # Seat 2 leaves 21 chips behind; seats 0 and 1 share 101.
    actions, holes = (21, CALL, 40, FOLD, CALL, *[CALL] * 6), (ACES, "AhAs", FOURS)
    exact = after(ring(100, 100, 100), *actions, holes=holes)
    first = after(ring(100, 100, 100, odd_chips="first-seat"), *actions, holes=holes)
    assert net(exact) == [Fraction(21, 2), Fraction(21, 2), -21]
    assert net(first) == [11, 10, -21]


def test_all_odd_chips_of_a_pot_go_to_one_seat() -> None:
    # Seat 3 leaves 20 chips behind; the board plays, and the other three share 140.
    actions, royal = (CALL, 20, 40, CALL, CALL, FOLD, *[CALL] * 9), "AsKsQsJsTs"
    stacks = (100, 100, 100, 100)
    exact = after(ring(*stacks), *actions, board=royal)
    first = after(ring(*stacks, odd_chips="first-seat"), *actions, board=royal)
    assert net(exact) == [Fraction(20, 3), Fraction(20, 3), Fraction(20, 3), -20]
    assert net(first) == [8, 6, 6, -20]


SHOVED = (100, 150, CALL)
"""On the flop seat 0 bets 100, seat 1 is all-in for 150, seat 2 calls: seat 0 has acted and owes 50."""


def after_short_all_in(*actions: int, **choices: object) -> Batch:
    """Four limpers, and then these actions on the flop; seat 1 started with 160 chips."""
    return after(ring(1000, 160, 1000, 1000, **choices), CALL, CALL, CALL, CALL, *actions)


def test_a_short_all_in_reopens_the_betting_or_not() -> None:
    assert turn(after_short_all_in(*SHOVED, CALL)) == (0, (50, 200, 990))
    assert turn(after_short_all_in(*SHOVED, CALL, reopening="full-raise")) == (0, (50, 0, 0))
    # Seat 3 had not acted before the all-in: it may raise in either case, and that reopens for all.
    for choice in ("any-raise", "full-raise"):
        assert turn(after_short_all_in(*SHOVED, reopening=choice)) == (3, (150, 200, 990))
        assert turn(after_short_all_in(*SHOVED, 300, reopening=choice)) == (0, (200, 450, 990))


def test_short_all_ins_that_add_up_to_a_full_raise_reopen_the_betting() -> None:
    game = ring(1000, 160, 210, 1000, reopening="full-raise")
    limps = (CALL, CALL, CALL, CALL)
    assert turn(after(game, *limps, 100, 150, 200, CALL)) == (0, (100, 250, 990))
    game = ring(1000, 160, 209, 1000, reopening="full-raise")
    assert turn(after(game, *limps, 100, 150, 199, CALL)) == (0, (99, 0, 0))


def test_after_a_short_all_in_the_next_raise_completes_it_or_is_full_on_top_of_it() -> None:
    assert turn(after_short_all_in(100, 150)) == (2, (150, 200, 990))
    assert turn(after_short_all_in(100, 150, after_short="full-raise")) == (2, (150, 250, 990))


def test_a_raise_is_at_least_as_large_as_the_one_before_and_as_the_big_blind() -> None:
    game = ring(1000, 1000, 1000)
    assert turn(after(game, 35)) == (0, (30, 60, 1000))
    assert turn(after(game, 35, 60)) == (1, (50, 85, 1000))
    assert turn(after(game, CALL, CALL, CALL, 10)) == (1, (10, 20, 990))


CAPPED = {"raise_sizes": (10, 10, 20, 20), "max_raises": (1, 1, 1, 1)}


def test_a_raise_for_less_counts_towards_the_cap_or_not() -> None:
    stacks = (1000, 1000, 15, 1000)
    every = after(ring(*stacks, **CAPPED), 15)
    full = after(ring(*stacks, **CAPPED, cap_counts="full-raises"), 15)
    assert turn(every) == (3, (15, 0, 0))
    assert turn(full) == (3, (15, 25, 25))
    assert turn(after(ring(*stacks, **CAPPED, cap_counts="full-raises"), 15, 25)) == (0, (20, 0, 0))


def test_the_cap_of_the_acpc_is_three_raises_before_the_flop_and_four_after_it() -> None:
    game = find_game("limit")
    assert turn(after(game, 20, 30, 40)) == (0, (10, 0, 0))
    assert turn(after(game, CALL, CALL, 10, 20, 30, 40)) == (0, (10, 0, 0))
    assert turn(after(game, CALL, CALL, CALL, CALL, 20, 40, 60)) == (1, (20, 80, 80))


def test_a_limit_raise_is_all_in_where_the_stack_is_shorter() -> None:
    assert turn(after(ring(1000, 1000, 17, **CAPPED))) == (2, (10, 17, 17))
    assert turn(after(ring(1000, 1000, 10, **CAPPED))) == (2, (10, 0, 0))


def test_a_street_has_no_more_actions_than_the_acpc_dealer_allows() -> None:
    """For two seats the 63rd action of a street may still be a raise; the 64th answers it."""
    game = Game("deep", (2, 1), (10_000, 10_000))
    raises = list(range(4, 4 + 2 * 63, 2))
    assert turn(after(game, *raises[:62]))[1][1] == raises[62]
    assert turn(after(game, *raises))[1] == (2, 0, 0)


def test_seats_act_in_the_order_that_the_game_gives_each_street() -> None:
    game = ring(1000, 1000, 1000, first=(1, 2, 0, 1))
    assert turn(after(game))[0] == 1
    assert turn(after(game, *[CALL] * 3))[0] == 2
    assert turn(after(game, *[CALL] * 6))[0] == 0
    assert turn(after(game, *[CALL] * 9))[0] == 1


def test_hands_carried_on_with_the_stacks_they_left_conserve_chips() -> None:
    """A bankroll game: what one hand leaves is what the next one starts with."""
    game, rng, stacks = ring(100, 100, 100, 100, odd_chips="first-seat"), np.random.default_rng(5), None
    for _ in range(20):
        batch = play_out(Batch(game, decks(rng, game, 50), stacks), rng)
        stacks = batch.stacks + (batch.hands["net"][:, :4] // PARTS)
        assert (stacks.sum(axis=1) == 400).all()
        stacks = np.where((stacks == 0).any(axis=1, keepdims=True), 100, stacks)


# Short blinds


def posted_short(stacks: tuple[int, ...], **choices: object) -> Batch:
    game = Game("short", (50, 100, 0, 0)[: len(stacks)], stacks, first=(2 % len(stacks), 0, 0, 0), **choices)
    return Batch(game, (7 * np.arange(game.deck_cards) % 52)[None])


def test_a_short_big_blind_is_called_as_posted_or_in_full() -> None:
    stacks = (1000, 70, 1000, 1000)
    assert turn(posted_short(stacks)) == (2, (70, 170, 1000))
    assert turn(posted_short(stacks, short_blinds="in-full")) == (2, (100, 200, 1000))


def test_nobody_calls_a_full_blind_that_no_other_bet_reaches() -> None:
    """Heads-up the small blind already covers a big blind of less: the hand goes to its showdown."""
    batch = posted_short((1000, 30), short_blinds="in-full")
    assert batch.unfinished().tolist() == []
    assert abs(batch.net[0]).tolist() == [30, 30]
