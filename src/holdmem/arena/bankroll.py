"""Matches in which stacks are carried over: bankroll games and freeze-out tournaments.

The button moves to the next player with chips; a player without chips is out. Stacks are whole chips, so pots
are split in whole chips whatever the game's own rule: odd chips go to the first seat.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from holdmem.agent import Agent, FinishedHands, Seat, play
from holdmem.arena.design import Design
from holdmem.arena.units import WorkUnit, make_hand_ids, seat_players
from holdmem.engine import PARTS, UNLIMITED, Game


class BankrollMatch:
    """One match in progress: the players' stacks and the position of the button."""

    def __init__(self, design: Design, number: int) -> None:
        self.number = number
        self.stacks: list[int] = list(design.game.stacks)
        self.button: int = len(self.stacks) - 1

    def order(self) -> list[int]:
        """Return the players with chips, starting left of the button; the last one is on the button."""
        players = len(self.stacks)
        turns = [(self.button + step) % players for step in range(1, players + 1)]
        return [player for player in turns if self.stacks[player]]

    def settle(self, order: list[int], won: list[int]) -> None:
        """Transfer the chips won and lost in a hand, and move the button to the next player with chips."""
        for player, chips in zip(order, won, strict=True):
            self.stacks[player] += chips
        self.button = self.order()[0]

    @property
    def over(self) -> bool:
        """Whether one player has all chips."""
        return sum(stack > 0 for stack in self.stacks) == 1


@cache
def game_at(game: Game, seats: int, level: int) -> Game:
    """Return the game for the players that are left, with blinds and bets doubled `level` times."""
    whole = replace(game, odd_chips="first-seat")
    fewer = whole if seats == game.seats else whole.with_seats(seats)
    # Everybody is all-in from the blinds long before this limit; amounts beyond it would overflow.
    level = min(level, (UNLIMITED // max(*fewer.blinds, *(fewer.raise_sizes or ()))).bit_length() - 1)
    sizes = fewer.raise_sizes and tuple(size << level for size in fewer.raise_sizes)
    return replace(fewer, blinds=tuple(blind << level for blind in fewer.blinds), raise_sizes=sizes)


def play_bankroll(unit: WorkUnit, agents: Sequence[Agent], players: list[Seat]) -> Iterator[FinishedHands]:
    """Play all matches of a unit hand after hand, until they are over or all hands are played."""
    design = unit.plan.design
    matches = [BankrollMatch(design, number) for number in range(unit.start, unit.stop)]
    players += seat_players(design, agents, len(matches))
    cards = design.rng("cards")
    for hand in range(design.hands):
        groups: dict[int, list[int]] = defaultdict(list)
        for table, match in enumerate(matches):
            if not match.over:
                groups[len(match.order())].append(table)
        if not groups:
            return
        level = hand // design.level_hands if design.kind == "freeze-out" else 0
        for seats, tables in sorted(groups.items()):
            game = game_at(design.game, seats, level)
            orders = [matches[table].order() for table in tables]
            where = make_hand_ids([matches[table].number for table in tables], 0, hand)
            stacks = [[matches[t].stacks[p] for p in order] for t, order in zip(tables, orders, strict=True)]
            hands = play(
                game,
                players,
                cards.decks(where, game.deck_cards),
                lineup=orders,
                where=where,
                stacks=stacks,
                tables=np.array(tables),
                names=design.agents,
            )
            for table, order, won in zip(tables, orders, (hands.parts // PARTS).tolist(), strict=True):
                matches[table].settle(order, won)
            yield hands
