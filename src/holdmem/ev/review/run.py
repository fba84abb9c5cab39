"""Review the hands of a player: cut them into units, value every decision, and test what it cost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from holdmem.core.errors import NotationError, nearest
from holdmem.core.parallel import WorkerDied, WorkerPool
from holdmem.core.random import Streams
from holdmem.core.types import Ints, Progress
from holdmem.ev.estimate import SCREENING, THOROUGH, Precision
from holdmem.ev.players import NamedPlayer, compared_with, named_player, packed_player
from holdmem.ev.review.leaks import find_leaks
from holdmem.ev.review.reference_hands import find_reference_hands
from holdmem.ev.review.report import LeakReport
from holdmem.ev.review.units import Columns, ReviewUnit, cut, joined, review_unit
from holdmem.history import Hands
from holdmem.history.stats import StatFilter, count_statistics
from holdmem.people.imitate import remember_person
from holdmem.people.observe import observe
from holdmem.players.clone import POPULATION

FIELD = "field"
"""Name of the model that is learned from the others' decisions in the reviewed hands."""
ENOUGH = 500
"""Hands from which the others are modelled by their own decisions."""
LEARNED_FROM = 20_000
"""Hands at most from which they are."""


DEAREST = 100
"""Decisions with the largest loss that are valued again, more precisely and with new samples."""
QUICK = Precision(first=32, most=32)
"""Precision of the first page."""
COMPARED = Precision(first=512)
"""Precision of the dearest decisions under the other models."""


def review_hands(
    hands: Hands,
    player: str,
    reference: NamedPlayer,
    others: NamedPlayer | None = None,
    *,
    also: Sequence[NamedPlayer] | None = None,
    same_hands: str | None = None,
    precision: Precision = SCREENING,
    again: int = DEAREST,
    seed: int = 0,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda text: None,
    first_page: Callable[[LeakReport], None] | None = None,
) -> LeakReport:
    """Review a player's hands against a reference; without `others` they are modelled by the hands.

    `first_page` gets a review of few samples before the others are drawn. The `again` decisions with the
    largest loss are valued again with new samples, so that being chosen does not make their loss larger, and
    under the models `also`, by default two. `same_hands` is the name that the reference has in these hands,
    if it is one of their players.
    """
    mine = _of(hands, player)
    model = others or field_model(mine, player, say)
    task = _Task(mine, player, reference, model, seed, tuple(compared_with(model) if also is None else also))
    with WorkerPool(workers, on) as crew:
        if first_page is not None:
            first_page(task.review(joined(_run(crew, task.units(QUICK), None)), QUICK))
        columns = joined(_run(crew, task.units(precision), progress))
        dearest = np.argsort(-columns["loss"], kind="stable")[:again]
        if len(dearest):
            say(f"valuing the {len(dearest)} dearest decisions again")
            units = task.again(columns, dearest)
            replace_rows(columns, joined(_run(crew, units, None)))
            compare_rows(columns, [joined(_run(crew, task.under(one, units), None)) for one in task.also])
    found = task.review(columns, precision)
    say("finding hands of the reference")
    shown = find_reference_hands(found, reference, model, hands, same_hands, Streams.of(seed, "reference"))
    return replace(found, reference_hands=shown)


