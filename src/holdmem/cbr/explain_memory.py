"""What memory has at a decision, in sentences: frequencies, results, and what other policies would do."""

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holdmem.agent import Policy, View, legal_policy
from holdmem.agent.words.actions import Form, action_words, kind_of, verb
from holdmem.agent.words.english import counted, joined, money, percent, result, unit_name
from holdmem.cbr.feature_words import raises_words
from holdmem.cbr.reuse import POLICIES
from holdmem.cbr.solutions import OUTCOME, Solutions
from holdmem.engine.state import CALL, FOLD

if TYPE_CHECKING:
    from holdmem.cbr.seat import CaseBasedSeat
    from holdmem.core.types import Ints

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
MOST_OFTEN = ("majority", "max-frequency")
"""Policies by which the most frequent action is taken; ties go to the call, then to raises."""
WOULD = {"majority": "going by the majority", "best-outcome": "going by the best mean result"}
EXPERTS = "the experts"
NAMED, RARE = 3, 0.01
"""A sentence names at most this many actions, and none rarer than this share."""
CLOSE = 0.05
"""Results closer than this, in small bets or big blinds, count as equal."""
FEW = 30
"""Means of fewer hands than this are said to rest on too few."""


class Verbs(NamedTuple):
    """What checking or calling, and betting or raising, is called in remembered decisions."""

    passive: str
    active: str

    @classmethod
    def at(cls, view: View) -> "Verbs":
        """Return the verbs of decisions like the one at this view."""
        return cls(kind_of(view, CALL), "raise" if view.highest else "bet")

    @classmethod
    def after(cls, betting: str, street: int) -> "Verbs | None":
        """Return the verbs of heads-up decisions after betting such as "rc-cr"; None if it is too long."""
        if betting.startswith("…"):
            return None
        faces = bool(set(betting.rpartition("-")[2]) - set("fc")) if street else betting != "c"
        return cls("call" if faces else "check", "raise" if faces or not street else "bet")


class Relation(NamedTuple):
    """How the remembered decisions relate to the present one.

    They are `exact` where they agree in everything that is compared. `more_raises` is the number of bets and
    raises by which their betting differs; `same_start` says whether they are all of the same starting hand.
    """

    verbs: Verbs
    exact: bool = True
    same_start: bool = False
    more_raises: int = 0


