"""The lock step: what is played depends on seeds, cards and agents, and on nothing else."""

from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fresh import run
from holdmem.agent import CALL, FOLD, Actions, WatchingSeat, bot, play
from holdmem.agent.play import chips
from holdmem.core.errors import AgentError, BadDecision, GameError, IllegalAction, NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import BUILT_IN, PARTS, Batch, find_game
from holdmem.players import AlwaysAllIn, AlwaysCall, AlwaysRaise, Random, SimpleBot
from situations import SEEDS, looks, moment, plain_games

BOARD_CARDS = (0, 3, 4, 5)
SIX = find_game("nolimit", seats=6)
LIMIT = find_game("limit")
AGENTS = [Random(), AlwaysRaise(), Random(), AlwaysCall(), AlwaysAllIn(), Random()]
WHERE = hand_ids(300, match=2, table=5)


@bot
def moody(view):
    """A plain function that looks at its cards and draws a varying number of random numbers."""
    mood = view.random()
    if mood < 0.3 and view.to_call:
        return FOLD
    if sum(view.hole) > 50 and view.max_raise_to:
        return view.min_raise_to + int(view.random() * (view.max_raise_to - view.min_raise_to + 1))
    return CALL


def deal(game, where, seed=1):
    return Streams.of(seed, "cards").decks(where, game.deck_cards)


def seated(agents, game, tables, seed=1):
    """Each agent in its seat, with random numbers of its own."""
    return [agent.sit(game, tables, Streams.of(seed, "player", k)) for k, agent in enumerate(agents)]


@cache
def six_handed():
    """300 hands of six static players, each at a place of its own, as one batch."""
    return play(SIX, seated([*AGENTS[:5], moody], SIX, 300), deal(SIX, WHERE), where=WHERE)


def shipped():
    """The simplest agents of the package, and one that looks at its cards; `check_agent` tries them all."""
    return [Random(), AlwaysCall(), AlwaysRaise(), AlwaysAllIn(), SimpleBot()]


def digest(hands):
    return blake2b(np.ascontiguousarray(hands.parts).tobytes(), digest_size=8).hexdigest()


# ------------------------------------------------------------------------------------- laws


@given(plain_games(), SEEDS)
def test_chips_are_conserved(game, seed):
    players = seated([Random()] * game.seats, game, 5, seed)
    hands = play(game, players, deal(game, hand_ids(5), seed))
    assert (hands.parts.sum(axis=1) == 0).all()
    assert (hands.parts >= -PARTS * np.array(game.stacks)).all()
    assert (chips(hands.parts) == hands.net).all()


@given(plain_games(), SEEDS)
def test_a_seed_repeats_to_the_last_part_of_a_chip(game, seed):
    first, second = (
        play(game, seated([Random()] * game.seats, game, 5, seed), deal(game, hand_ids(5), seed))
        for _ in range(2)
    )
    assert first.batch.hands.tobytes() == second.batch.hands.tobytes()
    assert first.history.tobytes() == second.history.tobytes()


def test_another_seed_is_another_result():
    results = {
        digest(play(LIMIT, seated([Random()] * 2, LIMIT, 50, s), deal(LIMIT, hand_ids(50)))) for s in range(9)
    }
    assert len(results) == 9


@pytest.mark.parametrize("size", [300, 7, 1])
@pytest.mark.parametrize("shuffle", [False, True])
def test_batch_size_and_order_change_nothing(size, shuffle):
    decks, whole = deal(SIX, WHERE), six_handed()
    order = np.random.default_rng(3).permutation(300) if shuffle else np.arange(300)
    for start in range(0, 300, size):
        some = order[start : start + size]
        players = seated([*AGENTS[:5], moody], SIX, len(some))
        hands = play(SIX, players, decks[some], where=WHERE[some])
        assert (hands.parts == whole.parts[some]).all()
        assert (hands.history == whole.history[some]).all()


@given(st.permutations(range(6)), SEEDS)
def test_renaming_players_changes_nothing(order, seed):
    lineup = np.random.default_rng(seed).permuted(np.tile(np.arange(6), (40, 1)), axis=1)
    decks = deal(SIX, WHERE[:40])
    players = seated(AGENTS, SIX, 40)
    plain = play(SIX, players, decks, lineup=lineup, where=WHERE[:40])
    renamed = play(
        SIX, [players[k] for k in order], decks, lineup=np.argsort(order)[lineup], where=WHERE[:40]
    )
    assert (plain.parts == renamed.parts).all()
    assert (plain.by_player(6)[:, list(order)] == renamed.by_player(6)).all()


