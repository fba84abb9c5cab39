"""Apply one action of a recorded hand after checking it against the rules."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act
from holdmem.history.kernels.replay import FINE, next_problem


@kernel
def step(rules, hands, history, action):
    """Apply an action to the only hand of the batch if a person could take it.

    Returns `FINE`, or the problem, in which case nothing changes. Recorded actions come from files, so none
    may reach `act` unchecked: it writes to whatever index it is given.
    """
    problem = next_problem(rules[0], hands[0], action)
    if problem == FINE:
        act(rules[0], hands[0], action, history[0])
    return problem
