"""The engine against referees that share no line with it: PokerKit, OpenSpiel, and hands once played.

HOLDMEM_FULL=1 plays fifteen times as many hands against PokerKit. `real_hands` says where real hands are.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache

import numpy as np
import pokerkit
import pytest
from numpy.typing import NDArray

from holdmem.cards import names
from holdmem.engine import CALL, FOLD, Batch, Game, find_game, format_game
from holdmem.engine.game import OddChips
from minimal_readers import Recorded, read_acpc, read_pluribus
from naive.evaluator import rank_of
from naive.rules import settle
from random_play import choose, decks
from real_hands import DATA, FULL, needs_data
from replay import replay

# PokerKit


def pokerkit_game(rng: np.random.Generator, seats: int, limit: bool, odd_chips: OddChips) -> Game:
    """A game by PokerKit's rules with usual blinds and order and some caps."""
    small, big = [(1, 2), (5, 10), (10, 15), (3, 10)][rng.integers(4)]
    blinds = (big, small) if seats == 2 else (small, big) + (0,) * (seats - 2)
    return Game(
        name="pokerkit",
        blinds=blinds,
        stacks=(300,) * seats,
        raise_sizes=(big, big, 2 * big, 2 * big) if limit else None,
        # With six raises no street has the 64 actions at which we, but not PokerKit, stop all raising.
        max_raises=tuple(rng.choice([1, 2, 3, 4, 6], size=4).tolist()),
        odd_chips=odd_chips,
        reopening="full-raise",
        after_short="full-raise",
        cap_counts="every-raise",
    )


def stacks_of_all_kinds(rng: np.random.Generator, seats: int, count: int) -> NDArray[np.int64]:
    """A third deep, a third all different, a third so short that blinds put seats all-in."""
    deep = rng.choice([60, 200, 300], size=(count, 1)).repeat(seats, axis=1)
    uneven = rng.integers(1, 300, (count, seats))
    short = rng.integers(1, 25, (count, seats))
    return np.choose(rng.integers(3, size=(count, 1)), [deep, uneven, short])


@dataclass
class PokerKitTable:
    """One hand at PokerKit, led through the same actions; what it sees otherwise is counted by its reason."""

    game: Game
    deck: list[int]
    stacks: list[int]
    remarks: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        seats = self.game.seats
        # Heads-up PokerKit also seats the big blind first, but names the blinds in the order of a ring.
        blinds = self.game.blinds[::-1] if seats == 2 else self.game.blinds
        betting = (
            pokerkit.BettingStructure.FIXED_LIMIT if self.game.limit else pokerkit.BettingStructure.NO_LIMIT
        )
        self.state = pokerkit.State(
            AUTOMATIONS,
            pokerkit.Deck.STANDARD,
            (RememberedHand,),
            tuple(pokerkit_streets(self.game)),
            betting,
            True,
            (0,) * seats,
            blinds,
            0,
            self.stacks,
            seats,
            divmod=split_exactly if self.game.odd_chips == "exact" else divmod,
        )
        self.state.deck_cards = deque(pokerkit.Card.parse(names(self.deck)))
        for seat in range(seats):
            self.state.deal_hole(names(self.deck[2 * seat : 2 * seat + 2]))

    def agree(self, seat: int, to_call: int, least: int, most: int, wish: int) -> int:
        """Check turn and legal actions, do what is wished for or else call; the action that was taken."""
        state = self.state
        if state.actor_index != seat:
            # PokerKit does not ask a seat whose chips nobody can win: all that matters there is a check.
            assert to_call == 0
            self.remarks["not asked"] += 1
            return CALL
        assert state.checking_or_calling_amount == to_call
        if state.can_complete_bet_or_raise_to():
            assert state.min_completion_betting_or_raising_to_amount == least
            assert state.max_completion_betting_or_raising_to_amount == most
        elif most:
            self.remarks[self.why_no_raise(seat)] += 1
            wish = min(wish, CALL)
        self.do(wish)
        return wish

    def why_no_raise(self, seat: int) -> str:
        """The reason for which PokerKit forbids a raise that we allow; there are two."""
        state = self.state
        highest = max(state.bets)
        others = [other for other in state.player_indices if other != seat and state.statuses[other]]
        if all(state.bets[other] + state.stacks[other] <= highest for other in others):
            return "nobody could answer a raise"
        # Short all-ins that add up to a full raise reopen the betting, also if another short one follows:
        # PokerKit then counts only the last ones, which is against its own rule.
        assert highest - state.bets[seat] >= state.completion_betting_or_raising_amount
        assert 0 < sum(state.consecutive_short_all_in_amounts) < state.completion_betting_or_raising_amount
        return "short all-ins counted anew"

    def do(self, action: int) -> None:
        """Fold, call or raise there too."""
        if action == FOLD:
            self.state.fold()
        elif action == CALL:
            self.state.check_or_call()
        else:
            self.state.complete_bet_or_raise_to(action)


