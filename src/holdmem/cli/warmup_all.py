"""Compile all kernels by running rehearsals in several processes, with a progress bar."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from io import StringIO
from itertools import chain
from pathlib import Path
from shlex import split
from tempfile import TemporaryDirectory
from threading import Event, Thread

from holdmem.cli.warmup_commands import WarmupTask, matches_of, warmup_tasks
from holdmem.core.errors import MissingExtra

MOST_PROCESSES = 4
"""Each process takes a few hundred megabytes."""
TABLE_STEPS = {"flop": 40, "flop-two": 40, "turn": 100}
"""Weights of the tables in the progress bar, in kernels."""

StatusCallback = Callable[[str], None]


@dataclass(frozen=True)
class WarmupUnit:
    """The work of one process, and the file to which it writes one line per step."""

    work: WarmupTask | str
    """What to rehearse, or the name of a table to build."""
    log: str

    @property
    def title(self) -> str:
        """Name of this part in messages."""
        return f"the hand strength table {self.work}" if isinstance(self.work, str) else self.work.title

    @property
    def steps(self) -> int:
        """Expected number of lines in the file."""
        return TABLE_STEPS[self.work] if isinstance(self.work, str) else self.work.kernels


def warm_up_all(tables: Sequence[str], tell: "Callable[[int, int, str], None]") -> list[str]:
    """Build these tables and run all rehearsals; return one line per failure.

    Rehearsals need the tables of the flop, so these come first. `tell(done, of, title)` gets the steps done,
    their expected number and the part finished last.
    """
    from holdmem.core.parallel import run_units

    failed = []
    with TemporaryDirectory(prefix="holdmem-", ignore_cleanup_errors=True) as folder:
        parts = [WarmupUnit(one, f"{folder}/{number}") for number, one in enumerate(warmup_tasks())]
        flops = [WarmupUnit(name, f"{folder}/{name}") for name in tables if name != "turn"]
        parts[1:1] = [WarmupUnit(name, f"{folder}/{name}") for name in tables if name == "turn"]
        progress = WarmupProgress([*flops, *parts], tell)
        workers = min(
            max(os.cpu_count() or 1, 2), MOST_PROCESSES
        )  # with 1, the work would run in this process
        with progress.shown():
            for part, problem in chain(*(run_units(carry_out, some, workers) for some in (flops, parts))):
                progress.finished(part)
                failed += [f"{part.title}: {problem}"] if problem else []
    return failed


class WarmupProgress:
    """Counts compiled kernels: a running process logs one line per kernel, a finished one counts in full."""

    def __init__(self, parts: list[WarmupUnit], tell: "Callable[[int, int, str], None]") -> None:
        self.parts = parts
        self.tell = tell
        self.done: set[str] = set()
        self.last: str = "the engine"

    def finished(self, part: WarmupUnit) -> None:
        """Count all steps of a part."""
        self.done.add(part.log)
        self.last = part.title

    def look(self) -> None:
        """Report the current progress."""
        steps = sum(self._steps(part) for part in self.parts)
        self.tell(steps, sum(part.steps for part in self.parts), self.last)

    def _steps(self, part: WarmupUnit) -> int:
        return part.steps if part.log in self.done else min(_lines(part), part.steps)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Report the progress periodically within this context."""
        over = Event()

        def watch() -> None:
            while not over.wait(0.25):
                self.look()

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
            self.look()


def _lines(part: WarmupUnit) -> int:
    try:
        return Path(part.log).read_bytes().count(b"\n")
    except OSError:
        return 0


def carry_out(part: WarmupUnit) -> str | None:
    """Do one part in its own process; return an error message, or None on success."""
    from holdmem.core.jit import every_compilation

    def step(what: str) -> None:
        with suppress(OSError), open(part.log, "a", encoding="utf-8") as log:
            log.write(f"{what}\n")

    with every_compilation(step), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        return _build(part.work, step) if isinstance(part.work, str) else _rehearse(part.work)


def _rehearse(rehearsal: WarmupTask) -> str | None:
    """Run the commands up to the first failure; return its message, or None on success."""
    with TemporaryDirectory(prefix="holdmem-", ignore_cleanup_errors=True) as folder, _inside(folder):
        commands = (*rehearsal.commands, *(line for agent in rehearsal.agents for line in matches_of(agent)))
        # What needs an extra that is not installed will not be run here, so it need not be compiled.
        problem = next(filter(None, map(partial(run_command, skip=MissingExtra), commands)), None)
        if rehearsal.also:
            rehearsal.also()
        return problem


@contextmanager
def _inside(folder: str) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run_command(words: str, skip: type[Exception] | tuple[()] = ()) -> str | None:
    """Run a `holdmem` command in this process; return an error message, or None on success or a `skip`."""
    from holdmem.cli import app

    try:
        app(split(words), standalone_mode=False)
    except skip:
        return None
    except (Exception, SystemExit) as error:
        if not isinstance(error, SystemExit) or error.code:
            return f"`holdmem {words}`: {error!r}"
    return None


def _build(name: str, step: StatusCallback) -> str | None:
    from holdmem.strength.build_tables import try_to_build

    reported = 0

    def progress(done: int, boards: int) -> None:
        nonlocal reported
        while reported < TABLE_STEPS[name] * done // boards:
            reported += 1
            step("boards")

    return try_to_build(name, progress=progress)


# What was compiled before


def is_complete() -> bool:
    """Return whether all rehearsals were run for the current sources and the compiled code still exists."""
    with suppress(OSError, ValueError):
        counts = dict(line.rsplit(" ", 1) for line in _stamp().read_text(encoding="utf-8").splitlines())
        return bool(counts) and all(_compiled_in(name) >= int(count) for name, count in counts.items())
    return False


def note_completion() -> None:
    """Record what is compiled now, for `is_complete`."""
    from holdmem.core.atomic import write_atomically

    with suppress(OSError):
        write_atomically(_stamp(), "".join(f"{name} {_compiled_in(name)}\n" for name in _folders()))


def _stamp() -> Path:
    from holdmem.core.cache_folder import trusted_folder

    own = Path(__file__).with_name("warmup_commands.py").read_bytes()
    name = blake2b("\n".join(_folders()).encode() + own, digest_size=12).hexdigest()
    return trusted_folder("kernels") / f"complete-{name}"


def _folders() -> list[str]:
    """Return the compiled-code folders of all parts that have kernels."""
    from holdmem.core.jit import fingerprint
    from holdmem.core.sources import PACKAGE

    modules = [path for path in PACKAGE.rglob("*.py") if "@kernel" in path.read_text(encoding="utf-8")]
    parts = sorted({path.relative_to(PACKAGE).parts[0] for path in modules} - {"core/jit.py", "cli"})
    return [f"{part}-{fingerprint(part)}" for part in parts]


def _compiled_in(folder: str) -> int:
    from holdmem.core.cache_folder import trusted_folder

    return sum(1 for _ in (trusted_folder("kernels") / folder).rglob("*.nbc"))
