"""Games of every kind the rules allow, drawn by hypothesis."""

from hypothesis import strategies as st

from holdmem.engine import SEATS, Game

CHIPS = st.integers(1, 40)
SHORT_STACKS = st.integers(1, 300)


@st.composite
def games(draw: st.DrawFn, stacks: st.SearchStrategy[int] = SHORT_STACKS) -> Game:
    """Limit or no-limit, any seats, blinds, caps, order and rule book; stacks often shorter than a blind."""
    seats = draw(st.integers(2, SEATS))
    blinds = draw(st.lists(st.integers(0, 20), min_size=seats, max_size=seats).filter(any))
    limit = draw(st.booleans())
    start = draw(st.lists(stacks, min_size=seats, max_size=seats))
    antes = draw(st.just(()) | st.lists(st.integers(0, 5), min_size=seats, max_size=seats))
    dead = draw(st.just(()) | st.tuples(*(st.integers(0, min(8, chips - 1)) for chips in start)))
    return Game(
        name="drawn",
        blinds=tuple(blinds),
        stacks=tuple(start),
        raise_sizes=tuple(draw(st.lists(CHIPS, min_size=4, max_size=4))) if limit else None,
        max_raises=tuple(draw(st.lists(st.sampled_from([0, 1, 2, 3, 4, 255]), min_size=4, max_size=4))),
        antes=tuple(antes),
        dead=tuple(dead),
        min_bet=draw(st.just(0) | st.integers(1, 25)),
        first=tuple(draw(st.lists(st.integers(0, seats - 1), min_size=4, max_size=4))),
        odd_chips=draw(st.sampled_from(["exact", "first-seat"])),
        reopening=draw(st.sampled_from(["any-raise", "full-raise"])),
        after_short=draw(st.sampled_from(["complete", "full-raise"])),
        cap_counts=draw(st.sampled_from(["every-raise", "full-raises"])),
        short_blinds=draw(st.sampled_from(["as-posted", "in-full"])),
    )
