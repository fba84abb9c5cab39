"""MCTSBot: Monte Carlo tree search with opponent models learned during play."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from holdmem.agents.mcts_kernels import MOVES, NODE, grow, report, search_all
from holdmem.errors import AgentError
from holdmem.models import Frequencies, Showdowns
from holdmem.rules import Game
from holdmem.rules.batch import in_words
from holdmem.table import Actions, Explanation, Finished, Ground, State, Streams, View, Views, register
from holdmem.table.memories import part_of, within
from holdmem.table.streams import kernel_key

RELEARN = 500
"""Number of new observations at a table after which its opponent models are updated."""
CHUNK = 50
"""Iterations between two checks of the clock."""
MOST_NODES = 100_000


class Found:
    """Search results: the moves at each view, their mean values in chips relative to a fold, and visits.

    Each array has shape (views, MOVES).
    """

    def __init__(self, count: int) -> None:
        self.actions = np.zeros((count, MOVES), np.int64)
        self.means = np.zeros((count, MOVES))
        self.visits = np.zeros((count, MOVES), np.int64)

    def best(self) -> NDArray[np.int64]:
        """Return the action with the highest mean at each view."""
        return np.asarray(self.actions[np.arange(len(self.actions)), self.means.argmax(axis=1)])


class MCTSSeat:
    """Seat that searches a new tree at every decision."""

    def __init__(self, game: Game, tables: int, rng: Streams, iterations: int, ms: int) -> None:
        self.frequencies = Frequencies(game, tables, RELEARN)
        self.showdowns = Showdowns(game, tables, self.frequencies.neighbours, RELEARN)
        self.rng = rng
        self.iterations = iterations
        self.ms = ms

    def watch(self, hands: Finished) -> None:
        """Count the opponents' actions and the strengths they showed down."""
        self.frequencies.watch(hands)
        self.showdowns.watch(hands)

    def state(self) -> State:
        """Return the counts of actions and of strengths shown."""
        counted = {"frequencies": self.frequencies.state(), "showdowns": self.showdowns.state()}
        return {**within("frequencies", counted["frequencies"]), **within("showdowns", counted["showdowns"])}

    def restore(self, state: State) -> None:
        """Restore a state returned by `state`."""
        self.frequencies.restore(part_of(state, "frequencies"))
        self.showdowns.restore(part_of(state, "showdowns"), self.frequencies.counts.shape[1])

    def search(self, views: Views) -> Found:
        """Search a tree for each view within the budget of iterations or, if `ms` is set, of time."""
        found = Found(len(views))
        rules, key = views.game.rules_row, kernel_key(self.rng)
        rows, history = np.ascontiguousarray(views.rows), views.history
        model = self.frequencies.chances(views), self.showdowns.chances(views)
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
        """Return the mean value of each move tried, in chips relative to a fold."""
        found = self.search(view.alone)
        moves = zip(found.actions[0].tolist(), found.means[0].tolist(), found.visits[0].tolist(), strict=True)
        grounds = [Ground(in_words(move), mean, {"visits": tried}) for move, mean, tried in moves if tried]
        return Explanation(str(view), ((int(found.best()[0]), 1.0),), tuple(grounds))


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