def split_exactly(pot: int, winners: int) -> tuple[Fraction, int]:
    """How PokerKit divides a pot if told to leave no odd chips."""
    return Fraction(pot, winners), 0


@cache
def best_hand(hole: tuple[object, ...], board: tuple[object, ...]) -> object:
    """The best five cards, by PokerKit."""
    return pokerkit.StandardHighHand.from_game(hole, board)


class RememberedHand(pokerkit.StandardHighHand):
    """PokerKit's own hands, remembered: it asks for the same ones again and again at a showdown."""

    @classmethod
    def from_game(cls, hole_cards: Iterable[object], board_cards: Iterable[object] = ()) -> object:
        """See there."""
        return best_hand(tuple(hole_cards), tuple(board_cards))


AUTOMATIONS = tuple(
    getattr(pokerkit.Automation, name)
    for name in (
        "ANTE_POSTING",
        "BET_COLLECTION",
        "BLIND_OR_STRADDLE_POSTING",
        "BOARD_DEALING",
        "HOLE_CARDS_SHOWING_OR_MUCKING",
        "HAND_KILLING",
        "CHIPS_PUSHING",
        "CHIPS_PULLING",
    )
)


def pokerkit_streets(game: Game) -> Iterator[object]:
    """The four streets with our caps, and without burnt cards."""
    for street, board in enumerate((0, 3, 1, 1)):
        hole = (False, False) if street == 0 else ()
        size = game.raise_sizes[street] if game.raise_sizes else game.big_blind
        cap = game.max_raises[street]
        yield pokerkit.Street(False, hole, board, False, pokerkit.Opening.POSITION, size, cap)


def after_mucking(batch: Batch, table: int) -> list[Fraction]:
    """The result if those who win nothing muck before the pots are made, as PokerKit has it.

    Pots that only such seats told apart are then one, and have their odd chips in common.
    """
    seats = batch.game.seats
    hand, deck = batch.hands[table], batch.decks[table].tolist()
    paid = hand.paid[:seats].tolist()
    live = [seat for seat in range(seats) if int(hand.live) >> seat & 1]
    ranks = {seat: rank_of(deck[2 * seat : 2 * seat + 2] + deck[2 * seats :]) for seat in live}
    shared = settle(paid, ranks, "exact")
    winners = {seat: ranks[seat] for seat in live if shared[seat] + paid[seat] > 0}
    return settle(paid, winners, "first-seat")


def side_pots(batch: Batch) -> int:
    """How many hands end in a showdown for more than one pot."""
    paid = batch.hands["paid"]
    live = (batch.hands["live"][:, None] >> np.arange(paid.shape[1])) & 1
    pots = [len(set(row[seats == 1].tolist())) for row, seats in zip(paid, live, strict=True)]
    return int(((np.array(pots) > 1) & (batch.hands["shown"] == 1)).sum())


