"""Apply one action of a recorded hand after checking it against the rules."""

from holdmem.compiled import kernel
from holdmem.history.replay_kernels import FINE, next_problem
from holdmem.rules.betting import act


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
