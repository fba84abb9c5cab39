"""One step of a recorded hand, checked by the rules before it is done."""

from holdmem.compiled import kernel
from holdmem.history.replay_kernels import FINE, next_problem
from holdmem.rules.betting import act


@kernel
def step(rules, hands, history, action):
    """Do this at the only table if a person could; `FINE`, or what stands against it and nothing is done.

    Recorded actions come from files, so none may reach `act` unchecked: it writes wherever it is told to.
    """
    problem = next_problem(rules[0], hands[0], action)
    if problem == FINE:
        act(rules[0], hands[0], action, history[0])
    return problem
