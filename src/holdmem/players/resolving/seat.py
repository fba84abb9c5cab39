"""The seat of `resolve`: the base's policy up to the flop or turn, and solved subgames after that."""

from collections import OrderedDict

import numpy as np

from holdmem.agent import (
    ExplainingSeat,
    Explanation,
    Policy,
    PolicySeat,
    View,
    Views,
    explained,
    legal_policy,
)
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.cards.classes import HOLDING_OF
from holdmem.cfr.subgame.tree import Subgame
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS
from holdmem.players.imitators.composite import merge_policies
from holdmem.players.resolving.subgames import (
    RIVER,
    TURN,
    EndSolver,
    ResolveOptions,
    SolvedSubgame,
    SolvedTurn,
)
from holdmem.players.resolving.words import explain_solution

KEPT = {TURN: 128, RIVER: 8192}
"""Solved subgames kept, of some 30 kB each on the river, and with all of its rivers 3 MB on the turn."""
BATCH = 64
"""Subgames whose ranges are followed together."""

Found = tuple[SolvedSubgame, int] | None
"""A solved subgame and the node of a view in it; None where the base decides."""


class ResolveSeat(SamplingSeat):
    """Plays the base's policy and solves the rest of the hand from the turn or river on."""

    def __init__(self, game: Game, base: PolicySeat, options: ResolveOptions, rng: Streams) -> None:
        super().__init__(rng)
        self.game = game
        self.base = base
        self.solver: EndSolver = EndSolver(game, base, options)
        self.solved: dict[int, OrderedDict[bytes, SolvedSubgame | None]] = {
            street: OrderedDict() for street in KEPT
        }

    def policy(self, views: Views) -> Policy:
        """Return the base's policy on early streets, and the solution's after that."""
        late = views.street >= self.solver.options.start
        if not late.any():
            return self.base.policy(views)
        rows = np.flatnonzero(late)
        found = self.find(views[rows])
        solved = [k for k, one in enumerate(found) if one is not None]
        rest = np.setdiff1d(np.arange(len(views)), rows[solved])
        parts = [(rest, self.base.policy(views[rest]))] if len(rest) else []
        if solved:
            parts.append((rows[solved], self._solution(views[rows[solved]], [found[k] for k in solved])))
        return merge_policies(len(views), parts)

    def explain(self, view: View) -> Explanation:
        """Explain a solved decision by both ranges and the solution, other decisions as the base does."""
        alone = view.alone
        (found,) = self.find(alone) if view.street >= self.solver.options.start else (None,)
        if found is not None:
            return explain_solution(view, self.policy(alone), *found, self.solver.options, self.base)
        if isinstance(self.base, ExplainingSeat):
            return self.base.explain(view)
        return explained(view, self.policy(alone))

    def _solution(self, views: Views, found: list[Found]) -> Policy:
        """Return the policy of the solutions, as weights of fold, call and raises."""
        width = max(int(one[0].tree.actions[one[1]]) for one in found if one is not None)
        weights, totals = np.zeros((len(views), 2 + width)), np.ones((len(views), width), np.int64)
        holdings = HOLDING_OF[views.hole[:, 0], views.hole[:, 1]].tolist()
        for row, (one, holding) in enumerate(zip(found, holdings, strict=True)):
            if one is not None:
                solution, node = one
                probabilities = solution.at(node)[:, holding].tolist()
                for place, (code, probability) in enumerate(
                    zip(solution.codes(node), probabilities, strict=True)
                ):
                    weights[row, code + 1 if code <= 0 else 2 + place] = probability
                    totals[row, place] = max(code, 1)
        return legal_policy(views, weights, totals)

    def find(self, views: Views) -> list[Found]:
        """Return the solution and node of each late view, solving what has not been solved yet."""
        found: list[Found] = [None] * len(views)
        for street in (TURN, RIVER):
            rows = np.flatnonzero(views.street == street)
            if len(rows) and street >= self.solver.options.start:
                here = views[rows]
                solutions, paths = self._solutions(here, street)
                for row, solution, path in zip(rows.tolist(), solutions, paths, strict=True):
                    found[row] = _at(solution, path)
        return found

    def _solutions(
        self, views: Views, street: int
    ) -> tuple[list[SolvedSubgame | None], list[tuple[int, ...]]]:
        """Return the solution from a street on for each view, and its actions on that street."""
        paths = [
            tuple(one["to"][:count][one["street"][:count] == street].tolist())
            for one, count in zip(views.history, views.actions.tolist(), strict=True)
        ]
        subgames = [
            self.solver.subgame(row, path, street) for row, path in zip(views.rows, paths, strict=True)
        ]
        keys = _keys(views, subgames, street)
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        kept = self.solved[street]
        known = {key: kept[key] for key in first if key in kept}
        missing = np.array([place for key, place in first.items() if key not in known], np.int64)
        for start in range(0, len(missing), BATCH):
            some = missing[start : start + BATCH]
            turns = self._turns(views[some]) if street > self.solver.options.start else ()
            answers = self.solver.solve(views[some], [subgames[place] for place in some.tolist()], turns)
            known |= {keys[place]: one for place, one in zip(some.tolist(), answers, strict=True)}
        for key, one in known.items():
            kept[key] = one
            kept.move_to_end(key)
        while len(kept) > KEPT[street]:
            kept.popitem(last=False)
        return [known[key] for key in keys], paths

    def _turns(self, views: Views) -> list[SolvedTurn | None]:
        """Return the solved turn of each river view, and the node at which its betting has ended."""
        solutions, paths = self._solutions(views, TURN)
        found: list[SolvedTurn | None] = []
        for solution, path in zip(solutions, paths, strict=True):
            node = -1 if solution is None else solution.tree.follow(path)
            ended = solution is not None and node >= 0 and solution.tree.onward[node] >= 0
            found.append((solution, node) if solution is not None and ended else None)
        return found


def _at(solution: SolvedSubgame | None, path: tuple[int, ...]) -> Found:
    node = -1 if solution is None else solution.tree.follow(path)
    if solution is None or node < 0 or solution.tree.turn[node] != solution.seat:
        return None
    return solution, node


def _keys(views: Views, subgames: list[Subgame], street: int) -> list[bytes]:
    """Return what a solution depends on: seat, board, stacks, the betting before the street, the tree."""
    history = views.history
    earlier = (history["street"] < street) & (history["street"] >= 0)
    before = np.where(earlier, history["to"], 0)
    chips = views.stack[:, :2] + views.paid[:, :2]
    made = [np.array([len(one.made), *one.made], np.int64).tobytes() for one in subgames]
    board = views.board[:, : BOARD_CARDS[street]]
    parts = [views.seat[:, None], board, chips, earlier.sum(axis=1)[:, None], before]
    table = np.concatenate(parts, axis=1).astype(np.int64)
    return [row.tobytes() + more for row, more in zip(table, made, strict=True)]