def test_a_lineup_moves_players_to_seats():
    decks = deal(LIMIT, hand_ids(60))
    folds, calls = bot(lambda view: FOLD if view.to_call else CALL), AlwaysCall()
    players = seated([folds, calls], LIMIT, 60)
    turned = play(LIMIT, players, decks, lineup=[[1, 0]] * 60)
    assert (turned.parts[:, 1] == -5 * PARTS).all()  # the folder has the small blind at every table
    assert (turned.by_player(2) == turned.parts[:, ::-1]).all()
    same = play(LIMIT, seated([calls, folds], LIMIT, 60), decks)
    assert (turned.parts == same.parts).all()


@given(plain_games(seats=st.integers(2, 5)), SEEDS)
def test_results_by_player_are_the_sums_over_their_seats(game, seed):
    lineup = np.random.default_rng(seed).integers(0, 3, (8, game.seats))
    hands = play(game, seated([Random()] * 3, game, 8, seed), deal(game, hand_ids(8), seed), lineup=lineup)
    for table, row in enumerate(hands.by_player(3)):
        assert row.tolist() == [int(hands.parts[table][lineup[table] == k].sum()) for k in range(3)]
    assert (hands.by_player(3).sum(axis=1) == 0).all()
    assert (hands.by_player(3, parts=2 * hands.parts) == 2 * hands.by_player(3)).all()


def test_the_cards_are_those_of_the_decks():
    hands = six_handed()
    decks = deal(SIX, WHERE)
    assert (hands.hole.reshape(300, -1) == decks[:, :12]).all()
    assert (hands.board[hands.showdown] == decks[hands.showdown, 12:]).all()


@given(plain_games(seats=st.integers(2, 4)), SEEDS)
def test_stacks_may_differ_from_table_to_table(game, seed):
    stacks = np.random.default_rng(seed).integers(1, 400, (6, game.seats))
    decks = deal(game, hand_ids(6), seed)
    together = play(game, seated([Random()] * game.seats, game, 6), decks, stacks=stacks)
    for table in range(6):
        players = seated([Random()] * game.seats, game, 1)
        alone = play(game, players, decks[[table]], stacks=stacks[table], where=hand_ids(6)[[table]])
        assert (alone.parts[0] == together.parts[table]).all()
    assert (together.parts >= -PARTS * stacks).all()


# ------------------------------------------------------------------------------------- watching


@dataclass
class Watcher:
    """Plays as another seat does, and keeps what it is shown."""

    seat: object
    seen: list = field(default_factory=list)

    def act(self, views):
        return self.seat.act(views)

    def watch(self, hands):
        self.seen.append(hands)


def watched(game, seed, lineup=None):
    """Eight hands of random players, the first of whom watches: what happened, and what it saw of it."""
    players = seated([Random()] * game.seats, game, 8, seed)
    players[0] = Watcher(players[0])
    whole = play(game, players, deal(game, hand_ids(8), seed), lineup=lineup)
    (seen,) = players[0].seen
    return whole, seen


def open_cards(hands):
    """How many cards of the board came at each table."""
    return np.where(hands.showdown, 5, np.array(BOARD_CARDS)[hands.batch.hands["street"]])


@given(plain_games(seats=st.integers(3, 6)), SEEDS)
def test_a_watcher_sees_own_and_shown_cards_and_no_others(game, seed):
    lineup = np.random.default_rng(seed).permuted(np.tile(np.arange(game.seats), (8, 1)), axis=1)
    whole, seen = watched(game, seed, lineup)
    known = (lineup == 0) | (whole.live & whole.showdown[:, None])
    came = np.arange(5) < open_cards(whole)[:, None]
    assert (seen.hole == np.where(known[:, :, None], whole.hole, -1)).all()
    assert (seen.board == np.where(came, whole.batch.hands["board"], -1)).all()
    assert (seen.batch.hands["hole"][:, : game.seats] == seen.hole).all()
    assert (seen.batch.hands["board"] == seen.board).all()
    assert (seen.batch.decks == np.concatenate([seen.hole.reshape(8, -1), seen.board], axis=1)).all()
    assert seen.seen_by(1).hole[~known].tolist() == [[-1, -1]] * int((~known).sum())


@given(plain_games(seats=st.integers(3, 6)), SEEDS)
def test_a_watcher_sees_all_that_is_open(game, seed):
    whole, seen = watched(game, seed)
    for fact in ("parts", "net", "showdown", "live", "history", "actions", "lineup", "hand_ids", "tables"):
        assert (getattr(seen, fact) == getattr(whole, fact)).all(), fact
    assert (len(seen), seen.game, seen.player, whole.player) == (8, game, 0, None)
    # What hides cards from a watcher takes none from the result itself.
    assert (whole.hole >= 0).all()
    assert (whole.batch.decks >= 0).all()


