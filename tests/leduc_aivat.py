"""AIVAT in Leduc hold'em with the kernels of the package, over every deal and every betting sequence."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from holdmem.arena.aivat.kernels.estimate import mean_after, narrow, value
from holdmem.cfr.leduc import Leduc, paid
from holdmem.cfr.tree_game import CHANCE, OVER

CARDS = 6
NO_BOARD = -1
GAME = Leduc()


class SmallRoom(NamedTuple):
    """What the kernels keep of a hand: weights, gains and masses by seat and card."""

    weights: np.ndarray
    gains: np.ndarray
    masses: np.ndarray

    def copy(self) -> "SmallRoom":
        return SmallRoom(*(table.copy() for table in self))


def plain(function):
    """Return the Python function of a kernel: compiling it once more for these arrays takes longer."""
    return getattr(function, "py_func", function)


def showdowns() -> dict[int, np.ndarray]:
    """Return the true gain of every card against every other, by board."""
    found = {}
    for board in range(CARDS):
        strength = [(card // 2 == board // 2, card // 2) for card in range(CARDS)]
        found[board] = np.array([[float((a > b) - (a < b)) for b in strength] for a in strength])
    return found


def wrong_values(seed: int) -> dict[int, np.ndarray]:
    """Return random gains by ranks: one player's gain is the other's loss, otherwise they are wrong."""
    rng = np.random.default_rng(seed)
    tables = [rng.normal(size=(3, 3)).repeat(2, axis=0).repeat(2, axis=1) for _ in range(3)]
    return {board: tables[board // 2] - tables[board // 2].T for board in range(CARDS)}


def with_mean(tables: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """Add the gains before the board: the mean over the boards that both cards leave."""
    before = np.zeros((CARDS, CARDS))
    for a in range(CARDS):
        for b in range(CARDS):
            boards = [board for board in range(CARDS) if board not in (a, b)]
            before[a, b] = np.mean([tables[board][a, b] for board in boards])
    return {**tables, NO_BOARD: before}


def random_strategy(seed: int) -> dict[str, np.ndarray]:
    """Return a strategy that is made up as information sets are first met."""
    rng = np.random.default_rng(seed)

    class Strategy(dict):
        def __missing__(self, key):
            self[key] = rng.dirichlet(np.ones(3))
            return self[key]

    return Strategy()


@dataclass
class Expectation:
    """Sums over all hands: probability, payoff of player 0, and AIVAT."""

    strategies: tuple[dict[str, np.ndarray], dict[str, np.ndarray]]
    known: tuple[bool, bool]
    values: dict[int, np.ndarray]
    shares: np.ndarray
    """[cards or choices, round]"""
    probability: float = 0.0
    payoff: float = 0.0
    aivat: float = 0.0
    squares: float = 0.0

    def run(self) -> "Expectation":
        for a in range(CARDS):
            for b in range(CARDS):
                if a != b and a % 2 == 0 and (b % 2 == 0 or b == a + 1):  # suits decide nothing
                    self._deal(a, b, (1 if a // 2 == b // 2 else 2) / 15)
        return self

    def _deal(self, a: int, b: int, chance: float) -> None:
        weights = np.ones((2, CARDS))
        for seat, card in enumerate((a, b)):
            if not self.known[seat]:
                weights[seat] = np.arange(CARDS) == card
        room = SmallRoom(weights, np.zeros((2, CARDS)), np.zeros((2, CARDS)))
        luck = 0.0
        if not all(self.known):
            side = self.known.index(True)
            self._look(side, NO_BOARD, room)
            luck = self.shares[0, 0] * seen(side, plain(value)(side, room))
        self._walk(((a // 2, b // 2), ("",)), (a, b, NO_BOARD), chance, room, luck)

    def _look(self, side: int, board: int, room: SmallRoom, tables: dict | None = None) -> None:
        """Compute gains and masses of a seat's cards against the other's range."""
        other = room.weights[1 - side]
        apart = 1 - np.eye(CARDS)
        room.gains[side] = ((tables or self.values)[board] * apart) @ other
        room.masses[side] = apart @ other

    def _walk(self, state, cards, chance: float, room: SmallRoom, luck: float) -> None:
        if chance == 0:
            return
        turn = GAME.turn(state)
        if turn == OVER:
            self._end(state, cards[2], chance, room, luck)
        elif turn == CHANCE:
            self._board(state, cards, chance, room, luck)
        else:
            for move in range(len(GAME.moves(state))):
                self._act(state, cards, chance, room.copy(), luck, move)

    def _policy(self, state, seat: int, card: int) -> np.ndarray:
        """Return the probabilities of the moves of a state for one card, which need not be the one held."""
        ranks, rounds = state
        asked = tuple(card // 2 if place == seat else rank for place, rank in enumerate(ranks))
        chances = self.strategies[seat][GAME.information((asked, rounds))][: len(GAME.moves(state))]
        return chances / chances.sum()

    def _act(self, state, cards, chance: float, room: SmallRoom, luck: float, move: int) -> None:
        seat, moves, street = GAME.turn(state), GAME.moves(state), len(state[1]) - 1
        probability = self._policy(state, seat, cards[seat])[move]
        after = GAME.after(state, move)
        if self.known[seat] and chance * probability > 0:
            policy = np.array([self._policy(state, seat, card) for card in range(CARDS)])
            stakes = sum(policy[:, k] * stake(GAME.after(state, k)) for k, m in enumerate(moves) if m != "f")
            folds = policy[:, moves.index("f")] if "f" in moves else np.zeros(CARDS)
            self._look(seat, cards[2], room)
            lost = float(min(paid(state[1])))
            mean = plain(mean_after)(seat, lost, folds, stakes, room)
            assert plain(narrow)(seat, policy[:, move].copy(), room)
            now = -lost if moves[move] == "f" else stake(after) * plain(value)(seat, room)
            luck += self.shares[1, street] * seen(seat, now - mean)
        self._walk(after, cards, chance * probability, room, luck)

    def _board(self, state, cards, chance: float, room: SmallRoom, luck: float) -> None:
        side = self.known.index(True)
        self._look(side, NO_BOARD, room)
        before = stake(state) * plain(value)(side, room)
        left = [board for board in range(CARDS) if board not in cards[:2]]
        for board in left:
            new = room.copy()
            new.weights[:, board] = 0
            self._look(side, board, new)
            gained = seen(side, stake(state) * plain(value)(side, new) - before)
            ranks, rounds = state
            dealt = ((*ranks, board // 2), (*rounds, ""))
            share = self.shares[0, 1]
            self._walk(dealt, (*cards[:2], board), chance / len(left), new, luck + share * gained)

    def _end(self, state, board: int, chance: float, room: SmallRoom, luck: float) -> None:
        payoff = final = GAME.payoff(state)
        if not state[1][-1].endswith("f"):
            side = self.known.index(True)
            self._look(side, board, room, showdowns())
            final = seen(side, stake(state) * plain(value)(side, room))
        self.probability += chance
        self.payoff += chance * payoff
        self.aivat += chance * (final - luck)
        self.squares += chance * (final - luck) ** 2


def stake(state) -> float:
    """Return the chips of each player at stake if all is called."""
    return float(max(paid(state[1])))


def seen(side: int, chips: float) -> float:
    return chips if side == 0 else -chips
