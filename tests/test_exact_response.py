"""Exact best responses: brute force on short decks, Leduc, laws."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from holdmem.agent import make_agent
from holdmem.agent.tabular import BoardTable
from holdmem.cfr import Leduc, best_response, build_game_tree, value
from holdmem.cfr import exact_response as exact_module
from holdmem.cfr.betting_tree import FOLDED, SHOWDOWN, BettingTree, betting_tree
from holdmem.cfr.exact_response import ExactResponse, respond_before_flop, respond_to_flop
from holdmem.cfr.kernels.exact_response import respond_to_river
from holdmem.cfr.leduc import paid
from holdmem.cfr.public_game import HOLDEM, PublicGame
from holdmem.cfr.short_deck import UniformTables
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.core.random import Streams
from holdmem.engine import find_game
from naive.exact_response import Brute, best_response_value

CLASSES = 5


class RandomTables:
    """A random strategy over a few classes that no exchange of suits changes."""

    def __init__(self, tree, game, seed):
        rng = np.random.default_rng(seed)
        self.game = game
        self.tables = []
        for street in range(game.streets):
            nodes = decisions_of(tree, street)
            legal = np.array([[child >= 0 for child in action_columns(tree, node)] for node in nodes])
            weights = rng.exponential(size=(len(nodes), 3, CLASSES)) * legal[:, :, None]
            weights[rng.random(weights.shape) < 0.2] = 0  # some actions never happen
            weights[:, 1] += 1e-3
            self.tables.append(weights / weights.sum(axis=1, keepdims=True))
        self.on = cache_by_board(self._on)

    def _on(self, board):
        street = np.cumsum(self.game.dealt).tolist().index(len(board))
        parts = np.split(np.array(board, int), np.cumsum(self.game.dealt)[1:street])
        classes = [self._class(holding, parts) for holding in self.game.holdings]
        return BoardTable(np.array(classes), self.tables[street])

    def _class(self, holding, parts):
        """Number the hand by its least image under exchanges of suits."""
        images = [
            (tuple(sorted(one[holding].tolist())), *(tuple(sorted(one[part].tolist())) for part in parts))
            for one in self.game.permutations
        ]
        return hash(min(images)) % CLASSES


def cache_by_board(function):
    """Remember the answers by board."""
    remembered = cache(function)
    return lambda board: remembered(tuple(int(card) for card in board))


def short_tree(raises):
    """Return the betting of limit hold'em with fewer raises."""
    return betting_tree(replace(find_game("limit"), max_raises=raises))


def respond(response):
    """Respond on every flop."""
    flops = [respond_to_flop(response, flop) for flop in response.game.deals(1)]
    return respond_before_flop(response, sum_up(flops))


def sum_up(flops):
    """Add the values of flops."""
    total = flops[0]
    for one in flops[1:]:
        total = total.plus(one)
    return total


@pytest.mark.parametrize(
    ("game", "raises"),
    [
        (PublicGame(4, 2, (0, 1, 1, 1)), (1, 1, 1, 2)),
        pytest.param(PublicGame(3, 3, (0, 1, 1, 1)), (1, 1, 1, 1), marks=pytest.mark.long),
        pytest.param(PublicGame(5, 3, (0, 1, 1, 1)), (1, 1, 1, 1), marks=pytest.mark.long),
    ],
)
def test_equals_brute_force_on_short_decks(game, raises):
    """Values of all ways to respond, in both seats, equal those of a brute force over all deals."""
    tree = short_tree(raises)
    strategy = RandomTables(tree, game, seed=1)
    found = respond(ExactResponse(tree, strategy, game, np.float64)).by_way
    for seat, way in ((0, 1), (0, 2), (0, 4), (1, 3), (1, 4)):
        brute = best_response_value(tree, game, strategy.on, seat, first_street=4 - way)
        assert found[seat, way] == pytest.approx(brute, rel=1e-9, abs=1e-9), (seat, way)
    assert found[:, 0].sum() == pytest.approx(0, abs=1e-9)  # self-play


