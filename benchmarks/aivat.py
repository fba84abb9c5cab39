"""Measures of AIVAT (docs/luck.md).

    python -m benchmarks.aivat pair A B --hands 5000     standard deviations, and AIVAT less money, paired
    python -m benchmarks.aivat sittings --sittings 200   people of five styles against `eqm`, 200 hands each

`--known A` says that only A's policy is known, `--game nolimit` chooses the game. Results do not depend on
the number of hands at a time. With `--keep FOLDER`, the results of every thousand hands are kept there: a
second call with the same agents, seed and source code plays only the hands that are missing, and a call for
more hands goes on from them.
"""

from argparse import ArgumentParser, Namespace
from hashlib import sha256
from pathlib import Path
from time import process_time

import numpy as np

from holdmem.agent import FinishedHands, make_agent, play
from holdmem.arena.aivat import Aivat
from holdmem.core.atomic import atomic_file
from holdmem.core.random import Streams, hand_ids
from holdmem.core.sources import source_hash
from holdmem.core.statistics import NORMAL, Estimate, estimate
from holdmem.core.types import Floats, Ints
from holdmem.engine import PARTS, Game, find_game

STYLES = ("sartre-2", "simplebot", "casper", "always-call", "eqm-aggressive")
"""Players who stand for people of five styles; the shares of AIVAT were not fitted to four of them."""
SITTING = 200
AT_ONCE = 1000


def played(game: Game, names: list[str], hands: int, seed: int, first: int) -> FinishedHands:
    """Play hands with new cards, the button moving."""
    seats = [make_agent(name).sit(game, hands, Streams.of(seed, "player", k)) for k, name in enumerate(names)]
    where = hand_ids(hands, first_hand=first)
    lineup = np.array([[0, 1], [1, 0]])[where["hand"] % 2]
    decks = Streams.of(seed, "cards").decks(where, game.deck_cards)
    return play(game, seats, decks, lineup=lineup, where=where)


def results(
    game: Game, names: list[str], known: list[bool], hands: int, seed: int, keep: Path | None = None
) -> tuple[Ints, Ints]:
    """Return the money and the AIVAT of the first player in every hand, in parts of a chip."""
    seats = [
        make_agent(name).sit(game, 1, Streams.of(0)) if yes else None
        for name, yes in zip(names, known, strict=True)
    ]
    reduction = Aivat(game, names, seats)
    about = f"{source_hash()} {game.name} {names} {known} {seed}"
    parts = []
    for first in range(0, hands, AT_ONCE):
        count = min(AT_ONCE, hands - first)
        file = None if keep is None else file_of(f"{about} {first} {count}", keep)
        if file is not None and file.exists():
            parts.append(np.load(file))
            continue
        some = played(game, names, count, seed, first)
        parts.append(np.stack([some.by_player(2)[:, 0], some.by_player(2, reduction.parts(some))[:, 0]]))
        if file is not None:
            with atomic_file(file) as beside, beside.open("wb") as opened:
                np.save(opened, parts[-1])
    money, less = np.concatenate(parts, axis=1)
    return money, less


def file_of(about: str, keep: Path) -> Path:
    """Return where the results of hands are kept, by everything that determines them."""
    return keep / f"{sha256(about.encode()).hexdigest()}.npy"


def in_units(parts: Ints, game: Game) -> Floats:
    """Convert parts of a chip to the game's unit."""
    converted: Floats = parts / (PARTS * game.unit[0])
    return converted


def pair(said: Namespace) -> None:
    """Print standard deviations of both ways of counting, and the mean of their difference."""
    game, names = find_game(said.game), [said.first, said.second]
    known = [said.known in (None, name) for name in names]
    began = process_time()
    money, less = (
        in_units(parts, game) for parts in results(game, names, known, said.hands, said.seed, said.keep)
    )
    unit, count = game.unit[1], said.hands
    removed = 1 - less.std(ddof=1) / money.std(ddof=1)
    error = (less - money).std(ddof=1) / count**0.5
    print(f"{' – '.join(names)}, {game.name}, {count:,} hands, seed {said.seed}, known: {known}")
    for name, values in (("money", money), ("aivat", less)):
        spread = values.std(ddof=1)
        half = NORMAL * spread / count**0.5
        print(f"  {name}  {values.mean():+.4f} ± {half:.4f} {unit}, standard deviation {spread:.3f}")
    took = "" if said.keep else f"; {1000 * (process_time() - began) / count:.1f} ms of a core per hand"
    print(f"  standard deviation {removed:.1%} less{took}")
    print(f"  aivat less money {(less - money).mean():+.4f}, standard error {error:.4f}")


def reach(found: Estimate) -> float:
    """Return the half-width of an interval."""
    assert found.low is not None
    assert found.high is not None
    return (found.high - found.low) / 2


def sittings(said: Namespace) -> None:
    """Print half-widths and coverage of intervals over sittings of people against `eqm`."""
    game = find_game("limit")
    halves, covered = [], []
    for place, style in enumerate(STYLES):
        count = -(-said.sittings // len(STYLES))
        money, less = results(
            game, ["eqm", style], [True, False], count * SITTING, said.seed + place, said.keep
        )
        rates = -less.reshape(count, SITTING)
        truth = rates.mean()  # of all sittings of the style: its error is far below a sitting's
        found = [
            estimate(SITTING, int(row.sum()), int((row.astype(object) ** 2).sum()), 1.0, "") for row in rates
        ]
        half = [1000 * float(in_units(np.array(reach(one)), game)) for one in found]
        inside = [abs(one.mean - truth) <= reach(one) for one in found]
        plain = 1000 * NORMAL * in_units(money, game).std() / SITTING**0.5
        print(f"{style}: {count} sittings, half-width {np.mean(half):.0f} mbb/h (money {plain:.0f}),"
              f" {np.mean(inside):.1%} cover {-1000 * in_units(less, game).mean():+.0f} mbb/h")  # fmt: skip
        halves += half
        covered += inside
    print(
        f"all: {len(halves)} sittings, half-width {np.mean(halves):.0f} mbb/h, {np.mean(covered):.1%} cover"
    )


def main() -> None:
    """Run one measure."""
    parser = ArgumentParser("python -m benchmarks.aivat", description="How much luck AIVAT removes.")
    measures = parser.add_subparsers(required=True)
    two = measures.add_parser("pair")
    two.add_argument("first")
    two.add_argument("second")
    two.add_argument("--game", default="limit")
    two.add_argument("--hands", type=int, default=5000)
    two.add_argument("--known", help="the only player whose policy is known")
    two.set_defaults(measure=pair)
    many = measures.add_parser("sittings")
    many.add_argument("--sittings", type=int, default=1000)
    many.set_defaults(measure=sittings)
    for one in (two, many):
        one.add_argument("--seed", type=int, default=2018)
        one.add_argument(
            "--keep", type=Path, metavar="FOLDER", help="keep results there, and go on from them"
        )
    said = parser.parse_args()
    said.measure(said)


if __name__ == "__main__":
    main()
