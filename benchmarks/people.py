"""Measures of the memory of people: `python -m benchmarks.people MEASURE WORK …` (docs/people.md).

`prepare SOURCE` reads the hands, cuts everybody's at 70% by time and learns the population from the first
part. The other measures use what it left in the folder WORK:

    loss        log-loss per decision and shown holdings of people with 2,000 hands at five or six seats
    apart       telling people with 1,000 such hands apart
    strangers   probabilities of `resemble` with people left out
    hidden      hidden cards against all cards (SOURCE: Pluribus' sessions)
    known       known cards against street frequencies (SOURCE: Pluribus' sessions)
    clones      clones at tables of the population against the people themselves (SOURCE: the hands)
    styles      find styles and write their files
    style-odds  probabilities of `resemble` for styles
    style-wins  what the people of each style won in later hands (SOURCE: the hands)
    pluribus    learn Pluribus from its sessions (SOURCE) and write its file
    hands       hands that the clones play, shown with their explanations
    speed       decisions of a clone a second (SOURCE: hands with known cards)

`ship SOURCE SESSIONS` makes all files that are shipped for 5/10 dollars: `prepare`, `styles`, `pluribus` and
`hands`. `ship-small SOURCE` makes those for small stakes: `prepare`, `styles` and `hands`. The other measures
take `--stakes small` for a folder with small stakes. SOURCE may be /dev/stdin for a tar archive.
`--part 2/5` measures the second fifth of the people and adds it to what is in WORK (`loss`, `clones`);
`--hands` is how many each clone is dealt.
"""

import json
import re
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.people_apart import apart
from benchmarks.people_clones import clones
from benchmarks.people_hands import people_hands
from benchmarks.people_known import known
from benchmarks.people_odds import strangers, style_odds
from benchmarks.people_stakes import STAKES, Stakes
from benchmarks.people_styles import style_wins, styles
from holdmem.history import Hands, read_hands
from holdmem.people.hide import hide_cards
from holdmem.people.imitate import remember_person, remember_population
from holdmem.people.memory import PersonMemory, read_person, write_person
from holdmem.people.observe import Observations, observe
from holdmem.people.quality import distance_from_uniform, predicted
from holdmem.people.resemble import depth_habit

SHARE = 0.7
LICENCE = "learned from the PHH dataset (HandHQ part) of uoftcprg/phh-dataset, MIT licence"
Z = 1.96


@dataclass
class Study:
    """The hands and the population in a folder."""

    folder: Path
    stakes: Stakes = STAKES["large"]

    @cached_property
    def observed(self) -> Observations:
        """All decisions of all people."""
        with np.load(self.folder / "observed.npz", allow_pickle=False) as kept:
            arrays = dict(kept)
        players = tuple(arrays.pop("players").tolist())
        return Observations(**{field.name: arrays.get(field.name, players) for field in fields(Observations)})

    @cached_property
    def dealt(self) -> dict[str, np.ndarray]:
        """Players and times of the hands dealt at five and six seats, and where each person's are cut."""
        with np.load(self.folder / "dealt.npz", allow_pickle=False) as kept:
            return dict(kept)

    @cached_property
    def population(self) -> PersonMemory:
        """The population, learned from the first part of everybody's hands."""
        return read_person(self.folder / f"{self.stakes.population}.people")

    @property
    def early(self) -> np.ndarray:
        """Player-hands to learn from."""
        return self.observed.time < self.dealt["cut"][self.observed.player]

    @property
    def late(self) -> np.ndarray:
        """Player-hands to predict: the rest, at five and six seats."""
        return ~self.early & np.isin(self.observed.seats, (5, 6))

    def people(self, least: int) -> np.ndarray:
        """People with at least this many hands at five and six seats."""
        return np.flatnonzero(
            np.bincount(self.dealt["player"], minlength=len(self.observed.players)) >= least
        )

    def person(self, who: int) -> tuple[PersonMemory, Observations]:
        """Return a person learned from its first hands, and its last hands."""
        mine = self.observed.player == who
        past = self.observed.keep(self.early & mine)
        about = {"depths": depth_habit(past)}
        return remember_person(self.population, past, f"person {who}", about), self.observed.keep(
            self.late & mine
        )


