"""Files that are whole or not there: failures leave nothing behind, say one line, and touch nobody else's."""

import ast
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import holdmem
from fresh import run
from holdmem import cli
from holdmem.acpc.log_file import LogFile
from holdmem.cbr.store import write_cases
from holdmem.core import atomic
from holdmem.core.atomic import atomic_file, atomic_folder, write_atomically
from holdmem.core.errors import HoldMemError, OutputExists, StorageError
from holdmem.history import StoredHands, write_hands
from test_cbr import base_of, compact
from test_history import LIMIT, recorded


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# One at a time


def test_a_file_is_replaced_at_once_and_keeps_the_mode_of_the_umask(tmp_path: Path) -> None:
    file = tmp_path / "new" / "file"
    write_atomically(file, "first")
    write_atomically(file, b"second")
    assert file.read_text(encoding="utf-8") == "second"
    assert names(file.parent) == ["file"]
    if os.name == "posix":
        plain = tmp_path / "plain"
        plain.touch()
        assert file.stat().st_mode == plain.stat().st_mode


def half_of(kind: Callable[[Path], Any], target: Path, reason: BaseException) -> None:
    with kind(target) as beside:
        (beside / "half" if beside.is_dir() else beside).write_text("half", encoding="utf-8")
        raise reason


@pytest.mark.parametrize("reason", [RuntimeError("no more"), KeyboardInterrupt(), OSError(errno.EIO, "it")])
def test_what_fails_half_way_leaves_nothing_behind(tmp_path: Path, reason: BaseException) -> None:
    (tmp_path / "file").write_text("before", encoding="utf-8")
    for kind, name in ((atomic_file, "file"), (atomic_folder, "folder")):
        with pytest.raises((type(reason), StorageError)):
            half_of(kind, tmp_path / name, reason)
    assert names(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text(encoding="utf-8") == "before"


@pytest.mark.parametrize("number", list(atomic.REMEDIES))
def test_errors_of_the_operating_system_are_one_line_with_what_to_do(tmp_path: Path, number: int) -> None:
    for error in (OSError(number, os.strerror(number)), RuntimeError(f"polars: it (os error {number})")):
        with pytest.raises(StorageError) as caught, atomic_file(tmp_path / "file"):
            raise error
        assert str(caught.value).startswith(f"{tmp_path / 'file'}: could not be written: ")
        assert atomic.REMEDIES[number] in str(caught.value)
        assert "\n" not in str(caught.value)


def test_errors_about_other_files_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_file(tmp_path / "file"):
        (tmp_path / "source").read_text(encoding="utf-8")
    with pytest.raises(HoldMemError, match=r"^source \(os error 2\)$"), atomic_file(tmp_path / "file"):
        raise HoldMemError("source (os error 2)")


# Two at once


def two_folders(target: Path) -> None:
    with atomic_folder(target) as second:
        (second / "mine").write_text("second", encoding="utf-8")
        with atomic_folder(target) as first:
            (first / "mine").write_text("first", encoding="utf-8")


def two_files(target: Path) -> None:
    with atomic_file(target, new=True) as second:
        second.write_text("second", encoding="utf-8")
        with atomic_file(target, new=True) as first:
            first.write_text("first", encoding="utf-8")


@pytest.mark.parametrize(("two", "inside"), [(two_folders, "mine"), (two_files, "")])
def test_the_second_of_two_writers_is_told_and_loses_nothing(
    tmp_path: Path, two: Callable[[Path], None], inside: str
) -> None:
    with pytest.raises(OutputExists, match="kept in") as caught:
        two(tmp_path / "one")
    kept = Path(str(caught.value).rpartition(" kept in ")[2])
    assert (tmp_path / "one" / inside).read_text(encoding="utf-8") == "first"
    assert (kept / inside).read_text(encoding="utf-8") == "second"
    with pytest.raises(OutputExists, match="already exists; delete it"):
        two(tmp_path / "one")
    assert len(names(tmp_path)) == 2


def test_an_error_about_another_target_is_no_reason_to_keep_anything(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for kind in (atomic_file, atomic_folder):
        with pytest.raises(OutputExists, match="other already exists"):
            half_of(kind, tmp_path / "mine", OutputExists("other already exists"))
    assert names(tmp_path) == ["other"]


def without_links(*arguments: Any) -> None:
    raise OSError(errno.EPERM, "no links here")


def test_file_systems_without_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", without_links)
    with atomic_file(tmp_path / "f", new=True) as beside:
        beside.write_text("mine", encoding="utf-8")
    assert (tmp_path / "f").read_text(encoding="utf-8") == "mine"
    with pytest.raises(OutputExists), atomic_file(tmp_path / "f", new=True):
        pytest.fail("nothing is begun")


def test_an_empty_folder_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OutputExists), atomic_folder(tmp_path / "one"):
        (tmp_path / "one").mkdir()
    assert names(tmp_path / "one") == []


@pytest.mark.parametrize("name", ["notes", "notes.parquet"])
def test_two_recordings_do_not_mix_and_a_folder_of_the_users_stays(tmp_path: Path, name: str) -> None:
    """The user's own folder had the name that all temporary folders once had."""
    (tmp_path / f"{name}.part").mkdir()
    (tmp_path / f"{name}.part" / "diary").write_text("mine", encoding="utf-8")

    def slow() -> Iterator[Any]:
        yield recorded(LIMIT, 1, 5)
        write_hands([recorded(LIMIT, 2, 7)], tmp_path / name)  # another run, quicker
        yield recorded(LIMIT, 3, 5)

    with pytest.raises(OutputExists, match="kept in"):
        write_hands(slow(), tmp_path / name)
    assert sum(map(len, StoredHands(tmp_path / name))) == 7
    (kept,) = [path for path in tmp_path.glob(f"{name}.*.part") if path.name != f"{name}.part"]
    assert sum(map(len, StoredHands(kept))) == 10
    assert (tmp_path / f"{name}.part" / "diary").read_text(encoding="utf-8") == "mine"


def test_two_case_bases_do_not_mix(tmp_path: Path) -> None:
    (tmp_path / "cases.part").mkdir()
    (tmp_path / "cases.part" / "diary").write_text("mine", encoding="utf-8")
    write_cases(compact(base_of()), tmp_path / "cases")
    with pytest.raises(OutputExists):
        write_cases(compact(base_of()), tmp_path / "cases")
    assert names(tmp_path) == ["cases", "cases.part"]
    assert names(tmp_path / "cases.part") == ["diary"]


# A full disk


def writers() -> dict[str, Callable[[Path], Any]]:
    from holdmem.core.array_file import write_arrays  # noqa: PLC0415
    from holdmem.plots.figure import new_figure, save  # noqa: PLC0415

    def picture(path: Path) -> None:
        figure = new_figure(6, 4)
        figure.subplots().plot(range(5))
        save(figure, path)

    def log(path: Path) -> None:
        file = LogFile(path)
        file.add("x" * 100_000)
        file.close()

    import numpy as np  # noqa: PLC0415

    return {
        "a file": lambda path: write_atomically(path, b"x" * 100_000),
        "hands in a folder": lambda path: write_hands([recorded(LIMIT, n, 500) for n in range(4)], path),
        "hands in a file": lambda path: write_hands([recorded(LIMIT, 1, 500)], path.with_suffix(".parquet")),
        "cases": lambda path: write_cases(compact(base_of()), path),
        "a checkpoint": lambda path: write_arrays(path, {"a": np.arange(20_000)}, {}),
        "a picture": picture,
        "a log": log,
    }


LIMITED = """if True:
    import resource, signal, sys
    from pathlib import Path
    sys.path.insert(0, sys.argv[1])
    from holdmem.core.errors import StorageError
    from test_atomic import writers
    everything = {name: write for name, write in writers().items()}
    for name, write in everything.items():  # once without a limit, so that everything is loaded
        write(Path(sys.argv[2]) / "before")
        for path in Path(sys.argv[2]).iterdir():
            import shutil
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    for name, write in everything.items():
        try:
            write(Path(sys.argv[2]) / "target")
        except StorageError as error:
            print(name, "|", error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of file sizes here")
def test_a_limit_of_file_sizes_is_told_by_every_writer(tmp_path: Path) -> None:
    told = run(LIMITED, Path(__file__).parent, tmp_path).stdout.splitlines()
    assert [line.partition(" | ")[0] for line in told] == list(writers())
    assert all("could not be written: the file would exceed the size limit there" in line for line in told)
    # A log keeps the lines that were written whole; here none.
    assert [path for path in names(tmp_path) if path != "target"] == []


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A file system with hardly any room."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    done = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not done or done.returncode:
        pytest.skip("no small file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("what", [name for name in writers() if name != "cases"])
def test_a_full_disk_is_told_by_every_writer(full: Path, what: str) -> None:
    with pytest.raises(
        StorageError, match="could not be written: no space left on the device; free some space"
    ):
        writers()[what](full / "target")
    assert [name for name in names(full) if name != "target"] == []


def test_the_command_line_says_one_line_of_what_is_not_translated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(number: int) -> Callable[[], None]:
        def app() -> None:
            raise OSError(number, os.strerror(number), "some/file")

        return app

    monkeypatch.setattr(cli, "app", fails(errno.ENOSPC))
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 2
    assert capsys.readouterr().err == f"holdmem: some/file: {atomic.REMEDIES[errno.ENOSPC]}\n"
    monkeypatch.setattr(cli, "app", fails(errno.EINVAL))
    with pytest.raises(OSError, match="some/file"):
        cli.main()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_output_that_does_not_fit_is_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as nowhere:
        done = subprocess.run(
            [sys.executable, "-m", "holdmem", "games"],
            stdout=nowhere,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            encoding="utf-8",
        )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [f"holdmem: a file: {atomic.REMEDIES[errno.ENOSPC]}"]


COMMANDS = {
    "record": ("record", "random", "always-call", "--hands", "50", "-o", "target"),
    "convert": ("convert", "hands", "-o", "target.phhs"),
    "train": ("train", "action-learner", "--against", "simplebot", "--hands", "5", "--save", "target"),
    "evolve": ("evolve", "--hands", "2", "--generations", "1", "--trees", "1", "-o", "target"),
    "solve": ("solve", "--game", "kuhn", "--iterations", "20", "-o", "target"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_on_a_full_disk_end_with_one_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_hands([recorded(LIMIT, 1, 5)], "hands")
    before = names(tmp_path)
    opened = Path.open

    def full(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        here = path.is_relative_to(tmp_path) or not path.is_absolute()
        if here and set(mode) & set("wax+"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, mode, *more, **named)

    monkeypatch.setattr(Path, "open", full)
    found = CliRunner().invoke(cli.app, list(COMMANDS[command]))
    assert isinstance(found.exception, StorageError), found.output
    assert "no space left on the device; free some space" in str(found.exception)
    left = [name for name in names(tmp_path) if name not in before]
    assert left == (["target"] if command == "evolve" else [])


# No pickles


LOADING = {"load", "loads", "Unpickler"}
RUNNING = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib"}
"""Modules whose files run code, or may, when they are loaded."""


def loads_pickles(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id in RUNNING and node.attr in LOADING
    if isinstance(node, ast.ImportFrom):
        return node.module in RUNNING and bool(LOADING & {name.name for name in node.names})
    if isinstance(node, ast.Import):
        return bool({"shelve", "joblib", "dill"} & {name.name for name in node.names})
    if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
        return getattr(node.value, "value", True) is not False
    return False


ALLOWED = {"arena/agent_laws.py": "whether an agent can be pickled, by a copy of its own"}


def test_nothing_of_ours_loads_pickles() -> None:
    package = Path(holdmem.__file__).parent
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(map(loads_pickles, ast.walk(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert found == set(ALLOWED)
