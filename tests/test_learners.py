"""The learners: buckets, types, states, updates computed by hand and by the twins, knowledge, training."""

import json
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem import check_agent, find_game, make_agent
from holdmem.agent import Actions, play
from holdmem.core.errors import AgentError, KnowledgeError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, STREET_NAMES, Game
from holdmem.opponents.kernels.player_types import type_of
from holdmem.opponents.player_types import kinds
from holdmem.players import ActionLearner, OutcomeLearner
from holdmem.players.learners.action_learner import most_to_lose
from holdmem.players.learners.kernels.action_learner import normalise, reward, reward_of
from holdmem.players.learners.kernels.learner import first_weight
from holdmem.players.learners.kernels.outcome_learner import probabilities_of
from holdmem.players.learners.states import States
from holdmem.players.learners.value_table import read_knowledge
from naive import learners as naive

SEEDS = st.integers(0, 2**32 - 1)
TWO, THREE, SIX = find_game("nolimit"), find_game("nolimit", 3), find_game("nolimit", 6)
LIMIT = find_game("limit")


@dataclass
class Shadow:
    """Plays as the learner does, and does by hand what the learner should do at one table."""

    seat: object
    me: int = 0
    seen: dict = field(default_factory=dict)
    players: dict = field(default_factory=dict)
    table: dict = field(default_factory=dict)
    trail: list = field(default_factory=list)

    def act(self, views):
        actions = self.seat.act(views)
        agent = self.seat.agent
        for place, view in enumerate(views):
            opponents = sum(view.live) - 1
            bucket = int(agent.split_by(view.alone, opponents)[0])
            now = naive.state(view, bucket, self.around(view), self.seen, agent.typing)
            assert self.number(now) == self.seat.states_of(view.alone)[0]
            code = int(actions.codes[place])
            action = "fold" if code == FOLD else "call" if code == CALL else "raise"
            self.trail.append((view.street, now, action))
        return actions

    def number(self, state):
        bucket, acted, kind, raised, position = state
        where = (bucket, acted + 1, kind, raised, position)
        return np.ravel_multi_index(where, self.seat.states.shape)

    def around(self, view):
        """Who sits where, from the order of the last hand."""
        return {(view.seat + step) % view.game.seats: who for step, who in self.players.items()}

    def watch(self, hands):
        self.seat.watch(hands)
        (own,) = np.flatnonzero(hands.lineup[0] == self.me)
        live, shown = hands.live[0], bool(hands.showdown[0])
        others = [hands.hole[0, seat] for seat in np.flatnonzero(live)] if shown and not live[own] else []
        net = hands.net[0, own] / hands.game.big_blind
        won = naive.result(hands.hole[0, own], hands.board[0], live[own], net, others)
        if won is not None:
            self.learn(won, abs(net))
        self.note(hands, own)
        self.trail = []

    def learn(self, won, amount):
        if isinstance(self.seat.agent, OutcomeLearner):
            naive.outcome_update(self.table, [(street, state) for street, state, _ in self.trail], won)
        else:
            naive.action_update(self.table, [step[1:] for step in self.trail], won, amount, self.first)

    def first(self, state):
        key, number = self.seat.first.key, self.number(state)
        weights = [first_weight(key, 0, number, action) * self.seat.first.scale for action in (1, 2)]
        return (0.0, *weights)

    def note(self, hands, own):
        game, lineup = hands.game, hands.lineup[0].tolist()
        seats = game.seats
        self.players = {step: lineup[(own + step) % seats] for step in range(1, seats)}
        bets, came_in = list(game.blinds), set()
        for seat in set(range(seats)) - {own}:
            before = self.seen.get(lineup[seat], (0, 0, 0, 0))
            self.seen[lineup[seat]] = (before[0] + 1, *before[1:])
        street = 0
        for to, seat, at in hands.history[0, : hands.actions[0]].tolist():
            if at != street:
                street, bets = at, [0] * seats
            owes = bets[seat] < max(bets)
            if seat != own:
                hands_seen, played, raised, called = self.seen[lineup[seat]]
                if street == 0 and to != FOLD and (owes or to > CALL) and seat not in came_in:
                    came_in.add(seat)
                    played += 1
                self.seen[lineup[seat]] = (
                    hands_seen,
                    played,
                    raised + (to > CALL),
                    called + (to == CALL and owes),
                )
            bets[seat] = max(bets) if to == CALL else to if to > CALL else bets[seat]


class Mixed:
    """Folds, calls and raises at random, so that hands end in every way."""

    def __init__(self, key):
        self.rng = Streams(key)

    def act(self, views):
        coin = views.uniforms(self.rng)[:, 0]
        fold = (coin < 0.25) & (views.to_call > 0)
        return Actions(np.where(fold, FOLD, np.where(coin > 0.8, views.min_raise_to, CALL)))


