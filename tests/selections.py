"""Which values of a parameter run in `make test`, and which only in `make test-all`."""

from collections.abc import Collection, Iterable

import pytest


def quick_and_long(values: Iterable[str], long: Collection[str]) -> list[object]:
    """Return all values, marking those that take long."""
    return [pytest.param(value, marks=pytest.mark.long) if value in long else value for value in values]
