"""What a state says about the felt: made hands, pots, amounts, positions; and the same for replayed hands."""

import json
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.agent.single_hand import SingleHand
from holdmem.cards import cards, category, evaluate, names
from holdmem.core.errors import NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, PARTS, find_game
from holdmem.history import Hands
from holdmem.history.describe import as_json
from holdmem.web.actions import pots, returned, won
from holdmem.web.made_hands import made_hand
from holdmem.web.replay import replayed
from holdmem.web.replay_sources import from_file, from_json
from holdmem.web.serialize import EVERYTHING, table_state

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "pokerstars.txt"


@pytest.mark.parametrize(
    ("text", "name", "five"),
    [
        ("KsKh7d7c2h9sAd", "two pair, kings and sevens", "KsKh7d7cAd"),
        ("6s6h", "pair of sixes", None),
        ("AsKsQsJsTs2d3c", "royal flush", "AsKsQsJsTs"),
        ("As2d3c4h5s9s9d", "straight, five high", None),
        ("6s6h6d6c2d2h2s", "four of a kind, sixes", None),
        ("6s6h6d2c2d2hAs", "full house, sixes full of deuces", None),
        ("AsTs8s5s3s2dKd", "flush, ace high", "AsTs8s5s3s"),
        ("As9d", "ace high", None),
    ],
)
def test_hands_are_named_as_players_say_them(text, name, five):
    found, made = made_hand(cards(text))
    assert found == name
    assert five is None or names(made) == five


@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True))
@settings(max_examples=150, deadline=None)
def test_a_made_hand_is_the_best_five_and_of_its_category(seven):
    name, five = made_hand(seven)
    best = max(int(evaluate([list(some)])[0]) for some in combinations(seven, 5))
    assert int(evaluate([five])[0]) == best
    said = "straight flush" if name == "royal flush" else category(best)
    assert name.startswith(said) or said == "high card" or name.startswith("pair of")


def played(seed, game="nolimit", seats=4, stacks=None):
    """A hand of random legal actions, with every state on the way."""
    rules = find_game(game, seats)
    deck = Streams.of(seed).decks(hand_ids(1), rules.deck_cards)[0]
    hand, draw, states = SingleHand(rules, deck, range(seats), 0, stacks), np.random.default_rng(seed), []
    while not hand.over:
        states.append(table_state(hand, [f"p{seat}" for seat in range(seats)], EVERYTHING))
        row = hand.views().rows[0]
        low, high = int(row["min_raise_to"]), int(row["max_raise_to"])
        choices = [CALL, CALL, *([-1] if row["to_call"] else []), *([low, high] if high else [])]
        hand.act(int(draw.choice(choices)))
    states.append(table_state(hand, [f"p{seat}" for seat in range(seats)], EVERYTHING))
    return hand, states


@pytest.mark.parametrize("seed", range(40))
def test_amounts_and_pots_add_up(seed):
    stacks = [[20000] * 4, [300, 5000, 900, 20000], [50, 100, 150, 7000]][seed % 3]
    hand, states = played(seed, stacks=stacks)
    paid = [int(chips) for chips in hand.row["paid"][:4]]
    told = [0] * 4
    for post in states[-1]["posts"]:
        told[post["player"]] += post["amount"]
    for entry in states[-1]["log"]:
        told[entry["player"]] += entry["amount"]
    assert told == paid
    for state in states:
        assert sum(pot["amount"] for pot in state["pots"]) == state["pot"]
        eligible = [set(pot["players"]) for pot in state["pots"]]
        assert all(later <= earlier for earlier, later in pairwise(eligible))
    back = returned(hand)
    assert sum(won(hand)) + (back[1] if back else 0) == pytest.approx(sum(paid))
    assert all(gained >= 0 for gained in won(hand))
    assert [step.all_in for step in hand.steps] == [entry["all_in"] for entry in states[-1]["log"]]
    alone = [pot for pot in pots(hand) if len(pot["players"]) == 1]
    assert bool(alone) <= (back is not None or bin(int(hand.row["live"])).count("1") == 1)


@pytest.mark.parametrize("seed", range(6))
def test_a_replayed_hand_has_the_states_that_were_played(seed):
    hand, states = played(seed, seats=3)
    record = Hands.of(hand.finished(), ["p0", "p1", "p2"])[0]
    told = replayed(record, hero=1)
    assert [seat["you"] for seat in told["states"][0]["seats"]] == [False, True, False]
    for ours, theirs in zip(told["states"], states, strict=True):
        for key in ("board", "pot", "pots", "log", "over", "showdown", "street"):
            assert ours[key] == theirs[key], key
        shares = [seat["equity"] for seat in ours["seats"] if seat["equity"] is not None]
        assert sum(shares) == pytest.approx(0 if ours["over"] else 1, abs=1e-4)
    nets = [seat["net"] for seat in told["states"][-1]["seats"]]
    assert nets == [int(net) / PARTS for net in hand.row["net"][:3]]
    json.dumps(told, allow_nan=False)


def test_equities_are_those_of_the_players_left_with_folded_cards_gone():
    hand, _ = played(3, seats=2)
    record = Hands.of(hand.finished(), ["a", "b"])[0]
    aces = record._replace(hole=[cards("AsAh"), cards("KsKh")], board=(), betting=(CALL,), net=None)
    first = replayed(aces, None)["states"][0]
    assert [seat["equity"] for seat in first["seats"]] == pytest.approx([0.8264, 0.1736], abs=1e-4)
    assert first["odds"] == {"to_call": 50, "pot": 150, "share": 0.25}


def test_a_remembered_hand_survives_json_and_a_wrong_one_is_refused():
    hand, _ = played(8, "limit", 2)
    record = Hands.of(hand.finished(), ["a", "b"])[0]
    said = json.loads(json.dumps(as_json(record)))
    again = from_json(said)
    assert list(again.betting) == [int(code) for code in record.betting]
    assert [list(two) for two in again.hole] == [list(two) for two in record.hole]
    for damage in ({"board": "AsAsAs"}, {"actions": said["actions"] * 9}, {"hole": ["2c2c", "3c3d"]}):
        with pytest.raises(NotationError):
            from_json({**said, **damage})


def test_hands_of_a_file_by_number():
    shelf = from_file(EXAMPLE)
    assert len(shelf) >= 1
    told = replayed(shelf.find(1), None)
    assert told["states"][-1]["over"]
    with pytest.raises(NotationError, match="expected a hand from 1 to"):
        shelf.find(len(shelf) + 1)
