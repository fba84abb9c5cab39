"""A little of everything in one process, without pytest: `make test-lowest` runs it with old libraries."""

import os
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory

import holdmem
from holdmem.cli.warmup_all import run_command
from lowest import TRIED, declared

EXTRAS = "holdmem.rl."
"""Needs gymnasium and pettingzoo."""

COMMANDS = """
    match random always-call --hands 50 --ledger results.sqlite
    tournament random always-call always-raise --hands 20 --no-ledger --html page.html --png table.png
    results export results.csv --ledger results.sqlite
    record sartre-2 random --hands 200 -o hands
    learn hands --player sartre-2 --as sartre-2 -o cases
    cases cases cases
    cases cases cases -o merged
    stats hands
    convert hands -o hands.phhs
    stats hands.phhs
    review hands --player random --against sartre-2:cases=cases --html review.html
    equity AhKd random --board Kc7s2d
    playable 15 --png playable.png
    play always-call --check --no-browser
"""


def main() -> None:
    """Import every module, then run a few commands in a folder that is removed again."""
    print(", ".join(f"{name} {version(name)}" for name in (line.split(">")[0] for line in declared(*TRIED))))
    for module in walk_packages(holdmem.__path__, "holdmem."):
        if not module.name.endswith("__main__") and not module.name.startswith(EXTRAS):
            import_module(module.name)
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        for command in filter(None, map(str.strip, COMMANDS.splitlines())):
            problem = run_command(command)
            if problem:
                sys.exit(problem)
        os.chdir(Path(folder).parent)
    print("everything works with these versions")


if __name__ == "__main__":
    main()
