"""Where spots come from: a player's own leaks, a memory's commonest decisions, or a chosen situation."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from holdmem.agent import make_agent
from holdmem.agent.play import play
from holdmem.cbr import CaseBase
from holdmem.core.errors import NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.core.types import Ints, JsonObject
from holdmem.engine import STREET_NAMES, find_game
from holdmem.ev.review.situations import classes_of_views
from holdmem.history import Hands, join, replay
from holdmem.history.stats import POSITIONS
from holdmem.history.stats.positions import positions_of
from holdmem.web.trainer_values import model_for

MOST_SPOTS = 60
"""Spots of a deck."""
BLOCK = 500
"""Hands dealt at a time to find a situation."""
MOST_DEALT = 40 * BLOCK
"""Hands dealt at most."""
DEAREST = "dearest decisions"
"""In place of a leak: the decisions that lost most."""
ALL_LEAKS = "all leaks"
MEMORIES: dict[str, tuple[str, str | None, str]] = {
    "sartre-2": ("SARTRE-2, heads-up limit", "eqm", "sartre-2"),
    "sartre-1": ("SARTRE-1, heads-up limit", "eqm", "sartre-1"),
    "imitator-eqm-nl": ("imitator of eqm-nl, heads-up no-limit", "eqm-nl", "memory:cases=imitator-eqm-nl"),
    "casper": ("CASPER, limit at up to ten seats", None, "casper"),
}
"""Shipped memories: in words, the agent by whose policy decisions are valued, and the one that explains."""


@dataclass
class FoundSpots:
    """Spots of one deck: for each the hand it is from, its player's seat and the number of actions before it.

    `extra` has what is stored with each spot, such as what was done in the hand.
    """

    title: str
    explains: str
    hands: list[Hands] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    extra: list[JsonObject] = field(default_factory=list)
    valued_by: str | None = None
    """Agent by whose policy decisions are valued; None where it follows from the game, or there is none."""
    notes: str = ""

    def add(self, hand: Hands, step: int, **extra: object) -> None:
        """Add a spot."""
        self.hands.append(hand)
        self.steps.append(step)
        self.extra.append(dict(extra))

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def together(self) -> Hands:
        """The hands of all spots, one each."""
        return join(self.hands).packed()


# Leaks


def leak_spots(
    hands: Hands, player: str, review: JsonObject, leak: str, address: Callable[[int], str]
) -> FoundSpots:
    """Return spots from a review: those of one leak, of all leaks in turn, or the dearest decisions.

    A leak is a class of situations, so its spots are the player's decisions in that class: the review's
    examples first, then others from all over the hands. `address` gives the replay of a hand by its place.
    """
    if review.get("state") != "ready":
        raise NotationError("these hands have not been reviewed yet: open them on the page Hands")
    named = {str(one["situation"]): one for one in review["leaks"]}
    if leak not in (*named, DEAREST, ALL_LEAKS):
        raise NotationError("this review has no such leak")
    habits: dict[tuple[int, int], str] = {}
    if leak == DEAREST:
        lists = [[(int(one["place"]), int(one["step"])) for one in review["dearest"]]]
    else:
        chosen = list(named.values()) if leak == ALL_LEAKS else [named[leak]]
        classes = _player_classes(
            hands, player, [(str(one["family"]), str(one["situation"])) for one in chosen]
        )
        lists = [_first_examples(one, places) for one, places in zip(chosen, classes, strict=True)]
        for one, places in zip(reversed(chosen), reversed(lists), strict=True):
            habits |= dict.fromkeys(places, f"{one['situation']}: {one['habit']}")
    lost = {(int(one["place"]), int(one["step"])): one for one in review["dearest"]}
    found = FoundSpots(f"{leak[:1].upper()}{leak[1:]}", "clone")
    for place, step in _in_turn(lists, MOST_SPOTS):
        cost = lost.get((place, step))
        then = None if cost is None else {name: cost[name] for name in ("taken", "loss", "error")}
        habit = habits.get((place, step))
        found.add(hands[place - 1 : place], step, address=address(place), review=then, habit=habit)
    if not len(found):
        raise NotationError("no decision was found there")
    found.explains = model_for(found.hands[0].terms[int(found.hands[0].rows["terms"][0])].game)[1]
    return found


def _player_classes(
    hands: Hands, player: str, wanted: Sequence[tuple[str, str]]
) -> list[list[tuple[int, int]]]:
    """Return, for each family and class, place and number of actions of the player's decisions in it."""
    who = hands.players.index(player)
    found: list[list[tuple[int, int]]] = [[] for _ in wanted]
    for decisions in replay(hands):
        rows = np.flatnonzero((decisions.player == who) & decisions.known)
        if not len(rows):
            continue
        views = decisions.views[rows]
        classes = classes_of_views(views)
        keys = list(zip((decisions.hand[rows] + 1).tolist(), views.actions.tolist(), strict=True))
        for places, (family, name) in zip(found, wanted, strict=True):
            places += [key for key, each in zip(keys, classes[family], strict=True) if each == name]
    return [sorted(places) for places in found]


