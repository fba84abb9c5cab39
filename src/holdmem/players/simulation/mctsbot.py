"""MCTSBot: Monte Carlo tree search with opponent models learned during play."""

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Actions, Detail, Explanation, FinishedHands, SeatState, View, Views, register
from holdmem.agent.seat_state import prefixed, unprefixed
from holdmem.agent.words.english import counted
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, kernel_key
from holdmem.engine import Game
from holdmem.engine.describe import describe_action
from holdmem.opponents import Frequencies, Showdowns
from holdmem.players.simulation.kernels.mcts import MOVES, NODE, grow, report, search_all
from holdmem.players.simulation.values import value_explanation

if TYPE_CHECKING:
    from holdmem.core.types import Floats, Ints

RELEARN = 500
"""Number of new observations at a table after which its opponent models are updated."""
CHUNK = 50
"""Iterations between two checks of the clock."""
MOST_NODES = 100_000


class SearchResult:
    """Search results: the moves at each view, their mean values in chips relative to a fold, and visits.

    Each array has shape (views, MOVES).
    """

    def __init__(self, count: int) -> None:
        self.actions: Ints = np.zeros((count, MOVES), np.int64)
        self.means: Floats = np.zeros((count, MOVES))
        self.visits: Ints = np.zeros((count, MOVES), np.int64)

    def best(self) -> NDArray[np.int64]:
        """Return the action with the highest mean at each view."""
        return np.asarray(self.actions[np.arange(len(self.actions)), self.means.argmax(axis=1)])


class MCTSSeat:
    """Seat that searches a new tree at every decision."""

    def __init__(self, game: Game, tables: int, rng: Streams, iterations: int, ms: int) -> None:
        self.frequencies: Frequencies = Frequencies(game, tables, RELEARN, entered=True)
        self.showdowns: Showdowns = Showdowns(game, tables, self.frequencies.neighbours, RELEARN)
        self.rng = rng
        self.iterations = iterations
        self.ms = ms

    def watch(self, hands: FinishedHands) -> None:
        """Count the opponents' actions and the strengths they showed down."""
        self.frequencies.watch(hands)
        self.showdowns.watch(hands)

    def state(self) -> SeatState:
        """Return the counts of actions and of strengths shown."""
        counted = {"frequencies": self.frequencies.state(), "showdowns": self.showdowns.state()}
        return {
            **prefixed("frequencies", counted["frequencies"]),
            **prefixed("showdowns", counted["showdowns"]),
        }

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.frequencies.restore(unprefixed(state, "frequencies"))
        self.showdowns.restore(unprefixed(state, "showdowns"), self.frequencies.counts.shape[1])

    def search(self, views: Views) -> SearchResult:
        """Search a tree for each view within the budget of iterations or, if `ms` is set, of time."""
        found = SearchResult(len(views))
        rules, key = views.game.rules_row, kernel_key(self.rng)
        rows, history = np.ascontiguousarray(views.rows), views.history
        model = self.frequencies.probabilities(views), self.showdowns.probabilities(views)
        out = found.actions, found.means, found.visits
        if not self.ms:
            search_all(rules, rows, history, *model, key, self.iterations, *out)
            return found
        for i in range(len(views)):
            nodes = np.zeros(MOST_NODES, NODE)
            end, done, used = perf_counter() + self.ms / 1000, 0, 0
            while not done or perf_counter() < end:
                shares, shown = model[0][i], model[1][i]
                used = grow(rules, rows[i], history[i], shares, shown, key, done, done + CHUNK, nodes, used)
                done += CHUNK
            report(rules, rows[i], nodes[0], *(column[i] for column in out))
        return found

    def act(self, views: Views) -> Actions:
        """Take the move with the highest mean at each view."""
        return Actions(self.search(views).best())

    def explain(self, view: View) -> Explanation:
        """Return the mean value of each move tried over a fold, in big blinds or small bets."""
        found = self.search(view.alone)
        moves = zip(found.actions[0].tolist(), found.means[0].tolist(), found.visits[0].tolist(), strict=True)
        tried = [(move, mean, visits) for move, mean, visits in moves if visits]
        details = [Detail(describe_action(move), mean, {"visits": visits}) for move, mean, visits in tried]
        lines = counted(sum(visits for _, _, visits in tried), "line of play", "lines of play")
        how = f"it searched {lines} to the end of the hand, with opponents that act as they have so far"
        best = int(found.best()[0])
        return value_explanation(view, best, [(move, mean, 0.0) for move, mean, _ in tried], [how], details)


@register(
    "mctsbot",
    style="Monte-Carlo tree search against a model of opponents learned in play",
    source="Rubin and Watson (2011), §5.4",
)
@dataclass(frozen=True)
class MCTSBot:
    """Searches with `iterations` per decision, or for `ms` milliseconds if that is not 0.

    With `ms` the number of iterations varies, so a random seed does not reproduce the play.
    """

    iterations: int = 400
    ms: int = 0

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.ms < 0:
            raise AgentError(
                f"mctsbot: expected iterations above 0 and ms of at least 0, got {self.iterations}, {self.ms}"
            )

    def sit(self, game: Game, tables: int, rng: Streams) -> MCTSSeat:
        """Return a seat; every game is supported."""
        return MCTSSeat(game, tables, rng, self.iterations, self.ms)
