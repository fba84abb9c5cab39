"""Kernels: replay finished hands decision by decision, and reduce a policy to what AIVAT needs of it."""

from holdmem.arena.kernels.local_best_response import called, probability_of, stake
from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal
from holdmem.engine.state import FOLD


@kernel
def replay_decisions(rules, stacks, decks, hands, history, hand, spare, before, hand_of, codes, stakes):
    """Write, for each decision, the hand before it, the index of the hand, the action and `stake_after`.

    `hand` and `spare` (a row of actions) are scratch.
    """
    count = 0
    for i in range(len(hands)):
        deal(rules, stacks[i], decks[i], hand[0])
        for k in range(hands[i].actions):
            before[count] = hand[0]
            hand_of[count], codes[count] = i, history[i, k].to
            stakes[count] = stake_after(rules, hand[0], history[i, k].to)
            act(rules, hand[0], history[i, k].to, spare)
            count += 1


@kernel
def stake_after(rules, hand, code):
    """Stake by which an action is valued: the chips of each player at stake, if all is called.

    Raises in no-limit are valued at less. With one from a stake of s to t the opponent is taken to fold
    (t - s) / (t + s) of its hands, so that a bluff gains nothing, and t counts with the rest of them.
    """
    if code == FOLD:
        return 0.0
    now = float(stake(hand))
    if code <= hand.highest:
        return now
    total = float(min(called(hand, 0, code), called(hand, 1, code)))
    return total if rules.limit else total * (2 * now) / (now + total)


@kernel
def reduce_answers(rules, before, states, answers, codes, took, folds, stakes):
    """Reduce policies with all holdings to three numbers per holding, for the decisions of hands `before`.

    These are the probabilities of the action taken and of a fold, and the sum over all other actions of
    probability times stake, all of them 0 on entry. `states` has the state in `answers` of each
    decision.
    """
    for k in range(len(states)):
        hand = before[k]
        for row in range(answers.first[states[k]], answers.first[states[k] + 1]):
            h = answers.holdings[row]
            took[k, h] = probability_of(answers, row, codes[k])
            for j in range(answers.codes.shape[1]):
                probability, code = answers.probabilities[row, j], answers.codes[row, j]
                if probability > 0 and code == FOLD:
                    folds[k, h] += probability
                elif probability > 0:
                    stakes[k, h] += probability * stake_after(rules[0], hand, code)
