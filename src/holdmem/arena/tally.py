"""Accumulate the results of a work unit's hands."""

from collections.abc import Sequence
from operator import mul
from typing import Any

import numpy as np

from holdmem.agent import CountingSeat, FinishedHands, Seat
from holdmem.agent.blame import describe_exception
from holdmem.arena.aivat import Aivat
from holdmem.arena.design import Design
from holdmem.arena.kernels.style import COUNTS, count_style
from holdmem.arena.on_error import Replacements, ReplacingSeat
from holdmem.core.errors import AgentError
from holdmem.core.types import Ints

MONEY, AIVAT = "money", "aivat"


class Tally:
    """Sums over the hands of a unit, all of them integers."""

    def __init__(self, design: Design, aivat: Aivat | None = None) -> None:
        """Take the design, and `aivat` if its results are asked for."""
        self.aivat = aivat
        self.players: int = len(design.agents)
        self.columns: tuple[str, ...] = (MONEY, *design.luck)
        self.matches: dict[int, dict[str, Any]] = {}
        self.moments: dict[str, list[list[int]]] = {
            name: [[0, 0] for _ in range(self.players)] for name in self.columns
        }
        self.samples: int = 0
        self.style: Ints = np.zeros((self.players, len(COUNTS)), dtype=np.int64)
        self.counts: list[dict[str, int]] = []
        self.mended: list[dict[str, Any]] = []

    def add(self, hands: FinishedHands, samples: Ints | None) -> None:
        """Add a batch of hands; `samples` gives the sample of each, with the hands of a sample contiguous."""
        count_style(hands.batch.hands, hands.history, hands.lineup, hands.game.rules, self.style)
        matches, place, counts = np.unique(hands.hand_ids["match"], return_inverse=True, return_counts=True)
        entries = [self._entry(number) for number in matches.tolist()]
        for entry, count in zip(entries, counts.tolist(), strict=True):
            entry["hands"] += count
        for name in self.columns:
            results = hands.by_player(self.players, self._parts(hands, name))
            gained = np.zeros((len(matches), self.players), dtype=np.int64)
            np.add.at(gained, place, results)
            for entry, row in zip(entries, gained.tolist(), strict=True):
                entry["net"][name] = [a + b for a, b in zip(entry["net"][name], row, strict=True)]
            if samples is not None:
                self._add_to_moments(name, results, samples)
        if samples is not None:
            self.samples += int(samples[-1] - samples[0]) + 1

    def ask(self, players: Sequence[Seat]) -> None:
        """Collect the counts that players keep themselves, if any does, and their mended decisions."""
        counted = [_counted(seat) if isinstance(seat, CountingSeat) else {} for seat in players]
        self.counts = counted if any(counted) else []
        mended = [seat.mended() if isinstance(seat, ReplacingSeat) else Replacements() for seat in players]
        self.mended = [found.as_stored() for found in mended] if any(mended) else []

    def _entry(self, match: int) -> dict[str, Any]:
        if match not in self.matches:
            net = {column: [0] * self.players for column in self.columns}
            self.matches[match] = {"hands": 0, "net": net}
        return self.matches[match]

    def _parts(self, hands: FinishedHands, name: str) -> Ints:
        if name == MONEY:
            return hands.parts
        if self.aivat is not None and name == AIVAT:
            return self.aivat.parts(hands)
        from holdmem.variance import adjusted_parts  # noqa: PLC0415

        return adjusted_parts(hands, name)

    def _add_to_moments(self, name: str, results: Ints, samples: Ints) -> None:
        per_sample = results.reshape(int(samples[-1] - samples[0]) + 1, -1, self.players).sum(axis=1)
        for player, moments in enumerate(self.moments[name]):
            values = per_sample[:, player].tolist()
            moments[0] += sum(values)
            moments[1] += sum(map(mul, values, values))  # Python ints: squares of big pots overflow 64 bits

    def result(self) -> dict[str, Any]:
        """Return the sums as plain numbers, ready for the ledger."""
        return {
            "matches": {str(number): entry for number, entry in sorted(self.matches.items())},
            "samples": self.samples,
            "moments": self.moments if self.samples else {},
            "style": self.style.tolist(),
            **({"counts": self.counts} if self.counts else {}),
            **({"mended": self.mended} if self.mended else {}),
        }


def _counted(seat: CountingSeat) -> dict[str, int]:
    try:
        return dict(seat.counts())
    except (Exception, SystemExit) as error:
        raise AgentError(f"{describe_exception(error)} when asked for its counts") from error


def check_result(result: Any, design: Design) -> None:
    """Raise ValueError unless `result` has the structure of `Tally.result` for a unit of this design."""
    players, columns = len(design.agents), (MONEY, *design.luck)
    try:
        fine = all(
            _are_ints([entry["hands"]], 1) and all(_are_ints(entry["net"][name], players) for name in columns)
            for number, entry in result["matches"].items()
            if int(number) >= 0
        )
        fine &= bool(result["matches"]) and _are_ints([result["samples"]], 1)
        if result["samples"]:
            moments = [result["moments"][name] for name in columns]
            fine &= all(len(rows) == players and all(_are_ints(row, 2) for row in rows) for rows in moments)
        fine &= len(result["style"]) == players and all(_are_ints(r, len(COUNTS)) for r in result["style"])
        fine &= all(_are_ints(list(counted.values()), len(counted)) for counted in result.get("counts", []))
        fine &= len([Replacements.of(stored) for stored in result.get("mended", [])]) in (0, players)
    except (TypeError, AttributeError, LookupError, ValueError):
        fine = False
    if not fine:
        raise ValueError(f"not a result of {players} players: {result!r:.40}")


def _are_ints(values: Any, length: int) -> bool:
    """Whether `values` is a list of exactly `length` ints."""
    return isinstance(values, list) and len(values) == length and all(type(value) is int for value in values)
