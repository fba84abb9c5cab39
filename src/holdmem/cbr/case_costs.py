"""What a remembered case costs: how much exploitability falls if the case alone is revised a little.

    cost(c) = - d/de of exploitability at e = 0+, if case c, wherever it is retrieved, plays (1 - e) of its
              policy and e of the one action that is best for it against the best response

with the best response held fixed. Where that is unique and the case is met at most once in a hand, the cost
bounds from above what revising c alone can save, since the responder may change its mind but the gain is at
most linear. Costs do not add up: a best response that is denied one weakness turns to another.

Where several cases are retrieved together, each counts by its share of the remembered decisions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.tabular import decisions
from holdmem.cbr.tabulate import CaseTables
from holdmem.core.types import Floats, Ints

PREFERRED = np.array([1, 2, 0])
"""Call, raise, fold: the order in which ties are resolved."""


class CaseCosts(NamedTuple):
    """Costs of the cases of one street."""

    slopes: Floats
    """[case, action] derivative of the winnings against the best response if the case plays more of it"""

    @property
    def costs(self) -> Floats:
        """[case] the largest slope; never negative, since the policy's own mixture has slope 0."""
        found: Floats = np.maximum(self.slopes.max(axis=1), 0.0)
        return found

    @property
    def actions(self) -> Ints:
        """[case] the action that is best against the best response: 0 fold, 1 call, 2 raise.

        Ties go to the call, then the raise: where nothing is to be called, a fold counts as a check.
        """
        found: Ints = PREFERRED[self.slopes[:, PREFERRED].argmax(axis=1)]
        return found


def case_costs(tables: CaseTables, street: int, gradient: Floats) -> CaseCosts:
    """Return the costs of a street's cases.

    Parameters
    ----------
    tables : the memory as a strategy.
    gradient : of the strategy's winnings, [decision, action, class], the mean of both seats.
    """
    seen, policy = tables.seat.base.streets[street].solutions.seen, tables.table_of(street)
    slopes = np.zeros((len(seen), 3))
    for rows, places in tables.retrieved(street):
        moved = _moved(tables, street, rows, policy[rows], gradient[rows])  # [decision and class, action]
        weights = np.where(places >= 0, seen[places], 0).astype(np.float64)
        shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
        for k in range(places.shape[1]):
            there = places[:, k] >= 0
            np.add.at(slopes, places[there, k], shares[there, k, None] * moved[there])
    return CaseCosts(slopes)


def revised_table(tables: CaseTables, street: int, place: int, action: int) -> Floats:
    """Return a street's table if one case, wherever it is retrieved, plays one action and no other.

    Where it is retrieved together with others, only its share of the probabilities moves to that action.
    """
    seen, table = tables.seat.base.streets[street].solutions.seen, tables.table_of(street).copy()
    legal = _legal(tables, street)
    for rows, places in tables.retrieved(street):
        weights = np.where(places >= 0, seen[places], 0).astype(np.float64)
        shares = (weights * (places == place)).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
        moved = shares.reshape(len(rows), -1)  # [decision, class]
        played = np.where(legal[rows, action], action, 1)
        table[rows] *= 1 - moved[:, None]
        table[rows, played] += moved
    return table


def _legal(tables: CaseTables, street: int) -> NDArray[np.bool_]:
    """Return whether fold, call and raise are legal at each decision; a free fold counts as a check."""
    facts = decisions(tables.tree, street)
    return np.stack([facts.to_call > 0, np.ones(len(facts.nodes), np.bool_), facts.may_raise], axis=1)


def _moved(tables: CaseTables, street: int, rows: Ints, policy: Floats, gradient: Floats) -> Floats:
    """Return the slope of moving each decision and class towards each action; illegal ones are calls."""
    legal = _legal(tables, street)[rows]
    worth = np.where(legal[:, :, None], gradient, gradient[:, 1:2])
    slopes: Floats = worth - (policy * gradient).sum(axis=1, keepdims=True)
    return slopes.transpose(0, 2, 1).reshape(-1, 3)
