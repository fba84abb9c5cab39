"""Leduc hold'em (Southey et al., 2005): six cards of three ranks, one per player, one board card, two rounds.

The ante is 1. Bets are 2 in the first round and 4 in the second, with at most two raises per round, the first
bet included. A pair with the board wins, otherwise the higher rank. Player 0 acts first in both rounds. Suits
decide nothing, so players know only ranks: 288 information sets.
"""

from dataclasses import dataclass

from holdmem.cfr.tree_game import CHANCE, OVER

RANKS = "JQK"
COPIES = 2
BETS = (2, 4)
MOST_RAISES = 2

LeducState = tuple[tuple[int, ...], tuple[str, ...]]
"""Ranks dealt so far (player 0's, player 1's, the board's), and the actions of each round: f, c, r."""


def _closed(acts: str) -> bool:
    """Return whether the betting round is over: a fold, or a call or check that answers a bet or check."""
    return acts.endswith("f") or (len(acts) > 1 and acts.endswith("c"))


def paid(rounds: tuple[str, ...]) -> tuple[int, int]:
    """Return the chips each player has put in."""
    chips = [1, 1]
    for bet, acts in zip(BETS, rounds, strict=False):
        for place, act in enumerate(acts):
            actor = place % 2
            if act != "f":
                chips[actor] = max(chips) + (bet if act == "r" else 0)
    return chips[0], chips[1]


@dataclass(frozen=True)
class Leduc:
    """Leduc hold'em as in the literature; payoffs in chips of one ante each."""

    name: str = "leduc"

    def start(self) -> LeducState:
        """Return the state before the deal."""
        return (), ("",)

    def turn(self, state: LeducState) -> int:
        """Return CHANCE for the deal and for the board after round one, the player to act, or OVER."""
        cards, rounds = state
        if len(cards) < 2:
            return CHANCE
        if rounds[-1].endswith("f") or (len(rounds) == 2 and _closed(rounds[1])):
            return OVER
        if _closed(rounds[-1]):
            return CHANCE
        return len(rounds[-1]) % 2

    def moves(self, state: LeducState) -> tuple[str, ...]:
        """Return the remaining ranks at chance, else fold (facing a bet), call and raise (below the cap)."""
        cards, rounds = state
        if self.turn(state) == CHANCE:
            return tuple(RANKS[rank] for rank in self._left(cards))
        acts = rounds[-1]
        return tuple(("f" if "r" in acts else "") + "c" + ("r" if acts.count("r") < MOST_RAISES else ""))

    def _left(self, cards: tuple[int, ...]) -> list[int]:
        return [rank for rank in range(len(RANKS)) if cards.count(rank) < COPIES]

    def chance_probabilities(self, state: LeducState) -> tuple[float, ...]:
        """Return probabilities in proportion to the remaining copies of each rank."""
        cards, _ = state
        whole = COPIES * len(RANKS) - len(cards)
        return tuple((COPIES - cards.count(rank)) / whole for rank in self._left(cards))

    def after(self, state: LeducState, move: int) -> LeducState:
        """Return the state after one more card or action; the board card opens the second round."""
        cards, rounds = state
        if self.turn(state) == CHANCE:
            dealt = (*cards, self._left(cards)[move])
            return dealt, (*rounds, "") if len(dealt) == 3 else rounds
        return cards, (*rounds[:-1], rounds[-1] + self.moves(state)[move])

    def information(self, state: LeducState) -> str:
        """Return the information set, own rank, the board's rank and all actions: "K:crc", "K:Q:crc/r"."""
        cards, rounds = state
        own = RANKS[cards[len(rounds[-1]) % 2]]
        board = f":{RANKS[cards[2]]}" if len(cards) == 3 else ""
        return f"{own}{board}:{'/'.join(rounds)}"

    def payoff(self, state: LeducState) -> float:
        """Return what player 0 wins in chips.

        A player that folds loses what it has put in. At a showdown a pair with the board wins, otherwise the
        higher rank; equal ranks split the pot.
        """
        cards, rounds = state
        first, second = paid(rounds)
        if rounds[-1].endswith("f"):
            return float(second) if len(rounds[-1]) % 2 == 0 else -float(first)
        strength = [(rank == cards[2], rank) for rank in cards[:2]]
        return float(first) * ((strength[0] > strength[1]) - (strength[0] < strength[1]))
