"""`holdmem join` and `holdmem serve`: play on an ACPC dealer over the network, or be one."""

import gc
import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import GameOption, JsonOption, writable
from holdmem.core.choices import LostPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdmem.acpc import ClientResult, DealerPlan, MatchReport
    from holdmem.engine import Game


def join(
    host: Annotated[str, typer.Argument(help="Host name or address of the dealer.")],
    port: Annotated[int, typer.Argument(min=1, max=65535, help="The port of your seat.")],
    agent: Annotated[str, typer.Argument(help="An agent, as listed by 'holdmem agents'.")],
    game: GameOption = "limit",
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Random seed of the agent; by default drawn from the operating system."),
    ] = None,
    matches: Annotated[
        int, typer.Option(min=1, help="Matches to play one after the other; the agent forgets between them.")
    ] = 1,
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait for the dealer to start.")] = 10.0,
    log: Annotated[
        Path | None, typer.Option(help="Write the hands as seen from this seat, in ACPC format.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play an agent on any ACPC 2.0.0 dealer until the dealer closes the connection.

    Example: [bold]holdmem join 127.0.0.1 18791 always-call --game limit[/bold]
    """
    from holdmem.acpc import MatchClient
    from holdmem.acpc import join as play_on
    from holdmem.acpc.log_file import LogFile
    from holdmem.agent import make_agent
    from holdmem.cli.warmup import warm_up
    from holdmem.core.random import Streams, secret_seed
    from holdmem.engine import find_game

    number = secret_seed() if seed is None else seed
    chosen, player = find_game(game), make_agent(agent)
    file = None if log is None else LogFile(writable(log))
    if sys.stderr.isatty():
        warm_up()
    gc.freeze()  # exclude everything loaded so far from garbage collection
    found = []
    name = _log_name(agent)
    with _counted(f"{agent} on {host}:{port}") as progress:
        for match in range(matches):
            rng = Streams.of(number, "join")
            seat = MatchClient(chosen, player, rng, name=name, match=match, log=file.add if file else None)
            found.append(play_on(host, port, seat, wait=wait, progress=progress))
    if file:
        file.close()
    _print_joined(agent, chosen, found, number, as_json)


def _log_name(agent: str) -> str:
    from holdmem.acpc.players import bare_name

    return bare_name(agent)


@contextmanager
def _counted(title: str) -> "Iterator[Any]":
    """Show a hand counter on stderr if it is a terminal; yields the function to update it, or None."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with console.status(title) as status:

        def tell(hands: int) -> None:
            if hands % 100 == 0:
                status.update(f"{title}: {hands:,} hands")

        yield tell


def _print_joined(
    agent: str, game: "Game", found: "Sequence[ClientResult]", seed: int, as_json: bool
) -> None:
    from holdmem.arena.score import Score

    score = Score(game, [parts for match in found for parts in match.results])
    seconds = sum(match.seconds for match in found)
    if as_json:
        content = {
            "agent": agent,
            "game": game.name,
            "matches": len(found),
            "seed": seed,
            "hands": len(score.results),
            "chips": score.total,
            "seconds": seconds,
        }
        print(json.dumps(content, indent=2))
    else:
        print(f"{agent}: {score}; {seconds:.1f} s")


def serve(
    seats: Annotated[
        str,
        typer.Option(help="Comma-separated seats: agents, or @NAME for a player that connects."),
    ],
    game: GameOption = "limit",
    hands: Annotated[int, typer.Option(min=1, help="Hands per match.")] = 3000,
    matches: Annotated[
        int, typer.Option(min=1, help="Matches, played in parallel, each with its own cards.")
    ] = 1,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play each match in every seating order with the same cards.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Random seed, which reveals all cards; secret by default."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    ports: Annotated[
        str | None, typer.Option(help="Comma-separated ports of the @ seats; free ports by default.")
    ] = None,
    log: Annotated[Path | None, typer.Option(file_okay=False, help="Write ACPC logs to this folder.")] = None,
    name: Annotated[str, typer.Option(help="Name of the logs.")] = "match",
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Also log every line sent to and received from the players.")
    ] = False,
    cards: Annotated[
        Path | None, typer.Option(help="Deal the cards of this ACPC log instead of random ones.")
    ] = None,
    t_response: Annotated[float, typer.Option(min=0.001, help="Seconds allowed per response.")] = 600.0,
    t_hand: Annotated[float, typer.Option(min=0.001, help="Seconds allowed per player and hand.")] = 600.0,
    t_per_hand: Annotated[
        float,
        typer.Option(min=0.000001, help="Seconds allowed per player and hand, on average over the match."),
    ] = 7.0,
    max_invalid: Annotated[
        int | None, typer.Option(min=0, help="Invalid responses a player may give; unlimited by default.")
    ] = None,
    lost: Annotated[
        LostPlayer,
        typer.Option(
            help="After a timeout, disconnect or invalid responses: end the match, or fold its hands."
        ),
    ] = "end",
    start_timeout: Annotated[
        float | None, typer.Option(min=0, help="Seconds for all players to connect; unlimited by default.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Deal matches between HoldMem's agents and any players that speak the ACPC protocol.

    The first line of output has the ports of the @ seats in order, the last lines the scores. Exits with 1 if
    a match ended early. Examples:

    [bold]holdmem serve --seats always-call,@mybot --hands 1000 --ports 18791 --log logs[/bold]

    [bold]holdmem serve --seats @one,@two --ports 18791,18792 --duplicate --matches 10[/bold]
    """
    from holdmem.acpc import DealerPlan, Limits, parse_seats
    from holdmem.engine import find_game

    places = parse_seats(seats)
    limits = Limits(t_response, t_hand, t_per_hand, max_invalid, lost)
    plan = DealerPlan(
        find_game(game, len(places)),
        places,
        hands,
        matches=matches,
        duplicate=duplicate,
        seed=seed,
        limits=limits,
        name=name,
        log=log,
        transcript=transcript,
        cards=cards,
        host=host,
        ports=_ports(ports),
        start=start_timeout,
    )
    if seed is not None and plan.foreign:
        print(
            f"warning: anyone who knows the seed {seed} knows all cards; without --seed they are secret",
            file=sys.stderr,
        )
    ended = _serve(plan, as_json)
    _print_ended(ended, plan, as_json)
    if any(match.problem for match in ended):
        raise typer.Exit(1)


def _ports(text: str | None) -> tuple[int, ...]:
    from holdmem.core.errors import NotationError

    parts = [] if text is None else text.split(",")
    for part in parts:
        if not part.strip().isdecimal() or not 0 <= int(part) < 2**16:
            raise NotationError(f"expected comma-separated ports from 0 to 65535, got {text!r}")
    return tuple(int(part) for part in parts)


def _serve(plan: "DealerPlan", as_json: bool) -> "list[MatchReport]":
    import asyncio

    from holdmem.acpc import serve as deal
    from holdmem.cli.progress import progress_bar
    from holdmem.cli.warmup import warm_up

    if sys.stderr.isatty():
        warm_up()
    foreign = [plan.seats[place].name for place in plan.foreign]
    gc.freeze()  # exclude everything loaded so far from garbage collection

    def opened(ports: "Sequence[int]") -> None:
        for name, port in zip(foreign, ports, strict=True):
            print(f"waiting for {name} on {plan.host} port {port}", file=sys.stderr, flush=True)
        if ports and not as_json:
            print(*ports, flush=True)

    with progress_bar(" against ".join(place.name for place in plan.seats)) as progress:
        return asyncio.run(deal(plan, opened, progress))


def _print_ended(ended: "list[MatchReport]", plan: "DealerPlan", as_json: bool) -> None:
    from holdmem.engine import PARTS

    if as_json:
        content = [_as_json(match) for match in ended]
        print(json.dumps({"game": plan.game.name, "seed": plan.seed, "matches": content}, indent=2))
        return
    for match in ended:
        if match.problem:
            where = f"after {match.played} of {match.hands} hands"
            print(f"{match.title}: ended {where}: {match.problem}", file=sys.stderr)
        print(match)
    if plan.seed is None:
        for seed, titles in _by_seed(ended):
            print(f"{', '.join(titles)}: seed {seed}, secret until now", file=sys.stderr)
    if len(ended) > 1:
        hands = sum(match.played for match in ended)
        for name in (place.name for place in plan.seats):
            parts = sum(match.score[match.names.index(name)] for match in ended)
            print(
                f"{name}: {parts / PARTS:+g} chips in {hands:,} hands of {len(ended)} matches",
                file=sys.stderr,
            )


def _by_seed(ended: "list[MatchReport]") -> "list[tuple[int, list[str]]]":
    """Return the seeds, each with the titles of its matches."""
    found: dict[int, list[str]] = {}
    for match in ended:
        if match.seed is not None:
            found.setdefault(match.seed, []).append(match.title)
    return list(found.items())


def _as_json(match: "MatchReport") -> dict[str, Any]:
    from dataclasses import asdict

    from holdmem.engine import PARTS

    return {**asdict(match), "score": [parts / PARTS for parts in match.score]}
