"""Put an explanation together: situation and decision in words from a view and a policy."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from holdmem.agent.ask import ask_one
from holdmem.agent.contract import ExplainingSeat, Policy, PolicySeat, Seat
from holdmem.agent.explanation import Detail, ExampleHand, ExplainedAction, Explanation
from holdmem.agent.views import View
from holdmem.agent.words.actions import action_words
from holdmem.agent.words.english import joined, percent, sentence
from holdmem.agent.words.situation import describe_situation

NO_REASON = "it gives no reasons"
MOST_NAMED = 4
"""Number of actions that the sentence on a decision names; unlikely ones beyond are left to the table."""
LEAST_NAMED = 0.01
"""Probability below which an action is unlikely."""
NEVER = 1e-6
"""Probability up to which an action is not mentioned at all."""


def explained(
    view: View,
    policy: Policy | Sequence[tuple[int, float]],
    reasons: Sequence[str] = (),
    *,
    remembered: Mapping[int, float] | None = None,
    worth: Mapping[int, float] | None = None,
    measure: str = "",
    hands: Sequence[ExampleHand] = (),
    details: Sequence[Detail] = (),
) -> Explanation:
    """Return an explanation of one decision.

    Parameters
    ----------
    view : the decision.
    policy : the policy at this view, or pairs (action, probability).
    reasons : the reasons for the decision, in sentences.
    remembered : share of remembered decisions by action.
    worth : value of each action, and `measure`, what that value is.
    hands : remembered hands like this one.
    details : details for developers.
    """
    probabilities = _probabilities(policy)
    shares, values = remembered or {}, worth or {}
    codes = sorted({*probabilities, *shares, *values}, key=lambda code: (-probabilities.get(code, 0.0), code))
    actions = [
        ExplainedAction(
            code,
            action_words(view, code),
            probabilities.get(code, 0.0),
            shares.get(code, 0.0) if remembered is not None else None,
            values.get(code),
        )
        for code in codes
    ]
    return Explanation(
        describe_situation(view),
        decision_words(view, [(code, probabilities[code]) for code in codes if code in probabilities]),
        tuple(map(sentence, reasons)),
        tuple(actions),
        measure if values else "",
        tuple(hands),
        tuple(details),
    )


def _probabilities(policy: Policy | Sequence[tuple[int, float]]) -> dict[int, float]:
    """Return the actions of positive probability; equal actions are added up."""
    pairs = policy
    if isinstance(policy, Policy):
        pairs = list(zip(policy.codes[0].tolist(), policy.probabilities[0].tolist(), strict=True))
    total: dict[int, float] = {}
    for code, probability in pairs:  # type: ignore[union-attr]
        if probability > 0:
            total[int(code)] = total.get(int(code), 0.0) + float(probability)
    return total


def explain_seat(seat: Seat, view: View, action: int | None = None, name: str = "the agent") -> Explanation:
    """Return a seat's explanation of a decision, completed by its policy or action where it gives none.

    A seat without a policy is asked for its action unless that is given; errors call it `name`.
    """
    found = seat.explain(view) if isinstance(seat, ExplainingSeat) else Explanation()
    if found.actions and found.situation:
        return found
    if isinstance(seat, PolicySeat):
        plain = explained(view, seat.policy(view.alone), found.reasons or [NO_REASON])
    else:
        code = ask_one(seat, view.alone, name) if action is None else action
        plain = explained(view, [(code, 1.0)], found.reasons or [NO_REASON])
    return replace(plain, hands=found.hands, details=found.details)


def decision_words(view: View, probabilities: Sequence[tuple[int, float]]) -> str:
    """Say what is done: "It raises to 40 (62%), calls 10 (30%) or folds (8%)."; most probable first."""
    probabilities = [pair for pair in probabilities if pair[1] > NEVER]
    if not probabilities:
        return ""
    if len(probabilities) == 1:
        return f"It {action_words(view, probabilities[0][0], 'present')}."
    count = max(1, sum(probability >= LEAST_NAMED for _, probability in probabilities[:MOST_NAMED]))
    count += len(probabilities) == count + 1 <= MOST_NAMED  # one other action is no shorter unnamed
    named = [
        f"{action_words(view, code, 'present')} ({percent(probability)})"
        for code, probability in probabilities[:count]
    ]
    rest = sum(probability for _, probability in probabilities[count:])
    named += [f"does something else ({percent(rest)})"] if rest > 0 else []
    return f"It {joined(named, 'or')}."


__all__ = ["decision_words", "explain_seat", "explained"]
