"""Hand types, textures, betting levels and retrieval in plain words: sets, strings, sorting."""

from collections import Counter
from math import exp

from holdmem.cards import rank, suit
from naive.evaluator import rank_of

WINDOWS = [{12, 0, 1, 2, 3}] + [set(range(low, low + 5)) for low in range(9)]


def made(hole, board):
    """The name of what is made."""
    best = rank_of([*hole, *board])
    mine, table = Counter(map(rank, [*hole, *board])), Counter(map(rank, board))
    kind, *ranks = best
    if kind == 8:
        return "straight-flush"
    if kind == 7:
        return "board-quads" if 4 in table.values() else "quads"
    if kind == 6:
        on_board = table[ranks[0]] == 3 and table[ranks[1]] >= 2
        return "board-full-house" if on_board else "full-house"
    if kind == 5:
        return flush(hole, board, best)
    if kind == 4:
        straight = WINDOWS[0] if ranks[0] == 3 else {ranks[0] - step for step in range(5)}
        return ("board", "one-card", "two-card")[len(straight - set(table))] + "-straight"
    if kind == 3:
        return "board-trips" if table[ranks[0]] == 3 else "trips" if table[ranks[0]] == 2 else "set"
    if kind == 2:
        own = [r for r in ranks[:2] if table[r] < 2]
        if len(own) != 1:
            return "two-pair" if own else "board-two-pair"
        high = pair_name(own[0], table) in ("top-pair", "over-pair")
        return ("high" if high else "low") + "-pair-and-board-pair"
    over = sum(rank(card) > max(table) for card in hole)
    if kind == 1:
        if table[ranks[0]] == 2:
            return "board-pair-and-overcard" if over else "board-pair"
        return pair_name(ranks[0], table)
    assert max(mine.values()) == 1
    return ("high-card", "one-overcard", "two-overcards")[over]


def flush(hole, board, best):
    suits = Counter(map(suit, board))
    most = max(suits.values())
    if most < 5:
        return "two-card-flush" if most == 3 else "one-card-flush"
    return "board-flush" if rank_of(board) == best else "one-card-flush"


def pair_name(pair, table):
    if pair > max(table):
        return "over-pair"
    if pair == max(table):
        return "top-pair"
    return "low-pair" if pair <= min(table) else "middle-pair"


def hand_type(hole, board):
    """The name of the hand type."""
    name = made(hole, board)
    draw = draw_of(hole, board, name) if len(board) < 5 else ""
    return f"{name}-with-{draw}" if draw else name


def draw_of(hole, board, name):
    if any(word in name for word in ("flush", "full", "quads")):
        return ""
    suits = Counter(map(suit, [*hole, *board]))
    to_flush = any(suits[suit(card)] == 4 for card in hole)
    outs = 0 if "straight" in name else straight_outs(hole, board)
    if to_flush:
        return "flush-and-straight-draw" if outs else "flush-draw"
    return ("", "gutshot", "straight-draw")[min(outs, 2)]


def straight_outs(hole, board):
    everything, table = {rank(card) for card in [*hole, *board]}, {rank(card) for card in board}
    filled = {
        new
        for new in set(range(13)) - everything
        for window in WINDOWS
        if window <= everything | {new} and not window <= table | {new}
    }
    return len(filled)


def texture(board):
    """The name of the board's texture."""
    words = ("", "possible", "highly-possible")
    suited = max(Counter(map(suit, board)).values())
    ranks = {rank(card) for card in board}
    joined = max(len(ranks & window) for window in WINDOWS)
    parts = [
        f"{what}-{words[min(count - 2, 2)]}"
        for what, count in (("flush", suited), ("straight", joined))
        if count > 2
    ]
    return "-".join(parts + ["paired"] * (len(ranks) < len(board))) or "no-salient"


def betting_similarity(one, other):
    """Rubin and Watson (2010), §4.4, for two: 1, 0.9, 0.8 or 0."""
    if one == other:
        return 1.0
    *before, active = one.split("-")
    *before_other, active_other = other.split("-")
    if active != active_other or len(before) != len(before_other):
        return 0.0
    mine, theirs = (
        [raises(letters, street) for street, letters in enumerate(streets)]
        for streets in (before, before_other)
    )
    if mine == theirs:
        return 0.9
    return 0.8 if total(mine) == total(theirs) else 0.0


def raises(letters, street):
    """Raises of the button and of the other: the button is first before the flop, and second after it."""
    first, second = letters[::2].count("r"), letters[1::2].count("r")
    return (first, second) if street == 0 else (second, first)


def total(streets):
    return tuple(map(sum, zip(*streets, strict=True)))


def local(similarity, one, other):
    """A local similarity by its formula."""
    kind = type(similarity).__name__
    if kind == "Equal":
        return float(one == other)
    if kind == "Groups":
        return float(one == other or any(one in group and other in group for group in similarity.groups))
    if kind == "Linear":
        return max(0.0, 1.0 - abs(one - other) * (1.0 / similarity.reach))
    return exp(-(similarity.k / similarity.reach) * abs(one - other))


def retrieve(features, cases, seen, target, threshold, most, otherwise):
    """Places of the cases to use and their similarities in billionths, best first."""
    ranked = []
    for place, case in enumerate(cases):
        parts = [
            weight * local(similarity, case[name], target[name])
            for (name, similarity), weight in zip(features.similarities, features.weights, strict=True)
        ]
        ranked.append((-int(sum(parts) / sum(features.weights) * 1e9 + 0.5), -seen[place], place))
    ranked.sort()
    above = [one for one in ranked if -one[0] >= int(threshold * 1e9 + 0.5)][:most]
    chosen = above or ranked[:otherwise]
    return [place for _, _, place in chosen], [-similar for similar, _, _ in chosen]


def summed(rows, places):
    """The rows at these places, added up column by column; a negative place is none."""
    return [sum(rows[place][column] for place in places if place >= 0) for column in range(len(rows[0]))]