@pytest.mark.parametrize("odd_chips", ["exact", "first-seat"])
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("limit", [True, False], ids=["limit", "no-limit"])
def test_payoffs_are_those_of_pokerkit_to_the_chip(
    seats: int, limit: bool, part: int, odd_chips: OddChips
) -> None:
    rng = np.random.default_rng([seats, limit, part, odd_chips == "exact"])
    hands = 225 if FULL else 15
    game = pokerkit_game(rng, seats, limit, odd_chips)
    batch = Batch(game, decks(rng, game, hands), stacks_of_all_kinds(rng, seats, hands))
    remarks: Counter[str] = Counter()
    tables = [
        PokerKitTable(game, deck, stacks, remarks)
        for deck, stacks in zip(batch.decks.tolist(), batch.stacks.tolist(), strict=True)
    ]
    while len(unfinished := batch.unfinished()):
        actions = []
        for table, *legal in zip(unfinished, *batch.legal(unfinished), strict=True):
            seat = int(batch.hands["to_act"][table])
            limits = [int(number) for number in legal]
            actions.append(tables[table].agree(seat, *limits, choose(rng, *limits)))
        batch.act(unfinished, np.array(actions))
    for number, table in enumerate(tables):
        assert not table.state.status
        if batch.exact_net(number) != table.state.payoffs:
            assert odd_chips == "first-seat"
            assert after_mucking(batch, number) == table.state.payoffs
            remarks["pots made after mucking"] += 1
    all_in = (batch.hands["stack"][:, :seats] == 0).any(axis=1).sum()
    print(f"{hands} hands, {all_in} with an all-in, {side_pots(batch)} with side pots, {dict(remarks)}")


def test_pokerkit_forgets_short_all_ins_once_they_have_added_up() -> None:
    """Seat 0 bets 100; all-ins of 150 and 200 reopen the betting for it, and a third one of 230 shuts it."""
    stacks = (1000, 160, 210, 240, 1000)
    game = Game("pokerkit", (5, 10, 0, 0, 0), stacks, reopening="full-raise", after_short="full-raise")
    for last, remarks in ((CALL, {}), (230, {"short all-ins counted anew": 1})):
        actions = (*[CALL] * 5, 100, 150, 200, last, CALL)
        batch = replay(game, [range(game.deck_cards)], [actions])
        table = PokerKitTable(game, batch.decks[0].tolist(), list(stacks))
        for action in actions:
            table.do(action)
        to_call, least, most = (int(column[0]) for column in batch.legal(np.array([0])))
        assert least
        table.agree(0, to_call, least, most, wish=CALL)
        assert table.remarks == remarks


# OpenSpiel


def openspiel_state(game: Game, stacks: list[int]) -> object:
    """The same game with these stacks at universal_poker, which plays by the code of the ACPC's dealer."""
    pyspiel = pytest.importorskip("pyspiel")
    text = format_game(replace(game, stacks=tuple(stacks)))
    words = dict(line.split(" = ") for line in text.splitlines() if "=" in line)
    given = {
        word: int(value) if word.startswith("num") and " " not in value else value
        for word, value in words.items()
    }
    given["betting"] = "limit" if game.limit else "nolimit"
    # The "full game" of limit offers its raises under the number of a fold; "fcpa" has them as one action.
    given["bettingAbstraction"] = "fcpa" if game.limit else "fullgame"
    return pyspiel.load_game("universal_poker", given).new_initial_state()


class OpenSpielTable:
    """One hand at OpenSpiel, led through the same actions."""

    def __init__(self, game: Game, deck: list[int], stacks: list[int]) -> None:
        self.limit = game.limit
        self.cards = iter(deck)
        self.state = openspiel_state(game, stacks)
        self.deal()

    def deal(self) -> None:
        """The next cards of the deck, wherever chance is to move."""
        while self.state.is_chance_node():
            self.state.apply_action(next(self.cards))

    def agree(self, hand: np.record, to_call: int, least: int, most: int) -> None:
        """Check turn and legal actions; raises in no-limit are totals of the hand there."""
        fold, raises = [0] if to_call else [], []
        if most and self.limit:
            raises = [2]
        elif most:
            before = before_street(hand)
            raises = list(range(least + before, most + before + 1))
        assert self.state.current_player() == hand.to_act
        assert self.state.legal_actions() == [*fold, 1, *raises]

    def do(self, hand: np.record, action: int) -> None:
        """Fold, call or raise there too."""
        codes = {FOLD: 0, CALL: 1}
        raised = 2 if self.limit else action + before_street(hand)
        self.state.apply_action(codes.get(action, raised))
        self.deal()


