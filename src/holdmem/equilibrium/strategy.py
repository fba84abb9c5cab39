"""Solved strategies of hold'em, and their files.

A file is a line of text, a line of JSON that says what it holds, and a packed body:

    holdmem strategy 1
    {"buckets": [169, 400, 400, 200], "digest": "...", "game": {...}, "iterations": 8000, ...}

The digest is of the whole file without itself. Probabilities are 255ths. The body has the thresholds of the
buckets, then for each decision and bucket the 255ths of all actions but the last, which has what is left.
"""

import json
import zlib
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.equilibrium.betting import BettingTree, Sizes, betting_tree
from holdmem.equilibrium.card_buckets import CardBuckets, Cut
from holdmem.equilibrium.lookup_kernels import join_last, quantise
from holdmem.errors import GameError, StrategyError
from holdmem.rules import Game
from holdmem.rules.state import STREETS
from holdmem.whole import write_whole

FIRST_LINE = b"holdmem strategy 1\n"
WHOLE = 255
"""What the probabilities of a decision add up to."""


class About(NamedTuple):
    """Where a strategy comes from."""

    seed: int
    iterations: int
    weighting: str
    tilt: tuple[float, float]
    source: str


@dataclass(frozen=True, eq=False)
class Strategy:
    """Probabilities in 255ths: those of a decision lie at `offset[node] + bucket * actions + action`."""

    tree: BettingTree
    buckets: CardBuckets
    chances: NDArray[np.uint8]
    about: About
    offset: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", offsets(self.tree, self.buckets.sizes))

    def at(self, node: int, bucket: int) -> NDArray[np.float64]:
        """The probability of each action at a decision."""
        actions = len(self.tree.actions(node))
        start = self.offset[node] + bucket * actions
        return self.chances[start : start + actions] / WHOLE

    def fits(self, game: Game) -> bool:
        """Whether it was solved for this game; names and how odd chips are split do not matter."""
        return _betting(game) == _betting(self.tree.game)


def offsets(tree: BettingTree, sizes: tuple[int, ...]) -> NDArray[np.int64]:
    """Where the numbers of each node begin; one more at the end."""
    actions = np.where(tree.turn < 2, np.diff(tree.edges), 0)
    return np.concatenate([[0], np.cumsum(actions * np.array(sizes)[tree.street])])


def strategy_of(tree: BettingTree, buckets: CardBuckets, sums: NDArray[np.float32], about: About) -> Strategy:
    """Sums of a solver as a strategy, rounded to 255ths; what was never reached calls."""
    chances = np.empty(len(sums), np.uint8)
    quantise(sums, offsets(tree, buckets.sizes), tree.edges, tree.turn, tree.fraction, chances)
    return Strategy(tree, buckets, chances, about)


def _betting(game: Game) -> dict[str, Any]:
    fields = ("blinds", "stacks", "raise_sizes", "max_raises", "first", "antes", "dead", "min_bet")
    return {name: _plain(getattr(game, name)) for name in fields}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def write_strategy(strategy: Strategy, path: Path) -> None:
    """Write a strategy beside `path`, then rename it, so that no half of it is ever found there."""
    write_whole(path, _encoded(strategy))


def _encoded(strategy: Strategy) -> bytes:
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
    text = json.dumps(header, sort_keys=True)
    digest = sha256(text.encode() + body).hexdigest()
    return FIRST_LINE + json.dumps({**header, "digest": digest}, sort_keys=True).encode() + b"\n" + body


def _cut_arrays(buckets: CardBuckets) -> list[NDArray[np.int64]]:
    cuts = [each for cut in buckets.cuts for each in (cut.outer, cut.inner, cut.start)]
    return [buckets.classes, *cuts]


