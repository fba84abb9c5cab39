"""The table as an environment of learning libraries: their own checks, and ours."""

import pickle
import sys
import warnings
from copy import deepcopy
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, seed_test

from holdmem import CALL, FOLD, Game, Streams, View, bot, find_game, make_agent, rl
from holdmem.agent import hand_ids, play
from holdmem.agent.single_hand import SingleHand
from holdmem.core.errors import AgentError, GameError, IllegalAction, MissingExtra
from holdmem.rl import ALL_IN, Choices, Observation, TableAEC, TableEnv
from holdmem.rl.table import EnvironmentTable
from naive import choices as naive
from naive.observation import observation
from random_games import games
from random_play import choose, decks

TABLES = [("limit", 2), ("nolimit", 2), ("limit", 3), ("nolimit", 6), ("limit", 10)]
tables = pytest.mark.parametrize(("game", "seats"), TABLES)


@bot
def gives_up(view: View) -> int:
    return FOLD if view.to_call else CALL


@tables
def test_pettingzoo_finds_nothing_wrong(game: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(TableAEC(game, seats), num_cycles=100)
        seed_test(lambda: TableAEC(game, seats), num_cycles=50)
    assert "Passed" in capsys.readouterr().out
    # It says this of every environment that gives a mask with the observation, but those it knows by name.
    usual = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
    assert [str(one.message) for one in said if not str(one.message).startswith(usual)] == []


@tables
def test_gymnasium_finds_nothing_wrong(game: str, seats: int) -> None:
    env = gymnasium.make("HoldMem-v0", game=game, seats=seats, opponents="random", render_mode="ansi")
    check_env(env.unwrapped)  # warnings are errors in these tests


SHORT_BIG_BLIND = Game("short", blinds=(6, 18, 20), stacks=(245, 100, 18), min_bet=15, short_blinds="in-full")


@given(games(), st.integers(0, 2**32), st.integers(0, 9))
@example(SHORT_BIG_BLIND, 0, 0)
@settings(max_examples=60, deadline=None)
def test_what_is_seen_is_what_is_written_down_item_by_item(game: Game, seed: int, turn: int) -> None:
    """By every player, at every step and at the end, and within the bounds of the space."""
    rng = np.random.default_rng(seed)
    lineup = np.roll(np.arange(game.seats), turn).tolist()
    hand, seen = SingleHand(game, decks(rng, game, 1)[0].astype(np.int8), lineup, 0), Observation(game)
    paid = [hand.row["paid"][: game.seats].tolist(), *([0] * game.seats for _ in range(3))]
    while True:
        for player in range(game.seats):
            found = seen.of(hand, player)
            np.testing.assert_array_equal(found, np.float32(observation(hand, player, paid)))
            assert (found <= seen.high).all()
        if hand.over:
            break
        street, before = int(hand.row["street"]), hand.row["paid"].copy()
        view = hand.views()[0]
        hand.act(choose(rng, view.to_call, view.min_raise_to, view.max_raise_to))
        for seat in range(game.seats):
            paid[street][seat] += int(hand.row["paid"][seat] - before[seat])


@given(games(), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_hidden_cards_change_nothing_that_is_seen(game: Game, seed: int) -> None:
    """Two decks that agree on one player's cards and the open board look the same to that player."""
    rng = np.random.default_rng(seed)
    deck = rng.permutation(52).astype(np.int8)
    one, seen = SingleHand(game, deck, range(game.seats), 0), Observation(game)
    actions: list[int] = []
    while not one.over:
        me, street = one.to_act, int(one.row["street"])
        assert me is not None
        known = [*deck[2 * me : 2 * me + 2], *deck[2 * game.seats :][: (0, 3, 4, 5)[street]]]
        hidden = [card for card in range(52) if card not in known]
        rng.shuffle(hidden)
        other = np.array([card if card in known else hidden.pop() for card in deck], dtype=np.int8)
        twin = SingleHand(game, other, range(game.seats), 0)
        for code in actions:
            twin.act(code)
        np.testing.assert_array_equal(seen.of(one, me), seen.of(twin, me))
        view = one.views()[0]
        actions.append(choose(rng, view.to_call, view.min_raise_to, view.max_raise_to))
        one.act(actions[-1])


@given(games(), st.integers(0, 2**32), st.sampled_from(["mend", "refuse"]))
@settings(max_examples=40, deadline=None)
def test_choices_are_legal_and_all_different(game: Game, seed: int, illegal: str) -> None:
    rng = np.random.default_rng(seed)
    sizes = None if game.limit else (0.1, 0.5, 1, 1.37, 5, 1e300, ALL_IN)
    table = EnvironmentTable(game, raises=sizes, illegal=illegal)  # type: ignore[arg-type]
    table.begin(Streams.of(seed))
    table.deal()
    while not table.hand.over:
        player, view = table.hand.to_act, table.hand.views()
        assert player is not None
        codes, mask = table.choices.of(table.hand)
        assert codes.tolist() == naive.codes(view[0], table.choices.sizes)
        assert mask.tolist() == naive.mask(view[0], table.choices.sizes)
        np.testing.assert_array_equal(table.see(player)["action_mask"], mask)
        assert len({codes[choice] for choice in np.flatnonzero(mask)}) == mask.sum() > 0
        # Every code is legal, also of what the mask forbids: that is what mending means.
        for code in codes:
            trial = SingleHand(game, table.hand.deck, table.hand.lineup, table.number)
            for _, _, done in table.hand.history:
                trial.act(done)
            trial.act(int(code))
        forbidden = np.flatnonzero(mask == 0)
        if illegal == "refuse" and len(forbidden):
            with pytest.raises(IllegalAction, match="expected one of"):
                table.choose(int(forbidden[0]))
        table.choose(int(rng.choice(np.flatnonzero(mask))))
    assert sum(table.hand.row["net"].tolist()) == 0


@given(games(), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_the_next_hand_is_like_a_new_one(game: Game, seed: int) -> None:
    """And leaves the one before it as it was."""
    rng = np.random.default_rng(seed)
    first, second = decks(rng, game, 2).astype(np.int8)
    hand = SingleHand(game, first, range(game.seats), 0)
    while not hand.over:
        view = hand.views()[0]
        hand.act(choose(rng, view.to_call, view.min_raise_to, view.max_raise_to))
    before = hand.batch.hands.copy(), hand.history
    following, new = (
        hand.next(second, range(game.seats), 1),
        SingleHand(game, second, range(game.seats), 1),
    )
    while True:
        assert following.batch.hands == new.batch.hands
        assert (following.history, following.number) == (new.history, new.number)
        if new.over:
            break
        view = new.views()[0]
        assert str(view) == str(following.views()[0])
        code = choose(rng, view.to_call, view.min_raise_to, view.max_raise_to)
        new.act(code)
        following.act(code)
    np.testing.assert_array_equal(following.batch.decks, new.batch.decks)
    assert (hand.batch.hands, hand.history) == before


@pytest.mark.parametrize("opponent", ["simplebot", "whlbot"])
def test_hands_are_those_of_the_lock_step(opponent: str) -> None:
    """The same cards, seats and random numbers, played by an agent in place of the learner, pay the same."""
    env, game, streams, count = TableEnv(opponent), find_game("limit"), Streams.of(5), 60
    seats = [
        make_agent("always-call").sit(game, 1, streams),
        make_agent(opponent).sit(game, 1, streams.spawn("player", 1)),
    ]
    cards = streams.spawn("cards").decks(hand_ids(count), game.deck_cards)
    expected = []
    for hand in range(count):
        lineup, where = [[hand % 2, (hand + 1) % 2]], hand_ids(1, first_hand=hand)
        ended = play(game, seats, cards[hand][None], lineup=lineup, where=where, tables=np.zeros(1, np.int64))
        expected.append(ended.by_player(2)[0, 0] / 2520 / 10)
    for hand in range(count):
        (observed, info), rewards, over = env.reset(seed=None if hand else 5), [], False
        assert info["hand"] == hand
        while not over:
            observed, reward, over, _, _ = env.step(1)
            rewards.append(reward)
        assert sum(rewards) == rewards[-1] == expected[hand]
        assert not observed["action_mask"].any()


def test_a_seed_repeats_everything_even_what_opponents_learned() -> None:
    env, another = (TableEnv(["whlbot", "poki"], "nolimit", 3) for _ in range(2))
    told = trajectory(env, 9)
    assert trajectory(env, 9) == trajectory(another, 9) == told != trajectory(env, 10)


def trajectory(env: TableEnv, seed: int) -> list[object]:
    rng, told = np.random.default_rng(seed), []
    observed, info = env.reset(seed=seed)
    for _ in range(40):
        action = int(rng.choice(np.flatnonzero(observed["action_mask"])))
        observed, reward, over, _, info = env.step(action)
        told.append((observed["observation"].tobytes(), reward, over, str(info)))
        if over:
            observed, info = env.reset()
    return told


def test_rewards_of_a_table_sum_to_zero_and_are_small_bets() -> None:
    env = TableAEC("limit", 4, render_mode="ansi")
    env.reset(seed=3)
    for hand in range(20):
        rewards: dict[str, float] = {}
        for agent in env.agent_iter():
            observed, reward, over, _, info = env.last()
            assert info["seat"] == (env.possible_agents.index(agent) - hand) % 4
            rewards[agent] = reward
            legal = np.flatnonzero(observed["action_mask"])
            env.step(None if over else int(legal[hand % len(legal)]))
        assert sum(rewards.values()) == pytest.approx(0)
        assert env.state().shape == (4, Observation(env.table.game).size)
        assert "is over" in str(env.render())
        env.reset()


@pytest.mark.parametrize("illegal", ["mend", "refuse"])
def test_a_hand_without_a_decision_is_an_episode_that_pays_its_result(illegal: str) -> None:
    """Against somebody who gives up, the big blind never acts: it has won half a small bet."""
    env = TableEnv(gives_up, illegal=illegal)  # type: ignore[arg-type]
    for hand in range(4):
        observed, info = env.reset(seed=None if hand else 1)
        idle = hand % 2 == 0  # the learner begins as the big blind
        assert (info["hand"], info["idle"]) == (hand, idle)
        assert (observed["action_mask"].tolist() == [0, 1, 0]) == idle
        np.testing.assert_array_equal(env.action_masks(), observed["action_mask"] == 1)
        assert env.table.observation.named(observed["observation"])["live"].tolist() == [1, not idle]
        if idle and illegal == "refuse":
            with pytest.raises(IllegalAction, match=r"expected one of 1 \(call\), got 2 \(raise\)"):
                env.step(2)
        observed, reward, over, _, info = env.step(1 if idle else 2)
        assert (reward, over, info["idle"]) == (0.5 if idle else 1.0, True, False)
        assert not observed["action_mask"].any()
        with pytest.raises(IllegalAction, match=r"the hand is over; call reset\(\)"):
            env.step(1)


def test_named_parts_are_those_of_the_row() -> None:
    env = TableEnv("always-call", "nolimit", 3)
    row = env.reset(seed=1)[0]["observation"]
    named = env.table.observation.named(row)
    np.testing.assert_array_equal(np.concatenate(list(named.values())), row)
    assert named["hole"].sum() == 2
    assert named["pot"].tolist() == [named["bets"].sum()]


def test_raises_are_fractions_of_the_pot_after_a_call() -> None:
    choices = Choices(find_game("nolimit"), (0.5, 1, ALL_IN))
    table = EnvironmentTable("nolimit", raises=(0.5, 1, ALL_IN))
    table.begin(Streams.of(1))
    table.deal()
    assert choices.names == ("fold", "call", "raise 0.5 pot", "raise 1 pot", "all-in")
    # Blinds of 50 and 100: the pot after the call is 200. Half of it is no less than the least raise.
    assert choices.of(table.hand)[0].tolist() == [FOLD, CALL, 200, 300, 20_000]
    table.choose(3)
    assert choices.of(table.hand)[0].tolist() == [FOLD, CALL, 600, 900, 20_000]


def test_a_raise_that_is_another_one_already_is_masked() -> None:
    game = replace(find_game("nolimit"), stacks=(350, 350))
    env = TableEnv("always-call", game, raises=(0.1, 0.5, 1, 4, ALL_IN), seat=1)
    observed, _ = env.reset(seed=1)
    assert observed["action_mask"].tolist() == [1, 1, 1, 0, 1, 1, 0]
    np.testing.assert_array_equal(env.action_masks(), observed["action_mask"] == 1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: TableEnv("always-call", raises=(1.0,)), "raise sizes are for no-limit games only"),
        (lambda: TableEnv("always-call", "nolimit", raises=(0.5, -1)), "positive fractions of the pot"),
        (lambda: TableEnv("always-call", seat=2), "expected a seat from 0 to 1, got 2"),
        (lambda: TableEnv(["random"], seats=4), "expected 1 or 3 opponents, got 1"),
        (lambda: TableEnv("simplebto").reset(), "did you mean simplebot"),
        (lambda: TableAEC("limit", illegal="ignore"), "'mend' or 'refuse', got 'ignore'"),  # type: ignore[arg-type]
        (lambda: TableEnv("random").step(0), r"call reset\(\) first"),
    ],
)
def test_what_cannot_be_played_is_said(make, words: str) -> None:
    with pytest.raises((GameError, AgentError, IllegalAction), match=words):
        make()


def test_an_ended_hand_takes_no_more_actions() -> None:
    env = TableEnv("always-call", seat=1)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="expected an action from 0 to 2, got 3"):
        env.step(3)
    env.step(0)
    with pytest.raises(IllegalAction, match=r"the hand is over; call reset\(\)"):
        env.step(1)


