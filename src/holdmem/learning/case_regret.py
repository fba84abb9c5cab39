"""Regret minimisation on a memory's own representation: the information sets are its cases.

Public chance sampling walks the betting tree of heads-up limit as for a solved strategy (`cfr`), with hand
types in place of buckets. Before each walk every decision plays the triple of the case that the memory
retrieves there; after it the regrets of all decisions that retrieve a case are added up to that case. A case
plays in proportion to its positive regrets, and what was remembered while it has none. The result is the
average of these triples, weighted by the player's own reach: a memory with the same cases, retrieved in the
same way.

Cases that are retrieved in several situations make this a game of imperfect recall, in which regret
minimisation need not converge; what it gains has to be measured.
"""

from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.tabular import decisions
from holdmem.cards.classes import CLASS_OF
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.features.hand_types import TEXTURES, hand_types, textures
from holdmem.cbr.tabulate import CaseTables, hand_types_on
from holdmem.cfr.betting_tree import BettingTree, betting_tree
from holdmem.cfr.board import random_boards, rank_holdings
from holdmem.cfr.card_abstraction import CLASSES, CardBuckets
from holdmem.cfr.public_chance_sampling import HoldemSolver
from holdmem.cfr.solver import discount_factors
from holdmem.cfr.street_shape import action_columns
from holdmem.core.array_file import like, read_arrays, write_arrays
from holdmem.core.choices import Weighting
from holdmem.core.errors import AgentError, StrategyError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS, STREETS

PLAYED = ((0, 1, 2), (1, 1, 2), (0, 1, 1), (1, 1, 1))
"""[kind of decision][remembered action] the action that `legal_policy` makes of it: all are legal; nothing to
call, so that a fold is a check; no raise left, so that a raise is a call; neither"""
NUMBERS = 12
"""Probabilities of a case: of three actions for each kind of decision."""


class HandTypeBuckets:
    """Hand types as card buckets; a board has one texture, so no other classes occur on it."""

    sizes: tuple[int, ...] = (CLASSES, *(len(hand_types_on(street)) for street in range(1, STREETS)))

    def of(self, holes: NDArray[np.uint8], boards: NDArray[np.uint8]) -> Ints:
        """Return the class of hole cards before the flop, and the index of the hand type after it."""
        street = BOARD_CARDS.index(boards.shape[1])
        if street == 0:
            return CLASS_OF[holes[:, 0], holes[:, 1]].astype(np.int64)
        return np.searchsorted(hand_types_on(street), hand_types(holes, _padded(boards))).astype(np.int64)


def _padded(boards: NDArray[np.uint8]) -> NDArray[np.int8]:
    padded = np.full((len(boards), BOARD_CARDS[-1]), -1, np.int8)
    padded[:, : boards.shape[1]] = boards
    return padded


class CaseEntries(NamedTuple):
    """Where the solver keeps the decisions of one street, and which probability of which case each plays."""

    places: Ints  # [entry] index into the solver's regrets
    numbers: NDArray[np.int32]  # [texture, entry] case * NUMBERS + kind of decision * 3 + action


def case_entries(tables: CaseTables, solver: HoldemSolver, street: int) -> CaseEntries:
    """Return the entries of a street; AgentError if several cases are retrieved together."""
    types = HandTypeBuckets.sizes[street]
    by_texture = cases_retrieved(tables, street).reshape(-1, types, len(TEXTURES) if street else 1)
    cases, columns = np.moveaxis(by_texture, 2, 0), _columns(solver.tree, tables, street)
    places, numbers = [], []
    for row, (node, kind, actions) in enumerate(columns):
        start = solver.layout.offset[node]
        places.append(np.arange(start, start + len(actions) * types))
        played = cases[:, row, None, :] * NUMBERS + 3 * kind + np.array(actions)[:, None]
        numbers.append(played.reshape(len(cases), -1))
    return CaseEntries(np.concatenate(places), np.concatenate(numbers, axis=1).astype(np.int32))


def cases_retrieved(tables: CaseTables, street: int) -> Ints:
    """Return the case by [decision, class]; one past the last case where there is none."""
    found = np.concatenate([places for _, places in tables.retrieved(street)])
    if found.shape[1] > 1 and (found[:, 1:] >= 0).any():
        raise AgentError(
            f"{tables.seat.base.representation.name}: expected a memory that retrieves one case at a time"
        )
    none = len(tables.seat.base.streets[street])
    return np.where(found[:, 0] < 0, none, found[:, 0]).reshape(-1, tables.classes(street))


def remembered_triples(base: CaseBase, street: int) -> Floats:
    """Return the remembered triple of each case of a street, and one more that is played without cases."""
    default = np.array([base.representation.default])
    return np.concatenate([base.streets[street].solutions.probabilities, default])


def _columns(tree: BettingTree, tables: CaseTables, street: int) -> list[tuple[int, int, list[int]]]:
    """Return node, kind of decision and legal actions of each decision of a street."""
    facts = decisions(tables.tree, street)
    kinds = (facts.to_call == 0) + 2 * ~facts.may_raise
    legal = [
        [column for column, child in enumerate(action_columns(tree, node)) if child >= 0]
        for node in facts.nodes.tolist()
    ]
    return list(zip(facts.nodes.tolist(), kinds.tolist(), legal, strict=True))


