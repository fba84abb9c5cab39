"""Betting for batches: apply the single-hand kernels of `betting` to many tables."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal, is_legal, least_raise, may_raise, most_raise, to_call


@kernel
def deal_all(rules, stacks, decks, hands):
    """Deal a new hand at every table."""
    for i in range(len(hands)):
        deal(rules, stacks[i], decks[i], hands[i])


@kernel
def deal_at(rules, stacks, decks, hands, tables):
    """Deal a new hand at each of the tables."""
    for table in tables:
        deal(rules, stacks[table], decks[table], hands[table])


@kernel
def first_illegal(rules, hands, tables, actions):
    """Index of the first entry of `tables` whose hand is over or whose action is illegal; -1 if none."""
    for k in range(len(tables)):
        hand = hands[tables[k]]
        if hand.to_act < 0 or not is_legal(rules[0], hand, actions[k]):
            return k
    return -1


@kernel
def act_all(rules, hands, history, tables, actions):
    """Apply one action at each of the tables; all must be legal."""
    for k in range(len(tables)):
        table = tables[k]
        act(rules[0], hands[table], actions[k], history[table])


@kernel
def act_or_stop(rules, hands, history, tables, actions):
    """Apply actions in order, checking each just before; return the index of the first illegal one, or -1.

    Stops at the illegal action; those before it have been applied.
    """
    for k in range(len(tables)):
        hand = hands[tables[k]]
        if hand.to_act < 0 or not is_legal(rules[0], hand, actions[k]):
            return k
        act(rules[0], hand, actions[k], history[tables[k]])
    return -1


@kernel
def legal_all(rules, hands, tables, owed, least, most):
    """Write for each table the cost of a call and the smallest and largest raise total (0 if none)."""
    for k in range(len(tables)):
        hand = hands[tables[k]]
        seat = hand.to_act
        owed[k] = to_call(hand, seat)
        raising = may_raise(rules, hand, seat)
        least[k] = least_raise(rules, hand, seat) if raising else 0
        most[k] = most_raise(rules, hand, seat) if raising else 0


@kernel
def unfinished(hands, tables, out):
    """Write those of the tables whose hand is not over to `out`; return their number."""
    found = 0
    for table in tables:
        if hands[table].to_act >= 0:
            out[found] = table
            found += 1
    return found
