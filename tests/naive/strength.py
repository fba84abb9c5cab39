"""Hand strength, the slow and obvious way: every holding of an opponent on every board, one after another."""

from itertools import combinations

from holdmem.cards import evaluate_board

AHEAD, TIED, BEHIND = range(3)


def left(*known):
    """The cards of the deck that are not known."""
    return [card for card in range(52) if not any(card in cards for cards in known)]


def outcomes(hole, board):
    """How we stand against each holding of an opponent on this board."""
    rivals = list(combinations(left(hole, board), 2))
    own, *others = evaluate_board(board, [hole, *rivals]).tolist()
    return {
        rival: AHEAD if own > other else TIED if own == other else BEHIND
        for rival, other in zip(rivals, others, strict=True)
    }


def ihs(hole, board):
    """Figure 3.3: wins and half of the ties, as a share of all."""
    found = list(outcomes(hole, board).values())
    return (found.count(AHEAD) + found.count(TIED) / 2) / len(found)


def potential(hole, board, to_come):
    """Figure 3.4, with `to_come` cards: PPOT and NPOT."""
    table = [[0] * 3 for _ in range(3)]
    now = outcomes(hole, board)
    for more in combinations(left(hole, board), to_come):
        for rival, then in outcomes(hole, [*board, *more]).items():
            table[now[rival]][then] += 1
    behind = sum(table[BEHIND]) + sum(table[TIED]) / 2
    ahead = sum(table[AHEAD]) + sum(table[TIED]) / 2
    gained = table[BEHIND][AHEAD] + table[BEHIND][TIED] / 2 + table[TIED][AHEAD] / 2
    lost = table[AHEAD][BEHIND] + table[TIED][BEHIND] / 2 + table[AHEAD][TIED] / 2
    return gained / behind if behind else 0, lost / ahead if ahead else 0


def mean_hs(hole, board, power):
    """The mean of HS to this power over all boards that can come."""
    boards = [[*board, *more] for more in combinations(left(hole, board), 5 - len(board))]
    return sum(ihs(hole, full) ** power for full in boards) / len(boards)
