"""Statistics of players: every counter as its naive twin has it, winnings exact, whatever the blocks."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.arena.style import Style
from holdmem.engine import PARTS, Batch, Game
from holdmem.history import Hands, HandsBuilder, RecordedHand, Terms, read_hands
from holdmem.history.formats.pokerstars import read_hand
from holdmem.history.replay import final_states, playable_results
from holdmem.history.stats import (
    POSITIONS,
    STATISTICS,
    PlayerStatistics,
    StatFilter,
    StatLine,
    count_hands,
    count_statistics,
    positions_of,
)
from holdmem.history.stats.kernels.count import COUNTERS
from naive import history_stats as naive
from naive.style import counts
from pokerstars_games import hand_of, stars_games
from pokerstars_hands import READABLE
from random_games import games
from random_hands import masked, recorded
from random_play import decks, play_out
from real_hands import DATA, FULL, needs_data
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


@settings(max_examples=60)
@given(games(), SEEDS)
def test_counts_are_those_of_the_twin(game: Game, seed: int) -> None:
    """Every counter of every seat, in any game that the rules allow."""
    _, hands = played(game, seed)
    expect_twin(hands)


@settings(max_examples=40)
@given(stars_games(), SEEDS, st.booleans())
def test_usual_tables_are_counted_as_by_the_twin(game: Game, seed: int, deep: bool) -> None:
    rng = np.random.default_rng(seed)
    stacks = rng.integers(20, 2000, (8, game.seats)) * (game.big_blind if deep else 1)
    expect_twin(masked(recorded(game, seed, 8, stacks), seed))


@needs_data
def test_hands_of_people_are_counted_as_by_the_twin() -> None:
    hands = read_hands(DATA / "handhq" / "pokerstars-25nl.phhs").collect()
    expect_twin(hands if FULL else hands[::5])


@needs_data
@pytest.mark.long
def test_many_hands_of_people_are_counted_as_by_the_twin() -> None:
    for block in read_hands(DATA / "handhq" / "ps-1000nl.tar.xz"):
        expect_twin(block[::25])


def expect_twin(hands: Hands) -> None:
    found = count_hands(hands)
    net, known = playable_results(hands).results(hands)
    at = 0
    for k, hand in enumerate(hands):
        seats = len(hand.names)
        result = [Fraction(one, PARTS) for one in net[k, :seats].tolist()] if known[k] else None
        rows = found.counts[at : at + seats]
        for seat, twin in enumerate(naive.counts(hand, result)):
            mine = dict(zip(COUNTERS, rows[seat].tolist(), strict=True))
            del mine["adjusted"]
            assert mine == {name: twin[name] for name in mine}, (k, seat, hand)
        assert [POSITIONS[code] for code in found.position[at : at + seats]] == naive.positions(
            hand.terms.game
        )
        assert found.reached[at : at + seats].tolist() == naive.reached(hand)
        assert (found.hand[at : at + seats] == k).all()
        at += seats
    assert at == len(found.hand)


@settings(max_examples=20)
@given(games(), SEEDS)
def test_blocks_do_not_matter(game: Game, seed: int) -> None:
    _, hands = played(game, seed)
    whole, parts, merged = PlayerStatistics(), PlayerStatistics(), PlayerStatistics()
    whole.add(hands)
    for k in range(len(hands)):
        parts.add(hands[k : k + 1])
        one = PlayerStatistics()
        one.add(hands[k : k + 1])
        merged.merge(one)
    assert whole.as_json() == parts.as_json() == merged.as_json()
    for mine in ([line.winnings() for line in whole], [line.all_in_adjusted() for line in whole]):
        assert sum(one.mean for one in mine if one is not None) == pytest.approx(0, abs=1e-2)


@settings(max_examples=30)
@given(games(), SEEDS)
def test_old_keys_are_the_arena_s_style(game: Game, seed: int) -> None:
    batch, hands = played(game, seed)
    seats = game.seats
    twins = [
        counts(game, deck, stacks, actions, [(seat + k) % seats for seat in range(seats)], seats)
        for k, (deck, stacks, actions) in enumerate(
            zip(batch.decks.tolist(), batch.stacks.tolist(), actions_of(batch), strict=True)
        )
    ]
    expected = np.sum(twins, axis=0).tolist()
    whole = PlayerStatistics()
    whole.add(hands)
    assert {line.key["player"]: line.style() for line in whole} == {
        f"p{player}": vars(Style.of(row)) for player, row in enumerate(expected)
    }


def of(*hands: RecordedHand) -> PlayerStatistics:
    builder, players = HandsBuilder(), PlayerStatistics()
    for hand in hands:
        builder.add(hand)
    players.add(builder.take())
    return players


def line_of(players: PlayerStatistics, name: str) -> StatLine:
    return next(line for line in players if line.key["player"] == name)


def sample(name: str) -> RecordedHand:
    return read_hand(READABLE[name].text.splitlines())


def test_winnings_are_in_big_blinds_of_each_hand() -> None:
    walk = sample("play money, a walk")  # Jo loses half a big blind of 20
    dearer = walk._replace(
        terms=replace(walk.terms, game=replace(walk.terms.game, blinds=(30, 60, 0))),
        net=[-30 * PARTS, 30 * PARTS, 0],
    )
    rate = line_of(of(walk, dearer), "Jo").winnings()
    assert rate is not None
    assert (rate.mean, rate.unit, rate.samples, rate.standard_error) == (-0.5, "bb/h", 2, 0)


def test_limit_counts_in_small_bets_and_a_mixture_in_big_blinds() -> None:
    limit = sample("heads-up limit for euros: the button is the small blind")  # Vic wins 5.50 at 1/2
    rate = line_of(of(limit), "Vic").winnings()
    assert rate is not None
    assert (rate.mean, rate.unit) == (5.5, "sb/h")
    mixed = line_of(of(limit, sample("play money, a walk")._replace(names=("Vic", "b", "c"))), "Vic")
    rate, thousandths = mixed.winnings(), mixed.winnings("mbb/h")
    assert rate is not None
    assert thousandths is not None
    assert (rate.mean, rate.unit) == (2.5, "bb/h")
    assert (thousandths.mean, thousandths.unit) == (2500, "mbb/h")


def test_unknown_results_are_not_losses() -> None:
    """A showdown of which nobody wrote down the end: in the style, not in the winnings."""
    hand = sample("pounds; the loser mucks and the summary shows it; a folder shows his cards")
    dark = hand._replace(net=None, hole=[(-1, -1)] * 3)
    lou = line_of(of(dark), "Lou")
    assert (lou.count("unscored"), lou.count("unseen"), lou.winnings()) == (1, 1, None)
    assert (lou.style()["went_to_showdown"], lou.style()["won_at_showdown"]) == (1.0, None)
    assert (lou.share("wtsd").value, lou.share("wsd").value, lou.share("wwsf").opportunities) == (
        1.0,
        None,
        0,
    )
    lou = line_of(of(dark, hand), "Lou")
    assert (lou.hands, lou.count("unscored"), lou.count("unseen")) == (2, 1, 1)
    assert lou.style()["won_at_showdown"] == lou.share("wsd").value == 1.0
    assert lou.as_json()["unseen"] == 0.5


@given(stars_games(), SEEDS)
@settings(max_examples=15)
def test_everybody_who_sat_has_a_record(game: Game, seed: int) -> None:
    hand = hand_of(game, seed, [f"n{k}" for k in range(10)], money=True)
    found = of(hand, hand).lines()
    assert [one.key["player"] for one in found] == sorted(hand.names)
    total = sum(Fraction(money.total, PARTS) for one in found for money in one.money.values())
    assert total == 0


@settings(max_examples=25)
@given(games(), SEEDS)
def test_all_ins_are_worth_their_equity(game: Game, seed: int) -> None:
    """On the flop and the turn; before the flop there are too many boards for the twin."""
    _, hands = played(game, seed, 3)
    raked = masked(rake(hands), seed)
    found, (net, known) = count_hands(raked), playable_results(raked).results(raked)
    adjusted, at = found.counts[:, COUNTERS.index("adjusted")], 0
    for k, hand in enumerate(raked):
        rows = slice(at, at + len(hand.names))
        at += len(hand.names)
        if known[k] and naive.tell(hand).hand.street == 0 and adjusted[rows].any():
            continue
        result = [Fraction(one, PARTS) for one in net[k, : len(hand.names)].tolist()] if known[k] else None
        expected = naive.all_in(hand, result)
        assert (expected is not None) == adjusted[rows].any()
        if expected is not None:
            assert found.adjusted[rows] == pytest.approx([float(one * PARTS) for one in expected], abs=0.51)
            assert adjusted[rows].tolist() == [
                seat in naive.tell(hand).showdown for seat in range(len(hand.names))
            ]
        else:
            assert (found.adjusted[rows] == found.net[rows]).all()


def rake(hands: Hands) -> Hands:
    """The same hands, where the house takes a chip from the only winner if there is one."""
    rows = hands.rows.copy()
    for row in rows:
        winners = np.flatnonzero(row["net"] > PARTS)
        if len(winners) == 1:
            row["net"][winners] -= PARTS
            row["rake"] = 1
    return replace(hands, rows=rows)


# Groups and filters


def grouped(hands: Hands, *by: str, **only: Any) -> PlayerStatistics:
    return count_statistics([hands], by, StatFilter(**only))


@settings(max_examples=15)
@given(stars_games(), SEEDS)
def test_groups_share_out_what_there_is(game: Game, seed: int) -> None:
    """Whatever the groups, the same hands are counted, each once."""
    hands = recorded(game, seed, 6)
    (whole,) = grouped(hands)
    for by in (("player",), ("position",), ("players",), ("stack",), ("stakes",), ("stack", "player")):
        lines = grouped(hands, *by).lines()
        assert (sum(line.counts for line in lines) == whole.counts).all()
        assert [line.key for line in lines] == [
            dict(zip(by, line.key.values(), strict=True)) for line in lines
        ]
    parts = [grouped(hands, position=(name,)) for name in POSITIONS]
    assert sum(line.hands for part in parts for line in part) == whole.hands


def test_filters_keep_what_they_say() -> None:
    game = Game("six", blinds=(5, 10, 0, 0, 0, 0))
    hands = recorded(game, 3, 40, np.random.default_rng(3).integers(100, 3000, (40, 6)))
    rows = hands.rows.copy()
    rows["time"] = 1_247_000_000 + 86_400 * np.arange(40)  # 7 July 2009 and the 39 days after
    rows["time"][0] = -1
    hands = replace(hands, rows=rows)
    seats = count_hands(hands)
    assert seats.stack.max() <= 300
    for only, kept in (
        ({"player": ("ann", "bob")}, np.isin(hands.rows["player"][seats.hand, seats.seat], [0, 1])),
        ({"position": ("CO", "SB")}, np.isin(seats.seat, [4, 0])),
        ({"players": (6, 6)}, np.ones(240, dtype=bool)),
        ({"players": (2, 5)}, np.zeros(240, dtype=bool)),
        ({"stack": (50, 120)}, (seats.stack >= 50) & (seats.stack <= 120)),
        ({"street": "turn"}, seats.counts[:, COUNTERS.index("flops")] * (seats.reached >= 2) == 1),
        ({"since": date(2009, 7, 9)}, seats.hand >= 2),
        ({"until": date(2009, 7, 9)}, (seats.hand >= 1) & (seats.hand <= 2)),
        ({"stakes": ("no-limit 5/10",)}, np.ones(240, dtype=bool)),
        ({"stakes": ("no-limit 1/2",)}, np.zeros(240, dtype=bool)),
    ):
        assert (StatFilter(**only).keeps(seats) == kept).all(), only  # type: ignore[arg-type]


def test_effective_stacks() -> None:
    """One's own stack, or the largest of the others if that is less, in big blinds."""
    hands = recorded(Game("three", blinds=(5, 10, 0)), 1, 2, [[1000, 400, 700], [500, 500, 90]])
    assert count_hands(hands).stack.reshape(2, 3).tolist() == [[70, 40, 70], [50, 50, 9]]
    assert [line.key["stack"] for line in grouped(hands, "stack")] == ["0-20", "40-80"]


