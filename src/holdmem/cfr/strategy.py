"""Solved hold'em strategies and their file format.

A strategy file is a `HeaderedFile` with a compressed body. Probabilities are stored in 255ths. The body holds
the cuts of the buckets, then for each decision and bucket the 255ths of all actions but the last, which gets
the remainder.
"""

import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cfr.betting_tree import MOST_NODES, BettingTree, Sizes, betting_tree
from holdmem.cfr.card_abstraction import MOST_BUCKETS, CardBuckets
from holdmem.cfr.kernels.lookup import join_last, quantise
from holdmem.core.errors import StrategyError
from holdmem.core.headers import HeaderedFile, unzip
from holdmem.engine import Game
from holdmem.engine.state import STREETS
from holdmem.strength.bucket_cuts import BucketCuts

FORMAT = HeaderedFile("strategy", 1, StrategyError, sealed=True)
WHOLE = 255
"""Sum of the stored probabilities of a decision."""


class StrategyInfo(NamedTuple):
    """How a strategy was computed."""

    seed: int
    iterations: int
    weighting: str
    tilt: tuple[float, float]
    source: str


@dataclass(frozen=True, eq=False)
class Strategy:
    """Probabilities in 255ths, stored at `offset[node] + bucket * actions + action`."""

    tree: BettingTree
    buckets: CardBuckets
    probabilities: NDArray[np.uint8]
    about: StrategyInfo
    offset: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", offsets(self.tree, self.buckets.sizes))

    def at(self, node: int, bucket: int) -> NDArray[np.float64]:
        """Return the probability of each action at a decision."""
        actions = len(self.tree.actions(node))
        start = self.offset[node] + bucket * actions
        return self.probabilities[start : start + actions] / WHOLE

    def fits(self, game: Game) -> bool:
        """Return whether the strategy was solved for this game; name and split of odd chips are ignored."""
        return _betting(game) == _betting(self.tree.game)


def offsets(tree: BettingTree, sizes: tuple[int, ...]) -> NDArray[np.int64]:
    """Return where the entries of each node begin; one extra entry at the end."""
    actions = np.where(tree.turn < 2, np.diff(tree.edges), 0)
    return np.concatenate([[0], np.cumsum(actions * np.array(sizes)[tree.street])])


def strategy_of(
    tree: BettingTree, buckets: CardBuckets, sums: NDArray[np.float32], about: StrategyInfo
) -> Strategy:
    """Round a solver's sums to a strategy in 255ths; it calls at decisions never reached."""
    probabilities = np.empty(len(sums), np.uint8)
    quantise(sums, offsets(tree, buckets.sizes), tree.edges, tree.turn, tree.fraction, probabilities)
    return Strategy(tree, buckets, probabilities, about)


def _betting(game: Game) -> dict[str, Any]:
    fields = ("blinds", "stacks", "raise_sizes", "max_raises", "first", "antes", "dead", "min_bet")
    return {name: _plain(getattr(game, name)) for name in fields}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def write_strategy(strategy: Strategy, path: Path) -> None:
    """Write a strategy atomically, so that no partial file is ever seen."""
    tree, buckets = strategy.tree, strategy.buckets
    arrays = _cut_arrays(buckets)
    body = zlib.compress(b"".join(each.astype("<i4").tobytes() for each in arrays) + _packed(strategy), 9)
    header = {
        "game": {"name": tree.game.name, **_betting(tree.game)},
        "sizes": None if tree.sizes is None else {k: _plain(v) for k, v in asdict(tree.sizes).items()},
        "buckets": list(buckets.counts),
        "recall": buckets.recall,
        "arrays": [len(each) for each in arrays],
        "nodes": len(tree),
        **strategy.about._asdict(),
        "length": len(body),
    }
    FORMAT.write(path, header, body)


def _cut_arrays(buckets: CardBuckets) -> list[NDArray[np.int64]]:
    cuts = [each for cut in buckets.cuts for each in (cut.outer, cut.inner, cut.start)]
    return [buckets.classes, *cuts]


def _packed(strategy: Strategy) -> bytes:
    """Pack all but each decision's last action, action by action: adjacent similar values compress well."""
    tree, sizes, out = strategy.tree, strategy.buckets.sizes, []
    for node in np.flatnonzero(tree.turn < 2):
        actions = tree.edges[node + 1] - tree.edges[node]
        start, end = strategy.offset[node], strategy.offset[node + 1]
        table = strategy.probabilities[start:end].reshape(sizes[tree.street[node]], actions)
        out.append(np.ascontiguousarray(table[:, :-1].T).tobytes())
    return b"".join(out)


