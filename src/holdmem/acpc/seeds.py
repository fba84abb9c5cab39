"""The seeds of a dealer's matches: secret unless one was given, and published when no longer in use."""

from collections.abc import Sequence

from holdmem.acpc.log_file import LogFile
from holdmem.acpc.planning import DealerPlan
from holdmem.core.random import secret_seed


class Seeds:
    """Seeds by match. Every match has its own secret, so that one seed reveals nothing about another.

    A given seed is shared by all matches, which then differ by their number. One secret is shared in the same
    way if all matches deal the cards of a log.
    """

    def __init__(self, plan: DealerPlan) -> None:
        self.public: bool = plan.seed is not None
        self.shared: bool = self.public or plan.cards is not None
        first = secret_seed() if plan.seed is None else plan.seed
        self._seeds = [first] * plan.matches
        if not self.shared:
            self._seeds = [secret_seed() for _ in range(plan.matches)]
        self._orders = len(plan.orders)
        self._left = [plan.tables] if self.shared else [self._orders] * plan.matches
        self._logs: list[list[LogFile]] = [[] for _ in self._left]

    def of(self, match: int) -> int:
        """Return the seed of a match."""
        return self._seeds[match]

    def number(self, match: int) -> int:
        """Return the number of a match among those with its seed."""
        return match if self.shared else 0

    def ended(self, table: int, logs: Sequence[LogFile]) -> None:
        """Record the end of one order of a match; after the last with its seed, reveal it in their logs."""
        place = 0 if self.shared else table // self._orders
        self._left[place] -= 1
        self._logs[place] += logs
        if not self._left[place] and not self.public:
            for log in self._logs[place]:
                log.reveal(self._seeds[place])

    def public_seed(self, table: int) -> int | None:
        """Return the seed of a table's match if it is public, else None."""
        match = table // self._orders
        over = self.public or not self._left[0 if self.shared else match]
        return self._seeds[match] if over else None
