"""`python -m benchmarks [NAME…] [--json FILE] [--seconds S]`."""

import json
import platform
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.catalogue import BENCHMARKS, measure_apart
from benchmarks.measure import Line, short

COLUMNS = ("work", "who", "measured", "ours is", "bar")


def as_table(lines: list[Line]) -> Table:
    """All lines, the name of a work once."""
    table = Table(*COLUMNS, title="HoldMem and its peers, one core", box=box.SIMPLE_HEAD)
    table.columns[2].justify = table.columns[3].justify = "right"
    before = ""
    for line in lines:
        if before not in ("", line.work):
            table.add_row()
        table.add_row("" if line.work == before else line.work, *cells(line))
        before = line.work
    return table


def cells(line: Line) -> tuple[str, str, str, str]:
    """A line as text: who, the value, how many times as fast ours is, the bar and whether it is reached."""
    if line.value is None:
        return line.who, line.remark.partition(":")[0], "", ""
    unit = "/s" if line.unit.endswith("/s") else f" {line.unit}"
    times = "" if line.times is None else f"{short(line.times)} times"
    verdict = {None: "", True: "[green]reached[/]", False: "[red]not reached[/]"}[line.reached]
    return line.who, f"{short(line.value)}{unit}", times, f"{line.bar} {verdict}".strip()


def write_json(lines: list[Line], path: Path) -> None:
    """All numbers, and where and when they were taken."""
    when = datetime.now(UTC).isoformat(timespec="seconds")
    about = {"when": when, "machine": platform.platform(), "python": platform.python_version()}
    text = json.dumps({**about, "lines": [asdict(line) for line in lines]}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def arguments() -> Namespace:
    """What the command line says."""
    parser = ArgumentParser("python -m benchmarks", description="How fast HoldMem is beside its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; none: all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers to this file")
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="for each contender (2)")
    chosen = parser.parse_args()
    for name in chosen.names:
        if name not in BENCHMARKS:
            parser.error(f"expected names of {', '.join(BENCHMARKS)}, got {name!r}")
    return chosen


def main() -> None:
    """Measure and show."""
    chosen, console = arguments(), Console(width=None if sys.stdout.isatty() else 100)
    lines: list[Line] = []
    for name in chosen.names or BENCHMARKS:
        with console.status(f"measuring {name} …"):
            lines += measure_apart(name, chosen.seconds)
    console.print(as_table(lines))
    for line in lines:
        if line.remark:
            console.print(f"{line.work}, {line.who}: {line.remark}", highlight=False, soft_wrap=True)
    if chosen.json:
        write_json(lines, chosen.json)


if __name__ == "__main__":
    main()
