"""The rule players decide as they are described: against slow twins, and in situations told by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem import find_game, make_agent
from holdmem.agent import Seat, Views, play
from holdmem.cards import CLASSES, evaluate
from holdmem.cards.classes import CLASS_OF
from holdmem.cards.notation import board as read_board
from holdmem.cards.notation import hole as read_hole
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, Batch, Game
from holdmem.players.rule_based import whlbot
from holdmem.players.rule_based.kernels.random import choose
from holdmem.players.rule_based.megabot import AGGRESSIVE, HALF_POT, LOOSE, STRATEGIES, MegaSeat
from holdmem.players.rule_based.style_rules import top_shares
from holdmem.strength import HandCards, ihs, outlook, potential, whole_column
from naive import rule_based as naive
from naive.legal_policy import legal_chances
from replay import actions_of, replay
from situations import SEEDS, looks, moment, plain_games, seated

LIMIT, NO_LIMIT = find_game("limit"), find_game("nolimit")
RAISE = "raise"


def probabilities(policy, row: int = 0) -> dict[int, float]:
    """What a policy gives each action that has a chance."""
    pairs = zip(policy.codes[row].tolist(), policy.probabilities[row].tolist(), strict=True)
    return {code: chance for code, chance in pairs if chance > 0}


def agree(seat: Seat, views: Views, twin) -> None:
    """The policy at each view is that of the twin, a function of the view and of its outlook."""
    policy, seen = seat.policy(views), outlook(views)
    for i, view in enumerate(views):
        *weights, total = twin(view, *(float(column[i]) for column in seen))
        expected = legal_chances(view, weights, [total])
        assert probabilities(policy, i) == pytest.approx(
            {code: float(chance) for code, chance in expected.items()}
        )


@given(plain_games(), SEEDS)
def test_random_is_its_twin(game: Game, seed: int) -> None:
    _, _, views = moment(game, seed)
    numbers, found = np.random.default_rng(seed).random((len(views), 2)), np.empty(len(views), np.int64)
    choose(np.ascontiguousarray(views.rows), numbers, found)
    assert found.tolist() == [naive.random(views[i], *row) for i, row in enumerate(numbers.tolist())]


@given(plain_games(), SEEDS, st.booleans(), st.booleans())
def test_simplebot_is_its_twin(game: Game, seed: int, leak: bool, details: bool) -> None:
    _, _, views = moment(game, seed)
    seat = seated(f"simplebot:leak={'on' if leak else 'off'},details={'on' if details else 'off'}", game)
    agree(seat, views, lambda view, ihs, ppot, e_hs: naive.simplebot(view, ihs, ppot, leak, details))


@given(plain_games(), SEEDS, st.floats(0.1, 10))
def test_dpp_is_its_twin(game: Game, seed: int, edge: float) -> None:
    def twin(view, ihs, ppot, e_hs):
        row = CLASS_OF[view.hole]
        preflop = {n: whole_column("preflop", f"hs{n}")[row] for n in range(1, 10)}
        return naive.dpp(view, e_hs, preflop, edge)

    agree(seated(f"dpp:edge={edge}", game), moment(game, seed)[2], twin)


@given(plain_games(), SEEDS, st.floats(0, 1), st.floats(0, 1), st.floats(0.1, 3))
def test_jagbot_is_its_twin(game: Game, seed: int, loose: float, aggressive: float, size: float) -> None:
    def twin(view, ihs, ppot, e_hs):
        return naive.temper(view, ihs, ppot, top_shares()[view.hole], loose, aggressive, size)

    seat = seated(f"jagbot:loose={loose},aggressive={aggressive},size={size}", game)
    agree(seat, moment(game, seed)[2], twin)


@given(plain_games(), SEEDS)
def test_megabot_plays_at_each_table_the_strategy_it_is_at(game: Game, seed: int) -> None:
    _, _, views = moment(game, seed)
    seat = seated("megabot", game)
    seat.current[:] = np.random.default_rng(seed).integers(0, len(STRATEGIES), len(seat.current))
    for i, table in enumerate(views.table.tolist()):
        at = seat.current[table]
        alone = seated(f"jagbot:loose={LOOSE[at]},aggressive={AGGRESSIVE[at]},size={HALF_POT}", game)
        assert probabilities(seat.policy(views), i) == probabilities(alone.policy(views), i)


def test_the_top_share_counts_holdings() -> None:
    shares = top_shares()
    assert shares[read_hole("AsAh")] == pytest.approx(6 / 1326)
    assert shares[read_hole("KsKh")] == pytest.approx(12 / 1326)
    assert shares[read_hole("3c2d")] == 1


# Situations told by hand


def situation(game: Game, actions: Sequence[int], hole: str, board: str = "") -> Views:
    """The view of who is to act after these actions, holding these cards."""
    mine, shared = read_hole(hole), read_board(board)
    rest = [card for card in range(52) if card not in (*mine, *shared)]
    probe = replay(game, [rest[: game.deck_cards]], [list(actions)])
    seat = int(probe.hands["to_act"][0])
    deck = rest[: 2 * game.seats]
    deck[2 * seat : 2 * seat + 2] = mine
    deck += [*shared, *rest[-5:]][:5]
    return looks(replay(game, [deck], [list(actions)]))


def decision(text: str, game: Game, actions: Sequence[int], hole: str, board: str = "") -> dict:
    views = situation(game, actions, hole, board)
    found = probabilities(seated(text, game, 1).policy(views))
    assert sum(found.values()) == pytest.approx(1)
    return {RAISE if code > 0 else code: chance for code, chance in found.items()}


OPEN, RAISED, TWICE = [], [20], [CALL, 20, 30]
"""Heads-up limit: the small blind opens; faces one raise; the small blind limped, was raised and raised."""


@pytest.mark.parametrize("hole", ["TsTh", "AsAh", "2s2h", "KsTs", "AsKs", "QdJd"])
def test_simplebot_opens_with_a_raise(hole: str) -> None:
    assert decision("simplebot", LIMIT, OPEN, hole) == {RAISE: 1}
    assert decision("simplebot", LIMIT, RAISED, hole) == {CALL: 1}


@pytest.mark.parametrize("hole", ["9s9h", "3s3h", "AsKh", "JsTd", "9s8s", "As2s", "As7s", "3d2d"])
def test_simplebot_limps_and_calls(hole: str) -> None:
    assert decision("simplebot", LIMIT, OPEN, hole) == {CALL: 1}
    assert decision("simplebot", LIMIT, RAISED, hole) == {CALL: 1}


@pytest.mark.parametrize("hole", ["AsAh", "9s9h", "2s2h"])
def test_simplebot_forgets_its_pairs_after_two_raises(hole: str) -> None:
    assert decision("simplebot", LIMIT, TWICE, hole) == pytest.approx({FOLD: 0.95, CALL: 0.05})
    assert decision("simplebot:leak=off", LIMIT, TWICE, hole) == {CALL: 1}
    deep = [300, 20000]
    assert decision("simplebot", NO_LIMIT, deep, hole) == {FOLD: 1}
    assert decision("simplebot:leak=off", NO_LIMIT, deep, hole) == {CALL: 1}


@pytest.mark.parametrize("hole", ["AhKd", "KsTs", "QhTd"])
def test_simplebot_forgets_high_cards_too_in_detail(hole: str) -> None:
    assert decision("simplebot", LIMIT, TWICE, hole) == {CALL: 1}
    assert decision("simplebot:details=on", LIMIT, TWICE, hole) == pytest.approx({FOLD: 0.95, CALL: 0.05})
    assert decision("simplebot:details=on", LIMIT, RAISED, hole) == {CALL: 1}


@pytest.mark.parametrize("hole", ["As7s", "6s5s", "KsTs", "AhKd"])
def test_simplebot_calls_any_amount_with_the_rest_that_it_plays(hole: str) -> None:
    assert decision("simplebot", NO_LIMIT, [300, 20000], hole) == {CALL: 1}


@pytest.mark.parametrize("hole", ["7s2h", "Ks9h", "Qs9s", "Ah9d"])
def test_simplebot_seldom_plays_anything_else(hole: str) -> None:
    assert decision("simplebot", LIMIT, OPEN, hole) == pytest.approx({FOLD: 0.95, CALL: 0.05})
    assert decision("simplebot", LIMIT, [CALL], hole) == {CALL: 1}
    assert decision("simplebot", NO_LIMIT, [300], hole) == {FOLD: 1}


def test_simplebot_bets_by_hand_rank_and_as_a_semi_bluff() -> None:
    hole, board = "AhKd", "Kc7s2d"
    hands = HandCards.read(hole, board)
    rank, ppot = ihs(hands)[0], potential(hands, 1).ppot[0]
    bets = rank**2 + (1 - rank**2) * ppot
    found = decision("simplebot", LIMIT, [CALL, CALL], hole, board)
    assert found == pytest.approx({CALL: 1 - bets, RAISE: bets})
    ring = find_game("holdem.limit.3p")
    rank = rank**2
    bets = rank**2 + (1 - rank**2) * ppot
    found = decision("simplebot", ring, [CALL, CALL, CALL], hole, board)
    assert found == pytest.approx({CALL: 1 - bets, RAISE: bets})


def test_simplebot_raises_less_often_the_more_was_raised() -> None:
    hole, board = "AhKd", "Kc7s2d"
    rank = ihs(HandCards.read(hole, board))[0]
    for raises, actions in enumerate(([10], [10, 20], [10, 20, 30]), 1):
        found = decision("simplebot", LIMIT, [CALL, CALL, *actions], hole, board)
        assert found == pytest.approx({CALL: 1 - rank ** (1 + raises), RAISE: rank ** (1 + raises)})
    assert decision("simplebot", LIMIT, [CALL, CALL, 10, 20, 30, 40], hole, board) == {CALL: 1}


def test_simplebot_never_checks_the_nuts() -> None:
    royal, board = "AsKs", "QsJsTs2h3d"
    checked = [CALL] * 6
    assert decision("simplebot", LIMIT, checked, royal, board) == {RAISE: 1}
    assert decision("simplebot", LIMIT, [*checked, 20], royal, board) == {RAISE: 1}


def test_simplebot_folds_without_odds_and_calls_with_them() -> None:
    board = "AcKd8s"
    assert FOLD in decision("simplebot", NO_LIMIT, [CALL, CALL, 20000 - 100], "3h2c", board)
    assert FOLD in decision("simplebot", LIMIT, [CALL, CALL, 10], "3h2c", board)
    draw = decision("simplebot", LIMIT, [CALL, CALL, 10], "9c8c", "Tc7c2c")
    assert FOLD not in draw


@pytest.mark.parametrize(
    ("stack", "actions", "total"),
    [
        (20000, [CALL, CALL], 133),  # two thirds of 200
        (20000, [CALL, CALL, 300], 300 + 533),  # two thirds of 500 and the price of 300, on top of it
        (360, [CALL, CALL], 260),  # 127 would be left, less than the bet
        (367, [CALL, CALL], 133),  # 134 would be left
    ],
)
def test_simplebot_bets_two_thirds_of_the_pot(stack: int, actions: list[int], total: int) -> None:
    game = Game("short", (100, 50), (stack, stack))
    views = situation(game, actions, "AsAh", "AcAd7s")
    assert probabilities(seated("simplebot", game, 1).policy(views)) == {total: 1}


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
def test_simplebot_wins_from_always_call_what_its_rules_are_worth(game: Game) -> None:
    """The same cards on paper: what is left is the luck of its own draws, bet or check."""
    decks = Streams.of(5, "cards").decks(hand_ids(20_000), game.deck_cards)
    hole, rival, board = decks[:, :2], decks[:, 2:4], decks[:, 4:]
    seen = [outlook(HandCards(hole, board[:, :cards])) for cards in (3, 4, 5)]
    strengths = [evaluate(np.hstack([cards, board])).astype(int) for cards in (hole, rival)]
    outcome = np.sign(strengths[0] - strengths[1])
    low, high = np.sort(hole >> 2, axis=1).T
    suited, pair, gap = (hole[:, 0] & 3) == (hole[:, 1] & 3), low == high, high - low
    raises = np.where(pair, (low >= 8) | (low == 0), suited & (low >= 8))
    plays = pair | (low >= 8) | (suited & ((gap == 1) | (high == 12)))
    lineup = np.array([[0, 1]] * len(decks))
    for seat, folds in ((0, 0.0), (1, np.where(plays, 0, 0.95))):  # the big blind, then the small blind
        dealt = decks if seat == 0 else np.hstack([rival, hole, board])
        players = [seated("simplebot", game), seated("always-call", game)]
        won = play(game, players, dealt, lineup=lineup[:, :: 1 - 2 * seat]).batch.net[:, seat]
        told = naive.simplebot_against_a_caller(
            folds, 1 + raises, [at.ihs for at in seen], [at.ppot for at in seen], outcome, game.limit
        )
        off = won / game.big_blind - told
        assert abs(off.mean()) < 3 * off.std() / len(off) ** 0.5


def test_dpp_pays_what_its_chance_is_worth_and_is_certain() -> None:
    assert decision("dpp", LIMIT, OPEN, "AsAh") == {RAISE: 1}
    assert decision("dpp", LIMIT, RAISED, "7s2h") == {CALL: 1}  # 35% for a quarter of the pot
    assert decision("dpp", NO_LIMIT, [20000], "7s2h") == {FOLD: 1}
    assert decision("dpp", NO_LIMIT, [20000], "AsKs") == {CALL: 1}
    _, _, views = moment(find_game("casper", 9), 4, tables=200)
    assert (seated("dpp", find_game("casper", 9), 200).policy(views).probabilities.max(axis=1) == 1).all()


# Those that learn


def evening(seat: Seat, game: Game, hands: int, tables: int, other: str = "random"):
    """Hands in a row at several tables, the seat going round; each with the player of every seat."""
    rival = make_agent(other).sit(game, tables, Streams.of(2, "other"))
    for number in range(hands):
        where = np.concatenate([hand_ids(1, 0, table, number) for table in range(tables)])
        decks = Streams.of(1, "cards").decks(where, game.deck_cards)
        lineup = np.ones((tables, game.seats), dtype=np.int64)
        lineup[:, number % game.seats] = 0
        yield play(game, [seat, rival], decks, lineup=lineup, where=where)


@settings(max_examples=8)
@given(plain_games(), st.integers(0, 100))
def test_whlbot_learns_what_its_twin_learns(game: Game, seed: int) -> None:
    tables = 2
    seat = make_agent("whlbot:rate=0.2").sit(game, tables, Streams.of(seed))
    twins = [naive.Learner(rate=0.2) for _ in range(tables)]
    for hands in evening(seat, game, 8, tables):
        for table, twin in enumerate(twins):
            batch = hands.batch
            mine = np.flatnonzero(hands.lineup[table] == 0).tolist()
            actions = actions_of(batch)[table]
            twin.watch(game, batch.decks[table].tolist(), list(game.stacks), actions, mine)
    for table, twin in enumerate(twins):
        known = {(numbered(key[0]), key[1] + 1): value for key, value in twin.values.items()}
        found = {tuple(place): seat.values[table][tuple(place)] for place in np.argwhere(seat.visits[table])}
        assert found == pytest.approx(known, rel=1e-4, abs=1e-4)
        seen = [twin.hands, twin.played, twin.raises, twin.calls]
        assert seat.seen[table].tolist() == seen


def numbered(state) -> int:
    """The number of a state of the twin."""
    name, place, (looseness, aggressive), betting = state
    kind = 2 * (looseness == "loose") + aggressive
    places, bettings = ("early", "middle", "late"), ("nothing", "called", "raised", "raised high")
    numbers = CLASSES.index(name), places.index(place), kind, bettings.index(betting)
    return whlbot.state_of(*numbers)


def test_whlbot_knows_nothing_at_first_and_then_the_better_action() -> None:
    seat = seated("whlbot", LIMIT, 1)
    views = situation(LIMIT, OPEN, "AsAh")
    assert probabilities(seat.policy(views)) == pytest.approx({FOLD: 1 / 3, CALL: 1 / 3, 20: 1 / 3})
    state = whlbot.state_of(CLASSES.index("AA"), 0, 0, 0)
    seat.values[0, state], seat.visits[0, state] = (-0.5, 1.0, 3.0), (1000, 1000, 1000)
    found = probabilities(seat.policy(views))
    assert found[20] == pytest.approx(0.95 + 0.05 / 3)
    assert found[FOLD] == pytest.approx(0.05 / 3)


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT, find_game("casper", 9), find_game("nolimit", 6)])
def test_whlbot_always_raises_after_the_flop(game: Game) -> None:
    seat = seated("whlbot", game, 100)
    after_the_flop = 0
    for seed in range(20):
        _, _, views = moment(game, seed, tables=100)
        later = views[views.street > 0]
        np.testing.assert_array_equal(seat.act(later).codes, later.max_raise_to)
        after_the_flop += len(later)
    assert after_the_flop > 20


def test_whlbot_learns_which_hands_are_worth_a_call_of_all_ins() -> None:
    game = Game("shallow", (2, 1), (20, 20))
    seat = seated("whlbot", game, 100)
    for _ in evening(seat, game, 200, 100, "always-all-in"):
        pass
    called = seat.visits[:, :, 1].reshape(100, len(CLASSES), -1)
    won = (seat.values[:, :, 1].reshape(called.shape) * called).sum(axis=(0, 2)) / called.sum(axis=(0, 2))
    strong, weak = (won[[CLASSES.index(name) for name in names]] for names in (("AA", "KK"), ("72o", "32o")))
    assert strong.min() > 1
    assert weak.max() < 0


def test_megabot_changes_only_when_it_is_losing() -> None:
    seat = make_agent("megabot:patience=10").sit(LIMIT, 3, Streams.of(1))
    assert isinstance(seat, MegaSeat)
    before = seat.current.copy()
    gained = np.zeros(3)
    for number, hands in enumerate(evening(seat, LIMIT, 200, 3), 1):
        gained += hands.by_player(2)[:, 0]
        if number % 10:
            np.testing.assert_array_equal(seat.current, before)
        else:
            np.testing.assert_array_equal(seat.current, (before + (gained < 0)) % len(STRATEGIES))
            before, gained = seat.current.copy(), np.zeros(3)
    assert (seat.hands > 0).sum() > 3  # it has changed at some table


# The contract


@pytest.mark.parametrize("name", ["simplebot", "dpp", "jagbot", "megabot", "whlbot"])
def test_explanations_say_what_the_policy_says(name: str) -> None:
    for game in (LIMIT, find_game("nolimit", 4)):
        _, _, views = moment(game, 5)
        seat = seated(name, game)
        for i, view in enumerate(views):
            said = seat.explain(view)
            assert dict(said.probabilities) == probabilities(seat.policy(views), i)
            assert said.reasons
            assert said.details
            assert str(said)


@pytest.mark.parametrize(
    "text",
    [
        "jagbot:loose=1.5",
        "jagbot:aggressive=-1",
        "jagbot:size=0",
        "dpp:edge=0",
        "dpp:edge=nan",
        "megabot:patience=0",
        "whlbot:explore=2",
        "whlbot:rate=-1",
        "simplebot:leak=maybe",
    ],
)
def test_settings_out_of_bounds_are_refused(text: str) -> None:
    with pytest.raises(AgentError, match="expected"):
        make_agent(text)


def test_a_batch_of_nobody_is_answered() -> None:
    batch = Batch(LIMIT, [list(range(9))])
    nobody = looks(batch)[np.array([], dtype=np.int64)]
    for name in ("simplebot", "dpp", "jagbot", "megabot", "whlbot"):
        assert len(seated(name, LIMIT).act(nobody)) == 0
