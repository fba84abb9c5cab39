"""`holdmem evolve`: evolve the feature weights of Casper."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import ClusterOption, JsonOption, SeedOption, WorkersOption
from holdmem.core.choices import DeckMode, Scheme

if TYPE_CHECKING:
    from holdmem.learning.evolve.evolution import Evolution, GenerationReport
    from holdmem.learning.evolve.task import EvolutionTask

USUAL = "; the default depends on the scheme."


def evolve(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="Output folder.")],
    scheme: Annotated[Scheme, typer.Option(help="Training scheme.")] = "self-play",
    cases: Annotated[
        Path | None, typer.Option(help="Case base of all players; Casper's own by default.")
    ] = None,
    player: Annotated[
        str, typer.Option(help="Agent whose weights to evolve, such as casper:strength=ehs.")
    ] = "casper",
    opponents: Annotated[
        str | None, typer.Option(help="Agents that take the other seats in turn, such as poki,simbot" + USUAL)
    ] = None,
    hands: Annotated[int | None, typer.Option(min=1, help="Hands per generation" + USUAL)] = None,
    generations: Annotated[
        int | None, typer.Option(min=1, help="Generations per genetic algorithm" + USUAL)
    ] = None,
    trees: Annotated[
        int | None,
        typer.Option(
            min=1, help="Genetic algorithms with random initial weights: 1 or a power of the population."
        ),
    ] = None,
    population: Annotated[
        int | None, typer.Option(min=2, help="Hypotheses (weight sets) per generation" + USUAL)
    ] = None,
    selected: Annotated[int | None, typer.Option(min=0, help="Hypotheses kept unchanged" + USUAL)] = None,
    pairs: Annotated[
        int | None, typer.Option(min=0, help="Pairs of parents, with two offspring each" + USUAL)
    ] = None,
    mutated: Annotated[
        int | None, typer.Option(min=0, help="Hypotheses that mutate in each generation" + USUAL)
    ] = None,
    mutation_chance: Annotated[
        float | None, typer.Option(min=0, max=1, help="Probability that a hypothesis mutates" + USUAL)
    ] = None,
    seats: Annotated[int, typer.Option(min=2, max=10, help="Seats at the table.")] = 9,
    game: Annotated[str, typer.Option(help="A limit game, as listed by 'holdmem games'.")] = "casper",
    cards: Annotated[
        DeckMode, typer.Option(help="New decks, or each deck replayed in every rotation of the seats.")
    ] = "new",
    tables: Annotated[
        int, typer.Option(min=1, help="Tables that share the hands of a generation, if opponents learn.")
    ] = 1,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Stop after this many minutes; run the same command to continue."),
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Evolve the weights of Casper's features with a tree of genetic algorithms (Rubin 2007, chapter 4).

    self-play: nine Caspers at one table; nine algorithms of ten generations of 5,000 hands, whose best start
    a final one. opponents: three Caspers and six Pokis; nine algorithms of five generations, then three, then
    one. Run the same command again to continue a stopped run. FOLDER/weights.json is the final weight set,
    FOLDER/pictures shows the convergence. Examples:

    [bold]holdmem evolve --workers 2 -o evolved[/bold]

    [bold]holdmem evolve --scheme opponents --opponents poki,simbot --tables 50 -o against-them[/bold]
    """
    from holdmem.learning.evolve.task import SCHEMES

    usual = SCHEMES[scheme]
    counts = {
        "population": population,
        "selected": selected,
        "pairs": pairs,
        "mutated": mutated,
        "mutation_chance": mutation_chance,
    }
    task = replace(
        usual,
        operators=replace(usual.operators, **_given(counts)),
        seats=seats,
        game=game,
        cards=cards,
        tables=tables,
        seed=seed,
        player=player if cases is None else with_cases(player, cases),
        opponents=usual.opponents if opponents is None else agents_in(opponents),
        **_given({"hands": hands, "generations": generations, "trees": trees}),
    )
    _evolve(task, output, minutes, workers, on, as_json)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given; the others keep the scheme's defaults."""
    return {name: value for name, value in options.items() if value is not None}


