"""The head of the ACPC's log files."""

SECOND = 1000
"""In milliseconds, which the head of a log counts in."""


def head(
    name: str, game: str, hands: int, seed: int | str, response: float, hand: float, per_hand: float
) -> list[str]:
    """The comments at the start of a log; times are given in seconds."""
    return [
        f"# name/game/hands/seed {name} {game}.game {hands} {seed}",
        f"#--t_response {round(response * SECOND)}",
        f"#--t_hand {round(hand * SECOND)}",
        f"#--t_per_hand {round(per_hand * SECOND)}",
    ]
