"""Our SimpleBot and MCTSBot beside what is known of the programs that they stand in for.

The figures of the originals were observed in play; they are not from a publication, and nothing was fitted to
them, so no row has a verdict.
"""

from collections import Counter
from dataclasses import dataclass

from holdmem.agent import FinishedHands
from holdmem.arena import Design
from holdmem.arena.design import DeckPurpose
from holdmem.arena.units import WorkUnit, plan, play_hands
from holdmem.core.statistics import share
from holdmem.engine import CALL, FOLD, find_game
from holdmem.papers.findings import Finding, Row, shown
from holdmem.papers.runner import ExperimentRunner

MCTS, SIMPLE = "mctsbot:iterations=400", "simplebot"
RATES = {
    ("limit", SIMPLE, "always-call"): "+0.36 to +0.37 sb/h",
    ("nolimit", SIMPLE, "always-call"): "+1.04 to +1.06 bb/h",
    ("nolimit", MCTS, SIMPLE): "-2.6 ± 0.7 bb/h",
}
VPIP, PFR = "puts chips in before the flop (VPIP)", "raises before the flop (PFR)"
SHARES = {
    VPIP: "40%",
    PFR: "36%",
    "first in: raises": "61%",
    "first in: limps": "7%",
    "first in: folds": "32%",
}


@dataclass(frozen=True)
class PreflopRun:
    """MCTSBot against SimpleBot, whose decisions before the flop are counted."""

    hands: int
    matches: int
    seed: int
    purpose: DeckPurpose = "play"


def counted(asked: PreflopRun) -> dict[str, list[int]]:
    """Return, for each share, how often it happened and of how many hands."""
    design = Design(
        find_game("nolimit"),
        (MCTS, SIMPLE),
        asked.hands,
        asked.matches,
        seed=asked.seed,
        purpose=asked.purpose,
    )
    planned, found = plan(design), Counter[str]()
    for hands, _ in play_hands(WorkUnit(planned, 0, planned.total)):
        for hand in range(len(hands)):
            found.update(_before_the_flop(hands, hand))
    first = sum(found[name] for name in SHARES if name.startswith("first in"))
    return {name: [found[name], first if name.startswith("first in") else found["hands"]] for name in SHARES}


def _before_the_flop(hands: FinishedHands, hand: int) -> list[str]:
    """Return what MCTSBot, player 0, did in a hand; the button, seat 1, acts first heads-up."""
    seat = hands.lineup[hand].tolist().index(0)
    moves = hands.history[hand][: int(hands.actions[hand])]
    words, raised, owes, opening = ["hands"], False, seat == 1, seat == 1
    entered = False
    for move in moves:
        if int(move["street"]) > 0:
            break
        to, mine = int(move["to"]), int(move["seat"]) == seat
        if mine and opening:
            names = {FOLD: "folds", CALL: "limps"}
            words.append(f"first in: {names.get(to, 'raises')}")
            opening = False
        if mine:
            entered |= to > CALL or (to == CALL and owes)
            raised |= to > CALL
            owes = False
        elif to > CALL:
            owes = True
    return words + [name for name, true in ((VPIP, entered), (PFR, raised)) if true]


def yardsticks(runner: ExperimentRunner) -> Finding:
    """Play the pairs of which the originals' figures are known, and count decisions before the flop."""
    rows = []
    for (game, player, other), said in RATES.items():
        hands, matches = runner.at(smoke=(10, 2), quick=(100, 6), full=(1_000, 12))
        found = runner.match(find_game(game), player, other, hands=hands, matches=matches)
        ours = found.estimates()[0]
        what = f"{player} against {other}, {game}"
        rows.append(Row(what, said, shown(ours, unit=True), found.hands, other, samples=ours.samples))
    hands, matches = runner.at(smoke=(10, 2), quick=(100, 6), full=(500, 6))
    asked = PreflopRun(hands, matches, runner.seed + 12, runner.purpose)
    (shares,) = runner.work(counted, [asked], "MCTSBot before the flop", lambda _: [MCTS, SIMPLE])
    rows += [_share(name, *shares[name]) for name in SHARES]
    return Finding(tuple(rows), remark="Observed in play of the originals; nothing was fitted to them.")


def _share(name: str, count: int, of: int) -> Row:
    found = share(count, of)
    numbers = (found.value or 0.0, found.low or 0.0, found.high or 0.0)
    ours = "{:.0%} ({:.0%} to {:.0%})".format(*numbers)
    return Row(f"{MCTS}: {name}", SHARES[name], ours, of, SIMPLE)