def with_cases(player: str, cases: Path) -> str:
    """Return the agent's name with this case base as its parameter."""
    from holdmem.core.errors import NotationError

    if not cases.is_dir():
        raise NotationError(f"{cases}: not a folder with a case base")
    return f"{player}{',' if ':' in player else ':'}cases=[{cases}]"


def agents_in(text: str) -> tuple[str, ...]:
    """Split a comma-separated list of agents whose parameters may contain commas too.

    "poki,simbot:rollouts=16,jagbot" has three agents: a part such as `name=value` continues the agent before.
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, re.split(r",(?![^\[]*\])", text))):
        if found and re.match(r"\w+=", part):
            found[-1] += f",{part}"
        else:
            found.append(part)
    return tuple(found)


def _evolve(
    task: "EvolutionTask", folder: Path, minutes: float | None, workers: int, on: str | None, as_json: bool
) -> None:
    from holdmem.api import memories as api
    from holdmem.cli.progress import progress_bar
    from holdmem.core.extras import require
    from holdmem.plots.convergence import convergence

    require("plots", "evolve")  # now rather than after hours, when the convergence is drawn
    with progress_bar(f"evolution by {task.scheme}") as progress:
        evolution = api.evolve(
            task, folder, minutes=minutes, workers=workers, on=on, progress=progress, report=tell,
            begun=lambda found, same_source: _say_where(found, same_source, folder),
        )  # fmt: skip
    pictures = convergence(evolution, folder / "pictures")
    if as_json:
        print(json.dumps(_summary(evolution, folder, pictures), indent=2))
    else:
        _conclude(evolution, folder, pictures)


def _say_where(evolution: "Evolution", same_source: bool, folder: Path) -> None:
    if evolution.hands_done:
        done = f"{evolution.hands_done:,} of {evolution.task.all_hands:,} hands"
        print(f"holdmem: continuing in {folder} after {done}", file=sys.stderr)
    if not same_source:
        print(
            f"holdmem: note: HoldMem has changed since {folder} was started; earlier generations are kept",
            file=sys.stderr,
        )


def tell(report: "GenerationReport") -> None:
    """Print one line per generation to stderr."""
    played = report.generation
    line = f"{report.hands_done / report.hands:4.0%}  {report.algorithm:>7} generation {report.number:>2}"
    best, average = f"best {max(played.profits):>+9,.0f}", f"average {played.average:>+8,.0f}"
    spread = f"spread {played.spread:>8,.0f} chips"
    print(f"{line}  {best}  {average}  {spread}  {report.seconds:>7,.0f} s", file=sys.stderr, flush=True)


def _summary(evolution: "Evolution", folder: Path, pictures: list[Path]) -> dict[str, Any]:
    from holdmem.learning.evolve.evolution_files import weights_file
    from holdmem.learning.evolve.task import FINAL

    return {
        "task": evolution.task.as_json(),
        "finished": evolution.finished,
        "hands": evolution.hands_done,
        "seconds": evolution.seconds,
        "algorithms": {name: [one.numbers() for one in played] for name, played in evolution.played.items()},
        "weights": list(evolution.best_of(FINAL)) if evolution.finished else None,
        "file": str(weights_file(folder)) if evolution.finished else None,
        "pictures": [str(path) for path in pictures],
    }


def _conclude(evolution: "Evolution", folder: Path, pictures: list[Path]) -> None:
    from holdmem.learning.evolve.evolution_files import weights_file
    from holdmem.learning.evolve.task import FINAL

    rate = evolution.hands_done / max(evolution.seconds, 1e-9)
    print(f"{evolution.hands_done:,} hands in {evolution.seconds:,.0f} s, {rate:,.0f} per second")
    if pictures:
        print(f"{len(pictures)} pictures in {pictures[0].parent}")
    if not evolution.finished:
        print(
            f"stopped after {evolution.hands_done / evolution.task.all_hands:.0%};"
            " run the same command to continue"
        )
        return
    last = evolution.played[FINAL][-1]
    error = last.deviation * last.hands**0.5
    print(
        f"the best of {FINAL} won {max(last.profits):+,.0f} chips in its last {last.hands:,} hands,"
        f" where luck alone has a standard deviation of {error:,.0f}"
    )
    print(f"weights in {weights_file(folder)}: casper:weights={weights_file(folder)}")
