"""Roll-outs, the slow and obvious way: one deal, one action and one step of the hand after another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from math import sqrt

from holdmem.engine import CALL, FOLD
from naive.dealing import deal
from naive.decision import BOARD_CARDS, Decision, Holes, pot_of, situation_of, sized_raise
from naive.opponents import FOLDED, LEVELS, RAISED, chance, level_of, quantiles, strength_of
from naive.philox import trial_numbers
from naive.rules import Hand

NUMBERS, DEALING, PURPOSE = 96, 32, 1


@dataclass
class Models:
    """By seat: weights of holdings and action probabilities by situation; levels of holdings now."""

    weights: Mapping[int, Sequence[float]]
    shares: Mapping[int, Sequence[Sequence[float]]]
    levels: Sequence[int | None]
    places: dict[int, list[float]] = field(init=False)

    def __post_init__(self) -> None:
        self.places = {seat: quantiles(weights, self.levels) for seat, weights in self.weights.items()}

    def quantile(self, decision: Decision, seat: int, street: int, level: int) -> float:
        """Where in the range of a seat a level is; levels before the flop say nothing of later ones."""
        if street > decision.view.street == 0:
            return (level + 0.5) / LEVELS
        return self.places[seat][level]


@dataclass
class PlayOut:
    """One hand played on from the decision."""

    decision: Decision
    models: Models
    holes: Holes
    hand: Hand
    numbers: Iterator[float]
    to_showdown: bool

    def result(self, action: int) -> float:
        """What the player has in the end, more than if it had folded."""
        self.hand.act(action)
        while (seat := self.hand.to_act()) is not None:
            self.hand.act(self.choose(seat))
        return float(self.hand.result()[self.decision.view.seat]) + self.decision.paid

    def choose(self, seat: int) -> int:
        if self.to_showdown:
            return self.answer(seat)
        return self.own_action(seat) if seat == self.decision.view.seat else self.modelled_action(seat)

    def answer(self, seat: int) -> int:
        """Opponents fold or call on the street of the decision; all else is checked or called."""
        view, to_call = self.decision.view, self.hand.legal()[0]
        if seat == view.seat or self.hand.street > view.street or to_call == 0:
            return CALL
        return FOLD if next(self.numbers) < self.chance_to(FOLDED, seat, may_raise=False) else CALL

    def own_action(self, seat: int) -> int:
        """Bet above 0.5, raise above 0.75 and 0.08 for each raise before, call by pot odds."""
        next(self.numbers)
        to_call, _, most = self.hand.legal()
        winning = self.strength(seat) ** (len(self.hand.live()) - 1)
        border = 0.75 + 0.08 * self.hand.raises_towards_cap() if to_call else 0.5
        if winning > border and most:
            return sized_raise(self.hand)
        if to_call and winning < to_call / (pot_of(self.hand) + to_call):
            return FOLD
        return CALL

    def modelled_action(self, seat: int) -> int:
        """Fold, raise or call as the seat's model says of its holding; nobody folds to nothing."""
        to_call, _, most = self.hand.legal()
        fold = self.chance_to(FOLDED, seat, bool(most)) if to_call else 0.0
        number = next(self.numbers)
        if number < fold:
            return FOLD
        if most and number < fold + self.chance_to(RAISED, seat, may_raise=True):
            return sized_raise(self.hand)
        return CALL

    def strength(self, seat: int) -> float:
        board = self.hand.deck[2 * self.hand.game.seats :][: BOARD_CARDS[self.hand.street]]
        return strength_of(self.holes[seat], tuple(board))

    def chance_to(self, kind: int, seat: int, may_raise: bool) -> float:
        level = level_of(self.strength(seat))
        quantile = self.models.quantile(self.decision, seat, self.hand.street, level)
        return chance(kind, quantile, self.models.shares[seat][situation_of(self.hand, seat)], may_raise)


def expected_values(
    decision: Decision, models: Models, actions: Sequence[int], rollouts: int, to_showdown: bool
) -> tuple[list[float], list[float]]:
    """The mean result of each action and its standard error, over the same deals for all of them."""
    results: list[list[float]] = [[] for _ in actions]
    for trial in range(rollouts):
        numbers = trial_numbers(decision.key, PURPOSE, trial, NUMBERS)
        dealt = deal(decision, models.weights, numbers[:DEALING])
        if dealt is not None:
            for action, found in zip(actions, results, strict=True):
                hand, rest = decision.hand(*dealt), cycle(numbers[DEALING:])
                playing = PlayOut(decision, models, dealt[0], hand, rest, to_showdown)
                found.append(playing.result(action))
    return [mean(found) for found in results], [standard_error(found) for found in results]


def mean(results: Sequence[float]) -> float:
    return sum(results) / max(len(results), 1)


def standard_error(results: Sequence[float]) -> float:
    """From the variance of these results, divided by their number."""
    middle = mean(results)
    return sqrt(mean([(result - middle) ** 2 for result in results]) / max(len(results), 1))