@pytest.mark.parametrize(
    ("library", "name"), [("gymnasium", "TableEnv"), ("gymnasium", "TableAEC"), ("pettingzoo", "TableAEC")]
)
def test_without_the_extra_one_is_told_to_install_it(
    library: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("pettingzoo_env", "gymnasium_env", "spaces"):
        monkeypatch.delitem(sys.modules, f"holdmem.rl.{module}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"{name} needs {library}, .* pip install 'holdmem\[rl\]'"):
        getattr(rl, name)


def test_a_copy_goes_its_own_way() -> None:
    """For those who look ahead: what is done with a copy is not done with the other."""
    env = TableEnv("random")
    env.reset(seed=3)
    twins = [deepcopy(env), pickle.loads(pickle.dumps(env))]
    ends = [[one.step(1) for _ in range(2)][-1] for one in (*twins, env)]
    assert len({(end[0]["observation"].tobytes(), end[1], end[2]) for end in ends}) == 1


def test_many_at_once() -> None:
    envs = gymnasium.make_vec("HoldMem-v0", 3, vectorization_mode="sync", opponents="random")
    observed, _ = envs.reset(seed=4)
    for _ in range(30):
        observed, *_ = envs.step(np.ones(3, dtype=np.int64))
    assert observed["observation"].shape == (3, Observation(find_game("limit")).size)
    envs.close()