def test_only_those_who_watch_are_shown_hands_once_a_batch():
    game = find_game("limit", seats=3)
    first, second, third = seated([AlwaysCall()] * 3, game, 4)
    watchers = [Watcher(first), Watcher(third)]
    for times in (1, 2):
        play(game, [watchers[0], second, watchers[1]], deal(game, hand_ids(4)))
        assert [len(watcher.seen) for watcher in watchers] == [times, times]
    assert [watcher.seen[0].player for watcher in watchers] == [0, 2]


def test_the_simple_agents_are_static():
    assert not any(isinstance(seat, WatchingSeat) for seat in seated(shipped(), LIMIT, 1))


# ------------------------------------------------------------------------------------- broken contracts


@dataclass
class Broken:
    """Answers whatever it was made with."""

    answer: object

    def act(self, views):
        return self.answer(views)


def play_broken(answer, **named):
    players = [Broken(answer), *seated([AlwaysCall()], LIMIT, 3)]
    return play(LIMIT, players, deal(LIMIT, hand_ids(3)), **named)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (
            lambda views: Actions(np.zeros(len(views) - 1, dtype=int)),
            "one for each of 3 views, got 2 actions",
        ),
        (
            lambda views: Actions(np.zeros(len(views) + 1, dtype=int)),
            "one for each of 3 views, got 4 actions",
        ),
        (lambda views: Actions(np.zeros(len(views))), "one row of ints .* got float64"),
        (lambda views: np.zeros(len(views), dtype=int), r"expected Actions.*got array\(\[0, 0, 0\]\)"),
        (lambda views: [CALL] * len(views), r"expected Actions.*got \[0, 0, 0\]"),
        (lambda views: None, "expected Actions.*got None"),
    ],
)
@pytest.mark.parametrize(("named", "name"), [({}, "player 0"), ({"names": ["Ann", "Bob"]}, "Ann")])
def test_an_answer_that_is_no_row_of_actions_names_the_player(answer, says, named, name):
    with pytest.raises(AgentError, match=f"^{name}: .*{says}"):
        play_broken(answer, **named)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (FOLD, r"expected check \(not a free fold\) or raise to 20, got fold"),
        (30, r"or raise to 20, got raise to 30"),
        (-2, "got raise to -2"),
    ],
)
def test_an_illegal_action_names_the_player_and_the_view(code, says):
    with pytest.raises(IllegalAction, match=f"^Ann: table 0, seat 0: .*{says}; at preflop, seat 0 with"):
        play_broken(lambda views: Actions(np.full(len(views), code)), names=["Ann", "Bob"])


def test_the_first_illegal_action_is_the_one_that_is_named():
    def second_wrong(views):
        return Actions(np.array([CALL, FOLD, CALL]))

    with pytest.raises(IllegalAction, match=r"^player 0: table 1, seat 0"):
        play_broken(second_wrong)


def test_an_error_in_the_code_of_an_agent_names_the_player_and_the_view():
    def stumble(views):
        raise ZeroDivisionError("chips by zero")

    said = r"^Ann: raised ZeroDivisionError\('chips by zero'\) in .*test_play.py:\d+ .*; .*preflop, seat 0"
    with pytest.raises(AgentError, match=said):
        play_broken(stumble, names=["Ann", "Bob"])


def test_a_refusal_of_an_agent_keeps_its_words():
    def refuse(views):
        raise GameError("too many seats")

    with pytest.raises(BadDecision, match=r"^Ann: too many seats .*; at .*preflop, seat 0"):
        play_broken(refuse, names=["Ann", "Bob"])


@pytest.mark.parametrize(
    ("players", "options", "error", "says"),
    [
        (1, {}, AgentError, "expected 2 players, got 1"),
        (3, {}, AgentError, "expected 2 players, got 3"),
        (2, {"lineup": [0, 2]}, AgentError, "players 0 to 1, got 0 to 2"),
        (2, {"lineup": [-1, 0]}, AgentError, "players 0 to 1, got -1 to 0"),
        (
            2,
            {"lineup": [0, 1, 0]},
            AgentError,
            r"lineup of ints of shape \(3, 2\), got int64 of shape \(3,\)",
        ),
        (2, {"lineup": [[0, 1]] * 2}, AgentError, r"shape \(3, 2\), got int64 of shape \(2, 2\)"),
        (2, {"lineup": [0.0, 1.0]}, AgentError, r"lineup of ints of shape \(3, 2\), got float64"),
        (2, {"where": hand_ids(2)}, NotationError, "hand ids and tables, as many as decks, got 2 and 3"),
        (2, {"tables": np.arange(4)}, NotationError, "hand ids and tables, as many as decks, got 3 and 4"),
        (2, {"stacks": [0, 5]}, GameError, "stacks of 1 to"),
        (2, {"stacks": np.ones((2, 2), dtype=int)}, GameError, r"stacks of shape \(3, 2\), got \(2, 2\)"),
        (2, {"names": ["Ann"]}, AgentError, "2 player names, got 1"),
    ],
)
def test_a_table_that_cannot_be_set_up_is_refused(players, options, error, says):
    with pytest.raises(error, match=says):
        play(LIMIT, seated([AlwaysCall()] * players, LIMIT, 3), deal(LIMIT, hand_ids(3)), **options)


