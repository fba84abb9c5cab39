"""The rules once more: one hand as the list of what was done, everything else counted out of it anew.

Slow on purpose. Nothing is carried forward that can be recounted, so that this twin cannot share the
engine's mistakes of bookkeeping.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from holdmem.engine import CALL, FOLD, Game
from holdmem.engine.game import OddChips
from naive.evaluator import Ranking, rank_of

STREETS = 4
ACTIONS_A_STREET = 64


@dataclass(frozen=True)
class Step:
    """One action: who did it, what it was, the chips that it took, and, for a raise, its size."""

    street: int
    seat: int
    action: int
    chips: int
    size: int = 0
    full: bool = False


@dataclass
class Hand:
    """One hand of a game, from the deck and the stacks that it starts with to its exact result."""

    game: Game
    deck: Sequence[int]
    start: Sequence[int]
    steps: list[Step] = field(default_factory=list)
    street: int = 0

    # What lies on the table

    def blind(self, seat: int) -> int:
        """What the seat posted: its blind, or all that it had."""
        return min(self.game.blinds[seat], self.start[seat] - self.dead(seat) - self.ante(seat))

    def ante(self, seat: int) -> int:
        """What the seat paid before the blinds."""
        return min(self.game.antes[seat], self.start[seat] - self.dead(seat)) if self.game.antes else 0

    def dead(self, seat: int) -> int:
        """What the seat put into the main pot without betting it."""
        return self.game.dead[seat] if self.game.dead else 0

    def paid(self, seat: int) -> int:
        """In the whole hand, but for dead chips."""
        bets = sum(step.chips for step in self.steps if step.seat == seat)
        return self.ante(seat) + self.blind(seat) + bets

    def stack(self, seat: int) -> int:
        """What the seat has left."""
        return self.start[seat] - self.dead(seat) - self.paid(seat)

    def bet(self, seat: int) -> int:
        """On this street; blinds are bets before the flop."""
        posted = self.blind(seat) if self.street == 0 else 0
        return posted + sum(step.chips for step in self.on_street() if step.seat == seat)

    def highest(self) -> int:
        """The bet that everybody must match or be all-in below."""
        owed = max(self.game.blinds) if self.game.short_blinds == "in-full" and self.street == 0 else 0
        return max(owed, self.largest_bet())

    def largest_bet(self) -> int:
        """The most that anybody has bet on this street."""
        return max(self.bet(seat) for seat in self.seats())

    def on_street(self) -> list[Step]:
        """What was done on this street."""
        return [step for step in self.steps if step.street == self.street]

    def raises(self) -> list[Step]:
        """The raises on this street."""
        return [step for step in self.on_street() if step.size]

    def seats(self) -> range:
        """All seats."""
        return range(self.game.seats)

    def live(self) -> list[int]:
        """The seats that have not folded."""
        folded = {step.seat for step in self.steps if step.action == FOLD}
        return [seat for seat in self.seats() if seat not in folded]

    def playing(self) -> list[int]:
        """The seats that neither folded nor are all-in."""
        return [seat for seat in self.live() if self.stack(seat)]

    # Whose turn it is

    def answered(self) -> set[int]:
        """The seats that have acted on this street since its last raise, the raiser among them."""
        seats: set[int] = set()
        for step in self.on_street():
            seats = {step.seat} if step.size else seats | {step.seat}
        return seats

    def waiting(self) -> list[int]:
        """The seats that must still act on this street, in their order."""
        done = self.on_street()
        following = done[-1].seat + 1 if done else self.game.first[self.street]
        order = [(following + place) % self.game.seats for place in self.seats()]
        asked = set(self.playing()) - self.answered()
        return [seat for seat in order if seat in asked]

    def to_act(self) -> int | None:
        """The seat whose turn it is; nobody's once the hand is over."""
        waiting = self.waiting()
        if len(self.live()) == 1 or not waiting:
            return None
        seat = waiting[0]
        # Where the blinds put all others all-in, the last one with chips is asked only if it owes some.
        if not self.steps and self.playing() == [seat] and self.bet(seat) == self.largest_bet():
            return None
        return seat

    # What it may do

    def owed(self, seat: int) -> int:
        """What the seat is short of the highest bet, whether it has that or not."""
        return self.highest() - self.bet(seat)

    def legal(self) -> tuple[int, int, int]:
        """Chips that a call costs, and the least and the most that a raise may make it; 0 where none is."""
        seat = self.to_act()
        assert seat is not None
        to_call = min(self.owed(seat), self.stack(seat))
        if not self.may_raise(seat):
            return to_call, 0, 0
        all_in = self.bet(seat) + self.stack(seat)
        least = min(self.full_raise(), all_in)
        return to_call, least, least if self.game.limit else all_in

    def may_raise(self, seat: int) -> bool:
        """Whether nothing stands against a raise."""
        has_more_than_a_call = self.stack(seat) > self.owed(seat)
        somebody_could_answer = self.playing() != [seat]
        below_cap = self.raises_towards_cap() < self.game.max_raises[self.street]
        round_can_end = len(self.on_street()) + self.game.seats <= ACTIONS_A_STREET
        return (
            has_more_than_a_call
            and somebody_could_answer
            and below_cap
            and round_can_end
            and self.betting_is_open(seat)
        )

    def raises_towards_cap(self) -> int:
        """How many raises of this street count towards its cap."""
        every = self.game.cap_counts == "every-raise"
        return sum(every or step.full for step in self.raises())

    def betting_is_open(self, seat: int) -> bool:
        """Whether what the seat owes amounts to a full raise: the largest on this street so far."""
        if self.game.reopening == "any-raise":
            return True
        return self.owed(seat) >= max((step.size for step in self.raises()), default=0)

    def full_raise(self) -> int:
        """The least total that makes a full raise now, for a stack of any depth."""
        if self.game.raise_sizes:
            return self.highest() + self.game.raise_sizes[self.street]
        sizes = [step.size for step in self.raises()]
        least = self.game.min_bet or self.game.big_blind
        if self.game.after_short == "full-raise":
            return self.highest() + max([*sizes, least])
        # Each raise asks for one of its own size on top; a short one leaves the older demand standing.
        total = self.highest() - sum(sizes)
        demands = [total + least]
        for size in sizes:
            total += size
            demands.append(total + size)
        return max(demands)

    # Doing it

    def act(self, action: int) -> None:
        """The seat whose turn it is folds, calls, or raises to `action` chips on this street."""
        seat = self.to_act()
        assert seat is not None
        self.steps.append(self.step(seat, action))
        while self.street_is_over():
            self.street += 1

    def step(self, seat: int, action: int) -> Step:
        """The action with its price."""
        if action == FOLD:
            return Step(self.street, seat, action, chips=0)
        if action == CALL:
            return Step(self.street, seat, action, chips=min(self.owed(seat), self.stack(seat)))
        chips, size = action - self.bet(seat), action - self.highest()
        return Step(self.street, seat, action, chips, size, full=action >= self.full_raise())

    def street_is_over(self) -> bool:
        """Whether the next street is dealt and bet on: two seats or more still have chips to bet."""
        return not self.waiting() and len(self.playing()) > 1 and self.street + 1 < STREETS

    # How it ends

    def result(self) -> list[Fraction]:
        """What every seat won or lost, once the hand is over."""
        assert self.to_act() is None
        paid = [self.paid(seat) for seat in self.seats()]
        dead = [self.dead(seat) for seat in self.seats()]
        return settle(paid, self.ranks(), self.game.odd_chips, dead)

    def ranks(self) -> dict[int, Ranking]:
        """The ranking of the seven cards of each live seat; a lone one need not show."""
        live = self.live()
        if len(live) == 1:
            return {live[0]: ()}
        board = self.deck[2 * self.game.seats : 2 * self.game.seats + 5]
        return {seat: rank_of([*self.deck[2 * seat : 2 * seat + 2], *board]) for seat in live}


