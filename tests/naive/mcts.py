"""Monte Carlo tree search, the slow and obvious way: nodes are objects that keep every result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from math import inf, log, sqrt

from holdmem.engine import CALL, FOLD
from naive.dealing import draw_card
from naive.decision import BOARD_CARDS, Decision, pot_of, situation_of, sized_raise
from naive.opponents import FOLDED, RAISED, strength_of
from naive.philox import philox, trial_numbers
from naive.rules import Hand, settle

MOVES = range(5)
FOLDING, CALLING, FIRST_RAISE = 0, 1, 2
NUMBERS, SIZES, TRIALS = 64, 2, 3
EVEN_VISITS, STRENGTHS, BINS = 20, 60000, 10


class Node:
    """One of our decisions: the results of each move so far, the sizes of the raises, what comes next."""

    def __init__(self, key: int, number: int) -> None:
        words = philox(key, (number, 0, SIZES, 0))
        self.exponents = [(third + word / 2**32) / 3 for third, word in enumerate(words[:3])]
        self.results: list[list[float]] = [[] for _ in MOVES]
        self.gains: list[list[float]] = [[] for _ in MOVES]
        self.children: dict[tuple[int, int, int], Node] = {}

    def action(self, move: int, least: int, most: int) -> int:
        """A raise is to least · (most / least)^exponent."""
        if move < FIRST_RAISE:
            return FOLD if move == FOLDING else CALL
        total = int(least * (most / least) ** self.exponents[move - FIRST_RAISE])
        return min(max(total, least), most)

    def choose(self, hand: Hand) -> int:
        """The least tried move in the first twenty visits, an untried one ever, else by upper bound (UCB)."""
        to_call, least, most = hand.legal()
        possible = [CALLING]
        possible += [FOLDING] if to_call else []
        possible += [FIRST_RAISE] if most else []
        possible += [FIRST_RAISE + 1, FIRST_RAISE + 2] if least < most else []
        fewest = min(sorted(possible), key=lambda move: len(self.results[move]))
        if self.visits() < EVEN_VISITS or not self.results[fewest]:
            return fewest
        return max(sorted(possible), key=self.upper_bound)

    def visits(self) -> int:
        return sum(map(len, self.results))

    def upper_bound(self, move: int) -> float:
        """Mean + s · sqrt(ln visits / tried), s the root mean square of the move's gains over folding."""
        return self.mean(move) + self.error(move) * sqrt(log(self.visits()))

    def mean(self, move: int) -> float:
        return sum(self.results[move]) / len(self.results[move])

    def error(self, move: int) -> float:
        """Root mean square of what the move gained over folding here, over the root of its tries."""
        return sqrt(sum(gain**2 for gain in self.gains[move])) / len(self.gains[move])

    def surest(self) -> int:
        """The tried move with the highest mean less its standard error."""
        tried = [move for move in MOVES if self.results[move]]
        return max(tried, key=lambda move: self.mean(move) - self.error(move))


