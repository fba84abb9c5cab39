"""The words of explanations: situations, actions and numbers as players say them.

Every explanation is made of these parts, so that the page, the terminal, reports and the API say the same.
"""

from holdmem.agent.words.actions import action_words, actions_taken
from holdmem.agent.words.cards import board_words, card_words, hole_words, made_words
from holdmem.agent.words.compose import explain_seat, explained
from holdmem.agent.words.english import counted, joined, money, percent, sentence, unit_name
from holdmem.agent.words.situation import describe_situation

__all__ = [
    "action_words",
    "actions_taken",
    "board_words",
    "card_words",
    "counted",
    "describe_situation",
    "explain_seat",
    "explained",
    "hole_words",
    "joined",
    "made_words",
    "money",
    "percent",
    "sentence",
    "unit_name",
]
