"""AIVAT of one hand with matrices over all pairs of holdings, and policies reduced one holding at a time."""

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.cards.evaluator import evaluate_board
from holdmem.strength.preflop_equity import BOARDS_OF_PAIR, compatible, wins_of_holdings


def gains_on(board: list[int]) -> np.ndarray:
    """Return 1 where the holding of the row beats that of the column on a full board, -1 where it loses."""
    free = ~np.isin(HOLDINGS, board).any(axis=1)
    strength = np.zeros(len(HOLDINGS))
    strength[free] = evaluate_board(np.array(board, np.uint8), HOLDINGS[free].astype(np.uint8))
    return np.sign(strength[:, None] - strength) * np.outer(free, free) * compatible()


def gains_of(street: int, board: list[int], runs: list[list[int]]) -> np.ndarray:
    """Return the mean gain of every pair of holdings, over the runouts that leave both possible."""
    if street == 0:
        wins = wins_of_holdings().astype(float)
        return (wins - wins.T) / BOARDS_OF_PAIR
    if street == 1:
        return sum(gains_on([*board, *run]) for run in runs) / len(runs) * (49 * 48) / (45 * 44)
    if street == 2:
        left = [card for card in range(52) if card not in board]
        return sum(gains_on([*board, card]) for card in left) / 44
    return gains_on(board)


def luck(plays, i: int) -> np.ndarray:
    """Return final value, luck of cards by street and luck of choices by street, as `walk_hands` does."""
    out, held = np.zeros(9), plays.held[i].tolist()
    board, runs = plays.boards[i].tolist(), plays.runs[i].tolist()
    weights = [np.ones(1326) if h < 0 else (np.arange(1326) == h).astype(float) for h in held]
    gains, street, stake = gains_of(0, [], []), 0, float(plays.blinds[i])

    def joint() -> np.ndarray:
        return np.outer(*weights) * compatible()

    def value() -> float:
        return stake * float((joint() * gains).sum() / joint().sum())

    if max(held) >= 0:
        out[1] = value()

    def deal(to: int) -> None:
        nonlocal street, gains
        before, street = value(), to
        seen = board[: to + 2]
        for one in weights:
            one[np.isin(HOLDINGS, seen).any(axis=1)] = 0
        gains = gains_of(to, seen, runs)
        out[1 + to] = value() - before

    for d in range(plays.first[i], plays.first[i + 1]):
        while street < plays.street[d]:
            deal(street + 1)
        seat, row, folded = int(plays.seat[d]), int(plays.row[d]), plays.code[d] == -1
        sign, lost = (1 if seat == 0 else -1), float(plays.paid[d])
        mean = 0.0
        if row >= 0:
            own = (slice(None), None) if seat == 0 else (None, slice(None))
            total = joint()
            chips = plays.stakes[row][own] * gains - sign * plays.folds[row][own] * lost
            mean = float((total * chips).sum() / total.sum())
            weights[seat] = weights[seat] * plays.took[row]
        stake = float(plays.stake[d])
        after = -sign * lost if folded else value()
        if row >= 0:
            out[5 + street] += after - mean
        if folded:
            out[0] = after
            return out
    while street < 3:
        deal(street + 1)
    out[0] = value()
    return out


def stake_after(game, hand, code: int) -> float:
    """Return the stake by which an action is valued; see `kernels.decisions.stake_after`."""
    if code == -1:
        return 0.0

    def at(total: int) -> float:
        return float(
            min(hand["paid"][s] + min(max(total - hand["bet"][s], 0), hand["stack"][s]) for s in (0, 1))
        )

    now, raised = at(int(hand["highest"])), at(max(code, int(hand["highest"])))
    return raised if game.limit or raised == now else raised * 2 * now / (now + raised)


def choices(game, hand, code: int, policy) -> np.ndarray:
    """Return (1326, 3): probability of `code`, of a fold, and the mean stake of all else, by holding.

    `policy(holding)` is a list of (probability, code).
    """
    out = np.zeros((1326, 3))
    for h in range(1326):
        for probability, action in policy(h):
            out[h, 0] += probability * (action == code)
            out[h, 1] += probability * (action == -1)
            out[h, 2] += probability * stake_after(game, hand, action) * (action != -1)
    return out
