"""Kuhn's poker (1950): three cards, one each, one bet. Worth −1/18 of an ante to the first player."""

from dataclasses import dataclass

from holdmem.equilibrium.tree_game import CHANCE, OVER

CARDS = "JQK"
_ENDS = {"pp", "pbp", "pbb", "bp", "bb"}

State = tuple[tuple[int, ...], str]
"""The cards dealt so far, player 0's first, and what was done: p for check or fold, b for bet or call."""


@dataclass(frozen=True)
class Kuhn:
    """Everybody antes 1; a bet is 1."""

    name: str = "kuhn"

    def start(self) -> State:
        """Nothing dealt."""
        return (), ""

    def turn(self, state: State) -> int:
        """Chance deals two cards; then players act in turn."""
        cards, acts = state
        if len(cards) < 2:
            return CHANCE
        return OVER if acts in _ENDS else len(acts) % 2

    def moves(self, state: State) -> tuple[str, ...]:
        """Cards, or pass and bet."""
        cards, _ = state
        if len(cards) < 2:
            return tuple(card for number, card in enumerate(CARDS) if number not in cards)
        return "p", "b"

    def chances(self, state: State) -> tuple[float, ...]:
        """All cards that are left alike."""
        left = len(CARDS) - len(state[0])
        return (1 / left,) * left

    def after(self, state: State, move: int) -> State:
        """One more card or action."""
        cards, acts = state
        if len(cards) < 2:
            return (*cards, [card for card in range(len(CARDS)) if card not in cards][move]), acts
        return cards, acts + "pb"[move]

    def information(self, state: State) -> str:
        """The own card and the actions."""
        cards, acts = state
        return f"{CARDS[cards[len(acts) % 2]]}:{acts}"

    def payoff(self, state: State) -> float:
        """One ante, or two chips after a bet that was called."""
        cards, acts = state
        if acts in ("bp", "pbp"):
            return 1.0 if acts == "bp" else -1.0
        stake = 2.0 if acts.endswith("bb") else 1.0
        return stake if cards[0] > cards[1] else -stake
