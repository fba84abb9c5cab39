"""Kernels of `local_best_response`: values of situations against a range, and the range after an action.

`weights` and `equity` are rows over the agent's 1,326 possible holdings: the probability of each up to a
factor, and the share of the pot that the exploiter's hand wins against it. `answers` is the agent's policy
with these holdings (see `range_policy`). Values are the chips that the exploiter wins in the whole hand.
"""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import is_legal
from holdmem.engine.state import FOLD

ROUNDING = 1e-6
"""Allowed deviation of a view's probabilities from a sum of 1."""


@kernel
def stake(hand):
    """Chips of each player at stake if every bet so far is called, with uncalled chips returned."""
    return min(called(hand, 0, hand.highest), called(hand, 1, hand.highest))


@kernel
def called(hand, seat, total):
    """Chips a seat has paid in the hand once it calls a bet of `total` on this street or goes all-in."""
    return hand.paid[seat] + min(max(total - hand.bet[seat], 0), hand.stack[seat])


@kernel
def gain(weights, equity):
    """Mean of 2 · equity − 1 over a range: value per chip at stake if nobody bets again."""
    total, won = 0.0, 0.0
    for h in range(len(weights)):
        total += weights[h]
        won += weights[h] * equity[h]
    return 2 * won / total - 1


@kernel
def value(hand, seat, weights, equity):
    """Exploiter's result in `seat` if someone folded, else its value if all is called and checked down."""
    if not hand.live >> seat & 1:
        return -float(hand.paid[seat])
    if not hand.live >> (1 - seat) & 1:
        return float(hand.paid[1 - seat])
    return stake(hand) * gain(weights, equity)


@kernel
def values(hands, tables, seats, weights, equity, out):
    """Write to `out` the `value` of the hand at each of the tables."""
    for k in range(len(tables)):
        table = tables[k]
        out[k] = value(hands[table], seats[table], weights[table], equity[table])


@kernel
def mark_alive(weights, tables, groups, alive):
    """Mark, for each group of tables, the holdings that are possible at one or more of them."""
    for k in range(len(tables)):
        for h in range(alive.shape[1]):
            alive[groups[k], h] |= weights[tables[k], h] > 0


@kernel
def first_bad(rules, hands, state_of, probabilities, codes):
    """First view with a negative probability, a sum other than 1 or an illegal action; -1 if none."""
    for row in range(len(probabilities)):
        total = 0.0
        for j in range(probabilities.shape[1]):
            total += probabilities[row, j]
            if not probabilities[row, j] >= 0:
                return row
            if probabilities[row, j] > 0 and not is_legal(rules[0], hands[state_of[row]], codes[row, j]):
                return row
        if not abs(total - 1) <= ROUNDING:
            return row
    return -1


@kernel
def row_of(answers, state, holding):
    """Return the row of the answer for a holding in a state; the holdings of a state are sorted."""
    low, high = answers.first[state], answers.first[state + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if answers.holdings[middle] < holding:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def rows_of(answers, states, holdings, out):
    """Write the row of the answer for each state and holding to `out`."""
    for k in range(len(out)):
        out[k] = row_of(answers, states[k], holdings[k])


@kernel
def value_of_answer(hand, seat, code, equity):
    """Value for the exploiter in `seat` after the agent, with one holding, takes this action."""
    if code == FOLD:
        return float(hand.paid[1 - seat])
    total = max(code, hand.highest)  # a call, or a raise that is called
    return min(called(hand, 0, total), called(hand, 1, total)) * (2 * equity - 1)


@kernel
def mean_after_answer(hands, tables, seats, answers, states, weights, equity, out):
    """Mean value after the agent's decision at each table, over its range and policy."""
    for k in range(len(tables)):
        table, total, mean = tables[k], 0.0, 0.0
        for row in range(answers.first[states[k]], answers.first[states[k] + 1]):
            h = answers.holdings[row]
            weight = weights[table, h]
            if weight > 0:
                total += weight
                for j in range(answers.codes.shape[1]):
                    if answers.probabilities[row, j] > 0:
                        code = answers.codes[row, j]
                        after = value_of_answer(hands[table], seats[table], code, equity[table, h])
                        mean += weight * answers.probabilities[row, j] * after
        out[k] = mean / total


@kernel
def probability_of(answers, row, code):
    """Probability of an action in one answer."""
    probability = 0.0
    for j in range(answers.codes.shape[1]):
        if answers.codes[row, j] == code:
            probability += answers.probabilities[row, j]
    return probability


@kernel
def narrow(tables, answers, states, codes, weights):
    """Bayes' rule: multiply each holding's weight by the probability of the action taken, and normalize."""
    for k in range(len(tables)):
        range_ = weights[tables[k]]
        total = 0.0
        for row in range(answers.first[states[k]], answers.first[states[k] + 1]):
            h = answers.holdings[row]
            if range_[h] > 0:
                range_[h] *= probability_of(answers, row, codes[k])
                total += range_[h]
        for h in range(len(range_)):
            range_[h] /= total


@kernel
def values_of_raises(raised, tables, seats, answers, states, weights, equity, out):
    """Value of a raise at each table if the agent folds according to its policy and otherwise calls.

    `raised` are the hands after the raise. With f(h) the probability that holding h folds and w(h) its
    normalized weight:

        sum over h of w(h) · (f(h) · chips the agent has paid + (1 − f(h)) · (2 · equity(h) − 1) · stake)
    """
    for k in range(len(tables)):
        table, paid, bet = tables[k], float(raised[k].paid[1 - seats[tables[k]]]), stake(raised[k])
        total, mean = 0.0, 0.0
        for row in range(answers.first[states[k]], answers.first[states[k] + 1]):
            h = answers.holdings[row]
            weight = weights[table, h]
            if weight > 0:
                folds = probability_of(answers, row, FOLD)
                total += weight
                mean += weight * (folds * paid + (1 - folds) * (2 * equity[table, h] - 1) * bet)
        out[k] = mean / total


@kernel
def take_best(which, totals, found, best, codes):
    """Choose a raise where its value exceeds the best so far; ties keep the earlier action."""
    for i in range(len(found)):
        if found[i] > best[which[i]]:
            best[which[i]], codes[which[i]] = found[i], totals[i]
