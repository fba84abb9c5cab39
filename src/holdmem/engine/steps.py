"""The steps of a hand: what each action was, given the betting before it."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from holdmem.engine.batch import Batch
from holdmem.engine.describe import action_verb, describe_action, third_person
from holdmem.engine.game import Game
from holdmem.engine.kernels.batch import act_all


class HandStep(NamedTuple):
    """One action: seat, street, chips paid, and the bets before and after it."""

    street: int
    seat: int
    action: int
    paid: int
    highest: int
    """Highest bet on this street before the action: if 0, a raise is called a bet."""
    total: int
    """The seat's bet on this street after the action."""
    all_in: bool

    @classmethod
    def before(cls, state: np.record, action: int) -> "HandStep":
        """Return the step about to be taken in this state; `after` completes it."""
        seat = int(state["to_act"])
        paid, bet = int(state["paid"][seat]), int(state["bet"][seat])
        return cls(int(state["street"]), seat, action, paid, int(state["highest"]), bet, all_in=False)

    def after(self, state: np.record) -> "HandStep":
        """Complete the step from the state that it led to."""
        paid = int(state["paid"][self.seat]) - self.paid
        all_in = paid > 0 and not state["stack"][self.seat]
        return self._replace(paid=paid, total=self.total + paid, all_in=all_in)

    @property
    def verb(self) -> str:
        """Verb for the action: folds, checks, calls, bets or raises."""
        return third_person(action_verb(self.action, self.paid, self.highest))

    def describe(self, amount: Callable[[int], str] = str) -> str:
        """Describe the action: fold, check, call 10, bet 20, raise to 40, with "all-in" if it is."""
        return describe_action(self.action, self.paid, self.highest, all_in=self.all_in, amount=amount)


def replay_steps(game: Game, stacks: Sequence[int], actions: Iterable[int]) -> list[HandStep]:
    """Return the steps of a hand that began with these stacks.

    The actions must have been played or checked before: they are not checked again.
    """
    batch, steps, table = Batch(game, np.arange(game.deck_cards)[None], [stacks]), [], np.zeros(1, np.int64)
    for action in actions:
        step = HandStep.before(batch.hands[0], int(action))
        act_all(game.rules_row, batch.hands, batch.history, table, np.array([action], np.int64))
        steps.append(step.after(batch.hands[0]))
    return steps