@dataclass(frozen=True, eq=False)
class _Task:
    """What is reviewed, and how."""

    hands: Hands
    player: str
    reference: NamedPlayer
    others: NamedPlayer
    seed: int
    also: tuple[NamedPlayer, ...]

    def unit(self, number: int, begin: int, part: Hands, precision: Precision) -> ReviewUnit:
        return ReviewUnit(number, begin, part, self.player, self.reference, self.others, precision, self.seed)

    def units(self, precision: Precision) -> list[ReviewUnit]:
        """Return all hands in units."""
        return [
            self.unit(number, begin, part, precision) for number, (begin, part) in enumerate(cut(self.hands))
        ]

    def again(self, columns: Columns, places: Ints) -> list[ReviewUnit]:
        """Return the decisions at these places in units, to be valued until they are told apart."""
        found: list[ReviewUnit] = []
        keys = list(zip(columns["hand"][places].tolist(), columns["action"][places].tolist(), strict=True))
        for hand in sorted(dict(keys)):
            unit = self.unit(len(found), hand, self.hands[hand : hand + 1].packed(), THOROUGH)
            found.append(replace(unit, only=frozenset(keys), purpose="review again"))
        return found

    def under(self, others: NamedPlayer, units: list[ReviewUnit]) -> list[ReviewUnit]:
        """Return the same decisions, to be valued with the same random numbers under another model."""
        return [replace(unit, others=others, precision=COMPARED) for unit in units]

    def review(self, columns: Columns, precision: Precision) -> LeakReport:
        """Return the report of the hands once their decisions are valued."""
        only = StatFilter(player=(self.player,))
        return LeakReport(
            player=self.player,
            reference=self.reference.words,
            others=self.others.words,
            also=tuple(one.words for one in self.also) if "loss_low" in columns else (),
            hands=self.hands,
            columns=columns,
            tests=find_leaks(columns, len(self.hands)),
            statistics=next(iter(count_statistics([self.hands], ("player",), only))),
            precision=precision,
        )


def _run(crew: WorkerPool, units: list[ReviewUnit], progress: Progress | None) -> list[Columns]:
    """Return the columns of all units, in their order."""
    found: dict[int, Columns] = {}
    done, total = 0, sum(len(unit.hands) for unit in units)
    for unit, result in crew.run(review_unit, units):
        if isinstance(result, WorkerDied):
            raise result
        found[unit.number] = result
        done += len(unit.hands)
        if progress is not None:
            progress(done, total)
    return [found[number] for number in sorted(found) if found[number]]


def replace_rows(columns: Columns, better: Columns) -> None:
    """Replace the values of decisions that were valued again, and mark them."""
    columns["again"] = np.zeros(len(columns["hand"]), dtype=np.bool_)
    if not better:
        return
    order = _places(columns, better)
    for name, column in better.items():
        if not isinstance(column, list):
            columns[name][order] = column
    columns["again"][order] = True


def compare_rows(columns: Columns, models: Sequence[Columns]) -> None:
    """Add the range of losses and values over other models, NaN for decisions that were not compared."""
    if not models:
        return
    order = _places(columns, models[0])
    for name in ("loss", "values"):
        every = np.stack([model[name] for model in models])
        for end, reached in (("low", every.min(axis=0)), ("high", every.max(axis=0))):
            columns[f"{name}_{end}"] = np.full(columns[name].shape, np.nan)
            columns[f"{name}_{end}"][order] = reached


def _places(columns: Columns, some: Columns) -> list[int]:
    """Return where the decisions of `some` are among all."""
    keys = zip(columns["hand"].tolist(), columns["action"].tolist(), strict=True)
    places = {key: place for place, key in enumerate(keys)}
    return [places[key] for key in zip(some["hand"].tolist(), some["action"].tolist(), strict=True)]


def _of(hands: Hands, player: str) -> Hands:
    if player not in hands.players:
        raise NotationError(f"no player {player!r} in these hands; {nearest(player, list(hands.players))}")
    mine = hands.with_player(player)
    sits = (mine.rows["player"] == mine.players.index(player)) & mine.known & mine.seated
    if not sits.any():
        raise NotationError(f"the hole cards of {player} are known in none of these hands")
    return mine


def field_model(hands: Hands, player: str, say: Callable[[str], None] = lambda text: None) -> NamedPlayer:
    """Return a model of the others in these hands, as one player; the population if there are few hands."""
    population = named_player(POPULATION)
    if len(hands) < ENOUGH:
        return replace(population, words=f"{population.words} (too few hands to learn from)")
    some = hands[:LEARNED_FROM]
    others = [name for name in hands.players if name != player]
    say(f"learning how the others play from {len(some):,} hands")
    observed = observe([some], others)
    person = remember_person(population.player, observed, FIELD, {"hands": len(some)})  # type: ignore[arg-type]
    return packed_player(person, field_words(len(some)))


def field_words(hands: int) -> str:
    """Return how the model that was learned from this many hands is spoken of."""
    return f"the others in these {hands:,} hands on average"
