"""plicas, slowly: each unit in plain Python, from the words of docs/plicas.md."""

from collections import Counter
from itertools import combinations

from holdmem.engine import CALL, FOLD

# Figure 4


def flop_parts(hole, flop):
    """The names of what two cards and a flop have."""
    ranks = [card // 4 for card in (*hole, *flop)]
    suits = Counter(card % 4 for card in (*hole, *flop))
    found = set()
    flush = max(suits.values()) == 5
    if len(set(ranks)) < 5 or flush or straight(ranks):
        found.add("pair")
    if ranks[0] != ranks[1] and min(ranks[:2]) > max(ranks[2:]):
        found.add("overcards")
    if max(suits.values()) == 4:
        found.add("flush draw")
    if not straight(ranks) and any(straight([*ranks, more]) for more in range(13)):
        found.add("straight draw")
    return found


def straight(ranks):
    """Whether five of these ranks are in a row; the ace is also below the deuce."""
    low_too = set(ranks) | ({-1} if 12 in ranks else set())
    return any({low, low + 1, low + 2, low + 3, low + 4} <= low_too for low in range(-1, 9))


def count_flops(hole):
    """Over all flops of two cards: how many have each part, and any."""
    rest = [card for card in range(52) if card not in hole]
    counts = Counter()
    for flop in combinations(rest, 3):
        parts = flop_parts(hole, flop)
        counts.update(parts)
        counts["flops"] += 1
        counts["playable"] += bool(parts)
    return counts


# The opponent's actions


def steps(history, actions, blinds):
    """(street, seat, action, whether it owed chips) for each action of a hand."""
    bets, street = list(blinds), 0
    for step in range(actions):
        entry = history[step]
        if entry["street"] != street:
            street, bets = int(entry["street"]), [0, 0]
        seat, action = int(entry["seat"]), int(entry["to"])
        yield street, seat, action, bets[seat] < bets[1 - seat]
        if action == CALL:
            bets[seat] = max(bets)
        elif action != FOLD:
            bets[seat] = action


def profile(hands, own, blinds):
    """The counts of an opponent over hands (history, number of actions, chips paid by each seat)."""
    counts = Counter()
    for history, actions, paid in hands:
        done = list(steps(history, actions, blinds))
        other = [step for step in done if step[1] != own]
        before = [step for step in other if step[0] == 0]
        counts["hands"] += 1
        counts["raised_before"] += sum(action > CALL for _, _, action, _ in before)
        counts["called_before"] += sum(action == CALL and owes for _, _, action, owes in before)
        counts["folded_before"] += sum(action == FOLD for _, _, action, _ in before)
        asked = any(owes for *_, owes in before)
        counts["asked"] += asked
        counts["stayed"] += asked and not any(action == FOLD for _, _, action, _ in before)
        counts["raises"] += sum(action > CALL for _, _, action, _ in other)
        counts["calls"] += sum(action == CALL and owes for _, _, action, owes in other)
        if not any(seat == own and street == 0 and action == FOLD for street, seat, action, _ in done):
            counts["pots"] += 1
            counts["chips"] += 2 * min(paid)
    return counts


def pattern(done, own, street):
    """The opponent's betting pattern at a decision on a street: comparable, equal where cases are alike."""
    before = tuple(
        min(sum(s == earlier and seat != own and action > CALL for s, seat, action, _ in done), 2)
        for earlier in range(street)
    )
    now = [(action, owes) for s, seat, action, owes in done if s == street and seat != own]
    bets = min(sum(action > CALL for action, _ in now), 2)
    calls = min(sum(action == CALL and owes for action, owes in now), 2)
    checked = any(action == CALL and not owes for action, owes in now)
    return before, bets, calls, checked


# Range control


def gain(equity, own, other, pot):
    """f as printed."""
    return equity * (pot / 2) + (1 - equity) * (-pot / 2) + (other - own) * (-1)


# Triples: (fold, call, raise)

OPENS = (1, 1, 1, 1, 0.8, 0.6, 0.25, 0)
AFTER_A_LIMP = (1, 1, 0.8, 0.5, 0.3, 0.1, 0, 0)
AFTER_A_RAISE = (1, 0.7, 0.4, 0.15, 0, 0, 0, 0)
AFTER_TWO = (1, 0.4, 0, 0, 0, 0, 0, 0)


def starting_class(share, played):
    """From 1 to 8."""
    ends = [end * played / 0.72 for end in (0.035, 0.08, 0.15, 0.23, 0.31, 0.40, 0.72)]
    return 1 + sum(share > end + 1e-9 for end in ends)


def before_the_flop(view, number):
    """By the class of the starting hand."""
    if view.raises >= 2:
        raises = AFTER_TWO[number - 1]
    elif view.raises == 1:
        raises = AFTER_A_RAISE[number - 1]
    else:
        raises = (OPENS if view.to_call else AFTER_A_LIMP)[number - 1]
    folds = number == 8 and view.to_call > 0
    return (1.0, 0.0, 0.0) if folds else (0.0, 1 - raises, raises)


def after_the_flop(view, bucket, mapped, ppot, buckets):
    """By the rule base."""
    level = int(10 * mapped / buckets)
    if view.to_call == 0:
        bets = {0: 0, 1: 0, 2: 0, 3: 0.05, 4: 0.2, 5: 0.5, 6: 0.85}.get(level, 1)
        if view.street < 3 and ppot >= 0.2:
            bets = max(bets, 0.5)
        return (0.0, 1 - bets, bets)
    facing = min(max(view.raises, 1), 3)
    table = {1: {6: 0.05, 7: 0.35, 8: 0.8, 9: 1}, 2: {8: 0.3, 9: 0.9}, 3: {9: 0.5}}
    raises = table[facing].get(level, 0)
    price = view.to_call / (view.pot + view.to_call)
    wins = ((bucket + 0.5) / buckets) ** (1 + facing)
    calls = wins >= price or (view.street < 3 and ppot >= price)
    return (0.0, 1 - raises, raises) if calls else (1 - raises, 0.0, raises)


def by_the_cases(view, shown, bucket, mapped):
    """By how many of the buckets that the opponent has shown are below ours."""

    def chance(own):
        won = sum(n for other, n in enumerate(shown) if other < own) + shown[own] / 2
        return won / sum(shown)

    start = (0.5, 0.6, 0.7, 0.7)[min(view.raises, 3)]
    raises = min(max((chance(mapped) - start) / 0.3, 0), 1)
    calls = 1.0
    if view.to_call:
        price = view.to_call / (view.pot + view.to_call)
        calls = min(max((chance(bucket) - price) / 0.2 + 0.5, 0), 1)
    return ((1 - raises) * (1 - calls), (1 - raises) * calls, raises)


def bluff(view, playable):
    """How often it bluffs on the flop with nothing."""
    bet = view.min_raise_to - max(view.bets)
    return 1 - playable if (1 - playable) * view.pot > playable * bet else 0.0


def shift(aggression, playable, usual, most):
    """Buckets up for bets and raises."""
    return most * min(max(2.5 * (0.5 * playable / usual - aggression), -1), 1)


def postflop(view, bucket, ppot, buckets, *, bluffs, shown, merge, up, calling=False):
    """Algorithm 2 in each bucket that the hand may be mapped to, weighted by the chance of it.

    `bluffs` is None where there is no occasion, `shown` where cases say nothing. With `calling`, what would
    move a hand down for raises moves it up for calls.
    """
    by_calls = calling and up < 0
    up = abs(up) if by_calls else up
    whole = int(up // 1)
    total = [0.0, 0.0, 0.0]
    for steps, chance in ((whole, 1 - (up - whole)), (whole + 1, up - whole)):
        other = min(max(bucket + steps, 0), buckets - 1)
        own, mapped = (other, bucket) if by_calls else (bucket, other)
        triple = after_the_flop(view, own, mapped, ppot, buckets)
        if bluffs is not None:
            triple = (0.0, 1 - bluffs, bluffs)
        if shown is not None:
            cases = by_the_cases(view, shown, own, mapped)
            triple = [(1 - merge) * one + merge * other for one, other in zip(triple, cases, strict=True)]
        total = [old + chance * new for old, new in zip(total, triple, strict=True)]
    return total
