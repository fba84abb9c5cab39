"""Players of recorded hands: counts as in the arena, winnings exact, whatever the stakes and blocks."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.arena.history_stats import PlayerStatistics
from holdmem.arena.style import Style
from holdmem.engine import PARTS, Batch, Game
from holdmem.history import Hands, HandsBuilder, RecordedHand, Terms
from holdmem.history.formats.pokerstars import read_hand
from holdmem.history.replay import final_states
from naive.style import counts
from pokerstars_games import hand_of, stars_games
from pokerstars_hands import READABLE
from random_games import games
from random_play import decks, play_out
from replay import actions_of

SEEDS = st.integers(0, 2**32 - 1)


def played(game: Game, seed: int, count: int = 4) -> tuple[Batch, Hands]:
    """Hands at random, and as records; the first name sits everywhere in turn."""
    rng = np.random.default_rng(seed)
    stacks = rng.integers(1, 300, (count, game.seats)) + np.array(game.dead or 0)
    batch = play_out(Batch(game, decks(rng, game, count), stacks), rng)
    builder, seats = HandsBuilder(), game.seats
    for k, actions in enumerate(actions_of(batch)):
        deck = batch.decks[k].tolist()
        builder.add(
            RecordedHand(
                terms=Terms(game),
                names=[f"p{(seat + k) % seats}" for seat in range(seats)],
                stacks=batch.stacks[k].tolist(),
                hole=[deck[2 * seat : 2 * seat + 2] for seat in range(seats)],
                board=deck[2 * seats : 2 * seats + 5],
                betting=actions,
                net=batch.hands["net"][k, :seats].tolist(),
            )
        )
    return batch, builder.take()


@settings(max_examples=40)
@given(games(), SEEDS)
def test_hands_end_as_they_did(game: Game, seed: int) -> None:
    batch, hands = played(game, seed)
    (found,) = final_states(hands)
    assert found.known.all()
    for field in ("net", "live", "shown", "paid", "stack", "actions", "strength"):
        assert (found.hands[field] == batch.hands[field]).all(), field
    done = zip(found.history["to"], batch.hands["actions"], strict=True)
    assert [row[:count].tolist() for row, count in done] == actions_of(batch)


@settings(max_examples=40)
@given(games(), SEEDS)
def test_counts_are_those_of_the_twin_in_any_blocks(game: Game, seed: int) -> None:
    batch, hands = played(game, seed)
    seats = game.seats
    twins = [
        counts(game, deck, stacks, actions, [(seat + k) % seats for seat in range(seats)], seats)
        for k, (deck, stacks, actions) in enumerate(
            zip(batch.decks.tolist(), batch.stacks.tolist(), actions_of(batch), strict=True)
        )
    ]
    expected = np.sum(twins, axis=0).tolist()
    whole, parts = PlayerStatistics(), PlayerStatistics()
    whole.add(hands)
    for k in range(len(hands)):
        parts.add(hands[k : k + 1])
    for players in (whole, parts):
        found = {one.name: one for one in players.records()}
        assert {name: one.style for name, one in found.items()} == {
            f"p{player}": Style.of(row) for player, row in enumerate(expected)
        }
    mine = [found.winnings() for found in whole.records()]
    assert sum(one.mean for one in mine if one is not None) == pytest.approx(0, abs=1e-9)


def of(*hands: RecordedHand) -> PlayerStatistics:
    builder, players = HandsBuilder(), PlayerStatistics()
    for hand in hands:
        builder.add(hand)
    players.add(builder.take())
    return players


def sample(name: str) -> RecordedHand:
    return read_hand(READABLE[name].text.splitlines())


def test_winnings_are_in_big_blinds_of_each_hand() -> None:
    walk = sample("play money, a walk")  # Jo loses half a big blind of 20
    dearer = walk._replace(
        terms=replace(walk.terms, game=replace(walk.terms.game, blinds=(30, 60, 0))),
        net=[-30 * PARTS, 30 * PARTS, 0],
    )
    rate = of(walk, dearer).records("Jo")[0].winnings()
    assert rate is not None
    assert (rate.mean, rate.unit, rate.samples, rate.standard_error) == (-0.5, "bb/h", 2, 0)


def test_limit_counts_in_small_bets_and_a_mixture_in_big_blinds() -> None:
    limit = sample("heads-up limit for euros: the button is the small blind")  # Vic wins 5.50 at 1/2
    rate = of(limit).records("Vic")[0].winnings()
    assert rate is not None
    assert (rate.mean, rate.unit) == (5.5, "sb/h")
    mixed = of(limit, sample("play money, a walk")._replace(names=("Vic", "b", "c"))).records("Vic")[0]
    rate, thousandths = mixed.winnings(), mixed.winnings("mbb/h")
    assert rate is not None
    assert thousandths is not None
    assert (rate.mean, rate.unit) == (2.5, "bb/h")
    assert (thousandths.mean, thousandths.unit) == (2500, "mbb/h")


def test_unknown_results_are_not_losses() -> None:
    """A showdown of which nobody wrote down the end: in the style, not in the winnings."""
    hand = sample("pounds; the loser mucks and the summary shows it; a folder shows his cards")
    dark = hand._replace(net=None, hole=[(-1, -1)] * 3)
    (lou,) = of(dark).records("Lou")
    assert (lou.unknown, lou.unseen, lou.winnings()) == (1, 1, None)
    assert (lou.style.went_to_showdown, lou.style.won_at_showdown) == (1.0, None)
    (lou,) = of(dark, hand).records("Lou")
    assert (lou.style.hands, lou.unknown, lou.unseen, lou.style.won_at_showdown) == (2, 1, 1, 1.0)
    assert lou.as_json()["unseen"] == 0.5


@given(stars_games(), SEEDS)
@settings(max_examples=15)
def test_everybody_who_sat_has_a_record(game: Game, seed: int) -> None:
    hand = hand_of(game, seed, [f"n{k}" for k in range(10)], money=True)
    found = of(hand, hand).records()
    assert [one.name for one in found] == sorted(hand.names)
    total = sum(Fraction(money.total, PARTS) for one in found for money in one.money.values())
    assert total == 0
