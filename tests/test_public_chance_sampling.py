"""The solver for hold'em: its walk against plain recursion, its trees against the rules, its laws."""

import json
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdmem.cards.classes import CLASSES, class_index
from holdmem.cfr.abstract_best_response import exploitability_on_boards
from holdmem.cfr.betting_tree import ALL_IN, SHOWDOWN, Sizes, betting_tree
from holdmem.cfr.board import HANDS, RIVALS, random_boards, rank_holdings
from holdmem.cfr.card_abstraction import card_buckets, read_counts
from holdmem.cfr.public_chance_sampling import HoldemSolver
from holdmem.cfr.solver import discount_factors
from holdmem.cfr.strategy import FORMAT, StrategyInfo, read_strategy, strategy_of, write_strategy
from holdmem.core.errors import GameError, NotationError, StrategyError
from holdmem.engine import CALL, FOLD, PARTS, Batch, Game, find_game
from holdmem.learning.solve import HoldemSolve, SolveTask
from holdmem.strength import HandCards
from naive.public_chance_sampling import NaiveWalk

TINY_LIMIT = Game("tiny", (10, 5), raise_sizes=(10, 10, 20, 20), max_raises=(1, 1, 1, 1))
SHORT = Game("short", (100, 50), stacks=(400, 400))
BUCKETS = card_buckets((7, 6, 5, 9))


@pytest.mark.parametrize(
    ("game", "tilt"), [(TINY_LIMIT, (1.0, 1.0)), (SHORT, (1.3, 0.8))], ids=["plain limit", "tilted no-limit"]
)
def test_a_walk_is_what_plain_recursion_says(game, tilt) -> None:
    tree = betting_tree(game, None if game.limit else Sizes(raises=1))
    fast = HoldemSolver(tree, BUCKETS, tilt=tilt, threads=2)
    slow = NaiveWalk(tree, BUCKETS.sizes)
    for number, board in enumerate(random_boards(3, 0, 3)):
        traverser, fading = number % 2, discount_factors("discounted", 1 + number // 2)[0].astype(np.float32)
        deal = rank_holdings(board, BUCKETS)
        won = fast.walk(traverser, deal, fading)
        expected = slow.walk(traverser, board, deal, fading.astype(float), tilt)
        assert won == pytest.approx(expected.sum() / (HANDS * RIVALS), rel=1e-4, abs=1e-4)
    for ours, theirs in ((fast.regrets, slow.flat(slow.regrets)), (fast.sums, slow.flat(slow.sums))):
        assert ours == pytest.approx(theirs, rel=1e-3, abs=1e-4 * np.abs(theirs).max())


def walk_the_rules(tree, game, count: int) -> int:
    """Take random paths through the tree with the real rules beside it; how many ended."""
    random = np.random.default_rng(1)
    decks = np.array([random.permutation(52)[:9] for _ in range(count)])
    batch = Batch(game, decks)
    for table in range(count):
        node = 0
        while tree.turn[node] < 2:
            hand = batch.hands[table]
            assert (hand.to_act, hand.street) == (tree.turn[node], tree.street[node])
            assert hand.paid[:2].tolist() == tree.paid[node].tolist()
            edge = random.integers(tree.edges[node], tree.edges[node + 1])
            batch.act(np.array([table]), np.array([code_of(tree, hand, node, edge)]))
            node = tree.child[edge]
        hand = batch.hands[table]
        assert hand.to_act < 0
        assert bool(hand.shown) == (tree.turn[node] == SHOWDOWN)
        assert abs(hand.net[0]) in (0, PARTS * tree.paid[node].min())
    return count


def code_of(tree, hand, node, edge) -> int:
    fraction, seat = tree.fraction[edge], tree.turn[node]
    if fraction <= 0:
        return CALL if fraction == 0 else FOLD
    return int(hand.bet[seat] + tree.paid[tree.child[edge], seat] - tree.paid[node, seat])


@pytest.mark.parametrize("name", ["limit", "nolimit"])
def test_every_path_of_the_tree_is_legal_and_ends_as_the_rules_say(name) -> None:
    game = find_game(name)
    assert walk_the_rules(betting_tree(game), game, 80) == 80


def test_the_limit_tree_has_as_many_decisions_as_the_literature_counts() -> None:
    assert betting_tree(find_game("limit")).decisions.tolist() == [8, 70, 630, 5670]


def test_the_no_limit_tree_bets_what_it_is_told() -> None:
    tree = betting_tree(find_game("nolimit"), Sizes((0.5, 1.0), (1.0,), 3))
    assert tree.actions(0) == [-1.0, 0.0, 0.5, 1.0, ALL_IN]
    raised = tree.child[tree.edges[0] + 3]
    assert tree.paid[raised].tolist() == [100, 300]
    assert tree.actions(raised) == [-1.0, 0.0, 1.0, ALL_IN]
    assert tree.paid[tree.child[tree.edges[raised] + 2]].tolist() == [900, 300]


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (find_game("holdem.limit.3p"), "heads-up"),
        (Game("x", (100, 50), stacks=(100, 200)), "equal stacks"),
        (Game("x", (10, 5), stacks=(100, 100), raise_sizes=(10, 10, 20, 20)), "unlimited stacks in limit"),
    ],
)
def test_games_that_cannot_be_solved_are_refused(game, says) -> None:
    with pytest.raises(GameError, match=says):
        betting_tree(game)


