"""What the yardsticks count of MCTSBot's hands, beside the styles that every match counts."""

from holdmem.arena import Design
from holdmem.arena.run import run
from holdmem.engine import find_game
from holdmem.papers.yardsticks import MCTS, PFR, SHARES, SIMPLE, VPIP, PreflopRun, counted


def test_shares_before_the_flop_are_those_of_the_match() -> None:
    asked = PreflopRun(hands=15, matches=2, seed=4, purpose="test")
    found = counted(asked)
    design = Design(find_game("nolimit"), (MCTS, SIMPLE), 15, 2, seed=4, purpose="test")
    style = run(design).styles()[0]
    assert (found[VPIP], found[PFR]) == (
        [round(style.vpip * style.hands), style.hands], [round(style.pfr * style.hands), style.hands]
    )  # fmt: skip
    first = [found[name] for name in SHARES if name.startswith("first in")]
    assert {of for _, of in first} == {30}, "on the button in half of 60 hands"
    assert sum(count for count, _ in first) == 30
