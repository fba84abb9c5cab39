"""The tables at which CASPER is tested, and whom their players stand in for."""

from holdmem.engine import find_game
from holdmem.papers.casper_published import SIMBOT

GAME = find_game("casper")
ADAPTIVE = ("poki", SIMBOT) * 4
AGGRESSIVE = ("jagbot", "jagbot:loose=0.6,aggressive=0.8", "jagbot:loose=0.8", "jagbot:aggressive=0.6") * 2
LOOSE = ("jagbot:loose=0.9,aggressive=0.15", "jagbot:loose=0.75,aggressive=0.1") * 4
TABLES: dict[str, tuple[str, ...]] = {"adaptive": ADAPTIVE, "aggressive": AGGRESSIVE, "loose": LOOSE}
SIZES = {"adaptive": (150, 50), "aggressive": (450, 50)}
"""Hands per seat in a match, and matches, of comparisons that no published figure asks for.

Learning Pokis make the adaptive table slow. From the errors at 202,500 hands, differences are planned to have
intervals of ± 0.022 to ± 0.038 sb/h there.
"""
STANDS_IN = {
    "adaptive": "four Poki and four Simbot of HoldMem (16 roll-outs) in place of Alberta's",
    "aggressive": "eight Jagbots of HoldMem, four versions",
    "loose": "eight loose passive players in place of people with play money",
}
