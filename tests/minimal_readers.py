"""Just enough of the ACPC's logs and of PHH files to replay the hands in them."""

import re
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from holdmem.cards import DECK, cards
from holdmem.engine import CALL, FOLD, Game


@dataclass(frozen=True)
class Recorded:
    """A hand as it was played: the deck as `Batch` takes it, raises as totals of their street, the result."""

    where: str
    deck: list[int]
    actions: list[int]
    net: list[Fraction]


def whole_deck(holes: str, board: str) -> list[int]:
    """Hole cards and board, filled up with cards that never came where the hand ended early."""
    known = cards(holes + board)
    return (known + [card for card in DECK if card not in known])[: len(cards(holes)) + 5]


def read_acpc(path: Path, game: Game) -> Iterator[Recorded]:
    """The hands of a dealer's log: `STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1`."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("STATE:"):
            continue
        _, number, betting, shown, results, _ = line.split(":")
        holes, *board = shown.split("/")
        yield Recorded(
            where=f"{path.name} hand {number}",
            deck=whole_deck(holes.replace("|", ""), "".join(board)),
            actions=acpc_actions(betting, game),
            net=[Fraction(result) for result in results.split("|")],
        )


def acpc_actions(betting: str, game: Game) -> list[int]:
    """`cr300c/cr900f`: limit raises have no size; those of no-limit are totals of the hand so far."""
    actions, before = [], 0
    for street, line in enumerate(betting.split("/")):
        highest = before + (game.big_blind if street == 0 else 0)
        for word, size in re.findall(r"([fcr])([0-9]*)", line):
            if word == "r":
                highest = int(size) if size else highest + game.raise_sizes[street]  # type: ignore[index]
            actions.append({"f": FOLD, "c": CALL, "r": highest - before}[word])
        before = highest
    return actions


def read_pluribus(path: Path) -> Iterator[Recorded]:
    """The hands of an archive of PHH files, in which raises are totals of the street."""
    with tarfile.open(path) as archive:
        for member in archive:
            if member.name.endswith(".phh"):
                text = archive.extractfile(member).read().decode()  # type: ignore[union-attr]
                yield phh_hand(member.name, tomllib.loads(text, parse_float=Fraction))


def phh_hand(where: str, hand: dict[str, list[object]]) -> Recorded:
    """One hand: `d dh p1 6s8h` and `d db JcQh3s` deal, `p3 f`, `p1 cc` and `p2 cbr 210` act, `sm` shows."""
    dealt: dict[str, str] = {"dh": "", "db": ""}
    actions = []
    for words in (str(line).split() for line in hand["actions"]):
        if words[0] == "d":
            dealt[words[1]] += words[-1]
        elif words[1] == "cbr":
            actions.append(int(words[2]))
        elif words[1] in ("f", "cc"):
            actions.append(FOLD if words[1] == "f" else CALL)
    results = zip(hand["starting_stacks"], hand["finishing_stacks"], strict=True)
    net = [Fraction(after) - Fraction(before) for before, after in results]  # type: ignore[arg-type]
    return Recorded(where, whole_deck(dealt["dh"], dealt["db"]), actions, net)
