"""What an assistant may ask for, as functions of plain values.

Every method is a tool, and its docstring is what the assistant reads about it. Sizes are limited here, and
games and agents are those on offer: an arbitrary name could lead to a file, which may be code.
"""

from holdmem.agent import Explanation, Situation
from holdmem.api.cases import explain
from holdmem.api.equity import equity
from holdmem.api.hands import stats
from holdmem.api.leaks import explain_hand, find_leaks
from holdmem.core.errors import HoldMemError, NotationError, TooManyDeals
from holdmem.core.types import JsonObject
from holdmem.engine import Game
from holdmem.ev import DecisionValue
from holdmem.ev.review.examples import example_of
from holdmem.history.stats import StatLine
from holdmem.mcp.files import HandFiles
from holdmem.mcp.table import AssistantTable
from holdmem.web.offers import Lobby, game_for, measured_rate

ADVISER = "sartre-2"
"""Agent that explains itself where none is named."""
LONGEST = 400
"""Letters of a hand, a range, a name or the betting."""
MOST_SHOWDOWNS = 200_000
"""Samples where there are too many deals to enumerate."""
MOST_LINES = 50
MOST_REVIEWED = 2_000
"""Hands of a review; the last of a file with more."""
REVIEW_SAMPLES = 64
VALUE_SAMPLES = 2_000
DEAREST = 5
"""Decisions that a review tells of one by one."""
SHORT = ("vpip", "pfr", "three_bet", "af", "wtsd", "wsd", "wwsf")
"""Statistics of each player where several are shown."""


