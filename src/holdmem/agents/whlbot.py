"""WHLBot: learns before the flop which hands to fold, call and raise, and always raises after it."""

from dataclasses import dataclass

import numpy as np

from holdmem.agents.drawn import DrawnSeat
from holdmem.cards.classes import CLASS_OF, CLASSES
from holdmem.compiled import kernel
from holdmem.errors import AgentError, NotationError
from holdmem.rules import CALL, FOLD, PARTS, Game
from holdmem.table import Finished, Ground, Policy, State, Streams, Views, legal_policy, register
from holdmem.table.memories import taken

POSITIONS, TYPES, BETTINGS = 3, 4, 4
STATES = len(CLASSES) * POSITIONS * TYPES * BETTINGS
FOLDING, CALLING, RAISING = 0, 1, 2
SEEN, PLAYED, AGGRESSIVE, CALLS = 0, 1, 2, 3
LOOSE = 0.28
"""A player who plays more hands than this share is loose (Marques n.d.)."""


@kernel
def type_of(seen):
    """What the opponents were seen to be: 0 tight passive, 1 tight aggressive, 2 and 3 the same but loose."""
    return 2 * (seen[PLAYED] > LOOSE * seen[SEEN]) + (seen[AGGRESSIVE] > seen[CALLS])


@kernel
def state_of(cards, position, kind, betting):
    """The number of a state: class of the cards, position, type of the opponents, betting so far."""
    return ((cards * POSITIONS + position) * TYPES + kind) * BETTINGS + betting


@kernel
def position_of(rules, seat):
    """0 for the first third to act before the flop, to 2 for the last."""
    return POSITIONS * ((seat - rules.first[0]) % rules.seats) // rules.seats


@kernel
def betting_of(rules, paid):
    """0 where nobody has come in, 1 after calls alone, 2 after a raise to two big blinds at most, else 3."""
    betting = 0
    for seat in range(rules.seats):
        if paid[seat] > 2 * rules.big_blind:
            return 3
        if paid[seat] > rules.big_blind:
            betting = 2
        elif paid[seat] > rules.blind[seat]:
            betting = max(betting, 1)
    return betting


@kernel
def decide(rules, rows, tables, classes, values, visits, seen, explore, weights, totals):
    """The weights of fold, call and raise for each view, and the total of a raise.

    Before the flop the action of the highest value, but with a probability that falls from one with the
    root of the visits, and never below `explore`, any of the three.
    """
    for i in range(len(rows)):
        row, table = rows[i], tables[i]
        weights[i] = 0.0
        if row.street > 0:
            weights[i, RAISING] = 1.0
            totals[i] = row.max_raise_to
            continue
        cards = np.int64(classes[row.hole[0], row.hole[1]])
        betting = betting_of(rules[0], row.paid)
        state = state_of(cards, position_of(rules[0], row.seat), type_of(seen[table]), betting)
        random = max(explore, 1.0 / np.sqrt(1.0 + visits[table, state].sum()))
        weights[i] = random / 3
        weights[i, values[table, state].argmax()] += 1.0 - random
        totals[i] = row.min_raise_to


@kernel
def learn(rules, hands, history, mine, tables, classes, values, visits, seen, rate):
    """Put what each hand won into the values of what we did before the flop; note how the others played."""
    bets = np.zeros(len(hands[0].stack), np.int64)
    for i in range(len(hands)):
        hand, table = hands[i], tables[i]
        kind = type_of(seen[table])
        street, played = 0, 0
        for seat in range(rules[0].seats):
            bets[seat] = min(rules[0].blind[seat], hand.stack[seat] + hand.paid[seat])
            seen[table, SEEN] += not mine[i, seat]
        for k in range(hand.actions):
            seat, code = np.int64(history[i, k].seat), history[i, k].to
            if history[i, k].street != street:
                street = history[i, k].street
                bets[:] = 0
            owes = bets[seat] < bets.max()
            if not mine[i, seat]:
                played = note_other(seen[table], seat, code, owes, street, played)
            elif street == 0:
                cards = np.int64(classes[hand.hole[seat, 0], hand.hole[seat, 1]])
                betting = betting_of(rules[0], bets)
                state = state_of(cards, position_of(rules[0], seat), kind, betting)
                won = hand.net[seat] / (PARTS * rules[0].big_blind)
                update(values[table, state], visits[table, state], code, won, rate)
            if code == CALL:
                bets[seat] = min(bets.max(), hand.stack[seat] + hand.paid[seat])
            elif code != FOLD:
                bets[seat] = code


