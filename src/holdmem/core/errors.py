"""Exceptions raised by HoldMem, as a tree:

    HoldMemError            base class of all of these
    ├── NotationError       text or numbers that cannot be read as cards, ranges, actions, games or agents
    ├── IllegalAction       a well-formed action that the rules forbid at this point of the hand
    ├── GameError           an unplayable game: no seats, no chips, raises of zero
    ├── TooManyDeals        too many deals to enumerate: sample them instead
    ├── TableError          a file of tabulated values is damaged, truncated, or not one of HoldMem's
    ├── KnowledgeError      a file of a learner's knowledge is damaged or not the expected one
    ├── StrategyError       a file of a solved strategy is damaged, or of another version or game
    ├── StorageError        a file or folder could not be written: full disk, no permission
    │   └── OutputExists    the name already exists, and nothing is replaced
    ├── MissingExtra        an optional library is not installed
    └── AgentError          an agent cannot be found, built or seated, or broke the contract
        ├── UnknownAgent    no agent, or no parameter of an agent, has this name
        └── BadDecision     the answer to a view is unusable or missing

The command line prints any of these as a single message and exits with code 2.
"""

from difflib import get_close_matches


class HoldMemError(Exception):
    """Base class of all errors that HoldMem raises about its input."""


class NotationError(HoldMemError, ValueError):
    """Text or numbers that cannot be parsed. The message gives what was expected and what was found."""


class IllegalAction(HoldMemError, ValueError):
    """An action that the rules forbid here. The message gives the legal actions and the one found."""


class GameError(HoldMemError, ValueError):
    """A game that cannot be played."""


class TooManyDeals(HoldMemError):
    """Too many deals to enumerate in reasonable time. The message gives their number; sample them instead."""


class TableError(HoldMemError):
    """A file of tabulated values cannot be used. The message names it and the expected and actual content."""


class KnowledgeError(HoldMemError):
    """A file of a learner's knowledge cannot be used. The message names it and what was expected."""


class StrategyError(HoldMemError):
    """A file of a solved strategy cannot be used. The message names it and what was expected and found."""


class StorageError(HoldMemError, OSError):
    """A file or folder could not be written. The message gives its name, the reason and a remedy."""


class OutputExists(StorageError):
    """A file or folder of this name already exists, and nothing is replaced."""


class MissingExtra(HoldMemError, ImportError):
    """An optional library is not installed. The message names it and the extra that installs it."""


class AgentError(HoldMemError):
    """An agent cannot be built or seated, or broke the contract."""


class UnknownAgent(AgentError, LookupError):
    """No agent, or no parameter of an agent, has this name. The message suggests the closest names."""


class BadDecision(AgentError):
    """An agent raised an exception or returned an invalid decision. The message gives the view."""

    where = ""
    """The view, as the message names it, where the agent is asked about one view at a time."""


def nearest(name: str, known: list[str], count: int = 3) -> str:
    """Return the known names closest to `name` as a phrase for an error message; all if none is close."""
    close = get_close_matches(name, known, n=count, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(close) + "?"
    return "known: " + ", ".join(sorted(known))
