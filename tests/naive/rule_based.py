"""The rule players as their descriptions read, one view at a time."""

from fractions import Fraction

from holdmem.cards import CLASSES
from holdmem.engine import CALL, FOLD
from naive.rules import Hand

RANKS = "23456789TJQKA"


def opponents(view):
    """How many others have not folded."""
    return sum(view.live) - 1


def random(view, kind, size):
    """Call, fold and raise alike where they are legal, and every total alike; by two numbers below one."""
    totals = range(view.min_raise_to, view.max_raise_to + 1)
    actions = [CALL]
    actions += [FOLD] if view.to_call else []
    actions += [totals[int(size * len(totals))]] if view.max_raise_to else []
    return actions[int(kind * len(actions))]


def simplebot(view, ihs, ppot, leak=True, details=False):
    """The rules of docs/field.md: weights of fold, call and raise, and the total of the raise."""
    if view.street == 0:
        return *_simplebot_before_the_flop(view, leak, details), view.min_raise_to
    price, pot = view.to_call, view.pot
    bet = 2 * (pot + price) // 3
    left = view.stacks[view.seat] - price - bet
    all_in = left < bet and (price == 0 or not details)
    total = view.max_raise_to if all_in else min(view.highest + bet, view.max_raise_to)
    ppot = ppot * 44 / 45 if details and view.street == 2 else ppot
    rank = ihs ** opponents(view)
    if rank == 1:
        return 0, 0, 1, total
    if price == 0:
        bets = rank**2 + (1 - rank**2) * ppot
        return 0, 1 - bets, bets, total
    raises = rank ** (1 + view.raises)
    if rank**2 * pot > price or ppot > price / (pot + price):
        return 0, 1 - raises, raises, total
    return 1 - raises, 0, raises, total


def _simplebot_before_the_flop(view, leak, details):
    one, other = (RANKS[card // 4] for card in view.hole)
    suited = view.hole[0] % 4 == view.hole[1] % 4
    pair, high_cards = one == other, one in "TJQKA" and other in "TJQKA"
    if pair and leak and view.raises >= 2:
        return _seldom(view)
    if pair or (high_cards and not (details and leak and view.raises >= 2)):
        strong = (high_cards or one == "2") if pair else suited
        return (0, 0, 1) if strong and view.raises == 0 else (0, 1, 0)
    connected = abs(RANKS.index(one) - RANKS.index(other)) == 1
    if suited and (connected or "A" in (one, other)):
        return 0, 1, 0
    return _seldom(view)


def simplebot_against_a_caller(folds, opens, ranks, potentials, outcome, limit):
    """The rules of docs/field.md without a table: SimpleBot's win from always-call on given cards, in bb.

    Nobody ever bets into it, so each street it bets with a chance that only the cards decide. In no-limit
    that multiplies what each has in the pot by 1 + 4/3, in limit it adds a bet. `folds` is how likely it
    gives up its small blind, `opens` what each puts in before the flop, `outcome` 1, 0 or -1 at the showdown.
    """
    stake = opens
    for rank, ppot, bet in zip(ranks, potentials, (1, 2, 2), strict=True):
        bets = rank**2 + (1 - rank**2) * ppot
        stake = stake + bet * bets if limit else stake * (1 + 4 / 3 * bets)
    return folds * -0.5 + (1 - folds) * stake * outcome


def _seldom(view):
    return (0.95, 0.05, 0) if view.to_call <= view.game.big_blind else (1, 0, 0)


def dpp(view, e_hs, preflop, edge):
    """Raises above its fair share, pays what its chance is worth; `preflop` is E[HS^n] of its class."""
    n = opponents(view)
    chance = preflop[n] if view.street == 0 else e_hs**n
    total = view.highest + (view.pot + view.to_call) // 2
    if chance == 1 or chance / (1 - chance) * n >= edge * 2**view.raises:
        return 0, 0, 1, total
    return (0, 1, 0, total) if chance >= view.to_call / (view.pot + view.to_call) else (1, 0, 0, total)


def temper(view, ihs, ppot, share, loose, aggressive, size):
    """docs/field.md, Jagbot: `share` of holdings are as good or better."""
    total = view.highest + int(size * (view.pot + view.to_call))
    if view.street == 0:
        if share <= loose * aggressive / 2 / 2**view.raises:
            return 0, 0, 1, total
        if share > (loose if view.raises < 2 else loose / 2):
            return 1, 0, 0, total
        whim = aggressive / 5 if view.raises < 2 else 0
        return 0, 1 - whim, whim, total
    rank = ihs ** min(opponents(view), 2)
    if view.to_call == 0:
        bets = 1 if rank >= 1 - aggressive else aggressive / 2
        return 0, 1 - bets, bets, total
    if rank >= 1 - aggressive / 2**view.raises:
        return 0, 0, 1, total
    whim = aggressive / 10 if view.raises < 2 else 0
    if rank >= 1 - loose or ppot > view.to_call / (view.pot + view.to_call):
        return 0, 1 - whim, whim, total
    return 1 - whim, 0, whim, total


class Learner:
    """WHLBot's memory at one table: a value and a count for each state and action, and what others did."""

    def __init__(self, rate):
        self.rate = rate
        self.values, self.visits = {}, {}
        self.hands = self.played = self.raises = self.calls = 0

    def kind(self):
        """The opponents' type."""
        return ("loose" if self.played > 0.28 * self.hands else "tight", self.raises > self.calls)

    def watch(self, game, deck, stacks, actions, mine):
        """One hand that has ended, in which we had the seats `mine`."""
        hand, kind = Hand(game, deck, stacks), self.kind()
        done, played = [], set()
        for action in actions:
            seat, price = hand.to_act(), hand.legal()[0]
            if seat in mine:
                if hand.street == 0:
                    state = deck_class(deck, seat), place(game, seat), kind, betting(game, hand)
                    done.append((seat, state, action))
            else:
                self.raises += action > 0
                self.calls += action == CALL and price > 0
                if hand.street == 0 and (action > 0 or (action == CALL and price > 0)):
                    played.add(seat)
            hand.act(action)
        for seat, state, action in done:
            self._learn(state, min(max(action, -1), 1), Fraction(hand.result()[seat]) / game.big_blind)
        self.hands += game.seats - len(mine)
        self.played += len(played)

    def _learn(self, state, action, won):
        key = (state, action)
        self.visits[key] = self.visits.get(key, 0) + 1
        step = max(1 / self.visits[key], self.rate)
        self.values[key] = self.values.get(key, 0.0) + step * (float(won) - self.values.get(key, 0.0))


def deck_class(deck, seat):
    """The name of the class of a seat's hole cards."""
    one, other = sorted(deck[2 * seat : 2 * seat + 2], reverse=True)
    kind = "" if one // 4 == other // 4 else "s" if one % 4 == other % 4 else "o"
    name = RANKS[one // 4] + RANKS[other // 4] + kind
    assert name in CLASSES
    return name


def place(game, seat):
    """Which third of the order before the flop."""
    return ("early", "middle", "late")[3 * ((seat - game.first[0]) % game.seats) // game.seats]


def betting(game, hand):
    """How far the betting before the flop has gone."""
    bets = [hand.bet(seat) for seat in hand.seats()]
    if max(bets) > game.big_blind:
        return "raised" if max(bets) <= 2 * game.big_blind else "raised high"
    return "called" if any(bet > blind for bet, blind in zip(bets, game.blinds, strict=True)) else "nothing"
