"""Print hand histories and their counts in the terminal."""

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable
    from pathlib import Path

    from holdmem.history import Hands, RecordedHand
    from holdmem.history.sources import Account, UnreadItem


def in_hands(count: int) -> str:
    """Return a count of hands in words: "1 hand", "2,000 hands"."""
    return f"{count:,} hand{'s' * (count != 1)}"


def print_account(account: "Account", unread: "Path | None", lister: str = "--unread FILE") -> None:
    """Print to stderr how many hands were read, repaired and left out, and why.

    `lister` is the command or option that lists every hand left out.
    """
    from rich.console import Console

    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    parts = [f"{in_hands(account.hands)} read"]
    if account.checked:
        apart = f"{len(account.differing):,} differ and were replaced" if account.differing else "all agree"
        parts.append(f"{account.checked:,} recorded results recomputed: {apart}")
    if account.raked:
        parts.append(f"{account.raked:,} raked")
    if account.inferred:
        parts.append(f"{account.inferred:,} results inferred: mucked hands lost to those shown")
    console.print("; ".join(parts), style="dim")
    for name in sorted(account.experimental):
        told_of = f"the reader of {name} is experimental: it has seen fewer than 20 real hands"
        console.print(told_of, style="yellow")
    for one in account.differing[:5]:
        console.print(f"  {one}", style="yellow")
    for counted, what, examples in (
        (account.repaired, "results repaired", account.repairs),
        (account.unscored, "results not used", account.impossible),
        (account.duplicates, "hands left out as duplicates", []),
    ):
        if counted:
            console.print(f"{counted.total():,} {what}: {_reasons(counted)}", style="yellow")
        for one in examples[:3]:
            console.print(f"  {one}", style="yellow")
    if account.skipped:
        console.print(f"{in_hands(account.skipped)} left out: {_reasons(account.reasons)}", style="yellow")
        for one in () if unread else account.unread[:3]:
            console.print(f"  {one}", style="yellow")
        console.print(f"all of them are in {unread}" if unread else f"{lister} lists them all", style="dim")


def _reasons(counted: "Counter[str]") -> str:
    return "; ".join(f"{count:,} {reason}" for reason, count in counted.most_common())


def tally_of(blocks: "Iterable[Hands]") -> dict[tuple[str, int], int]:
    """Count the hands by stakes and number of seats, most frequent first."""
    from collections import Counter

    import numpy as np

    from holdmem.history.describe import stakes

    found: Counter[tuple[str, int]] = Counter()
    for block in blocks:
        for place, many in zip(*np.unique(block.rows["terms"], return_counts=True), strict=True):
            terms = block.terms[place]
            found[stakes(terms), terms.game.seats] += int(many)
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def counts_json(tally: dict[tuple[str, int], int], account: "Account") -> dict[str, Any]:
    """Return the counts, and the account of all hands read and left out, as plain values."""
    return {
        "hands": sum(tally.values()),
        "games": [{"stakes": what, "players": seats, "hands": many} for (what, seats), many in tally.items()],
        "checked": account.checked,
        "differing": len(account.differing),
        "raked": account.raked,
        "unread": dict(account.reasons.most_common()),
        "account": account.as_json(),
    }


def print_counts(tally: dict[tuple[str, int], int]) -> None:
    """Print one line per game and number of players."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("game")
    for title in ("players", "hands"):
        table.add_column(title, justify="right")
    for (what, seats), many in tally.items():
        table.add_row(escape(what), str(seats), f"{many:,}")
    table.add_row("[bold]all[/bold]", "", f"[bold]{sum(tally.values()):,}[/bold]")
    Console(highlight=False).print(table)


def find_hand(
    blocks: "Iterable[Hands]", show: int | None, number: int | None, refused: "list[UnreadItem]"
) -> "RecordedHand":
    """Return the `show`-th hand, counted from 1, or else the hand with this number in its source.

    If that hand was refused, the error gives the reason.
    """
    import numpy as np

    from holdmem.core.errors import NotationError

    seen = 0
    for block in blocks:
        if show is not None and seen < show <= seen + len(block):
            return block[show - seen - 1]  # type: ignore[no-any-return]
        if show is None:
            for place in np.flatnonzero(block.rows["number"] == number)[:1].tolist():
                return block[place]  # type: ignore[no-any-return]
        seen += len(block)
    for one in refused:
        if show is None and one.number == number:
            raise NotationError(f"{one} (hand {number}, which was left out)")
    if show is not None:
        out = f"; {in_hands(len(refused))} left out, the first of them {refused[0]}" if refused else ""
        raise NotationError(f"expected a hand from 1 to {seen}, got {show}{out}")
    raise NotationError(f"no hand with number {number} among {in_hands(seen)}")


def print_hand(hand: "RecordedHand", as_json: bool) -> None:
    """Print one hand in words or as JSON."""
    from rich.console import Console

    from holdmem.history.describe import as_json as hand_json
    from holdmem.history.describe import describe_hand

    if as_json:
        print(json.dumps(hand_json(hand), indent=2, ensure_ascii=False))
        return
    console = Console(highlight=False, markup=False)
    for line in describe_hand(hand):
        console.print(line)
