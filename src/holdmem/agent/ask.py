"""Ask seats for decisions and show them finished hands, with errors that name the player."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeGuard

from holdmem.agent.blame import describe_exception
from holdmem.agent.contract import Actions, Policy, PolicySeat, Seat, WatchingSeat
from holdmem.agent.views import Views
from holdmem.core.errors import AgentError, BadDecision

if TYPE_CHECKING:
    from holdmem.agent.play import FinishedHands


def ask_seat(seat: Seat, views: Views, name: str) -> Actions:
    """Return a seat's actions for these views; errors name the seat and a view.

    Raise BadDecision if `act` raises, or if it does not return Actions with one entry per view.
    """
    try:
        actions = seat.act(views)
    except BadDecision as error:  # its message already names the view
        raise BadDecision(f"{name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise BadDecision(f"{name}: {describe_exception(error)}; {_first(views)}") from error
    if not isinstance(actions, Actions) or len(actions) != len(views):
        shape = f"{len(actions)} actions" if isinstance(actions, Actions) else f"{actions!r:.80}"
        raise BadDecision(
            f"{name}: expected Actions, one for each of {len(views)} views, got {shape}; {_first(views)}"
        )
    return actions


def ask_one(seat: Seat, views: Views, name: str) -> int:
    """Return a seat's action for a single view, as `ask_seat` does for many."""
    return int(ask_seat(seat, views, name).codes[0])


def ask_policy(seat: PolicySeat, views: Views, name: str) -> Policy:
    """Return a seat's policy at these views; BadDecision if it fails or is not a Policy for each of them."""
    try:
        policy = seat.policy(views)
    except (Exception, SystemExit) as error:
        raise BadDecision(
            f"{name}: {describe_exception(error)} when asked for its policy; {_first(views)}"
        ) from error
    if not isinstance(policy, Policy) or len(policy.codes) != len(views):
        raise BadDecision(f"{name}: expected a Policy for each of {len(views)} views, got {policy!r:.80}")
    return policy


def _first(views: Views) -> str:
    return f"at {views[0]}" if len(views) == 1 else f"at one of {len(views)} views, the first: {views[0]}"


def watches(seat: Seat) -> TypeGuard[WatchingSeat]:
    """Whether a seat is a WatchingSeat.

    isinstance on a runtime protocol would take as long as playing several dozen hands.
    """
    return getattr(seat, "watch", None) is not None


def show_to_all(finished: "FinishedHands", players: Iterable[tuple[int, Seat, str]]) -> None:
    """Show finished hands to the players that watch, to each what it saw of the hands in which it sat.

    `players` has the number in the lineup, the seat and the name of each.
    """
    for player, seat, name in players:
        if watches(seat):
            hands = finished.of(player)
            if len(hands):
                show_finished(seat, hands.seen_by(player), name)


def show_finished(seat: WatchingSeat, hands: "FinishedHands", name: str) -> None:
    """Show one player how these hands ended; AgentError, which names the player, if it fails."""
    try:
        seat.watch(hands)
    except (Exception, SystemExit) as error:
        first = f"hand {hands.hand_ids[0].hand} of match {hands.hand_ids[0].match}"
        where = first if len(hands) == 1 else f"{len(hands)} hands, the first: {first}"
        raise AgentError(f"{name}: {describe_exception(error)} when it watched {where}") from error
