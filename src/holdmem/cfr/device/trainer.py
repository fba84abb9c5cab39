"""Training of an exported strategy against best responses, update by update; `training.py` describes it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from . import responder
from .betting import StreetBetting, descend, read_street
from .boards import Boards, DrawnBoards
from .cards import HoldingSums
from .cells import TrainingCells
from .responder import LEAF, Array
from .river_code import RiverPart, answered_code, code_of_best, slot_codes
from .walk import Update, Walk

STORED = 65_535
"""Probabilities are written as whole parts of this."""


class Trainer:
    """Trains the strategy of an exported file.

    Parameters
    ----------
    export : the file, opened.
    device : a `CudaDevice` or `HostDevice`.
    seed : random seed of boards.
    """

    def __init__(self, export: Any, device: Any, seed: int = 0) -> None:
        xp, data = getattr(device, "cupy", np), export.data
        self.export = export
        self.device = device
        self.xp: Any = xp
        self.seed = seed
        self.updates: int = 0
        self.program: Any = responder.Responder(export, device, self_play=False)
        self.boards: Boards = Boards(export)
        self.streets: list[StreetBetting] = [read_street(export, street) for street in range(4)]
        sizes = enumerate(data["train/classes"].tolist())
        self.cells: list[TrainingCells] = [TrainingCells(xp, data, street, size) for street, size in sizes]
        self.cards: HoldingSums = HoldingSums(xp, export.holdings, self.program.deck)
        self.preflop_class: Any = xp.asarray(data["street0/classes"].astype(np.int64))
        self.hold_class: Any = xp.asarray(data["hold_class"].astype(np.int64))
        self.class_sizes: Any = xp.asarray(np.bincount(data["hold_class"]).astype(np.float32))
        first, flop = self.streets[:2]
        flops = (len(export.flops), len(export.holdings), len(flop.own(0)), flop.roots)
        self.responds_first: list[Any] = [
            xp.zeros((len(self.class_sizes), len(first.own(seat)), 1), np.float32) for seat in (0, 1)
        ]
        self.responds_flop: list[Any] = [xp.zeros(flops, np.float32) for _ in (0, 1)]
        self.padded: int = -(-self.streets[3].roots // responder.LANES) * responder.LANES
        self.responds: list[list[RiverPart]] = [self._river(seat, responds=True) for seat in (0, 1)]
        self.answers: list[list[RiverPart]] = [self._river(seat, responds=False) for seat in (0, 1)]

    def _river(self, seat: int, *, responds: bool) -> list[RiverPart]:
        """Compile the river's kernels for a seat that responds, or that plays the strategy."""
        street, found = self.export.street(3, seat), []
        cards = self.cards.deck - self.program.on_board[3]
        for part in responder.parts_of(street):
            tree = responder.tree_code(street, part)
            tree += code_of_best(street, part) if responds else answered_code(street, part)
            head = "#define RIVER\n" + ("#define CODES\n" if responds else "#define ANSWERED\n")
            head += "" if responds else slot_codes(street, part, self.export.street(3, 1 - seat))
            code = head + responder.part_code(street, part, cards) + self.program.text
            shared = 4 * responder.LANES * (len(part.slots) * cards + responder.SHARED_ROWS)
            own = [3 * int(street.decision[node]) + action for node, action in part.own] or [0]
            stake = responder.padded(street.stake[part.leaves + part.folds][:, : self.streets[3].roots])
            module = self.device.module(code.replace("// TREE", tree), shared)
            found.append(RiverPart(part, module, own, self.device.put(stake.astype(np.float32)), shared))
        return found

    def train(self, flops: int) -> None:
        """Do one update on random boards, and wait until it is done."""
        rng = np.random.default_rng([self.seed, self.updates])
        self.update(self.boards.draw(rng, flops))
        self.device.wait()

    def update(self, batch: DrawnBoards, *, best_on_flop: bool = False) -> list[Any]:
        """Do one update on these boards; return the strategy's values before the flop, by seat."""
        self.updates += 1
        played = [cells.current() for cells in self.cells]
        tables = [cells.table(some) for cells, some in zip(self.cells, played, strict=True)]
        update = Update(self, batch, tables, best_on_flop)
        values = [Walk(update, seat).values for seat in (0, 1)]
        for street, cells in enumerate(self.cells):
            cells.learn(played[street], update.earned[street], update.reach[street], float(self.updates))
        return values

    def averages(self) -> list[Array]:
        """Return the average strategy of each street, [cell, action]."""
        return [self.device.get(cells.average()) for cells in self.cells]

    def measured(self, flops: list[int]) -> list[float]:
        """Return what a best response wins from the average strategy from the river, turn and flop on.

        In chips per hand, the mean of both seats, estimated from these flops.
        """
        export = self._with_averages()
        program = responder.Responder(export, self.device, self_play=False)
        weights, total = export.data["weights"].astype(float), np.zeros(4)
        for number in flops:
            found = responder.reduced(export, number, program.flop(number)).by_way.sum(axis=0)
            total += found / 2 / weights[number] * weights.sum() / len(flops)
        pairs = responder.pairs(self.cards.deck) * responder.pairs(self.cards.deck - 2)
        return [float(one) for one in (total / pairs)[1:]]

    def _with_averages(self) -> Any:
        """Return the exported file with the average in place of its strategy."""
        export = responder.Export.__new__(responder.Export)
        export.meta, export.data = self.export.meta, dict(self.export.data)
        tables = [self.device.get(cells.table(cells.average())) for cells in self.cells]
        for street in (1, 2, 3):
            rows, classes = tables[street].shape[:2]
            export.data[f"street{street}/values"] = tables[street].reshape(-1, 3)
            export.data[f"street{street}/index"] = np.arange(rows * classes).reshape(rows, classes)
        for seat in (0, 1):
            export.data[f"reach{seat}"] = self._reach_of_flops(seat, tables[0])
        return export

    def _reach_of_flops(self, seat: int, table: Array) -> Array:
        """Return a seat's reach where the flop comes, [holding, betting]."""
        first, classes = self.streets[0], self.export.data["street0/classes"]
        rows = first.rows[0]
        ones = np.ones(len(classes))
        reach = descend(
            first, seat, ones, lambda node, action: table[rows[first.decision[node]], classes, action]
        )
        leaves = np.flatnonzero(first.kind[0] == LEAF)
        return np.stack([reach[leaf] for leaf in leaves[np.argsort(first.onward[leaves, 0])]], axis=1)

    def write(self, path: Path) -> None:
        """Write the average strategy, with probabilities as multiples of 1/STORED."""
        parts = [np.rint(average * STORED).astype(np.uint16) for average in self.averages()]
        arrays = {f"street{street}": found for street, found in enumerate(parts)}
        _write(path, arrays, self._about(), np.savez_compressed)

    def keep(self, path: Path) -> None:
        """Write a checkpoint, from which `resume` continues: about two gigabytes for hold'em."""
        found = {name: self.device.get(values) for name, values in self._state().items()}
        _write(path, found, self._about(), np.savez)

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint; ValueError if it is damaged or belongs to another run or seed."""
        found, about = _read(path)
        expected = self._about() | {"updates": about.get("updates")}
        if about != expected or not isinstance(about["updates"], int):
            raise ValueError(f"expected a checkpoint of {expected}, got {about}")
        state = self._state()
        for name, values in state.items():
            one = found.get(name)
            if (
                one is None
                or one.dtype.kind != "f"
                or one.shape != values.shape
                or not np.isfinite(one).all()
            ):
                raise ValueError(f"the checkpoint has no proper {name}")
        for name, values in state.items():
            values[:] = self.xp.asarray(found[name])
        self.updates = about["updates"]

    def _about(self) -> dict[str, Any]:
        return {"run": self.export.meta["run"], "updates": self.updates, "seed": self.seed}

    def _state(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for street, cells in enumerate(self.cells):
            found |= {f"regrets{street}": cells.regrets, f"sums{street}": cells.sums}
        for seat in (0, 1):
            found |= {f"first{seat}": self.responds_first[seat], f"flop{seat}": self.responds_flop[seat]}
        return found


def _write(path: Path, arrays: dict[str, Array], about: dict[str, Any], save: Callable[..., None]) -> None:
    """Write arrays and a line of JSON in the format of `core.array_file`; no partial file is ever seen."""
    said = np.frombuffer(json.dumps(about).encode(), np.uint8)
    beside = path.with_name(f"{path.name}.{uuid4().hex[:8]}.part")
    try:
        with beside.open("wb") as file:
            save(file, task=said, **arrays)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _read(path: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """Read what `_write` wrote; ValueError for any other file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            arrays = dict(kept)
        about = json.loads(arrays.pop("task").tobytes())
    except OSError:
        raise
    except Exception as error:  # numpy and zipfile have a dozen kinds of errors for damaged files
        raise ValueError(f"{error}: the file is damaged, truncated or of another kind") from None
    if not isinstance(about, dict):
        raise ValueError("the file is of another kind")
    return arrays, about
