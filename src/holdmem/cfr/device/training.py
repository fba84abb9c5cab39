"""Train a tabular strategy against best responses on a graphics card, without the rest of HoldMem.

    python -m device.training start.npz trained.npz --seconds 500

The method is CFR-BR (Johanson, Bard, Burch and Bowling 2012): the strategy minimises its regret, as in
counterfactual regret minimisation, but against an opponent that sees all cards of its own and answers best.
So what the strategy loses to such an opponent falls, whatever its own view of the cards leaves out.

Each update draws flops, and one turn of each. From the turn on the opponent plays a best response over all
rivers; before the flop and on it, where a best response would need all boards, it minimises its own regret
with every holding (of classes before the flop, of each flop on the flop). Regrets are weighted by the number
of the update, averages by its square, which came out a little better on a short deck than the number itself;
cutting negative regrets off, as CFR+ does, came out worse.

The first file is written by `holdmem solve --by best-response --export FILE` or `holdmem improve --by
best-response --export FILE`; the same commands take in the second one with `--trained`. It needs this folder
(`cfr/device`), numpy, and CuPy for the card; the line above is run where the folder lies. Sums on a card are
added up in any order, so two runs differ in the last digits.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from . import responder
from .trainer import Trainer

FROM = ("river", "turn", "flop")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("start", help="file that `--by best-response --export FILE` wrote")
    parser.add_argument("trained", type=Path, help="file for the trained strategy, written at each report")
    parser.add_argument("--device", choices=sorted(responder.DEVICES), default="cuda")
    parser.add_argument("--flops", type=int, default=16, help="flops of an update, with one turn each")
    parser.add_argument("--updates", type=int, help="stop after this many updates in all")
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after about this many seconds")
    parser.add_argument("--every", type=float, default=60, help="seconds between two reports")
    parser.add_argument("--measure", type=int, default=0, help="flops on which each report responds")
    parser.add_argument("--checkpoint", type=Path, help="file to go on from, written at the end")
    parser.add_argument("--seed", type=int, default=0, help="random seed of boards")
    chosen = parser.parse_args()
    begun = reported = time.monotonic()
    try:
        export = responder.Export(chosen.start)
        trainer = Trainer(export, responder.DEVICES[chosen.device](), chosen.seed)
        if chosen.checkpoint and chosen.checkpoint.exists():
            trainer.resume(chosen.checkpoint)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"{chosen.start}: {error}")

    def report() -> None:
        trainer.write(chosen.trained)
        loses = trainer.measured(export.meta["order"][: chosen.measure]) if chosen.measure else []
        won = ", ".join(f"{one:.4f} from the {street} on" for one, street in zip(loses, FROM, strict=False))
        took = time.monotonic() - begun
        print(
            f"{trainer.updates} updates in {took:.0f} s{'; chips per hand lost: ' if won else ''}{won}",
            flush=True,
        )

    while time.monotonic() - begun < chosen.seconds and trainer.updates != chosen.updates:
        trainer.train(chosen.flops)
        if time.monotonic() - reported > chosen.every:
            report()
            reported = time.monotonic()
    report()
    if chosen.checkpoint:
        trainer.keep(chosen.checkpoint)


if __name__ == "__main__":
    main()
