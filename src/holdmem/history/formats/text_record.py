"""Convert what was parsed from the text of one hand into a record, the same for every site.

Seats are ordered from the left of the button and posts become the terms of the game. The chips are tracked
through the hand: every call must match the amount due, and the chips paid in must equal those paid out.
"""

from collections import Counter

from holdmem.core.errors import NotationError
from holdmem.engine import PARTS, SEATS, Game
from holdmem.history.formats.chip_tracker import ChipTracker
from holdmem.history.formats.hand_text import ActionLine, HandText, UnreadableHand
from holdmem.history.formats.text_terms import in_full, terms_of, uncapped
from holdmem.history.hands import UNKNOWN, RecordedHand, Terms

DEAD = ("posts the ante", "posts dead blind")
"""Posts that are not bets."""


def record(text: HandText, stated: Terms | None = None) -> RecordedHand:
    """Build the record: seats in order, posts as terms, deeds as actions.

    `stated` are the terms if the text gives them; all its players are then dealt in, and no post is partly
    dead.
    """
    if not text.deeds:
        text.stop("no blinds and no actions", "a hand that was not played")
    dealt = {deed.seat for deed in text.deeds} if stated is None else set(text.names)
    order, terms, table = _played(text, _order(text, dealt), stated)
    if stated is None and terms.game.limit and table.over_cap():
        terms = uncapped(terms)
    net, rake = _result(text, order, table)
    return RecordedHand(
        terms=terms,
        names=[text.names[seat] for seat in order],
        stacks=[text.stacks[seat] for seat in order],
        hole=[_two(text.cards.get(seat, [])) for seat in order],
        board=text.board,
        betting=table.betting,
        net=net,
        rake=rake,
        number=text.number,
        table=text.table,
        time=text.time,
        line=text.line,
        site=text.site,
        second=text.second,
    )


def _played(text: HandText, order: list[int], stated: Terms | None) -> tuple[list[int], Terms, ChipTracker]:
    """Play the hand; if it does not fit, again with short blinds called in full, or with another button."""
    posts = [deed for deed in text.deeds if deed.verb.startswith("posts")]
    problem = None
    for seats in _orders(text, order):
        marked = list(posts)
        terms = terms_of(text, seats, marked) if stated is None else _checked(text, stated, seats, marked)
        full = [in_full(terms)] if stated is None and _short(terms.game, seats, marked) else []
        for tried in (terms, *full):
            try:
                return seats, tried, _followed(text, seats, marked, tried)
            except UnreadableHand as error:
                problem = problem or error
    assert problem is not None
    raise problem


def _orders(text: HandText, order: list[int]) -> list[list[int]]:
    """Return the order from the button, and the one from the small blind if the button contradicts it."""
    small = next((deed.seat for deed in text.deeds if deed.verb == "posts small blind"), None)
    if small is None or len(order) == 2 or order[0] == small:
        return [order]
    place = order.index(small)
    return [order, order[place:] + order[:place]]


def _followed(text: HandText, order: list[int], posts: list[ActionLine], terms: Terms) -> ChipTracker:
    """Return the table after all posts and actions."""
    table = ChipTracker(text, order, terms.game)
    for deed in posts:
        table.post(deed)
    table.open()
    for deed in text.deeds:
        if not deed.verb.startswith("posts"):
            table.do(deed)
    table.end_street()
    return table


def _short(game: Game, order: list[int], posts: list[ActionLine]) -> bool:
    """Return whether a seat posted less than its blind, or could not post it after its ante."""
    alive = Counter[int]()
    for deed in posts:
        alive[order.index(deed.seat)] += deed.total
    return any(alive[seat] < blind for seat, blind in enumerate(game.blinds))


def _checked(text: HandText, stated: Terms, order: list[int], posts: list[ActionLine]) -> Terms:
    """Return the terms stated for the hand, and mark which posts are bets."""
    if stated.game.seats != len(order):
        text.stop(f"expected {stated.game.seats} players, got {len(order)}", "a game for other seats")
    posts[:] = [post._replace(total=0 if post.verb in DEAD else post.chips) for post in posts]
    return stated


def _order(text: HandText, dealt: set[int]) -> list[int]:
    """Return the seats that were dealt in, from the left of the button."""
    around = max([*text.names, text.button]) + 1
    order = sorted(dealt, key=lambda seat: (seat - text.button - 1) % around)
    if not 2 <= len(order) <= SEATS:
        text.stop(f"expected 2 to {SEATS} players, got {len(order)}", "a hand without opponents")
    return order


def _two(cards: list[int]) -> tuple[int, int]:
    if len(cards) > 2:
        raise NotationError(f"expected two hole cards, got {len(cards)}")
    first, second = [*cards, UNKNOWN, UNKNOWN][:2]
    return first, second


def _result(text: HandText, order: list[int], table: ChipTracker) -> tuple[list[int], int]:
    """Return each seat's result from the chips paid, returned and collected, and the rake."""
    back = _returned(text, order, table)
    staked = sum(table.paid) - back.total()
    if not _adds_up(text, staked):
        rake = "the rake" if text.rake == UNKNOWN else text.rake
        reason = f"expected {staked} chips in pot and rake, got {text.won.total()} and {rake}"
        text.stop(reason, "a pot that does not add up")
    both = back + text.won
    net = [PARTS * (both[seat] - chips) for seat, chips in zip(order, table.paid, strict=True)]
    return net, staked - text.won.total()


def _returned(text: HandText, order: list[int], table: ChipTracker) -> Counter[int]:
    """Return uncalled bets; many histories have no lines for them, or count them among the winnings."""
    place, chips = table.uncalled()
    included = text.gross and text.rake == UNKNOWN
    if text.back or included or not _adds_up(text, sum(table.paid) - chips):
        return text.back
    return Counter({order[place]: chips})


def _adds_up(text: HandText, staked: int) -> bool:
    """Return whether winnings and rake, which may be unknown, are the chips that were staked."""
    missing = staked - text.won.total()
    fits = missing >= 0 if text.rake == UNKNOWN else abs(missing - text.rake) <= text.rounded
    return fits and text.pot in (UNKNOWN, staked)
