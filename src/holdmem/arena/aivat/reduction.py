"""AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling 2018) for heads-up hold'em.

Where a player's policy is known, so is its *range*: the probability of each holding given all that is public,
by Bayes' rule. A player whose policy is unknown has the range of the one holding that it was dealt.

    aivat = final value - sum over events of share * (value after the event - mean value over all outcomes)

The final value is the mean payoff over both ranges. Events are the cards of every street, the actions of
known players and, if one policy is unknown, the cards dealt to that player. The mean of an action is over the
range and policy of the player who takes it, that of cards over all cards that may come given both ranges.
Given everything before it, each term has mean zero for any value function and any shares, so the mean of
aivat is that of the winnings, whoever the unknown player is. docs/luck.md has the value function and figures.
"""

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Agent, FinishedHands, PolicySeat, Seat, WatchingSeat
from holdmem.agent.blame import describe_exception
from holdmem.arena.aivat.decisions import KnownChoices, ReplayedDecisions, no_choices, replay
from holdmem.arena.aivat.estimate import LuckParts, luck_parts, plays_of
from holdmem.arena.aivat.known_policy import KnownPolicy
from holdmem.core.errors import AgentError, GameError, HoldMemError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.variance.control_variate import whole_parts

if TYPE_CHECKING:
    from holdmem.arena.design import Design

AT_ONCE = 128
"""Hands whose policies are held in memory together, about 30 MB."""


class Shares(NamedTuple):
    """How much of the luck of each street is subtracted, by kind of event.

    Values are as if nobody bet again, so luck that leads to further bets counts for more than its chips. Any
    numbers keep the mean. These are least-squares fits to hands that no published figure is measured on.
    """

    cards: tuple[float, float, float, float]
    choices: tuple[float, float, float, float]


SHARES = {
    (True, True): Shares((0.0, 1.94, 1.5, 1.27), (1.36, 1.12, 1.1, 0.96)),
    (True, False): Shares((2.78, 2.12, 1.61, 1.22), (1.5, 1.29, 1.05, 0.99)),
    (False, True): Shares((0.0, 1.5, 1.6, 1.1), (1.2, 1.05, 1.05, 0.85)),
    (False, False): Shares((3.0, 2.0, 1.8, 1.5), (1.1, 1.0, 1.1, 0.85)),
}
"""Shares by whether the game is limit and whether both policies are known."""


class Aivat:
    """Variance reduction for heads-up hands between players of whom one or both have known policies."""

    def __init__(self, game: Game, names: Sequence[str], seats: Sequence[Seat | None]) -> None:
        """Take each player's seat, or None if the policy is unknown; seats that learn count as unknown."""
        check_game(game)
        self.game = game
        self.names: tuple[str, ...] = tuple(names)
        self.policies: list[KnownPolicy | None] = [
            KnownPolicy(game, name, seat) if seat is not None and has_known_policy(seat) else None
            for name, seat in zip(names, seats, strict=True)
        ]
        if not any(self.policies):
            raise AgentError(
                f"{' against '.join(names)}: AIVAT needs an agent whose policy is known: one that does not"
                " learn and can report its action probabilities"
            )

    @classmethod
    def of(cls, design: "Design", agents: Sequence[Agent]) -> "Aivat":
        """Return the variance reduction for the agents of a design."""
        pairs = zip(design.agents, agents, strict=True)
        return cls(design.game, design.agents, [sit_down(agent, name, design.game) for name, agent in pairs])

    @property
    def known(self) -> tuple[bool, ...]:
        """Whether each player's policy is known."""
        return tuple(policy is not None for policy in self.policies)

    def parts(self, hands: FinishedHands) -> Ints:
        """Return the results in whole parts of a chip, (hands, 2); every hand sums to zero."""
        if hands.player is not None:
            raise GameError("AIVAT needs all hole cards, got one player's view of the hands")
        chips = [self.chips(part_of(hands, at, at + AT_ONCE)) for at in range(0, len(hands), AT_ONCE)]
        together = np.concatenate([np.zeros(0), *chips])
        return whole_parts(np.column_stack([together, -together]))

    def forget_boards(self) -> None:
        """Drop what is kept of boards: where hands come one by one, none comes back soon."""
        for policy in filter(None, self.policies):
            policy.forget_boards()

    def chips(self, hands: FinishedHands) -> Floats:
        """Return the results of seat 0 in chips, for hands that fit into memory together."""
        shares = SHARES[self.game.limit, all(self.known)]
        final, cards, choices = self.luck(hands)
        chips: Floats = final - cards @ np.array(shares.cards) - choices @ np.array(shares.choices)
        return chips

    def luck(self, hands: FinishedHands) -> LuckParts:
        """Return the final values and the luck of cards and choices, street by street."""
        decisions, known, choices, row = self.known_choices(hands)
        found, bad = luck_parts(plays_of(hands, decisions, known, choices, row))
        if bad >= 0:
            raise AgentError(
                f"{self.names[decisions.player[bad]]}: took an action that its policy never takes, with any"
                f" cards, in hand {hands.hand_ids[decisions.hand[bad]]}"
            )
        return found

    def known_choices(
        self, hands: FinishedHands
    ) -> tuple[ReplayedDecisions, NDArray[np.bool_], KnownChoices, Ints]:
        """Return all decisions, whose policy is known by hand and seat, the policies, and their rows."""
        decisions, is_known = replay(hands), np.array(self.known)
        asked = is_known[decisions.player]
        row = np.where(asked, np.cumsum(asked) - 1, -1)
        choices = no_choices(int(asked.sum()))
        for player, policy in enumerate(self.policies):
            if policy is not None:
                which = np.flatnonzero(decisions.player == player)
                policy.fill(decisions, hands.history, which, row[which], choices)
        return decisions, is_known[hands.lineup], choices, row


def check_game(game: Game) -> None:
    """Raise GameError unless the game is heads-up and without dead chips."""
    if game.seats != 2:
        raise GameError(f"{game.name}: AIVAT needs a heads-up game, got {game.seats} seats; use adjusted")
    if game.dead:
        raise GameError(f"{game.name}: AIVAT does not know dead chips in the pot; use adjusted")


def has_known_policy(seat: Seat) -> TypeGuard[PolicySeat]:
    """Whether a seat plays a fixed policy that it can report."""
    return isinstance(seat, PolicySeat) and not isinstance(seat, WatchingSeat)


def sit_down(agent: Agent, name: str, game: Game) -> Seat:
    """Seat an agent to ask for its policy; nothing that it draws matters."""
    try:
        return agent.sit(game, 1, Streams.of(0, "player", 0))
    except HoldMemError as error:
        raise AgentError(f"{name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{name}: {describe_exception(error)} when it sat down to {game.name}") from error


def part_of(hands: FinishedHands, start: int, stop: int) -> FinishedHands:
    """Return some of the hands."""
    some, batch = slice(start, stop), copy(hands.batch)
    for field in ("decks", "stacks", "hands", "history"):
        setattr(batch, field, getattr(batch, field)[some])
    return FinishedHands(batch, hands.lineup[some], hands.hand_ids[some], hands.tables[some], hands.player)