@kernel
def note_other(seen, seat, code, owes, street, played):
    """Count an action of another player; the seats, as bits, that have put chips in before the flop."""
    if code == CALL:
        seen[CALLS] += owes
    elif code != FOLD:
        seen[AGGRESSIVE] += 1
    if street == 0 and code != FOLD and (owes or code != CALL):
        seen[PLAYED] += not played >> seat & 1
        return played | 1 << seat
    return played


@kernel
def update(values, visits, code, won, rate):
    """Move the value of one action towards what was won: a mean at first, later by `rate`."""
    action = FOLDING if code == FOLD else CALLING if code == CALL else RAISING
    visits[action] += 1
    values[action] += max(1.0 / visits[action], rate) * (won - values[action])


class WhlSeat(DrawnSeat):
    """Remembers for each table what each action was worth in each state, and how the others play there."""

    def __init__(self, game: Game, tables: int, explore: float, rate: float, streams: Streams) -> None:
        super().__init__(streams)
        self.game = game
        self.explore = explore
        self.rate = rate
        self.classes = CLASS_OF.copy()
        # Zeros take no memory until they are written to: most states never come up.
        self.values = np.zeros((tables, STATES, 3), dtype=np.float32)
        self.visits = np.zeros((tables, STATES, 3), dtype=np.float32)
        self.seen = np.zeros((tables, 4), dtype=np.int64)

    def policy(self, views: Views) -> Policy:
        """What it has learned before the flop, and a raise after it."""
        weights, totals = np.empty((len(views), 3)), np.empty(len(views), dtype=np.int64)
        decide(
            self.game.rules_row,
            np.ascontiguousarray(views.rows),
            np.ascontiguousarray(views.table),
            self.classes,
            self.values,
            self.visits,
            self.seen,
            self.explore,
            weights,
            totals,
        )
        return legal_policy(views, weights, totals[:, None])

    def watch(self, hands: Finished) -> None:
        """Learn from hands that have ended."""
        learn(
            self.game.rules_row,
            hands.batch.hands,
            hands.history,
            hands.lineup == hands.player,
            np.ascontiguousarray(hands.tables),
            self.classes,
            self.values,
            self.visits,
            self.seen,
            self.rate,
        )

    def state(self) -> State:
        """What it has learned, and how the others play."""
        return {"values": self.values, "visits": self.visits, "seen": self.seen}

    def restore(self, state: State) -> None:
        """Take that up again."""
        for name in ("values", "visits", "seen"):
            setattr(self, name, taken(state, name, getattr(self, name)))
        if (self.visits < 0).any():
            raise NotationError("expected visits of 0 or more, got fewer")

    def grounds(self, views: Views) -> tuple[Ground, ...]:
        """What each action was worth so far before the flop."""
        if views.street[0] > 0:
            return (Ground("after the flop it always raises", 1.0),)
        table, row, rules = int(views.table[0]), views.rows[0], self.game.rules
        cards = int(self.classes[row.hole[0], row.hole[1]])
        betting = betting_of(rules, row.paid)
        state = state_of(cards, position_of(rules, row.seat), type_of(self.seen[table]), betting)
        values, visits = self.values[table, state].tolist(), self.visits[table, state].tolist()
        return tuple(
            Ground(f"worth of a {name} in bb", value, {"times": times})
            for name, value, times in zip(("fold", "call", "raise"), values, visits, strict=True)
        )


@register(
    "whlbot",
    style="learns what to play before the flop, then always raises (all-in in no-limit)",
    source="Marques (n.d.)",
)
@dataclass(frozen=True)
class WHLBot:
    """A table of values before the flop, learned hand after hand; after it, as much as the rules allow.

    `explore`: how often at least it tries any action; `rate`: how quickly old hands are forgotten.
    """

    explore: float = 0.05
    rate: float = 0.01

    def __post_init__(self) -> None:
        for name in ("explore", "rate"):
            if not 0 <= getattr(self, name) <= 1:
                raise AgentError(f"whlbot: expected {name} from 0 to 1, got {getattr(self, name)}")

    def sit(self, game: Game, tables: int, rng: Streams) -> WhlSeat:
        """Plays every game, and knows nothing at first."""
        return WhlSeat(game, tables, self.explore, self.rate, rng)