def settle(
    paid: Sequence[int], ranks: Mapping[int, Ranking], odd_chips: OddChips, dead: Sequence[int] = ()
) -> list[Fraction]:
    """What every seat won or lost, from what each paid and the rankings of those that are still in."""
    left = list(paid)
    won = [Fraction(-chips - extra) for chips, extra in zip(paid, dead or [0] * len(paid), strict=True)]
    unclaimed = sum(dead)
    while any(left):
        contenders = [seat for seat in ranks if left[seat]]
        layer = min(left[seat] for seat in contenders)
        if layer == max(
            left[seat] for seat in contenders
        ):  # the last pot has what folded seats paid beyond it
            layer = max(left)
        pot = sum(min(chips, layer) for chips in left) + unclaimed
        unclaimed = 0
        left = [max(chips - layer, 0) for chips in left]
        best = max(ranks[seat] for seat in contenders)
        winners = [seat for seat in contenders if ranks[seat] == best]
        for seat, share in zip(winners, shares(pot, len(winners), odd_chips), strict=True):
            won[seat] += share
    return won


def shares(pot: int, winners: int, odd_chips: OddChips) -> list[Fraction]:
    """How so many winners part one pot, in the order of their seats."""
    if odd_chips == "exact":
        return [Fraction(pot, winners)] * winners
    each, odd = divmod(pot, winners)
    return [Fraction(each + odd)] + [Fraction(each)] * (winners - 1)
