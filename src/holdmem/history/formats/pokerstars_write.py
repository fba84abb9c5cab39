"""Write hands in PokerStars' text format, if it can represent their blinds and results."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TextIO

from holdmem.cards.evaluator import category
from holdmem.cards.notation import name as card_name
from holdmem.core.errors import NotationError
from holdmem.engine import UNLIMITED, Game
from holdmem.engine.steps import HandStep
from holdmem.history.formats.payout import chips_won, covering, payments, pot_sizes
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand
from holdmem.history.steps import HandReplay, replay_hand

TABLE_SIZES = (2, 6, 9, 10)
STREETS = ("HOLE CARDS", "FLOP", "TURN", "RIVER")
LATE = {(True, True): "small & big blinds", (True, False): "small blind", (False, True): "big blind"}
"""Late posts, by whether the seat owes dead chips and whether it owes a bet."""
LAST_STREET = ("before Flop", "on the Flop", "on the Turn", "on the River")


def write(
    hands: Iterable[Hands],
    file: TextIO,
    hero: str | None = None,
    refused: Callable[[str, str], None] | None = None,
) -> int:
    """Write hands one after another; return the number written.

    Known hole cards are written in `Dealt to` lines, for every seat or only for `hero`, and for those who
    showed. `refused` is called with the location and the reason for a hand that the format cannot represent;
    without it such a hand raises NotationError.
    """
    count = 0
    for block in hands:
        for place in range(len(block)):
            try:
                lines = PokerStarsWriter(block[place], count + 1, hero).lines()
            except NotationError as error:
                if refused is None:
                    raise NotationError(f"{block.where(place)}: {error}") from None
                refused(block.where(place), str(error))
                continue
            file.write("\n".join(lines) + "\n\n\n")
            count += 1
    return count


class PokerStarsWriter:
    """Writes one hand, line by line."""

    def __init__(self, hand: RecordedHand, count: int, hero: str | None) -> None:
        self.hand = hand
        self.count = count
        self.hero = hero
        self.game: Game = hand.terms.game
        self.replay: HandReplay = replay_hand(hand)
        self.big: int = self._big_blind()
        self.small: int = self._small_blind()
        self._check()

    # Checks of what the format can represent

    def _big_blind(self) -> int:
        """Return the seat of the big blind, or of the only blind: the seat before the first to act."""
        game = self.game
        big = (game.first[0] - 1) % game.seats
        if not game.blinds[big] or game.first[1:] != (0, 0, 0):
            raise NotationError(f"expected the order of action of PokerStars, got {game.first}")
        return big

    def _small_blind(self) -> int:
        """Return the seat of the small blind, just before the big blind and posting less, or -1."""
        game = self.game
        before = (self.big - 1) % game.seats
        return before if 0 < game.blinds[before] < game.blinds[self.big] else UNKNOWN

    @property
    def lone(self) -> bool:
        """Whether the only blind is a small blind."""
        return self.small == UNKNOWN and self.game.min_bet > self.game.blinds[self.big]

    def _check(self) -> None:
        game, full = self.game, self.game.blinds[self.big]
        late = [seat for seat in range(game.seats) if seat not in (self.big, self.small)]
        if any(game.blinds[seat] not in (0, full) for seat in late):
            raise NotationError(f"expected a small blind, a big blind and late posts only, got {game.blinds}")
        if game.min_bet and not self.lone:
            raise NotationError(f"expected a minimum bet of {full} chips, got {game.min_bet}")
        if any(game.dead) and (game.dead[self.big] or (self.small != UNKNOWN and game.dead[self.small])):
            raise NotationError(f"only seats without a blind can have dead chips, got {game.dead}")
        if len({ante for ante in game.antes if ante}) > 1:
            raise NotationError(f"all antes must be equal or 0, got {game.antes}")
        if game.raise_sizes is not None:
            one, _, two, _ = game.raise_sizes
            if game.raise_sizes != (one, one, two, two) or one != full or two == full:
                raise NotationError(f"expected bets of {full} and then more, got {game.raise_sizes}")
        names = self.hand.names
        if len(set(names)) < game.seats or any("\n" in name or name.strip() != name for name in names):
            raise NotationError(f"names must be distinct and on one line each, got {list(names)}")
        if self.hand.second:
            raise NotationError(
                "a hand that was run twice cannot be written: it does not record who won which run"
            )
        if self.replay.net is None:
            raise NotationError("the result is unknown: not all cards were shown")

    def money(self, chips: int) -> str:
        """Format an amount: whole chips if a chip is worth 1 and has no currency, else money to the cent."""
        terms = self.hand.terms
        worth = chips * terms.chip
        if not terms.currency and terms.chip == 1:
            return str(chips)
        cents = worth * 100
        if cents.denominator != 1:
            raise NotationError(f"expected amounts in cents, got {worth}")
        if worth.denominator == 1 and terms.currency:
            return f"{terms.currency}{worth.numerator}"
        return f"{terms.currency}{cents.numerator // 100}.{cents.numerator % 100:02}"

    # Lines of the hand

    def lines(self) -> list[str]:
        """Return the lines of the whole hand."""
        lines = [*self._header(), *self._posts(), "*** HOLE CARDS ***", *self._dealt()]
        street = 0
        for step in self.replay.steps:
            if step.street != street:
                lines += self._boards(street + 1, step.street)
                street = step.street
            lines.append(self._step(step))
        lines += self._boards(street + 1, self._last_street())
        return [*lines, *self._end(), *self._summary()]

    def _last_street(self) -> int:
        return max(len(self.hand.board) - 2, 0)

    def _header(self) -> list[str]:
        hand, game = self.hand, self.game
        number = hand.number if hand.number >= 0 else self.count
        if game.raise_sizes is not None:
            low, high = game.raise_sizes[0], game.raise_sizes[-1]
        else:
            high = max(game.blinds[self.big], game.min_bet)
            low = game.blinds[self.small] if self.small != UNKNOWN else high // 2
            low = game.blinds[self.big] if self.lone else low
        when = (
            f" - {datetime.fromtimestamp(hand.time, UTC):%Y/%m/%d %H:%M:%S} ET"
            if hand.time != UNKNOWN
            else ""
        )
        seats, kind = game.seats, "Limit" if game.limit else "No Limit"
        table = hand.table.replace("\n", " ")
        size = next(size for size in TABLE_SIZES if size >= seats)
        play = " (Play Money)" if not hand.terms.currency and hand.terms.chip == 1 else ""
        lines = [
            f"PokerStars Hand #{number}:  Hold'em {kind} ({self.money(low)}/{self.money(high)}){when}",
            f"Table '{table}' {size}-max{play} Seat #{seats} is the button",
        ]
        for seat, (name, stack) in enumerate(zip(hand.names, hand.stacks, strict=True), start=1):
            chips = covering(self.game, self.replay) if stack == UNLIMITED else stack
            lines.append(f"Seat {seat}: {name} ({self.money(chips)} in chips)")
        return lines

    def _posts(self) -> list[str]:
        """Return the posts: antes, small blind, big blind, then late posts."""
        game, replay = self.game, self.replay
        dead = game.dead or (0,) * game.seats
        lines = [
            self._post(seat, "the ante", ante, self.hand.stacks[seat] - dead[seat])
            for seat, ante in enumerate(replay.antes)
            if ante
        ]
        rest = [stack - ante for stack, ante in zip(self.hand.stacks, replay.antes, strict=True)]
        if self.small != UNKNOWN and replay.blinds[self.small]:
            lines.append(self._post(self.small, "small blind", replay.blinds[self.small], rest[self.small]))
        if replay.blinds[self.big]:
            blind = "small blind" if self.lone else "big blind"
            lines.append(self._post(self.big, blind, replay.blinds[self.big], rest[self.big]))
        for seat in range(game.seats):
            if seat in (self.big, self.small):
                continue
            words = {
                (True, True): "small & big blinds",
                (True, False): "small blind",
                (False, True): "big blind",
            }
            what = words.get((dead[seat] > 0, replay.blinds[seat] > 0))
            if what is not None:
                lines.append(self._post(seat, what, dead[seat] + replay.blinds[seat], rest[seat]))
        return lines

    def _post(self, seat: int, what: str, chips: int, stack: int) -> str:
        all_in = " and is all-in" if chips == stack else ""
        return f"{self.hand.names[seat]}: posts {what} {self.money(chips)}{all_in}"

    def _dealt(self) -> list[str]:
        names = self.hand.names
        dealt = [seat for seat, name in enumerate(names) if self.hero in (None, name) and self._known(seat)]
        return [f"Dealt to {names[seat]} {_cards(self.hand.hole[seat])}" for seat in dealt]

    def _known(self, seat: int) -> bool:
        return UNKNOWN not in self.hand.hole[seat]

    def _boards(self, begin: int, end: int) -> list[str]:
        """Return the lines that deal these streets."""
        board, lines = self.hand.board, []
        for street in range(begin, end + 1):
            old, new = (
                (board[:3], []) if street == 1 else (board[: street + 1], board[street + 1 : street + 2])
            )
            lines.append(f"*** {STREETS[street]} *** {_cards(old)}{' ' + _cards(new) if new else ''}")
        return lines

    def _step(self, step: HandStep) -> str:
        words = step.verb
        if words == "raises":
            words += f" {self.money(step.action - step.highest)} to {self.money(step.action)}"
        elif words in ("bets", "calls"):
            words += f" {self.money(step.paid)}"
        return f"{self.hand.names[step.seat]}: {words}{' and is all-in' * step.all_in}"

    def _end(self) -> list[str]:
        """Return the uncalled bet, the cards shown and who collects each pot."""
        names, lines = self.hand.names, []
        seat, back = self.replay.uncalled
        if back:
            lines.append(f"Uncalled bet ({self.money(back)}) returned to {names[seat]}")
        if self.replay.shown:
            lines.append("*** SHOW DOWN ***")
            lines += [self._shows(seat) for seat, live in enumerate(self.replay.live) if live]
        for pot, seat, chips in self._payments():
            lines.append(f"{names[seat]} collected {self.money(chips)} from {pot}")
        for seat, cards in enumerate(self.hand.hole):
            if sum(card != UNKNOWN for card in cards) == 1:
                lines.append(f"{names[seat]}: shows {_cards(cards)}")
        return lines

    def _shows(self, seat: int) -> str:
        name = self.hand.names[seat]
        if not self._known(seat):
            return f"{name}: mucks hand"
        return f"{name}: shows {_cards(self.hand.hole[seat])} ({_worth(self.replay.strength[seat])})"

    def _payments(self) -> list[tuple[str, int, int]]:
        """Return what each pot pays to whom, as (pot, seat, chips)."""
        count = len(pot_sizes(self.hand, self.replay))
        names = ["pot"] if count == 1 else ["main pot", *(f"side pot-{k}" for k in range(1, count))]
        if count == 2:
            names[1] = "side pot"
        return [(names[pot], seat, chips) for pot, seat, chips in payments(self.hand, self.replay)]

    def _summary(self) -> list[str]:
        pots = pot_sizes(self.hand, self.replay)
        total = f"Total pot {self.money(sum(pots))}"
        if len(pots) > 1:
            sides = [
                f"Side pot{f'-{k}' * (len(pots) > 2)} {self.money(pot)}." for k, pot in enumerate(pots) if k
            ]
            total += f" Main pot {self.money(pots[0])}. {' '.join(sides)}"
        lines = ["*** SUMMARY ***", f"{total} | Rake {self.money(self.replay.rake)}"]
        if self.hand.board:
            lines.append(f"Board {_cards(self.hand.board)}")
        won = chips_won(self.replay)
        return lines + [f"Seat {seat + 1}: {self._fate(seat, won[seat])}" for seat in range(self.game.seats)]

    def _fate(self, seat: int, won: int) -> str:
        """Return the summary of one seat's result."""
        name = self.hand.names[seat] + self._part(seat)
        if not self.replay.live[seat]:
            street = next(step.street for step in self.replay.steps if step.seat == seat and step.action < 0)
            paid = " (didn't bet)" if not self.replay.paid[seat] else ""
            return f"{name} folded {LAST_STREET[street]}{paid}"
        if not self.replay.shown:
            return f"{name} collected ({self.money(won)})"
        if not self._known(seat):
            return f"{name} collected ({self.money(won)})" if won else f"{name} mucked"
        result = f"won ({self.money(won)})" if won else "lost"
        worth = _worth(self.replay.strength[seat])
        return f"{name} showed {_cards(self.hand.hole[seat])} and {result} with {worth}"

    def _part(self, seat: int) -> str:
        parts = {self.big: " (big blind)", self.small: " (small blind)"}
        button = " (button)" if seat == self.game.seats - 1 else ""
        return button + parts.get(seat, "")


def _cards(cards: Iterable[int]) -> str:
    return f"[{' '.join(card_name(card) for card in cards if card != UNKNOWN)}]"


def _worth(strength: int) -> str:
    kind = category(strength)
    return f"a {kind}" if kind in ("pair", "straight", "flush", "full house", "straight flush") else kind
