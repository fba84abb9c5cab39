"""`holdmem improve`: revise the cases of a memory."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from holdmem.cli.case_commands import OutputOption
from holdmem.cli.options import JsonOption, SeedOption
from holdmem.cli.progress import progress_bar


def improve(
    folder: Annotated[Path, typer.Argument(metavar="CASES", help="A limit case base.")],
    output: OutputOption,
    by: Annotated[
        Literal["steps", "regret"],
        typer.Option(help="Cautious steps against best responses, or regret minimisation among the cases."),
    ] = "steps",
    rounds: Annotated[
        int, typer.Option(min=1, help="By steps: number of best responses, each with a step.")
    ] = 3,
    flops: Annotated[int, typer.Option(min=1, help="By steps: fresh random flops for each round.")] = 4,
    step: Annotated[
        float, typer.Option(help="By steps: first step, from 0 to 1; later steps are smaller.")
    ] = 0.2,
    iterations: Annotated[int, typer.Option(min=1, help="By regret: number of iterations in total.")] = 2000,
    resume: Annotated[
        bool, typer.Option("--resume", help="By regret: continue from NEW.checkpoint of a stopped run.")
    ] = False,
    most: Annotated[int, typer.Option(min=0, help="Number of revised cases to show.")] = 5,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Revise the cases of a memory to make it less exploitable in heads-up limit.

    By steps, each round finds a best response and moves every case that has a better action against it a
    little towards that action; a round takes several minutes per flop. By regret, counterfactual regret
    minimisation plays the memory against itself on random boards, with one information set per case; an
    iteration takes a tenth of a second, and NEW.checkpoint keeps what is done.

    The new case base keeps what was remembered, with its hands, next to the revised triples;
    'memory:cases=FOLDER,policy=revised' plays them. Examples:

    [bold]holdmem improve cases -o improved --rounds 3 --flops 4[/bold]

    [bold]holdmem improve cases -o improved --by regret --iterations 4000[/bold]
    """
    from holdmem.api import memories as api
    from holdmem.cbr import read_cases
    from holdmem.cli.render_costs import improvement_shown, print_improvement, print_round

    with progress_bar(f"improving {folder}", of="iterations") as progress:
        found = api.improve(
            folder, output, by=by, rounds=rounds, flops=flops, step=step, iterations=iterations, seed=seed,
            resume=resume, report=print_round, progress=progress,
        )  # fmt: skip
    answer = improvement_shown(read_cases(output), found, output, most)
    print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_improvement(answer)
