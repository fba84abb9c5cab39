"""The dearest cases of a memory, as plain values for JSON and as text in the terminal."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdmem.cbr.case_base import CaseBase
    from holdmem.learning.costly_cases import MemoryCosts


def costs_shown(base: "CaseBase", found: "MemoryCosts", most: int) -> dict[str, Any]:
    """Return the dearest cases with their costs, better actions and remembered hands."""
    from holdmem.cli.render_remembered import shown
    from holdmem.engine import STREET_NAMES

    actions = base.representation.actions.names
    return {
        "is": "an estimate from sampled flops",
        "flops": found.flops,
        "seed": found.seed,
        "exploitability": found.exploitability,
        "unit": "mbb/h",
        "cases": [
            {
                "cost": case.cost,
                "better": actions[case.action],
                **shown(base, f"{STREET_NAMES[case.street]}:{case.place}"),
            }
            for case in found.dearest(most)
        ],
    }


def print_costs(answer: dict[str, Any]) -> None:
    """Print the dearest cases."""
    print(
        f"a best response wins {answer['exploitability']:,.1f} mbb/h on {answer['flops']} random flops"
        f" (seed {answer['seed']}); costs are estimates from these flops, and do not add up"
    )
    for case in answer["cases"]:
        counts = ", ".join(f"{name} {count:,}" for name, count in case["actions"].items() if count)
        print(f"\n{case['cost']:8.3f} mbb/h  case {case['case']}: {counts}; better: {case['better']}")
        for name, value in case["features"].items():
            print(f"           {name}: {value}")
        for hand in case["hands"][:1]:
            print("\n".join(f"           {line}" for line in hand["history"]))
