"""The result of a match: estimates, playing styles and counts per agent."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from holdmem.arena.design import Design
from holdmem.arena.on_error import Replacements, all_mended
from holdmem.arena.style import Style
from holdmem.arena.tally import MONEY
from holdmem.arena.units import MatchPlan
from holdmem.core.display import html_table, short, short_list
from holdmem.core.errors import GameError
from holdmem.core.statistics import FEWEST_MATCHES, Estimate, estimate
from holdmem.engine import PARTS, Game

if TYPE_CHECKING:
    import polars as pl

UNITS = ("sb/h", "bb/h", "mbb/h")
"""Small bets (limit only), big blinds and thousandths of a big blind, each per hand."""


@dataclass(frozen=True)
class MatchResult:
    """The combined results of all units of a design.

    Examples
    --------
    >>> from holdmem import match
    >>> result = match("limit", "simplebot", "always-call", hands=500, seed=7)
    >>> result.hands  # every deal is played from both seats
    1000
    >>> print(result.estimates()[0])
    +0.2845 ± 0.1386 sb/h
    >>> result.frame()["agent"].to_list()
    ['simplebot', 'always-call']
    """

    plan: MatchPlan
    units: tuple[dict[str, Any], ...]

    def __repr__(self) -> str:
        pairs = zip(self.design.agents, self.estimates(), strict=True)
        said = short_list([f"{short(name, 24)} {found}" for name, found in pairs], most=2, width=50)
        return f"MatchResult({said}; {self.hands:,} hands of {short(self.design.game.name, 30)})"

    def _repr_html_(self) -> str:
        styles = [(f"{one.vpip:.1%}", f"{one.pfr:.1%}") for one in self.styles()]
        rows = zip(self.design.agents, self.estimates(), styles, strict=True)
        about = (
            f"{self.hands:,} hands of {self.design.game.name}, {self.design.kind}, seed {self.design.seed}"
        )
        return html_table(
            ("agent", "result", "VPIP", "PFR"), [(name, found, *style) for name, found, style in rows], about
        )

    def frame(self, unit: str | None = None) -> "pl.DataFrame":
        """Return the results as a polars data frame, one row per agent and way of counting.

        The column `luck` is "money" for chips won, otherwise the method of variance reduction.

        Parameters
        ----------
        unit : "sb/h", "bb/h" or "mbb/h"; by default the unit of the game.

        Returns
        -------
        polars.DataFrame : one row per agent and way of counting.
        """
        columns = (MONEY, *self.design.luck)
        return estimates_frame(
            {"agent": name, "luck": column} | asdict(found)
            for column in columns
            for name, found in zip(self.design.agents, self.estimates(column, unit), strict=True)
        )

    @property
    def design(self) -> Design:
        """The design that was played."""
        return self.plan.design

    @property
    def hash(self) -> str:
        """Identifier of this result."""
        return self.plan.hash

    @cached_property
    def totals(self) -> dict[int, dict[str, Any]]:
        """Hands played and winnings in units of 1/PARTS chip, by match, then by column and player."""
        found: dict[int, dict[str, Any]] = {}
        for unit in self.units:
            for number, entry in unit["matches"].items():
                old = found.setdefault(int(number), {"hands": 0, "net": {}})
                old["hands"] += entry["hands"]
                for column, net in entry["net"].items():
                    before = old["net"].get(column, [0] * len(net))
                    old["net"][column] = [a + b for a, b in zip(before, net, strict=True)]
        return found

    @cached_property
    def hands(self) -> int:
        """Total number of hands played, in all orders."""
        return sum(entry["hands"] for entry in self.totals.values())

    def estimates(self, column: str = MONEY, unit: str | None = None) -> list[Estimate]:
        """Return each agent's mean per hand, in the game's unit or another one of `UNITS`.

        If no agent learns, the samples are decks in all orders, or rounds of the button. If any agent learns
        or stacks are carried over, the samples are matches, and fewer than five give no interval. A
        freeze-out is measured in buy-ins per match.

        Parameters
        ----------
        column : "money" for chips won, or a method of variance reduction that was asked for.
        unit : unit of the means; by default that of the game.

        Returns
        -------
        list of Estimate : mean, interval and number of samples per agent.
        """
        found = [self._estimate(column, player) for player in range(len(self.design.agents))]
        if unit is None or unit == found[0].unit:
            return found
        factor = self._chips() / chips_of(unit, self.design.game)
        return [one.scaled(factor, unit) for one in found]

    def _chips(self) -> int:
        if self.design.kind == "freeze-out":
            raise GameError("a freeze-out is won or lost as a whole: it has no rate per hand")
        return self.design.game.unit[0]

    def _estimate(self, column: str, player: int) -> Estimate:
        if self.plan.sequential:
            return self._over_matches(column, player)
        chips, unit = self.design.game.unit
        total, squares = (
            sum(unit["moments"][column][player][power] for unit in self.units) for power in (0, 1)
        )
        count = sum(unit["samples"] for unit in self.units)
        return estimate(count, total, squares, 1 / (PARTS * chips * len(self.design.lineups)), unit)

    def _over_matches(self, column: str, player: int) -> Estimate:
        chips, unit = self.design.game.unit
        nets = [entry["net"][column][player] for entry in self.totals.values()]
        scale = 1 / (PARTS * chips * self.hands / len(nets))
        if self.design.kind == "freeze-out":  # the winner takes all, so the unit is the buy-in, not the hand
            scale, unit = 1 / (PARTS * self.design.game.stacks[player]), "buy-ins per match"
        squares = sum(net * net for net in nets)
        return estimate(len(nets), sum(nets), squares, scale, unit, fewest=FEWEST_MATCHES)

    def styles(self) -> list[Style]:
        """Return the playing style of each agent.

        Returns
        -------
        list of Style : VPIP, aggression and so on, one per agent.
        """
        rows = [unit["style"] for unit in self.units]
        players = range(len(self.design.agents))
        return [
            Style.of([sum(counts) for counts in zip(*(row[p] for row in rows), strict=True)]) for p in players
        ]

    def counts(self) -> list[dict[str, int]]:
        """Return the counts that each agent keeps itself (see `CountingSeat`), summed over all units.

        Returns
        -------
        list of dict : number by name, one per agent; empty for agents that count nothing.
        """
        found: list[dict[str, int]] = [{} for _ in self.design.agents]
        for unit in self.units:
            for mine, counted in zip(found, unit.get("counts", []), strict=False):
                for name, count in counted.items():
                    mine[name] = mine.get(name, 0) + count
        return found

    def mended(self) -> list[Replacements]:
        """Return, for each agent, how many failed decisions became checks or folds (`on_error="fold"`).

        Returns
        -------
        list of Replacements : one per agent.
        """
        return all_mended(self.units, len(self.design.agents))

    def as_json(self, unit: str | None = None) -> dict[str, Any]:
        """Return the output of `holdmem match --json`, described in docs/arena.md.

        Parameters
        ----------
        unit : unit of the means; by default that of the game.

        Returns
        -------
        dict : values that JSON can represent.
        """
        luck = {column: self.estimates(column, unit) for column in self.design.luck}
        counts, mended = self.counts(), self.mended()
        return {
            "agents": [
                {
                    "name": name,
                    **money.as_json(),
                    **{column: found[i].as_json() for column, found in luck.items()},
                    "style": asdict(style),
                    **({"counts": counts[i]} if counts[i] else {}),
                    **({"mended": mended[i].as_json()} if mended[i] else {}),
                }
                for i, (name, money, style) in enumerate(
                    zip(self.design.agents, self.estimates(unit=unit), self.styles(), strict=True)
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


def estimates_frame(rows: Iterable[dict[str, Any]]) -> "pl.DataFrame":
    """Return rows of estimates, with what they are about in the first columns, as a polars data frame."""
    import polars as pl  # noqa: PLC0415

    numbers = dict.fromkeys(("mean", "standard_error", "low", "high"), pl.Float64)
    return pl.DataFrame(list(rows), schema_overrides=numbers)


def chips_of(unit: str, game: Game) -> float:
    """Return the value of a unit in chips."""
    if unit not in UNITS:
        raise GameError(f"expected a unit of {', '.join(UNITS)}, got {unit!r}")
    if unit == "sb/h":
        if not game.raise_sizes:
            raise GameError(f"{game.name}: no-limit has no small bet; expected bb/h or mbb/h")
        return game.raise_sizes[0]
    return game.big_blind / (1000 if unit == "mbb/h" else 1)