def test_an_agent_that_has_not_sat_down_is_refused():
    with pytest.raises(AgentError, match=r"player 1: expected a seat with act\(\).*got AlwaysCall\(\)"):
        play(LIMIT, [*seated([AlwaysCall()], LIMIT, 3), AlwaysCall()], deal(LIMIT, hand_ids(3)))


# ------------------------------------------------------------------------------------- the shipped agents


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("seats", range(2, 11))
def test_the_simple_agents_play_every_game(name, seats):
    game, agents = find_game(name, seats), shipped()
    lineup = (np.arange(20)[:, None] + np.arange(seats)) % len(agents)
    hands = play(game, seated(agents, game, 20), deal(game, hand_ids(20)), lineup=lineup)
    assert (hands.parts.sum(axis=1) == 0).all()
    assert (hands.actions > 0).all()


@given(plain_games(), SEEDS)
def test_the_simple_agents_play_any_game(game, seed):
    agents = shipped()
    lineup = np.random.default_rng(seed).integers(0, len(agents), (6, game.seats))
    hands = play(game, seated(agents, game, 6, seed), deal(game, hand_ids(6), seed), lineup=lineup)
    assert (hands.parts.sum(axis=1) == 0).all()


@pytest.mark.parametrize(
    ("agent", "game", "codes"),
    [
        (AlwaysCall(), "limit", [CALL] * 8),
        (AlwaysRaise(), "limit", [20, 30, 40, 0, 10, 20, 30, 40, 0, 20, 40, 60, 80, 0, 20, 40, 60, 80, 0]),
        (AlwaysAllIn(), "nolimit", [20000, CALL]),
        (AlwaysRaise(), "nolimit", [200, 300, 400]),
    ],
)
def test_players_that_always_do_the_same_do_it(agent, game, codes):
    rules = find_game(game)
    hands = play(rules, seated([agent] * 2, rules, 1), deal(rules, hand_ids(1)))
    assert hands.history["to"][0, : len(codes)].tolist() == codes


@pytest.mark.parametrize("agent", [AlwaysCall(), AlwaysRaise(), AlwaysAllIn()])
@given(plain_games(seats=st.integers(2, 4)), SEEDS)
def test_players_that_always_do_the_same_say_so(agent, game, seed):
    _, _, views = moment(game, seed)
    seat = agent.sit(game, len(views), Streams.of(0))
    policy = seat.policy(views)
    assert (policy.probability_of(seat.act(views).codes) == 1).all()
    assert (policy.draw(views.uniforms(Streams.of(1))).codes == seat.act(views).codes).all()


def test_the_random_player_takes_what_is_legal_alike():
    n = 30_000
    batch = Batch(LIMIT, deal(LIMIT, hand_ids(n)))
    seat = Random().sit(LIMIT, n, Streams.of(3))
    codes = seat.act(looks(batch)).codes
    counts = np.array([(codes == code).sum() for code in (FOLD, CALL, 20)])
    assert counts.sum() == n
    assert abs(counts - n / 3).max() < 4.5 * np.sqrt(n * 2 / 9)


GOLDEN = {"limit": "46c151fda3d0575e", "nolimit": "cbbcd45262f1530c", "casper": "24bd60900caf38ce"}
"""Digests of results in parts of a chip; they change only if the random streams, the shuffle, the random
player or the rules do, and that changes every result that anybody has stored."""


def golden(name):
    game = find_game(name)
    return digest(play(game, seated([Random()] * game.seats, game, 40, 2026), deal(game, hand_ids(40), 2026)))


@pytest.mark.parametrize("name", GOLDEN)
def test_random_play_under_one_seed_is_what_it_always_was(name):
    assert golden(name) == GOLDEN[name]


def test_random_play_is_the_same_uncompiled():
    code = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        from test_play import golden
        print(*(golden(name) for name in sys.argv[2:]))
    """
    printed = run(code, Path(__file__).parent, *GOLDEN, NUMBA_DISABLE_JIT="1").stdout
    assert printed.split() == list(GOLDEN.values())