def test_threads_and_stops_change_nothing() -> None:
    tree = betting_tree(TINY_LIMIT)
    one, other = HoldemSolver(tree, BUCKETS, seed=4), HoldemSolver(tree, BUCKETS, seed=4, threads=3)
    one.run(4)
    other.run(1)
    other.run(3)
    assert one.regrets.tolist() == other.regrets.tolist()
    assert one.sums.tolist() == other.sums.tolist()
    different = HoldemSolver(tree, BUCKETS, seed=5)
    different.run(4)
    assert different.sums.tolist() != one.sums.tolist()


def test_perfect_recall_on_a_few_boards_is_solved_to_little_exploitability() -> None:
    buckets = card_buckets((4, 2, 2, 3), "perfect")
    assert buckets.sizes == (4, 8, 16, 48)
    solver = HoldemSolver(betting_tree(TINY_LIMIT), buckets, boards=3, weighting="linear")
    solver.run(3)
    before = exploitability_on_boards(solver)
    solver.run(60)
    assert -1e-6 < exploitability_on_boards(solver) < before / 5


def test_buckets_are_as_many_as_asked_for_and_about_as_large() -> None:
    found = card_buckets((169, 30, 31, 7))
    assert found.counts == (169, 30, 31, 7)
    cards = np.array([np.random.default_rng(i).permutation(52)[:7] for i in range(3000)]).astype(np.uint8)
    for street, size in enumerate((0, 3, 4, 5)):
        numbers = found.of(np.ascontiguousarray(cards[:, :2]), np.ascontiguousarray(cards[:, 2 : 2 + size]))
        assert numbers.max() < found.counts[street]
        if street in (1, 2):
            assert np.bincount(numbers, minlength=found.counts[street]).min() > 40


def test_before_the_flop_169_buckets_lose_nothing_and_fewer_go_by_strength() -> None:
    assert card_buckets((169, 1, 1, 1)).classes.tolist() == list(range(169))
    five = card_buckets((5, 1, 1, 1)).classes
    assert five[class_index("AA")] == 4
    assert five[class_index("32o")] == 0
    assert len(set(five.tolist())) == 5
    assert len(five) == len(CLASSES)


def test_the_best_hands_are_told_apart_on_the_river() -> None:
    buckets = card_buckets((169, 1, 1, 200))
    royal, quads = HandCards.read("AsKs", "QsJsTs2d2h"), HandCards.read("2c2s", "QsJsTs2d2h")
    best, second = (int(buckets.of(h.hole.view(np.uint8), h.board.view(np.uint8))[0]) for h in (royal, quads))
    assert best == 199 > second


@pytest.mark.parametrize("text", ["169/200/200", "a/b/c/d", "1/2/3/-4", ""])
def test_buckets_that_cannot_be_read(text) -> None:
    with pytest.raises(NotationError, match="expected four bucket counts"):
        read_counts(text)


@pytest.mark.parametrize("counts", [(170, 1, 1, 1), (1, 0, 1, 1), (1, 1, 1, 100_000)])
def test_buckets_that_cannot_be_made(counts) -> None:
    with pytest.raises(NotationError, match="buckets"):
        card_buckets(counts)


@pytest.fixture(scope="module")
def solved() -> HoldemSolver:
    solver = HoldemSolver(betting_tree(SHORT), BUCKETS, seed=2, weighting="linear")
    solver.run(3)
    return solver