def prepare(study: Study, args: Namespace) -> dict[str, Any]:
    """Read the hands, cut them and learn the population."""
    study.folder.mkdir(parents=True, exist_ok=True)
    hands = read_hands(args.source).collect()
    observed = observe([hands])
    arrays = {one.name: getattr(observed, one.name) for one in fields(observed)}
    np.savez(study.folder / "observed.npz", **{**arrays, "players": np.array(observed.players)})
    np.savez(study.folder / "dealt.npz", **_dealt(hands, observed.players))
    past, stakes = observed.keep(study.early), study.stakes
    about = {"source": stakes.source, "hands": len(hands), "played": len(past), "decisions": len(past.action),
             "people": len(observed.players), "shown": int((past.hole[:, 0] >= 0).sum()),
             "depths": depth_habit(past), "licence": LICENCE}  # fmt: skip
    population = remember_population(past, stakes.population, about, stakes.rounds, print, stakes.gain)
    write_person(study.folder / f"{stakes.population}.people", population, stakes.compact)
    return {name: about[name] for name in ("hands", "played", "decisions", "people")}


def ship(study: Study, args: Namespace) -> dict[str, Any]:
    """Make the files that are shipped: the population, the styles, Pluribus and the hands of them all."""
    pluribus_args = Namespace(**{**vars(args), "source": args.sessions})
    return {
        "population": prepare(study, args),
        "styles": styles(study, args),
        "pluribus": learn_pluribus(study, pluribus_args),
        "hands": people_hands(study, args),
    }


def ship_small(study: Study, args: Namespace) -> dict[str, Any]:
    """Make the files of small stakes that are shipped: the population, the styles and the hands of all."""
    return {
        "population": prepare(study, args), "styles": styles(study, args), "hands": people_hands(study, args)
    }  # fmt: skip


def _dealt(hands: Hands, players: tuple[str, ...]) -> dict[str, np.ndarray]:
    rows = hands.rows[np.isin(hands.seats, (5, 6))]
    place = {name: index for index, name in enumerate(players)}
    known = np.array([place[name] for name in hands.players])
    seated = rows["player"] >= 0
    player = known[rows["player"][seated]]
    times = np.broadcast_to(rows["time"][:, None], seated.shape)[seated]
    order = np.lexsort((times, player))
    player, times = player[order], times[order]
    cut = np.full(len(players), np.iinfo(np.int64).max)
    starts = np.searchsorted(player, np.arange(len(players) + 1))
    for who in np.flatnonzero(np.diff(starts) >= 10):
        cut[who] = times[starts[who] + int((starts[who + 1] - starts[who]) * SHARE)]
    return {"player": player, "time": times, "cut": cut}


def part_of(people: np.ndarray, part: str) -> np.ndarray:
    """Return the part k/n of the people."""
    k, n = (int(one) for one in part.split("/"))
    return people[k - 1 :: n]


def loss(study: Study, args: Namespace) -> dict[str, Any]:
    """Measure log-loss and shown holdings, one line per person."""
    lines = _kept(study, "loss.json")
    for who in part_of(study.people(2000), args.part).tolist():
        person, rest = study.person(who)
        lines[str(who)] = _loss_line(person, study.population, rest)
        (study.folder / "loss.json").write_text(json.dumps(lines), encoding="utf-8")
    return summary_of_losses(list(lines.values()))


def _loss_line(person: PersonMemory, population: PersonMemory, rest: Observations) -> dict[str, Any]:
    mine, theirs = predicted(person, rest), predicted(population, rest)
    before, must = mine.preflop, rest.obliged & ~np.isnan(mine.log_range)
    sums = {
        name: [float(one.losses[which].sum()) for one in (mine, theirs)] + [int(which.sum())]
        for name, which in (("pre", before), ("post", ~before))
    }
    shown = [float(one.log_range[must].sum()) for one in (mine, theirs)] + [int(must.sum())]
    seen = must & ~np.isnan(mine.percentile[:, 0])
    return {**sums, "shown": shown, "percentiles": mine.percentile[seen].round(5).tolist()}


