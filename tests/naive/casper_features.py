"""The features of ring games in plain words, from what is seen at one view."""


def situation(view):
    """Rubin (2007), tables 3.3 and 3.4, without strengths."""
    seats = view.game.seats
    live = {seat for seat, there in enumerate(view.live) if there}
    now = [(seat, to) for street, seat, to in view.history if street == view.street]
    at_start = live | {seat for seat, to in now if to < 0}
    order = [(view.game.first[1] + step) % seats for step in range(seats)]
    before = [seat for seat in order[: order.index(view.seat)] if seat in at_start]
    others = live - {view.seat}
    acted = {seat for seat, _ in now}
    owing = {seat for seat in others if seat not in acted or view.bets[seat] < max(view.bets)}
    bet = view.game.raise_sizes[view.street]
    earlier = [to for street, _, to in view.history if street == view.street - 1 and to > 0]
    return {
        "players": len(at_start),
        "position": len(before) / max(len(at_start) - 1, 1),
        "players_in": len(others & acted),
        "yet_to_act": sum(view.stacks[seat] > 0 for seat in owing),
        "bets_committed": view.bets[view.seat] / bet,
        "bets_to_call": view.to_call / bet,
        "pot_odds": view.to_call / (view.to_call + view.pot),
        "previous_bets": len(earlier) + (view.street == 1),
        "bets_in_pot": view.pot / view.game.raise_sizes[0],
    }
