"""Kuhn poker (Kuhn, 1950): three cards, one per player, one bet. Worth −1/18 ante to the first player."""

from dataclasses import dataclass

from holdmem.cfr.tree_game import CHANCE, OVER

CARDS = "JQK"
_ENDS = {"pp", "pbp", "pbb", "bp", "bb"}

KuhnState = tuple[tuple[int, ...], str]
"""Cards dealt so far, player 0's first, and the actions: p for check or fold, b for bet or call."""


@dataclass(frozen=True)
class Kuhn:
    """Kuhn poker: each player antes 1, and a bet is 1."""

    name: str = "kuhn"

    def start(self) -> KuhnState:
        """Return the state before the deal."""
        return (), ""

    def turn(self, state: KuhnState) -> int:
        """Return CHANCE until both cards are dealt, then the player to act, or OVER."""
        cards, acts = state
        if len(cards) < 2:
            return CHANCE
        return OVER if acts in _ENDS else len(acts) % 2

    def moves(self, state: KuhnState) -> tuple[str, ...]:
        """Return the remaining cards at chance, otherwise pass and bet."""
        cards, _ = state
        if len(cards) < 2:
            return tuple(card for number, card in enumerate(CARDS) if number not in cards)
        return "p", "b"

    def chance_probabilities(self, state: KuhnState) -> tuple[float, ...]:
        """Return equal probabilities for the remaining cards."""
        left = len(CARDS) - len(state[0])
        return (1 / left,) * left

    def after(self, state: KuhnState, move: int) -> KuhnState:
        """Return the state after one more card or action."""
        cards, acts = state
        if len(cards) < 2:
            return (*cards, [card for card in range(len(CARDS)) if card not in cards][move]), acts
        return cards, acts + "pb"[move]

    def information(self, state: KuhnState) -> str:
        """Return the player's card and the actions so far."""
        cards, acts = state
        return f"{CARDS[cards[len(acts) % 2]]}:{acts}"

    def payoff(self, state: KuhnState) -> float:
        """Return what player 0 wins: ±1 chip, or ±2 if a bet was called."""
        cards, acts = state
        if acts in ("bp", "pbp"):
            return 1.0 if acts == "bp" else -1.0
        stake = 2.0 if acts.endswith("bb") else 1.0
        return stake if cards[0] > cards[1] else -stake
