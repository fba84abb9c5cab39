"""Rounds and pots of an Open Hand History object: posts, actions, cards, winnings and rake."""

from typing import Any

from holdmem.cards.notation import cards as read_cards
from holdmem.engine import UNLIMITED
from holdmem.history.formats.hand_text import HandText
from holdmem.history.formats.ohh_fields import UNLIMITED_PLAYERS, JsonFields, amount

STREETS = ("Preflop", "Flop", "Turn", "River")
DEALT = (0, 3, 4, 5)
VERBS = {
    "Post Ante": "posts the ante",
    "Post SB": "posts small blind",
    "Post BB": "posts big blind",
    "Post Dead": "posts dead blind",
    "Post Extra Blind": "posts extra blind",
    "Straddle": "posts straddle",
    "Fold": "folds",
    "Check": "checks",
    "Bet": "bets",
    "Raise": "raises",
    "Call": "calls",
}
CARDS = ("Dealt Cards", "Shows Cards", "Mucks Cards")
PASSED_OVER = ("Added Chips", "Sits Down", "Stands Up", "Player Adjustment", "Payout")
"""Actions that concern neither cards nor the pot."""


def read_rounds(text: HandText, fields: JsonFields) -> None:
    """Parse the rounds: cards of the board, posts, actions and cards shown."""
    seats = {player.value("id"): player.whole("seat") for player in fields.objects("players")}
    for name in fields.get(UNLIMITED_PLAYERS) or []:
        text.stacks[seats[str(name)]] = UNLIMITED
    seen = set[str]()
    for one in fields.objects("rounds"):
        street = one.text("street")
        if street in STREETS:
            text.street = STREETS.index(street)
            _deal(text, street in seen, _cards(one.get("cards")))
            seen.add(street)
        for action in one.objects("actions"):
            _action(text, action, seats)


def _cards(found: Any) -> str:
    return found if isinstance(found, str) else "".join(map(str, found or []))


def _deal(text: HandText, again: bool, cards: str) -> None:
    """Deal the cards of a street; a street that occurs again belongs to a second run."""
    if not cards:
        return
    dealt = read_cards(cards)
    before = max(DEALT[text.street] - len(dealt), 0)
    earlier = text.second if again and len(text.second) >= before else text.board
    board = [*earlier[:before], *dealt]
    if len(board) != DEALT[text.street] or (again and len(text.second) >= len(board)):
        text.stop(f"expected the cards of at most two boards, got {cards[:40]!r}", "run more than twice")
    if again:
        text.second = board
    else:
        text.board = board


def _action(text: HandText, action: JsonFields, seats: dict[str, int]) -> None:
    kind = action.text("action")
    if kind in PASSED_OVER:
        return
    if kind == "Add to Pot":
        text.stop(
            "expected a pot of bets only, got money of the house", "a pot to which the house added money"
        )
    seat = seats[action.value("player_id")]
    if kind in CARDS:
        if cards := _cards(action.get("cards")):
            text.cards.setdefault(seat, read_cards(cards))
        return
    if kind not in VERBS:
        text.stop(f"expected an action of the specification, got {kind[:40]!r}", "an unknown action")
    chips = amount(text, action.text("amount") or "0")
    text.add(seat, VERBS[kind], chips, all_in=action.get("is_allin") is True)


def read_pots(text: HandText, fields: JsonFields) -> None:
    """Parse who won what, the size of the pots and the rake; a cash-out does not affect the table."""
    seats = {player.value("id"): player.whole("seat") for player in fields.objects("players")}
    pots = fields.objects("pots")
    for pot in pots:
        for name in ("rake", "jackpot"):
            text.rake += amount(text, pot.text(name) or "0")
        for win in pot.objects("player_wins"):
            text.won[seats[win.value("player_id")]] += amount(text, win.text("win_amount") or "0")
    text.pot = sum(amount(text, pot.text("amount") or "0") for pot in pots)
