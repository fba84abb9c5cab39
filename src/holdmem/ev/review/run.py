"""Review the hands of a player: cut them into units, value every decision, and test what it cost."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from holdmem.core.errors import NotationError, nearest
from holdmem.core.parallel import WorkerDied, run_units
from holdmem.core.types import Progress
from holdmem.ev.estimate import SCREENING, Precision
from holdmem.ev.players import POPULATION, NamedPlayer, named_player, packed_player
from holdmem.ev.review.leaks import find_leaks
from holdmem.ev.review.report import HandReview
from holdmem.ev.review.units import Columns, ReviewUnit, cut, joined, review_unit
from holdmem.history import Hands, join
from holdmem.history.stats import StatFilter, count_statistics
from holdmem.people.imitate import remember_person
from holdmem.people.observe import observe

FIELD = "field"
"""Name of the model that is learned from the others' decisions in the reviewed hands."""
ENOUGH = 500
"""Hands from which the others are modelled by their own decisions."""
LEARNED_FROM = 20_000
"""Hands at most from which they are."""


def review_hands(
    hands: Hands,
    player: str,
    reference: NamedPlayer,
    others: NamedPlayer | None = None,
    *,
    precision: Precision = SCREENING,
    seed: int = 0,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> HandReview:
    """Review a player's hands against a reference; without `others` they are modelled by the hands."""
    mine = _of(hands, player)
    model = others or field_model(mine, player, say)
    units = [
        ReviewUnit(number, begin, part, player, reference, model, precision, seed)
        for number, (begin, part) in enumerate(cut(mine))
    ]
    found: dict[int, Columns] = {}
    done = 0
    for unit, result in run_units(review_unit, units, workers, on):
        if isinstance(result, WorkerDied):
            raise result
        found[unit.number] = result
        done += len(unit.hands)
        if progress is not None:
            progress(done, len(mine))
    columns = joined([found[number] for number in sorted(found) if found[number]])
    line = next(iter(count_statistics([mine], ("player",), StatFilter(player=(player,)))))
    return HandReview(
        player=player,
        reference=reference.words,
        others=model.words,
        hands=mine,
        columns=columns,
        tests=find_leaks(columns, len(mine)),
        statistics=line,
        precision=precision,
    )


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
    return packed_player(person, f"the others in these {len(some):,} hands on average")


def joined_hands(blocks: Iterable[Hands]) -> Hands:
    """Return all blocks as one; NotationError without any hand."""
    found = list(blocks)
    if not found:
        raise NotationError("no readable hands to review")
    return join(found)