def evening(agent, game: Game, hands: int, seed: int) -> Shadow:
    """One table, the order of players moving on with every hand."""
    shadow = Shadow(agent.sit(game, 1, Streams.of(seed, "learner")))
    players = [shadow, *(Mixed(seed + number) for number in range(1, game.seats))]
    cards = Streams.of(seed, "cards")
    for hand in range(hands):
        where = hand_ids(1, first_hand=hand)
        lineup = (np.arange(game.seats) + hand) % game.seats
        play(game, players, cards.decks(where, game.deck_cards), lineup=lineup, where=where)
    return shadow


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from([TWO, THREE, LIMIT, find_game("limit", 3)]),
    st.sampled_from(
        [ActionLearner(), ActionLearner(typing="sixteen", bucketing="NNU"), OutcomeLearner(minimum=10)]
    ),
    SEEDS,
)
def test_learners_see_and_learn_what_their_twins_do(game: Game, agent, seed: int) -> None:
    shadow = evening(agent, game, 40, seed % 2**31)
    memory = shadow.seat.memory
    assert shadow.table
    for state, values in shadow.table.items():
        np.testing.assert_allclose(memory.values[0, shadow.number(state)], values, rtol=1e-9, atol=1e-9)
    assert np.count_nonzero(memory.lessons[0]) == len(shadow.table)


def test_with_three_seats_a_fold_is_judged_by_the_cards_that_others_show() -> None:
    """Always fold, two others show down: lessons are learned, and none where nobody shows."""

    class Folds(Shadow):
        def act(self, views):
            actions = super().act(views)
            folded = np.where(views.to_call > 0, FOLD, CALL)
            self.trail = [
                (*step[:2], "fold" if code == FOLD else "call")
                for step, code in zip(
                    self.trail, [*[0] * (len(self.trail) - len(folded)), *folded], strict=True
                )
            ]
            return Actions(folded) if len(actions) else actions

    class Calls:
        def act(self, views):
            return Actions(np.full(len(views), CALL))

    for game, learned in ((THREE, True), (TWO, False)):
        seat = ActionLearner().sit(game, 1, Streams.of(1, "learner"))
        players = [Folds(seat), *[Calls()] * (game.seats - 1)]
        for hand in range(6):
            where = hand_ids(1, first_hand=hand)
            order = [1, 0] if game is TWO else [0, 1, 2]  # the small blind, who must pay to see more
            decks = Streams.of(4, "cards").decks(where, game.deck_cards)
            play(game, players, decks, lineup=order, where=where)
        assert (seat.memory.lessons.sum() > 0) == learned
        assert seat.memory.visits.sum() == 6


# Equations by hand.


def probabilities(wins: float, losses: float) -> list[float]:
    out = np.empty(3)
    probabilities_of(wins, losses, out)
    return out.tolist()


def test_the_folding_function_of_figure_4_1() -> None:
    assert probabilities(1, 0) == pytest.approx([0.03597, 0.24101, 0.72302], abs=1e-5)  # e^(-3.5 · 0.95)
    assert probabilities(1, 1) == pytest.approx([0.20701, 0.19825, 0.59474], abs=1e-5)  # e^(-3.5 · 0.45)
    assert probabilities(0, 2) == [1, 0, 0]
    assert probabilities(1, 19) == pytest.approx([1, 0, 0])  # a share of 0.05: e^0
    assert probabilities(0, 0) == [0, 0.7, 0.3]


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_outcome_chances_are_those_of_the_twin(wins: float, losses: float) -> None:
    assert probabilities(wins, losses) == pytest.approx(naive.outcome_chances(wins, losses))


def test_a_won_hand_by_equations_4_12_and_4_13() -> None:
    """Visited once on each of three streets, nothing known before; then lost once."""
    table: dict = {}
    trail = [(0, "preflop"), (1, "flop"), (2, "turn")]
    naive.outcome_update(table, trail, won=1)
    assert table == {"preflop": (0.9, 0), "flop": (0.9, 0), "turn": (0.9, 0)}
    naive.outcome_update(table, trail, won=0)
    # W: 0.9 + 0.9·(0 + 0.9 − 0.9) and, at the end, 0.9 + 0.9·(0 − 0.9); L: 0.9·(1 + 0 − 0)
    assert table["preflop"] == pytest.approx((0.9, 0.9))
    assert table["flop"] == pytest.approx((0.9, 0.9))
    assert table["turn"] == pytest.approx((0.09, 0.9))


@pytest.mark.parametrize(("taken", "outcome"), list(naive.TABLE_4_1))
def test_rewards_are_those_of_table_4_1(taken: str, outcome: str) -> None:
    number = ("fold", "call", "raise").index(taken)
    found = tuple(reward_of(considered, number, outcome == "win") for considered in range(3))
    assert found == naive.TABLE_4_1[taken, outcome]


