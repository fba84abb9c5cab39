"""The seat of `resolve`: the base's policy before the river, and a solved subgame on it."""

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
from holdmem.players.imitators.composite import merge_policies
from holdmem.players.resolving.subgames import RIVER, ResolveOptions, RiverSolver, SolvedRiver
from holdmem.players.resolving.words import explain_river

KEPT_SOLUTIONS = 8192
"""Solved subgames kept, of some 30 kB each: as many as tables play side by side in a match."""
BATCH = 64
"""Subgames whose ranges are followed together."""

Found = tuple[SolvedRiver, int] | None
"""A solved subgame and the node of a view in it; None where the base decides."""


class ResolveSeat(SamplingSeat):
    """Plays the base's policy and solves the rest of the hand from the river on."""

    def __init__(self, game: Game, base: PolicySeat, options: ResolveOptions, rng: Streams) -> None:
        super().__init__(rng)
        self.game, self.base = game, base
        self.solver = RiverSolver(game, base, options)
        self.solved: OrderedDict[bytes, SolvedRiver | None] = OrderedDict()

    def policy(self, views: Views) -> Policy:
        """Return the base's policy before the river, and the solution's on it."""
        late = views.street == RIVER
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
        """Explain a river by both ranges and the solution, other decisions as the base does."""
        alone = view.alone
        (found,) = self.find(alone) if view.street == RIVER else (None,)
        if found is not None:
            return explain_river(view, self.policy(alone), *found, self.solver.options)
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
                chances = solution.at(node)[:, holding].tolist()
                for place, (code, chance) in enumerate(zip(solution.codes(node), chances, strict=True)):
                    weights[row, code + 1 if code <= 0 else 2 + place] = chance
                    totals[row, place] = max(code, 1)
        return legal_policy(views, weights, totals)

    def find(self, views: Views) -> list[Found]:
        """Return the solution and node of each river view, solving what has not been solved yet."""
        subgames, actions = self._subgames(views)
        keys = self._keys(views, subgames)
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        known = {key: self.solved[key] for key in first if key in self.solved}
        missing = np.array([place for key, place in first.items() if key not in known], np.int64)
        for start in range(0, len(missing), BATCH):
            some = missing[start : start + BATCH]
            answers = self.solver.solve(views[some], [subgames[place] for place in some.tolist()])
            known |= {keys[place]: one for place, one in zip(some.tolist(), answers, strict=True)}
        self._keep(known)
        return [self._at(known[key], path) for key, path in zip(keys, actions, strict=True)]

    def _at(self, solution: SolvedRiver | None, path: tuple[int, ...]) -> Found:
        node = -1 if solution is None else solution.tree.follow(path)
        if solution is None or node < 0 or solution.tree.turn[node] != solution.seat:
            return None
        return solution, node

    def _keep(self, known: dict[bytes, SolvedRiver | None]) -> None:
        for key, one in known.items():
            self.solved[key] = one
            self.solved.move_to_end(key)
        while len(self.solved) > KEPT_SOLUTIONS:
            self.solved.popitem(last=False)

    def _subgames(self, views: Views) -> tuple[list[Subgame], list[tuple[int, ...]]]:
        """Return the subgame of each view, and the actions on the river so far."""
        history, counts = views.history, views.actions
        played = [
            tuple(one["to"][:count][one["street"][:count] == RIVER].tolist())
            for one, count in zip(history, counts.tolist(), strict=True)
        ]
        return [self.solver.subgame(row, path) for row, path in zip(views.rows, played, strict=True)], played

    def _keys(self, views: Views, subgames: list[Subgame]) -> list[bytes]:
        """Return what a solution depends on: seat, board, stacks, the betting before the river, the tree."""
        history = views.history
        before = np.where(history["street"] < RIVER, history["to"], 0) * (history["street"] >= 0)
        count = ((history["street"] < RIVER) & (history["street"] >= 0)).sum(axis=1)
        chips = views.stack[:, :2] + views.paid[:, :2]
        made = [np.array([len(one.made), *one.made], np.int64).tobytes() for one in subgames]
        parts = [views.seat[:, None], views.board, chips, count[:, None], before]
        table = np.concatenate(parts, axis=1).astype(np.int64)
        return [row.tobytes() + more for row, more in zip(table, made, strict=True)]
