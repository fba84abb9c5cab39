"""Imitate people from their hands, and say whom a player resembles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.api.hands import HandsSource, blocks_of
from holdmem.core.atomic import expect_new
from holdmem.core.data import DATA
from holdmem.core.display import html_table
from holdmem.core.errors import KnowledgeError, NotationError, nearest
from holdmem.core.types import Flags
from holdmem.history import Hands, join
from holdmem.history.stats import STATISTICS, StatFilter, StatLine, count_statistics
from holdmem.people.calibration import PEOPLE
from holdmem.people.calibration import STYLES as STYLE_ODDS
from holdmem.people.imitate import remember_person
from holdmem.people.learn import NAMES, Tell
from holdmem.people.memory import PersonMemory, read_person, write_person
from holdmem.people.observe import Observations, observe
from holdmem.people.person import PASSES
from holdmem.people.quality import predicted
from holdmem.people.resemble import Resemblance, depth_habit, resemblance
from holdmem.players.clone import POPULATION, POPULATIONS, SMALL_STAKES, STYLES, STYLES_AT, Clone

ME = "me"
"""Name for the player whose hole cards the file shows, as sites write it for their users."""
ENOUGH = 30
"""Hands from which a check on held-out hands is made."""
HELD_OUT = 0.2
"""Share of the hands, the last ones, that the check holds out."""
SMALL_UNTIL = Fraction(9, 4)
"""Largest big blind, in units of the currency, that counts as small: as far from 0.50 as from 10."""


@dataclass(frozen=True, eq=False)
class ImitatedPlayer:
    """A person learned from hands, with what is known about how good it is.

    Attributes
    ----------
    person : the memory, which `clone:person=FILE` plays.
    statistics : the person's statistics in these hands.
    file : where it was written, or None.
    """

    person: PersonMemory
    statistics: StatLine
    file: Path | None = None

    @property
    def about(self) -> dict[str, Any]:
        """Hands, decisions and measures, as JSON values."""
        return dict(self.person.about)

    def player(self) -> Clone:
        """Return an agent that plays like this person.

        Raises
        ------
        KnowledgeError : the person was not written to a file, from which worker processes could read it.
        """
        if self.file is None:
            raise KnowledgeError("expected a player that was written to a file: imitate(…, output=FILE)")
        return Clone(self.file)

    def __repr__(self) -> str:
        return f"ImitatedPlayer({self.person.name}: {self.about['hands']:,} hands)"

    def _repr_html_(self) -> str:
        check = self.about["check"]
        rows = [(name, self.about[name]) for name in ("hands", "decisions", "shown")]
        shares = {STATISTICS[name].title: self.statistics.share(name) for name in ("vpip", "pfr", "wtsd")}
        rows += [
            (title, f"{one.value:.1%} of {one.opportunities:,}")
            for title, one in shares.items()
            if one.value is not None
        ]
        if check is not None:
            better = f"{check['better_by']:+.3f} ± {check['error']:.3f} nats per decision"
            rows.append((f"better than the population on the last {check['hands']:,} hands", better))
        return html_table(("", "value"), rows, repr(self))


def imitate(
    hands: HandsSource,
    player: str,
    *,
    name: str | None = None,
    output: Path | str | None = None,
    population: PersonMemory | Path | str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ImitatedPlayer:
    """Learn a player from hand histories, most of whose cards may be hidden.

    Parameters
    ----------
    hands : hands in memory, a reader of hands, or the paths of files to read.
    player : name of the player in the hands; "me" for the one whose hole cards the files show.
    name : what to call the clone; by default as the player is called.
    output : file to write; by default nothing is written.
    population : the memory that the player is taken to resemble as far as the hands do not say otherwise: a
        value, a file, "population" (5/10 dollars) or "small-stakes". By default the shipped one of the stakes
        nearest to those of the hands; see `population_at`.
    progress : called with the decisions gone through so far and their number; each is gone through often.

    Returns
    -------
    ImitatedPlayer : the memory, the player's statistics, and in `about` how well it predicts the last fifth
        of the hands when learned from the others, with the population's result next to it.

    Raises
    ------
    NotationError : the player is not in the hands or made no decision in them.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("nolimit", "random", "simplebot", folder=f"{folder}/hands", hands=50)
    ...     imitate(played, "simplebot")
    ImitatedPlayer(simplebot: 50 hands)
    """
    target = None if output is None else Path(output)
    if target is not None:
        expect_new(target)
    whole, observed = _observed(hands, player)
    known = _population(population, whole)
    who = observed.players[int(observed.player[0])]
    tell = _teller(observed, progress)
    about = _about(whole, observed, known, tell)
    person = remember_person(known, observed, name or who, about, tell)
    if target is not None:
        write_person(target, person)
    line = next(iter(count_statistics([whole], ("player",), StatFilter(player=(who,)))))
    return ImitatedPlayer(person, line, target)


def population_at(hands: Hands) -> str:
    """Return the name of the shipped population whose stakes are nearest to those of most of the hands.

    That is "small-stakes" up to a big blind of 2.25 units of the currency, whichever it is, and "population"
    above it and where chips are not money.
    """
    small = [bool(one.currency) and one.game.big_blind * one.chip <= SMALL_UNTIL for one in hands.terms]
    places = np.flatnonzero(small)
    return SMALL_STAKES if 2 * np.isin(hands.rows["terms"], places).sum() > len(hands) else POPULATION


def _population(who: PersonMemory | Path | str | None, hands: Hands) -> PersonMemory:
    if isinstance(who, PersonMemory):
        return who
    chosen = population_at(hands) if who is None else who
    return _shipped(str(chosen)) if chosen in POPULATIONS else read_person(Path(chosen))


def _shipped(name: str) -> PersonMemory:
    return read_person(DATA / f"{name}.people")


def _observed(hands: HandsSource, player: str) -> tuple[Hands, Observations]:
    """Return the hands of a player, and what was observed of it."""
    whole = join([_of(block, player) for block in blocks_of(hands)])
    who = chosen_player(whole, player)
    whole = whole.with_player(who)
    observed = observe([whole], [who])
    if not len(observed):
        raise NotationError(f"{who} made no decision in these hands")
    return whole, observed


def _of(block: Hands, player: str) -> Hands:
    return block if player == ME and ME not in block.players else block.with_player(player)


def chosen_player(hands: Hands, player: str) -> str:
    """Return the player's name in the hands; for "me" the one whose cards are known most often."""
    if player in hands.players and len(hands.with_player(player)):
        return player
    if player != ME:
        raise NotationError(f"no hands of {player!r}; {nearest(player, list(hands.players))}")
    seats = hands.rows["player"][hands.known & hands.seated]
    counts = np.bincount(seats, minlength=len(hands.players))
    if not counts.any():
        raise NotationError("expected a player whose hole cards are known, got hands without any")
    return hands.players[int(counts.argmax())]


