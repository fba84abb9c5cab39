"""What training against best responses needs beside an exported strategy; see `cfr.device.training`."""

import numpy as np

from holdmem.agent.tabular import decisions
from holdmem.arena.exact_export import exported
from holdmem.cbr.tabulate import CaseTables
from holdmem.cfr.exact_response import ExactResponse
from holdmem.cfr.street_shape import street_sides
from holdmem.core.array_file import Arrays
from holdmem.learning.case_regret import cases_retrieved, remembered_triples


def training_start(response: ExactResponse, agent: str, order: list[int], listed: bool = False) -> Arrays:
    """Return the arrays of a file to train from; see `exact_export.exported`.

    The regrets of a solved strategy belong to decisions and buckets; those of a memory to its cases, which
    play what was remembered until they have regrets.
    """
    tree, strategy = response.tree, response.strategy
    first = strategy.on(np.zeros(0, np.uint8))
    found: Arrays = {
        "street0/classes": np.asarray(first.classes),
        "street0/decisions": response.nodes[0].decisions,
    }
    sizes = [first.table.shape[2]]
    for seat, side in enumerate(street_sides(tree, 0)):
        found |= {f"street0/seat{seat}/{name}": np.array(part) for name, part in side._asdict().items()}
    for street in range(response.game.streets):
        facts = decisions(tree, street)
        found[f"train/street{street}/kind"] = (facts.to_call == 0) + 2 * ~facts.may_raise
        if isinstance(strategy, CaseTables):
            found[f"train/street{street}/cell"] = cases_retrieved(strategy, street).astype(np.int32)
            found[f"train/street{street}/initial"] = remembered_triples(strategy.seat.base, street)
    found |= exported(response, agent, order, listed)
    sizes += [found[f"street{street}/index"].shape[1] for street in range(1, response.game.streets)]
    return found | {"train/classes": np.array(sizes)}
