"""CASPER: a case-based agent for limit with two to ten seats (Rubin 2007; docs/casper.md).

A case is an expert's decision: eight features before the flop, twelve on flop and turn, ten on the river
(tables 3.3 and 3.4), and the action taken. Global similarity is the weighted mean of the local similarities.
All cases with similarity 0.97 or above are used, at most the best 100; if there is none, the 20 most similar.
The frequencies of their actions form the probability triple from which the decision is sampled. Action counts
and outcomes are both kept, so cases can also be re-used by outcome.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from holdmem.agent import register
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.features import casper as ring
from holdmem.cbr.features.feature import Features
from holdmem.cbr.player import Retain
from holdmem.cbr.representation import Representation, declare
from holdmem.cbr.retain import RetainingSeat, RetainScope
from holdmem.cbr.retrieve import Threshold
from holdmem.cbr.reuse import PolicyName
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.similarity import Decay, Groups, Linear
from holdmem.cbr.store import read_cases
from holdmem.cbr.weight_sets import WeightSet, find_weights, is_file
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.casper_by_opponent import StyleMatchingSeat, style_of

PREFLOP = Features(
    players=Groups((8, 9, 10), (5, 6, 7), (3, 4), (2,)),
    position=Linear(reach=1.0),
    players_in=Linear(reach=9),
    yet_to_act=Linear(reach=9),
    bets_committed=Decay(k=1.0),
    bets_to_call=Decay(k=4.0),
    pot_odds=Linear(reach=0.5),
    hand_rank=Decay(k=4.0, reach=168),
)
RIVER = Features(
    players=Linear(reach=9),
    position=Linear(reach=1.0),
    previous_bets=Decay(k=1.0),
    players_in=Linear(reach=9),
    yet_to_act=Linear(reach=9),
    bets_committed=Decay(k=1.0),
    bets_to_call=Decay(k=4.0),
    bets_in_pot=Linear(reach=300),
    pot_odds=Linear(reach=0.5),
    ihs=Linear(reach=1.0),
)
FLOP = TURN = Features(**dict(RIVER.similarities), ppot=Decay(k=1.0), npot=Decay(k=1.0))
STREETS = (PREFLOP, FLOP, TURN, RIVER)

# Earlier variant (§3.3.5): effective hand strength instead of hand strength and positive potential.
FLOP_EHS = TURN_EHS = Features(
    **{name: local for name, local in RIVER.similarities if name != "ihs"},
    ehs=Linear(reach=1.0), npot=Decay(k=1.0),
)  # fmt: skip
STREETS_EHS = (PREFLOP, FLOP_EHS, TURN_EHS, RIVER)

WEIGHTS = {
    name: WeightSet.of(STREETS, [int(weight) for weight in numbers.split()])
    for name, numbers in {
        "hand-picked": """5 10 10 5 5 10 5 50  5 10 5 5 5 10 10 5 5 80 80 80
            5 5 5 5 5 20 20 5 5 80 80 80  5 5 5 5 5 10 10 15 40 80""",  # figure 4.1
        "general": """15 61 54 62 53 83 93 94  9 23 62 45 54 82 70 52 39 99 74 51
            26 14 22 15 16 55 7 35 32 96 72 71  38 1 55 37 6 98 99 1 26 98""",  # figure 4.6
        "opponent": """97 62 82 78 49 3 42 73  71 56 32 93 53 5 34 85 3 39 45 18
            46 1 73 22 41 55 100 93 27 32 33 13  36 7 6 4 79 94 98 55 52 69""",  # figure 4.11
    }.items()
}

CASPER = declare(
    WEIGHTS["hand-picked"].apply_to(
        Representation(
            "casper", STREETS, Threshold(0.97, most=100, otherwise=20), limit=True,
            seats=tuple(range(2, 11)), merged=False,
        )
    )
)  # fmt: skip


@register(
    "casper",
    style="weighs what experts did in the most similar situations, two to ten seats",
    source="Rubin (2007)",
)
@dataclass(frozen=True)
class Casper:
    """Samples from the actions taken in the cases above a similarity threshold.

    weights     hand-picked, general, opponent, random-SEED, 42 numbers separated by semicolons, or a file
    cases       folder of the case base; the shipped one by default
    policy      re-use policy
    strength    `ehs` compares flops and turns by effective hand strength
    threshold   similarity from which cases are used,
    most        at most this many of them,
    otherwise   or this many of the most similar cases if none reaches the threshold
    first       use only the cases of this many first hands of the case base (7000 for casper01)
    retain      whose decisions are added to the case base during play
    opponents   case bases of other tables, used where the players resemble theirs more
    """

    weights: str | Path = "hand-picked"
    cases: Path | None = None
    policy: PolicyName = "probabilistic"
    strength: Literal["ihs", "ehs"] = "ihs"
    threshold: float = 0.97
    most: int = 100
    otherwise: int = 20
    first: int | None = None
    retain: Retain = "nothing"
    opponents: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.opponents and (self.retain != "nothing" or self.first):
            raise AgentError("casper: opponents cannot be combined with retain or first")
        if isinstance(self.weights, str) and is_file(self.weights, WEIGHTS):
            object.__setattr__(self, "weights", Path(self.weights))  # results identify files by content

    @property
    def shipped_files(self) -> tuple[Path, ...]:
        """The case base if none is given; results depend on its contents."""
        return () if self.cases else (DATA / "casper",)

    def sit(self, game: Game, tables: int, rng: Streams) -> CaseBasedSeat | StyleMatchingSeat:
        """Return a seat for limit with two to ten seats."""
        CASPER.check(game)
        usual = self.cases or DATA / "casper"
        if not self.opponents:
            return self._remembering(usual, rng)
        seats = [self._remembering(folder, rng) for folder in (usual, *self.opponents)]
        styles = [
            style_of(seat.base.about, str(folder))
            for seat, folder in zip(seats, (usual, *self.opponents), strict=True)
        ]
        return StyleMatchingSeat(seats, styles, game, tables, rng)

    def _remembering(self, folder: Path, rng: Streams) -> CaseBasedSeat:
        """Return a seat that plays from the case base in a folder."""
        kept = read_cases(folder)
        if kept.representation != CASPER:
            raise AgentError(f"{folder}: expected cases of casper, got those of {kept.representation.name}")
        base = prepared_cases(kept, self.strength, self.first).reweighted(self.representation)
        if self.retain == "nothing":
            return CaseBasedSeat(base, self.policy, rng)
        whose: RetainScope = self.retain
        return RetainingSeat(base, self.policy, rng, whose)

    @property
    def representation(self) -> Representation:
        """Return the representation: features, their weights and the retrieval."""
        weights = find_weights(self.weights, STREETS, WEIGHTS)
        kind = weights.apply_to(
            replace(CASPER, retrieval=Threshold(self.threshold, self.most, self.otherwise))
        )
        return kind if self.strength == "ihs" else by_effective_strength(kind)


def by_effective_strength(kind: Representation) -> Representation:
    """Return the representation that compares flops and turns by EHS.

    EHS takes the weight of IHS. The weight of PPOT is dropped, since EHS includes it.
    """
    streets = []
    for features, other in zip(kind.streets, STREETS_EHS, strict=True):
        weights = dict(zip(features.names, features.weights, strict=True))
        weights["ehs"] = weights.get("ihs", 0.0)
        streets.append(other.with_weights(**{name: weights[name] for name in other.names}))
    return replace(kind, name="casper-ehs", streets=tuple(streets))


@lru_cache(maxsize=8)
def prepared_cases(base: CaseBase, strength: str, first: int | None) -> CaseBase:
    """Return the case base in terms of IHS, as stored, or of EHS; cached so that seats of a process share it.

    With `first` it holds only the cases of the first hands.
    """
    if first is not None:
        base = of_first_hands(base, first)
    if strength == "ihs":
        return base
    streets = []
    for cases, features in zip(base.streets, STREETS_EHS, strict=True):
        values = dict(cases.values)
        if "ppot" in values:
            values["ehs"] = ring.effective(values["ihs"], values["ppot"])
        chosen = {name: values[name] for name in features.names}
        streets.append(Cases(features, chosen, cases.solutions, cases.remembered))
    return CaseBase(by_effective_strength(base.representation), tuple(streets), base.about)


def of_first_hands(base: CaseBase, hands: int) -> CaseBase:
    """Return the case base restricted to its first `hands` hands, for which it must have a mark."""
    marks = base.about.get("marks", {})
    if str(hands) not in marks:
        raise AgentError(
            f"the case base has no mark for first={hands}; its marks: {', '.join(marks) or 'none'}"
        )
    streets = tuple(cases[:count] for cases, count in zip(base.streets, marks[str(hands)], strict=True))
    return CaseBase(base.representation, streets, base.about)
