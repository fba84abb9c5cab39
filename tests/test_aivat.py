"""AIVAT: unbiased over every hand of Leduc, equal to its slow twin, and without luck where none is left."""

import json

import numpy as np
import pytest

from holdmem import find_game, match, record
from holdmem.agent import FinishedHands, make_agent, play
from holdmem.api.luck import recorded_luck
from holdmem.arena import Design
from holdmem.arena.aivat import Aivat, known_policy
from holdmem.arena.aivat.decisions import no_choices, replay
from holdmem.arena.aivat.estimate import card_table, luck_parts, make_room, plays_of
from holdmem.arena.aivat.kernels.ranges import gains_on_board, rank_run
from holdmem.arena.aivat.reduction import part_of
from holdmem.arena.range_policy import RangePolicyQuery
from holdmem.arena.units import plan
from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.core.errors import AgentError, GameError, NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import PARTS
from holdmem.strength import equity_against_each
from holdmem.strength.preflop_equity import compatible
from holdmem.web.less_luck import LessLuck
from holdmem.web.offers import Lobby
from holdmem.web.saved_session import as_plain, hand_as_plain, restored
from holdmem.web.session import HumanTable, TableSettings
from leduc_aivat import Expectation, random_strategy, showdowns, with_mean, wrong_values
from naive import aivat as naive

LIMIT, NO_LIMIT = find_game("limit"), find_game("nolimit")
SHARES = np.array([[1.3, 0.7], [1.1, 2.0]])


def played(game, names, count: int, seed: int = 1) -> FinishedHands:
    """Play hands with the seats exchanged in every other hand."""
    seats = [make_agent(name).sit(game, count, Streams.of(seed, "player", k)) for k, name in enumerate(names)]
    lineup = np.array([[0, 1], [1, 0]])[np.arange(count) % 2]
    decks = Streams.of(seed, "cards").decks(hand_ids(count), game.deck_cards)
    return play(game, seats, decks, lineup=lineup, where=hand_ids(count))


def reduction(game, names, known=(True, True)) -> Aivat:
    seats = [make_agent(name).sit(game, 1, Streams.of(0)) for name in names]
    return Aivat(game, names, [seat if yes else None for seat, yes in zip(seats, known, strict=True)])


# Unbiased


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("values", [showdowns, lambda: wrong_values(5)], ids=["right", "wrong"])
def test_the_mean_is_the_expected_value_over_all_hands_of_leduc(known, values) -> None:
    """For other strategies and other values, right or wrong, with any shares of the luck."""
    seed = 10 * known[0] + known[1]
    strategies = random_strategy(seed), random_strategy(seed + 1)
    found = Expectation(strategies, known, with_mean(values()), SHARES).run()
    assert found.probability == pytest.approx(1, abs=1e-12)
    assert found.aivat == pytest.approx(found.payoff, abs=1e-9)


def test_values_that_are_right_leave_less_variance_in_leduc() -> None:
    strategies = random_strategy(1), random_strategy(2)
    one = np.ones((2, 2))
    right = Expectation(strategies, (True, True), with_mean(showdowns()), one).run()
    nothing = Expectation(strategies, (True, True), with_mean(showdowns()), 0 * one).run()
    assert right.squares < nothing.squares


def test_sampled_runouts_have_the_mean_of_all() -> None:
    """All 1,176 turns and rivers together give the exact equity, with one holding and with a range."""
    flop, room, table = [3, 17, 40], make_room(), card_table()
    held = int(HOLDING_OF[12, 51])
    left = [card for card in range(52) if card not in flop]
    single, ranged = np.zeros(1326), np.zeros(1326)
    weights, out = np.zeros(1326), np.zeros(1326)
    weights[held] = 1.0
    for place, turn in enumerate(left):
        for river in left[:place]:
            board = np.array([*flop, turn, river], np.uint8)
            rank_run(board, table.cards, room.free, room.found, room.counts, *rows(room), True)
            for who, into in ((held, single), (-1, ranged)):
                scratch = weights, who, room.by_card, room.score, out
                gains_on_board(table.cards, 1, 1 / 990, *tables(room), *scratch)
                into += out  # noqa: PLW2901 (in place)
    exact = equity_against_each(HOLDINGS[[held]], np.array([flop]))[0]
    possible = compatible()[held] & ~np.isin(HOLDINGS, flop).any(axis=1)
    assert -single[possible] == pytest.approx(2 * exact[possible] - 1, abs=1e-9)
    assert ranged == pytest.approx(single, abs=1e-9)


def rows(room):
    return room.strength[0], room.order[0], room.ends[0]


def tables(room):
    return room.strength, room.order, room.ends


# The twin


