"""The decision units of figures 1 to 3 and the names by which they can be switched off (§6)."""

from holdmem.core.errors import AgentError, nearest

UNITS = {
    "opponent": "opponent model: without it every opponent stays an average one",
    "preflop": "preflop rules: without them it calls before the flop",
    "dprc": "dynamic preflop range control: without it the played range is fixed",
    "postflop": "postflop rules: without them it checks and calls after the flop",
    "cases": "case-based unit: without it the rules' triple is used as it is",
    "bluff": "bluff unit: without it the rules also decide with unplayable hands",
    "dpac": "dynamic postflop aggression control: without it a hand stays in its own bucket",
}


def switched_off(text: str) -> tuple[str, ...]:
    """Parse unit names such as `dprc+dpac` and return them in the order of `UNITS`."""
    names = [name.strip() for name in text.split("+") if name.strip()]
    for name in names:
        if name not in UNITS:
            raise AgentError(
                f"plicas:off: expected units such as dprc+dpac, got {name!r}; {nearest(name, list(UNITS))};"
                f" the units are {', '.join(UNITS)}"
            )
    return tuple(unit for unit in UNITS if unit in names)