@dataclass
class Iteration:
    """One hand played from the root to its end."""

    search: "Search"
    hand: Hand
    numbers: Iterator[float]
    raises: list[int]
    entered: set[int]
    """Seats that have paid into the pot of their own choice."""
    path: list[tuple[Node, int, int]] = field(default_factory=list)
    """Each of our nodes, the move there, and what we had in the pot."""
    in_tree: bool = True
    grown: bool = False

    def play(self) -> None:
        """Play to the end, then note the result at every node on the way back.

        Nodes above one that only explored a move learn what its surest move is worth instead.
        """
        own = self.search.decision.view.seat
        while (seat := self.hand.to_act()) is not None:
            action = self.own_action() if seat == own else self.opponents_action(seat)
            if action > CALL or (action == CALL and self.hand.legal()[0]):
                self.entered.add(seat)
            self.hand.act(action)
        result = float(self.result()[own]) + self.search.decision.paid
        for node, move, paid in reversed(self.path):
            node.results[move].append(result)
            node.gains[move].append(result - (self.search.decision.paid - paid))
            result = result if node.surest() == move else node.mean(node.surest())

    def own_action(self) -> int:
        node = self.next_node() if self.in_tree else None
        if node is None:
            self.in_tree = False
            return self.plain_action()
        move = node.choose(self.hand)
        self.path.append((node, move, self.hand.paid(self.search.decision.view.seat)))
        return node.action(move, *self.hand.legal()[1:])

    def next_node(self) -> Node | None:
        """The root, then the child for street, price and strength in fifths; one may be new per iteration."""
        if not self.path:
            return self.search.root
        parent, move, _ = self.path[-1]
        own = self.search.decision.view.seat
        event = move, situation_of(self.hand, own), min(int(self.own_strength() * 5), 4)
        if event not in parent.children and not self.grown:
            self.grown = True
            parent.children[event] = self.search.new_node()
        return parent.children.get(event)

    def plain_action(self) -> int:
        """Fold what is weaker than twice the pot odds, else call."""
        to_call = self.hand.legal()[0]
        odds = to_call / (pot_of(self.hand) + to_call)
        return FOLD if to_call and self.own_strength() < 2 * odds else CALL

    def opponents_action(self, seat: int) -> int:
        """As often as the seat does it in such situations, before it has entered the pot or after."""
        situation = situation_of(self.hand, seat) + 12 * (seat in self.entered)
        shares, number = self.search.shares[seat][situation], next(self.numbers)
        to_call, _, most = self.hand.legal()
        if number < shares[FOLDED] and to_call:
            return FOLD
        if number >= 1 - shares[RAISED] and most:
            self.raises[seat] += 1
            return sized_raise(self.hand)
        return CALL

    def own_strength(self, street: int | None = None) -> float:
        street = self.hand.street if street is None else street
        board = self.hand.deck[2 * self.hand.game.seats :][: BOARD_CARDS[street]]
        return strength_of(self.search.decision.view.hole, tuple(board))

    def result(self) -> list:
        """Strengths meet at a showdown: our own, and others' as they showed them after as many raises."""
        live = self.hand.live()
        own = self.search.decision.view.seat
        ranks = dict.fromkeys(live, (0,))
        if len(live) > 1:
            for seat in live:
                strength = self.own_strength(3) if seat == own else self.shown_strength(seat)
                ranks[seat] = (int(strength * STRENGTHS),)
        paid = [self.hand.paid(seat) for seat in self.hand.seats()]
        return settle(paid, ranks, self.hand.game.odd_chips)

    def shown_strength(self, seat: int) -> float:
        """A bin by its probability, and a point in it evenly."""
        cumulated, number = self.search.shown[seat][min(self.raises[seat], 3)], next(self.numbers)
        chosen = next((bin for bin, total in enumerate(cumulated) if total > number), BINS - 1)
        return (chosen + next(self.numbers)) / BINS


class Search:
    """A tree for one decision, given what each seat does by situation and has shown by raises."""

    def __init__(self, decision: Decision, shares: Mapping, shown: Mapping[int, Sequence]) -> None:
        self.decision, self.shares, self.shown = decision, shares, shown
        self.nodes = 0
        self.root = self.new_node()

    def new_node(self) -> Node:
        self.nodes += 1
        return Node(self.decision.key, self.nodes - 1)

    def run(self, iterations: int) -> None:
        view = self.decision.view
        for trial in range(iterations):
            numbers = cycle(trial_numbers(self.decision.key, TRIALS, trial, NUMBERS))
            board = list(view.board)
            while len(board) < 5:
                board.append(draw_card({*view.hole, *board}, next(numbers)))
            hand = self.decision.hand({view.seat: view.hole}, board)
            done = [(seat, action) for _, seat, action in view.history]
            raises = [sum(s == seat and to > CALL for s, to in done) for seat in hand.seats()]
            Iteration(self, hand, numbers, raises, set(self.decision.entered)).play()

    def report(self) -> list[tuple[int, float, int]]:
        """Action, mean and visits of each move at the root."""
        limits = max(self.decision.view.min_raise_to, 1), self.decision.view.max_raise_to
        return [
            (self.root.action(move, *limits), sum(found) / len(found) if found else -inf, len(found))
            for move, found in enumerate(self.root.results)
        ]