def _teller(observed: Observations, progress: Callable[[int, int], None] | None) -> Tell:
    """Return what adds up decisions gone through: all of them to learn, and the first part to check."""
    done, total = 0, PASSES * len(observed.action)
    if len(observed) >= ENOUGH:
        total += PASSES * len(observed.keep(~_last(observed)).action)

    def tell(decisions: int) -> None:
        nonlocal done
        done += decisions
        if progress is not None:
            progress(done, total)

    return tell


def _about(hands: Hands, observed: Observations, population: PersonMemory, tell: Tell) -> dict[str, Any]:
    seats, counts = np.unique(observed.seats, return_counts=True)
    return {
        "hands": len(hands),
        "played": len(observed),
        "decisions": len(observed.action),
        "shown": int((observed.hole[:, 0] >= 0).sum()),
        "seats": {str(seat): int(count) for seat, count in zip(seats, counts, strict=True)},
        "population": population.about.get("source", population.name),
        "depths": depth_habit(observed),
        "check": checked(observed, population, tell),
    }


def checked(
    observed: Observations, population: PersonMemory, tell: Tell = lambda decisions: None
) -> dict[str, Any] | None:
    """Learn from the first hands and predict the last: log-loss per decision, and the population's.

    None if there are fewer than `ENOUGH` hands.
    """
    if len(observed) < ENOUGH:
        return None
    late = _last(observed)
    past, rest = observed.keep(~late), observed.keep(late)
    person = remember_person(population, past, "check", {}, tell)
    mine, theirs = predicted(person, rest), predicted(population, rest)
    gain = theirs.losses - mine.losses
    return {
        "hands": len(rest),
        "decisions": len(gain),
        "log_loss": float(mine.losses.mean()),
        "population": float(theirs.losses.mean()),
        "better_by": float(gain.mean()),
        "error": float(1.96 * gain.std() / np.sqrt(max(len(gain), 1))),
    }


def _last(observed: Observations) -> Flags:
    """Return which player-hands are the last by time, or by order where times are unknown."""
    order = np.argsort(observed.time, kind="stable")
    late = np.zeros(len(observed), dtype=np.bool_)
    late[order[int(len(observed) * (1 - HELD_OUT)) :]] = True
    return late


def resemble(
    hands: HandsSource,
    player: str,
    *,
    among: Sequence[Path | str] = (),
    population: PersonMemory | Path | str | None = None,
) -> Resemblance:
    """Say which known person or style a player's hands resemble, and where the player differs from most.

    Parameters
    ----------
    hands : hands in memory, a reader of hands, or the paths of files to read.
    player : name of the player in the hands; "me" for the one whose hole cards the files show.
    among : files of known people, written by `imitate`; by default the shipped styles of the population.
    population : the memory that the known people were learned from: a value, a file, "population" (5/10
        dollars) or "small-stakes". By default that of the first of `among`, if it is a shipped one; without
        `among` the one of the stakes nearest to those of the hands.

    Returns
    -------
    Resemblance : probabilities, with `nobody` for none of them, and the differences to the population.

    Raises
    ------
    NotationError : the player is not in the hands or made no decision in them.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("nolimit", "random", "simplebot", folder=f"{folder}/hands", hands=20)
    ...     resemble(played, "simplebot").answer
    'too few hands'
    """
    whole, observed = _observed(hands, player)
    people = [read_person(Path(path)) for path in among]
    known = _population(population or _learned_from(people), whole)
    people = people or [_shipped(style) for style in STYLES_AT.get(known.name, STYLES)]
    for person in people:
        _expect_same_situations(person, known)
    return resemblance(people, known, observed, PEOPLE if among else STYLE_ODDS)


def _learned_from(people: Sequence[PersonMemory]) -> PersonMemory | None:
    """Return the shipped population from which the first of these people was learned, or None."""
    shipped = map(_shipped, POPULATIONS if people else ())
    return next((one for one in shipped if one.about["source"] == people[0].about.get("population")), None)


def _expect_same_situations(person: PersonMemory, population: PersonMemory) -> None:
    if not all(person.trees[name].is_like(population.trees[name]) for name in NAMES):
        raise KnowledgeError(
            f"{person.name} was learned from {person.about.get('population', 'another population')}, which "
            f"cannot be compared with {population.about.get('source', population.name)}"
        )
