"""Record experts, learn case bases, review hands and explain decisions."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from holdmem.agent import Agent, Explanation, Situation, View, as_agent, explain_seat
from holdmem.api.hands import HandsSource, blocks_of
from holdmem.api.play import expect_opponents, names_of
from holdmem.arena import Design
from holdmem.arena.design import DeckPurpose
from holdmem.cbr import CaseBase, Representation, find_representation
from holdmem.cbr.representation import header_name
from holdmem.core.atomic import expect_new
from holdmem.core.choices import MatchKind
from holdmem.core.random import Streams
from holdmem.core.types import Progress
from holdmem.engine import Game, as_game
from holdmem.history import HandReader, StoredHands
from holdmem.learning.decks import decks_of_hands
from holdmem.learning.learn import HELD_OUT, HandsProgress
from holdmem.learning.learn import learn as learn_cases
from holdmem.learning.record import record as record_design
from holdmem.learning.review import review as compare
from holdmem.learning.review_result import Review


def record(
    game: Game | str,
    *agents: Agent | str,
    folder: Path | str,
    hands: int = 10_000,
    matches: int = 1,
    kind: MatchKind = "ring",
    seed: int = 0,
    purpose: DeckPurpose = "play",
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> StoredHands:
    """Let agents play each other and store the hands, with all hole cards, to learn from.

    Parameters
    ----------
    game : a `Game`, or the name of a built-in game or a `.game` file, adapted to the number of agents.
    agents : one agent per seat, as values or names; an agent may play against itself.
    folder : where to store the hands; it must not exist yet.
    hands : hands per match.
    matches : number of matches; agents forget everything between them.
    kind : how the seats change, as for `match`; by default the button moves after every hand.
    seed : random seed. The files depend on nothing else, such as the number of workers.
    purpose : "play", "record" or "test": decks of different purposes differ whatever their seeds, so that a
        player learned from decks to "record" is never tested on them by chance.
    workers : number of worker processes.
    on : address of a Dask scheduler to run on instead (tcp://host:port).
    progress : called with the number of hands played so far and the total.

    Returns
    -------
    StoredHands : the stored hands; iterate for blocks of `Hands`, or pass them to `learn`.

    Raises
    ------
    OutputExists : the folder already exists.
    GameError : the game does not exist or does not fit the number of agents.
    AgentError : an agent does not exist, cannot play this game, or broke the rules.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(record("limit", "random", "always-call", folder=f"{folder}/hands", hands=100))
    100
    """
    expect_new(Path(folder))  # fail now rather than after hours of work
    expect_opponents(agents)
    names = names_of(agents, alone=workers == 1 and on is None)
    design = Design(
        as_game(game, len(agents)), names, hands=hands, matches=matches, kind=kind, seed=seed, purpose=purpose
    )
    record_design(design, folder, workers=workers, on=on, progress=progress)
    return StoredHands(Path(folder))


def learn(
    hands: HandsSource,
    player: str | Sequence[str],
    *,
    representation: Representation | str = "sartre-2",
    held_out: int | None = None,
    tests: HandsSource | None = None,
    most: int | None = None,
    marks: Sequence[int] = (),
    format: str | None = None,
    game: Game | str | None = None,
    progress: HandsProgress | None = None,
) -> CaseBase:
    """Learn a case base from a player's recorded hands, and measure how well it imitates the player.

    Parameters
    ----------
    hands : hands in memory, blocks of hands, or the paths of files, folders or archives to read.
    player : the player's name in the hands, or several names to learn into one case base.
    representation : what a case is: a `Representation`, its name ("sartre-2", "casper", "imitator-limit", …)
        or one in a file ("./mycases.py:MINE").
    held_out : every how many hands one is held out to measure the imitation, 0 for none; by default 20, or
        none if there are `tests`.
    tests : hands to measure the imitation on, from which nothing is learned.
    most : number of decisions after which to stop.
    marks : numbers of hands at which to record the number of cases, for representations that keep every
        decision as a separate case.
    format, game : format and game of the files, where they do not say (see `read_hands`).
    progress : called with the number of hands read so far.

    Returns
    -------
    CaseBase : the case base. `about` has the facts, with the imitation by street; `caveats` says what to
        know before relying on it; `player()` plays it and `save()` stores it.

    Raises
    ------
    NotationError : the player is in none of the hands, the hands do not show the player's hole cards, or the
        representation is unknown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "jagbot", "random", folder=f"{folder}/hands", hands=300, seed=1)
    ...     cases = learn(played, "jagbot")
    >>> cases.about["expert"], cases.representation.name
    ('jagbot', 'sartre-2')
    """
    kind = find_representation(representation) if isinstance(representation, str) else representation
    blocks = blocks_of(hands, format=format, game=game)
    lesson = learn_cases(
        blocks,
        player,
        kind,
        held_out=(HELD_OUT if tests is None else 0) if held_out is None else held_out,
        tests=() if tests is None else blocks_of(tests, format=format, game=game),
        most=most,
        marks=marks,
        progress=progress,
    )
    about = dict(lesson.base.about)
    if isinstance(blocks, HandReader):
        about["unread"] = blocks.account.skipped
    if decks := decks_of_hands(blocks if isinstance(blocks, HandReader) else hands):
        about["decks"] = [one.as_json() for one in decks]
    if isinstance(representation, str):
        about["representation"] = header_name(representation)
    return replace(lesson.base, about=about)


def review(
    hands: HandsSource,
    player: str,
    *,
    against: Agent | str = "sartre-2",
    shown: int = 5,
    seed: int = 0,
    format: str | None = None,
    game: Game | str | None = None,
) -> Review:
    """Compare a player's decisions with what an expert would have done.

    Parameters
    ----------
    hands : hands in memory, blocks of hands, or the paths of files, folders or archives to read.
    player : the player's name in the hands.
    against : the expert, an agent that gives its action probabilities, as a value or name.
    shown : number of differences to keep, most important first.
    seed : random seed.
    format, game : format and game of the files, where they do not say (see `read_hands`).

    Returns
    -------
    Review : agreement by street, and the decisions in which the expert would most likely act otherwise.

    Raises
    ------
    NotationError : the player is in none of the hands, or the player's hole cards are unknown.
    AgentError : the expert does not exist or does not give its probabilities.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "random", "always-call", folder=f"{folder}/hands", hands=50)
    ...     found = review(played, "always-call", against="always-raise")
    >>> found.frame().columns[:4]
    ['rank', 'where', 'street', 'hole']
    """
    blocks = blocks_of(hands, format=format, game=game)
    return compare(blocks, player, against, shown=shown, seed=seed)


def explain(agent: Agent | str, situation: Situation | View, *, seed: int = 0) -> Explanation:
    """Explain an agent's decision in words: the situation, what the agent does, and why.

    Parameters
    ----------
    agent : an agent such as "sartre-2", as a value or name. One that does not explain its decisions is
        described by its probabilities.
    situation : the decision, as a `Situation` or a `View`.
    seed : random seed.

    Returns
    -------
    Explanation : prints as sentences; has the actions with their probabilities, the remembered hands and
        the details as fields.

    Raises
    ------
    AgentError : the agent does not exist, or does not play this game.

    Examples
    --------
    >>> why = explain("sartre-2", Situation(hole="AhKd", board="Kc8s2d", betting="rc/r"))
    >>> why.decision
    'It raises to 20.'
    """
    view = situation.view if isinstance(situation, Situation) else situation
    seat = as_agent(agent).sit(view.game, 1, Streams.of(seed, "player", 0))
    return explain_seat(seat, view)
