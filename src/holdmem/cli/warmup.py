"""`holdmem compile`, and progress messages for compilation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def shown_compilation() -> Iterator[None]:
    """Show a running count of the kernels compiled within this context."""
    from rich.console import Console
    from rich.text import Text

    from holdmem.core.jit import KERNELS, compilations

    done = 0
    status = Console(stderr=True).status("")

    def announce(name: str) -> None:
        nonlocal done
        done += 1
        status.start()
        text = f"Compiling what this command needs: {done} of up to {len(KERNELS)} kernels, {name}"
        status.update(Text(text, no_wrap=True, overflow="ellipsis"))

    try:
        with compilations(announce):
            yield
    finally:
        status.stop()
    if done:
        status.console.print(
            f"Compiled {done} kernels; `holdmem compile` compiles them for all commands.", highlight=False
        )


def warm_up() -> None:
    """Play a few hands and discard them, so that the kernels are compiled now, with a progress message."""
    with shown_compilation():
        import holdmem.players
        from holdmem.agent import legal_policy, play
        from holdmem.core.random import Streams, hand_ids
        from holdmem.engine import find_game

        where = hand_ids(8)
        game = find_game("nolimit")
        cards = Streams.of(0, "rehearsal").decks(where, game.deck_cards)
        seats = [holdmem.players.Random().sit(game, 8, Streams(seat)) for seat in range(game.seats)]

        class Mixed:
            """Samples from a policy, so that the kernels of policies are compiled as well."""

            def act(self, views):  # type: ignore[no-untyped-def]
                str(views[0])
                return legal_policy(views, (1, 1, 1)).draw(views.uniforms(Streams(2)))

        play(game, [*seats[:1], Mixed()], cards, where=where)
        _rehearse_strength()


def _rehearse_strength() -> None:
    from holdmem.strength import HandCards, LinearBuckets, Rounding, e_hs, ihs, potential

    roundings: tuple[Rounding, ...] = ("tables", "exact", "shipped")
    for board in ("7c8d9h", "7c8d9hTs", "7c8d9hTsJc"):
        hands = HandCards.read("AsKs", board)
        for rounding in roundings:
            ihs(hands, rounding=rounding), potential(hands, rounding=rounding), e_hs(hands, rounding=rounding)
        LinearBuckets.uniform("e_hs", 2)(hands)


def compile_kernels(
    tables: Annotated[
        bool, typer.Option("--tables/--no-tables", help="Also build the hand strength tables (160 MB).")
    ] = True,
) -> None:
    """Compile everything for this machine now, and build the lookup tables of hand strength.

    Nothing is compiled twice: later commands find everything ready, and whatever is already compiled is
    skipped.
    """
    from rich.console import Console

    from holdmem.cli.warmup_all import is_complete, note_completion, warm_up_all
    from holdmem.core.cache_folder import cache_root
    from holdmem.strength.tables import NOT_SHIPPED, find_table, state_of

    console = Console(stderr=True, highlight=False)
    missing = [name for name in NOT_SHIPPED if tables and state_of(find_table(name)) != "ready"]
    if is_complete() and not missing:
        console.print(f"Everything is already compiled, in {cache_root()}", soft_wrap=True)
        return
    with _steps(console) as tell:
        failed = warm_up_all(missing, tell)
    for line in failed:
        console.print(f"not compiled: {line}", markup=False, soft_wrap=True)
    if not failed:
        note_completion()
    console.print(f"Compiled code and tables are stored in {cache_root()}", soft_wrap=True)


@contextmanager
def _steps(console: "Console") -> "Iterator[Callable[[int, int, str], None]]":
    """Show a bar with percent and time left or, if stderr is not a terminal, one line per 10%."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn("Compiling for this machine"), BarColumn(bar_width=20), TaskProgressColumn())
    times = (TimeElapsedColumn(), TextColumn("left"), TimeLeft(), TextColumn("[dim]{task.description}[/dim]"))
    shown = console.is_terminal
    tenths = 0
    with Progress(*columns, *times, console=console, transient=True, disable=not shown) as bar:
        task = bar.add_task("the engine", total=None)

        def tell(done: int, of: int, last: str) -> None:
            nonlocal tenths
            bar.update(task, completed=done, total=of, description=f"done: {last}")
            if not shown and 10 * done // of > tenths:
                tenths = 10 * done // of
                console.print(f"Compiling for this machine: {done} of about {of} steps, {10 * tenths}%")

        yield tell
