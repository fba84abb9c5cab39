"""The table at which an assistant plays: the web table, without a browser.

`HumanTable` decides what a person may see, and an assistant gets no more than that: cards of others and
reasons only after the hand is over, and never a seed.
"""

from collections.abc import Sequence

from holdmem.core.errors import IllegalAction
from holdmem.core.types import JsonObject
from holdmem.engine import CALL, FOLD
from holdmem.web.offers import Lobby, strongest, table_game
from holdmem.web.session import HumanTable, TableSettings

MOST_OPPONENTS = 9
SHOWN = ("hand", "street", "board", "pot", "turn", "over", "showdown")
"""What an assistant gets of the table, besides the seats and the actions."""
SHOWN_OF_SEATS = ("name", "you", "position", "stack", "bet", "in", "cards", "made", "net")


class AssistantTable:
    """One table at a time; sitting down again leaves it."""

    def __init__(self, offer: Lobby) -> None:
        self.offer = offer
        self._table: HumanTable | None = None

    def sit(self, opponents: Sequence[str], game: str) -> JsonObject:
        """Sit down against these agents and return the game and its units."""
        names = self.offer.checked(opponents[: MOST_OPPONENTS + 1])
        chosen = table_game(game, len(names) + 1, None, None, "cash", self.offer)
        self._table = HumanTable(TableSettings(chosen, names, adviser=strongest(names, chosen)))
        return self._table.about()

    def leave(self) -> None:
        """Leave the table, whatever state it is in."""
        self._table = None

    def deal(self) -> JsonObject:
        """Deal the next hand and return the table at the first decision."""
        return _lean(self._seated.deal()[-1])

    def act(self, hand: int, action: str, to: int | None) -> JsonObject:
        """Take an action and return the table at the next decision, or at the end of the hand."""
        return _lean(self._seated.act(hand, _code(action, to))[-1])

    def advice(self) -> JsonObject:
        """Return what the strongest of the opponents would do in the assistant's place."""
        return self._seated.ask()

    def reasons(self) -> JsonObject:
        """Return why everybody acted as they did in the last finished hand."""
        table = self._seated
        if table.hand is None or not table.hand.over or table.last is None:
            raise IllegalAction("reasons are given when the hand is over")
        return table.last.plain()

    @property
    def _seated(self) -> HumanTable:
        if self._table is None:
            raise IllegalAction("sit down at a table first")
        return self._table


def _code(action: str, to: int | None) -> int:
    if action in ("raise", "bet"):
        if to is None or not 0 < to < 2**31:
            raise IllegalAction(f"a {action} needs its total in `to`")
        return to
    codes = {"fold": FOLD, "check": CALL, "call": CALL}
    if action not in codes:
        raise IllegalAction(f"expected fold, check, call, bet or raise, got {action[:20]!r}")
    return codes[action]


def _lean(state: JsonObject) -> JsonObject:
    """Leave out of the state of a table what only a page draws."""
    seats = [{name: seat[name] for name in SHOWN_OF_SEATS} for seat in state["seats"]]
    actions = [f"{one['street']}: {one['text']}" for one in state["log"]]
    kept = {name: state[name] for name in SHOWN}
    return {**kept, "seats": seats, "actions": actions, "score": state["score"]}
