"""Beyond Rubin and Watson (2011): whom would UCB1 select if it knew all cards? An offline ORACLE study.

`dynamic` credits a member with showdown DIVAT, which misleads it (docs/imitators.md). DIVAT of every hand and
adjusted money require the cards of players who folded. No player sees those, so neither can be an agent's
utility; here they are computed afterwards, from hands with all cards open.

Every member plays the same decks in both orders against an opponent that does not learn, so a member's result
in a hand does not depend on who played earlier hands. The selection rule is then run over these hands and
observes only the result of the member it selects. The first run keeps the hands in the order dealt: with
money or showdown DIVAT as utility it reproduces `dynamic` choice by choice. The other runs shuffle the hands.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from holdmem.agent import FinishedHands, make_agent, play
from holdmem.arena import Design, Estimate, estimate
from holdmem.arena.design import DeckPurpose
from holdmem.arena.units import make_hand_ids
from holdmem.core.random import Streams
from holdmem.core.statistics import FEWEST_MATCHES
from holdmem.core.types import Floats, Ints
from holdmem.engine import PARTS, Game, find_game
from holdmem.papers.findings import Finding, Grid, Picture, Row, shares, shown
from holdmem.papers.runner import ExperimentRunner
from holdmem.players.imitators.bandits import Bandit, Rule
from holdmem.players.imitators.composite import MemberSeats
from holdmem.players.imitators.imitator import basic_imitators
from holdmem.variance import adjusted, divat, divat_showdown

AT_STAKE = {True: 24, False: 200}
"""The most that can be won or lost in a hand: 24 small bets in limit, 200 big blinds in no-limit."""

OPPONENTS = {"limit": "eqm", "nolimit": "simplebot"}
"""Opponent by game; neither learns."""

RULES: Mapping[str, tuple[Rule, bool]] = {
    "UCB1": ("ucb1", False),
    "UCB1, scaled to [0, 1]": ("ucb1", True),
    "Thompson sampling": ("thompson", False),
}
"""Selection rule, and whether utilities are scaled; the first is the paper's."""

MONEY, SEEN, ADJUSTED = 0, 1, -1
"""Indices of utilities: winnings, what `dynamic` uses, and winnings adjusted for luck."""


def money(hands: FinishedHands) -> Ints:
    """Return the winnings."""
    return hands.parts


def utilities_of(game: Game) -> dict[str, Callable[[FinishedHands], Ints]]:
    """Return the utilities a hand may be credited with, by seat in parts of a chip.

    In no-limit, DIVAT of all hands and adjusted money are identical (docs/luck.md).
    """
    seen: dict[str, Callable[[FinishedHands], Ints]] = {"money": money, "showdown DIVAT": divat_showdown}
    if game.limit:
        return seen | {"DIVAT (oracle)": divat, "adjusted money (oracle)": adjusted}
    return seen | {"DIVAT = adjusted money (oracle)": divat}


@dataclass(frozen=True)
class OracleMatch:
    """One duplicate match of every member of `dynamic`, and how many orders of its hands are replayed."""

    game: str
    opponent: str
    match: int
    hands: int
    runs: int
    seed: int
    purpose: DeckPurpose = "play"

    def rng(self, *what_for: int | str) -> Streams:
        """Return the random numbers that `dynamic` uses for a purpose in the same match."""
        game = find_game(self.game)
        return Design(game, ("dynamic", self.opponent), seed=self.seed, purpose=self.purpose).rng(*what_for)


def replayed(asked: OracleMatch) -> dict[str, Any]:
    """Play one match and replay the selection rules over its hands.

    Returns, in parts of a chip, the total of each utility for each member alone; and for each rule and each
    utility it may use, how often it selected each member, and the money and adjusted money of its selections.
    """
    game = find_game(asked.game)
    worth = play_members(asked)
    turns, uniforms = orders_of_hands(asked), choice_uniforms(asked, *worth.shape[1::2])
    facts = worth[:, :, turns]  # utilities, orders, runs, hands, members
    tables = facts.reshape(-1, *facts.shape[-2:])
    rolls = np.broadcast_to(uniforms, facts.shape).reshape(tables.shape)
    rules: dict[str, Any] = {}
    for name, (rule, scaled) in RULES.items():
        scale = float(AT_STAKE[game.limit]) if scaled else 0.0
        chosen = replay(tables / (PARTS * game.unit[0]), rule, scale, rolls).reshape(facts.shape[:-1])
        rules[name] = {
            "chosen": [np.bincount(one.ravel(), minlength=worth.shape[-1]).tolist() for one in chosen],
            "won": [[_total(facts[what], one) for what in (MONEY, ADJUSTED)] for one in chosen],
        }
    return {"alone": worth.sum(axis=(1, 2)).tolist(), "rules": rules}


