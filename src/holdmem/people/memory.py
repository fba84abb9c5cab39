"""A person as remembered: probabilities by situation and holding, and the decisions they rest on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.core.array_file import Arrays
from holdmem.core.errors import KnowledgeError
from holdmem.core.types import Floats
from holdmem.people.files import checked_tree, read_arrays_file, tree_arrays, write_arrays_file
from holdmem.people.holdings import GROUPS, PREFLOP, preflop_groups
from holdmem.people.learn import ANSWERS_OF, CLASSES_OF, NAMES, Question, Tables
from holdmem.people.pooling import LEAST
from holdmem.people.tree import SituationTree

PERSON, POPULATION = "person", "population"
MOST_COUNT = 65_000
"""Largest count that is stored, near the largest number of 16 bits."""
BY_LEAF = ("table", "shown", "inferred")
"""Arrays that are stored for leaves only."""
KEPT_BITS = {"table": 6, "ranges": 6, "usual": 10, "sizes": 10}
"""Bits of precision after the first that a compact file keeps: 6 are a relative error of at most 1/128."""


class StoredCounts(Mapping[str, Floats]):
    """Decisions by node, class of holdings and answer, as a file stores them: by leaf, in 16 bits.

    A question's array is made whole each time it is asked for. Only explanations and files need it, and
    whole arrays of a person take twelve times as much memory.
    """

    def __init__(self, part: str, trees: Mapping[str, SituationTree], arrays: Arrays) -> None:
        self._part, self._trees = part, trees
        self._stored = {name: arrays[f"{name}.{part}"].copy() for name in NAMES}
        for name in NAMES:
            _expect_shape(trees[name], self._stored[name], name, part)

    def __getitem__(self, name: str) -> Floats:
        return _whole(self._trees[name], self._stored[name], name, self._part)

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)


@dataclass(frozen=True, eq=False)
class PersonMemory:
    """What is remembered of a person, or of a population as if it were one.

    Attributes
    ----------
    name : whom this is.
    about : where it comes from, in JSON values: hands, decisions, source, measures.
    trees : situations by question; see `learn.NAMES`.
    tables : probability of each answer by node and class of holdings.
    usual : the population's probability of each answer by node.
    weights : strength of pooling by node: decisions that the population counts for.
    public : decisions by node and answer.
    shown, inferred : the same by node, class of holdings and answer.
    sizes : typical size of each class of raise by node, for `size_pre` and `size_post`.
    """

    name: str
    about: Mapping[str, Any]
    trees: Mapping[str, SituationTree]
    tables: Tables
    usual: Tables
    weights: Tables
    public: Tables
    shown: Mapping[str, Floats]
    inferred: Mapping[str, Floats]
    sizes: Tables
    ranges: Tables = field(default_factory=dict)
    """How often each class of holdings gets to each node; a population's only."""

    @property
    def is_population(self) -> bool:
        """Whether others can be learned from this memory."""
        return bool(self.ranges)

    @property
    def questions(self) -> dict[str, Question]:
        """The memory of a population as what a person is learned from."""
        return {
            name: Question(
                self.trees[name], self.usual[name], self.weights[name], self.tables[name], self.ranges[name]
            )
            for name in NAMES
        }

    def __repr__(self) -> str:
        return f"PersonMemory({self.name}: {self.about.get('hands', 0):,} hands)"


def write_person(path: Path, person: PersonMemory, compact: bool = False) -> None:
    """Write the file of a person; a `compact` one has rounded numbers and is a quarter smaller or more."""
    arrays: Arrays = {}
    for name in NAMES:
        leaves = person.trees[name].leaves
        arrays |= tree_arrays(name, person.trees[name])
        arrays[f"{name}.table"] = _stored(name, "table", person.tables[name][leaves])
        arrays[f"{name}.usual"] = person.usual[name].astype("<f4")
        arrays[f"{name}.weights"] = person.weights[name].astype("<f4")
        arrays[f"{name}.public"] = person.public[name].astype("<f4")
        for part in ("shown", "inferred"):
            arrays[f"{name}.{part}"] = _stored(name, part, getattr(person, part)[name][leaves])
        if person.is_population:
            arrays[f"{name}.ranges"] = person.ranges[name].astype("<f4")
        if name in person.sizes:
            arrays[f"{name}.sizes"] = person.sizes[name].astype("<f4")
    if compact:
        arrays = {name: _compact(array, name.split(".")[1]) for name, array in arrays.items()}
    kind = POPULATION if person.is_population else PERSON
    write_arrays_file(path, {"kind": kind, "name": person.name, "about": dict(person.about)}, arrays)