def read_header(path: Path | str) -> dict[str, Any]:
    """Return the JSON header of a strategy file; raise StrategyError if it is not a valid strategy file."""
    return FORMAT.read(Path(path))[0]


def read_strategy(path: Path | str) -> Strategy:
    """Read a strategy; raise StrategyError if the file is damaged, of another version, or not a strategy."""
    return FORMAT.load(Path(path), _strategy)


def _strategy(header: dict[str, Any], body: memoryview) -> Strategy:
    """Build the strategy from header and body, validating every number."""
    tree, sizes = _tree(header), _sizes(header)
    lengths = header["arrays"]
    if not _are_counts(lengths, 1 + 3 * (STREETS - 1)):
        raise ValueError(f"invalid array lengths {lengths!r:.60}")
    numbers = 4 * sum(lengths)
    raw = unzip(body, numbers + _stored(tree, sizes))
    cuts = np.split(np.frombuffer(raw, "<i4", sum(lengths)).astype(np.int64), np.cumsum(lengths)[:-1])
    nested = tuple(BucketCuts(*cuts[3 * street + 1 : 3 * street + 4]) for street in range(STREETS - 1))
    buckets = CardBuckets(cuts[0], nested, header["recall"])
    buckets.check()
    if buckets.sizes != sizes:
        raise ValueError(f"the file has {buckets.counts} buckets, the header gives {header['buckets']}")
    packed = np.frombuffer(raw, np.uint8, offset=numbers)
    return Strategy(tree, buckets, _unpacked(packed, tree, sizes), _about(header))


def _sizes(header: dict[str, Any]) -> tuple[int, ...]:
    """Return the number of card states per street according to the header."""
    counts = header["buckets"]
    if not _are_counts(counts, STREETS) or not all(1 <= count <= MOST_BUCKETS for count in counts):
        raise ValueError(f"invalid bucket counts {counts!r:.60}")
    return tuple(np.cumprod(counts).tolist()) if header["recall"] == "perfect" else tuple(counts)


def _stored(tree: BettingTree, sizes: tuple[int, ...]) -> int:
    """Return the number of stored probabilities: all but the last of each decision."""
    decisions = sum(int(count) * size for count, size in zip(tree.decisions, sizes, strict=True))
    return int(offsets(tree, sizes)[-1]) - decisions


def _tree(header: dict[str, Any]) -> BettingTree:
    """Build the betting tree of the header's game and sizes, and check its node count against the header."""
    nodes, said = header["nodes"], header["sizes"]
    if not _is_count(nodes):
        raise ValueError(f"invalid node count {nodes!r:.60}")
    game = Game.from_json(header["game"])
    sizes = None if said is None else Sizes(tuple(said["first"]), tuple(said["later"]), said["raises"])
    tree = betting_tree(game, sizes, most=nodes)
    if len(tree) != nodes:
        raise ValueError(f"the header gives {nodes:,} nodes, the tree has {len(tree):,}: another version")
    return tree


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_NODES


def _are_counts(values: Any, length: int) -> bool:
    return isinstance(values, list) and len(values) == length and all(map(_is_count, values))


def _about(header: dict[str, Any]) -> StrategyInfo:
    about = StrategyInfo(*(_tupled(header[name]) for name in StrategyInfo._fields))
    fine = isinstance(about.seed, int) and _is_count(about.iterations)
    fine &= isinstance(about.weighting, str) and isinstance(about.source, str)
    tilt = np.array(about.tilt, dtype=np.float64)
    if not fine or tilt.shape != (2,) or not np.isfinite(tilt).all():
        raise ValueError(f"invalid header values {about!r:.200}")
    return about


def _unpacked(packed: NDArray[np.uint8], tree: BettingTree, sizes: tuple[int, ...]) -> NDArray[np.uint8]:
    offset = offsets(tree, sizes)
    probabilities = np.empty(offset[-1], np.uint8)
    bad = join_last(packed.copy(), offset, tree.edges, tree.turn, np.array(sizes)[tree.street], probabilities)
    if bad >= 0:
        raise ValueError(f"the probabilities at node {bad:,} add up to more than one")
    return probabilities