def _packed(strategy: Strategy) -> bytes:
    """Of each decision all actions but the last, action by action: like numbers side by side pack well."""
    tree, sizes, out = strategy.tree, strategy.buckets.sizes, []
    for node in np.flatnonzero(tree.turn < 2):
        actions = tree.edges[node + 1] - tree.edges[node]
        start, end = strategy.offset[node], strategy.offset[node + 1]
        table = strategy.chances[start:end].reshape(sizes[tree.street[node]], actions)
        out.append(np.ascontiguousarray(table[:, :-1].T).tobytes())
    return b"".join(out)


def read_header(path: Path | str) -> dict[str, Any]:
    """What the second line of a strategy file says; StrategyError for a file that is none."""
    return _parsed(Path(path))[0]


def _parsed(path: Path) -> tuple[dict[str, Any], bytes]:
    """Header and body of a file, checked by its digest."""
    try:
        whole = path.read_bytes()
    except OSError as error:
        raise StrategyError(f"{path}: expected a strategy file, got {error.strerror}") from None
    if not whole.startswith(FIRST_LINE):
        kind = "another version" if whole.startswith(b"holdmem strategy") else "no strategy"
        raise StrategyError(f"{path}: expected a first line {FIRST_LINE!r}, got {whole[:20]!r}: {kind}")
    line, _, body = whole[len(FIRST_LINE) :].partition(b"\n")
    try:
        header = json.loads(line)
        digest, length = header.pop("digest"), header["length"]
    except (ValueError, KeyError, AttributeError, TypeError):
        raise StrategyError(f"{path}:2: expected a header in JSON, got {line[:60]!r}") from None
    if len(body) != length:
        raise StrategyError(f"{path}: expected {length:,} bytes after the header, got {len(body):,}")
    found = sha256(json.dumps(header, sort_keys=True).encode() + body).hexdigest()
    if found != digest:
        raise StrategyError(f"{path}: expected contents of digest {digest}, got {found}: it is damaged")
    return header, body


def read_strategy(path: Path | str) -> Strategy:
    """The strategy in a file; StrategyError if it is damaged, of another version, or no strategy."""
    path = Path(path)
    header, body = _parsed(path)
    fields: Any = {key: _tupled(each) for key, each in header["game"].items()}
    game = Game(**fields)
    sizes = header["sizes"] and Sizes(
        tuple(header["sizes"]["first"]), tuple(header["sizes"]["later"]), header["sizes"]["raises"]
    )
    try:
        tree = betting_tree(game, sizes)
    except GameError as error:
        raise StrategyError(f"{path}: expected a game that can be solved, got {error}") from None
    if len(tree) != header["nodes"]:
        raise StrategyError(
            f"{path}: expected a tree of {len(tree):,} nodes, got {header['nodes']:,}: of another version"
        )
    raw = zlib.decompress(body)
    cuts = np.split(
        np.frombuffer(raw, "<i4", sum(header["arrays"])).astype(np.int64), np.cumsum(header["arrays"])[:-1]
    )
    buckets = CardBuckets(
        cuts[0], tuple(Cut(*cuts[3 * i + 1 : 3 * i + 4]) for i in range(3)), header["recall"]
    )
    about = About(*(_tupled(header[name]) for name in About._fields))
    packed = np.frombuffer(raw, np.uint8, offset=4 * sum(header["arrays"]))
    return Strategy(tree, buckets, _unpacked(path, packed, tree, buckets.sizes), about)


def _unpacked(
    path: Path, packed: NDArray[np.uint8], tree: BettingTree, sizes: tuple[int, ...]
) -> NDArray[np.uint8]:
    offset = offsets(tree, sizes)
    decisions = sum(int(count) * size for count, size in zip(tree.decisions, sizes, strict=True))
    if len(packed) != offset[-1] - decisions or len(sizes) != STREETS:
        raise StrategyError(f"{path}: expected {offset[-1] - decisions:,} probabilities, got {len(packed):,}")
    chances = np.empty(offset[-1], np.uint8)
    join_last(packed.copy(), offset, tree.edges, tree.turn, np.array(sizes)[tree.street], chances)
    return chances
