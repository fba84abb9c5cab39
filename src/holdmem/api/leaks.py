"""Review a player's hands by what decisions cost, and value the decisions of a recorded hand."""

from collections.abc import Callable, Sequence

import numpy as np

from holdmem.api.hands import HandsSource, blocks_of
from holdmem.api.people import chosen_player
from holdmem.api.value import PlayerName, assumed, up_to
from holdmem.core.errors import NotationError
from holdmem.core.types import Progress
from holdmem.ev import (
    SCREENING,
    THOROUGH,
    DecisionValue,
    NamedPlayer,
    Precision,
    named_player,
    usual_player,
    value_decision,
)
from holdmem.ev.review import LeakReport, review_hands
from holdmem.history import Hands, join, replay
from holdmem.people.imitate import remember_person
from holdmem.people.observe import observe

OF_FILE = "player:"
"""Prefix of a reference that is another player of the same hands."""


def find_leaks(
    hands: HandsSource,
    player: str = "me",
    *,
    reference: PlayerName | None = None,
    others: PlayerName | None = None,
    also: Sequence[PlayerName] | None = None,
    samples: int = SCREENING.most,
    again: int = 100,
    seed: int = 0,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda text: None,
    first_page: Callable[[LeakReport], None] | None = None,
) -> LeakReport:
    """Review a player's hands: what every decision cost, and in which situations that is more than chance.

    Parameters
    ----------
    hands : hands in memory, a reader of hands, or the paths of files to read.
    player : name of the player in the hands; "me" for the one whose hole cards the files show.
    reference : whom the player is compared with, and who plays on after each action: "population", a shipped
        style, the file of a person, an agent with a policy, or "player:NAME" for another player of the hands.
        By default the population; "eqm" in heads-up limit.
    others : the model of the others; by default it is learned from their own decisions in these hands.
    also : other models of the others, by default two. The decisions that are valued again are valued under
        these, too; the report has the range of their losses.
    samples : samples per action and decision at most.
    again : how many of the decisions with the largest loss are valued again with new samples, until they are
        told apart, the error is below 0.05 bb, or 20,000 samples are drawn.
    seed : random seed. The result depends on nothing else, such as the number of workers.
    workers : number of worker processes.
    on : address of a Dask scheduler to run on instead (tcp://host:port).
    progress : called with the number of hands done and the total.
    say : called with what is being done.
    first_page : called with a review of few samples before the rest is drawn.

    Returns
    -------
    LeakReport : leaks with their cost in bb per 100 hands and intervals, hands of the reference for each,
        losses by street, position, pot, board and what was faced, and `frame()` with every decision.

    Raises
    ------
    NotationError : the player is not in the hands, or its hole cards are not known.
    AgentError : a player does not exist, does not play this game, or does not give its probabilities.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "random", "always-call", folder=f"{folder}/hands", hands=20)
    ...     found = find_leaks(played, "random", reference="always-call", others="always-call", samples=16)
    >>> found.leaks
    ()
    """
    whole = _joined(hands)
    who = chosen_player(whole, player)
    chosen, same_hands = _reference(whole, reference)
    precision = Precision(first=min(SCREENING.first, samples), most=samples)
    model = None if others is None else named_player(others)
    compared = None if also is None else [named_player(one) for one in also]
    return review_hands(
        whole, who, chosen, model, also=compared, same_hands=same_hands, precision=precision, again=again,
        seed=seed, workers=workers, on=on, progress=progress, say=say, first_page=first_page,
    )  # fmt: skip


def _joined(hands: HandsSource) -> Hands:
    found = list(blocks_of(hands))
    if not found:
        raise NotationError("no readable hands to review")
    return join(found)


def _reference(hands: Hands, reference: PlayerName | None) -> tuple[NamedPlayer, str | None]:
    """Return the reference, and its name in these hands if it is one of their players."""
    if reference is None:
        return named_player(usual_player(hands.terms[int(hands.rows["terms"][0])].game)), None
    if isinstance(reference, str) and reference.startswith(OF_FILE):
        who = chosen_player(hands, reference.removeprefix(OF_FILE))
        observed = observe([hands.with_player(who)], [who])
        population = named_player("population").player
        return named_player(remember_person(population, observed, who, {})), who  # type: ignore[arg-type]
    return named_player(reference), None


def explain_hand(
    hands: HandsSource,
    number: int,
    player: str = "me",
    *,
    reference: PlayerName | None = None,
    others: PlayerName | None = None,
    also: Sequence[PlayerName] | None = None,
    samples: int = THOROUGH.most,
    seed: int = 0,
) -> list[DecisionValue]:
    """Return what every action was worth at each decision of a player in a recorded hand.

    Parameters
    ----------
    hands : hands in memory, a reader of hands, or the paths of files to read.
    number : number of the hand, as the source gives it.
    player : name of the player; "me" for the one whose hole cards the files show.
    reference, others, also, samples, seed : as for `value`.

    Returns
    -------
    list of DecisionValue : one per decision, in order, with the loss of the action taken.

    Raises
    ------
    NotationError : there is no such hand, or the player's hole cards in it are not known.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "random", "always-call", folder=f"{folder}/hands", hands=3)
    ...     told = explain_hand(played, 1, "random", others="always-call", also=(), samples=16)
    >>> type(told[0]).__name__
    'DecisionValue'
    """
    whole = _joined(hands)
    one = whole[whole.rows["number"] == number]
    if not len(one):
        known = f", such as {whole.rows['number'][0]}" if len(whole) else ""
        raise NotationError(f"expected the number that a hand has in its file{known}, got {number}")
    who = chosen_player(whole, player)
    terms = one.terms[int(one.rows["terms"][0])]
    assumptions, precision = assumed(terms.game, reference, others, also), up_to(samples)
    decisions = next(iter(replay(one[:1])))
    mine = np.flatnonzero((decisions.player == one.players.index(who)) & decisions.known)
    if not len(mine):
        raise NotationError(f"{who} made no decision in hand {number}, or its hole cards are not known")
    return [
        value_decision(
            decisions.views[place], int(decisions.actions[place]), assumptions, precision, seed, terms
        )
        for place in mine.tolist()
    ]
