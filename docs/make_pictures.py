"""The pictures of the README, made from real runs: python docs/make_pictures.py"""

from io import StringIO
from pathlib import Path

from rich.console import Console

from holdmem import find_game, make_agent, tournament
from holdmem.cli.terminal import Sitting
from holdmem.report import heat_map

PICTURES = Path(__file__).with_name("pictures")
SEED = 5


def terminal_hand() -> None:
    """A hand at the terminal, played by an agent in the person's seat."""
    console = Console(record=True, width=84, highlight=False, force_terminal=True, file=StringIO())
    names = ["random", "always-call"]
    agents = [make_agent(name) for name in names]
    Sitting(
        find_game("holdem.limit.3p"), agents, names, make_agent("always-call"), seed=SEED, console=console
    ).play(1)
    console.save_svg(
        str(PICTURES / "terminal.svg"), title="holdmem play random always-call --game holdem.limit.3p"
    )


def crosstable() -> None:
    """A small round robin."""
    agents = ["random", "always-call", "always-raise", "docs/example_bot.py:cautious"]
    heat_map(tournament(find_game("limit"), agents, hands=20_000, seed=1), PICTURES / "crosstable.png")


if __name__ == "__main__":
    terminal_hand()
    crosstable()