def _first_examples(leak: JsonObject, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the review's examples of a leak, then its other decisions, far apart first."""
    examples = [(int(one["place"]), int(one["step"])) for one in leak["examples"]]
    rest = [place for place in places if place not in set(examples)]
    return [*examples, *(rest[k] for k in spread(len(rest)))]


def spread(count: int) -> list[int]:
    """Return 0 … count − 1 in an order whose first numbers are far apart: by the golden ratio, no luck."""
    return sorted(range(count), key=lambda place: (place * 0.6180339887498949) % 1.0)


def _in_turn(lists: Sequence[Sequence[tuple[int, int]]], most: int) -> Iterator[tuple[int, int]]:
    """Yield from several lists by turns, each place once."""
    given: set[tuple[int, int]] = set()
    for row in zip_longest(*lists):
        for one in row:
            if one is not None and one not in given and len(given) < most:
                given.add(one)
                yield one


# Memories


def memory_spots(name: str) -> FoundSpots:
    """Return the commonest decisions of a shipped memory, by turns from all streets.

    Where every decision is a case of its own, none is commonest: decisions from all over it are taken.
    """
    words, expert, agent = MEMORIES[name]
    cases = CaseBase.load(name)
    found = FoundSpots(words, agent, valued_by=expert)
    lists = []
    for number, street in enumerate(cases.streets):
        times = street.solutions.counts.sum(axis=1)
        merged = bool((times > 1).any())
        order = np.argsort(-times, kind="stable") if merged else _sample(len(street))
        lists.append([(number, int(case)) for case in order[:MOST_SPOTS].tolist()])
        if not merged:
            found.notes = (
                "Every case is one decision, so none is commonest: these are from all over the memory."
            )
    for number, case in _in_turn(lists, MOST_SPOTS):
        street = cases.streets[number]
        for example in street.examples(case)[:1]:
            found.add(example.hands, example.decision, times=int(street.solutions.counts[case].sum()))
    return found


def _sample(count: int) -> Ints:
    return np.linspace(0, count - 1, min(count, MOST_SPOTS)).astype(np.int64)


# Situations


@dataclass(frozen=True)
class ChosenSituation:
    """A chosen situation; None where anything goes. `facing` counts the bets and raises of the street."""

    limit: bool
    seats: int
    street: int
    position: str | None
    facing: int | None
    seed: int

    @property
    def words(self) -> str:
        """The situation in words."""
        street = "before the flop" if not self.street else f"on the {STREET_NAMES[self.street]}"
        place = f", {self.position}" if self.position else ""
        faced = "" if self.facing is None else f", facing {FACING[self.street > 0][self.facing]}"
        return f"{'Limit' if self.limit else 'No-limit'}, {self.seats} seats, {street}{place}{faced}"

    @property
    def faced(self) -> str | None:
        """Name of the class of what is faced, as reviews call it."""
        if self.facing is None:
            return None
        return FACING[self.street > 0][self.facing] + ("" if self.street else " before the flop")


FACING = (
    ("no raise", "a raise", "a 3-bet", "a 4-bet or more"),
    ("no bet", "a bet", "a raise", "a re-raise or more"),
)
"""What can be faced, before and after the flop."""


def situation_spots(wanted: ChosenSituation, tell: Callable[[int], None] = lambda dealt: None) -> FoundSpots:
    """Deal and play hands until enough decisions of a situation are found.

    The players are those by whom decisions are valued: the solved game heads-up, the population at no-limit
    tables, and CASPER at limit tables.
    """
    game = find_game("limit" if wanted.limit else "nolimit", wanted.seats)
    there = [POSITIONS[code] for code in positions_of(game)]
    if wanted.position not in (None, *there):
        raise NotationError(f"expected a position of {', '.join(there)}, got {wanted.position}")
    agent = model_for(game)[1]
    rng = Streams.of(wanted.seed, "trainer situation")
    found = FoundSpots(wanted.words, agent, valued_by=None)
    agents = [make_agent(agent).sit(game, BLOCK, rng.spawn("player", k)) for k in range(game.seats)]
    names = [f"Player {k + 1}" for k in range(game.seats)]
    for first in range(0, MOST_DEALT, BLOCK):
        ids = hand_ids(BLOCK, first_hand=first)
        lineup = (np.arange(game.seats)[None] + np.arange(BLOCK)[:, None]) % game.seats
        played = play(game, agents, rng.decks(ids, game.deck_cards), lineup=lineup, where=ids, names=names)
        _add_matching(found, Hands.of(played, names), wanted)
        tell(first + BLOCK)
        if len(found) >= MOST_SPOTS:
            break
    if not len(found):
        raise NotationError(f"{wanted.words}: did not happen in {MOST_DEALT:,} hands")
    return found


def _add_matching(found: FoundSpots, hands: Hands, wanted: ChosenSituation) -> None:
    """Add one decision of every hand that has one in the situation."""
    taken: set[int] = set()
    for decisions in replay(hands):
        rows = np.flatnonzero(decisions.views.street == wanted.street)
        if not len(rows):
            continue
        views = decisions.views[rows]
        classes = classes_of_views(views)
        for row, position, facing in zip(rows.tolist(), classes["position"], classes["facing"], strict=True):
            if wanted.position not in (None, position):
                continue
            if wanted.faced not in (None, facing):
                continue
            hand = int(decisions.hand[row])
            if hand not in taken and len(found) < MOST_SPOTS:
                taken.add(hand)
                found.add(hands[hand : hand + 1].packed(), int(decisions.views.actions[row]))
