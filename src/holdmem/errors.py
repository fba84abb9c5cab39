"""What can go wrong, as a tree:

    HoldMemError            everything below; catch this to catch us
    ├── NotationError       text or numbers that cannot be read as cards, ranges, actions, games or agents
    ├── IllegalAction       a readable action that the rules forbid at this point of the hand
    ├── GameError           a game that nobody could play: no seats, no chips, raises of zero
    ├── TooManyDeals        more deals than can be counted one by one: sample them
    ├── TableError          a file of tabulated values that is damaged, cut short, or not ours
    ├── KnowledgeError      a file of what a learner has learned that is damaged or not what was expected
    ├── StrategyError       a file of a solved strategy that is damaged, of another version or another game
    ├── StorageError        a file or folder that could not be written: full disk, no permission
    │   └── AlreadyThere    something has this name already, and nothing is replaced
    └── AgentError          an agent that cannot be found, built, seated, or that broke the contract
        ├── UnknownAgent    no agent, or no parameter of an agent, has this name
        └── BadDecision     an answer that cannot be used, or none; says at which view

The command line prints any of these as one message and exits with code 2.
"""

from difflib import get_close_matches


class HoldMemError(Exception):
    """Everything that HoldMem itself raises about its input."""


class NotationError(HoldMemError, ValueError):
    """Text or numbers that cannot be read: says what was expected and what came."""


class IllegalAction(HoldMemError, ValueError):
    """An action that the rules forbid here: says which actions are legal and what came."""


class GameError(HoldMemError, ValueError):
    """A game that nobody could play."""


class TooManyDeals(HoldMemError):
    """More deals than can be counted one by one in reasonable time: says how many; they can be sampled."""


class TableError(HoldMemError):
    """A file of tabulated values that cannot be used: says which, what was expected and what was found."""


class KnowledgeError(HoldMemError):
    """A file of what a learner knows that cannot be used: says which, what was expected, what was found."""


class StrategyError(HoldMemError):
    """A file of a solved strategy that cannot be used: says which, what was expected and what was found."""


class StorageError(HoldMemError, OSError):
    """A file or folder that could not be written: says which, why, and what to do."""


class AlreadyThere(StorageError):
    """Something with this name exists already, and nothing is replaced."""


class AgentError(HoldMemError):
    """An agent that cannot be built or seated, or that broke the contract."""


class UnknownAgent(AgentError, LookupError):
    """No agent, or no parameter of an agent, has this name: says which names come nearest."""


class BadDecision(AgentError):
    """An agent answered a view with something that is no decision, or raised: says which view."""


def nearest(name: str, known: list[str], count: int = 3) -> str:
    """The known names closest to `name`, as a phrase for an error message."""
    close = get_close_matches(name, known, n=count, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(close) + "?"
    return "known: " + ", ".join(sorted(known))
