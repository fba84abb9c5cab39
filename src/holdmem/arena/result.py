"""What came out of a match, with everything needed to judge it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from holdmem.arena.design import Design
from holdmem.arena.statistics import FEWEST_MATCHES, Estimate, estimate
from holdmem.arena.style import Style
from holdmem.arena.units import MONEY
from holdmem.rules import PARTS


@dataclass(frozen=True)
class MatchResult:
    """The results of all units of a design, added up."""

    design: Design
    hash: str
    units: tuple[dict[str, Any], ...]

    @cached_property
    def totals(self) -> dict[int, dict[str, Any]]:
        """Per match: hands played and parts of a chip won, by column and player."""
        found: dict[int, dict[str, Any]] = {}
        for unit in self.units:
            for number, entry in unit["matches"].items():
                old = found.setdefault(int(number), {"hands": 0, "net": {}})
                old["hands"] += entry["hands"]
                for column, net in entry["net"].items():
                    before = old["net"].get(column, [0] * len(net))
                    old["net"][column] = [a + b for a, b in zip(before, net, strict=True)]
        return found

    @property
    def hands(self) -> int:
        """All hands played, in all orders."""
        return sum(entry["hands"] for entry in self.totals.values())

    def estimates(self, column: str = MONEY) -> list[Estimate]:
        """Each agent's mean per hand in the game's unit.

        Over samples where nobody learns: a deck in all orders, or a round of the button. Over matches where
        anybody does, and then without an interval below five matches.
        """
        return [self._estimate(column, player) for player in range(len(self.design.agents))]

    def _estimate(self, column: str, player: int) -> Estimate:
        chips, unit = self.design.game.unit
        if self.design.sequential:
            nets = [entry["net"][column][player] for entry in self.totals.values()]
            squares = sum(net * net for net in nets)
            scale = 1 / (PARTS * chips * self.hands / len(nets))
            if self.design.kind == "freeze-out":  # the winner has it all: count what that is worth, not hands
                scale, unit = 1 / (PARTS * self.design.game.stacks[player]), "buy-ins a match"
            return estimate(len(nets), sum(nets), squares, scale, unit, fewest=FEWEST_MATCHES)
        total = sum(unit["moments"][column][player][0] for unit in self.units)
        squares = sum(unit["moments"][column][player][1] for unit in self.units)
        count = sum(unit["samples"] for unit in self.units)
        return estimate(count, total, squares, 1 / (PARTS * chips * len(self.design.lineups)), unit)

    def styles(self) -> list[Style]:
        """How each agent played."""
        rows = [unit["style"] for unit in self.units]
        players = range(len(self.design.agents))
        return [
            Style.of([sum(counts) for counts in zip(*(row[p] for row in rows), strict=True)]) for p in players
        ]

    def as_json(self) -> dict[str, Any]:
        """The documented shape of `holdmem match --json`."""
        return {
            "agents": [
                {
                    "name": name,
                    **money.as_json(),
                    **{column: self.estimates(column)[i].as_json() for column in self.design.luck},
                    "style": asdict(style),
                }
                for i, (name, money, style) in enumerate(
                    zip(self.design.agents, self.estimates(), self.styles(), strict=True)
                )
            ],
            "hands": self.hands,
            "matches": self.design.matches,
            "seed": self.design.seed,
            "game": self.design.game.name,
            "kind": self.design.kind,
            "memory": self.design.memory,
            "hash": self.hash,
        }


def total_parts(results: Sequence[MatchResult], player: int, column: str = MONEY) -> int:
    """Parts of a chip that a player won in several results."""
    return sum(entry["net"][column][player] for result in results for entry in result.totals.values())
