"""A local best response in plain Python: one hand, one holding and one view after another."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from types import SimpleNamespace

from holdmem.engine import CALL, FOLD, Game
from holdmem.strength import hand_equities
from naive.legal_policy import legal_chances
from naive.rules import Hand

BOARD_CARDS = (0, 3, 4, 5)
Holding = tuple[int, int]
Wishes = Callable[[Holding, list[int], int, int, int], tuple[list[int], list[int] | None]]
"""Hole cards, board, seat, actions so far, pot to weights and totals of raises."""


@dataclass
class Duel:
    """One hand of a local best response in `seat` against an agent with these wishes."""

    game: Game
    deck: list[int]
    seat: int
    wishes: Wishes
    shares: tuple[float, ...]
    actions: list[int] = field(default_factory=list)
    luck: float = 0.0

    def __post_init__(self) -> None:
        self.hand = Hand(self.game, self.deck, self.game.stacks)
        holes = [tuple(sorted(self.deck[2 * seat : 2 * seat + 2])) for seat in (0, 1)]
        self.own, self.theirs = holes[self.seat], holes[1 - self.seat]
        free = [card for card in range(52) if card not in self.own]
        self.weight = dict.fromkeys(combinations(free, 2), 1.0)
        self.meet()
        self.luck = min(self.game.big_blind, *self.game.stacks) * self.worth(self.weight)

    def board(self) -> list[int]:
        return list(self.deck[4 : 4 + BOARD_CARDS[self.hand.street]])

    def meet(self) -> None:
        """Holdings that are still possible, and the equity against each."""
        board = self.board()
        self.weight = {hole: w for hole, w in self.weight.items() if w and not set(hole) & set(board)}
        pairs = [[self.own, hole] for hole in self.weight]
        equity = hand_equities(pairs, [board] * len(pairs) if board else None).equity[:, 0]
        self.equity = dict(zip(self.weight, equity.tolist(), strict=True))

    def worth(self, weight: dict[Holding, float]) -> float:
        total = sum(weight.values())
        return sum(w * (2 * self.equity[hole] - 1) for hole, w in weight.items()) / total

    def value(self, hand: Hand, weight: dict[Holding, float]) -> float:
        """Chips won by the exploiter if the hand is over by a fold, or if all is called and checked."""
        if hand.live() != [0, 1]:
            loser = 1 - hand.live()[0]
            return hand.paid(loser) * (1 if loser != self.seat else -1)
        stake = min(hand.paid(seat) + min(hand.owed(seat), hand.stack(seat)) for seat in (0, 1))
        return stake * self.worth(weight)

    def after(self, action: int) -> Hand:
        """The hand as it would be, still on this street."""
        found = Hand(self.game, self.deck, self.game.stacks, list(self.hand.steps), self.hand.street)
        seat = found.to_act()
        found.steps.append(found.step(seat, action))
        return found

    def answer(self, hand: Hand, hole: Holding) -> dict[int, float]:
        """What the agent does with a holding."""
        call, least, most = hand.legal()
        pot = hand.paid(0) + hand.paid(1)
        weights, totals = self.wishes(hole, self.board(), 1 - self.seat, len(hand.steps), pot)
        view = SimpleNamespace(to_call=call, min_raise_to=least, max_raise_to=most)
        probabilities = legal_chances(view, weights, totals)
        return {action: float(chance) for action, chance in probabilities.items()}

    def play(self, uniforms: Iterator[float]) -> None:
        while (seat := self.hand.to_act()) is not None:
            if seat == self.seat:
                self.act(self.choose())
            else:
                self.follow(next(uniforms))

    def act(self, action: int) -> None:
        street, before = self.hand.street, self.value(self.after(action), self.weight)
        self.actions.append(action)
        self.hand.act(action)
        if self.hand.street > street:
            self.meet()
            self.luck += self.value(self.hand, self.weight) - before

    def follow(self, uniform: float) -> None:
        """The agent acts with its own cards; the mean over what it could have done is counted as such."""
        answers = {hole: self.answer(self.hand, hole) for hole in self.weight}
        chosen = None
        for action, chance in answers[self.theirs].items():
            chosen = action if chosen is None or uniform >= 0 else chosen
            uniform -= chance
        posterior: dict[int, dict[Holding, float]] = {}
        for hole, probabilities in answers.items():
            for action, chance in probabilities.items():
                posterior.setdefault(action, {})[hole] = self.weight[hole] * chance
        total = sum(self.weight.values())
        values = {action: self.value(self.after(action), part) for action, part in posterior.items()}
        mean = sum(sum(part.values()) / total * values[action] for action, part in posterior.items())
        self.luck += values[chosen] - mean
        self.weight = posterior[chosen]
        self.act(chosen)

    def choose(self) -> int:
        call, least, most = self.hand.legal()
        options = {CALL: self.value(self.after(CALL), self.weight)}
        if call:
            options[FOLD] = -self.hand.paid(self.seat)
        for total in self.raises(call, least, most):
            options.setdefault(total, self.value_of_raise(self.after(total)))
        return max(options, key=lambda action: options[action])

    def raises(self, call: int, least: int, most: int) -> list[int]:
        if not most:
            return []
        if self.game.limit:
            return [least]
        pot = self.hand.paid(0) + self.hand.paid(1) + call
        wanted = [self.hand.highest() + int(min(share * pot, most)) for share in self.shares]
        return [sorted([least, total, most])[1] for total in wanted]

    def value_of_raise(self, raised: Hand) -> float:
        folds = {hole: self.answer(raised, hole).get(FOLD, 0.0) for hole in self.weight}
        stays = {hole: w * (1 - folds[hole]) for hole, w in self.weight.items()}
        total, left = sum(self.weight.values()), sum(stays.values())
        calls = left / total * self.value(raised, stays) if left else 0.0
        return (1 - left / total) * raised.paid(1 - self.seat) + calls

    def result(self) -> float:
        return self.value(self.hand, self.weight) - self.luck

    def money(self) -> float:
        return float(self.hand.result()[self.seat])
