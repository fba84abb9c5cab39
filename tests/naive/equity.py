"""All-in equities, the slow and obvious way: deal every board, look who wins, share the pot."""

from fractions import Fraction
from itertools import combinations, product

from holdmem.cards import evaluate


def showdowns(hands, board, dead=()):
    """The winners on each completion of the board, as lists of players."""
    known = [card for hand in hands for card in hand] + list(board) + list(dead)
    deck = [card for card in range(52) if card not in known]
    boards = [[*board, *drawn] for drawn in combinations(deck, 5 - len(board))]
    strengths = [evaluate([[*hand, *each] for each in boards]).tolist() for hand in hands]
    for values in zip(*strengths, strict=True):
        yield [player for player, strength in enumerate(values) if strength == max(values)]


def equities(hands, board, dead=()):
    """Equity, wins and ties of each hand as fractions, and the number of boards."""
    equity, wins, ties = ([Fraction(0)] * len(hands) for _ in range(3))
    boards = 0
    for winners in showdowns(hands, board, dead):
        boards += 1
        for player in winners:
            equity[player] += Fraction(1, len(winners))
            if len(winners) == 1:
                wins[player] += 1
            else:
                ties[player] += 1
    return *([count / boards for count in counts] for counts in (equity, wins, ties)), boards


def range_equities(ranges, board, dead=()):
    """Equities of ranges, dicts from holdings to weights: the weighted mean over all compatible deals."""
    equity, wins, total = [0.0] * len(ranges), [0.0] * len(ranges), 0.0
    for deal in product(*ranges):
        cards = [card for hand in deal for card in hand] + list(board) + list(dead)
        if len(set(cards)) < len(cards):
            continue
        weight = 1.0
        for each, hand in zip(ranges, deal, strict=True):
            weight *= each[hand]
        parts, alone, _, _ = equities(deal, board, dead)
        total += weight
        for player in range(len(ranges)):
            equity[player] += weight * parts[player]
            wins[player] += weight * alone[player]
    return [part / total for part in equity], [part / total for part in wins]
