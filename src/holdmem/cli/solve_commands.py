"""`holdmem solve`: solve games by counterfactual regret minimisation."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdmem.cli.options import JsonOption, SeedOption
from holdmem.cli.solve_options import (
    AtOption,
    BetsOption,
    BoardsOption,
    BucketsOption,
    ByOption,
    EveryOption,
    ExploitOption,
    ExportOption,
    FirstOption,
    HtmlOption,
    IterationsOption,
    MinutesOption,
    MostRaisesOption,
    PotOption,
    PrecisionOption,
    RaisesOption,
    RecallOption,
    ResumeOption,
    SecondOption,
    SolveGameOption,
    SolveOutputOption,
    SolveStackOption,
    SpotOption,
    ThreadsOption,
    TiltOption,
    TrainedOption,
    WeightingOption,
)
from holdmem.core.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdmem.api.solve import SolveResult
    from holdmem.learning.solve import HoldemSolve, SmallSolve, SolveProgress


def solve(
    game: SolveGameOption = None,
    buckets: BucketsOption = "169/200/200/200",
    recall: RecallOption = "imperfect",
    boards: BoardsOption = 0,
    bets: BetsOption = "0.5,1",
    raises: RaisesOption = "1",
    most_raises: MostRaisesOption = 3,
    minutes: MinutesOption = None,
    iterations: IterationsOption = None,
    output: SolveOutputOption = None,
    resume: ResumeOption = False,
    tilt: TiltOption = "none",
    weighting: WeightingOption = None,
    threads: ThreadsOption = 1,
    every: EveryOption = 60.0,
    exploit: ExploitOption = 0,
    seed: SeedOption = 0,
    by: ByOption = "self-play",
    export: ExportOption = None,
    trained: TrainedOption = None,
    spot: SpotOption = None,
    first: FirstOption = "random",
    second: SecondOption = "random",
    pot: PotOption = 100.0,
    stack: SolveStackOption = None,
    at: AtOption = "",
    precision: PrecisionOption = 0.005,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a game by counterfactual regret minimisation and write the strategy, or solve one spot.

    Play it with 'holdmem match eqm:strategy=FILE always-call'. Reports go to stderr, one per line. Examples:

    [bold]holdmem solve --game kuhn --iterations 1000[/bold]

    [bold]holdmem solve --game limit --buckets 169/400/400/200 --minutes 30 -o mine.strategy[/bold]

    [bold]holdmem solve --by best-response --buckets 169/600/600/400 --minutes 20 -o hard.strategy[/bold]

    [bold]holdmem solve --spot Kc8s2d5h9c --first "22+,A2s+,KTo+" --second 40% --pot 100 --stack 300[/bold]
    """
    if by == "best-response":
        from holdmem.cli.best_response_command import train_against_best_responses

        train_against_best_responses(
            game or "limit", buckets, iterations, minutes, output, resume, seed, export, trained, as_json
        )
        return
    if export or trained:
        raise GameError("--export and --trained need --by best-response")
    if spot is not None:
        from holdmem.cli.spot_command import solve_and_show_spot

        sizes = (_fractions(bets), _fractions(raises), most_raises)
        solve_and_show_spot(
            spot, (first, second), pot, stack, game, sizes, at, iterations, precision, html, as_json
        )
        return
    from holdmem.api import solve as api
    from holdmem.cfr.card_abstraction import read_counts
    from holdmem.cli.warmup import shown_compilation

    game = game or "limit"
    checkpoint = _checkpoint(game, tilt, output)
    with shown_compilation():
        solved = api.solve(
            game, iterations=iterations, minutes=minutes, buckets=read_counts(buckets), recall=recall,
            boards=boards, bets=_fractions(bets), raises=_fractions(raises), most_raises=most_raises,
            tilt=_tilt(tilt), weighting=weighting, threads=threads, seed=seed, stack=stack,
            checkpoint=checkpoint, resume=resume, every=every, exploit=exploit,
            progress=partial(_tell, unit="mbb/h" if checkpoint else "antes"),
        )  # fmt: skip
    if output:
        solved.save(output)
    _conclude(solved, output, checkpoint, as_json)


