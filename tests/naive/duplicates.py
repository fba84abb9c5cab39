"""Hands that were read before, in a dictionary."""

from collections.abc import Iterable

NEW, SAME, OTHER = range(3)


def states(hands: Iterable[tuple[int, int]], seen: dict[int, int]) -> list[int]:
    """Whether each hand, a key and its content, is new, the same as before, or another under its key."""
    found = []
    for key, content in hands:
        found.append(NEW if key not in seen else SAME if seen[key] == content else OTHER)
        seen.setdefault(key, content)
    return found
