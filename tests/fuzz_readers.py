"""Mutation fuzz of every reader: damage one hand, read the file, and see whether the law holds.

    python tests/fuzz_readers.py --seconds 60 --seed 1

Law: no traceback (nothing but `HoldMemError`), no crash, no hang, no silent loss (the damaged hand is read or
named), hands next to a damaged one are read as before, and nobody wins what nobody lost. Cases are read in a
process of their own, so that a segmentation fault is seen. `--only READER --case N` repeats a case.
"""

import argparse
import json
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl

import holdmem
from fuzz_seeds import EXAMPLES, Example, damaged, flipped, long_run, packed, spoiled, stored, unsealed
from holdmem import match, train
from holdmem.arena.ledger import Ledger
from holdmem.cbr.hand_file import pack, to_bytes
from holdmem.cbr.remembered import HandPool
from holdmem.cbr.store import read_cases
from holdmem.cfr import strategy
from holdmem.cfr.device.responder import Flop, FlopFile
from holdmem.cfr.strategy import read_strategy
from holdmem.core.errors import GameError, HoldMemError
from holdmem.core.headers import HeaderedFile
from holdmem.engine import find_game
from holdmem.history import HandReader, RecordedHand, read_hands, replay
from holdmem.history.stats import PlayerStatistics
from holdmem.learning.solve import HoldemSolve, SolveTask
from holdmem.people import files as people
from holdmem.people.memory import read_person
from holdmem.players.learners import value_table
from holdmem.players.learners.value_table import read_knowledge
from holdmem.strength import table_files
from holdmem.strength.tables import find_table
from random_hands import recorded

PACKED = {
    f"{kind} of {name}": (kind, name) for kind in ("gz", "zip", "tgz") for name in ("acpc", "pokerstars")
}
RUNNING = "long runs"
READERS = (*EXAMPLES, "parquet", "parquet bytes", *PACKED, "any bytes", RUNNING, "hands of cases")
DATA = Path(holdmem.__file__).parent / "data"


@cache
def trained() -> bytes:
    """What a learner knows after some hands, as its file has it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "knowledge"
        train("action-learner", "random", game="limit", hands=60, seed=1, save=path)
        return path.read_bytes()


@cache
def results() -> bytes:
    """A ledger with two matches."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder) / "results.sqlite")
        for hands in (10, 20):
            match("limit", "random", "always-call", hands=hands, ledger=ledger)
        return ledger.path.read_bytes()


@cache
def solve() -> HoldemSolve:
    """A solve of the smallest abstraction."""
    return HoldemSolve(SolveTask(buckets=(1, 1, 1, 1)))


@cache
def checkpoint() -> bytes:
    """A solve's checkpoint."""
    with tempfile.TemporaryDirectory() as folder:
        solve().keep(Path(folder) / "checkpoint")
        return (Path(folder) / "checkpoint").read_bytes()


SMALL_EXPORT: Any = SimpleNamespace(
    data={"reach0": np.ones((6, 2)), "hold_class": np.arange(3)}, meta={"run": "some run"}
)
"""What a file of finished flops needs to know of the strategy that it belongs to."""


@cache
def flops() -> bytes:
    """Three flops that a card has finished."""
    with tempfile.TemporaryDirectory() as folder:
        file = FlopFile(Path(folder) / "flops", SMALL_EXPORT)
        for number in range(3):
            file.add(number, Flop(np.full((2, 3, 2), float(number)), np.zeros((2, 4))))
        return file.path.read_bytes()


def read_flops(path: Path) -> None:
    """Read a file of finished flops: those that are whole are as they were written."""
    try:
        found = FlopFile(path, SMALL_EXPORT).read()
    except ValueError as error:
        raise GameError(str(error)) from None
    if any((flop.best != number).any() for number, flop in found.items()):
        raise Broken("a damaged flop was taken up")


def read_ledger(path: Path) -> None:
    """Read every result of a ledger."""
    ledger = Ledger(path)
    for plan, _ in ledger.plans():
        ledger.result(plan)


def shipped(name: str) -> Callable[[], bytes]:
    """A file of the package."""
    return (DATA / name).read_bytes


