"""The `holdmem` command. Subcommands import what they need when they run, so that `--help` is fast."""

import os
import sys
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer

from holdmem import __version__
from holdmem.cli.arena_commands import check, match, styles, tournament
from holdmem.cli.case_commands import cases, learn, record
from holdmem.cli.completion import add_completion
from holdmem.cli.encoding import print_in_any_encoding
from holdmem.cli.equity_commands import equity
from holdmem.cli.evolve_commands import evolve
from holdmem.cli.exploit_commands import exploit
from holdmem.cli.history_commands import convert, hands
from holdmem.cli.improve_commands import improve
from holdmem.cli.learner_commands import knowledge, train
from holdmem.cli.list_commands import agents, formats, games
from holdmem.cli.luck_command import luck
from holdmem.cli.mcp_command import mcp
from holdmem.cli.people_commands import imitate, resemble
from holdmem.cli.play import play
from holdmem.cli.replay_command import replay
from holdmem.cli.reproduce_commands import reproduce
from holdmem.cli.results_commands import results
from holdmem.cli.review_commands import explain, review
from holdmem.cli.solve_commands import solve
from holdmem.cli.stats_command import stats
from holdmem.cli.strength_commands import playable, strength
from holdmem.cli.tables_command import tables
from holdmem.cli.warmup import compile_kernels
from holdmem.cli.wire_commands import join, serve
from holdmem.core.atomic import remedy
from holdmem.core.errors import HoldMemError

app: typer.Typer = typer.Typer(
    help="Hold'em players made of memory: play against them, measure them, see why they act.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _add(group: str, *commands: Callable[..., object]) -> None:
    for command in commands:
        app.command(rich_help_panel=group)(command)


_add("Play and review", play, review, explain, replay)
_add("Measure players", agents, games, match, tournament, styles, check, exploit, reproduce)
app.add_typer(results, name="results", rich_help_panel="Measure players")
_add("Make players", record, learn, cases, improve, imitate, resemble, train, knowledge, evolve, solve)
_add("Hand histories", hands, stats, luck, convert, formats)
_add("Cards", equity, strength, playable)
_add("Other programs", serve, join, mcp)
app.command("compile", rich_help_panel="This machine")(compile_kernels)
app.add_typer(tables, name="tables", rich_help_panel="This machine")
add_completion(app)


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"holdmem {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line. Errors that the user can fix print one message to stderr and exit with code 2."""
    print_in_any_encoding()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # here, where a full disk behind `> file` can still be reported
    except HoldMemError as error:
        _leave(str(error))
    except BrokenPipeError:
        _let_go_of_stdout()
        sys.exit(0)
    except OSError as error:
        reason = remedy(error)
        if reason is None:
            raise
        _leave(f"{error.filename or 'a file'}: {reason}")


def _leave(message: str) -> NoReturn:
    print(f"holdmem: {message}", file=sys.stderr)
    _let_go_of_stdout()
    sys.exit(2)


def _let_go_of_stdout() -> None:
    """Redirect stdout to the null device if it can no longer be written (closed pipe, full disk).

    Otherwise Python would flush it again at exit and print a traceback.
    """
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
