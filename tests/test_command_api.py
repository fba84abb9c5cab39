"""Commands work through the public API: `holdmem.api`, and what packages export and the reference lists.

What else a command may import is listed here, with the reason. Types and presentation do not count.
"""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import holdmem

COMMANDS = sorted((Path(holdmem.__file__).parent / "cli").glob("*.py"))
ALWAYS = ("holdmem.api", "holdmem.cli", "holdmem.core", "holdmem.plots")

REASONS = {
    "a format or unit is checked before hours of work": {
        "arena.result.chips_of",
        "arena.design.SECRET",
        "cards.notation.distinct",
        "cfr.card_abstraction.read_counts",
        "history.formats.output_format",
        "learning.solve.SMALL_GAMES",
        "learning.solve.SmallSolve",
        "learning.solve.TILTS",
    },
    "what is printed is described in words": {
        "agent.describe.numbered",
        "acpc.players.bare_name",
        "arena.score.Score",
        "cbr.maintain.compare",
        "cbr.maintain.report",
        "engine.describe.third_person",
        "engine.state.BOARD_CARDS",
        "engine.state.STREET_NAMES",
        "engine.steps.HandStep",
        "engine.steps.replay_steps",
        "ev.review.examples.example_of",
        "ev.review.situations.TABLES",
        "history.describe.as_json",
        "history.describe.describe_hand",
        "history.describe.stakes",
        "history.formats.FORMATS",
        "learning.value_table_report",
        "learning.value_table_report.ACTIONS",
        "learning.value_table_report.aggregate",
        "learning.value_table_report.labels",
        "players.learners.value_table.read_knowledge",
    },
    "work on files that only the command line offers": {
        "acpc.log_file.LogFile",
        "arena.export.export",
        "cbr.revise.FILE",
        "cbr.revise.PARTS",
        "cbr.revise.read_revisions",
        "cbr.store.read_header",
        "history.resume.store_resumably",
        "learning.evolve.evolution_files.weights_file",
        "learning.evolve.task.FINAL",
        "learning.evolve.task.SCHEMES",
        "papers.pages.write_pages",
        "papers.status.is_current",
        "papers.status.statuses",
        "papers.storage.judge_again",
        "papers.storage.read_findings",
        "papers.storage.run_experiment",
        "papers.verification.compare",
    },
    "tables of the package are built and checked": {
        "strength.build_tables.first_unit",
        "strength.build_tables.try_to_build",
        "strength.playable.FILE",
        "strength.playable.count_flops",
        "strength.playable.write_playable",
        "strength.tables.NOT_SHIPPED",
        "strength.tables.state_of",
    },
    "kernels are compiled on a game small enough to take no time": {
        "cfr.betting_tree.betting_tree",
        "cfr.exact_gradient.strategy_gradient",
        "cfr.exact_response.ExactResponse",
        "cfr.exact_response.respond_to_flop",
        "cfr.public_game.PublicGame",
        "cfr.short_deck.UniformTables",
    },
    "the shell completes names": {"engine.game_file.SHORT_NAMES"},
    "a person at the terminal has a seat of its own": {"agent.ask.ask_one"},
}
ALLOWED = set().union(*REASONS.values())


def imported(path: Path) -> set[tuple[str, str]]:
    """Modules and names that a module imports from the package, apart from those for the type checker."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing = [
        node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node)
    ]
    skipped = {id(one) for node in typing for one in ast.walk(node)}
    return {
        (str(node.module), one.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and id(node) not in skipped
        for one in node.names
        if (node.module or "").startswith("holdmem.") and not str(node.module).startswith(ALWAYS)
    }


def is_exported(module: str, name: str) -> bool:
    """Whether the package that a module belongs to, or a package of its own, exports the name."""
    homes = ".".join(module.split(".")[:2]), module
    packages = (found for found in map(import_module, homes) if hasattr(found, "__path__"))
    return any(name in getattr(package, "__all__", ()) for package in packages)


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_commands_call_the_public_api(path: Path) -> None:
    inside = {
        f"{module.removeprefix('holdmem.')}.{name}"
        for module, name in imported(path)
        if not is_exported(module, name)
    }
    assert inside - ALLOWED == set()


def test_nothing_is_allowed_that_no_command_needs() -> None:
    used = {
        f"{module.removeprefix('holdmem.')}.{name}" for path in COMMANDS for module, name in imported(path)
    }
    assert ALLOWED - used == set()
