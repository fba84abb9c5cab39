"""The dearest cases of a memory, as plain values for JSON and as text in the terminal."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from holdmem.cbr.case_base import CaseBase
    from holdmem.learning.costly_cases import MemoryCosts
    from holdmem.learning.improve import Improvement


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
                **({"saving": found.savings[number]} if number < len(found.savings) else {}),
                "better": actions[case.action],
                **shown(base, f"{STREET_NAMES[case.street]}:{case.place}"),
            }
            for number, case in enumerate(found.dearest(most))
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
        if "saving" in case:
            print(f"{case['saving']:8.3f} mbb/h  saved if this case alone always plays that")
        for name, value in case["features"].items():
            print(f"           {name}: {value}")
        for hand in case["hands"][:1]:
            print("\n".join(f"           {line}" for line in hand["history"]))


def print_round(number: int, found: "MemoryCosts") -> None:
    """Report a round of improvement on stderr."""
    print(
        f"round {number + 1}: a best response wins {found.exploitability:,.1f} mbb/h before this step"
        f" ({found.flops} fresh flops, seed {found.seed})",
        file=sys.stderr,
    )


def improvement_shown(base: "CaseBase", found: "Improvement", folder: "Path", most: int) -> dict[str, Any]:
    """Return what was revised: the rounds, the agreement with the teacher, and some revised cases."""
    measured = {
        "is": "estimates from sampled flops, fresh ones for each round",
        "unit": "mbb/h",
        "exploitability_before_step": [one.exploitability for one in found.rounds],
    }
    return {
        **(measured if found.rounds else {"is": "not measured"}),
        "cases": len(base),
        "revised": found.revised,
        "agreement": found.revisions.overlap(base),
        **_revised_cases(base, found, folder, most),
        "folder": str(folder),
    }


def _revised_cases(base: "CaseBase", found: "Improvement", folder: "Path", most: int) -> dict[str, Any]:
    """Return the cases that cost most at first or, where costs are not known, those that changed most."""
    from holdmem.cli.render_remembered import shown
    from holdmem.engine import STREET_NAMES

    if not found.rounds:
        changed = found.most_changed(most)
        return {"changed": [shown(base, f"{STREET_NAMES[one]}:{place}", folder) for one, place in changed]}
    return {
        "dearest": [
            {"cost": case.cost, **shown(base, f"{STREET_NAMES[case.street]}:{case.place}", folder)}
            for case in found.rounds[0].dearest(most)
        ]
    }


def print_improvement(answer: dict[str, Any]) -> None:
    """Print a summary of an improvement and some revised cases."""
    from holdmem.cli.render_remembered import print_shown

    print(
        f"revised {answer['revised']:,} of {answer['cases']:,} cases;"
        f" {answer['agreement']:.1%} of the remembered decisions are played as before"
    )
    for case in answer.get("dearest", []):
        print(f"\ncost {case['cost']:.3f} mbb/h at first")
        print_shown(case)
    for case in answer.get("changed", []):
        print()
        print_shown(case)
    print(f"\nplay it: memory:cases={answer['folder']},policy=revised")
