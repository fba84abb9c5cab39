"""Exact best responses on a graphics card, from one file and without the rest of HoldMem.

    python responder.py eqm.export.npz eqm.flops --seconds 500

The file is written by `holdmem exploit AGENT --exact --export FILE`. It holds the game, the betting of each
street as each seat sees it, the strategy's probabilities, and how to find the class of a holding on a board.
Finished flops are appended to the second file, one record each, so a run may be cut short at any time and
continued; `holdmem exploit AGENT --exact --finished FILE` takes them in.

This module needs numpy and, for the card, CuPy (chosen over PyTorch because it compiles CUDA C at run time
and adds little of its own). Without a card the same kernels run as C++ (`--device host`), which is slow and
meant for tests. The algorithm is that of `cfr.exact_response`; the kernels are in `exact_response.cu`.
"""

import argparse
import ctypes
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

FORMAT = "HoldMem exact response, version 1"
OWN, THEIRS, FOLD, LEAF = 0, 1, 2, 3
LANES = 32
"""Roots are padded to a multiple of this, the number of threads that a card runs in step."""
LOOKAHEAD = 32
"""Entries behind the last that may be read, but not used, when copying ahead."""
SHARED_ROWS = 16
"""Entries whose reach is kept in shared memory by `river`."""
SOURCE = Path(__file__).with_name("exact_response.cu")


# ---- The exported file -----------------------------------------------------------------------------------


class Street(NamedTuple):
    """The betting of a street as the responder of one seat sees it; see `cfr.street_shape.StreetShape`."""

    kind: Array
    child: Array
    decision: Array
    slot: Array
    slot_from: Array
    slot_action: Array
    stake: Array  # [node, root]
    onward: Array  # [node, root]
    leaf_slots: int


class Export:
    """What `holdmem exploit --export` wrote."""

    def __init__(self, path: str | Path) -> None:
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as found:
                self.data: dict[str, Any] = {name: found[name] for name in found.files}
            self.meta: dict[str, Any] = json.loads(str(self.data["meta"]))
        except OSError:
            raise
        except Exception as error:  # numpy and zipfile have a dozen kinds of errors for damaged files
            raise ValueError(f"{path}: expected an exported strategy, got {error}") from None
        if not isinstance(self.meta, dict):
            raise ValueError(f"{path}: expected an exported strategy, got {self.meta!r:.40}")
        if self.meta.get("format") != FORMAT:
            raise ValueError(f"{path}: expected {FORMAT!r}, got {self.meta.get('format')!r}")

    @property
    def holdings(self) -> Array:
        """(n, 2) places of the cards in the deck, low before high."""
        found: Array = self.data["holdings"]
        return found

    @property
    def flops(self) -> Array:
        """(n, cards) representatives of all flops, as places in the deck."""
        found: Array = self.data["flops"]
        return found

    @cached_property
    def moved(self) -> Array:
        """[exchange of suits, holding] holding that it becomes."""
        deck, low, high = len(self.data["deck"]), *self.holdings.T.astype(int)
        number = np.zeros((deck, deck), np.int32)
        number[low, high] = number[high, low] = np.arange(len(low))
        return np.stack([number[one[low], one[high]] for one in self.data["exchanges"]])

    def street(self, street: int, seat: int) -> Street:
        """Return the betting of a street for the responder in a seat."""
        at = {name: self.data[f"street{street}/seat{seat}/{name}"] for name in Street._fields[:-1]}
        return Street(**at, leaf_slots=int(self.data[f"street{street}/seat{seat}/leaf_slots"]))

    def by_root(self, street: int) -> Array:
        """Return the strategy, [root, decision of the street, action, class]."""
        values, index = self.data[f"street{street}/values"], self.data[f"street{street}/index"]
        table = values[index].transpose(0, 2, 1)
        found: Array = table[self.data[f"street{street}/decisions"]]
        return found


def padded(values: Array, filler: float = 0) -> Array:
    """Pad the last axis to a multiple of LANES."""
    missing = -values.shape[-1] % LANES
    return np.pad(values, [(0, 0)] * (values.ndim - 1) + [(0, missing)], constant_values=filler)


# ---- Boards of a flop ------------------------------------------------------------------------------------


class NextCards(NamedTuple):
    """The cards that can come on some boards, and the representative of each."""

    boards: Array  # (representatives, cards)
    parent: Array  # [representative] board before it
    child: Array  # [board before, card] its representative
    exchange: Array  # [board before, card] exchange of suits that leads to it
    card: Array  # [board before, card] place in the deck


