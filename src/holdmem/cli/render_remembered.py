"""One case with the hands it was made of, as plain values for JSON and as text in the terminal."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from holdmem.cbr.case_base import CaseBase
    from holdmem.cbr.remembered import RememberedHand


def shown(base: "CaseBase", which: str, folder: "Path | None" = None) -> dict[str, Any]:
    """Return a case by street and number (`flop:12`): features, actions, outcomes and hands.

    With the folder of a case base that `holdmem improve` wrote, also the triple that replaces what was
    remembered, if the case is revised.
    """
    import numpy as np

    from holdmem.engine import STREET_NAMES

    street, place = parse_case(base, which)
    cases = base.streets[street]
    one = cases.solutions[np.array([place])]
    outcomes = [round(value, 3) if np.isfinite(value) else None for value in one.outcomes[0].tolist()]
    actions = base.representation.actions.names
    return {
        "case": f"{STREET_NAMES[street]}:{place}",
        "features": cases.features.words({name: column[place] for name, column in cases.values.items()}),
        "seen": int(one.seen[0]),
        "actions": dict(zip(actions, one.counts[0].tolist(), strict=True)),
        "outcomes": dict(zip(actions, outcomes, strict=True)),
        **_revised(base, street, place, folder),
        "hands": [hand_values(hand) for hand in cases.examples(place)],
    }


def _revised(base: "CaseBase", street: int, place: int, folder: "Path | None") -> dict[str, Any]:
    from holdmem.cbr.revise import FILE, PARTS, read_revisions

    if folder is None or not (folder / FILE).exists():
        return {}
    parts = read_revisions(folder, base).triples[street][place].tolist()
    names = base.representation.actions.names
    return (
        {"revised": {name: part / PARTS for name, part in zip(names, parts, strict=True)}}
        if any(parts)
        else {}
    )


def parse_case(base: "CaseBase", which: str) -> tuple[int, int]:
    """Return the street and the number of a case named like `flop:12`."""
    from holdmem.core.errors import NotationError
    from holdmem.engine import STREET_NAMES

    street, _, number = which.partition(":")
    if street not in STREET_NAMES or not number.isascii() or not number.isdecimal():
        raise NotationError(f"expected a street and the number of a case, such as flop:12, got {which!r}")
    count = len(base.streets[STREET_NAMES.index(street)])
    if len(number) > 18 or int(number) >= count:
        raise NotationError(f"{street} has {count:,} cases, counted from 0; there is no case {number}")
    return STREET_NAMES.index(street), int(number)


def hand_values(kept: "RememberedHand") -> dict[str, Any]:
    """Return a remembered hand as values and as the lines of a hand history."""
    from holdmem.history.describe import as_json, describe_hand

    hand = kept.hands[0]
    return {
        **as_json(hand),
        "expert": hand.names[kept.seat],
        "seat": kept.seat,
        "decision": kept.decision,
        "history": describe_hand(hand),
    }


def print_shown(answer: dict[str, Any]) -> None:
    """Print one case and its hands."""
    print(f"case {answer['case']}, seen {answer['seen']:,} times")
    for name, value in answer["features"].items():
        print(f"  {name}: {value}")
    for name, count in answer["actions"].items():
        if count:
            earned = answer["outcomes"][name]
            mean = "" if earned is None else f", earned {earned:+.2f} on average"
            print(f"  {name}: {count:,} times{mean}")
    if "revised" in answer:
        print("  revised: " + ", ".join(f"{name} {share:.1%}" for name, share in answer["revised"].items()))
    if not answer["hands"]:
        print("\nNo hands are kept for this case.")
    for hand in answer["hands"]:
        verb = hand["actions"][hand["decision"]]["verb"]
        print(f"\n{hand['expert']}, seat {hand['seat'] + 1}, {verb} (action {hand['decision'] + 1}):")
        print("\n".join(hand["history"]))
