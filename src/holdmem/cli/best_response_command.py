"""`holdmem solve --by best-response`: train a limit strategy on a graphics card, here or elsewhere."""

import json
from collections.abc import Callable
from pathlib import Path


def told_start(title: str, path: Path, write: Callable[[], Path]) -> None:
    """Write a start for another machine, and say how to train from it there."""
    from holdmem.cli.progress import progress_bar

    with progress_bar(title) as progress:
        progress(0, 1)
        program = write()
        progress(1, 1)
    print(
        f"wrote {path}; copy it and the folder {program.parent} to a machine with numpy and CuPy,"
        " and run there"
    )
    print(f"python -m {program.parent.name}.{program.stem} {path.name} {path.stem}.trained --seconds 600")


def train_against_best_responses(
    game: str,
    buckets: str,
    iterations: int | None,
    minutes: float | None,
    output: Path | None,
    resume: bool,
    seed: int,
    export: Path | None,
    trained: Path | None,
    as_json: bool,
) -> None:
    """Write a start for another machine, take in what it has trained, or train here."""
    from holdmem.api import best_responses as api
    from holdmem.cfr.card_abstraction import read_counts
    from holdmem.cli.options import writable
    from holdmem.cli.progress import progress_bar
    from holdmem.core.errors import GameError

    counts = read_counts(buckets)
    if export is not None:
        told_start(
            "writing the start", export,
            lambda: api.export_solve_start(writable(export), game=game, buckets=counts, seed=seed),
        )  # fmt: skip
        return
    if output is None:
        raise GameError(f"{game}: pass -o FILE for the strategy")
    with progress_bar("training", of="thousandths") as progress:
        found = api.solve_by_best_response(
            writable(output), game=game, buckets=counts, iterations=iterations, minutes=minutes, seed=seed,
            trained=trained, resume=resume, report=lambda _, done: progress(round(1000 * min(done, 1)), 1000),
        )  # fmt: skip
    size = output.stat().st_size
    if as_json:
        about = {"file": str(output), "bytes": size, "iterations": found.iterations, "buckets": found.buckets}
        print(json.dumps({**about, "seed": seed}, indent=2))
        return
    print(f"strategy in {output}, {size / 1e6:.2f} MB, after {found.iterations:,} iterations")
    print(f"measure it: holdmem exploit eqm:strategy={output} --exact --flops 20")