def test_rewards_by_hand_and_weights_that_end_at_zero() -> None:
    weights = np.array([3.0, 5.0, 7.0])
    reward(weights, 2, True, 2.0)  # raised and won two big blinds
    assert weights.tolist() == [1, 3, 11]
    reward(weights, 1, False, 4.0)  # called and lost four
    assert weights.tolist() == [9, 0, 3]
    reward(weights, 2, False, 1.5)
    assert weights.tolist() == [12, 1.5, 1.5]


def test_a_larger_raise_is_to_a_smaller_as_a_raise_to_a_call() -> None:
    weights = np.full(5, 10.0)
    reward(weights, 3, True, 1.0)  # the middle of three sizes
    assert weights.tolist() == [9, 9, 9, 12, 12]
    reward(weights, 3, False, 1.0)
    assert weights.tolist() == [11, 10, 10, 11, 10]


def test_weights_are_normalised_and_a_sum_of_zero_plays_at_random() -> None:
    weights = np.array([1.0, 1.0, 2.0])
    normalise(weights, 0.0)
    assert weights.tolist() == [0.25, 0.25, 0.5]
    nothing = np.zeros(4)
    normalise(nothing, 0.0)
    assert nothing == pytest.approx([0, 0.7, 0.15, 0.15])
    explored = np.array([1.0, 0.0, 0.0])
    normalise(explored, 0.1)
    assert explored == pytest.approx([0.9, 0.07, 0.03])


@pytest.mark.parametrize(("game", "bb"), [(TWO, 200), (LIMIT, 24), (find_game("casper"), 30)])
def test_first_weights_go_by_what_a_hand_can_cost(game: Game, bb: float) -> None:
    seat = ActionLearner(scale=3).sit(game, 1, Streams(4))
    assert seat.first.scale == 3 * most_to_lose(game)
    assert most_to_lose(game) == bb
    weights = [first_weight(seat.first.key, 0, state, 1) for state in range(2000)]
    assert 0 <= min(weights) < 0.01
    assert 0.99 < max(weights) < 1


# Types.


@given(
    st.integers(0, 200),
    st.integers(0, 200),
    st.integers(0, 50),
    st.integers(0, 50),
    st.sampled_from(list(naive.ENDS)),
)
def test_types_are_those_of_the_twin(hands, played, bets, calls, typing) -> None:
    seen = (hands, min(played, hands), bets, calls)
    assert type_of(np.array(seen), kinds(typing)) == naive.kind(seen, typing)


def test_types_in_words() -> None:
    names = [kinds("four").name(number) for number in range(kinds("four").types)]
    assert names == ["tight passive", "tight aggressive", "loose passive", "loose aggressive"]
    assert kinds("sixteen").types == 16
    assert kinds("none").name(0) == "typical"


def test_always_call_is_loose_and_passive() -> None:
    """By the thesis's own 28%; the thesis calls it tight."""
    seat = ActionLearner(learning=False).sit(TWO, 1, Streams(1))
    caller = make_agent("always-call").sit(TWO, 1, Streams(2))
    for hand in range(20):
        where = hand_ids(1, first_hand=hand)
        play(TWO, [seat, caller], Streams(3).decks(where, 9), lineup=[hand % 2, 1 - hand % 2], where=where)
    assert kinds("four").name(type_of(seat.memory.counts[0, 1], kinds("four"))) == "loose passive"
    assert seat.memory.visits.sum() == 0  # it was told not to learn


# Knowledge.


def taught(agent, seed: int = 5):
    seat = agent.sit(TWO, 2, Streams.of(seed, "learner"))
    other = Mixed(9)
    for hand in range(60):
        where = hand_ids(2, first_hand=hand)
        where["match"] = [0, 1]
        play(TWO, [seat, other], Streams(3).decks(where, 9), lineup=[hand % 2, 1 - hand % 2], where=where)
    return seat


@pytest.mark.parametrize(
    "text", ["action-learner:bucketing=NNU,raises=[0.5;2]", "outcome-learner:typing=sixteen"]
)
def test_knowledge_is_written_and_read_again(text: str, tmp_path) -> None:
    seat, file = taught(make_agent(text)), tmp_path / "some.knowledge"
    known = seat.knowledge(1, {"against": ["mixed"]})
    known.write(file)
    again = read_knowledge(file)
    assert again.settings == known.settings
    assert (again.learner, again.hands, again.notes) == (known.learner, 60, {"against": ["mixed"]})
    for one, other in (
        (again.values, known.values),
        (again.visits, known.visits),
        (again.lessons, known.lessons),
    ):
        assert np.array_equal(one, other)
    assert 0 < again.states_learned <= again.states_seen
    heir = make_agent(f"{text.partition(':')[0]}:knowledge={file},learning=off").sit(TWO, 3, Streams(1))
    assert heir.agent.settings == known.settings
    assert np.array_equal(heir.memory.values[2], known.values)