@pytest.mark.parametrize(
    ("game", "names", "known"),
    [
        (LIMIT, ("simplebot", "simplebot"), (True, True)),
        (LIMIT, ("random", "simplebot"), (False, True)),
        (NO_LIMIT, ("simplebot", "always-call"), (True, True)),
        (NO_LIMIT, ("simplebot", "random"), (True, False)),
    ],
)
def test_luck_is_that_of_the_twin(game, names, known) -> None:
    hands = played(game, names, 40, seed=3)
    place = int(np.argmax(hands.actions))
    one = part_of(hands, place, place + 1)
    plays = plays_of(one, *reduction(game, names, known).known_choices(one))
    plays = plays._replace(runs=plays.runs[:, :2])
    found, _ = luck_parts(plays)
    expected = naive.luck(plays, 0)
    got = np.concatenate([found.final, found.cards[0], found.choices[0]])
    assert got == pytest.approx(expected, abs=1e-7 * max(abs(expected).max(), 1))


@pytest.mark.parametrize(("game", "name"), [(LIMIT, "simplebot"), (NO_LIMIT, "simplebot")])
def test_choices_are_those_of_the_twin(game, name) -> None:
    hands = part_of(played(game, (name, name), 6), 0, 1)
    found = reduction(game, (name, name))
    decisions, _, choices, row = found.known_choices(hands)
    seat = make_agent(name).sit(game, 1, Streams.of(0))
    place = len(row) - 1
    asked = {}

    def policy(holding: int):
        return asked.get(holding, [])

    views, codes, chances = every_view(game, decisions, hands, place, seat)
    for holding, some, these in zip(views, chances, codes, strict=True):
        asked[holding] = list(zip(some, these, strict=True))
    expected = naive.choices(game, decisions.before[place], int(decisions.code[place]), policy)
    got = np.stack([choices.took[row[place]], choices.folds[row[place]], choices.stakes[row[place]]], axis=1)
    assert got == pytest.approx(expected, rel=1e-9)


def every_view(game, decisions, hands, place, seat):
    """Ask a seat for its policy with every possible holding at one decision."""
    hand = decisions.before[[place]]
    street = int(hand["street"][0])
    board = hand["board"][0, : (0, 3, 4, 5)[street]]
    alive = ~np.isin(HOLDINGS, board).any(axis=1)
    query = RangePolicyQuery(game, "bot", seat)
    found = query.ask(
        hand, hands.history[decisions.hand[[place]]], np.array([0]), alive[None].astype(np.uint8)
    )
    return found.holdings.tolist(), found.codes.tolist(), found.probabilities.tolist()


def test_tables_and_questions_give_the_same_choices() -> None:
    """A strategy in tables is looked up; the same agent asked view by view plays the same policy."""
    hands = played(LIMIT, ("simplebot", "simplebot"), 4)
    by_table, asked = (reduction(LIMIT, ("simplebot", "simplebot")) for _ in range(2))
    assert all(policy.tables is not None for policy in by_table.policies)
    for policy in asked.policies:
        policy.tables = None
    one, other = by_table.known_choices(hands)[2], asked.known_choices(hands)[2]
    boards = replay(hands).before
    for row, hand in enumerate(boards):
        free = ~np.isin(HOLDINGS, hand["board"][: (0, 3, 4, 5)[hand["street"]]]).any(axis=1)
        for table, questions in zip(one, other, strict=True):
            assert table[row][free] == pytest.approx(questions[row][free], abs=1e-9)


# Laws


def test_players_who_ignore_their_cards_have_no_luck_left() -> None:
    """Ranges stay those of any two cards, so every hand is worth the same to both."""
    hands = played(LIMIT, ("always-call", "always-raise"), 30)
    found = reduction(LIMIT, ("always-call", "always-raise")).parts(hands)
    assert abs(hands.parts).max() > 0
    assert abs(found).max() <= 1e-6 * PARTS


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
def test_no_hand_depends_on_the_others_and_every_hand_sums_to_zero(known) -> None:
    hands = played(LIMIT, ("simplebot", "always-call"), 12)
    found = reduction(LIMIT, ("simplebot", "always-call"), known)
    together = found.parts(hands)
    alone = [found.parts(part_of(hands, k, k + 1))[0] for k in range(len(hands))]
    assert together.tolist() == np.array(alone).tolist()
    assert not together.sum(axis=1).any()


def test_results_do_not_depend_on_hole_cards_of_known_players() -> None:
    """With both policies known, hands with the same board and betting have the same result."""
    hands = played(LIMIT, ("always-call", "always-call"), 1)
    other = played(LIMIT, ("always-call", "always-call"), 1)
    board = set(other.batch.decks[0, 4:].tolist())
    other.batch.decks[0, :4] = [card for card in range(52) if card not in board][:4]
    found = reduction(LIMIT, ("always-call", "always-call"))
    assert found.parts(hands).tolist() == found.parts(other).tolist()


def test_an_action_that_the_policy_never_takes_names_its_player() -> None:
    hands = played(LIMIT, ("always-raise", "always-call"), 2)
    with pytest.raises(AgentError, match=r"always-call.*action that its policy never takes"):
        reduction(LIMIT, ("always-call", "always-call")).parts(hands)


# In matches, and what is refused


