"""`holdmem solve`: solve games by counterfactual regret minimisation."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.list_commands import JsonOption

if TYPE_CHECKING:
    from holdmem.learning.solve import HoldemSolve, SmallSolve, SolveProgress, SolveTask


def solve(
    game: Annotated[
        str, typer.Option("--game", help="kuhn, leduc, or a heads-up game as listed by 'holdmem games'.")
    ] = "limit",
    buckets: Annotated[
        str, typer.Option(help="Buckets preflop (169: all classes), on the flop, turn and river.")
    ] = "169/200/200/200",
    recall: Annotated[
        str,
        typer.Option(
            help="Card recall: imperfect (only the current bucket) or perfect (all buckets so far)."
        ),
    ] = "imperfect",
    boards: Annotated[
        int, typer.Option(min=0, help="Deal only this many fixed boards; 0 for all boards.")
    ] = 0,
    bets: Annotated[
        str, typer.Option(help="No-limit: sizes of a street's first bet, as fractions of the pot.")
    ] = "0.5,1",
    raises: Annotated[
        str, typer.Option(help="No-limit: sizes of further raises, as fractions of the pot.")
    ] = "1",
    most_raises: Annotated[
        int, typer.Option(min=0, help="No-limit: maximum bets and raises per street, besides all-in.")
    ] = 3,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop after this many minutes in total.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many iterations in total.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File for the strategy.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue from FILE.checkpoint, even after a finished solve.")
    ] = False,
    tilt: Annotated[
        str,
        typer.Option(
            help="Payoff tilt: none, aggressive, passive, or factors on folds and showdowns won: 1.2,0.9."
        ),
    ] = "none",
    weighting: Annotated[
        str | None,
        typer.Option(
            help="CFR weighting: linear (default), plus, discounted (default for kuhn and leduc) or vanilla."
        ),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Number of threads; does not affect the result.")] = 1,
    every: Annotated[float, typer.Option(min=0, help="Seconds between checkpoints and reports.")] = 60.0,
    exploit: Annotated[
        int, typer.Option(min=0, help="Hands of local best response at each report; 0 for none.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Solve a game by counterfactual regret minimisation and write the strategy.

    Play it with `holdmem match eqm:strategy=FILE always-call`. Reports go to stderr, one per line. Examples:

    [bold]holdmem solve --game kuhn --iterations 1000[/bold]

    [bold]holdmem solve --game limit --buckets 169/400/400/200 --minutes 30 -o mine.strategy[/bold]
    """
    from holdmem.core.errors import GameError
    from holdmem.learning.solve import SMALL_GAMES

    if minutes is None and iterations is None:
        minutes = 0.02 if game in SMALL_GAMES else 10.0
    if game in SMALL_GAMES:
        if tilt != "none":
            raise GameError(f"{game}: --tilt applies to hold'em games only")
        _solve_small(game, _one_of(weighting or "discounted"), iterations, minutes, output, as_json)
        return
    task = _task(game, buckets, recall, boards, bets, raises, most_raises, tilt, weighting or "linear", seed)
    if output is None:
        raise GameError(f"{game}: pass -o FILE for the strategy")
    _solve_holdem(task, threads, iterations, minutes, every, exploit, output, resume, as_json)


def _one_of(weighting: str) -> Any:
    from holdmem.cfr.solver import KINDS
    from holdmem.core.errors import NotationError, nearest

    if weighting not in KINDS:
        raise NotationError(f"unknown weighting {weighting!r}; {nearest(weighting, list(KINDS))}")
    return weighting


def _task(
    game: str,
    buckets: str,
    recall: str,
    boards: int,
    bets: str,
    raises: str,
    most_raises: int,
    tilt: str,
    weighting: str,
    seed: int,
) -> "SolveTask":
    from holdmem.cfr.betting_tree import Sizes
    from holdmem.cfr.card_abstraction import read_counts
    from holdmem.core.errors import NotationError
    from holdmem.engine import find_game
    from holdmem.learning.solve import SolveTask

    if recall not in ("imperfect", "perfect"):
        raise NotationError(f"expected recall imperfect or perfect, got {recall!r}")
    sizes = None if find_game(game).limit else Sizes(_fractions(bets), _fractions(raises), most_raises)
    kind: Any = recall
    return SolveTask(game, read_counts(buckets), kind, boards, sizes, _tilt(tilt), _one_of(weighting), seed)


def _fractions(text: str) -> tuple[float, ...]:
    from holdmem.core.errors import NotationError

    try:
        return tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise NotationError(f"expected fractions of the pot such as 0.5,1, got {text!r}") from None


def _tilt(text: str) -> tuple[float, float]:
    from holdmem.core.errors import NotationError
    from holdmem.learning.solve import TILTS

    if text in TILTS:
        return TILTS[text]
    factors = _fractions(text)
    if len(factors) != 2 or not all(0 < factor < 10 for factor in factors):
        raise NotationError(
            f"expected a tilt {', '.join(TILTS)} or two factors such as 1.2,0.9, got {text!r}"
        )
    return factors[0], factors[1]


def _solve_small(
    game: str,
    weighting: Any,
    iterations: int | None,
    minutes: float | None,
    output: Path | None,
    as_json: bool,
) -> None:
    from holdmem.cli.warmup import shown_compilation
    from holdmem.learning.solve import SmallSolve

    with shown_compilation():
        small = SmallSolve(game, weighting)
        reports = []
        for report in small.run(iterations, minutes):
            reports.append(report)
            _tell(report, "antes")
    if output:
        small.write(output)
    _conclude_small(small, reports, output, as_json)


def _conclude_small(
    small: "SmallSolve", reports: "list[SolveProgress]", output: Path | None, as_json: bool
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


def _solve_holdem(
    task: "SolveTask",
    threads: int,
    iterations: int | None,
    minutes: float | None,
    every: float,
    exploit: int,
    output: Path,
    resume: bool,
    as_json: bool,
) -> None:
    from holdmem.cli.arena_commands import writable
    from holdmem.cli.warmup import shown_compilation
    from holdmem.learning.solve import HoldemSolve, local_response_probe

    writable(output)
    checkpoint = output.with_name(f"{output.name}.checkpoint")
    reports = []
    with shown_compilation():
        solving = HoldemSolve(task, threads)
        if resume:
            solving.resume(checkpoint)
        probe = local_response_probe(task.game, exploit, task.seed) if exploit else None
        for report in solving.run(iterations, minutes, every, checkpoint, probe):
            reports.append(report)
            _tell(report, "mbb/h")
    solving.write(output)
    _conclude(solving, reports, output, checkpoint, as_json)


def _conclude(
    solving: "HoldemSolve", reports: "list[SolveProgress]", output: Path, checkpoint: Path, as_json: bool
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
