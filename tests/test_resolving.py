"""Re-solving: what it does to exploitability on Leduc and on a short deck, and the agent that does it."""

from dataclasses import replace

import numpy as np
import pytest

from holdmem import Range, Situation, make_agent
from holdmem import equity as compute_equity
from holdmem.cards import cards, hole
from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.cfr import CFRSolver, Leduc, best_response, build_game_tree
from holdmem.cfr.betting_tree import Sizes
from holdmem.cfr.exact_response import ExactResponse
from holdmem.cfr.leduc import paid
from holdmem.cfr.public_game import HOLDEM, PublicGame
from holdmem.cfr.subgame.response import SubgameStrategy, average, river_values, root_values
from holdmem.cfr.subgame.solver import SubgameSolver
from holdmem.cfr.subgame.tree import Subgame, subgame_tree
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import find_game
from holdmem.players.resolving.public_play import (
    HoldingClasses,
    PolicyOfRange,
    RangeAnswer,
    RangeFollower,
    act_legally,
    action_columns,
    rebuild,
)
from holdmem.players.resolving.subgames import ResolveOptions, offer, resolve_river, resolver
from holdmem.players.resolving.tables import ResolvedTables
from holdmem.players.resolving.words import equity
from test_exact_response import RandomTables, respond, short_tree
from test_subgame import BOARD, SHORT, random_strategy

LEDUC = build_game_tree(Leduc())
LETTERS = {-1: "f", 0: "c"}