OTHERS: dict[str, tuple[Path | Callable[[], bytes], Callable[[Path], object]]] = {
    "case base": (DATA / "sartre-1", read_cases),
    "strategy": (shipped("eqm.strategy"), read_strategy),
    "no-limit strategy": (shipped("eqm-nl-20.strategy"), read_strategy),
    "table": (shipped("preflop.table"), find_table("preflop").read),
    "people": (shipped("pluribus.people"), read_person),
    "knowledge": (trained, read_knowledge),
    "ledger": (results, read_ledger),
    "checkpoint": (checkpoint, lambda path: solve().resume(path)),
    "finished flops": (flops, read_flops),
}
"""Files of other kinds, flipped at random: each is read, or refused by an error of ours (`--others`).

In every second case the digest fits the damage, as if somebody meant harm, so that values must be checked.
"""
FORMATS = {
    form.first_line: form for form in (strategy.FORMAT, table_files.FORMAT, people.FILE, value_table.FORMAT)
}
WRONG = (None, -1, 0, 1, 2**40, 0.5, "", "x", [], [1, 2, 3], {}, {"a": 1}, True)
"""What fields of headers become."""
PATIENCE = 60
COMPILING = 600
"""Seconds after which a case hangs, and one that may compile kernels: generous, for a busy machine."""
BUSY = 30
"""Seconds of processor time that a file with a long run may take, of which it needs a fraction of one."""


class Broken(AssertionError):
    """The law was broken."""


# One case, in the process that reads


def run_case(reader: str, seed: int, number: int) -> str:
    """Damage something and read it; what became of it in a word."""
    rng = np.random.default_rng([seed, [*READERS, *OTHERS].index(reader), number])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if reader == "parquet":
            return _stored_case(rng, folder)
        if reader == RUNNING:
            return _run_case(rng, number, folder)
        if reader == "hands of cases":
            return _remembered_case(rng)
        if reader in OTHERS:
            return _other_case(rng, *OTHERS[reader], folder)
        if reader in EXAMPLES:
            return _text_case(rng, reader, folder)
        return _bytes_case(rng, reader, folder)


@cache
def undamaged(reader: str) -> list[RecordedHand]:
    """The hands of a whole file."""
    with tempfile.TemporaryDirectory() as place:
        _put(EXAMPLES[reader](), Path(place)) if reader in EXAMPLES else stored(Path(place))
        return read_all(Path(place))[0]


def _text_case(rng: np.random.Generator, reader: str, folder: Path) -> str:
    example = EXAMPLES[reader]()
    which = int(rng.integers(len(example.hands)))
    begin, end = example.hands[which]
    data = example.files[example.target]
    spoiled_data = data[:begin] + damaged(rng, data[begin:end]) + data[end:]
    _put(replace(example, files=example.files | {example.target: spoiled_data}), folder / "damaged")
    # A player's line that names the time of another hand spoils that one too.
    return compare(reader, folder / "damaged", most=2 if reader == "irc player" else 1)


def _stored_case(rng: np.random.Generator, folder: Path) -> str:
    spoiled(rng, stored(folder), int(rng.integers(12)))
    return compare("parquet", folder)


def _bytes_case(rng: np.random.Generator, reader: str, folder: Path) -> str:
    if reader in PACKED:
        kind, name = PACKED[reader]
        path, data = folder / f"a.{kind}", packed(kind, EXAMPLES[name]())
    elif reader == "parquet bytes":
        path = stored(folder) if rng.random() < 0.5 else unsealed(stored(folder))
        data = path.read_bytes()
    else:
        example = EXAMPLES[list(EXAMPLES)[rng.integers(len(EXAMPLES))]]()
        _put(example, folder)
        path, data = folder / example.target, example.files[example.target]
    path.write_bytes(flipped(rng, data))
    return _read_or_refused(folder)


def _run_case(rng: np.random.Generator, number: int, folder: Path) -> str:
    reader, data = long_run(rng, number)
    example = EXAMPLES[reader]()
    undamaged(reader)  # compiles
    _put(replace(example, files=example.files | {example.target: data}), folder)
    with _busy_at_most(BUSY):
        return _read_or_refused(folder)


