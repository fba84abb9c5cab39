"""Kernels: bring hands to a decision, and look back at every action before it."""

from holdmem.agent.kernels.views import look_at_chips, seen_cards
from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal


@kernel
def replay_to(rules, stacks, codes, counts, deck, hands, history):
    """Play the first `counts[i]` actions of each hand, which must be legal; cards are those of `deck`."""
    for i in range(len(hands)):
        deal(rules[0], stacks[i], deck, hands[i])
        for k in range(counts[i]):
            act(rules[0], hands[i], codes[i, k], history[i])


@kernel
def look_back(rules, stacks, codes, counts, boards, deck, hand, spare, rows, actions, spots):
    """Write what the seat to act saw before every earlier action, without hole cards, and that action."""
    place = 0
    for i in range(len(counts)):
        deal(rules[0], stacks[i], deck, hand[0])
        for k in range(counts[i]):
            look_at_chips(rules[0], hand[0], rows[place])
            row = rows[place]
            row.hand_id.match = row.hand_id.table = row.hand_id.hand = 0
            row.seat = hand[0].to_act
            row.street = hand[0].street
            row.hole[0] = row.hole[1] = -1
            seen = seen_cards(hand[0].street)
            for card in range(5):
                row.board[card] = boards[i, card] if card < seen else -1
            actions[place], spots[place] = codes[i, k], i
            place += 1
            act(rules[0], hand[0], codes[i, k], spare)


@kernel
def copy_spots(states, history, counts, which, decks, seats, hands, out):
    """Copy the states of spots `which[k]` to `hands[k]` with the cards of `decks[k]`, and their actions."""
    for k in range(len(which)):
        i = which[k]
        hands[k] = states[i]
        for seat in range(seats):
            hands[k].hole[seat, 0] = decks[k, 2 * seat]
            hands[k].hole[seat, 1] = decks[k, 2 * seat + 1]
        for card in range(5):
            hands[k].board[card] = decks[k, 2 * seats + card]
        for place in range(counts[i]):
            out[k, place] = history[i, place]