def _total(worth: Ints, chosen: Ints) -> int:
    return int(np.take_along_axis(worth, chosen[..., None], axis=-1).sum())


def play_members(asked: OracleMatch) -> Ints:
    """Return what each member earns in each hand, in parts of a chip: (utilities, orders, hands, members).

    Cards and random numbers are those of `dynamic` in a match of this seed.
    """
    game, dealt = find_game(asked.game), np.arange(asked.hands)
    lineups = np.array(Design(game, ("dynamic", asked.opponent)).lineups)
    decks = asked.rng("cards").decks(make_hand_ids(asked.match, 0, dealt), game.deck_cards)
    where = make_hand_ids(asked.match, np.arange(len(lineups))[:, None], dealt)
    agents = basic_imitators(game, "max-frequency", "probabilistic")
    members = MemberSeats(agents, game, len(where), asked.rng("player", 0))
    opponent = make_agent(asked.opponent).sit(game, len(where), asked.rng("player", 1))
    found = []
    for seat in members.seats:
        hands = play(
            game, [seat, opponent], np.tile(decks, (len(lineups), 1)),
            lineup=lineups.repeat(asked.hands, axis=0), where=where,
        )  # fmt: skip
        found.append([hands.by_player(2, parts(hands))[:, 0] for parts in utilities_of(game).values()])
    by_hand = np.array(found).reshape(len(found), -1, len(lineups), asked.hands)
    return np.ascontiguousarray(np.moveaxis(by_hand, 0, -1))


def orders_of_hands(asked: OracleMatch) -> Ints:
    """Return the order of hands in each run, (runs, hands): as dealt in run 0, shuffled in the others."""
    hand_ids = make_hand_ids(asked.match, np.arange(asked.runs)[:, None], np.arange(asked.hands))
    drawn = asked.rng("oracle").uniforms(hand_ids, np.zeros(len(hand_ids), np.int64))
    turns: Ints = drawn.reshape(asked.runs, asked.hands).argsort(axis=1, kind="stable")
    turns[0] = np.arange(asked.hands)
    return turns


def choice_uniforms(asked: OracleMatch, orders: int, members: int) -> Floats:
    """Return the random numbers for the selections: (orders, runs, hands, members).

    In run 0 they are those of `dynamic`, which draws for the next hand after each hand.
    """
    order, run, dealt = np.ix_(np.arange(orders), np.arange(asked.runs), np.arange(asked.hands))
    order, run, dealt = np.broadcast_arrays(order, run, dealt)
    rng = asked.rng("player", 0).spawn("choice")
    drawn = rng.uniforms(make_hand_ids(asked.match, order, dealt), run.ravel(), members)
    return np.roll(drawn.reshape(*order.shape, members), 1, axis=2)


def replay(utilities: Floats, rule: Rule, scale: float, uniforms: Floats) -> Ints:
    """Return the member that the rule selects at each table for each hand in turn: (tables, hands).

    `utilities` (tables, hands, members) holds what each would earn; the rule observes only its selection's.
    """
    tables, hands, members = utilities.shape
    bandit, at = Bandit(tables, members, rule, scale), np.arange(tables)
    chosen = np.empty((tables, hands), dtype=np.int64)
    for hand in range(hands):
        choice = bandit.choose(at, uniforms[:, hand])
        bandit.add(at, choice, utilities[at, hand, choice])
        chosen[:, hand] = choice
    return chosen