def next_cards(boards: Array, groups: list[Array], exchanges: Array) -> tuple[NextCards, list[Array]]:
    """Find the representatives of the next card's boards, and the exchanges that leave each unchanged.

    `groups` are the exchanges (numbers) that leave each board unchanged.
    """
    found: list[list[int]] = []
    parents: list[int] = []
    after: list[Array] = []
    size = exchanges.shape[1] - boards.shape[1]
    child = np.zeros((len(boards), size), np.int32)
    exchange, card = np.zeros_like(child), np.zeros((len(boards), size), np.uint8)
    for place, (board, group) in enumerate(zip(boards, groups, strict=True)):
        left = np.setdiff1d(np.arange(exchanges.shape[1]), board)
        images = exchanges[group][:, left]
        best = images.argmin(axis=0)
        least = images[best, np.arange(size)]
        kinds, child[place] = np.unique(least, return_inverse=True)
        child[place] += len(found)
        exchange[place], card[place] = group[best], left
        for kind in kinds:
            found.append([*board, kind])
            parents.append(place)
            after.append(group[exchanges[group, kind] == kind])
    return NextCards(np.array(found, np.uint8), np.array(parents, np.int32), child, exchange, card), after


def boards_after(flop: Array, exchanges: Array) -> tuple[NextCards, NextCards]:
    """Return the turns of a flop and the rivers of those turns, up to exchange of suits."""
    images = np.sort(exchanges[:, flop.astype(int)], axis=1)
    group = np.flatnonzero((images == np.sort(flop)).all(axis=1))
    turns, groups = next_cards(flop[None].astype(int), [group], exchanges)
    rivers, _ = next_cards(turns.boards.astype(int), groups, exchanges)
    return turns, rivers


# ---- The betting of a street as code and tables ----------------------------------------------------------


class Part(NamedTuple):
    """The betting of a street below a node."""

    root: int
    nodes: list[int]
    leaves: list[int]
    folds: list[int]
    slots: list[
        int
    ]  # those of its leaves; then others that folds need, -1 for the reach at the street's root
    leaf_slots: int
    own: list[tuple[int, int]]  # the responder's actions as (node, action)
    join: str  # how the last street's parts become one value: "first", "larger" or "sum"


def part_of(street: Street, root: int = 0, join: str = "first") -> Part:
    """Return the betting below a node, with the responder's action that leads there from the root."""
    nodes = [root]
    for node in nodes:
        nodes += [child for child in street.child[node].tolist() if child >= 0]
    nodes.sort()
    leaves, folds = ([node for node in nodes if street.kind[node] == kind] for kind in (LEAF, FOLD))
    of_leaves = sorted({int(street.slot[node]) for node in leaves})
    of_folds = {slot for node in folds for slot, _ in fold_terms(street, node)}
    steps = [(node, action) for node in nodes if street.kind[node] == OWN for action in range(3)]
    own = [(node, action) for node, action in steps if street.child[node, action] >= 0]
    if root and street.kind[0] == OWN:
        own.append((0, street.child[0].tolist().index(root)))
    slots = of_leaves + sorted(of_folds - set(of_leaves))
    return Part(root, nodes, leaves, folds, slots, len(of_leaves), own, join)