class LeducCards(PublicGame):
    """Leduc: one card of six, one board card. A second card that nobody else has makes a holding a pair."""

    hole_cards = 1

    @property
    def holdings(self):
        """Each card with a card of its own outside the deck."""
        return np.array([(card, 20 + card) for card in self.cards - self.cards.min()]) + self.cards.min()

    def moved(self, permutation):
        """Return the holding that a permutation makes of each."""
        return np.searchsorted(self.cards, permutation[self.cards])

    def strengths(self, board, holdings):
        """Return the rank, above all others with a pair."""
        ranks = self.cards[holdings] // 4
        return ranks + 100 * (ranks == board[0] // 4)


@dataclass
class LeducTables:
    """A strategy of the game tree `Leduc` in tables by rank and board rank."""

    cards: LeducCards
    tables: list

    def on(self, board):
        """Return the strategy before or after the board card."""
        rank = self.cards.cards // 4 - 10
        if not len(board):
            return BoardTable(rank, self.tables[0])
        return BoardTable(3 * rank + (int(board[0]) // 4 - 10), self.tables[1])


def leduc_tree():
    """Build the betting of Leduc as a `BettingTree`, with the betting of each node in letters."""
    game, nodes, children = Leduc(), [], []

    def visit(rounds, loser):
        node = len(nodes)
        closed = len(rounds[-1]) > 1 and rounds[-1].endswith("c")
        if closed and len(rounds) == 1:
            rounds = (*rounds, "")
            closed = False
        turn = FOLDED if loser >= 0 else SHOWDOWN if closed else len(rounds[-1]) % 2
        nodes.append((turn, len(rounds) - 1, loser, paid(rounds), rounds))
        children.append([])
        if turn < 2:
            for move in game.moves(((0, 1, 2)[: len(rounds) + 1], rounds)):
                after = (*rounds[:-1], rounds[-1] + move)
                children[node].append(("fcr".index(move) - 1, visit(after, turn if move == "f" else -1)))
        return node

    visit(("",), -1)
    edges = [edge for some in children for edge in some]
    tree = BettingTree(
        game=find_game("limit"),
        sizes=None,
        turn=np.array([node[0] for node in nodes]),
        street=np.array([node[1] for node in nodes]),
        loser=np.array([node[2] for node in nodes]),
        paid=np.array([node[3] for node in nodes]),
        end=np.zeros(len(nodes), int),
        edges=np.cumsum([0, *map(len, children)]),
        child=np.array([child for _, child in edges]),
        fraction=np.array([float(fraction) for fraction, _ in edges]),
    )
    return tree, [node[4] for node in nodes]


def leduc_tables(tree, rounds, game, strategy):
    """Return a strategy of the game tree as tables."""
    words = game.in_words(strategy)
    tables = []
    for street in (0, 1):
        nodes = decisions_of(tree, street).tolist()
        table = np.zeros((len(nodes), 3, 3 if street == 0 else 9))
        for row, node in enumerate(nodes):
            for number in range(table.shape[2]):
                rank, board = (number, "") if street == 0 else divmod(number, 3)
                shown = f":{'JQK'[board]}" if street else ""
                known = words.get(f"{'JQK'[rank]}{shown}:{'/'.join(rounds[node])}", {"c": 1.0})
                for move, chance in known.items():
                    table[row, "fcr".index(move), number] = chance
        tables.append(table)
    return tables


def test_leduc_equals_the_game_tree():
    """The best response to random strategies of Leduc equals that of the complete game tree."""
    tree, rounds = leduc_tree()
    game, cards = build_game_tree(Leduc()), LeducCards(3, 2, (0, 1))
    for seed in range(3):
        strategy = game.normalised(np.random.default_rng(seed).exponential(size=game.size))
        tables = LeducTables(cards, leduc_tables(tree, rounds, game, strategy))
        found = respond(ExactResponse(tree, tables, cards, np.float64)).by_way
        for seat in (0, 1):
            exact = best_response(game, strategy, seat).value
            assert found[seat, -1] == pytest.approx(exact, abs=1e-9)
        assert found[0, 0] == pytest.approx(value(game, strategy), abs=1e-9)
        assert found[:, 0].sum() == pytest.approx(0, abs=1e-12)


def test_roots_that_are_not_reached_may_be_left_out():
    """On a river of the full deck, computing only the roots that are reached changes no value."""
    tree = betting_tree(find_game("limit"))
    response = ExactResponse(tree, seat_of("always-raise").tabulate(tree), precision=np.float64)
    board = (0, 5, 18, 35, 50)
    table = response.table(3, board)
    rng = np.random.default_rng(5)
    reach = rng.random((1326, 576)) * (rng.random(576) < 0.1)
    reach[:, 567:] = 0
    cards = response.cards(board, table)
    strengths = response.game.strengths(board, cards[0])
    order = np.argsort(strengths, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(strengths[order])) + 1, len(order))
    cards = np.ascontiguousarray(cards[:, order])
    whole = np.zeros((2, 1326, 576))
    for seat in (0, 1):
        respond_to_river(
            response.shapes[-1][seat], reach, cards, ends, table.probabilities, response.rooms[-1],
            whole[1], whole[0],
        )  # fmt: skip
        few = exact_module._showdowns(response, seat, cards, ends, table, reach)
        assert np.allclose(few, whole, rtol=1e-12, atol=1e-9)
        assert np.abs(whole).max() > 1


def seat_of(name):
    """Seat an agent in limit."""
    return make_agent(name).sit(find_game("limit"), 1, Streams(0))


def test_a_river_of_the_full_deck_equals_brute_force():
    """Values of some roots with random reach, against every holding compared with every other."""
    tree, board, rng = betting_tree(find_game("limit")), (3, 22, 23, 40, 49), np.random.default_rng(2)
    strategy = RandomTables(tree, HOLDEM, seed=3)
    classes = rng.integers(CLASSES, size=1326)
    strategy.on = lambda _: BoardTable(classes, strategy.tables[3])
    response = ExactResponse(tree, strategy, HOLDEM, np.float64)
    reach = np.zeros((1326, 576))
    roots = [0, 300, 566]
    reach[:, roots] = rng.random((1326, len(roots)))
    found = exact_module._river(response, board, response.table(3, board), [reach, reach])
    free = HOLDEM.free(board)
    for seat in (0, 1):
        for way, first_street in ((0, 4), (1, 0)):
            brute = Brute(tree, HOLDEM, strategy.on, seat, first_street)
            for root in roots:
                node = int(response.nodes[3].nodes[root, 0])
                values = brute.visit(node, board, reach[:, root] * free) * free
                assert np.allclose(found[seat][way][:, root], values, rtol=1e-9, atol=1e-9)


def test_threads_do_not_disturb_each_other():
    """Workers of Dask respond to several flops at once in the threads of one process."""
    game, tree = PublicGame(4, 2, (0, 1, 1, 1)), betting_tree(find_game("limit"))
    response, flops = ExactResponse(tree, UniformTables(tree, game), game), list(game.deals(1))
    alone = [respond_to_flop(response, flop) for flop in flops]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda flop: respond_to_flop(response, flop), flops * 2))
    for one, other in zip(alone * 2, together, strict=True):
        assert (one.best == other.best).all()
        assert (one.by_way == other.by_way).all()
