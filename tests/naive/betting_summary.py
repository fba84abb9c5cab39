"""The condensed betting of any number of seats, told from a view's own history in plain words."""

from naive.bet_sizes import GROUPS

GROUP = {"small": 1, "middle": 2, "big": 3, "a": 4}


def group(letter):
    return GROUP[GROUPS.get(letter, letter)]


def round_now(view, letters):
    """`letters` has the category of each action of the view's history."""
    here = [
        (seat, letter)
        for (street, seat, _), letter in zip(view.history, letters, strict=True)
        if street == view.street
    ]
    raises = [(place, seat, letter) for place, (seat, letter) in enumerate(here) if letter not in "fc"]
    last = raises[-1][0] if raises else -1
    callers = sum(letter == "c" for _, letter in here[last + 1 :])
    size = 0 if not raises or view.game.limit else group(raises[-1][2])
    own = any(seat == view.seat for _, seat, _ in raises)
    return ((min(len(raises), 4) * 5 + size) * 2 + own) * 3 + min(callers, 2)


def rounds_before(view, letters):
    digits = []
    for earlier in range(view.street - 1, -1, -1):
        raisers = [
            seat
            for (street, seat, _), letter in zip(view.history, letters, strict=True)
            if street == earlier and letter not in "fc"
        ]
        whose = 0
        if raisers:
            whose = 1 if raisers[-1] == view.seat else 2 if view.live[raisers[-1]] else 3
        digits.append(3 * (min(len(raisers), 3) - 1) + whose if raisers else 0)
    return int("".join(map(str, digits)).ljust(3, "0"))


def position(view):
    others = [seat for seat, live in enumerate(view.live) if live and seat != view.seat]
    return 10 * sum(seat > view.seat for seat in others) + len(others)


def stack_to_pot(view):
    others = [
        view.stacks[seat] + view.bets[seat] - view.highest
        for seat, live in enumerate(view.live)
        if live and seat != view.seat
    ]
    ratio = min(max([0, *others]), view.stacks[view.seat] - view.to_call) / (view.pot + view.to_call)
    return sum(ratio >= border for border in (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64))
