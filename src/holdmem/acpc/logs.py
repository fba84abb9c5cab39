"""The head of the ACPC's log files."""

SECOND = 1000
"""Milliseconds per second; the head of a log gives times in milliseconds."""


def head(
    name: str, game: str, hands: int, seed: int | str, response: float, hand: float, per_hand: float
) -> list[str]:
    """Return the comments at the start of a log; times are given in seconds."""
    return [
        f"# name/game/hands/seed {name} {game}.game {hands} {seed}",
        f"#--t_response {round(response * SECOND)}",
        f"#--t_hand {round(hand * SECOND)}",
        f"#--t_per_hand {round(per_hand * SECOND)}",
    ]
