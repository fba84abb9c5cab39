"""Progress bars on stderr."""

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress_bar(title: str, of: str = "hands") -> "Iterator[Callable[[int, int], None]]":
    """Show a bar with hands (or what `of` names), rate and time left on stderr, if that is a terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    from holdmem.core.jit import compilations

    class Rate(ProgressColumn):
        """Hands per second, once known."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} {of}/s" if task.speed and task.speed >= 1 else "")

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} " + of),
        Rate(),
        TimeRemainingColumn(),
    )
    # Units may take a minute each, so the rate is taken over many minutes.
    bar = Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=900,
    )
    name = escape(title)
    with bar:
        task = bar.add_task(name, total=1)

        def announce(kernel: str) -> None:
            bar.update(task, description=f"{name} [dim](compiling {escape(kernel)})[/dim]")

        def tell(done: int, of: int) -> None:
            bar.update(task, completed=done, total=max(of, 1), description=name)

        with compilations(announce) if console.is_terminal else nullcontext():
            yield tell


@contextmanager
def reading_progress(title: str) -> "Iterator[Callable[[int], None]]":
    """Show the hands so far and the elapsed time on stderr, for work of unknown length."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from holdmem.core.jit import compilations

    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,.0f} hands"),
        TimeElapsedColumn(),
    )
    name = escape(title)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(name, total=None)

        def announce(kernel: str) -> None:
            bar.update(task, description=f"{name} [dim](compiling {escape(kernel)})[/dim]")

        def tell(done: int) -> None:
            bar.update(task, completed=done, description=name)

        with compilations(announce) if console.is_terminal else nullcontext():
            yield tell
