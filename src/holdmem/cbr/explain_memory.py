"""What memory has at a decision, in sentences: frequencies, results, and what other policies would do."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from holdmem.agent import Policy, View, legal_policy
from holdmem.agent.words.actions import Form, action_words, kind_of, verb
from holdmem.agent.words.english import counted, joined, percent, result, unit_name
from holdmem.cbr.reuse import POLICIES
from holdmem.cbr.solutions import OUTCOME, Solutions
from holdmem.engine.state import CALL, FOLD

if TYPE_CHECKING:
    from holdmem.cbr.seat import CaseBasedSeat

SIZES = {
    "quarter": "a quarter of the pot", "half": "half the pot", "three-quarter": "three quarters of the pot",
    "pot": "the pot", "double": "twice the pot", "five-times": "five times the pot",
    "ten-times": "ten times the pot",
}  # fmt: skip
HOW = {
    "majority": "it takes the action that was taken most often",
    "max-frequency": "it takes the action that was taken most often",
    "probabilistic": "it draws its action with these frequencies",
    "best-outcome": "it takes the action with the best mean result",
    "shrunk": "it draws its action with these frequencies, weighed with those of similar cases",
}
WOULD = {"majority": "by majority", "probabilistic": "with the remembered frequencies",
         "best-outcome": "by the best mean result"}  # fmt: skip
EXPERTS = "the experts"
NAMED, RARE = 3, 0.01
"""A sentence names at most this many actions, and none rarer than this share."""
CLOSE = 0.05
"""Results closer than this, in small bets or big blinds, count as equal."""


class MemoryWords:
    """The summed solutions of the cases used at one view, and the words for them."""

    def __init__(
        self, seat: "CaseBasedSeat", view: View, solution: Solutions, policy: Policy, exact: bool
    ) -> None:
        self.seat, self.view, self.solution, self.exact = seat, view, solution, exact
        self.unit = unit_name(view.game)
        self.chosen = int(policy.codes[0][policy.probabilities[0].argmax()])
        self.counts = solution.counts[0]

    @cached_property
    def codes(self) -> list[int]:
        """The legal action that stands for each kind of action at this view."""
        actions, size = self.seat.base.representation.actions, len(self.counts)
        views = self.view.alone[np.zeros(size, np.int64)]
        legal = legal_policy(views, np.eye(size), actions.totals(views))
        return legal.codes[np.arange(size), legal.probabilities.argmax(axis=1)].tolist()  # type: ignore[no-any-return]

    @cached_property
    def shares(self) -> dict[int, float]:
        """Share of the remembered decisions by legal action."""
        return {code: float(self._sum(self.counts, code)) / self.counts.sum() for code in self._taken}

    @cached_property
    def results(self) -> dict[int, float]:
        """Mean result by legal action, where one is known."""
        settled = {code: self._sum(self.solution.settled[0], code) for code in self._taken}
        return {
            code: float(self._sum(self.solution.won[0], code) / count / OUTCOME)
            for code, count in settled.items()
            if count
        }

    @property
    def _taken(self) -> list[int]:
        """Legal actions that stand for what was done, most frequent first."""
        codes = {code for code, count in zip(self.codes, self.counts, strict=True) if count}
        return sorted(codes, key=lambda code: -self._sum(self.counts, code))

    def _sum(self, column: np.ndarray, code: int) -> int:
        return int(sum(value for value, one in zip(column.tolist(), self.codes, strict=True) if one == code))

    def done(self, kind: int, form: Form = "past") -> str:
        """Return what was done: "raised", "bet half the pot", "raising"."""
        name = self.seat.base.representation.actions.names[kind]
        if kind < 2:
            return verb("fold" if kind == 0 else kind_of(self.view, CALL), form)
        raised = verb("raise" if self.view.highest else "bet", form)
        if name == "all-in":
            return verb("all-in", form)
        size = SIZES.get(name)
        return raised if size is None else f"{raised} {'by ' * bool(self.view.highest)}{size}"

    def sentences(self) -> list[str]:
        """Say what was done how often, what it earned, how that becomes the decision, and what else would."""
        seen = int(self.counts.sum())
        where = f"in {'' if self.exact else 'the '}{counted(seen, 'remembered decision')}"
        where += f" {'' if self.exact else 'most '}like this {self.expert}"
        kinds = [kind for kind in np.argsort(-self.counts, kind="stable").tolist() if self.counts[kind]]
        if len(kinds) == 1:
            often = "" if seen == 1 else " every time"
            earned = self._earned(kinds[0])
            told = [f"{where} {self.done(kinds[0])}{often}{f' and {earned} on average' if earned else ''}"]
            return [told[0].replace(" on average", "") if seen == 1 else told[0], *self.would()]
        named = [kind for kind in kinds if self.counts[kind] >= RARE * seen][:NAMED]
        shares = [f"{self.done(kind)} {percent(self.counts[kind] / seen)}" for kind in named]
        return [f"{where} {joined(shares)} of the time", *self._results(named), self.how(), *self.would()]

    @property
    def expert(self) -> str:
        """What to call the player whose decisions are remembered."""
        name = str(self.seat.base.about.get("expert", ""))
        if " and " in name:
            return EXPERTS
        return f"the expert {name}" if name.replace("-", "").isalnum() else "the expert"

    def _earned(self, kind: int) -> str:
        settled = int(self.solution.settled[0, kind])
        return result(float(self.solution.won[0, kind]) / settled / OUTCOME, self.unit) if settled else ""

    def _results(self, kinds: list[int]) -> list[str]:
        said = [f"{self.done(kind, 'gerund')} {earned}" for kind in kinds if (earned := self._earned(kind))]
        return [f"Over the whole hand, on average, {joined(said)}"] if said else []

    def how(self) -> str:
        """Say how the frequencies become a decision."""
        return HOW.get(self.seat.policy_name, "")

    def would(self) -> list[str]:
        """Say what the other policies would do where they would do something else."""
        said = []
        for name, phrase in WOULD.items():
            code = self.choice(name)
            if name in ("majority", "best-outcome") and name != self.seat.policy_name and code != self.chosen:
                said.append(f"{phrase} it would {action_words(self.view, code)}")
        return ["; ".join(said)] if said else []

    def choice(self, name: str) -> int:
        """Return the action that a reuse policy would most likely take."""
        return self.codes[int(POLICIES[name](self.solution)[0].argmax())]

    def caution(self) -> list[str]:
        """Say why remembered results do not contradict the decision where they seem to."""
        mine = self.results.get(self.chosen)
        if mine is None:
            return []
        better = [code for code, value in self.results.items() if value > mine + CLOSE]
        if better and self.seat.policy_name != "best-outcome":
            best = max(better, key=self.results.__getitem__)
            other, own = kind_of(self.view, best), kind_of(self.view, self.chosen)
            whose, they = ("experts'", "they") if self.expert == EXPERTS else ("expert's", "it")
            acted = f"{verb(other, 'past')} with other cards than {they} {verb(own, 'past')} with"
            if other == own:
                acted = "chose the size by the cards"
            better_one = f"another size of {verb(own, 'gerund')}" if other == own else verb(other, "gerund")
            return [
                f"That {better_one} did better does not speak against this: remembered results are of the"
                f" {whose} own hands, and {they} {acted}"
            ]
        if mine < -CLOSE and self.view.to_call and self.chosen != FOLD:
            return [
                "A loss on average does not make a fold better: it includes the chips that were in the pot"
                " before this decision, which a fold gives up as well"
            ]
        return []
