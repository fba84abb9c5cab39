"""The betting for whole batches: the same step for every hand that is named."""

from holdmem.compiled import kernel
from holdmem.rules.betting import act, deal, is_legal, least_raise, may_raise, most_raise, to_call


@kernel
def deal_all(rules, stacks, decks, hands):
    """A new hand at every table."""
    for i in range(len(hands)):
        deal(rules, stacks[i], decks[i], hands[i])


@kernel
def first_illegal(rules, hands, tables, actions):
    """The first place in `tables` whose hand is over or whose action is not legal there; -1 if all are."""
    for k in range(len(tables)):
        hand = hands[tables[k]]
        if hand.to_act < 0 or not is_legal(rules[0], hand, actions[k]):
            return k
    return -1


@kernel
def act_all(rules, hands, history, tables, actions):
    """The seat to act at each of the tables does what `actions` says, which must be legal."""
    for k in range(len(tables)):
        table = tables[k]
        act(rules[0], hands[table], actions[k], history[table])


@kernel
def act_or_stop(rules, hands, history, tables, actions):
    """The same, but each action is checked when its turn comes: the place of the first illegal one, or -1."""
    for k in range(len(tables)):
        hand = hands[tables[k]]
        if hand.to_act < 0 or not is_legal(rules[0], hand, actions[k]):
            return k
        act(rules[0], hand, actions[k], history[tables[k]])
    return -1


@kernel
def legal_all(rules, hands, tables, owed, least, most):
    """For each table what a call costs, and the least and most that a raise may make it (0 if none may)."""
    for k in range(len(tables)):
        hand = hands[tables[k]]
        seat = hand.to_act
        owed[k] = to_call(hand, seat)
        raising = may_raise(rules, hand, seat)
        least[k] = least_raise(rules, hand, seat) if raising else 0
        most[k] = most_raise(rules, hand, seat) if raising else 0


@kernel
def unfinished(hands, tables, out):
    """Those of the tables whose hand is not over go to `out`; how many they are."""
    found = 0
    for table in tables:
        if hands[table].to_act >= 0:
            out[found] = table
            found += 1
    return found