@dataclass(frozen=True)
class OracleStudy:
    """All matches of one game; the totals of each match are the samples."""

    game: Game
    opponent: str
    hands: int
    """Hands per match, counting both orders."""
    runs: int
    matches: Sequence[Mapping[str, Any]]

    @property
    def members(self) -> list[str]:
        """Short names of the six imitators."""
        agents = basic_imitators(self.game, "max-frequency", "probabilistic")
        return [f"{agent.expert}-{'max' if agent.policy == 'max-frequency' else 'prob'}" for agent in agents]

    @property
    def utilities(self) -> list[str]:
        """Names of the utilities."""
        return list(utilities_of(self.game))

    @property
    def all_hands(self) -> int:
        """Number of hands per player over all matches."""
        return self.hands * len(self.matches)

    def rate(self, totals: Sequence[int], times: int = 1) -> Estimate:
        """Estimate the mean per hand from match totals in parts of a chip, with `times` counts per hand."""
        chips, unit = self.game.unit
        squares = sum(total * total for total in totals)
        scale = 1 / (PARTS * chips * self.hands * times)
        return estimate(len(totals), sum(totals), squares, scale, unit, fewest=FEWEST_MATCHES)

    def alone(self, utility: int, member: int) -> Estimate:
        """Estimate a member's utility per hand if it plays all hands."""
        return self.rate([match["alone"][utility][member] for match in self.matches])

    @property
    def best(self) -> int:
        """Index of the member that won the most money in these hands."""
        won = [
            sum(match["alone"][MONEY][place] for match in self.matches) for place in range(len(self.members))
        ]
        return int(np.argmax(won))

    def mixture(self) -> Estimate:
        """Estimate money per hand if every member played equally often."""
        return self.rate([sum(match["alone"][MONEY]) for match in self.matches], len(self.members))

    def chosen(self, rule: str, utility: int) -> dict[str, int]:
        """Return how often each member was selected."""
        counts = np.array([match["rules"][rule]["chosen"][utility] for match in self.matches]).sum(axis=0)
        return dict(zip(self.members, counts.tolist(), strict=True))

    def won(self, rule: str, utility: int) -> Estimate:
        """Estimate the money per hand of the selected members."""
        return self.rate([match["rules"][rule]["won"][utility][MONEY] for match in self.matches], self.runs)

    def gain(self, rule: str, utility: int) -> Estimate:
        """Estimate adjusted money per hand of the selections, less that of an even mixture of those hands."""
        won = [match["rules"][rule]["won"][utility][ADJUSTED] for match in self.matches]
        return self._beyond_mixture(won, self.runs)

    def over_seen(self, rule: str, utility: int) -> Estimate:
        """Estimate adjusted money per hand of the selections, less that of selecting by showdown DIVAT."""
        won = [match["rules"][rule]["won"] for match in self.matches]
        return self.rate([mine[utility][ADJUSTED] - mine[SEEN][ADJUSTED] for mine in won], self.runs)

    def most(self) -> Estimate:
        """Estimate what the best member wins per hand (adjusted) above an even mixture of all members."""
        return self._beyond_mixture([match["alone"][ADJUSTED][self.best] for match in self.matches], 1)

    def _beyond_mixture(self, won: Sequence[int], times: int) -> Estimate:
        members = len(self.members)
        even = [sum(match["alone"][ADJUSTED]) for match in self.matches]
        totals = [mine * members - theirs * times for mine, theirs in zip(won, even, strict=True)]
        return self.rate(totals, times * members)


def _read_by(match: OracleMatch) -> list[str]:
    """Return the agents on whose files a replayed match depends."""
    return ["dynamic", match.opponent]


def oracle(runner: ExperimentRunner) -> Finding:
    """Compare UCB1 on visible and on hidden information with the best member and with an even mixture."""
    hands, matches, runs = runner.at(smoke=(10, 2, 2), quick=(600, 10, 10), full=(3_000, 20, 20))
    asked = [
        OracleMatch(game, opponent, match, hands, runs, runner.seed, runner.purpose)
        for game, opponent in OPPONENTS.items()
        for match in range(matches)
    ]
    found = runner.work(replayed, asked, "oracle: six imitators on the same decks", _read_by)
    studies = [
        OracleStudy(
            find_game(game), opponent, 2 * hands, runs, found[place * matches : (place + 1) * matches]
        )
        for place, (game, opponent) in enumerate(OPPONENTS.items())
    ]
    rows = [row for study in studies for row in rows_of(study)]
    grids = [grid for study in studies for grid in (_members(study), _choices(study), _rules(study))]
    title = "ORACLE: how often UCB1 would have chosen each imitator, by its utility"
    return Finding(tuple(rows), tuple(grids), (Picture(title, _bars(studies), (9, 7)),), REMARK)


