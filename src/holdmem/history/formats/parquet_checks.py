"""Check the rows of a stored block before they are built, with a reason for each damaged row.

Only nulls, list lengths and card numbers are checked, which decide whether a row can be built at all. Whether
a hand is playable is for the engine to decide, as with hands of any other source.
"""

import polars as pl

from holdmem.engine.state import BOARD_CARDS, SEATS

MAY_BE_NULL = "net"
BOARDS = ("board", "second_board")
PER_SEAT = {"stacks": 1, "hole": 2, "net": 1}
"""List columns, with their number of entries per name in `players`."""


def faults(frame: pl.DataFrame) -> pl.Series:
    """Return for each row what was expected and what was found; null where the row is sound."""
    if _sound(frame):
        return pl.Series("fault", [None], dtype=pl.String).new_from_index(0, len(frame))
    wrong = [
        *(
            pl.when(pl.col(name).is_null()).then(_missing(name))
            for name in frame.columns
            if name != MAY_BE_NULL
        ),
        *(pl.when(_gaps(name)).then(_missing(f"an entry of {name}")) for name in _lists(frame)),
        pl.when(~_length("players").is_between(2, SEATS)).then(_count("players", f"2 to {SEATS} players")),
        *(
            pl.when(_length(name) != times * _length("players")).then(
                _count(name, f"lists with {times} {name} per player")
            )
            for name, times in PER_SEAT.items()
        ),
        *(
            pl.when(_length(name) > BOARD_CARDS[-1]).then(_count(name, "lists of at most five board cards"))
            for name in BOARDS
        ),
        *(
            pl.when((pl.col(name).list.min() < -1) | (pl.col(name).list.max() > 51)).then(
                pl.format("expected cards from 0 to 51, or -1 for unknown, in {}", pl.lit(name))
            )
            for name in ("hole", *BOARDS)
        ),
    ]
    return frame.select(fault=pl.coalesce(wrong))["fault"]


def _sound(frame: pl.DataFrame) -> bool:
    """Return whether no row is at fault; checks whole columns at once, which is many times faster."""
    lists = {name: frame[name].drop_nulls() for name in _lists(frame)}
    entries = {name: flattened(column) for name, column in lists.items()}
    missing = frame.drop(MAY_BE_NULL).null_count().row(0)
    if any(missing) or any(column.null_count() for column in entries.values()):
        return False
    seats = frame["players"].list.len()
    where = frame[MAY_BE_NULL].is_not_null()
    per_seat = all(
        (lists[name].list.len() == times * (seats.filter(where) if name == MAY_BE_NULL else seats)).all()
        for name, times in PER_SEAT.items()
    )
    boards = all((lists[name].list.len() <= BOARD_CARDS[-1]).all() for name in BOARDS)
    cards = all(entries[name].is_between(-1, 51).all() for name in ("hole", *BOARDS))
    return per_seat and cards and boards and seats.is_between(2, SEATS).all()


def flattened(lists: pl.Series) -> pl.Series:
    """Return the entries of all lists, concatenated; exploding an empty list would add a null."""
    return lists.filter(lists.list.len() > 0).explode()


def _lists(frame: pl.DataFrame) -> list[str]:
    return [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]


def _length(name: str) -> pl.Expr:
    return pl.col(name).list.len().cast(pl.Int64)


def _gaps(name: str) -> pl.Expr:
    return pl.col(name).list.drop_nulls().list.len() < pl.col(name).list.len()


def _missing(what: str) -> pl.Expr:
    return pl.lit(f"missing value: {what}")


def _count(name: str, expected: str) -> pl.Expr:
    return pl.format("expected {}, got {}", pl.lit(expected), _length(name))
