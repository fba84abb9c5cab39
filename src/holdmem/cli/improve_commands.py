"""`holdmem improve`: revise the cases of a memory."""

import json
from pathlib import Path
from typing import Annotated

import typer

from holdmem.cli.case_commands import OutputOption
from holdmem.cli.options import JsonOption, SeedOption


def improve(
    folder: Annotated[Path, typer.Argument(metavar="CASES", help="A limit case base.")],
    output: OutputOption,
    rounds: Annotated[int, typer.Option(min=1, help="Number of best responses, each with a step.")] = 3,
    flops: Annotated[int, typer.Option(min=1, help="Fresh random flops for each round.")] = 4,
    step: Annotated[float, typer.Option(help="First step, from 0 to 1; later steps are smaller.")] = 0.2,
    most: Annotated[int, typer.Option(min=0, help="Number of dearest revised cases to show.")] = 5,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Revise the cases of a memory to make it less exploitable in heads-up limit.

    Each round finds a best response and moves every case that has a better action against it a little towards
    that action. The new case base keeps what was remembered, with its hands, beside the revised triples;
    'memory:cases=FOLDER,policy=revised' plays them. A round takes several minutes per flop. Example:

    [bold]holdmem improve cases -o improved --rounds 3 --flops 4[/bold]
    """
    from holdmem.api import memories as api
    from holdmem.cbr import read_cases
    from holdmem.cli.render_costs import improvement_shown, print_improvement, print_round

    found = api.improve(folder, output, rounds=rounds, flops=flops, step=step, seed=seed, report=print_round)
    answer = improvement_shown(read_cases(output), found, output, most)
    print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_improvement(answer)
