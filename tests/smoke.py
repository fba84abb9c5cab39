"""A little of everything in one process, without pytest: `make test-lowest` runs it with old libraries."""

import os
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory

import gymnasium
from distributed import LocalCluster
from gymnasium.utils.env_checker import check_env

import holdmem
from holdmem.cli.warmup_all import run_command
from lowest import TRIED, declared

EXTRAS = "holdmem.mcp"
"""Needs what is not tried."""

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
    _train()
    _play_on_a_cluster()
    print("everything works with these versions")


def _train() -> None:
    """Let Gymnasium check one environment, and take some steps in a vector of them."""
    check_env(gymnasium.make("HoldMem-v0", opponents="random", render_mode="ansi").unwrapped)
    vector = holdmem.TableVectorEnv(4, "random", "limit")
    vector.reset(seed=1)
    for _ in range(5):
        vector.step(vector.action_space.sample())


def _play_on_a_cluster() -> None:
    with LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
        line = f"match random always-call --hands 50 --no-ledger --on {cluster.scheduler_address}"
        problem = run_command(line)
    if problem:
        sys.exit(problem)


if __name__ == "__main__":
    main()