def test_names_of_positions() -> None:
    for seats in range(2, 11):
        blinds = (10, 5) if seats == 2 else (5, 10, *[0] * (seats - 2))
        names = [POSITIONS[code] for code in positions_of(Game("usual", blinds=blinds))]
        assert names == naive.positions(Game("usual", blinds=blinds))
        assert len(set(names)) == seats
    alone = Game("no small blind", blinds=(10, 0, 0, 0))
    assert [POSITIONS[code] for code in positions_of(alone)] == ["BB", "HJ", "CO", "BTN"]


def test_a_frame_has_every_statistic() -> None:
    hands = recorded(Game("three", blinds=(5, 10, 0)), 1, 30)
    frame = grouped(hands, "player", "players").frame()
    assert frame.columns[:3] == ["player", "players", "hands"]
    assert {f"{name}{end}" for name in STATISTICS for end in ("", "_low", "_high", "_n")} <= set(
        frame.columns
    )
    assert frame["hands"].to_list() == [30, 30, 30]
    for name in STATISTICS:
        known = frame.drop_nulls([name, f"{name}_low", f"{name}_high"])
        assert (known[f"{name}_low"] <= known[name]).all()
        assert (known[name] <= known[f"{name}_high"]).all()
    assert grouped(hands[:0], "player").frame().columns == grouped(hands, "player").frame().columns