class CaseSolver:
    """Counterfactual regret minimisation in which the decisions that retrieve a case share its regrets.

    The result depends on memory, game, seed and iterations alone.
    """

    def __init__(self, base: CaseBase, game: Game, *, seed: int = 0, weighting: Weighting = "linear") -> None:
        tree = betting_tree(game)
        seat = base.player("probabilistic").sit(game, 1, Streams.of(seed, "player", 0))
        tables = seat.tabulate(tree)
        self.base = base
        self.game = game
        self.seed = seed
        self.weighting = weighting
        self.walker: HoldemSolver = HoldemSolver(tree, cast("CardBuckets", HandTypeBuckets()), seed=seed)
        self.entries: list[CaseEntries] = [
            case_entries(tables, self.walker, street) for street in range(STREETS)
        ]
        self.remembered: list[Floats] = [remembered_triples(base, street) for street in range(STREETS)]
        self.regrets: list[Floats] = [np.zeros_like(triples) for triples in self.remembered]
        self.sums: list[Floats] = [np.zeros_like(triples) for triples in self.remembered]
        self.iterations: int = 0

    def run(self, iterations: int) -> None:
        """Run further iterations."""
        for _ in range(iterations):
            positive, negative, average = discount_factors(self.weighting, self.iterations + 1)[0].tolist()
            for traverser in (0, 1):
                self._walk(traverser)
            for street in range(STREETS):
                self.regrets[street] *= np.where(self.regrets[street] > 0, positive, negative)
                self.sums[street] *= average
            self.iterations += 1

    def _walk(self, traverser: int) -> None:
        """Walk one board, and add regrets and own reach to the cases that were retrieved on it."""
        walker = self.walker
        board = random_boards(self.seed, 2 * self.iterations + traverser, 1)[0]
        shown = self._shown(board)
        triples = [self.current(street) for street in range(STREETS)]
        self._fill(triples, shown)
        before = walker.regrets.copy()
        walker.sums[:] = 0
        walker.walk(traverser, rank_holdings(board, walker.buckets), np.ones(3, np.float32))
        gained = walker.regrets - before
        for street, texture in enumerate(shown):
            _add_remembered(self._by_case(gained, street, texture), self.regrets[street])
            reach = self._by_case(walker.sums, street, texture).sum(axis=(1, 2))
            self.sums[street] += reach[:, None] * triples[street]
        for table in (*self.regrets, *self.sums):
            table[-1] = 0  # where there is no case, the default is played and nothing is learned

    def _shown(self, board: NDArray[np.uint8]) -> list[int]:
        """Return the texture of the board on each street."""
        return [0] + [int(textures(_padded(board[None, :size]))[0]) for size in BOARD_CARDS[1:]]

    def _fill(self, triples: list[Floats], shown: list[int]) -> None:
        """Let the walker play the cases: regrets in proportion to probabilities."""
        for triple, entries, texture in zip(triples, self.entries, shown, strict=True):
            self.walker.regrets[entries.places] = _legalised(triple).ravel()[entries.numbers[texture]]

    def _by_case(self, values: NDArray[np.float32], street: int, texture: int) -> Floats:
        """Add up values of the walker to [case, kind of decision, action]."""
        entries, size = self.entries[street], len(self.remembered[street])
        found = np.bincount(entries.numbers[texture], values[entries.places], minlength=size * NUMBERS)
        return np.asarray(found, np.float64).reshape(size, len(PLAYED), 3)

    def current(self, street: int) -> Floats:
        """Return the triples that the cases of a street play now, by regret matching."""
        return _proportional(np.maximum(self.regrets[street], 0), self.remembered[street])

    def average(self, street: int) -> Floats:
        """Return the average triple of each case of a street; the remembered one if it was never reached."""
        return _proportional(self.sums[street], self.remembered[street])[:-1]

    def keep(self, path: Path) -> None:
        """Write a checkpoint with all that is needed to resume."""
        tables = {f"regrets {s}": self.regrets[s] for s in range(STREETS)}
        tables |= {f"sums {s}": self.sums[s] for s in range(STREETS)}
        write_arrays(path, {"iterations": np.array([self.iterations]), **tables}, self._task())

    def resume(self, path: Path) -> None:
        """Resume from a checkpoint of the same memory, game, seed and weighting; StrategyError otherwise."""
        try:
            arrays, task = read_arrays(path)
            if task != self._task():
                raise ValueError(f"one of {task}")
            iterations = like(np.zeros(1, np.int64), arrays.get("iterations"), "iterations")
            found = {
                name: [like(table, arrays.get(f"{name} {street}"), name) for street, table in enumerate(mine)]
                for name, mine in (("regrets", self.regrets), ("sums", self.sums))
            }
        except FileNotFoundError:
            raise StrategyError(f"{path}: no such checkpoint; omit --resume to start over") from None
        except ValueError as error:
            raise StrategyError(
                f"{path}: expected a checkpoint of {self._task()}, got {error}; omit --resume to start over"
            ) from None
        self.regrets, self.sums, self.iterations = found["regrets"], found["sums"], int(iterations[0])

    def _task(self) -> dict[str, Any]:
        return {
            "cases": self.base.digest,
            "game": self.game.name,
            "seed": self.seed,
            "weighting": self.weighting,
        }


def _legalised(triples: Floats) -> NDArray[np.float32]:
    """Return what triples become, by [case, kind of decision, action]."""
    found = np.zeros((len(triples), len(PLAYED), 3), np.float32)
    for kind, played in enumerate(PLAYED):
        for remembered, action in enumerate(played):
            found[:, kind, action] += triples[:, remembered]
    return found


def _add_remembered(values: Floats, totals: Floats) -> None:
    """Add to `totals` [case, remembered action] the values of the actions that are played for it."""
    for kind, played in enumerate(PLAYED):
        for remembered, action in enumerate(played):
            totals[:, remembered] += values[:, kind, action]


def _proportional(weights: Floats, otherwise: Floats) -> Floats:
    """Return rows in proportion to weights; other rows where all weights are 0."""
    total = weights.sum(axis=1, keepdims=True)
    found: Floats = np.where(total > 0, weights / np.where(total > 0, total, 1), otherwise)
    return found
