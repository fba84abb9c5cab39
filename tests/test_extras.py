"""Without an extra everything else works, and what needs it says in one line how to install it."""

import sys
from pathlib import Path

import pytest

from fresh import run
from holdmem.cli.warmup_all import run_command
from holdmem.core.errors import HoldMemError, MissingExtra
from holdmem.core.extras import EXTRAS, require
from selections import quick_and_long

BLOCKED = """if True:
    import sys
    sys.modules[sys.argv[1]] = None  # as if it were not installed
    from holdmem import cli
    sys.argv = ["holdmem", *sys.argv[2:]]
    try:
        cli.main()
    except SystemExit as end:
        print("exit", end.code)
"""
USES = {
    "mcp": ("mcp", "holdmem mcp"),
    "web": ("play always-call --no-browser", "the web table"),
    "plots": ("tournament random always-call --hands 1 --no-ledger --png table.png", "--png"),
    "plots: evolve": ("evolve --hands 2 --generations 1 --trees 1 -o evolved", "evolve"),
    "plots: reproduce": ("reproduce sartre --only table4 --scale smoke -o reproduced", "reproduce"),
    "plots: playable": ("playable 15 --png playable.png", "--png"),
    "plots: train": ("train action-learner --against random --hands 1 --plot curve.png", "--plot"),
    "cluster": ("match random always-call --hands 2 --no-ledger --on tcp://127.0.0.1:1", "--on"),
}
EVERYTHING_ELSE = """if True:
    import sys
    from importlib import import_module
    from pkgutil import walk_packages
    for library in sys.argv[1].split():
        sys.modules[library] = None
    import holdmem
    left_out = "holdmem.web", "holdmem.mcp", "holdmem.rl."
    for module in walk_packages(holdmem.__path__, "holdmem."):
        if not module.name.startswith(left_out) and "__main__" not in module.name:
            import_module(module.name)
"""


@pytest.mark.parametrize("use", quick_and_long(USES, [use for use in USES if use.startswith("plots:")]))
def test_without_an_extra_a_command_names_it_in_one_line(
    use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    extra, (command, purpose) = use.partition(":")[0], USES[use]
    library = EXTRAS[extra][0]
    done = run(BLOCKED, library, *command.split())
    assert done.stdout == "exit 2\n"
    assert done.stderr.splitlines() == [
        f"holdmem: {purpose} needs {library}, which is not installed: pip install 'holdmem[{extra}]'"
    ]
    assert list(tmp_path.iterdir()) == []


def test_compiling_in_advance_skips_what_needs_a_missing_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    command = "playable 15 --png playable.png"
    assert "MissingExtra" in str(run_command(command))
    assert run_command(command, skip=MissingExtra) is None
    assert run_command("playable -1", skip=MissingExtra) is not None


def test_everything_else_is_imported_without_any_extra() -> None:
    run(EVERYTHING_ELSE, " ".join(library for libraries in EXTRAS.values() for library in libraries))


def test_the_web_table_starts_without_statistics_of_scipy() -> None:
    """They would take 49 MB of its memory; distributions of Student are in scipy.special as well."""
    run("import sys, holdmem.web.launch; assert 'scipy.stats' not in sys.modules")


@pytest.mark.parametrize(("extra", "library"), [(extra, one) for extra in EXTRAS for one in EXTRAS[extra]])
def test_any_library_of_an_extra_may_be_missing(
    extra: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(extra, "it")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"^it needs {library}, .* pip install 'holdmem\[{extra}\]'$"):
        require(extra, "it")
    assert issubclass(MissingExtra, HoldMemError)
    assert issubclass(MissingExtra, ImportError)
