"""Derive the terms of the game from the posts of a hand: blinds, antes and dead chips by seat."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from holdmem.engine import Game
from holdmem.engine.game import MANY_RAISES
from holdmem.history.formats.chip_tracker import CAP
from holdmem.history.formats.hand_text import ActionLine, HandText
from holdmem.history.hands import UNKNOWN, Terms

CENT = Fraction(1, 100)


def terms_of(text: HandText, order: list[int], posts: list[ActionLine]) -> Terms:
    """Derive blinds, antes and dead chips by seat; `total` of each post becomes the part that is a bet."""
    small, big = _blinds(text, posts)
    blinds, antes, dead = ([0] * len(order) for _ in range(3))
    opener, seen_big = UNKNOWN, False
    for at, deed in enumerate(posts):
        seat, alive = order.index(deed.seat), 0
        if deed.verb == "posts the ante":
            antes[seat] = max(post.chips for post in posts if post.verb == deed.verb)
        elif deed.verb == "posts small blind" and not seen_big and opener == UNKNOWN:
            blinds[seat], opener = small, seat
            alive = deed.chips
        elif deed.verb in ("posts small blind", "posts dead blind"):
            dead[seat] += deed.chips
        elif deed.verb == "posts small & big blinds":
            owed = deed.chips - big if not deed.all_in else min(small, deed.chips)
            dead[seat], blinds[seat], alive = owed, big, deed.chips - owed
        else:
            blinds[seat] = big if deed.verb == "posts big blind" else deed.chips
            alive = deed.chips
            if deed.verb == "posts straddle" or not (seen_big or deed.verb == "posts extra blind"):
                opener, seen_big = seat, True
        posts[at] = deed._replace(total=alive)
    if opener == UNKNOWN:
        text.stop("no blinds", "a hand without blinds")
    if not seen_big and (after := (opener + 1) % len(order)) in _broke(text, order, posts):
        blinds[after], opener = big, after
    sizes = None
    if text.limit:
        one, two = text.stakes if big != text.stakes[1] else (big, 2 * big)
        sizes = (one, one, two, two)
    least = 0 if text.limit else big
    shape = (tuple(blinds), tuple(antes), tuple(dead), sizes, least, opener)
    return _terms(text.format, *shape, text.currency, text.cents)


def _broke(text: HandText, order: list[int], posts: list[ActionLine]) -> set[int]:
    """Return the indices of players whose whole stack went to the ante."""
    antes = {deed.seat: deed.chips for deed in posts if deed.verb == "posts the ante"}
    return {order.index(seat) for seat, chips in antes.items() if chips == text.stacks[seat]}


def _blinds(text: HandText, posts: list[ActionLine]) -> tuple[int, int]:
    """Return small and big blind: as posted by a player who could pay in full, else from the stakes."""
    big = text.stakes[0] if text.limit else text.stakes[1]
    small = text.stakes[0] // 2 if text.limit else text.stakes[0]
    bigs = [post.chips for post in posts if post.verb == "posts big blind" and not post.all_in]
    smalls = [post.chips for post in posts if post.verb == "posts small blind" and not post.all_in]
    return (smalls or [small])[0], (bigs or [big])[0]


@lru_cache(maxsize=1000)
def _terms(
    format: str,
    blinds: tuple[int, ...],
    antes: tuple[int, ...],
    dead: tuple[int, ...],
    sizes: tuple[int, ...] | None,
    least: int,
    opener: int,
    currency: str,
    cents: bool,
) -> Terms:
    seats = len(blinds)
    game = Game(
        name=f"{format}.{'nolimit' if sizes is None else 'limit'}.{seats}p",
        blinds=blinds,
        raise_sizes=sizes,
        max_raises=(MANY_RAISES,) * 4 if sizes is None else CAP,
        first=((opener + 1) % seats, 0, 0, 0),
        antes=antes,
        dead=dead,
        min_bet=least,
        odd_chips="first-seat",
        reopening="full-raise",
        after_short="full-raise",
        cap_counts="full-raises",
    )
    return Terms(game, CENT if cents else Fraction(1), currency)


@lru_cache(maxsize=100)
def in_full(terms: Terms) -> Terms:
    return replace(terms, game=replace(terms.game, short_blinds="in-full"))


@lru_cache(maxsize=100)
def uncapped(terms: Terms) -> Terms:
    return replace(terms, game=replace(terms.game, max_raises=(MANY_RAISES,) * 4))