@contextmanager
def _busy_at_most(seconds: float) -> Iterator[None]:
    """Break the law if the block takes more processor time than this."""

    def stop(*_: object) -> None:
        raise Broken(f"busy for {seconds:g} s")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _read_or_refused(folder: Path) -> str:
    try:
        read_all(folder)
    except HoldMemError as error:
        return _one_line(error)
    return "read"


def _other_case(
    rng: np.random.Generator,
    whole: Path | Callable[[], bytes],
    read: Callable[[Path], object],
    folder: Path,
) -> str:
    path = folder / "damaged"
    if isinstance(whole, Path):
        shutil.copytree(whole, path)
        files = sorted(path.iterdir())
        chosen = files[rng.integers(len(files))]
        chosen.write_bytes(flipped(rng, chosen.read_bytes()))
    else:
        data = whole()
        form = FORMATS.get(data[: data.find(b"\n") + 1])
        if form and rng.random() < 0.5:
            _write_sealed(rng, form, data, path)
        else:
            path.write_bytes(flipped(rng, data))
    try:
        read(path)
    except HoldMemError as error:
        return _one_line(error)
    return "read"


def _write_sealed(rng: np.random.Generator, form: HeaderedFile, data: bytes, path: Path) -> None:
    """Damage a field of the header or the body, and write both under a digest that fits them."""
    _, line, body = data.split(b"\n", 2)
    header = json.loads(line)
    del header["digest"]
    if rng.random() < 0.5:
        header[sorted(header)[rng.integers(len(header))]] = WRONG[rng.integers(len(WRONG))]
    else:
        packed_body = b"table" not in form.first_line
        raw = flipped(rng, zlib.decompress(body) if packed_body else body)
        body = zlib.compress(raw, 1) if packed_body else raw
        header["length"] = len(body)
    form.write(path, header, body)


@cache
def remembered() -> pl.DataFrame:
    """The hands of a case base, as its file has them."""
    hands = recorded(find_game("limit"), 3, 60)
    return pl.read_parquet(BytesIO(to_bytes(pack(hands, hands.seated))))


def _remembered_case(rng: np.random.Generator) -> str:
    """Damage one column, as no digest would allow, and unpack all hands."""
    frame, count = remembered(), int(remembered()["hands"][0])
    name = frame.columns[rng.integers(1, len(frame.columns))]
    value = frame[name][0]
    if isinstance(value, str):
        spoilt = damaged(rng, value.encode()).decode("utf-8", "replace")
    else:
        spoilt = flipped(rng, value)
    buffer = BytesIO()
    frame.with_columns(pl.Series(name, [spoilt])).write_parquet(buffer)
    try:
        hands, experts = HandPool(buffer.getvalue(), "hands.parquet", count).take()
    except HoldMemError as error:
        return _one_line(error)
    if len(hands) != count or experts.shape != (count, 10):
        raise Broken(f"{count} hands were there, {len(hands)} are read")
    for decisions in replay(hands):
        _expect_law(int(decisions.net.sum()), len(decisions))
    return "read"


def _one_line(error: HoldMemError) -> str:
    if not str(error) or "\n" in str(error):
        raise Broken(f"an error is one line, got {error!r}")
    return "refused"


def _put(example: Example, folder: Path) -> None:
    for name, data in example.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def read_all(path: Path) -> tuple[list[RecordedHand], HandReader]:
    """All hands, each of them replayed and counted, and the reading with its account."""
    reading, players, hands = read_hands(path), PlayerStatistics(), list[RecordedHand]()
    for block in reading:
        hands += [hand._replace(line=0) for hand in block]
        players.add(block)
        for decisions in replay(block):
            _expect_law(int(decisions.net.sum()), len(decisions))
    for hand in hands:
        if hand.net is not None and sum(hand.net) > 0:
            raise Broken(f"nets sum to more than zero: {hand}")
    json.dumps(reading.account.as_json())
    json.dumps(players.as_json())
    return hands, reading


def _expect_law(total: int, count: int) -> None:
    if abs(total) > count * 2520 * 2**31:
        raise Broken(f"decisions win {total}")