class LeducDeck:
    """Six cards of three ranks; a holding is one card, whose second card is a dummy of its own."""

    dealt = (0, 1)
    hole_cards = 1
    cards = np.arange(6)
    holdings = np.array([(card, 6 + card) for card in range(6)])

    def free(self, board):
        return np.arange(6) != board[0]

    def strengths(self, board, holdings):
        ranks = np.asarray(holdings) // 2
        return np.where(ranks == board[0] // 2, 10, ranks).astype(np.uint16)


def options(safe, share=0.02, iterations=1000):
    return ResolveOptions(safe, iterations, share, Sizes())


def resolved_leduc(strategy, seat, how):
    """The strategy with the seat's second round re-solved after each first round."""
    words, found = LEDUC.in_words(strategy), strategy.copy()
    places = {known: k for k, known in enumerate(LEDUC.information)}
    for first in ("cc", "crc", "crrc", "rc", "rrc"):
        for board in (0, 2, 4):
            pot = 2.0 * paid((first,))[0]
            subgame = Subgame(3, pot, 10**6, fixed=(2, 4), most_raises=2)
            (tree,) = subgame_tree(subgame)
            ranges = [np.array([reach(words, first, who, card // 2) for card in range(6)]) for who in (0, 1)]
            if min(one[np.arange(6) != board].max() for one in ranges) <= 0:
                continue
            table = np.zeros((tree.rows, 6))
            own = np.flatnonzero(tree.turn == seat).tolist()
            names = {node: "".join(LETTERS.get(code, "r") for code in tree.path(node)) for node in own}
            for node in own:
                for card in range(6):
                    moves = words[f"{'JQK'[card // 2]}:{'JQK'[board // 2]}:{first}/{names[node]}"]
                    rows = slice(tree.offset[node], tree.offset[node] + tree.actions[node])
                    table[rows, card] = list(moves.values())
            solver = resolve_river(subgame, (board,), ranges, seat, table, how, LeducDeck())
            average, held = solver.first.average(), solver.first.sorted.holding.tolist()
            for node in own:
                for card in held:
                    known = places[f"{'JQK'[card // 2]}:{'JQK'[board // 2]}:{first}/{names[node]}"]
                    rows = slice(tree.offset[node], tree.offset[node] + tree.actions[node])
                    found[LEDUC.slots[known] : LEDUC.slots[known + 1]] = average[rows, held.index(card)]
    return found


def reach(words, first, seat, rank):
    """How often a seat plays its part of a first round with a rank."""
    found = 1.0
    for place, act in enumerate(first):
        if place % 2 == seat:
            found *= words[f"{'JQK'[rank]}:{first[:place]}"][act]
    return found


def leduc_bases():
    solver = CFRSolver(LEDUC)
    solver.run(3)
    few = solver.average()
    solver.run(40)
    rng = np.random.default_rng(5)
    return {
        "uniform": LEDUC.uniform(),
        "random": LEDUC.normalised(rng.exponential(size=LEDUC.size)),
        "after 3 iterations": few,
        "after 43 iterations": solver.average(),
    }


@pytest.mark.parametrize("base", leduc_bases().values(), ids=leduc_bases())
@pytest.mark.parametrize("share", [0.0, 0.02, 10.0])
def test_safe_resolving_never_raises_exploitability_on_leduc(base, share):
    for seat in (0, 1):
        before = best_response(LEDUC, base, 1 - seat).value
        after = best_response(LEDUC, resolved_leduc(base, seat, options(True, share)), 1 - seat).value
        assert after <= before + 0.002, (seat, before, after)


def test_resolving_a_weak_strategy_helps_much_on_leduc():
    base = LEDUC.uniform()
    before = sum(best_response(LEDUC, base, seat).value for seat in (0, 1))
    for how in (options(True, 10.0), options(False)):
        after = sum(best_response(LEDUC, resolved_leduc(base, 1 - seat, how), seat).value for seat in (0, 1))
        assert after < 0.8 * before


@pytest.mark.long
def test_safe_resolving_never_raises_exploitability_on_a_short_deck():
    game, tree = PublicGame(4, 2, (0, 1, 1, 1)), short_tree((1, 1, 1, 1))
    base = RandomTables(tree, game, 3)
    before = respond(ExactResponse(tree, base, game, np.float64)).by_way[:, -1]
    tables = ResolvedTables(base, tree, options(True, 10.0, 150), game)
    after = respond(ExactResponse(tree, tables, game, np.float64)).by_way[:, -1]
    assert (after <= before + 0.002 * game_scale(tree)).all(), (before, after)
    assert after.sum() < before.sum()


def game_scale(tree):
    """Chips of a big blind."""
    return tree.game.big_blind


SHORT_TURN = Subgame(2, 12, 10**6, fixed=(2, 4), most_raises=1)
SHORT_STACKS = Subgame(2, 12, 9, Sizes((0.5,), (1.0,), 1), min_bet=2)


def nested(plain, keeper, old, how):
    """A turn solved safely for one seat, and then each of its rivers again, against what the turn promises.

    Returns the keeper's strategy on both streets.
    """
    every = SHORT.free(plain.board)
    other = [np.where(every, 1.0, 0.0) if seat != keeper else plain.ranges[seat] for seat in (0, 1)]
    turn = resolver(plain.subgame, plain.board, list(plain.ranges), keeper, how, SHORT)
    offer(turn, old)
    turn.run(how.turn_iterations)
    strategy = average(turn)
    values, rivers = river_values(turn, strategy, 1 - keeper), list(strategy.rivers)
    tree, held = turn.trees[0], turn.first.sorted.holding
    for node in np.flatnonzero(tree.onward >= 0).tolist():
        reach = plain.ranges[keeper].copy()
        reach[held] *= reach_at(tree, strategy.first, node, keeper)
        paid = 2 * tree.paid[node, 0]
        chips = plain.subgame.stack - (paid - plain.subgame.pot) // 2
        subgame = replace(plain.subgame, street=3, pot=paid, stack=int(chips))
        for river, part in enumerate(turn.rivers):
            own = np.where(SHORT.free(part.board), reach, 0)
            if not own.any() or not subgame.stack:
                continue
            ranges = [own if seat == keeper else other[seat] for seat in (0, 1)]
            again = resolver(subgame, part.board, ranges, keeper, how, SHORT)
            offer(again, values[int(tree.onward[node]), river].astype(float))
            again.run(how.iterations)
            replace_below(rivers[river], turn.trees[1], int(tree.onward[node]), again)
    return SubgameStrategy(strategy.first, rivers)


def reach_at(tree, strategy, node, seat):
    """How often a seat plays to a node with each holding."""
    found = np.ones(strategy.shape[1])
    while tree.parent[node] >= 0:
        parent = int(tree.parent[node])
        if tree.turn[parent] == seat:
            found *= strategy[tree.offset[parent] + node - tree.child[parent]]
        node = parent
    return found


def replace_below(rows, forest, root, again):
    """Enter a solved river into the table of all rivers' betting on this card."""
    tree, solved = again.trees[0], again.first.average()
    for node in np.flatnonzero(tree.turn < 2).tolist():
        same, count = forest.follow(tree.path(node), root), int(tree.actions[node])
        there, here = forest.offset[same], tree.offset[node]
        rows[there : there + count] = solved[here : here + count]


@pytest.mark.parametrize("subgame", [SHORT_TURN, SHORT_STACKS], ids=["limit", "short stacks"])
@pytest.mark.parametrize("keeper", [0, 1])
@pytest.mark.parametrize("share", [0.0, 2.0])
def test_a_turn_and_then_its_rivers_give_no_holding_more_than_the_base(subgame, keeper, share):
    rng = np.random.default_rng(7)
    given = [rng.random(len(SHORT.holdings)) for _ in (0, 1)]
    given[1 - keeper] = np.ones(len(SHORT.holdings))
    plain = SubgameSolver(subgame, BOARD[:2], given, game=SHORT)
    old = root_values(plain, random_strategy(plain, 3), 1 - keeper)
    how = ResolveOptions(True, 600, share, subgame.sizes, turn_iterations=600)
    new = root_values(plain, nested(plain, keeper, old, how), 1 - keeper)
    assert (new - old).max() <= 0.004 * subgame.pot * plain.ranges[keeper].sum()
    assert new.sum() < old.sum()


# The agent


def seat_of(text, game):
    return make_agent(text).sit(find_game(game), 4, Streams.of(0, "player", 0))


def test_ranges_follow_bayes_rule():
    """The product of the policy's probabilities of what the seat did, holding by holding."""
    base = seat_of("eqm", "limit")
    spot = Situation("AhKd", "Kc8s2d5h9c", "rc/crc/rc/")
    public, actions = rebuild(spot.views)
    follower = RangeFollower(spot.game, PolicyOfRange(spot.game, base))
    counts = np.array([len(spot.view.history)])
    found = follower.follow(public, actions, counts)[0]
    for text in ("AhKd", "7h6h", "2c2h"):
        expected = [1.0, 1.0]
        for betting in ("", "r", "rc/", "rc/c", "rc/cr", "rc/crc/", "rc/crc/r"):
            board = "Kc8s2d5h"[: 2 * (0, 3, 4)[betting.count("/")]]
            before = Situation(text, board, betting)
            taken = spot.view.history[len(before.view.history)][2]
            expected[before.view.seat] *= base.policy(before.views).probability_of([taken])[0]
        holding = HOLDING_OF[tuple(before.views.hole[0])]
        assert found[:, holding] == pytest.approx(expected)


def test_raises_of_other_sizes_are_split_between_the_nearest():
    chances, codes = np.array([[0.25, 0.75], [1.0, 0.0]]), np.array([[0, 150], [0, 150]])
    answer = RangeAnswer(np.arange(2), np.arange(2), chances, codes)
    found = action_columns(answer, [0, 100, 200], 100, 0)
    share = (2 - 1.5) * (1 + 1) / ((2 - 1) * (1 + 1.5))
    assert found[:, 0] == pytest.approx([0.25, 0.75 * share, 0.75 * (1 - share)])
    assert found[:, 1] == pytest.approx([1, 0, 0])
    assert action_columns(answer, [-1, 0], 100, 0)[:, 0] == pytest.approx([0, 1.0])


@pytest.mark.parametrize(("agent", "game", "betting"), [
    ("resolve:iterations=20", "limit", "rc/crc/rc/"),
    ("resolve:base=eqm-nl,iterations=20,bets=1,raises=1", "nolimit", "r300c/cr400c/cc/cr333"),
])  # fmt: skip
def test_the_policy_is_legal_and_plays_the_base_before_the_river(agent, game, betting):
    seat = seat_of(agent, game)
    early = Situation("AhKd", "Kc8s2d", betting.split("/")[0] + "/", game).views
    np.testing.assert_array_equal(seat.policy(early).probabilities, seat.base.policy(early).probabilities)
    late = Situation("AhKd", "Kc8s2d5h9c", betting, game).views
    policy = seat.policy(late)
    assert policy.probabilities.sum() == pytest.approx(1)
    (found,) = seat.find(late)
    assert found is not None
    solution, node = found
    assert solution.tree.path(node) == tuple(code for street, _, code in late[0].history if street == 3)
    free = ~np.isin(HOLDINGS, late.board[0]).any(axis=1)
    assert (solution.at(node).sum(axis=0)[free] == pytest.approx(1)) if free.any() else False


def test_the_same_river_is_solved_once():
    seat = seat_of("resolve:iterations=5", "limit")
    spot = Situation("AhKd", "Kc8s2d5h9c", "rc/rc/rc/").views
    seat.policy(spot)
    assert len(seat.solved[3]) == 1
    seat.policy(Situation("7h7d", "Kc8s2d5h9c", "rc/rc/rc/cr").views)
    assert len(seat.solved[3]) == 1, "the same seat, board and betting before the river"
    seat.policy(Situation("AhKd", "Kc8s2d5h9c", "rc/rc/rc/c").views)
    assert len(seat.solved[3]) == 2, "the other seat"


@pytest.mark.parametrize(("agent", "game", "betting"), [
    ("resolve:start=turn,iterations=10,turn_iterations=2", "limit", "rc/crc/crc/"),
    ("resolve:base=eqm-nl,start=turn,iterations=10,turn_iterations=2", "nolimit", "r300c/cr400c/cr777c/"),
])  # fmt: skip
def test_a_turn_is_solved_and_its_solution_followed_to_the_river(agent, game, betting):
    """The big blind checks the turn, faces a bet, calls, and comes to the river with the range of that."""
    seat = seat_of(agent, game)
    faced = betting[: betting.rindex("c/")]
    spots = [
        Situation("8h7h", "Kc8s2d5h", faced[: faced.rindex("c")], game),
        Situation("8h7h", "Kc8s2d5h", faced, game),
        Situation("8h7h", "Kc8s2d5h9c", betting, game),
    ]
    for spot in spots:
        policy = seat.policy(spot.views)
        assert policy.probabilities.sum() == pytest.approx(1)
        assert seat.find(spot.views)[0] is not None
    ((led, end),) = seat._turns(spots[-1].views)
    ((solution, node),) = seat.find(spots[-1].views)
    assert solution.tree.path(node) == ()
    assert led.tree.path(end) == tuple(code for street, _, code in spots[-1].view.history if street == 2)
    own = led.range_after(end) * HOLDEM.free(tuple(spots[-1].views.board[0].tolist()))
    np.testing.assert_allclose(solution.ranges[spots[-1].view.seat], own / own.max(), rtol=1e-5)
    anew = seat_of(agent, game).policy(spots[-1].views)
    np.testing.assert_array_equal(anew.probabilities, seat.policy(spots[-1].views).probabilities)
    early = Situation("8h7h", "Kc8s2d", betting.split("/")[0] + "/", game).views
    np.testing.assert_array_equal(seat.policy(early).probabilities, seat.base.policy(early).probabilities)


def test_holdings_of_a_class_are_played_alike():
    """Asking about one holding of each bucket is asking about all."""
    seat = seat_of("eqm", "limit")
    spot = Situation("AhKd", "Kc8s2d5h9c", "rc/crc/rc/")
    public, actions = rebuild(spot.views)
    first = np.zeros(1, np.int64)
    for step in range(len(spot.view.history)):
        act_legally(spot.game, public, first, actions[:, step])
    few, every = (PolicyOfRange(spot.game, seat) for _ in range(2))
    free = np.flatnonzero(HOLDEM.free(tuple(cards("Kc8s2d5h9c"))))
    every.classes = lambda board: HoldingClasses(free, free, np.arange(len(free)))
    (one,), (other,) = few.ask(public, first), every.ask(public, first)
    assert len(one.codes) < len(other.codes)
    np.testing.assert_array_equal(one.probabilities[one.which], other.probabilities[other.which])


def test_remembered_hands_behind_the_ranges_are_shown():
    spot = Situation("AhKd", "Kc8s2d5h9c", "rc/crc/rc/")
    found = seat_of("resolve:base=sartre-2,iterations=5", "limit").explain(spot.view)
    assert found.hands
    assert "what its base remembers" in str(found)


def test_a_turn_is_explained():
    spot = Situation("AhKd", "Kc8s2d5h", "rc/crc/")
    found = seat_of("resolve:start=turn,turn_iterations=1", "limit").explain(spot.view)
    assert "when the turn came" in str(found)
    assert [len(grid.shares) for grid in found.grids] == [169, 169]


def test_equity_on_the_turn_is_the_mean_over_rivers():
    rivals = "AA, KQ, AhQh, 88:0.5"
    expected = compute_equity("AhKd", rivals, board="Kc8s2d5h").equity[0]
    found = equity(tuple(cards("Kc8s2d5h")), int(HOLDING_OF[hole("AhKd")]), Range.parse(rivals).weights)
    assert found == pytest.approx(expected)


def test_a_river_is_explained_by_both_ranges():
    spot = Situation("AhKd", "Kc8s2d5h9c", "rc/crc/rc/")
    found = seat_of("resolve:iterations=20", "limit").explain(spot.view)
    assert [len(grid.rows) for grid in found.grids] == [14, 14]
    assert "against the opponent's range" in str(found).lower()
    assert all(grid.title in str(found) for grid in found.grids)
    assert sum(one.probability for one in found.actions) == pytest.approx(1)


def test_equity_counts_each_rival_that_shares_no_card():
    board, own, rivals = cards("Kc8s2d5h9c"), HOLDING_OF[hole("AhKd")], "AA, KQ, AhQh, 88:0.5"
    expected = compute_equity("AhKd", rivals, board="Kc8s2d5h9c").equity[0]
    assert equity(tuple(board), int(own), Range.parse(rivals).weights) == pytest.approx(expected)


@pytest.mark.parametrize(("text", "game", "says"), [
    ("resolve:base=dynamic", "limit", "policy|learn"),
    ("resolve:iterations=0", "limit", "at least 1 iteration"),
    ("resolve:start=turn,turn_iterations=0", "limit", "at least 1 iteration"),
    ("resolve:start=flop", "limit", "expected river or turn"),
    ("resolve:base=eqm-nl", "limit", "solved for"),
])  # fmt: skip
def test_what_cannot_be_resolved_is_refused(text, game, says):
    with pytest.raises(AgentError, match=says):
        seat_of(text, game)
