"""Code of the river's kernels in training: the actions a responder takes, and what they leave the strategy.

A responder's actions on the river are a code of two bits for each of its decisions; see `exact_response.cu`.
"""

from typing import Any, NamedTuple

import numpy as np

from .responder import OWN, THEIRS


class RiverPart(NamedTuple):
    """A part of the river's betting for one seat, with its kernel."""

    part: Any
    module: Any
    own: list[int]  # decision * 3 + action of each own action
    stake: Any
    shared: int


def coded_decisions(street: Any) -> list[int]:
    """Return the decisions of the responder in the order of their bits in a code."""
    return sorted({int(street.decision[node]) for node in np.flatnonzero(street.kind == OWN)})


def code_of_best(street: Any, part: Any) -> str:
    """Return `best_code` and `join_code` for a part of the river's betting."""
    place = {decision: 2 * k for k, decision in enumerate(coded_decisions(street))}
    ends = {node: f"leaf[{k}]" for k, node in enumerate(part.leaves)}
    ends |= {node: f"fold[{k}]" for k, node in enumerate(part.folds)}
    lines = []
    for node in reversed(part.nodes):
        after = [(action, child) for action, child in enumerate(street.child[node].tolist()) if child >= 0]
        if node in ends:
            lines.append(f"  const float v{node} = {ends[node]};")
        elif street.kind[node] == THEIRS:
            lines.append(f"  const float v{node} = {' + '.join(f'v{child}' for _, child in after)};")
        else:
            (first, child), *others = after
            lines.append(f"  float v{node} = v{child};\n  uint32_t c{node} = {first};")
            lines += [f"  if (v{c} > v{node}) v{node} = v{c}, c{node} = {a};" for a, c in others]
            lines.append(f"  code |= c{node} << {place[int(street.decision[node])]};")
    root, shift = street.kind[0] == OWN, place.get(int(street.decision[0]), 0)
    action = street.child[0].tolist().index(part.root)
    chosen = f"(uint16_t)((known & ~{3 << shift}u) | {action << shift}u)"
    joined = {
        "first": f"  *to = value;\n  *codes = (uint16_t)(code | {action << shift if root else 0}u);",
        "sum": "  *to += value;\n  *codes = (uint16_t)(*codes | code);",
        "larger": "  uint16_t known = *codes;\n"
        f"  if (value > *to) *to = value, known = {chosen};\n  *codes = (uint16_t)(known | code);",
    }
    return (
        "DEVICE float best_code(const float* leaf, const float* fold, uint32_t& code) {\n"
        + "\n".join(lines) + f"\n  return v{part.root};\n}}\n"
        "DEVICE void join_code(const float* leaf, const float* fold, float* to, uint16_t* codes) {\n"
        "  uint32_t code = 0;\n  const float value = best_code(leaf, fold, code);\n"
        + joined[part.join] + "\n}\n"
    )  # fmt: skip


def answered_code(street: Any, part: Any) -> str:
    """Return `answered_value`: the value of a part, and what each of the strategy's own actions earns."""
    ends = {node: f"leaf[{k}]" for k, node in enumerate(part.leaves)}
    ends |= {node: f"fold[{k}]" for k, node in enumerate(part.folds)}
    own = {step: f"own[{k} * roots]" for k, step in enumerate(part.own)}
    lines = []
    for node in reversed(part.nodes):
        after = [(action, child) for action, child in enumerate(street.child[node].tolist()) if child >= 0]
        terms = [f"{own[node, a]} * v{c}" if (node, a) in own else f"v{c}" for a, c in after]
        lines.append(f"  const float v{node} = {ends.get(node) or ' + '.join(terms)};")
    children = {step: street.child[step[0]].tolist()[step[1]] for step in part.own}
    lines += [f"  earned[{k}] = v{children[step]};" for k, step in enumerate(part.own)]
    before = "".join(f"{own[step]} * " for step in part.own if step[0] not in part.nodes)
    return (
        "DEVICE float answered_value(const float* leaf, const float* fold, const float* own, int64_t roots,"
        " float* earned) {\n" + "\n".join(lines) + f"\n  return {before}v{part.root};\n}}\n"
    )


def slot_codes(street: Any, part: Any, responds: Any) -> str:
    """Return the bits of a code that lead to each slot of a part, as the strategy's seat sees it."""
    place = {decision: 2 * k for k, decision in enumerate(coded_decisions(responds))}
    codes = [_way_to(street, slot, place) for slot in part.slots]
    lines = []
    for name, numbers in zip(("SLOT_MASK", "SLOT_WANT"), zip(*codes, strict=True), strict=True):
        choices = "".join(f"(s) == {k} ? {number}u : " for k, number in enumerate(numbers[:-1]))
        lines.append(f"#define {name}(s) ({choices}{numbers[-1]}u)\n")
    return "".join(lines)


def _way_to(street: Any, slot: int, place: dict[int, int]) -> tuple[int, int]:
    """Return the bits of the decisions that lead to a slot, and their values."""
    mask = want = 0
    while slot >= 0:
        decision, action = divmod(int(street.slot_action[slot]), 3)
        mask |= 3 << place[decision]
        want |= action << place[decision]
        slot = int(street.slot_from[slot])
    return mask, want