def before_street(hand: np.record) -> int:
    """Chips that the seat to act paid on earlier streets."""
    return int(hand.paid[hand.to_act] - hand.bet[hand.to_act])


OPENSPIEL = {
    "limit-2": (replace(find_game("limit"), stacks=(5000,) * 2), None),
    "limit-3": (replace(find_game("holdem.limit.3p"), stacks=(5000,) * 3), None),
    "no-limit-2": (find_game("nolimit"), None),
    "no-limit-3": (find_game("holdem.nolimit.3p"), None),
    "no-limit-2-unequal": (find_game("nolimit"), 700),
    "no-limit-3-unequal": (find_game("holdem.nolimit.3p"), 700),
    "no-limit-3-capped": (replace(find_game("holdem.nolimit.3p"), max_raises=(1, 2, 3, 4)), 3000),
}
"""The ACPC's games, with equal stacks or with any from the big blind up to so many chips."""


@pytest.mark.parametrize("name", OPENSPIEL)
def test_openspiel_agrees_at_every_action_and_in_the_returns(name: str) -> None:
    game, deepest = OPENSPIEL[name]
    hands, rng = 500, np.random.default_rng([7, len(name)])
    stacks = rng.integers(game.big_blind, deepest, (hands, game.seats)) if deepest else None
    batch = Batch(game, decks(rng, game, hands), stacks)
    tables = [
        OpenSpielTable(game, *dealt)
        for dealt in zip(batch.decks.tolist(), batch.stacks.tolist(), strict=True)
    ]
    while len(unfinished := batch.unfinished()):
        actions = []
        for table, *legal in zip(unfinished, *batch.legal(unfinished), strict=True):
            limits = [int(number) for number in legal]
            tables[table].agree(batch.hands[table], *limits)
            actions.append(choose(rng, *limits))
            tables[table].do(batch.hands[table], actions[-1])
        batch.act(unfinished, np.array(actions))
    assert batch.net.tolist() == [table.state.returns() for table in tables]


# Hands once played


def assert_replays(game: Game, recorded: list[Recorded], hands: int) -> None:
    """Every hand is legal from its first action to its last, ends there, and pays what is written."""
    assert len(recorded) == hands
    batch = replay(game, [hand.deck for hand in recorded], [hand.actions for hand in recorded])
    assert [recorded[table].where for table in batch.unfinished()] == []
    for table, hand in enumerate(recorded):
        assert batch.exact_net(table) == hand.net, hand.where


@needs_data
@pytest.mark.parametrize(
    ("log", "game"),
    [
        ("2p.limit", "holdem.limit.2p.reverse_blinds"),
        ("3p.limit", "holdem.limit.3p"),
        ("2p.nolimit", "holdem.nolimit.2p.reverse_blinds"),
        ("3p.nolimit", "holdem.nolimit.3p"),
    ],
)
def test_hands_of_the_acpc_replay_to_the_recorded_result(log: str, game: str) -> None:
    path = DATA / "acpc" / f"{log}.h1000.r0.log"
    assert_replays(find_game(game), list(read_acpc(path, find_game(game))), hands=1000)


@needs_data
def test_hands_of_pluribus_replay_to_the_recorded_result() -> None:
    game = Game("pluribus", (50, 100, 0, 0, 0, 0), stacks=(10_000,) * 6)
    recorded = [hand for path in (DATA / "pluribus").glob("*.tar.gz") for hand in read_pluribus(path)]
    assert_replays(game, recorded, hands=6844)
    assert sum(any(chips.denominator == 2 for chips in hand.net) for hand in recorded) == 7
