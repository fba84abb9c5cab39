"""The drawings of docs/class.md, with numbers from the package: python docs/make_class.py [--check]"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from holdmem import Situation, explain, read_cases
from holdmem.core.data import DATA
from holdmem.strength import HandCards, e_hs, ihs, potential

if TYPE_CHECKING:
    import polars as pl

PICTURES = Path(__file__).with_name("pictures")
SPOT = Situation(hole="Jh9h", board="Kh8h2c", betting="rc/r")
ACTIONS = ("fold", "call", "raise")
PLAYERS = {
    "CASPER": "casper",
    "SARTRE-2": "sartre-2",
    "SARTRE-2, drawn": "sartre-2:policy=probabilistic",
    "imitator, aggressive": "imitator:expert=eqm-aggressive",
    "imitator, passive": "imitator:expert=eqm-passive",
    "ensemble": "ensemble",
    "PLICAS, unacquainted": "plicas",
    "Outcome Learner, untaught": "outcome-learner",
    "Action Learner, untaught": "action-learner",
}
STYLE = """<style>
text { font: 15px system-ui, sans-serif; fill: #1c2430 }
.panel { fill: #f7f8fa } .card { fill: #ffffff; stroke: #5b6675 } .line { stroke: #5b6675; fill: none }
.red { fill: #b3261e } .soft { fill: #566170 } .big { font-size: 22px; font-weight: 600 }
.fold { fill: #66707d } .call { fill: #2a63bd } .raise { fill: #b4530f }
.target { fill: none; stroke: #1c2430 } circle, path { fill-opacity: 0.85 }
.on { fill: #ffffff; font-weight: 600 } .middle { text-anchor: middle } .end { text-anchor: end }
@media (prefers-color-scheme: dark) {
  text { fill: #e8ecf2 } .panel { fill: #171c24 } .card { fill: #262d38; stroke: #98a3b3 }
  .line { stroke: #98a3b3 } .red { fill: #ff8a80 } .soft { fill: #a9b4c2 } .target { stroke: #e8ecf2 }
  .fold { fill: #7a8594 } .call { fill: #3a74d4 } .raise { fill: #c2611a } .on { fill: #ffffff }
}
</style>"""


def picture(width: int, height: int, title: str, parts: Iterator[str]) -> str:
    """An SVG with its own background, so that it reads the same on a light and on a dark page."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    panel = f'<rect class="panel" width="{width}" height="{height}" rx="10"/>'
    return "\n".join([head, f"<title>{title}</title>", STYLE, panel, *parts, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{words}</text>'


def card(x: float, y: float, name: str) -> Iterator[str]:
    suit = {"h": "♥", "d": "♦", "c": "♣", "s": "♠"}[name[1]]
    yield f'<rect class="card" x="{x:g}" y="{y:g}" width="48" height="66" rx="6"/>'
    yield text(x + 24, y + 42, name[0] + suit, f"big middle{' red' if suit in '♥♦' else ''}")


def the_hand() -> Iterator[str]:
    """The table at the decision."""
    view = SPOT.view
    yield text(30, 34, "the opponent, who bets", "soft")
    for x in (30, 86):
        yield f'<rect class="card" x="{x}" y="46" width="48" height="66" rx="6"/>'
        yield text(x + 24, 88, "?", "big middle soft")
    yield text(240, 34, "the board, shared by both", "soft")
    for place in range(3):
        yield from card(240 + 56 * place, 46, SPOT.board[2 * place : 2 * place + 2])
    yield text(460, 34, "still to come", "soft")
    for x in (460, 516):
        yield f'<rect class="line" x="{x}" y="46" width="48" height="66" rx="6" stroke-dasharray="5 4"/>'
    yield text(30, 160, "you, to act", "soft")
    for place in range(2):
        yield from card(30 + 56 * place, 172, SPOT.hole[2 * place : 2 * place + 2])
    yield text(240, 190, f"In the pot: {view.pot} chips. To call: {view.to_call}.")
    yield text(240, 216, f"Fold, call {view.to_call}, or raise to {view.min_raise_to}?", "big")


def strengths() -> Iterator[str]:
    """The share of opposing hands that ours beats: now, with the next card, with all five cards."""
    hand = HandCards.read(SPOT.hole, SPOT.board)
    now, change = float(ihs(hand)[0]), potential(hand, to_come=1)
    gained, lost = float(change.ppot[0]), float(change.npot[0])
    shares = {
        "now": now,
        "with the next card": now * (1 - lost) + (1 - now) * gained,
        "with all five cards": float(e_hs(hand)[0]),
    }
    for row, (label, share) in enumerate(shares.items()):
        y = 42 + 84 * row
        yield text(185, y + 18, label, "end")
        yield from divided(200, y, share)
    yield from overtaking(200 + 430 * now, 200 + 430 * shares["with the next card"], gained, lost)


def overtaking(start: float, end: float, gained: float, lost: float) -> Iterator[str]:
    """Arrows between the first two bars, from where the parts meet in one to where they meet in the other."""
    yield arrow(start - 30, end + 30)
    yield arrow(start + 110, end - 30)
    yield text(start - 42, 100, f"{lost:.0%} of these get ahead", "end soft")
    yield text(start + 118, 100, f"you overtake {gained:.0%} of these", "soft")


def arrow(x: float, to: float) -> str:
    side = -1 if x < to else 1
    head = f"m{11 * side} 1l{-11 * side} -1l{7 * side} -8"
    return f'<path class="line" stroke-width="2" d="M{x:.1f} 74L{to:.1f} 118{head}"/>'


def divided(x: float, y: float, share: float) -> Iterator[str]:
    """A bar in two parts: what we beat, and what beats us."""
    first = 430 * share
    yield f'<rect class="call" x="{x:.1f}" y="{y}" width="{first:.1f}" height="26"/>'
    yield f'<rect class="fold" x="{x + first:.1f}" y="{y}" width="{430 - first:.1f}" height="26"/>'
    yield text(x + first / 2, y + 18, f"you beat {share:.0%}", "on middle")
    yield text(x + (first + 430) / 2, y + 18, f"{1 - share:.0%} beat you", "on middle")


def used_cases() -> "pl.DataFrame":
    """The cases of CASPER's memory with a similarity of at least 0.97, most similar first."""
    base = read_cases(DATA / "casper")
    similar, places = base.neighbors(SPOT.views, 100)
    return base.frame("flop")[places[0][similar[0] >= 0.97].tolist()]


def neighbours() -> Iterator[str]:
    """The cases that CASPER uses, by strength now and chance to improve."""
    base, rows = read_cases(DATA / "casper"), used_cases()
    yield from axes()
    for row in rows.iter_rows(named=True):
        kind = next(action for action in ACTIONS if row[action])
        yield mark(kind, *place_of(row["ihs"], row["ppot"]))
    ours = {name: float(column[0]) for name, column in base.streets[1].features.of(SPOT.views).items()}
    x, y = place_of(ours["ihs"], ours["ppot"])
    yield f'<circle class="target" cx="{x:.1f}" cy="{y:.1f}" r="13" stroke-width="3"/>'
    yield text(x + 18, y - 12, "J♥ 9♥")
    for height, kind in zip((60, 90, 120), ACTIONS, strict=True):
        yield mark(kind, 590, height - 5)
        yield text(605, height, f"{kind}: {int(rows[kind].sum())}")


def place_of(strength: float, potential: float) -> tuple[float, float]:
    return 80 + (strength - 0.29) * 480 / 0.16, 300 - (potential - 0.22) * 250 / 0.14


def axes() -> Iterator[str]:
    yield '<path class="line" d="M80 40V300H560"/>'
    for value in (0.30, 0.35, 0.40, 0.45):
        yield text(place_of(value, 0)[0], 320, f"{value:.2f}", "middle soft")
    for value in (0.22, 0.26, 0.30, 0.34):
        yield text(72, place_of(0, value)[1] + 5, f"{value:.2f}", "end soft")
    yield text(320, 345, "share of opposing hands beaten now (IHS)", "middle")
    yield text(30, 26, "chance to get ahead with the next card (PPOT)")


def mark(kind: str, x: float, y: float) -> str:
    """A shape for each action, so that colours are not needed to tell them apart."""
    if kind == "call":
        return f'<circle class="call" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
    if kind == "raise":
        return f'<path class="raise" d="M{x:.1f} {y - 8:.1f}l8 14h-16z"/>'
    return f'<rect class="fold" x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"/>'


def five_answers() -> Iterator[str]:
    """What every system does, as shares of fold, call and raise."""
    for row, (label, agent) in enumerate(PLAYERS.items()):
        yield text(215, 47 + 34 * row, label, "end")
        yield from bar(230, 28 + 34 * row, triple(agent))
    for x, kind in zip((230, 310, 390), ACTIONS, strict=True):
        yield mark(kind, x + 6, 348)
        yield text(x + 18, 353, kind)


def triple(agent: str) -> Mapping[str, float]:
    """Probability of each action by the first word of its name."""
    found = explain(agent, SPOT).actions
    return {action.words.split()[0]: float(action.probability) for action in found}


def bar(x: float, y: float, shares: Mapping[str, float]) -> Iterator[str]:
    for kind in ACTIONS:
        width = 430 * shares.get(kind, 0.0)
        if width:
            yield f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="26"/>'
        if width > 40:
            yield text(x + width / 2, y + 18, f"{shares[kind]:.0%}", "on middle")
        x += width


def cycle() -> Iterator[str]:
    """The four steps, with the numbers of CASPER's decision."""
    rows = used_cases()
    folds, calls, raises = (int(rows[action].sum()) for action in ACTIONS)
    steps = [
        ("retrieve", f"find the {len(rows)} cases", "most like this one"),
        ("reuse", f"{folds} folds, {calls} calls,", f"{raises} raises: draw one"),
        ("revise", "was it right? if not,", "correct the case"),
        ("retain", "store the decision", "and what it earned"),
    ]
    for place, (name, *lines) in enumerate(steps):
        x = 20 + 190 * place
        yield f'<rect class="card" x="{x}" y="30" width="164" height="96" rx="8"/>'
        yield text(x + 82, 58, name, "big middle")
        yield text(x + 82, 86, lines[0], "middle soft")
        yield text(x + 82, 108, lines[1], "middle soft")
        if place:
            yield f'<path class="line" stroke-width="2" d="M{x - 24} 78h20m-7-6l7 6l-7 6"/>'
    yield '<path class="line" stroke-width="2" d="M672 128v24H102v-20m-6 7l6-7l6 7"/>'
    yield text(387, 174, "the memory has grown by one case", "middle soft")


def drawings() -> dict[str, str]:
    """All drawings by the name of their file."""
    return {
        "class-hand.svg": picture(600, 260, "The hand of the class", the_hand()),
        "class-strength.svg": picture(680, 270, "From strength now to strength later", strengths()),
        "class-cycle.svg": picture(774, 190, "The cycle of case-based reasoning", cycle()),
        "class-neighbours.svg": picture(720, 360, "The cases that CASPER uses", neighbours()),
        "class-answers.svg": picture(690, 370, "What every system does", five_answers()),
    }


def main() -> None:
    found = drawings()
    if "--check" in sys.argv:
        old = [name for name, svg in found.items() if (PICTURES / name).read_text(encoding="utf-8") != svg]
        sys.exit(f"not current: {', '.join(old)}; run python docs/make_class.py" if old else 0)
    for name, svg in found.items():
        (PICTURES / name).write_text(svg, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
