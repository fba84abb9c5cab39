"""Kernels that build views and draw actions for whole batches."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import least_raise, may_raise, most_raise, to_call


@kernel
def seen_cards(street):
    """Return the number of board cards dealt by this street."""
    return 0 if street == 0 else street + 2


@kernel
def look(rules, hands, tables, hand_ids, rows):
    """Fill one view per table for the seat to act, with nothing in it that this seat may not see."""
    for k in range(len(tables)):
        hand = hands[tables[k]]
        row = rows[k]
        look_at_chips(rules[0], hand, row)
        row.hand_id.match = hand_ids[tables[k]].match
        row.hand_id.table = hand_ids[tables[k]].table
        row.hand_id.hand = hand_ids[tables[k]].hand
        row.seat = hand.to_act
        row.street = hand.street
        row.hole[0] = hand.hole[hand.to_act, 0]
        row.hole[1] = hand.hole[hand.to_act, 1]
        seen = seen_cards(hand.street)
        for place in range(5):
            row.board[place] = hand.board[place] if place < seen else -1


@kernel
def look_at_chips(rules, hand, row):
    """Fill in the stacks, the bets, the pot and the bounds of a call and a raise."""
    seat = hand.to_act
    row.stack[:] = hand.stack
    row.bet[:] = hand.bet
    row.paid[:] = hand.paid
    pot = rules.all_dead
    for other in range(rules.seats):
        pot += hand.paid[other]
    raising = may_raise(rules, hand, seat)
    row.pot = pot
    row.to_call = to_call(hand, seat)
    row.min_raise_to = least_raise(rules, hand, seat) if raising else 0
    row.max_raise_to = most_raise(rules, hand, seat) if raising else 0
    row.highest = hand.highest
    row.raises = hand.raises
    row.actions = hand.actions
    row.live = hand.live


@kernel
def copy_history(history, tables, rows, out):
    """Copy the actions that each view may know of; later entries are blank (seat and street are -1)."""
    for k in range(len(tables)):
        known = rows[k].actions
        for place in range(out.shape[1]):
            entry = out[k, place]
            if place < known:
                past = history[tables[k], place]
                entry.to, entry.seat, entry.street = past.to, past.seat, past.street
            else:
                entry.to, entry.seat, entry.street = 0, -1, -1


@kernel
def copy_played(history, tables, rows, out):
    """Copy the actions that each view may know of; later entries are left as they are."""
    for k in range(len(tables)):
        for place in range(rows[k].actions):
            out[k, place] = history[tables[k], place]


@kernel
def waiting_for(hands, lineup, player, tables, out):
    """Write the tables where this player is to act to `out` and return their number."""
    found = 0
    for table in tables:
        seat = hands[table].to_act
        if seat >= 0 and lineup[table, seat] == player:
            out[found] = table
            found += 1
    return found


@kernel
def draw(probabilities, codes, uniforms, out):
    """For each row, choose the action at which the cumulative probability exceeds the uniform number.

    If rounding leaves the sum at or below the number, choose the last action with positive probability.
    """
    for i in range(len(out)):
        rest = uniforms[i]
        last = 0
        for j in range(probabilities.shape[1]):
            if probabilities[i, j] > 0:
                last = j
                if rest < probabilities[i, j]:
                    break
                rest -= probabilities[i, j]
        out[i] = codes[i, last]
