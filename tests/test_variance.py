"""Luck against its law (no mean, whatever came before), its slow twin, and the money."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from holdmem.agent import Actions, FinishedHands, Views, make_agent, play
from holdmem.arena import Design, run
from holdmem.cards import cards
from holdmem.core.errors import GameError, NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, PARTS, Batch, Game, find_game
from holdmem.strength import hand_equities
from holdmem.strength.pot_equities import pot_equities
from holdmem.variance import QUANTITIES, adjusted, adjusted_parts, divat, divat_showdown, luck_by_street
from holdmem.variance.divat import strengths
from naive import variance as naive
from random_play import decks, play_out
from replay import actions_of, replay

LIMIT, NO_LIMIT = find_game("limit"), find_game("nolimit")
SHORT = replace(find_game("holdem.nolimit.3p"), stacks=(3000, 700, 1500))
THREE = find_game("holdem.limit.3p")


def finished(batch: Batch) -> FinishedHands:
    """Hands that are over, with the seats as players."""
    lineup = np.tile(np.arange(batch.game.seats), (len(batch), 1))
    return FinishedHands(batch, lineup, hand_ids(len(batch)), np.arange(len(batch)))


@cache
def random_hands(game: Game, count: int, seed: int = 3) -> FinishedHands:
    """Random hands, few of them folded early."""
    rng = np.random.default_rng(seed)
    return finished(play_out(Batch(game, decks(rng, game, count)), rng))


@cache
def hands_of(game: Game, names: tuple[str, ...], count: int, seed: int = 5) -> FinishedHands:
    """Hands of agents, each in its seat."""
    where = hand_ids(count)
    dealt = Streams.of(seed, "cards").decks(where, game.deck_cards)
    agents = [make_agent(name).sit(game, count, Streams.of(seed, k)) for k, name in enumerate(names)]
    return play(game, agents, dealt, where=where)


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean and four standard errors."""
    return float(values.mean()), float(4 * values.std() / len(values) ** 0.5)


def played_for_every_card(game: Game, street: int, seed: int) -> FinishedHands:
    """One hand with every card that could have come on a street: the same betting before it, then calls."""
    deals = (random_hands(game, 1, 1000 * seed + k) for k in range(1000))
    hands = next(hands for hands in deals if hands.batch.hands["street"][0] >= street)
    history = hands.history[0, : int(hands.actions[0])]
    before = history["to"][history["street"] < street].tolist()
    known = hands.batch.decks[0, : 2 * game.seats + (0, 0, 3, 4)[street]].tolist()
    left = [card for card in range(52) if card not in known]
    rows = []
    for drawn in combinations(left, (0, 3, 1, 1)[street]):
        rest = [card for card in left if card not in drawn]
        rows.append([*known, *drawn, *rest][: game.deck_cards])
    batch = replay(game, rows, [before] * len(rows))
    while len(tables := batch.unfinished()):
        batch.act(tables, np.full(len(tables), CALL))
    return finished(batch)


# Luck has no mean


@pytest.mark.parametrize("street", [1, 2, 3])
@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT, SHORT], ids=lambda game: game.name)
def test_the_mean_over_all_cards_that_could_have_come_is_zero(game: Game, street: int) -> None:
    tried = (luck_by_street(played_for_every_card(game, street, seed))[:, street] for seed in range(20))
    luck = next(luck for luck in tried if abs(luck).max() > 0)
    assert len(luck) == comb(52 - 2 * game.seats - (0, 0, 3, 4)[street], (0, 3, 1, 1)[street])
    assert luck.mean(axis=0) == pytest.approx(0, abs=1e-9 * abs(luck).max())


@pytest.mark.parametrize("game", [LIMIT, THREE], ids=lambda game: game.name)
def test_the_luck_of_the_deal_is_none_over_all_ways_to_deal_the_same_hands(game: Game) -> None:
    deck = decks(np.random.default_rng(8), game, 1)[0]
    hole, board = deck[: 2 * game.seats].reshape(-1, 2), deck[2 * game.seats :]
    dealt = [np.concatenate([hole[list(order)].ravel(), board]) for order in permutations(range(game.seats))]
    hands = replay(game, dealt, [[FOLD] * (game.seats - 1)] * len(dealt))
    luck = luck_by_street(finished(hands))
    assert abs(luck[:, 0]).max() > 0
    assert luck[:, 0].sum(axis=0) == pytest.approx(0, abs=1e-9)
    assert not luck[:, 1:].any(), "everybody folded before a card came"