class Tools:
    """The tools of one assistant: files that it may read, and one table."""

    def __init__(self, files: HandFiles) -> None:
        self._files = files
        self._offer = Lobby((ADVISER,), adviser=ADVISER)
        self._table = AssistantTable(self._offer)

    def give_up(self) -> None:
        """Forget what a tool that was stopped may have left half done."""
        self._table.leave()

    def complaint(self, error: HoldMemError) -> str:
        """Return an error as one line, without the place of the folder of hands on this machine."""
        text = " ".join(str(error).split())
        return text if self._files.folder is None else text.replace(f"{self._files.folder}/", "")

    # Equity and explanations

    def equity(self, hands: list[str], board: str = "", dead: str = "") -> JsonObject:
        """All-in equity of two to ten hands or ranges against each other.

        `hands`: such as ["AhKd", "88+, A9s+", "15%"]. `board`: none, 3, 4 or 5 cards, such as "Kc7s2d".
        `dead`: cards that nobody holds and that are never dealt. Exact where possible, else sampled, with the
        standard error. All shares are from 0 to 1.
        """
        _limited(*hands, board, dead)
        try:
            found = equity(*hands, board=board, dead=dead)
        except TooManyDeals:
            found = equity(*hands, board=board, dead=dead, samples=MOST_SHOWDOWNS)
        return {"exact": not found.samples, "players": found.frame().to_dicts()}

    def explain_decision(
        self, hole: str, board: str = "", betting: str = "", game: str = "limit", agent: str = ADVISER
    ) -> JsonObject:
        """Why an agent would act as it does in a described situation, in words, with its probabilities.

        `hole`: the two cards of the player to act. `board`: none, 3, 4 or 5 cards. `betting`: all actions so
        far, with "/" between streets: f folds, c checks or calls, r raises; in no-limit r is followed by the
        total on this street, such as "r300c/". `game` and `agent`: as listed by `agents`.
        """
        _limited(hole, board, betting)
        situation = Situation(hole, board, betting, self._game(game))
        return _explained(explain(self._offer.checked([agent])[0], situation))

    # Files of hands

    def hand_files(self) -> list[JsonObject]:
        """The files of hand histories that can be read, by name, with their size in bytes."""
        return self._files.listed()

    def statistics(self, file: str, player: str = "", by: str = "player", top: int = 20) -> JsonObject:
        """Statistics and winnings of the players in a file of hands, with 95% intervals.

        `player`: only this one, then with every statistic. `by`: player, position, players, stack or stakes.
        `top`: number of lines, the ones with the most hands first.
        """
        _limited(player, by)
        found = stats(self._files.read(file), by=by, player=player or ())
        lines = found.lines()
        full = bool(player) and len(lines) == 1
        shown = [line.as_json() if full else _short(line) for line in lines[: max(1, min(top, MOST_LINES))]]
        return {"lines": shown, "not_shown": len(lines) - len(shown)}

    def review(self, file: str, player: str = "me") -> JsonObject:
        """What a player's decisions in a file cost, and in which situations that is more than chance.

        `player`: by name; "me" for the one whose hole cards the file shows. Reviews the last 2,000 hands of
        the file from few samples; `holdmem review` on the command line is more precise. Costs are in big
        blinds per 100 hands.
        """
        _limited(player)
        hands = self._files.read(file)
        found = find_leaks(hands[-MOST_REVIEWED:], player, samples=REVIEW_SAMPLES, again=DEAREST)
        dearest = [example_of(found, place).line for place in found.dearest(DEAREST)]
        left_out = "states", "samples"
        content = {name: value for name, value in found.as_json().items() if name not in left_out}
        return content | {"hands_in_file": len(hands), "dearest_decisions": dearest}

    def explain_hand(self, file: str, hand: int, player: str = "me") -> JsonObject:
        """What every action was worth at each decision of a player in a recorded hand, in big blinds.

        `hand`: its number in the file. `player`: by name; "me" for the one whose hole cards the file shows.
        """
        _limited(player)
        found = explain_hand(self._files.read(file), hand, player, samples=VALUE_SAMPLES)
        return {"hand": hand, "decisions": [_valued(one) for one in found]}

    # The table

    def agents(self, game: str = "limit", seats: int = 2) -> JsonObject:
        """The games, and the agents that can play one of them at this number of seats (2 to 10).

        Each with its style and what it wins per hand from the usual field, measured at two or six seats.
        """
        if not 2 <= seats <= 10:
            raise NotationError(f"expected 2 to 10 seats, got {seats}")
        chosen, styles = self._game(game, seats), self._offer.agents()
        found = [
            {"name": name, "style": styles[name], "measured": measured_rate(name, chosen)}
            for name in self._offer.able(chosen)
        ]
        return {"games": self._offer.games(), "agents": found}

    def sit_down(self, opponents: list[str], game: str = "limit") -> JsonObject:
        """Sit down at a new table with one to nine agents as opponents, and leave the table before, if any.

        Every hand begins with full stacks. Then call `deal`.
        """
        _limited(*opponents, game)
        return self._table.sit(opponents, game)

    def deal(self) -> JsonObject:
        """Deal the next hand. The answer has your cards, the actions so far, and your choices in `turn`."""
        return self._table.deal()

    def act(self, hand: int, action: str, to: int | None = None) -> JsonObject:
        """Act in this hand: fold, check, call, bet or raise; `to` is the total of a bet or raise in chips.

        `hand` is its number in the last answer. The answer is the table at your next decision or at the end.
        Cards of others are shown when the hand is over.
        """
        return self._table.act(hand, action, to)

    def advice(self) -> JsonObject:
        """What the strongest of the opponents would do in your place now, and why.

        It sees only what you see.
        """
        return _lean(self._table.advice())

    def reasons(self) -> JsonObject:
        """Why each agent acted as it did in the hand that just ended, and what it advised in your place."""
        content = self._table.reasons()
        return {name: [_lean(one) for one in content[name]] for name in ("decisions", "advice")}

    def _game(self, name: str, seats: int = 2) -> Game:
        return game_for(name, seats, None, None, self._offer)


def _limited(*texts: str) -> None:
    """Raise NotationError for a text that is too long to be what was asked for."""
    for text in texts:
        if len(text) > LONGEST:
            raise NotationError(f"expected at most {LONGEST} letters, got {len(text):,}: {text[:40]!r}…")


def _explained(found: Explanation) -> JsonObject:
    return {
        "situation": found.situation,
        "decision": found.decision,
        "reasons": list(found.reasons),
        "actions": found.frame().to_dicts(),
        "measure": found.measure,
        "hands": [hand.words for hand in found.hands],
    }


def _lean(decision: JsonObject) -> JsonObject:
    """Leave out of a decision what only a page or a developer needs."""
    lean = {name: value for name, value in decision.items() if name != "details"}
    return lean | {"hands": [hand["words"] for hand in decision["hands"]]}


def _valued(found: DecisionValue) -> JsonObject:
    return {**found.as_json(), "words": str(found).splitlines()}


def _short(line: StatLine) -> JsonObject:
    """Return a line with the best-known statistics."""
    whole = line.as_json()
    few = {name: whole["statistics"][name] for name in SHORT}
    return {name: value for name, value in whole.items() if name != "statistics"} | {"statistics": few}
