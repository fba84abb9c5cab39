"""Exact exploitability from flops that a graphics card computed, here or on another machine.

The strategy is exported to one file (`exact_export`), the card's program computes flops from it and appends
them to another (`cfr.device.responder`), and the sums over flops are the same as for processors.
"""

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.arena.dependencies import combined, file_hash
from holdmem.arena.exact_export import exported
from holdmem.arena.exact_result import ExactExploitability, all_flops, summary
from holdmem.cfr.device import responder
from holdmem.cfr.device.responder import DEVICES, Export, FlopFile, respond
from holdmem.cfr.exact_response import ExactResponse, FlopValues
from holdmem.core.atomic import atomic_file
from holdmem.core.cache_folder import cache_root
from holdmem.core.choices import Device
from holdmem.core.errors import GameError, HoldMemError
from holdmem.core.extras import require
from holdmem.core.types import Progress
from holdmem.engine import Game


def write_export(response: ExactResponse, agent: str, path: Path, order: list[int]) -> None:
    """Write a strategy to a file for `cfr.device.responder`, whose flops are computed in this order first."""
    rest = sorted(set(range(len(all_flops()))) - set(order))
    arrays = exported(response, agent, order + rest)
    with atomic_file(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def exploitability_on_device(
    agent: str,
    game: Game,
    response: ExactResponse,
    drawn: Counter[int],
    seed: int | None,
    device: Device,
    finished: Path | None,
    progress: Progress | None,
) -> ExactExploitability:
    """Add up the flops of a file of finished ones, after computing those that it lacks on a graphics card.

    Without `finished` the file is in the cache folder, under the hashes of the strategy and of the program.
    """
    order = list(drawn)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "strategy.npz"
        write_export(response, agent, path, order)
        export = Export(path)
    place = finished or _place(str(export.meta["run"]))
    tell = progress or (lambda done, of: None)
    try:
        flops = FlopFile(place, export)
        known = flops.read()
        if device != "cpu":
            missing = [flop for flop in order if flop not in known]
            tell(len(order) - len(missing), len(order))
            steps = respond(export, flops, graphics_card("--device cuda"), flops=order)
            for count, _ in enumerate(steps, len(order) - len(missing) + 1):
                tell(count, len(order))
            known = flops.read()
    except ValueError as error:
        raise GameError(str(error)) from None
    _expect_all(place, known, drawn)
    found = {
        flop: FlopValues(np.array(known[flop].best), np.array(known[flop].by_way)) for flop in sorted(drawn)
    }
    return summary(agent, game, response, drawn, found, seed, flops.self_play)


def _place(run: str) -> Path:
    """Return the file of flops in the cache; those of another program are not taken up."""
    folder = cache_root() / "exact"
    folder.mkdir(exist_ok=True)
    program = combined({path.name: file_hash(path) for path in (Path(responder.__file__), responder.SOURCE)})
    return folder / f"{run}-{program}.flops"


def graphics_card(what: str) -> Any:
    """Return a graphics card; HoldMemError if there is none, or no library for `what`."""
    require("cuda", what)
    try:
        found = DEVICES["cuda"]()
        found.put(np.zeros(1))
    except Exception as error:
        raise HoldMemError(f"no graphics card can be used: {type(error).__name__}: {error}") from None
    return found


def _expect_all(path: Path, known: dict[int, Any], drawn: Counter[int]) -> None:
    missing = len(set(drawn) - set(known))
    if missing:
        raise GameError(
            f"{path} lacks {missing:,} of the {len(drawn):,} flops: compute them with the card's program, or"
            " ask for fewer with --flops and the --seed of the export"
        )
