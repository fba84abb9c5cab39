"""Remove luck from recorded hands."""

from collections.abc import Mapping

from holdmem.agent import Agent, as_agent
from holdmem.api.hands import HandsSource, blocks_of
from holdmem.arena.aivat.recorded import RecordedLuck
from holdmem.arena.aivat.recorded import recorded_luck as count_recorded


def recorded_luck(hands: HandsSource, known: Mapping[str, Agent | str]) -> RecordedLuck:
    """Remove the luck of cards and of known players' choices from recorded heads-up hands (AIVAT).

    Parameters
    ----------
    hands : hands in memory, a reader of hands, or the paths of files to read, with all hole cards.
    known : the agents of one or more players, by the players' names in the hands.

    Returns
    -------
    RecordedLuck : for each pair of players the money won and the same without luck, with 95% intervals.

    Raises
    ------
    NotationError : a named player never sat in these hands.
    AgentError : a named agent does not exist, learns, or never takes an action that was taken.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "always-call", "always-raise", folder=f"{folder}/hands", hands=20)
    ...     found = recorded_luck(played, {"always-call": "always-call"})
    >>> found.players[0].player, found.players[0].hands
    ('always-call', 20)
    """
    return count_recorded(blocks_of(hands), {name: as_agent(agent) for name, agent in known.items()})