def summary_of_losses(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures over all people."""
    found: dict[str, Any] = {"people": len(lines)}
    for name in ("pre", "post", "shown"):
        mine, theirs, count = np.array([line[name] for line in lines]).T
        enough = count > 0
        gap = ((theirs - mine) / np.maximum(count, 1))[enough] * (-1 if name == "shown" else 1)
        found[name] = {
            "person": mine.sum() / count.sum(), "population": theirs.sum() / count.sum(),
            "n": int(count.sum()), "better": float((gap > 0).mean()), "gap": float(gap.mean()),
            "error": float(Z * gap.std(ddof=1) / np.sqrt(len(gap))) if len(gap) > 1 else None,
        }  # fmt: skip
    found["ks"] = distance_from_uniform(
        np.concatenate([np.reshape(line["percentiles"], (-1, 2)) for line in lines])
    )
    return found


def _kept(study: Study, name: str) -> dict[str, Any]:
    path = study.folder / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def hidden(study: Study, args: Namespace) -> dict[str, Any]:
    """Hide cards by the showing rule, learn, and compare P(action | holding) with all-cards learning."""
    found = {}
    for name, past, rest in _hidden_cases(args.source):
        seen, unseen, test = (observe([hands], [name]) for hands in (past, hide_cards(past), rest))
        known = [remember_person(study.population, one, name, {}) for one in (seen, unseen)]
        losses = [predicted(one, test, with_cards=True).log_loss() for one in (study.population, *known)]
        prior, every, some = (np.array(one) for one in losses)
        found[name] = {
            "hands": len(seen), "test decisions": len(test.action),
            "shown": float((unseen.hole[:, 0] >= 0).mean()), "prior": prior.tolist(),
            "all cards": every.tolist(), "hidden": some.tolist(),
            "closed": ((prior - some) / (prior - every)).tolist(),
        }  # fmt: skip
    return found


def _hidden_cases(source: str) -> Iterator[tuple[str, Hands, Hands]]:
    early, late = pluribus(source)
    yield "Pluribus", early, late
    own = own_hands(6000)
    for name in OWN:
        yield name, own[:5000], own[5000:]


def pluribus(source: str) -> tuple[Hands, Hands]:
    """Return sessions 30 to 89 and 90 to 99."""
    hands = read_hands(source).collect()
    numbers = [re.search(r"/(\d+)[a-z]?/", name) for name in hands.sources]
    session = np.array([int(one[1]) if one else -1 for one in numbers])[hands.rows["source"]]
    return hands[(session >= 30) & (session < 90)], hands[session >= 90]


def learn_pluribus(study: Study, args: Namespace) -> dict[str, Any]:
    """Learn Pluribus from all of its published sessions, whose cards are all known."""
    from holdmem.api.people import imitate  # noqa: PLC0415

    found = imitate(read_hands(args.source), "Pluribus", population=study.population)
    about = found.about | {"source": PLURIBUS}
    write_person(study.folder / "pluribus.people", replace(found.person, about=about))
    return about


PLURIBUS = "Pluribus, sessions 30 to 99, six seats with 100 big blinds, 2019"
OWN = ("simplebot", "dpp", "whlbot", "jagbot")


def own_hands(count: int) -> Hands:
    """Return hands of six of our players at a no-limit table with 100 big blinds."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415

    from holdmem import Game, record  # noqa: PLC0415

    game = Game("six", blinds=(50, 100, 0, 0, 0, 0), stacks=(10_000,) * 6)
    with TemporaryDirectory() as folder:
        record(game, *OWN, "megabot", "random", folder=f"{folder}/hands", hands=count, seed=1)
        return read_hands(f"{folder}/hands").collect()


def speed(study: Study, args: Namespace) -> dict[str, Any]:
    """Measure the decisions a second of a clone in batches, cards and situations included."""
    from holdmem import Streams  # noqa: PLC0415
    from holdmem.history import replay  # noqa: PLC0415
    from holdmem.players.clone import CloneSeat  # noqa: PLC0415

    block = next(iter(read_hands(args.source)))
    seat = CloneSeat(study.population, Streams(1))
    known = [decisions.views for decisions in replay(block)]
    views = max((one[np.flatnonzero(one.hole[:, 0] >= 0)] for one in known), key=len)
    best = 0.0
    for _ in range(5):
        start = time.perf_counter()
        seat.act(views)
        best = max(best, len(views) / (time.perf_counter() - start))
    return {"decisions a second": round(best), "batch": len(views)}


MEASURES = {
    "ship": ship, "ship-small": ship_small, "prepare": prepare, "loss": loss, "apart": apart,
    "strangers": strangers, "styles": styles, "style-odds": style_odds, "style-wins": style_wins,
    "clones": clones, "hidden": hidden, "known": known, "speed": speed, "pluribus": learn_pluribus,
    "hands": people_hands,
}  # fmt: skip


def main() -> None:
    """Run one measure and print it as JSON."""
    parser = ArgumentParser(prog="python -m benchmarks.people", description=__doc__)
    parser.add_argument("measure", choices=MEASURES)
    parser.add_argument("work", type=Path)
    parser.add_argument("source", nargs="?", default="")
    parser.add_argument("sessions", nargs="?", default="", help="with 'ship': the sessions of Pluribus")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--stakes", choices=STAKES, default="large", help="the stakes of the hands in WORK")
    parser.add_argument("--hands", type=int, default=200_000, help="with 'clones': hands of each clone")
    args = parser.parse_args()
    if args.measure == "ship" and not args.sessions:
        parser.error("ship needs the hands and the sessions of Pluribus")
    stakes = STAKES["small" if args.measure == "ship-small" else args.stakes]
    print(json.dumps(MEASURES[args.measure](Study(args.work, stakes), args), indent=2))


if __name__ == "__main__":
    main()