@pytest.mark.parametrize(
    ("game", "names", "removed"),
    [
        (LIMIT, ("always-call", "always-raise"), 0.6),
        (LIMIT, ("random", "random"), 0.1),
        (NO_LIMIT, ("always-call", "always-all-in"), 0.85),
        (NO_LIMIT, ("random", "random"), 0.25),
        (THREE, ("random", "always-call", "always-raise"), 0.1),
    ],
)
def test_the_adjusted_result_has_the_mean_of_the_money_and_less_variance(
    game: Game, names: tuple[str, ...], removed: float
) -> None:
    hands = hands_of(game, names, 20_000 if game.seats == 2 else 1_500)
    money, other = hands.parts[:, 0] / PARTS, adjusted(hands)[:, 0] / PARTS
    mean, reach = interval(money - other)
    assert abs(mean) < reach
    assert other.var() < (1 - removed) * money.var()


# Against the twin


@pytest.mark.parametrize(
    "game", [LIMIT, replace(NO_LIMIT, stacks=(900, 2000)), SHORT], ids=["limit", "no-limit", "three"]
)
def test_luck_is_that_of_the_twin(game: Game) -> None:
    hands = random_hands(game, 2)
    found = luck_by_street(hands)
    for table, actions in enumerate(actions_of(hands.batch)):
        hand = game, hands.batch.decks[table].tolist(), hands.batch.stacks[table].tolist()
        assert found[table, 0] == pytest.approx([float(part) for part in naive.deal_luck(*hand)], abs=1e-8)
        expected = [[float(part) for part in street] for street in naive.luck_by_street(*hand, actions)]
        assert found[table, 1:] == pytest.approx(np.array(expected[1:]), abs=1e-8)


@pytest.mark.parametrize(
    "game", [LIMIT, replace(LIMIT, stacks=(70, 200)), NO_LIMIT], ids=["limit", "short", "no"]
)
def test_divat_is_that_of_the_twin(game: Game) -> None:
    hands = random_hands(game, 2, 4)
    found = divat(hands)[:, 0]
    for table, actions in enumerate(actions_of(hands.batch)):
        hand = game, hands.batch.decks[table].tolist(), hands.batch.stacks[table].tolist()
        assert found[table] == round(PARTS * naive.divat(*hand, actions))


def test_the_baseline_bets_for_value() -> None:
    dealt = cards("AsAh 7c2d Ks8h3c 4d 9s")  # seat 0 has the big blind and acts first after the flop
    hands = finished(replay(LIMIT, [dealt], [[CALL] * 8]))
    assert strengths(hands.hole, hands.board, 0)[0] == pytest.approx([1 - 3 / 1326, 0.0407], abs=1e-4)
    seven_deuce = [strengths(hands.hole, hands.board, street)[0, 1] for street in range(4)]
    assert max(seven_deuce) < 1 / 3
    # In the baseline the small blind folds seven-deuce (owed 5 of 15); after the flop aces bet and it folds
    # (owed 10 of 30, then 20 of 40 twice). What was played was 10 chips each, and checks.
    equity = [pot_equities(hands.hole, hands.board, np.array([3]), street)[0, 0] for street in range(4)]
    expected = sum(10 * (2 * now - 1) for now in equity) - (5 + 10 + 10 + 10)
    assert divat(hands)[0] / PARTS == pytest.approx([expected, -expected], abs=1e-3)


def test_in_no_limit_divat_is_the_adjusted_result() -> None:
    for names in (("random", "random"), ("always-all-in", "random")):
        hands = hands_of(NO_LIMIT, names, 3_000)
        assert (abs(divat(hands) - adjusted(hands)) <= 1).all()


# Bias


