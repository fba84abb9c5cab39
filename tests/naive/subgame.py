"""A subgame as a game tree over every pair of holdings, for solvers that know nothing of ranges or boards."""

from holdmem.cfr.subgame.shape import DEALT, FOLDED
from holdmem.cfr.tree_game import CHANCE, OVER


class SubgameByPairs:
    """A solver's subgame: chance deals a pair of holdings, then perhaps a river; the rest is betting.

    A state is (holdings, card, street, node); holdings is None before the deal and card is -1 on the turn.
    """

    name = "subgame"

    def __init__(self, solver):
        self.solver, self.game, self.trees = solver, solver.game, solver.trees
        left = [i for i in range(len(self.game.holdings)) if self.game.free(solver.board)[i]]
        weights = {
            (one, two): float(solver.ranges[0][one] * solver.ranges[1][two])
            for one in left
            for two in left
            if not set(self.game.holdings[one].tolist()) & set(self.game.holdings[two].tolist())
        }
        self.pairs = {pair: weight for pair, weight in weights.items() if weight > 0}
        self.total = sum(self.pairs.values())

    def start(self):
        return None, -1, 0, 0

    def turn(self, state):
        holdings, _, street, node = state
        if holdings is None:
            return CHANCE
        turn = int(self.trees[street].turn[node])
        return turn if turn < 2 else CHANCE if turn == DEALT else OVER

    def moves(self, state):
        if state[0] is None:
            return tuple(str(pair) for pair in self.pairs)
        if self.turn(state) == CHANCE:
            return tuple(str(card) for card in self._cards(state))
        _, _, street, node = state
        tree = self.trees[street]
        return tuple(str(tree.code[tree.child[node] + a]) for a in range(tree.actions[node]))

    def _cards(self, state):
        gone = {*self.solver.board, *self.game.holdings[list(state[0])].ravel().tolist()}
        return [card for card in self.game.cards.tolist() if card not in gone]

    def chance_probabilities(self, state):
        if state[0] is None:
            return tuple(weight / self.total for weight in self.pairs.values())
        return (1 / len(self._cards(state)),) * len(self._cards(state))

    def after(self, state, move):
        holdings, card, street, node = state
        if holdings is None:
            return list(self.pairs)[move], card, street, node
        tree = self.trees[street]
        if tree.turn[node] == DEALT:
            return holdings, self._cards(state)[move], street + 1, int(tree.onward[node])
        return holdings, card, street, int(tree.child[node]) + move

    def information(self, state):
        holdings, card, street, node = state
        seat = int(self.trees[street].turn[node])
        return f"{holdings[seat]}:{card}:{street}:{node}"

    def payoff(self, state):
        holdings, card, street, node = state
        tree = self.trees[street]
        if tree.turn[node] == FOLDED:
            return float(-tree.paid[node, 0] if tree.loser[node] == 0 else tree.paid[node, 1])
        board = self.solver.board if card < 0 else (*self.solver.board, card)
        one, two = (int(self.game.strengths(board, [holding])[0]) for holding in holdings)
        return float(min(tree.paid[node]) * ((one > two) - (one < two)))


def slots_of(tree, solver, values):
    """Arrange rows [action, position] of a solver's streets as a strategy of the tree by pairs."""
    found = tree.uniform()
    parts = {-1: solver.first} | {part.board[-1]: part for part in solver.rivers}
    rows = {-1: values.first} | {
        part.board[-1]: row for part, row in zip(solver.rivers, values.rivers, strict=True)
    }
    for number, known in enumerate(tree.information):
        holding, card, _, node = map(int, known.split(":"))
        part = parts[card]
        place = part.sorted.holding.tolist().index(holding)
        start = part.tree.offset[node]
        count = part.tree.actions[node]
        found[tree.slots[number] : tree.slots[number + 1]] = rows[card][start : start + count, place]
    return found
