"""Options of `holdmem solve`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from holdmem.core.choices import Recall, Weighting

SolveGameOption = Annotated[
    str | None,
    typer.Option(
        "--game", help="kuhn, leduc, or a heads-up game as listed by 'holdmem games'; limit by default."
    ),
]
BucketsOption = Annotated[
    str, typer.Option(help="Buckets preflop (169: all classes), on the flop, turn and river.")
]
RecallOption = Annotated[
    Recall, typer.Option(help="Card recall: only the current bucket, or all buckets so far.")
]
BoardsOption = Annotated[int, typer.Option(min=0, help="Deal only this many fixed boards; 0 for all boards.")]
BetsOption = Annotated[
    str, typer.Option(help="No-limit: sizes of a street's first bet, as fractions of the pot.")
]
RaisesOption = Annotated[
    str, typer.Option(help="No-limit: sizes of further raises, as fractions of the pot.")
]
MostRaisesOption = Annotated[
    int, typer.Option(min=0, help="No-limit: maximum bets and raises per street, besides all-in.")
]
MinutesOption = Annotated[float | None, typer.Option(min=0, help="Stop after this many minutes in total.")]
IterationsOption = Annotated[
    int | None, typer.Option(min=1, help="Stop after this many iterations in total.")
]
SolveOutputOption = Annotated[Path | None, typer.Option("-o", "--output", help="File for the strategy.")]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Continue from FILE.checkpoint, even after a finished solve.")
]
TiltOption = Annotated[
    str,
    typer.Option(
        help="Payoff tilt: none, aggressive, passive, or factors on folds and showdowns won: 1.2,0.9."
    ),
]
WeightingOption = Annotated[
    Weighting | None,
    typer.Option(help="CFR weighting; linear by default, discounted for kuhn and leduc."),
]
ThreadsOption = Annotated[int, typer.Option(min=1, help="Number of threads; does not affect the result.")]
EveryOption = Annotated[float, typer.Option(min=0, help="Seconds between checkpoints and reports.")]
ExploitOption = Annotated[
    int, typer.Option(min=0, help="Hands of local best response at each report; 0 for none.")
]
SpotOption = Annotated[
    str | None,
    typer.Option(metavar="BOARD", help="Solve one spot on this board of four or five cards instead."),
]
FirstOption = Annotated[str, typer.Option(help="Spot: range of the player who acts first.")]
SecondOption = Annotated[str, typer.Option(help="Spot: range of the other player.")]
PotOption = Annotated[float, typer.Option(min=1, help="Spot: chips in the pot.")]
SolveStackOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="No-limit: chips that both start with. Spot: chips behind; without it the spot is limit.",
    ),
]
AtOption = Annotated[
    str, typer.Option(help="Spot: show the decision after this betting on the street, such as cr75.")
]
PrecisionOption = Annotated[
    float, typer.Option(min=0, help="Spot: exploitability to reach, as a share of the pot.")
]
HtmlOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Spot: write all decisions as one HTML page.")
]
ByOption = Annotated[
    Literal["self-play", "best-response"],
    typer.Option(
        help="Regret minimisation in self-play, or in limit against best responses on a graphics card."
    ),
]
ExportOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="By best response: only write a start to train from on another machine."
    ),
]
TrainedOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="By best response: take in what a card has trained.")
]