@dataclass
class Tight:
    """Folds the worse half before the flop to any bet, and calls with the better one to the end."""

    def act(self, views: Views) -> Actions:
        """Fold or call."""
        strength = strengths(np.ascontiguousarray(views.hole[:, None]), views.board, 0)[:, 0]
        return Actions(np.where((views.street == 0) & (views.to_call > 0) & (strength < 0.5), FOLD, CALL))


def test_divat_is_biased_where_ranges_differ_and_the_adjusted_result_is_not() -> None:
    game, count = LIMIT, 10_000
    where = hand_ids(count)
    dealt = Streams.of(2, "cards").decks(where, game.deck_cards).repeat(2, axis=0)
    seated = [Tight(), make_agent("always-raise").sit(game, count, Streams(0))]
    hands = play(game, seated, dealt, lineup=np.tile([[0, 1], [1, 0]], (count, 1)), where=where.repeat(2))

    def pairs(parts: NDArray[np.int64]) -> NDArray[np.float64]:
        return hands.by_player(2, parts)[:, 0].reshape(count, 2).mean(axis=1) / PARTS / game.unit[0]

    money = pairs(hands.parts)
    mean, reach = interval(pairs(adjusted(hands)) - money)
    assert abs(mean) < reach
    for heuristic in (divat, divat_showdown):
        mean, reach = interval(pairs(heuristic(hands)) - money)
        assert mean < -reach, "the tight player's better range is held against it"


# Shape


@pytest.mark.parametrize("name", QUANTITIES)
@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT], ids=["limit", "no-limit"])
def test_hands_sum_to_zero_and_do_not_depend_on_the_batch(game: Game, name: str) -> None:
    rng = np.random.default_rng(6)
    dealt = decks(rng, game, 30)
    together = finished(play_out(Batch(game, dealt), rng))
    parts = adjusted_parts(together, name)
    assert parts.dtype == np.int64
    assert not parts.sum(axis=1).any()
    for table, actions in enumerate(actions_of(together.batch)):
        alone = finished(replay(game, dealt[table : table + 1], [actions]))
        assert (adjusted_parts(alone, name) == parts[table]).all()


def test_ledgers_are_the_same_for_any_batch_size() -> None:
    design = Design(LIMIT, ("random", "always-call"), hands=50, luck=("adjusted", "divat"))
    assert len({str(run(design, batch=batch).units) for batch in (1, 7, 4096)}) == 1


@pytest.mark.parametrize("seats", [2, 3, 5, 10])
def test_equities_are_those_of_hands_with_folded_cards_dead(seats: int) -> None:
    rng = np.random.default_rng(seats)
    dealt = rng.permuted(np.tile(np.arange(52), (2, 1)), axis=1).astype(np.int8)
    hole, board = dealt[:, : 2 * seats].reshape(2, seats, 2), dealt[:, 2 * seats : 2 * seats + 5]
    inside = np.array([(1 << seats) - 1, 3])
    for street, known in enumerate((0, 3, 4, 5)):
        found = pot_equities(hole, board, inside, street)
        for row, who in enumerate((range(seats), range(2))):
            dead = hole[row, len(who) :].ravel()
            expected = hand_equities(hole[row : row + 1, : len(who)], board[row : row + 1, :known], dead)
            assert found[row, : len(who)] == pytest.approx(expected.equity[0], abs=1e-12)
            assert not found[row, len(who) :].any()


def test_what_cannot_be_answered_is_said() -> None:
    hands = random_hands(SHORT, 3)
    with pytest.raises(GameError, match="divat needs two seats, this game has 3"):
        divat(hands)
    with pytest.raises(NotationError, match="expected adjusted or divat or divat-showdown, got 'lucky'"):
        adjusted_parts(hands, "lucky")
    heads_up = random_hands(LIMIT, 20)
    with pytest.raises(NotationError, match="needs all hole cards"):
        adjusted_parts(heads_up.seen_by(0), "divat")
    assert (adjusted_parts(heads_up.seen_by(0), "divat-showdown") == divat_showdown(heads_up)).all()
    folded = ~heads_up.showdown
    assert (divat_showdown(heads_up)[folded] == heads_up.parts[folded]).all()
