"""The table in the terminal. The person is a seat like any other and is asked through the same interface."""

import secrets
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.rule import Rule

from holdmem.agent import Actions, Agent, FinishedHands, Seat, View, Views, play
from holdmem.agent.ask import ask_one
from holdmem.agent.describe import numbered
from holdmem.arena.score import Score
from holdmem.cards import name as card_name
from holdmem.core.errors import IllegalAction
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, STREET_NAMES, Game
from holdmem.engine.describe import third_person
from holdmem.engine.steps import HandStep, replay_steps

SYMBOLS = {"c": ("♣", "green"), "d": ("♦", "bright_blue"), "h": ("♥", "red"), "s": ("♠", "default")}
PERSON = 0


class QuitSession(KeyboardInterrupt):
    """The person leaves the table. An interrupt, so that it does not count as an error of the seat."""


def pretty(cards: Sequence[int]) -> str:
    """Return cards with suit symbols and colours as Rich markup; "??" for cards that were not shown."""
    return " ".join(_pretty_card(card) for card in cards)


def _pretty_card(card: int) -> str:
    if card < 0:
        return "[dim]??[/dim]"
    text = card_name(card)
    symbol, colour = SYMBOLS[text[1]]
    return f"[bold {colour}]{text[0]}{symbol}[/bold {colour}]"


def read_action(text: str, view: View) -> int:
    """Parse what a person typed as an action: f, c (or k, enter), r, r 60, r pot, r half, a."""
    word, _, rest = text.strip().lower().partition(" ")
    if word in ("f", "fold"):
        if not view.to_call:
            raise IllegalAction("checking is free: no need to fold")
        return FOLD
    if word in ("", "c", "k", "call", "check"):
        return CALL
    if word[:1] == "r" or word in ("b", "bet", "a", "all-in"):
        return _read_raise(rest if word in ("r", "raise", "b", "bet") else word.removeprefix("r"), view)
    raise IllegalAction(f"expected f, c, r, r CHIPS, a or q, got {text.strip()!r}")


def _read_raise(size: str, view: View) -> int:
    if not view.max_raise_to:
        raise IllegalAction("no raise is legal here: the cap is reached or no opponent could respond")
    after_call = view.pot + view.to_call
    sizes = {
        "": view.min_raise_to,
        "min": view.min_raise_to,
        "half": view.highest + after_call // 2,
        "pot": view.highest + after_call,
        "a": view.max_raise_to,
        "all-in": view.max_raise_to,
        "max": view.max_raise_to,
    }
    if size not in sizes and not size.isdecimal():
        raise IllegalAction(f"expected a total in chips, half, pot or max after r, got {size!r}")
    total = sizes[size] if size in sizes else int(size)
    if size in ("half", "pot"):
        total = min(max(total, view.min_raise_to), view.max_raise_to)
    if not view.min_raise_to <= total <= view.max_raise_to:
        raise IllegalAction(f"expected a total from {view.min_raise_to} to {view.max_raise_to}, got {total}")
    return total


