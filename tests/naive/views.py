"""What the seat to act sees, put together by hand from the state of one table."""

import numpy as np

BOARD_CARDS = (0, 3, 4, 5)


def look(batch, table):
    """Every number of a view, by the name of its column; seats that do not exist have no chips."""
    hand = batch.hands[table]
    seat, street = int(hand["to_act"]), int(hand["street"])
    paid, bets = hand["paid"].tolist(), hand["bet"].tolist()
    open_cards = hand["board"].tolist()[: BOARD_CARDS[street]]
    _, least, most = (int(column[0]) for column in batch.legal(np.array([table])))
    return {
        "pot": sum(paid) + sum(batch.game.dead),
        "to_call": min(max(bets) - bets[seat], int(hand["stack"][seat])),
        "min_raise_to": least,
        "max_raise_to": most,
        "highest": max(bets),
        "raises": int(hand["raises"]),
        "actions": int(hand["actions"]),
        "live": int(hand["live"]),
        "stack": hand["stack"].tolist(),
        "bet": bets,
        "paid": paid,
        "seat": seat,
        "street": street,
        "hole": hand["hole"].tolist()[seat],
        "board": open_cards + [-1] * (5 - len(open_cards)),
    }
