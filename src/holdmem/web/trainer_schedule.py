"""Spaced repetition: which spot of a deck is asked next.

The rule is Leitner's (1972). Every spot is in a box, a new one in none. A right answer moves it one box up, a
wrong one down to the first. A spot in box k is due again `WAITS[k]` seconds after its last answer:

    ten minutes, one day, three days, one week, three weeks, two months

Asked next is the spot that has been due longest; if none is due, the next new one; if none is new, the one
that is due soonest. Nothing is random and nothing else counts: the same answers at the same times give the
same spots. Boxes follow from the answers, so that only answers are stored.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

MINUTE, DAY = 60.0, 86_400.0
WAITS = (10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY)


@dataclass(frozen=True)
class Answer:
    """An answer to a spot: when it was given, what it was, and what it was worth.

    `loss` and `error` are in big blinds, where expected values are known; `share` is how often the expert
    does the same, where that is what is judged.
    """

    spot: int
    time: float
    code: int
    right: bool
    loss: float | None = None
    error: float | None = None
    share: float | None = None


@dataclass(frozen=True)
class Card:
    """Where a spot stands: its box, and when it is due again."""

    box: int
    due: float


def after(card: Card | None, right: bool, time: float) -> Card:
    """Return where a spot stands after an answer; None stands for a new one."""
    box = 0 if not right else 1 if card is None else min(card.box + 1, len(WAITS) - 1)
    return Card(box, time + WAITS[box])


def cards_after(answers: Iterable[Answer]) -> dict[int, Card]:
    """Return where every spot that has been asked stands."""
    cards: dict[int, Card] = {}
    for one in answers:
        cards[one.spot] = after(cards.get(one.spot), one.right, one.time)
    return cards


def asking_order(spots: int, answers: Iterable[Answer], now: float) -> Iterator[int]:
    """Yield the numbers of all spots in the order in which they would be asked now."""
    cards = cards_after(answers)
    waiting = sorted(cards, key=lambda spot: (cards[spot].due, spot))
    yield from (spot for spot in waiting if cards[spot].due <= now)
    yield from (spot for spot in range(spots) if spot not in cards)
    yield from (spot for spot in waiting if cards[spot].due > now)


def next_spot(
    spots: int, answers: Sequence[Answer], now: float, ready: Callable[[int], bool | None]
) -> int | None:
    """Return the spot to ask now; None if it is better to wait.

    `ready` says whether a spot can be asked, None for one that is still being valued. Another due or new spot
    is asked in its place, but none is repeated before its time while there is something to wait for.
    """
    cards, waits = cards_after(answers), False
    for spot in asking_order(spots, answers, now):
        if waits and spot in cards and cards[spot].due > now:
            return None
        found = ready(spot)
        if found:
            return spot
        waits |= found is None
    return None


def counts(spots: int, answers: Iterable[Answer], now: float) -> dict[str, int]:
    """Return how many spots are due, new, and to be repeated later."""
    cards = cards_after(answers)
    due = sum(card.due <= now for card in cards.values())
    return {"due": due, "new": spots - len(cards), "later": len(cards) - due}