def read_person(path: Path) -> PersonMemory:
    """Read the file of a person or population; KnowledgeError if it is damaged or of another kind."""
    header, arrays = read_arrays_file(path)
    try:
        return _built(header, arrays)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise KnowledgeError(f"{path}: invalid memory of a person: {error}") from None


def _built(header: dict[str, Any], arrays: Arrays) -> PersonMemory:
    if header["kind"] not in (PERSON, POPULATION) or not isinstance(header["name"], str):
        raise ValueError(f"expected a person or population, got {header['kind']!r:.40}")
    trees = {name: checked_tree(name, arrays) for name in NAMES}
    counts = {part: StoredCounts(part, trees, arrays) for part in ("shown", "inferred")}
    parts: dict[str, Tables] = {}
    for part in ("table", "usual", "weights", "public", "ranges", "sizes"):
        parts[part] = {
            name: _whole(trees[name], arrays[f"{name}.{part}"], name, part)
            for name in NAMES
            if f"{name}.{part}" in arrays
        }
    return PersonMemory(
        name=header["name"],
        about=dict(header["about"]),
        trees=trees,
        tables={name: _normalised(table) for name, table in parts["table"].items()},
        usual={name: _normalised(table) for name, table in parts["usual"].items()},
        weights=parts["weights"],
        public=parts["public"],
        shown=counts["shown"],
        inferred=counts["inferred"],
        sizes=parts["sizes"],
        ranges={name: _normalised(table) for name, table in parts["ranges"].items()},
    )


def _grouped(name: str, part: str) -> bool:
    """Whether an array is stored by groups of starting hands: sizes and counts differ little within one."""
    return CLASSES_OF[name] == PREFLOP and (part in ("shown", "inferred") or name == "size_pre")


def _stored(name: str, part: str, array: Floats) -> np.ndarray:
    """Return an array (leaves, classes, answers) in 16 bits; counts are rounded to tenths."""
    if _grouped(name, part):
        group = preflop_groups()
        sums = np.zeros((GROUPS, array.shape[0], array.shape[2]))
        np.add.at(sums, group, array.transpose(1, 0, 2))
        array = sums.transpose(1, 0, 2)
        array = array / np.bincount(group)[:, None] if part == "table" else array
    return (array if part == "table" else np.minimum(np.round(array, 1), MOST_COUNT)).astype("<f2")


def _compact(array: np.ndarray, part: str) -> np.ndarray:
    """Return floating-point numbers with their last bits rounded to zero, so that they compress."""
    if part not in KEPT_BITS:
        return array
    bits = np.finfo(array.dtype).nmant - KEPT_BITS[part]
    whole = array.view(f"<u{array.itemsize}")
    return ((whole + (1 << (bits - 1))) >> bits << bits).view(array.dtype)


def _whole(tree: SituationTree, array: Floats, name: str, part: str) -> Floats:
    """Return an array with one row per node; ValueError if it does not fit the tree."""
    _expect_shape(tree, array, name, part)
    if part not in BY_LEAF:
        return array.astype(np.float64)
    whole = np.full((len(tree), CLASSES_OF[name], ANSWERS_OF[name]), 1.0 if part == "table" else 0.0)
    whole[tree.leaves] = _ungrouped(array.astype(np.float64), part) if _grouped(name, part) else array
    return whole


def _expect_shape(tree: SituationTree, array: Floats, name: str, part: str) -> None:
    nodes, classes, answers = len(tree), CLASSES_OF[name], ANSWERS_OF[name]
    by_leaf = (len(tree.leaves), GROUPS if _grouped(name, part) else classes, answers)
    others = {"weights": (nodes,), "ranges": (nodes, classes)}
    expected = by_leaf if part in BY_LEAF else others.get(part, (nodes, answers))
    if array.shape != expected:
        raise ValueError(f"{name}.{part}: expected shape {expected}, got {array.shape}")


def _ungrouped(array: Floats, part: str) -> Floats:
    """Return an array by class; the counts of a group are shared out evenly."""
    group = preflop_groups()
    share = np.bincount(group)[group][:, None] if part != "table" else 1
    return array[:, group] / share


def _normalised(table: Floats) -> Floats:
    if (table.sum(axis=-1) <= 0).any():
        raise ValueError("expected probabilities, got a row of zeros")
    found = np.maximum(table, LEAST)  # 16 bits have rounded the smallest to zero
    return found / found.sum(axis=-1, keepdims=True)  # type: ignore[no-any-return]
