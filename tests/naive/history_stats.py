"""The statistics of trackers once more, from their definitions: one question after another to the told hand.

Slow on purpose: the hand is told as a list of decisions by the naive rules, and each statistic looks through
that list on its own. Nothing is shared with the kernel but the names of the counters.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

from holdmem.engine import CALL, FOLD, Game
from holdmem.history import RecordedHand
from naive.evaluator import rank_of
from naive.rules import Hand, settle

STREETS = ("preflop", "flop", "turn", "river")
TABLES = {
    3: "SB BB BTN",
    4: "SB BB CO BTN",
    5: "SB BB HJ CO BTN",
    6: "SB BB UTG HJ CO BTN",
    7: "SB BB UTG LJ HJ CO BTN",
    8: "SB BB UTG UTG+1 LJ HJ CO BTN",
    9: "SB BB UTG UTG+1 UTG+2 LJ HJ CO BTN",
    10: "SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO BTN",
    11: "SB BB UTG UTG+1 UTG+2 UTG+3 UTG+4 LJ HJ CO BTN",
}


class Decision(NamedTuple):
    """Who did what on which street, for how much, and whether it could have raised."""

    street: int
    seat: int
    action: int
    price: int
    able: bool

    @property
    def raised(self) -> bool:
        return self.action > 0

    @property
    def called(self) -> bool:
        return self.action == CALL and self.price > 0

    @property
    def checked(self) -> bool:
        return self.action == CALL and not self.price


class Story(NamedTuple):
    """A whole hand: its decisions, who was left on each street, and who was left at the end."""

    decisions: list[Decision]
    on_street: list[list[int]]
    """Seats that saw each street; a street that was not dealt has none."""
    hand: Hand

    @property
    def showdown(self) -> list[int]:
        live = self.hand.live()
        return live if len(live) > 1 else []

    def on(self, street: int) -> list[Decision]:
        return [one for one in self.decisions if one.street == street]

    def raises_before(self, decision: Decision) -> list[Decision]:
        """Bets and raises on the street of a decision, before it."""
        before = self.decisions[: next(k for k, one in enumerate(self.decisions) if one is decision)]
        return [one for one in before if one.street == decision.street and one.raised]


def positions(game: Game) -> list[str]:
    """The name of each seat's position."""
    if game.seats == 2:
        return ["BTN", "BB"] if game.blinds[0] < game.blinds[1] else ["BB", "BTN"]
    if game.first[0] == 1:  # nobody posted a small blind: a table one larger, without it
        return TABLES[game.seats + 1].split()[1:]
    return TABLES[game.seats].split()


def tell(hand: RecordedHand) -> Story:
    """Play the hand again by the naive rules."""
    cards = [card for pair in hand.hole for card in pair] + list(hand.board) + [-1] * (5 - len(hand.board))
    spare = iter(sorted(set(range(52)) - set(cards)))
    deck = [next(spare) if card < 0 else card for card in cards]
    table, decisions, on_street = Hand(hand.terms.game, deck, hand.stacks), [], [list(range(len(hand.names)))]
    for action in hand.betting:
        while len(on_street) <= table.street:
            on_street.append(table.live())
        seat = table.to_act()
        assert seat is not None
        price, _, most = table.legal()
        decisions.append(Decision(table.street, seat, action, price, most > 0))
        table.act(action)
    assert table.to_act() is None
    while len(on_street) < len(STREETS):
        on_street.append(table.live() if len(table.live()) > 1 else [])
    return Story(decisions, on_street, table)


def counts(hand: RecordedHand, net: Sequence[Fraction] | None) -> list[Counter[str]]:
    """For each seat what it did and could have done; `net` in chips, None where the result is unknown."""
    story = tell(hand)
    found = [Counter[str]() for _ in hand.names]
    for part in (actions, before_the_flop, steals, continuation_bets, check_raises):
        part(story, hand.terms.game, found)
    endings(story, hand, net, found)
    return found


def chance(found: Counter[str], name: str, taken: bool) -> None:
    found[name] += taken
    found[f"{name}_chances"] += 1


def actions(story: Story, _: Game, found: list[Counter[str]]) -> None:
    """Bets and raises, calls and folds by street; chips put in before the flop, and raises there."""
    for one in story.decisions:
        kinds = (("aggressive", one.raised), ("calls", one.called), ("folds", one.action == FOLD))
        for kind, did in kinds:
            found[one.seat][f"{kind}_{STREETS[one.street]}"] += did
    for seat, mine in enumerate(found):
        own = [one for one in story.on(0) if one.seat == seat]
        mine["vpip"] = any(one.raised or one.called for one in own)
        mine["pfr"] = any(one.raised for one in own)


def before_the_flop(story: Story, _: Game, found: list[Counter[str]]) -> None:
    """A 3-bet answers one raise, a 4-bet two; only the first raiser can fold to a 3-bet."""
    for one in story.on(0):
        raisers = [earlier.seat for earlier in story.raises_before(one)]
        if len(raisers) == 1 and one.able:
            chance(found[one.seat], "three_bet", one.raised)
        if len(raisers) == 2 and one.able:
            chance(found[one.seat], "four_bet", one.raised)
        if len(raisers) == 2 and raisers[0] == one.seat:
            chance(found[one.seat], "fold_to_three_bet", one.action == FOLD)


