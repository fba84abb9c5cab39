"""`holdmem improve`: revise the cases of a memory."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from holdmem.cli.case_commands import OutputOption
from holdmem.cli.options import JsonOption, SeedOption
from holdmem.cli.progress import progress_bar
from holdmem.cli.solve_options import ExportOption, MinutesOption, TrainedOption
from holdmem.core.errors import GameError


def improve(
    folder: Annotated[Path, typer.Argument(metavar="CASES", help="A limit case base.")],
    output: OutputOption,
    by: Annotated[
        Literal["steps", "regret", "best-response"],
        typer.Option(
            help="Cautious steps against best responses, regret minimisation among the cases, or that against"
            " best responses on a graphics card."
        ),
    ] = "steps",
    rounds: Annotated[
        int, typer.Option(min=1, help="By steps: number of best responses, each with a step.")
    ] = 3,
    flops: Annotated[int, typer.Option(min=1, help="By steps: fresh random flops for each round.")] = 4,
    step: Annotated[
        float, typer.Option(help="By steps: first step, from 0 to 1; later steps are smaller.")
    ] = 0.2,
    iterations: Annotated[
        int | None,
        typer.Option(min=1, help="By regret (2,000 by default) and best response: iterations in total."),
    ] = None,
    minutes: MinutesOption = None,
    export: ExportOption = None,
    trained: TrainedOption = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="By regret and best response: continue from NEW.checkpoint of a stopped run."
        ),
    ] = False,
    most: Annotated[int, typer.Option(min=0, help="Number of revised cases to show.")] = 5,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Revise the cases of a memory to make it less exploitable in heads-up limit.

    By steps, each round finds a best response and moves every case that has a better action against it a
    little towards that action; a round takes several minutes per flop. By regret, counterfactual regret
    minimisation plays the memory against itself on random boards, with one information set per case; an
    iteration takes a tenth of a second, and NEW.checkpoint keeps what is done. By best response, the memory
    trains against a player that answers it best; this takes some minutes of a large graphics card, here or,
    with --export and --trained, on another machine.

    The new case base keeps what was remembered, with its hands, next to the revised triples;
    'memory:cases=FOLDER,policy=revised' plays them. Examples:

    [bold]holdmem improve cases -o improved --rounds 3 --flops 4[/bold]

    [bold]holdmem improve cases -o improved --by regret --iterations 4000[/bold]

    [bold]holdmem improve cases -o improved --by best-response --minutes 10[/bold]
    """
    if (export or trained) and by != "best-response":
        raise GameError("--export and --trained need --by best-response")
    if export is not None:
        from holdmem.api.best_responses import export_memory_start
        from holdmem.cli.best_response_command import told_start

        told_start(f"exporting {folder}", export, lambda: export_memory_start(folder, export, seed=seed))
        return
    from holdmem.api import memories as api
    from holdmem.cbr import read_cases
    from holdmem.cli.render_costs import improvement_shown, print_improvement, print_round

    with progress_bar(f"improving {folder}", of="iterations") as progress:
        found = api.improve(
            folder, output, by=by, rounds=rounds, flops=flops, step=step, iterations=iterations,
            minutes=minutes, seed=seed, trained=trained, resume=resume, report=print_round, progress=progress,
        )  # fmt: skip
    answer = improvement_shown(read_cases(output), found, output, most)
    print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_improvement(answer)