def test_the_same_seed_learns_the_same_and_another_something_else() -> None:
    one, again, other = (taught(ActionLearner(), seed).memory.values for seed in (5, 5, 6))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert not np.array_equal(one[0], one[1])  # another match, other cards


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda content: b"something else", "not a knowledge file: expected the line b'holdmem knowledge 1"),
        (lambda content: content[:-5], "damaged: expected digest"),
        (lambda content: content.replace(b'"hands": 60', b'"hands": oh'), "2: expected a header in JSON"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, spoil, said: str) -> None:
    file = tmp_path / "some.knowledge"
    taught(ActionLearner()).knowledge().write(file)
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(KnowledgeError, match=said):
        read_knowledge(file)


def signed(file: Path, change: dict[str, Any], spoil: Callable[[bytearray], Any] = bytes) -> None:
    """Change the header and the numbers of a file, and give it the digest that goes with them."""
    first, line, body = file.read_bytes().split(b"\n", 2)
    raw = bytearray(zlib.decompress(body))
    spoil(raw)
    packed = zlib.compress(bytes(raw))
    header = json.loads(line) | change | {"digest": sha256(packed).hexdigest()}
    file.write_bytes(first + b"\n" + json.dumps(header).encode() + b"\n" + packed)


def put(number: bytes, place: int) -> Callable[[bytearray], None]:
    def spoil(raw: bytearray) -> None:
        raw[place : place + 8 or None] = number

    return spoil


@pytest.mark.parametrize(
    ("change", "spoil", "said"),
    [
        ({}, put(struct.pack("<d", float("nan")), 0), "values are not finite"),
        ({}, put(struct.pack("<q", -1), -8), "counts from -1"),
        ({}, put(struct.pack("<q", 2**60), -8), "counts from 0 to"),
        ({"states": 2879}, bytes, "more than"),
        ({"states": 2881}, bytes, "fewer than"),
        ({"states": "2880"}, bytes, "states"),
        ({"actions": 10**9}, bytes, "actions"),
        ({"hands": -1}, bytes, "hands"),
        ({"settings": []}, bytes, "invalid knowledge"),
        ({"settings": {"bucketing": 5}}, bytes, "invalid knowledge"),
        ({"learner": 5}, bytes, "the name of a learner, got 5"),
        ({"notes": 5}, bytes, "invalid knowledge"),
    ],
)
def test_numbers_that_no_learner_knows_are_refused(tmp_path, change, spoil, said: str) -> None:
    file = tmp_path / "some.knowledge"
    taught(ActionLearner()).knowledge().write(file)
    signed(file, change, spoil)
    with pytest.raises(KnowledgeError, match=said):
        read_knowledge(file)


def test_knowledge_of_another_learner_or_other_buckets_is_refused(tmp_path) -> None:
    file = tmp_path / "some.knowledge"
    taught(ActionLearner()).knowledge().write(file)
    with pytest.raises(KnowledgeError, match="expected knowledge of outcome-learner, got action-learner"):
        OutcomeLearner(knowledge=file).sit(TWO, 1, Streams(1))
    with pytest.raises(KnowledgeError, match="expected buckets 12, got 24"):
        ActionLearner(knowledge=file, buckets=12).sit(TWO, 1, Streams(1))
    with pytest.raises(KnowledgeError, match="No such file"):
        ActionLearner(knowledge=tmp_path / "none").sit(TWO, 1, Streams(1))


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: ActionLearner(explore=2), "explore from 0 to 1"),
        (lambda: ActionLearner(buckets=25, bucketing="NU"), "a positive multiple of inner"),
        (lambda: ActionLearner(raises=(2.0, 1.0)), "strictly increasing"),
        (lambda: ActionLearner(scale=0), "a scale above 0"),
        (lambda: OutcomeLearner(minimum=-1), "of 0 or more"),
        (lambda: OutcomeLearner(rate=1.5), "rate from 0 to 1"),
    ],
)
def test_settings_out_of_bounds_are_refused(build, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        build()


@pytest.mark.parametrize(
    "text", ["action-learner:raises=[0;1;inf],explore=0.1", "outcome-learner:following=any,minimum=0"]
)
def test_manners_with_other_settings(text: str) -> None:
    found = check_agent(make_agent(text), [TWO, THREE], seed=0)
    assert found.problems == []


def test_states_are_120_for_each_bucket_and_have_words() -> None:
    states = States(ActionLearner().split_by, "four")
    assert states.count == 24 * 120
    number = np.ravel_multi_index((7, 2, 3, 1, 2), states.shape)
    words = "bucket 7, acted last on the flop, a loose aggressive opponent bet or raised, late position"
    assert states.words(number) == words
    assert STREET_NAMES[1] == "flop"