def test_a_match_reports_it_beside_the_money() -> None:
    result = match(
        "limit", "simplebot", "always-call", hands=150, seed=1, luck=("aivat", "adjusted"), kind="ring"
    )
    money, less = result.estimates(), result.estimates("aivat")
    assert less[0].standard_error < 0.5 * money[0].standard_error
    assert abs(less[0].mean - money[0].mean) < 4 * money[0].standard_error
    assert less[0].mean == pytest.approx(-less[1].mean)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": find_game("limit", 3), "agents": ("random",) * 3}, "needs a heads-up game, got 3 seats"),
        ({"kind": "freeze-out", "game": NO_LIMIT}, "got a freeze-out match"),
        ({"on_error": "fold"}, "replaces failed decisions"),
    ],
)
def test_where_it_does_not_apply_it_is_refused_by_name(change, said) -> None:
    with pytest.raises(GameError, match=said):
        Design(**{"game": LIMIT, "agents": ("random", "random"), "luck": ("aivat",), **change})


def test_it_needs_an_agent_whose_policy_is_known() -> None:
    learners = Design(LIMIT, ("action-learner", "action-learner"), luck=("aivat",))
    with pytest.raises(AgentError, match="AIVAT needs an agent whose policy is known"):
        plan(learners)


# Recorded hands


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("aivat") / "hands"
    return record("limit", "simplebot", "always-call", folder=folder, hands=60, seed=4)


def test_recorded_hands_give_what_a_match_gives(stored) -> None:
    result = match("limit", "simplebot", "always-call", hands=60, seed=4, kind="ring", luck=("aivat",))
    found = recorded_luck(stored, {"simplebot": "simplebot", "always-call": "always-call"})
    named = {one.player: one for one in found.players}
    assert named["simplebot"].hands == result.hands
    assert named["simplebot"].money.mean == pytest.approx(result.estimates()[0].mean)
    # Other sampled runouts: the same estimate up to a little of its noise.
    error = result.estimates("aivat")[0].standard_error
    assert named["simplebot"].aivat.mean == pytest.approx(result.estimates("aivat")[0].mean, abs=3 * error)
    assert json.dumps(found.as_json())
    assert found.frame().height == 4
    assert all(f"{name} {one.aivat}" in repr(found) for name, one in named.items())


def test_hands_that_cannot_be_used_are_counted(stored) -> None:
    blocks = list(stored)
    blocks[0].rows["hole"][0, 0] = -1
    found = recorded_luck(blocks, {"simplebot": "simplebot"})
    assert found.left_out == {"hole cards hidden": 1}
    with pytest.raises(NotationError, match="no player 'nobody' in these hands; the players are always-call"):
        recorded_luck(blocks, {"nobody": "simplebot"})


def test_no_choices_are_empty() -> None:
    assert [table.shape for table in no_choices(2)] == [(2, 1326)] * 3


# The web table


def sat_down(opponent: str, hands: int) -> HumanTable:
    """Sit at a table and call through some hands."""
    table = HumanTable(TableSettings(LIMIT, (opponent,), "always-call", seed=5))
    for _ in range(hands):
        table.deal()
        while not table.hand.over:
            table.act(table.hand.number, 0)
    return table


def test_the_web_table_shows_the_rate_without_luck_from_thirty_hands_on() -> None:
    table = sat_down("simplebot", 29)
    assert table.state()["score"]["less_luck"] is None
    table = sat_down("simplebot", 30)
    found = table.state()["score"]
    assert found["less_luck"]["samples"] == 30
    assert found["less_luck"]["standard_error"] < found["rate"]["standard_error"]
    again = restored(as_plain(table), hand_as_plain(table), Lobby(("simplebot",), "always-call"))
    assert again.state()["score"]["less_luck"] == found["less_luck"]


def test_an_opponent_who_learns_has_no_rate_without_luck() -> None:
    class Learner:
        def act(self, views): ...
        def policy(self, views): ...
        def watch(self, hands): ...

    less_luck = LessLuck(LIMIT, ["you", "learner"], {1: Learner()})
    less_luck.add(played(LIMIT, ("always-call", "always-call"), 1))
    assert less_luck.plain() is None
    assert not less_luck.waiting


def test_nothing_is_tabulated_before_the_first_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table may be left before thirty hands, and two hundred people may sit down at once."""
    asked = []
    whole = known_policy._tabulated
    monkeypatch.setattr(
        known_policy, "_tabulated", lambda game, seat: asked.append(seat) or whole(game, seat)
    )
    game = find_game("limit")
    seats = [
        make_agent(name).sit(game, 1, Streams.of(seat)) for seat, name in enumerate(("eqm", "always-call"))
    ]
    reduction = Aivat(game, ("eqm", "always-call"), seats)
    assert asked == []
    hands = play(game, seats, Streams.of(2, "cards").decks(hand_ids(1), 52))
    first = reduction.parts(hands)
    assert len(asked) == 2
    reduction.forget_boards()
    assert (reduction.parts(hands) == first).all()
    assert len(asked) == 2
