"""Matches in which stacks are carried over: bankroll games and freeze-out tournaments.

The button moves to the next player with chips; one who has none left is out. A hand is played for what the
stacks are, so pots are split in whole chips whatever the game says: the first seat has the odd ones.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from holdmem.arena.design import Design
from holdmem.arena.units import WorkUnit, make_spots, seat_players
from holdmem.rules import PARTS, UNLIMITED, Game
from holdmem.table import Agent, Finished, Seat, play


class CarriedMatch:
    """One match: who has how much, and whose button it is."""

    def __init__(self, design: Design, number: int) -> None:
        self.number = number
        self.stacks = list(design.game.stacks)
        self.button = len(self.stacks) - 1

    def order(self) -> list[int]:
        """The players with chips from the left of the button on; the last one has it."""
        players = len(self.stacks)
        turns = [(self.button + step) % players for step in range(1, players + 1)]
        return [player for player in turns if self.stacks[player]]

    def settle(self, order: list[int], won: list[int]) -> None:
        """Move the chips of a hand, and the button to the next player."""
        for player, chips in zip(order, won, strict=True):
            self.stacks[player] += chips
        self.button = self.order()[0]

    @property
    def over(self) -> bool:
        """Whether one player has everything."""
        return sum(stack > 0 for stack in self.stacks) == 1


@cache
def game_at(game: Game, seats: int, level: int) -> Game:
    """The game for those who are left, with blinds and bets doubled `level` times."""
    whole = replace(game, odd_chips="first-seat")
    fewer = whole if seats == game.seats else whole.with_seats(seats)
    # Far below this limit everybody is all-in from the blinds already; chips beyond it cannot be counted.
    level = min(level, (UNLIMITED // max(*fewer.blinds, *(fewer.raise_sizes or ()))).bit_length() - 1)
    sizes = fewer.raise_sizes and tuple(size << level for size in fewer.raise_sizes)
    return replace(fewer, blinds=tuple(blind << level for blind in fewer.blinds), raise_sizes=sizes)


def play_carried(unit: WorkUnit, agents: Sequence[Agent], players: list[Seat]) -> Iterator[Finished]:
    """All matches of a unit, hand after hand, until they are over or the hands are played."""
    design = unit.plan.design
    matches = [CarriedMatch(design, number) for number in range(unit.start, unit.stop)]
    players += seat_players(design, agents, len(matches))
    cards = design.streams("cards")
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
            where = make_spots([matches[table].number for table in tables], 0, hand)
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