def written(solver: HoldemSolver, path: Path) -> Path:
    about = StrategyInfo(solver.seed, solver.iterations, solver.weighting, (1.0, 1.0), "a test")
    write_strategy(strategy_of(solver.tree, solver.buckets, solver.sums, about), path)
    return path


def test_a_strategy_comes_back_from_its_file(solved, tmp_path) -> None:
    path = written(solved, tmp_path / "x.strategy")
    found = read_strategy(str(path))
    assert found.fits(SHORT)
    assert not found.fits(find_game("nolimit"))
    assert found.about == StrategyInfo(2, 3, "linear", (1.0, 1.0), "a test")
    assert found.buckets.sizes == BUCKETS.sizes
    for node in np.flatnonzero(solved.tree.turn < 2)[::7]:
        start, end = solved.layout.offset[node], solved.layout.offset[node + 1]
        sums = solved.sums[start:end].reshape(len(solved.tree.actions(node)), -1)
        for bucket in range(sums.shape[1]):
            shares = found.at(node, bucket)
            assert shares.sum() == pytest.approx(1)
            if sums[:, bucket].sum() > 0:
                assert shares == pytest.approx(sums[:, bucket] / sums[:, bucket].sum(), abs=1 / 255 + 1e-6)


def test_damaged_and_foreign_files_are_refused(solved, tmp_path) -> None:
    path = written(solved, tmp_path / "x.strategy")
    whole = path.read_bytes()
    cases = {
        "damaged": whole[:-10] + bytes([whole[-10] ^ 1]) + whole[-9:],
        "bytes after the header": whole[:-1],
        "another version": whole.replace(b"strategy 1", b"strategy 2", 1),
        "not a strategy": b"something else",
        "header in JSON": b"holdmem strategy 1\nnonsense\n",
        "damaged: expected digest": whole.replace(b'"seed": 2', b'"seed": 3', 1),
    }
    for says, contents in cases.items():
        path.write_bytes(contents)
        with pytest.raises(StrategyError, match=says) as caught:
            read_strategy(path)
        assert str(path) in str(caught.value)
    with pytest.raises(StrategyError, match="No such file"):
        read_strategy(tmp_path / "none.strategy")


def signed(path: Path, change: dict[str, Any], body: bytes | None = None) -> Path:
    """The file with another header or body, and the digest that goes with them."""
    line, _, packed = path.read_bytes()[len(FORMAT.first_line) :].partition(b"\n")
    packed = packed if body is None else body
    header = json.loads(line) | {"length": len(packed)} | change
    header.pop("digest")
    digest = sha256(json.dumps(header, sort_keys=True).encode() + packed).hexdigest()
    text = json.dumps(header | {"digest": digest}, sort_keys=True).encode()
    path.write_bytes(FORMAT.first_line + text + b"\n" + packed)
    return path


IMPOSSIBLE = {
    "other buckets": ({"buckets": [169, 1, 1, 1]}, "the body has .* than .* bytes"),
    "buckets that are no list": ({"buckets": 4}, "invalid bucket counts 4"),
    "arrays that are no lengths": ({"arrays": [-1] * 10}, "invalid array lengths"),
    "fewer nodes": ({"nodes": 5}, "the betting tree has more than 5 nodes"),
    "more nodes": ({"nodes": 10**6}, "the header gives 1,000,000 nodes"),
    "another recall": ({"recall": "total"}, "recall 'total'"),
    "no game": ({"game": {"name": "x"}}, "invalid strategy"),
    "a game of words": ({"game": []}, "invalid strategy"),
    "tilt of infinity": ({"tilt": [1.0, float("inf")]}, "invalid header values"),
    "iterations in words": ({"iterations": "many"}, "invalid header values"),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_a_header_that_disagrees_with_its_strategy_is_refused(solved, tmp_path, what: str) -> None:
    change, reason = IMPOSSIBLE[what]
    path = signed(written(solved, tmp_path / "x.strategy"), change)
    with pytest.raises(StrategyError, match=rf"x\.strategy: .*{reason}"):
        read_strategy(path)


def changed_body(path: Path, change: Callable[[bytearray, int], None]) -> bytes:
    """The body with other numbers; the probabilities begin at the second argument of `change`."""
    line, _, body = path.read_bytes()[len(FORMAT.first_line) :].partition(b"\n")
    raw = bytearray(zlib.decompress(body))
    change(raw, 4 * sum(json.loads(line)["arrays"]))
    return zlib.compress(bytes(raw))


def probabilities_beyond_one(raw: bytearray, start: int) -> None:
    raw[start:] = b"\xff" * (len(raw) - start)


def a_class_in_no_bucket(raw: bytearray, start: int) -> None:
    raw[:4] = (10**6).to_bytes(4, "little")


def buckets_that_begin_nowhere(raw: bytearray, start: int) -> None:
    raw[start - 4 : start] = (-7).to_bytes(4, "little", signed=True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (probabilities_beyond_one, "add up to more than one"),
        (a_class_in_no_bucket, "buckets of 169 classes"),
        (buckets_that_begin_nowhere, "invalid first buckets"),
        (lambda raw, start: raw.extend(b"more"), "more than .* bytes"),
        (lambda raw, start: raw.clear(), "fewer than .* bytes"),
    ],
)
def test_numbers_that_no_strategy_has_reach_no_kernel(solved, tmp_path, change, reason: str) -> None:
    path = written(solved, tmp_path / "x.strategy")
    signed(path, {}, changed_body(path, change))
    with pytest.raises(StrategyError, match=rf"x\.strategy: .*{reason}"):
        read_strategy(path)