REMARK = (
    "Not in the paper. An offline study: rules marked oracle use the cards of players who folded, which"
    " no player sees, so they can't be agents. A hand counts once, in however many orders it is played;"
    " intervals over matches. The best member is chosen on these same hands, so its figure is too high on"
    " average. Differences are in adjusted money, which has the same mean as money."
)


def rows_of(study: OracleStudy) -> list[Row]:
    """Return rows for the best member in hindsight, an even mixture, and the paper's rule by each utility."""
    rule = next(iter(RULES))

    def row(what: str, won: Estimate, remark: str) -> Row:
        what = f"{what}, against {study.opponent}"
        return Row(what, "–", shown(won, unit=True), study.all_hands, remark=remark)

    best = f"always {study.members[study.best]}, the best in hindsight"
    rows = [
        row(best, study.alone(MONEY, study.best), f"over an even mixture {shown(study.most())}"),
        row("an even mixture of the six", study.mixture(), ""),
    ]
    for place, name in enumerate(study.utilities):
        gain = f"over an even mixture {shown(study.gain(rule, place))}"
        chosen = shares(study.chosen(rule, place))
        rows.append(row(f"{rule} by {name}", study.won(rule, place), f"{gain}; {chosen}"))
    return rows


def _members(study: OracleStudy) -> Grid:
    """Return a table of what each imitator wins alone, by each utility."""
    rows = [
        (name, *(shown(study.alone(utility, place)) for utility in range(len(study.utilities))))
        for place, name in enumerate(study.members)
    ]
    title = f"Each imitator alone against {study.opponent}: {study.game.unit[1]}, {study.all_hands:,} hands"
    return Grid(title, ("imitator", *study.utilities), tuple(rows))


def _choices(study: OracleStudy) -> Grid:
    """Return how often the paper's rule selected each member, by each utility."""
    rule = next(iter(RULES))
    counts = [study.chosen(rule, place) for place in range(len(study.utilities))]
    rows = [(name, *(f"{one[name] / sum(one.values()):.1%}" for one in counts)) for name in study.members]
    title = f"Share of the hands for which {rule} chose each against {study.opponent}"
    return Grid(title, ("imitator", *study.utilities), tuple(rows))


def _rules(study: OracleStudy) -> Grid:
    """Return the results of all rules by all utilities."""
    rows = []
    for rule in RULES:
        for place, utility in enumerate(study.utilities):
            counts = study.chosen(rule, place)
            most = max(counts, key=lambda name: counts[name])
            rows.append(
                (rule, utility, f"{most} {counts[most] / sum(counts.values()):.0%}",
                 shown(study.won(rule, place)), shown(study.gain(rule, place)),
                 "–" if place == SEEN else shown(study.over_seen(rule, place)))
            )  # fmt: skip
    unit = study.game.unit[1]
    header = (
        "rule",
        "utility",
        "chosen most",
        f"money, {unit}",
        "over an even mixture",
        f"over {study.utilities[SEEN]}",
    )
    return Grid(f"Rules of choice against {study.opponent}: {study.all_hands:,} hands", header, tuple(rows))


def _bars(studies: Sequence[OracleStudy]) -> Callable[[Any], None]:
    """Draw one stacked bar per utility."""

    def draw(figure: Any) -> None:
        for axes, study in zip(figure.subplots(len(studies), 1), studies, strict=True):
            counts = [study.chosen(next(iter(RULES)), place) for place in range(len(study.utilities))]
            left = np.zeros(len(counts))
            for name in study.members:
                share = np.array([one[name] / sum(one.values()) for one in counts])
                axes.barh(study.utilities, share, left=left, label=name)
                left += share
            axes.invert_yaxis()
            axes.set(title=f"against {study.opponent}", xlabel="share of the hands", xlim=(0, 1))
            axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))

    return draw