class TerminalSeat:
    """A seat that shows each decision and asks the person, or the agent that stands in for the person."""

    def __init__(self, console: Console, names: Sequence[str], stand_in: Seat | None) -> None:
        self.console = console
        self.names = names
        self.stand_in = stand_in
        self.described: int = 0
        self.lineup: Sequence[int] = ()

    def act(self, views: Views) -> Actions:
        """Decide the views one at a time."""
        return Actions(np.array([self.decide(views, i) for i in range(len(views))]))

    def decide(self, views: Views, i: int) -> int:
        """Show one view and return a legal action for it."""
        view: View = views[i]
        self.show(view)
        if self.stand_in is not None:
            code = ask_one(self.stand_in, views[i : i + 1], self.names[PERSON])
            self.console.print(f"  {self.names[PERSON]}, by agent: {third_person(view.describe(code))}")
        else:
            code = self.ask(view)
        return code

    def show(self, view: View) -> None:
        """Print what happened since the last decision, and the current state of the table."""
        self.tell(view.steps)
        board = pretty(view.board) if view.board else "[dim]no board yet[/dim]"
        self.console.print(
            f"\n  [bold]{STREET_NAMES[view.street]}[/bold]   {board}   pot [bold]{view.pot}[/bold]"
        )
        for seat, (stack, bet) in enumerate(zip(view.stacks, view.bets, strict=True)):
            self.console.print(self._seat_line(view, seat, stack, bet), highlight=False)

    def _seat_line(self, view: View, seat: int, stack: int, bet: int) -> str:
        name = self.names[self.lineup[seat]]
        button = "●" if seat == view.game.seats - 1 else " "
        chips = "" if view.game.limit else f"{stack:>8} behind"
        wager = f"bet {bet}" if bet else ""
        line = f"  {button} {name:<18}{chips}  {wager:<12}"
        if seat == view.seat:
            return line + pretty(view.hole)
        return line if view.live[seat] else f"[dim]{line}folded[/dim]"

    def tell(self, steps: list[HandStep]) -> None:
        """Print the other players' actions since the last call."""
        for step in steps[self.described :]:
            player = self.lineup[step.seat]
            if player != PERSON:
                self.console.print(f"  {self.names[player]} {third_person(step.describe())}", highlight=False)
        self.described = len(steps)

    def ask(self, view: View) -> int:
        """Prompt until the person enters a legal action, and return it. Quitting raises QuitSession."""
        choices = [
            f"[bold]f[/bold]old, [bold]c[/bold]all {view.to_call}" if view.to_call else "[bold]c[/bold]heck"
        ]
        verb = "[bold]r[/bold]aise to" if view.highest else "[bold]b[/bold]et"
        if view.max_raise_to > view.min_raise_to:
            letter = "r" if view.highest else "b"
            sizes = f"{letter} CHIPS, {letter} half, {letter} pot, [bold]a[/bold]ll-in"
            choices.append(f"{verb} {view.min_raise_to}–{view.max_raise_to} ({sizes})")
        elif view.max_raise_to:
            choices.append(f"{verb} {view.max_raise_to}")
        while True:
            try:
                text = self.console.input(f"  {', '.join(choices)}, [bold]q[/bold]uit > ")
            except EOFError:
                raise QuitSession from None
            if text.strip().lower() in ("q", "quit", "exit"):
                raise QuitSession
            try:
                return read_action(text, view)
            except IllegalAction as error:
                self.console.print(f"  [yellow]{error}[/yellow]", highlight=False)


class TerminalSession:
    """A session at the table. The button moves after every hand, and every hand starts with full stacks."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        names: Sequence[str],
        you: Agent | None = None,
        seed: int | None = None,
        console: Console | None = None,
    ) -> None:
        self.game = game
        self.seed: int = secrets.randbelow(2**32) if seed is None else seed
        self.names: list[str] = ["you", *numbered(names)]
        self.console: Console = console or Console(highlight=False)
        self.score: Score = Score(game)
        rng = Streams.of(self.seed)
        stand_in = you.sit(game, 1, rng.spawn("player", PERSON)) if you else None
        self.person: TerminalSeat = TerminalSeat(self.console, self.names, stand_in)
        others = [agent.sit(game, 1, rng.spawn("player", i)) for i, agent in enumerate(agents, start=1)]
        self.players: list[Seat] = [self.person, *others]
        self.cards: Streams = rng.spawn("cards")

    def play(self, hands: int | None = None) -> None:
        """Deal until `hands` hands are played or the person leaves."""
        self.console.print(f"[bold]{self.game.name}[/bold], {', '.join(self.names)}; seed {self.seed}")
        number = 0
        try:
            while hands is None or number < hands:
                self.deal(number)
                number += 1
        except KeyboardInterrupt:
            self.console.print("\n  You stand up.")
        self.console.print(f"\nResult: {self.score}")

    def deal(self, number: int) -> None:
        """Play the hand of this number."""
        lineup = [(seat + number) % self.game.seats for seat in range(self.game.seats)]
        self.person.lineup, self.person.described = lineup, 0
        self.console.print()
        self.console.print(Rule(f"hand {number + 1}", align="left", style="dim"))
        where = hand_ids(1, first_hand=number)
        decks = self.cards.decks(where, self.game.deck_cards)
        hand = play(self.game, self.players, decks, lineup=[lineup], where=where, names=self.names)
        self.close(hand, lineup)

    def close(self, hand: FinishedHands, lineup: Sequence[int]) -> None:
        """Print the end of the hand and the result of each player."""
        seen = hand.seen_by(PERSON)
        actions = seen.history["to"][0][: int(seen.actions[0])]
        self.person.tell(replay_steps(self.game, seen.batch.stacks[0].tolist(), actions.tolist()))
        if seen.showdown[0]:
            self.console.print(f"\n  [bold]showdown[/bold]   {pretty(seen.board[0].tolist())}")
        for seat, player in enumerate(lineup):
            cards = pretty(seen.hole[0, seat].tolist()) if seen.hole[0, seat, 0] >= 0 else ""
            won = float(seen.net[0, seat])
            colour = "green" if won > 0 else "red" if won < 0 else "dim"
            self.console.print(f"    {self.names[player]:<18}[{colour}]{won:>+10g}[/{colour}]   {cards}")
            if player == PERSON:
                self.score.add(int(seen.parts[0, seat]))
        self.console.print(f"  [dim]{self.score}[/dim]")