@pytest.mark.parametrize("bytes_kept", [0, 1, 100, 0.5, 0.99])
def test_a_checkpoint_cut_short_is_named_and_says_what_to_do(tiny_solve, tmp_path, bytes_kept) -> None:
    path = tmp_path / "c"
    tiny_solve.keep(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(bytes_kept * len(whole)) if isinstance(bytes_kept, float) else bytes_kept])
    before = tiny_solve.solver.sums.tolist()
    with pytest.raises(StrategyError, match=r"c: expected a checkpoint of a solve.*omit --resume"):
        tiny_solve.resume(path)
    assert tiny_solve.solver.sums.tolist() == before


@pytest.mark.parametrize("what", ["regrets", "sums", "progress"])
@pytest.mark.parametrize("bad", ["infinite", "another shape", "another kind"])
def test_a_checkpoint_with_numbers_that_cannot_be_is_refused(tiny_solve, tmp_path, what, bad) -> None:
    path = tmp_path / "c.npz"
    tiny_solve.keep(path)
    with np.load(path) as kept:
        arrays = dict(kept)
    wrong = {
        "infinite": np.full_like(arrays[what], np.inf),
        "another shape": arrays[what][:1],
        "another kind": arrays[what].astype(object),
    }
    np.savez(path, **{**arrays, what: wrong[bad]})
    with pytest.raises(StrategyError, match=r"c\.npz: expected a checkpoint"):
        tiny_solve.resume(path)


@pytest.fixture(scope="module")
def tiny_solve(tmp_path_factory) -> HoldemSolve:
    game = tmp_path_factory.mktemp("tiny") / "tiny.game"
    game.write_text(TINY, encoding="utf-8")
    solve = HoldemSolve(SolveTask(str(game), (7, 6, 5, 9), seed=3))
    list(solve.run(1, None, every=60))
    return solve


TINY = (
    "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 4\nblind = 10 5\nraiseSize = 10 10 20 20\n"
    "firstPlayer = 2 1 1 1\nmaxRaises = 1 1 1 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
    "numBoardCards = 0 3 1 1\nEND GAMEDEF\n"
)


def test_a_solve_goes_on_from_its_checkpoint(tmp_path) -> None:
    game = tmp_path / "tiny.game"
    game.write_text(TINY, encoding="utf-8")
    task = SolveTask(str(game), (7, 6, 5, 9), seed=3)
    once, first, second = HoldemSolve(task), HoldemSolve(task), HoldemSolve(task, threads=2)
    reports = list(once.run(4, None, every=0.0))
    assert [report.iterations for report in reports] == [1, 2, 3, 4]
    assert reports[-1].done == 1
    assert reports[-1].measure < reports[0].measure
    list(first.run(2, None, every=60, checkpoint=tmp_path / "c"))
    second.resume(tmp_path / "c")
    list(second.run(4, None, every=60))
    assert second.solver.sums.tolist() == once.solver.sums.tolist()
    assert second.strategy().about.source == task.command(4)
    other = HoldemSolve(SolveTask(str(game), (7, 6, 5, 9), seed=4))
    with pytest.raises(StrategyError, match=r"expected a checkpoint with seed 4, got seed 3"):
        other.resume(tmp_path / "c")
    with pytest.raises(StrategyError, match="expected a checkpoint of a solve"):
        other.resume(game)