def compare(reader: str, after: Path, most: int = 1) -> str:
    """The hands of a file and of the same with one of them damaged."""
    before = undamaged(reader)
    try:
        found, reading = read_all(after)
    except HoldMemError as error:
        _one_line(error)
        raise Broken(f"one damaged hand is an error of the whole file: {error}") from None
    account, kept = reading.account, Counter(found)
    lost = [hand for hand in before if not kept[hand]]
    if len(lost) > most:
        raise Broken(f"{len(lost)} hands lost next to a damaged one: {account.unread}")
    accounted = account.hands + account.skipped + account.duplicates.total()
    if accounted < len(before) or account.hands != len(found):
        raise Broken(f"{len(before)} hands were there, {accounted} are accounted for: {account}")
    return "named" if account.skipped else "changed" if lost else "same"


# All cases, and the process that watches


def child() -> None:
    """Answer every line on stdin, a case, with a line on stdout."""
    for line in sys.stdin:
        reader, seed, number = json.loads(line)
        try:
            answer = run_case(reader, seed, number)
        except BaseException:  # panics of polars are no `Exception`
            answer = "FAULT " + traceback.format_exc()
        print(json.dumps(answer), flush=True)


class Watched:
    """A process that reads cases; another takes its place when it dies."""

    def __init__(self) -> None:
        self._process = self._begin()

    @staticmethod
    def _begin() -> subprocess.Popen[str]:
        words = [sys.executable, __file__, "--child"]
        return subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def ask(self, reader: str, seed: int, number: int, patience: float = PATIENCE) -> str:
        """What became of a case."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([reader, seed, number]) + "\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], patience)
        line = process.stdout.readline() if ready else ""
        if line:
            return str(json.loads(line))
        process.kill()
        self.close()
        self._process = self._begin()
        return f"FAULT crash with code {process.returncode}" if ready else f"FAULT hang of {patience} s"

    def close(self) -> None:
        """End the process."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait()


def fuzz(
    seed: int, seconds: float, cases: int | None = None, readers: Sequence[str] = READERS
) -> tuple[dict[str, Counter[str]], list[str]]:
    """Cases of every reader in turn until the time is over: what became of them, and every fault."""
    counts: dict[str, Counter[str]] = {reader: Counter() for reader in readers}
    faults, watched = list[str](), Watched()
    for reader in readers:  # compiles, which may take its time
        watched.ask(reader, seed, 2**32 - 1, COMPILING)
    begun = time.monotonic()
    for number in _numbers(cases):
        for reader in readers:
            answer = watched.ask(reader, seed, number, COMPILING if reader == RUNNING else PATIENCE)
            if answer.startswith("FAULT"):
                faults.append(f"--seed {seed} --only '{reader}' --case {number}: {answer}")
            counts[reader]["FAULT" if answer.startswith("FAULT") else answer] += 1
        if time.monotonic() - begun > seconds:
            break
    watched.close()
    return counts, faults


def _numbers(cases: int | None) -> Iterator[int]:
    number = 0
    while cases is None or number < cases:
        yield number
        number += 1


def main() -> None:
    """Fuzz, print the counts by reader, and exit with 1 if a law was broken."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--cases", type=int, help="at most this many cases per reader")
    options.add_argument("--others", action="store_true", help="case bases, strategies and other files too")
    options.add_argument("--only", choices=(*READERS, *OTHERS))
    options.add_argument("--case", type=int)
    options.add_argument("--child", action="store_true")
    asked = options.parse_args()
    if asked.child:
        child()
    elif asked.case is not None:
        print(run_case(asked.only, asked.seed, asked.case))
    else:
        readers = (asked.only,) if asked.only else (*READERS, *OTHERS) if asked.others else READERS
        counts, faults = fuzz(asked.seed, asked.seconds, asked.cases, readers)
        for reader, found in counts.items():
            print(f"{reader:20} {found.total():6,}  {dict(found.most_common())}")
        print(f"{sum(one.total() for one in counts.values()):,} cases, {len(faults)} faults")
        print("\n\n".join(faults))
        sys.exit(bool(faults))


if __name__ == "__main__":
    main()