class MemoryWords:
    """The summed solutions of the cases used at one view, and the words for them."""

    def __init__(
        self, seat: "CaseBasedSeat", view: View, solution: Solutions, policy: Policy, relation: Relation
    ) -> None:
        self.seat = seat
        self.view = view
        self.solution = solution
        self.verbs: Verbs = relation.verbs
        self.exact: bool = relation.exact
        self.same_start: bool = relation.same_start
        self.more_raises: int = relation.more_raises
        self.unit: str = unit_name(view.game)
        self.chosen: int = int(policy.codes[0][policy.probabilities[0].argmax()])
        self.counts: Ints = solution.counts[0]

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
            return verb("fold" if kind == 0 else self.verbs.passive, form)
        raised = verb(self.verbs.active, form)
        if name == "all-in":
            return verb("all-in", form)
        size = SIZES.get(name)
        return raised if size is None else f"{raised} {'by ' * (self.verbs.active == 'raise')}{size}"

    def sentences(self) -> list[str]:
        """Say what was done how often, what it earned, how that becomes the decision, and what else would."""
        seen = int(self.counts.sum())
        kinds = [kind for kind in np.argsort(-self.counts, kind="stable").tolist() if self.counts[kind]]
        where = f"{self._where(seen)} {self.expert}"
        if len(kinds) == 1:
            return [
                *self._always(where, seen, kinds[0]),
                *self.stands_for(),
                *self.unable(kinds),
                *self.would(),
            ]
        named = [kind for kind in kinds if self.counts[kind] >= RARE * seen][:NAMED]
        shares = [f"{self.done(kind)} {percent(self.counts[kind] / seen)}" for kind in named]
        results = self._results([*named, *self._rare_but_better(kinds, named)])
        ends = [self.how(), *self.stands_for(), *self.unable(named), *self.would()]
        return [f"{where} {joined(shares)} of the time", *results, *ends]

    def _where(self, seen: int) -> str:
        """Say which decisions are remembered: exactly these, or those most like this one."""
        many = counted(seen, "remembered decision")
        if self.exact:
            return f"in {many} like this"
        return f"in the {many if seen > 1 else 'remembered decision'} most like this"

    def _always(self, where: str, seen: int, kind: int) -> list[str]:
        """Say what was done every time."""
        earned = self._earned(kind)
        if seen == 1:
            return [f"{where} {self.done(kind)}{f' and {earned}' if earned else ''}"]
        return [f"{where} {self.done(kind)} every time{f' and {earned} on average' if earned else ''}"]

    def _rare_but_better(self, kinds: list[int], named: list[int]) -> list[int]:
        """Return the kind that the best mean result speaks for, if its rarity left it unnamed."""
        best = self.choice("best-outcome")
        rare = [kind for kind in kinds if kind not in named and self.codes[kind] == best]
        return rare[:1] if self._gain(best) > CLOSE else []

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
        alike = dict[str, list[str]]()
        for kind in kinds:
            alike.setdefault(self._earned(kind), []).append(self.done(kind, "gerund"))
        said = [f"{joined(done)} {_all(done)}{earned}" for earned, done in alike.items() if earned]
        return [f"Over the whole hand, on average, {joined(said)}"] if said else []

    def how(self) -> str:
        """Say how the frequencies become a decision."""
        shares = sorted(self.shares.values())
        if self.seat.policy_name in MOST_OFTEN and len(shares) > 1 and shares[-1] == shares[-2]:
            passive = verb(kind_of(self.view, CALL), "base")
            return (
                f"of actions that were taken equally often it prefers to {passive}, then to {self._raise()}"
            )
        return HOW.get(self.seat.policy_name, "")

    def _raise(self) -> str:
        return "raise" if self.view.highest else "bet"

    def stands_for(self) -> list[str]:
        """Say so where actions had another name in memory: a check where there is a bet to call now."""
        here = Verbs.at(self.view)
        if self.verbs.passive == here.passive:
            return []
        situation = "nobody had bet" if self.verbs.passive == "check" else "there was a bet to call"
        calls, raises = verb(here.passive, "present"), verb(here.active, "present")
        said = f"for a {self.verbs.passive} there it {calls} here, and for a {self.verbs.active} it {raises}"
        return [f"in those decisions {situation}: {said}"]

    def unable(self, kinds: list[int]) -> list[str]:
        """Say so where an action that was taken is not possible here, and what stands for it."""
        instead = f"it {verb(kind_of(self.view, CALL), 'present')} instead"
        if any(kind > 1 and self.codes[kind] == CALL for kind in kinds):
            return [f"No raise is possible here any more, so {instead}"]
        if kinds[0] == 0 and self.codes[0] == CALL:
            return [f"There is nothing to pay here, so {instead}"]
        return []

    def would(self) -> list[str]:
        """Say what the other policies would do where they would do something else."""
        said = []
        for name, phrase in WOULD.items():
            code = self.choice(name)
            if name == self.seat.policy_name or code == self.chosen:
                continue
            if name != "best-outcome" or self._gain(code) > CLOSE:
                said.append(f"{phrase}, it would {action_words(self.view, code)} instead")
        return ["; ".join(said)] if said else []

    def _gain(self, code: int) -> float:
        """Return how much better the mean result of an action is than that of the chosen one."""
        mine = self.results.get(self.chosen, -np.inf)
        return self.results.get(code, -np.inf) - mine if np.isfinite(mine) else np.inf

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
            return [self._no_proof(max(better, key=self.results.__getitem__))]
        if self.more_raises:
            said = raises_words(self.more_raises)
            return [f"those pots had {said}, so their results do not say what a fold would save here"]
        return [self._loss(mine)] if mine < -CLOSE and self.view.to_call and self.chosen != FOLD else []

    def _no_proof(self, best: int) -> str:
        """Say why an action with a better mean result than the chosen one need not be better."""
        other, own = kind_of(self.view, best), kind_of(self.view, self.chosen)
        better = f"another size of {verb(own, 'gerund')}" if other == own else verb(other, "gerund")
        they, their = ("they", "their") if self.expert == EXPERTS else ("it", "its")
        if self.same_start and not self.view.street:
            why = "with the same starting hand, results vary widely from hand to hand"
        elif other == own:
            why = f"{self.expert} saw {their} own cards and chose the size by them"
        else:
            acted = f"{verb(other, 'past')} with other hands than {they} {verb(own, 'past')} with"
            why = f"{self.expert} saw {their} own cards and {acted}"
        return f"that {better} did better does not prove it better: {why}{self._scarce(best, self.chosen)}"

    def _loss(self, mine: float) -> str:
        """Compare the mean loss of an action with what a fold would cost."""
        paid = int(self.view.alone.rows["paid"][0][self.view.seat]) / self.view.game.unit[0]
        given_up = f"gives up the {money(paid, self.unit)} already put in"
        if mine >= -paid:
            return f"a loss on average does not make a fold better: that {given_up}"
        return (
            f"a fold would have lost less: it {given_up}{self._scarce(self.chosen).replace(', and', ', but')}"
        )

    def _scarce(self, *codes: int) -> str:
        """Say so where the results of these actions rest on few hands."""
        few = min(self._sum(self.solution.settled[0], code) for code in codes)
        return f", and {counted(few, 'hand')} {'is' if few == 1 else 'are'} too few to tell" * (few < FEW)


def _all(done: list[str]) -> str:
    """Return "both " or "all " where several actions earned the same."""
    return ("", "both ", "all ")[min(len(done), 3) - 1]
