"""A solved spot and its decisions, as `solve_spot` returns them."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards import Range
from holdmem.cards.classes import CLASSES
from holdmem.cards.grid import class_means, percent_grid
from holdmem.cfr.subgame.response import SubgameStrategy, strategy_at
from holdmem.cfr.subgame.solver import SubgameSolver
from holdmem.cfr.subgame.tree import Subgame
from holdmem.core.display import html_table
from holdmem.core.errors import NotationError
from holdmem.engine import CALL, FOLD
from holdmem.engine.describe import describe_action

if TYPE_CHECKING:
    import polars as pl


class SpotAction(NamedTuple):
    """An action at a decision, and how often the range takes it.

    Attributes
    ----------
    code : FOLD, CALL or the total of a raise on this street.
    words : the action in words.
    frequency : share of the player's range at this decision.
    by_holding : probability with each of the 1,326 holdings.
    """

    code: int
    words: str
    frequency: float
    by_holding: NDArray[np.float64]


class SpotDecision(NamedTuple):
    """A decision of a solved spot: the player, its range there, and its actions."""

    betting: str
    seat: int
    range: NDArray[np.float64]
    actions: tuple[SpotAction, ...]

    @property
    def classes(self) -> dict[str, dict[str, float]]:
        """Action frequencies of each class in the range: {"AKs": {"check": 0.25, "bet 50": 0.75}}."""
        means = [class_means(action.by_holding, self.range) for action in self.actions]
        return {
            name: {action.words: float(mean[place]) for action, mean in zip(self.actions, means, strict=True)}
            for place, name in enumerate(CLASSES)
            if not np.isnan(means[0][place])
        }

    def grid(self, action: SpotAction) -> list[str]:
        """Return how often each class of the range takes an action, in percent: lines of a 13 × 13 grid."""
        return percent_grid(class_means(action.by_holding, self.range))


@dataclass(frozen=True, eq=False)
class SpotSolution:
    """A solved spot.

    Attributes
    ----------
    board : the cards on the board.
    ranges : both ranges, of the first player to act and of the second.
    iterations : number of iterations.
    exploitability : what a best response wins within the spot, mean of both players, as a share of the pot.
    values : share of the pot, in chips, that each player wins on average.
    equities : all-in equity of both ranges.

    Examples
    --------
    >>> spot = solve_spot("Kc8s2d5h9c", "AA, 76s", "KQs, KJs", pot=100, stack=100, bets=[1.0])
    >>> [(action.words, round(action.frequency, 1)) for action in spot.decision().actions]
    [('check', 0.7), ('bet 100 all-in', 0.3)]
    >>> [round(share) for share in spot.values]  # chips of the pot
    [100, 0]
    """

    board: str
    ranges: tuple[Range, Range]
    subgame: Subgame
    iterations: int
    exploitability: float
    values: tuple[float, float]
    equities: tuple[float, float]
    solver: SubgameSolver = field(repr=False)
    strategy: SubgameStrategy = field(repr=False)

    def decision(self, betting: str = "") -> SpotDecision:
        """Return a decision on the first street of the spot, after betting such as "cr75"; "" for the first.

        Parameters
        ----------
        betting : actions since the spot began, in the notation of `Situation`.

        Returns
        -------
        SpotDecision : both ranges and the strategy of the player to act.

        Raises
        ------
        NotationError : the betting is not in the tree, or nobody is to act after it on this street.
        """
        tree, part = self.solver.trees[0], self.solver.first
        node = tree.follow(_codes(betting))
        if node < 0 or tree.turn[node] > 1:
            raise NotationError(
                f"no decision after {betting!r}; after {_before(betting)!r} there are {self._offers(betting)}"
            )
        seat, held = int(tree.turn[node]), part.sorted.holding
        shares = strategy_at(part, self.strategy.first, node)
        weights = np.zeros(len(self.ranges[0].weights))
        weights[held] = self.solver.ranges[seat][held] * self._reach(node, seat)
        whole = weights.sum() or 1.0
        found = []
        for place, share in enumerate(shares):
            by_holding = np.zeros(len(weights))
            by_holding[held] = share
            code = int(tree.code[tree.child[node] + place])
            words = self._words(node, code)
            found.append(SpotAction(code, words, float(weights @ by_holding / whole), by_holding))
        return SpotDecision(betting, seat, weights, tuple(found))

    def frame(self, betting: str = "") -> "pl.DataFrame":
        """Return the strategy at a decision as a polars data frame.

        Parameters
        ----------
        betting : as for `decision`.

        Returns
        -------
        polars.DataFrame : one row per class of the range and action, with the action's frequency.
        """
        import polars as pl  # noqa: PLC0415

        rows = [
            (name, action, frequency)
            for name, shares in self.decision(betting).classes.items()
            for action, frequency in shares.items()
        ]
        return pl.DataFrame(rows, ["class", "action", "frequency"], orient="row")

    def _reach(self, node: int, seat: int) -> NDArray[np.float64]:
        """Return how often a seat plays to a node with each holding."""
        tree, reach = self.solver.trees[0], np.ones(len(self.solver.first.sorted.holding))
        while tree.parent[node] >= 0:
            parent = int(tree.parent[node])
            if tree.turn[parent] == seat:
                shares = strategy_at(self.solver.first, self.strategy.first, parent)
                reach = reach * shares[node - tree.child[parent]]
            node = parent
        return reach

    def _words(self, node: int, code: int) -> str:
        tree = self.solver.trees[0]
        paid = tree.paid[node] - self.subgame.pot / 2
        to_call, highest = int(abs(paid[0] - paid[1])), int(paid.max())
        return describe_action(code, to_call, highest, all_in=code == self.subgame.stack)

    def _offers(self, betting: str) -> str:
        tree = self.solver.trees[0]
        node = tree.follow(_codes(_before(betting)))
        if node < 0 or tree.turn[node] > 1:
            return "none"
        children = range(int(tree.child[node]), int(tree.child[node] + tree.actions[node]))
        return ", ".join(_letter(int(tree.code[child])) for child in children)

    def as_json(self, betting: str = "") -> dict[str, Any]:
        """Return the output of `holdmem solve --spot --json` (docs/resolving.md).

        Parameters
        ----------
        betting : as for `decision`.

        Returns
        -------
        dict : values that JSON can represent.
        """
        decision = self.decision(betting)
        return {
            "board": self.board,
            "ranges": [str(one) for one in self.ranges],
            "pot": self.subgame.pot,
            "stack": self.subgame.stack,
            "iterations": self.iterations,
            "exploitability": self.exploitability,
            "values": list(self.values),
            "equities": list(self.equities),
            "betting": decision.betting,
            "player": decision.seat,
            "actions": [
                {"action": one.words, "code": one.code, "frequency": one.frequency}
                for one in decision.actions
            ],
            "classes": decision.classes,
        }

    def __repr__(self) -> str:
        return (
            f"SpotSolution({self.board}: exploitable for {self.exploitability:.2%} of the pot"
            f" after {self.iterations:,} iterations)"
        )

    def _repr_html_(self) -> str:
        rows = [(one.words, f"{one.frequency:.1%}") for one in self.decision().actions]
        return html_table(("action", "frequency"), rows, repr(self))


_ACTIONS = re.compile(r"[fc]|r\d+")


def _codes(betting: str) -> tuple[int, ...]:
    """Read betting such as "cr75": c checks or calls, f folds, r raises to a total on this street."""
    found = _ACTIONS.findall(betting)
    if "".join(found) != betting:
        raise NotationError(f"expected betting such as c or cr75, got {betting!r}")
    return tuple({"f": FOLD, "c": CALL}.get(one) if one in "fc" else int(one[1:]) for one in found)  # type: ignore[misc]


def _before(betting: str) -> str:
    """Return the betting without its last action."""
    return "".join(_ACTIONS.findall(betting)[:-1])


def _letter(code: int) -> str:
    return "f" if code == FOLD else "c" if code == CALL else f"r{code}"
