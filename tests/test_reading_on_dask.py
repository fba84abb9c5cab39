"""Commands that read hands on a cluster or in worker processes: the same bytes as in one process."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem.arena import Design
from holdmem.cli import app
from holdmem.engine import find_game
from holdmem.history import StoredHands, units, write_hands
from holdmem.learning.record import record
from pokerstars_hands import READABLE
from test_parallel import local_cluster

COMMANDS = {
    "convert": ["convert", "-o", "TARGET/hands"],
    "stats": ["stats", "--json"],
    "learn": ["learn", "--player", "jagbot", "--as", "imitator-nolimit", "--json", "-o", "TARGET/cases"],
    "imitate": ["imitate", "--player", "jagbot", "--json", "-o", "TARGET/jagbot.people"],
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster(2) as found:
        yield found


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of three formats, one of them with a hand that cannot be read."""
    folder = tmp_path_factory.mktemp("sources")
    place = folder / "hands"
    place.mkdir()
    for seed, suffix in enumerate(("phhs", "log", "phhs")):
        design = Design(find_game("nolimit"), ("jagbot", "simplebot"), 60, kind="ring", seed=seed)
        record(design, folder / f"recorded-{seed}")
        write_hands(StoredHands(folder / f"recorded-{seed}"), place / f"{seed}.{suffix}")
    texts = "\n\n\n".join(sample.text for sample in list(READABLE.values())[:4])
    (place / "3.txt").write_text(texts.replace("checks", "cheques", 1), encoding="utf-8")
    return place


def written(command: str, hands: Path, target: Path, *how: str) -> tuple[str, dict[str, bytes]]:
    """Return what a command prints and the bytes of the files that it writes."""
    target.mkdir()
    name, *options = [word.replace("TARGET", str(target)) for word in COMMANDS[command]]
    done = CliRunner().invoke(app, [name, str(hands), *options, *how])
    assert done.exit_code == 0, done.output
    files = [path for path in sorted(target.rglob("*")) if path.is_file()]
    said = done.stdout.replace(str(target), "TARGET")
    return said, {str(path.relative_to(target)): path.read_bytes() for path in files}


@pytest.mark.parametrize("command", COMMANDS)
def test_two_dask_workers_give_the_same_bytes(
    command: str, cluster: Any, hands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "UNIT", 1)  # every file a unit
    alone = written(command, hands, tmp_path / "alone")
    assert alone[1] or command == "stats"
    before = cluster.scheduler.transition_counter
    assert written(command, hands, tmp_path / "dask", "--on", cluster.scheduler_address) == alone
    assert cluster.scheduler.transition_counter > before, "the cluster was given nothing to do"


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_two_worker_processes_give_the_same_bytes(
    command: str, hands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "UNIT", 1)
    alone = written(command, hands, tmp_path / "alone")
    assert written(command, hands, tmp_path / "two", "--workers", "2") == alone