def steals(story: Story, game: Game, found: list[Counter[str]]) -> None:
    """Everybody folded to CO, BTN or SB, who can raise; the blinds then face that raise alone."""
    names, preflop = positions(game), story.on(0)
    for k, one in enumerate(preflop):
        folded = not any(earlier.raised or earlier.called for earlier in preflop[:k])
        if not (folded and one.able and names[one.seat] in ("CO", "BTN", "SB")):
            continue
        chance(found[one.seat], "steal", one.raised)
        if one.raised:
            for later in preflop[k + 1 :]:
                if names[later.seat] in ("SB", "BB") and len(story.raises_before(later)) == 1:
                    chance(found[later.seat], "fold_to_steal", later.action == FOLD)


def continuation_bets(story: Story, _: Game, found: list[Counter[str]]) -> None:
    """The last raiser of the street before bets first; on turn and river only if that was a c-bet too."""
    made = True
    for street in (1, 2, 3):
        last = [one.seat for one in story.on(street - 1) if one.raised][-1:]
        seat, name = (last[0] if last and made else None), STREETS[street]
        opening = next((one for one in story.on(street) if one.seat == seat and one.able), None)
        if opening is None or story.raises_before(opening):
            return
        chance(found[opening.seat], f"cbet_{name}", opening.raised)
        if not opening.raised:
            return
        for one in story.on(street):
            raises = story.raises_before(one)
            if len(raises) == 1 and raises[0] is opening:
                chance(found[one.seat], f"fold_to_cbet_{name}", one.action == FOLD)
        made = [one.seat for one in story.on(street) if one.raised][-1] == seat


def check_raises(story: Story, _: Game, found: list[Counter[str]]) -> None:
    """Who checked and is asked again on that street faces a bet."""
    for street in (1, 2, 3):
        for seat, mine in enumerate(found):
            own = [one for one in story.on(street) if one.seat == seat]
            for first, second in pairwise(own):
                if first.checked and second.able:
                    chance(mine, f"check_raise_{STREETS[street]}", second.raised)


def endings(
    story: Story, hand: RecordedHand, net: Sequence[Fraction] | None, found: list[Counter[str]]
) -> None:
    """Flops, showdowns, pots and walks."""
    paid = [story.hand.paid(seat) for seat in story.hand.seats()]
    for seat, mine in enumerate(found):
        acted = any(one.seat == seat for one in story.decisions)
        alone = story.hand.live() == [seat]
        mine["hands"] = 1
        mine["dealt"] = not (alone and not acted)
        mine["unseen"] = -1 in hand.hole[seat]
        mine["unscored"] = net is None
        flop, shown = seat in story.on_street[1], seat in story.showdown
        mine["flops"], mine["showdowns"] = flop, shown
        mine["all_ins"] = shown and story.hand.street < 3
        if net is not None:
            matched = min(paid[seat], max(chips for other, chips in enumerate(paid) if other != seat))
            returned = paid[seat] - matched if seat in story.hand.live() else 0
            took = net[seat] + paid[seat] + story.hand.dead(seat) - returned
            won = seat in story.hand.live() and took > 0
            mine["scored_flops"], mine["scored_showdowns"] = flop, shown
            mine["won_flops"], mine["won_showdowns"] = flop and won, shown and won
            mine["ahead_showdowns"] = shown and net[seat] > 0


def reached(hand: RecordedHand) -> list[int]:
    """The last street that each seat saw; 4 is the showdown."""
    story = tell(hand)
    streets = [
        max(k for k, seats in enumerate(story.on_street) if seat in seats) for seat in story.hand.seats()
    ]
    return [4 if seat in story.showdown else street for seat, street in enumerate(streets)]


def all_in(hand: RecordedHand, net: Sequence[Fraction] | None) -> list[Fraction] | None:
    """The mean result over all ways in which the board could be completed; None where that is not asked.

    Hole cards known in full cannot come, also those of players who folded. Rake is taken from what is won in
    pots that several players can win, in proportion.
    """
    story = tell(hand)
    live, table = story.showdown, story.hand
    dealt = (0, 3, 4, 5)[table.street]
    if net is None or not live or table.street == 3 or any(-1 in hand.hole[seat] for seat in live):
        return None
    gone = {card for pair in hand.hole if -1 not in pair for card in pair} | set(hand.board[:dealt])
    ways = list(combinations(sorted(set(range(52)) - gone), 5 - dealt))
    paid = [table.paid(seat) for seat in table.seats()]
    dead = [table.dead(seat) for seat in table.seats()]
    total = [Fraction(0)] * len(paid)
    for way in ways:
        board = [*hand.board[:dealt], *way]
        ranks = {seat: rank_of([*hand.hole[seat], *board]) for seat in live}
        total = [a + b for a, b in zip(total, settle(paid, ranks, "exact", dead), strict=True)]
    mean = [one / len(ways) for one in total]
    second, most = sorted(paid[seat] for seat in live)[-2:]
    alone = sum(max(chips - second, 0) for chips in paid) if most > second else 0
    won = [one + chips + extra for one, chips, extra in zip(mean, paid, dead, strict=True)]
    if alone:
        won[max(live, key=lambda seat: paid[seat])] -= alone
    rake = -sum(net)
    return [one - rake * part / sum(won) for one, part in zip(mean, won, strict=True)]