def _checkpoint(game: str, tilt: str, output: Path | None) -> Path | None:
    """Check what the kind of game allows and requires; return the checkpoint, None for the small games."""
    from holdmem.cli.options import writable
    from holdmem.engine import find_game
    from holdmem.learning.solve import SMALL_GAMES

    if game in SMALL_GAMES:
        if tilt != "none":
            raise GameError(f"{game}: --tilt applies to hold'em games only")
        return None
    find_game(game)
    if output is None:
        raise GameError(f"{game}: pass -o FILE for the strategy")
    return writable(output).with_name(f"{output.name}.checkpoint")


def _fractions(text: str) -> tuple[float, ...]:
    from holdmem.core.errors import NotationError

    try:
        return tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise NotationError(f"expected fractions of the pot such as 0.5,1, got {text!r}") from None


def _tilt(text: str) -> str | tuple[float, float]:
    """Parse the tilt: the name of a style, or factors such as 1.2,0.9."""
    from holdmem.core.errors import NotationError
    from holdmem.learning.solve import TILTS

    if text in TILTS:
        return text
    factors = _fractions(text)
    if len(factors) != 2 or not all(0 < factor < 10 for factor in factors):
        raise NotationError(
            f"expected a tilt {', '.join(TILTS)} or two factors such as 1.2,0.9, got {text!r}"
        )
    return factors[0], factors[1]


def _conclude(solved: "SolveResult", output: Path | None, checkpoint: Path | None, as_json: bool) -> None:
    from holdmem.learning.solve import SmallSolve

    if isinstance(solved.solver, SmallSolve):
        _conclude_small(solved.solver, solved.reports, output, as_json)
    elif output and checkpoint:
        _conclude_holdem(solved.solver, solved.reports, output, checkpoint, as_json)


def _conclude_small(
    small: "SmallSolve", reports: "Sequence[SolveProgress]", output: Path | None, as_json: bool
) -> None:
    last = reports[-1]
    if as_json:
        about = {"game": small.game, "information_sets": len(small.tree.player), "value": small.value()}
        steps = [report.as_json() for report in reports]
        print(json.dumps({**about, "reports": steps, "file": output and str(output)}, indent=2))
        return
    print(f"{small.game}: worth {small.value():+.5f} antes per hand to the first player")
    print(f"exploitability {last.measure / 1000:.6f} antes per hand after {last.iterations:,} iterations")
    if output:
        print(f"strategy in {output}")


def _conclude_holdem(
    solving: "HoldemSolve",
    reports: "Sequence[SolveProgress]",
    output: Path,
    checkpoint: Path,
    as_json: bool,
) -> None:
    layout, last = solving.solver.layout, reports[-1]
    about = {
        "task": solving.task.as_json(),
        "information_sets": layout.information_sets,
        "memory": solving.memory,
        "iterations": last.iterations,
        "seconds": last.seconds,
        "iterations_per_second": last.iterations / max(last.seconds, 1e-9),
        "file": str(output),
        "bytes": output.stat().st_size,
        "checkpoint": str(checkpoint),
    }
    if as_json:
        print(json.dumps({**about, "reports": [report.as_json() for report in reports]}, indent=2))
        return
    print(f"{layout.information_sets:,} information sets, {solving.memory / 1e6:.0f} MB of regrets and sums")
    rate = about["iterations_per_second"]
    print(f"{last.iterations:,} iterations in {last.seconds:,.0f} s, {rate:.1f} per second")
    print(f"{last.measured}: {last.measure:.1f} mbb/h")
    if solving.task.tilt != (1, 1):
        print("a tilted game is not zero-sum, so its regret gives no bound for the real game")
    print(f"strategy in {output}, {output.stat().st_size / 1e6:.2f} MB")
    size = checkpoint.stat().st_size / 1e6
    print(f"--resume continues from {checkpoint}, {size:.0f} MB; delete it when no longer needed")


def _tell(report: "SolveProgress", unit: str) -> None:
    """Print a report as one line to stderr."""
    amount = f"{report.measure / 1000:.6f} antes" if unit == "antes" else f"{report.measure:,.1f} {unit}"
    line = f"{report.done:4.0%}  {report.iterations:>8,} iterations  {report.seconds:>7,.1f} s"
    if report.local_response is not None:
        amount += f", a local best response wins {report.local_response:,.0f} mbb/h"
    print(f"{line}  {report.measured} {amount}", file=sys.stderr, flush=True)
