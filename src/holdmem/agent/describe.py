"""Names of players at one table."""

from collections.abc import Sequence


def numbered(names: Sequence[str]) -> list[str]:
    """Return the names, with a number appended to each name that occurs more than once."""
    return [
        f"{name} {names[: i + 1].count(name)}" if list(names).count(name) > 1 else name
        for i, name in enumerate(names)
    ]
