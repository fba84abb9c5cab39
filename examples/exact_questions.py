"""Exact equities and hand strengths: everything is enumerated, nothing is sampled."""

from holdmem import equity
from holdmem.strength import HandCards, e_hs, ihs, potential  # `holdmem` itself exports only `equity`

against = equity("AhKd", "QsQc", board="Kc7s2d")
print(f"AhKd against QsQc on Kc7s2d: {against.equity[0]:.3%} of {against.boards} boards")

found = equity("88+,A9s+,AJo+", "random", board="Kc7s2d")
print(f"88+,A9s+,AJo+ against any two cards there: {found.equity[0]:.3%}, alone {found.wins[0]:.3%}")

for hole, board in (("AhKd", "Kc7s2d"), ("9s8s", "7s6s2d")):
    hand = HandCards.read(hole, board)
    to_come = potential(hand)
    print(
        f"{hole} on {board}: ahead of {ihs(hand)[0]:.1%} now, wins {e_hs(hand)[0]:.1%} in the end;"
        f" comes from behind in {to_come.ppot[0]:.1%}, is overtaken in {to_come.npot[0]:.1%}"
    )