def fold_terms(street: Street, node: int) -> list[tuple[int, str]]:
    """Return the slots, with signs, that add up to the opponent's reach at a fold.

    If the opponent folds, this is its reach before, less that of its other actions, so that a slot of its
    own is not needed.
    """
    before = next(k for k, children in enumerate(street.child.tolist()) if node in children)
    if street.kind[before] == OWN:
        return [(int(street.slot[node]), "+")]
    folded = int(street.slot[node])
    decision, source = street.slot_action[folded] // 3, int(street.slot_from[folded])
    made = np.flatnonzero((street.slot_action // 3 == decision) & (street.slot_from == source)).tolist()
    return [(source, "+"), *((slot, "-") for slot in made if slot != folded)]


def parts_of(street: Street) -> list[Part]:
    """Return the parts below each action at the street's root."""
    children = [child for child in street.child[0].tolist() if child >= 0]
    later = "larger" if street.kind[0] == OWN else "sum"
    return [part_of(street, child, later if place else "first") for place, child in enumerate(children)]


def part_code(street: Street, part: Part, cards: int, self_play: bool = False) -> str:
    """Return the definitions that the kernels need for a part of a street's betting."""
    slot = [part.slots.index(one) for one in street.slot[part.leaves]]
    sizes = {
        "SLOTS": len(part.slots), "LEAF_SLOTS": part.leaf_slots, "CARDS": cards, "LEAVES": len(slot),
        "FOLDS": len(part.folds), "OWN": max(len(part.own), 1),
    }  # fmt: skip
    joined = {"first": "(value)", "larger": "fmaxf(known, value)", "sum": "((known) + (value))"}
    lines = [f"#define {name} {value}" for name, value in sizes.items()]
    lines.append(f"#define LEAF_SLOT(i) ({_choice(slot)})")
    lines.append(f"#define JOIN_BEST(known, value) {joined[part.join]}")
    lines.append(f"#define JOIN_SAME(known, value) {joined['first' if part.join == 'first' else 'sum']}")
    return "\n".join([*lines, *["#define SELF_PLAY"] * self_play, ""])


def _choice(values: list[int]) -> str:
    """Return an expression that picks the i-th of some numbers, which compilers fold where i is known."""
    return "".join(f"(i) == {place} ? {value} : " for place, value in enumerate(values[:-1])) + str(
        values[-1]
    )


def tree_code(street: Street, part: Part) -> str:
    """Return `fold_sums`, `best_value` and `same_value`: the tree's arithmetic, from the last node up."""
    own = {step: f"own[{place} * roots]" for place, step in enumerate(part.own)}
    ends = {node: f"leaf[{place}]" for place, node in enumerate(part.leaves)}
    ends |= {node: f"fold[{place}]" for place, node in enumerate(part.folds)}
    best, same = [], []
    for node in reversed(part.nodes):
        after = [(action, child) for action, child in enumerate(street.child[node].tolist()) if child >= 0]
        values = [f"v{child}" for _, child in after]
        weighed = [f"{own.get((node, action))} * v{child}" for action, child in after]
        if node in ends:
            values = weighed = [ends[node]]
        elif street.kind[node] == THEIRS:
            weighed = values
        else:
            larger = values[0]
            for value in values[1:]:
                larger = f"fmaxf({larger}, {value})"
            values = [larger]
        best.append(f"  const float v{node} = {' + '.join(values)};")
        same.append(f"  const float v{node} = {' + '.join(weighed)};")
    before = [place for place, (node, _) in enumerate(part.own) if node not in part.nodes]  # at the root
    chosen = "".join(f"own[{place} * roots] * " for place in before)
    folds = [
        "".join(f" {sign} alone[{part.slots.index(slot)}]" for slot, sign in fold_terms(street, node))
        for node in part.folds
    ]
    sums = "".join(f"  fold[{place}] ={terms};\n" for place, terms in enumerate(folds))
    head = "const float* leaf, const float* fold"
    return (
        f"DEVICE void fold_sums(const float* alone, float* fold) {{\n{sums}}}\n"
        f"DEVICE float best_value({head}) {{\n" + "\n".join(best) + f"\n  return v{part.root};\n}}\n"
        f"DEVICE float same_value({head}, const float* own, int64_t roots) {{\n" + "\n".join(same)
        + f"\n  return {chosen}v{part.root};\n}}\n"
    )  # fmt: skip


class StreetTables(NamedTuple):
    """A strategy's probabilities on a street, as the kernels read them."""

    chance: Array  # [class, slot, root] probability of the opponent's actions on the way to a slot
    flat: Array  # [class, decision and action, root]
    chance_next: Array  # [class, next root]
    root_of: Array  # [next root] root of this street
    onward: Array  # [node, root] root of the next street


def street_tables(street: Street, by_root: Array) -> StreetTables:
    """Lay out the probabilities of a street for the responder in one seat."""
    roots, _, _, classes = by_root.shape
    flat = by_root.transpose(3, 1, 2, 0).reshape(classes, -1, roots)
    chance = np.zeros((classes, len(street.slot_from), roots))
    for slot, (source, action) in enumerate(zip(street.slot_from, street.slot_action, strict=True)):
        chance[:, slot] = flat[:, action] * (chance[:, source] if source >= 0 else 1.0)
    onward = street.onward[:, :roots]
    count = int(onward.max(initial=-1)) + 1
    chance_next, root_of = np.zeros((classes, count)), np.full(count, -1)
    for leaf in np.flatnonzero(street.kind == LEAF):
        there = np.flatnonzero(onward[leaf] >= 0)
        chance_next[:, onward[leaf, there]] = chance[:, street.slot[leaf]][:, there]
        root_of[onward[leaf, there]] = there
    return StreetTables(chance, flat, chance_next, root_of, onward)


# ---- Devices ---------------------------------------------------------------------------------------------


class HostDevice:
    """Runs the kernels as C++ on the processor; for tests."""

    def __init__(self) -> None:
        compiler = next((one for one in ("c++", "g++", "clang++") if shutil.which(one)), None)
        if compiler is None:
            raise RuntimeError("a C++ compiler is needed to run the kernels without a graphics card")
        self.compiler = compiler

    def module(self, code: str, shared: int = 0) -> Any:
        """Compile the kernels with some definitions."""
        options = ["-O1", "-std=c++17", "-shared", "-fPIC", "-w", "-DHOST"]
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "kernels.cpp"), Path(folder, "kernels.so")
            source.write_text(code, encoding="utf-8")
            subprocess.run([self.compiler, *options, "-o", str(library), str(source)], check=True)
            return ctypes.CDLL(str(library))

    def put(self, values: Array) -> Array:
        """Return an array that kernels can read."""
        return np.ascontiguousarray(values)

    def empty(self, shape: tuple[int, ...], kind: Any = np.float32) -> Array:
        """Return an array that kernels can fill."""
        return np.empty(shape, kind)

    def zeros(self, shape: tuple[int, ...], kind: Any) -> Array:
        """Return an array of zeros."""
        return np.zeros(shape, kind)

    def get(self, values: Array) -> Array:
        """Return an array as a numpy array."""
        return values

    def wait(self) -> None:
        """Return at once: kernels are done when they return."""

    def run(
        self, module: Any, kernel: str, threads: int, *arguments: Any, shared: int = 0, block: int = 256
    ) -> None:
        """Run a kernel with at least this many threads."""
        words = [one.ctypes.data if isinstance(one, np.ndarray) else _bits(one) for one in arguments]
        words += [0] * (17 - len(words))
        kernel_at = ctypes.cast(getattr(module, kernel), ctypes.c_void_p)
        module.launch(kernel_at, -(-threads // block), block, (ctypes.c_int64 * 17)(*words))


def _bits(value: Any) -> int:
    return 0 if value is None else int(value)


class CudaDevice:
    """Runs the kernels on a graphics card, through CuPy."""

    def __init__(self) -> None:
        import cupy  # type: ignore[import-not-found]  # noqa: PLC0415

        self.cupy = cupy

    def module(self, code: str, shared: int = 0) -> Any:
        """Compile the kernels with some definitions."""
        found = self.cupy.RawModule(code=code, options=("-std=c++17",))
        if shared:
            found.get_function("river").max_dynamic_shared_size_bytes = shared
        return found

    def put(self, values: Array) -> Any:
        """Copy an array to the card."""
        return self.cupy.asarray(np.ascontiguousarray(values))

    def empty(self, shape: tuple[int, ...], kind: Any = np.float32) -> Any:
        """Return an array on the card that kernels can fill."""
        return self.cupy.empty(shape, kind)

    def zeros(self, shape: tuple[int, ...], kind: Any) -> Any:
        """Return an array of zeros on the card."""
        return self.cupy.zeros(shape, kind)

    def get(self, values: Any) -> Array:
        """Copy an array from the card."""
        found: Array = self.cupy.asnumpy(values)
        return found

    def wait(self) -> None:
        """Wait until all that was started is done."""
        self.cupy.cuda.Device().synchronize()

    def run(
        self, module: Any, kernel: str, threads: int, *arguments: Any, shared: int = 0, block: int = 256
    ) -> None:
        """Run a kernel with at least this many threads."""
        function = module.get_function(kernel)
        given = [np.int64(_bits(one)) if one is None or isinstance(one, int) else one for one in arguments]
        function((-(-threads // block),), (block,), tuple(given), shared_mem=shared)


DEVICES: dict[str, Any] = {"cuda": CudaDevice, "host": HostDevice}


# ---- The response ----------------------------------------------------------------------------------------


class Betting(NamedTuple):
    """A street's betting, or a part of it, for the responder in one seat: kernels and what they read."""

    part: Part
    module: Any
    chance: Any  # [class, slot, root] probability of the opponent's actions on the way to a slot
    own: Any  # [class, own action, root]
    stake: Any  # [leaf, then fold; root]
    onward: Any  # [leaf, root] root of the next street
    shared: int  # bytes of shared memory for each 32 threads of `river`


class SeatTables(NamedTuple):
    """What one seat's response needs on a street."""

    parts: list[Betting]
    chance_next: Any  # [class, next root]
    root_of: Any  # [next root] root of this street
    roots: int
    next_roots: int


def pairs(cards: int) -> int:
    """Return the number of holdings of two of these cards."""
    return cards * (cards - 1) // 2


class Responder:
    """Best responses in both seats to an exported strategy, flop by flop.

    Parameters
    ----------
    export : the strategy.
    device : a `CudaDevice` or `HostDevice`.
    self_play : also compute what the strategy wins from itself, which should sum to zero over the seats.
    """

    def __init__(self, export: Export, device: Any, self_play: bool = True) -> None:
        self.export = export
        self.device = device
        self.self_play = self_play
        data = export.data
        self.deck: int = len(data["deck"])
        self.holdings: int = len(export.holdings)
        self.text: str = SOURCE.read_text(encoding="utf-8")
        self.cards: Any = device.module("#define STRENGTHS\n" + self.text)
        cards = data["deck"][export.holdings.astype(int)].astype(np.uint8)
        self.places_of: Any = device.put(export.holdings.astype(np.uint8))
        self.cards_of: Any = device.put(cards)
        self.moved: Any = device.put(export.moved.astype(np.int32))
        with_card = [np.flatnonzero((export.holdings == card).any(axis=1)) for card in range(self.deck)]
        self.with_card: Any = device.put(np.array(with_card, np.int32))
        names = ("keys", "shifts", "unsuited", "flushes", "rule")
        self.evaluator: list[Any] = [device.put(data[f"evaluator/{name}"]) for name in names]
        self.on_board: list[int] = [0, *(len(export.flops[0]) + k for k in range(3))]
        self.reach: list[Any] = [
            device.put(padded(data[f"reach{seat}"]).astype(np.float32)[None]) for seat in (0, 1)
        ]
        self.cuts: list[Any] = [
            device.put(data[name]) for name in ("cuts/outer", "cuts/inner", "cuts/start") if name in data
        ]
        self.by_wins: Any | None = device.put(data["by_wins"]) if "by_wins" in data else None
        self.place: dict[int, Any] = {
            s: device.put(data[f"street{s}/place"]) for s in (1, 2, 3) if f"street{s}/place" in data
        }

    @cached_property
    def seats(self) -> list[list[SeatTables]]:
        """What the response of each seat needs, by street."""
        return [[], *([self._seat(street, seat) for seat in (0, 1)] for street in (1, 2, 3))]

    def _seat(self, street: int, seat: int) -> SeatTables:
        shape = self.export.street(street, seat)
        tables = street_tables(shape, self.export.by_root(street))
        parts = parts_of(shape) if street == 3 else [part_of(shape)]
        return SeatTables(
            [self._betting(street, shape, part, tables) for part in parts],
            self._floats(tables.chance_next),
            self.device.put(padded(tables.root_of, -1).astype(np.int32)),
            padded(tables.flat[0]).shape[1],
            padded(tables.chance_next).shape[1],
        )

    def _betting(self, street: int, shape: Street, part: Part, tables: StreetTables) -> Betting:
        last, cards = street == 3, self.deck - self.on_board[3]
        code = part_code(shape, part, cards, self.self_play and last) + self.text
        section = "#define RIVER\n" if last else "#define STREET\n"
        rows = len(part.slots) * cards + SHARED_ROWS
        shared = 4 * LANES * rows if last else 0
        module = self.device.module(section + code.replace("// TREE", tree_code(shape, part)), shared)
        own = [3 * shape.decision[node] + action for node, action in part.own] or [0]
        stake = shape.stake[part.leaves + part.folds][:, : tables.flat.shape[2]]
        chance = np.concatenate([tables.chance, np.ones_like(tables.chance[:, :1])], axis=1)  # -1: the root
        return Betting(
            part,
            module,
            self._floats(chance[:, part.slots]),
            self._floats(tables.flat[:, own]),
            self._floats(stake),
            self.device.put(padded(tables.onward[part.leaves], -1).astype(np.int32)),
            shared,
        )

    def _floats(self, values: Array) -> Any:
        return self.device.put(padded(values).astype(np.float32))

    def flop(self, number: int) -> list[Array]:
        """Return the values of a flop's roots, one array [way, holding, root] per seat.

        The ways are those of `cfr.exact_response`: the strategy itself (zero without `self_play`), then
        maximising from the river, turn and flop on.
        """
        return self.fetch(self.start(number))

    def fetch(self, started: list[list[Any]]) -> list[Array]:
        """Wait for a flop that was started, and return its values as `flop` does."""
        seats = [np.stack([self.device.get(one)[0] for one in ways]) for ways in started]
        if self.self_play:
            return seats
        return [np.concatenate([np.zeros_like(values[:1]), values]) for values in seats]

    def start(self, number: int) -> list[list[Any]]:
        """Set a flop to work; a card goes on while the processor prepares the next one."""
        flop = self.export.flops[number]
        turns, rivers = boards_after(flop, self.export.data["exchanges"])
        known = [None, flop[None], turns.boards, rivers.boards]
        classes, entries = self.classes_of(known, rivers, self._listed_rows(number, known))
        return [self._values(seat, turns, rivers, classes, entries) for seat in (0, 1)]

    def _listed_rows(self, number: int, boards: list[Any]) -> list[Array | None]:
        """Return the rows of the listed classes of a flop's boards, street by street."""
        ways, data = self.export.meta["classes"], self.export.data
        return [
            data[f"street{street}/first"][number] + np.arange(len(boards[street]))
            if street and way == "listed"
            else None
            for street, way in enumerate(ways)
        ]

    def classes_of(
        self, boards: list[Any], rivers: NextCards, rows: list[Array | None]
    ) -> tuple[list[Any], Any]:
        """Return the class of each holding on each board of the streets, and the rivers' entries.

        Parameters
        ----------
        boards : of each street after the first, as places in the deck.
        rivers : how rivers follow from turns.
        rows : rows of the listed classes, where the file lists them.
        """
        device, deck = self.device, self.export.data["deck"]
        cards = [None, *(device.put(deck[some.astype(int)].astype(np.uint8)) for some in boards[1:])]
        counts = [0, *(len(some) for some in boards[1:])]
        n = self.holdings
        classes: list[Any] = [None, *(device.empty((count, n), np.int32) for count in counts[1:])]
        for street, way in enumerate(self.export.meta["classes"]):
            if street and way == "listed":
                listed = self.export.data[f"street{street}/listed"][rows[street]]
                classes[street] = device.put(listed.astype(np.int32))
            elif street and way == "hand type":
                arguments = (cards[street], self.on_board[street], self.cards_of, self.place[street])
                self.run(
                    "classes_by_hand_type", counts[street] * n, *arguments, classes[street], counts[street], n
                )
        last, size = counts[3], self.on_board[3]
        strength, won = device.empty((last, n), np.int32), device.empty((last, n), np.int32)
        left = pairs(self.deck - size)
        entries = device.zeros((last, left + LOOKAHEAD, 2), np.int32)
        self.run("strengths", last * n, cards[3], size, self.cards_of, *self.evaluator, strength, last, n)
        by_wins = self.by_wins if self.export.meta["classes"][3] == "strength" else None
        self.run(
            "arrange", last * n, strength, self.places_of, device.put(boards[3]), size, by_wins, classes[3],
            won, entries, last, n, left + LOOKAHEAD,
        )  # fmt: skip
        if self.export.meta["classes"][2] == "strength":
            outer, inner, start = self.cuts
            self.run(
                "classes_by_strength", counts[2] * n, won, device.put(rivers.child),
                device.put(rivers.exchange), self.moved, outer, len(outer), inner, start, strength,
                2 * pairs(self.deck - size - 2), classes[2], counts[2], rivers.child.shape[1], n,
            )  # fmt: skip
        return classes, entries

    def run(self, kernel: str, threads: int, *arguments: Any) -> None:
        """Run a kernel for cards and for streets before the last."""
        self.device.run(self.cards, kernel, threads, *arguments)

    def _values(
        self, seat: int, turns: NextCards, rivers: NextCards, classes: list[Any], entries: Any
    ) -> list[Any]:
        device, flop, turn = self.device, self.seats[1][seat], self.seats[2][seat]
        none, many = device.put(np.zeros(1, np.int32)), device.put(np.zeros(len(turns.boards), np.int32))
        reach = [None, self.reach[1 - seat]]
        reach.append(self._reach_next(flop, reach[1], none, classes[1], 1))
        reach.append(self._reach_next(turn, reach[2], many, classes[2], len(turns.boards)))
        found = self._river(seat, rivers, reach[3], entries)
        after = [self.gather(one, rivers, 3, self.seats[3][seat].roots) for one in found]
        found = self._ascend(turn, reach[2], many, classes[2], after, len(turns.boards))
        after = [self.gather(one, turns, 2, turn.roots) for one in found]
        return self._ascend(flop, reach[1], none, classes[1], after, 1)

    def _reach_next(self, seat: SeatTables, reach: Any, parent: Any, classes: Any, boards: int) -> Any:
        out = self.device.empty((boards, self.holdings, seat.next_roots))
        self.run(
            "reach_next", boards * self.holdings * seat.next_roots, reach, parent, classes, seat.chance_next,
            seat.root_of, out, boards, self.holdings, seat.roots, seat.next_roots,
        )  # fmt: skip
        return out

    def _river(self, number: int, rivers: NextCards, reach: Any, entries: Any) -> list[Any]:
        """Return the last street's values: the strategy itself if wanted, then the best response."""
        seat, boards, device = self.seats[3][number], len(rivers.boards), self.device
        best = device.empty((boards, self.holdings, seat.roots))
        same = device.empty(best.shape) if self.self_play else None
        left, parent = pairs(self.deck - self.on_board[3]), device.put(rivers.parent)
        for one in seat.parts:
            of_all = device.empty((boards * seat.roots, len(one.part.slots), self.deck - self.on_board[3]))
            device.run(
                one.module, "river", boards * seat.roots, entries, left + LOOKAHEAD, parent, reach,
                one.chance, one.own, one.stake, best, same, of_all, left, self.holdings, seat.roots,
                None, None, None, block=LANES, shared=one.shared,
            )  # fmt: skip
        return [best] if same is None else [same, best]

    def gather(self, values: Any, cards: NextCards, street: int, roots: int) -> Any:
        """Return values where a street ended from those of the next one's boards."""
        before, device = len(cards.child), self.device
        out = device.empty((before, self.holdings, roots))
        share = np.array([self.export.meta["chance"][street]], np.float32)
        self.run(
            "gather", before * self.holdings * roots, values, device.put(cards.child),
            device.put(cards.exchange), device.put(cards.card), self.moved, self.places_of,
            device.put(share), out, before,
            cards.child.shape[1], self.holdings, roots,
        )  # fmt: skip
        return out

    def _ascend(
        self, seat: SeatTables, reach: Any, parent: Any, classes: Any, after: list[Any], boards: int
    ) -> list[Any]:
        """Return this street's values: every later way unchanged here, and maxima from here on."""
        device, n, whole = self.device, self.holdings, seat.parts[0]
        by_card = device.empty((boards, self.deck, len(whole.part.slots), seat.roots))
        device.run(
            whole.module, "sums_by_card", by_card.size, reach, parent, classes,
            whole.chance, self.with_card, self.deck - 1, by_card, boards, self.deck, n, seat.roots,
        )  # fmt: skip
        out = []
        for way in range(len(after) + 1):
            last = way == len(after)
            values = device.empty((boards, n, seat.roots))
            device.run(
                whole.module, "ascend", boards * n * seat.roots, reach, parent, classes, whole.chance,
                whole.own, by_card, self.places_of, whole.stake, whole.onward, after[-1 if last else way],
                int(last), values, boards, self.deck, n, seat.roots, seat.next_roots,
            )  # fmt: skip
            out.append(values)
        return out


# ---- Finished flops --------------------------------------------------------------------------------------


class Flop(NamedTuple):
    """The values of all deals equivalent to a flop; see `cfr.exact_response.FlopValues`."""

    best: Array  # [seat, class of holdings, betting before the flop]
    by_way: Array  # [seat, way]


def reduced(export: Export, number: int, found: list[Array]) -> Flop:
    """Sum up a flop's values, weighted by the number of equivalent deals."""
    data, classes = export.data, export.data["hold_class"]
    weight = float(data["weights"][number]) * export.meta["chance"][1]
    best, by_way = [], []
    for seat, one in enumerate(found):
        roots = data[f"reach{seat}"].shape[1]
        values = one[:, :, :roots].astype(np.float64) * weight
        by_class = np.zeros((int(classes.max()) + 1, roots))
        np.add.at(by_class, classes, values[-1])
        best.append(by_class / np.bincount(classes)[:, None])
        by_way.append((values * data[f"reach{seat}"]).sum(axis=(1, 2)))
    return Flop(np.stack(best), np.stack(by_way))


class FlopFile:
    """A file of finished flops: one line of JSON, then records of equal size, each with a digest.

    A record that was cut off, or was damaged, is left out, and its flop is computed again.
    """

    def __init__(self, path: str | Path, export: Export, self_play: bool = True) -> None:
        self.path: Path = Path(path)
        self.self_play: bool = self_play
        roots, classes = export.data["reach0"].shape[1], int(export.data["hold_class"].max()) + 1
        shape = [2, classes, roots]
        if self.path.exists():
            self.self_play = self._head_of_file().get("self_play") is True
        self.head: dict[str, Any] = {
            "format": FORMAT,
            "run": export.meta["run"],
            "self_play": self.self_play,
            "best": shape,
        }
        if self.path.exists() and self._head_of_file() != self.head:
            raise ValueError(f"{self.path}: it belongs to another strategy, or to another version of HoldMem")
        self.kind: np.dtype[np.void] = np.dtype(
            [
                ("flop", "<i4"),
                ("best", "<f4", (2, classes, roots)),
                ("by_way", "<f8", (2, 4)),
                ("digest", "V8"),
            ]
        )

    def read(self) -> dict[int, Flop]:
        """Return the flops of the file."""
        if not self.path.exists():
            return {}
        rest = self.path.read_bytes().partition(b"\n")[2]
        rows = np.frombuffer(rest[: len(rest) // self.kind.itemsize * self.kind.itemsize], self.kind)
        return {
            int(row["flop"]): Flop(row["best"].astype(np.float64), row["by_way"])
            for row in rows
            if _whole(row)
        }

    def _head_of_file(self) -> dict[str, Any]:
        with self.path.open("rb") as file:
            first = file.readline(1000)
        try:
            found = json.loads(first)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not first.endswith(b"\n"):
            raise ValueError(f"{self.path}: expected a file of finished flops")
        return found

    def add(self, number: int, flop: Flop) -> None:
        """Append a flop."""
        row = np.zeros(1, self.kind)
        row["flop"], row["best"], row["by_way"] = number, flop.best, flop.by_way
        row["digest"] = np.void(_digest(row[0]))
        if not self.path.exists():
            self.path.write_bytes(json.dumps(self.head).encode() + b"\n")
        self._drop_the_torn_end()
        with self.path.open("ab") as file:
            file.write(row.tobytes())

    def _drop_the_torn_end(self) -> None:
        """Cut off what an interrupted run left of its last record, so that records stay in step."""
        with self.path.open("r+b") as file:
            start = len(file.readline())
            size = file.seek(0, 2)
            file.truncate(size - (size - start) % self.kind.itemsize)


def _digest(row: Any) -> bytes:
    return blake2b(row.tobytes()[:-8], digest_size=8).digest()


def _whole(row: Any) -> bool:
    values = np.isfinite(row["best"]).all() and np.isfinite(row["by_way"]).all()
    return bool(values) and row["digest"].tobytes() == _digest(row)


def respond(
    export: Export, finished: FlopFile, device: Any, *, flops: list[int], seconds: float = np.inf
) -> Iterator[int]:
    """Compute the flops still missing, in this order, and yield the number of each as it is written."""
    begun, known = time.monotonic(), finished.read()
    missing = [number for number in flops if number not in known]
    if not missing:
        return
    responder = Responder(export, device, finished.self_play)
    started: tuple[int, Any] | None = None
    for number in [*missing, None]:
        done = started
        late = time.monotonic() - begun > seconds
        started = None if number is None or late else (number, responder.start(number))
        if done:
            finished.add(done[0], reduced(export, done[0], responder.fetch(done[1])))
            yield done[0]
        if late:
            return


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("export", help="file that `holdmem exploit AGENT --exact --export FILE` wrote")
    parser.add_argument("finished", help="file of finished flops, made or continued")
    parser.add_argument("--device", choices=sorted(DEVICES), default="cuda")
    parser.add_argument("--flops", type=int, help="stop after this many of the exported flops")
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after about this many seconds")
    parser.add_argument("--no-self-play", action="store_true", help="leave out the check by self-play")
    chosen = parser.parse_args()
    try:
        export = Export(chosen.export)
        finished = FlopFile(chosen.finished, export, not chosen.no_self_play)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    order = export.meta["order"][: chosen.flops]
    begun, count = time.monotonic(), 0
    steps = respond(export, finished, DEVICES[chosen.device](), flops=order, seconds=chosen.seconds)
    for count, _ in enumerate(steps, 1):
        if sys.stderr.isatty() or count % 100 == 0:
            print(f"\r{count} flops in {time.monotonic() - begun:.0f} s", end="", file=sys.stderr)
    took = time.monotonic() - begun
    known = len(finished.read())
    print(f"\n{export.meta['agent']}: {count} flops in {took:.1f} s; {known} of {len(order)} finished")


if __name__ == "__main__":
    main()
