"""Read and write the ACPC's `.game` files; look up the built-in games."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from holdmem.core.atomic import write_atomically
from holdmem.core.errors import GameError, NotationError, nearest
from holdmem.engine.game import MANY_RAISES, Game
from holdmem.engine.state import BOARD_CARDS, STREETS, UNLIMITED

_FIXED = {
    "numrounds": [STREETS],
    "numsuits": [4],
    "numranks": [13],
    "numholecards": [2],
    "numboardcards": [0, *(after - before for before, after in pairwise(BOARD_CARDS))],
}
_READ = ("numplayers", "blind", "stack", "raisesize", "maxraises", "firstplayer")


def parse_game(text: str, name: str = "game") -> Game:
    """Parse the text of a `.game` file; `name` names the game and, in errors, the file."""
    betting, values = _read_lines(text, name)
    if betting not in ("limit", "nolimit"):
        raise NotationError(f"{name}: expected a line 'limit' or 'nolimit', got neither")
    for key in ("numplayers", "blind", *(["raisesize"] if betting == "limit" else ["stack"])):
        if key not in values:
            raise NotationError(f"{name}: expected a line '{key} = …' in a {betting} game, got none")
    seats = values["numplayers"][0]
    if any(place < 1 for place in values.get("firstplayer", [])):
        raise GameError(f"{name}: expected firstplayer to count from 1, got {values['firstplayer']}")
    if len(values["blind"]) != seats:
        raise GameError(f"{name}: expected {seats} blinds, one per player, got {values['blind']}")
    return Game(
        name=Path(name).name.removesuffix(".game"),
        blinds=tuple(values["blind"]),
        stacks=tuple(values.get("stack", [])),
        raise_sizes=tuple(values["raisesize"]) if betting == "limit" else None,
        max_raises=tuple(values.get("maxraises", [MANY_RAISES] * STREETS)),
        first=tuple(place - 1 for place in values.get("firstplayer", [1] * STREETS)),
    )


def _read_lines(text: str, name: str) -> tuple[str, dict[str, list[int]]]:
    """Return the betting type and the numbers of each known key, both in lower case."""
    betting, values, inside, ended = "", {}, False, False
    for number, line in enumerate(text.splitlines(), start=1):
        word, equals, rest = (part.strip() for part in line.split("#")[0].lower().partition("="))
        if not word:
            continue
        if word in ("gamedef", "end gamedef"):
            inside, ended = word == "gamedef", word != "gamedef"
        elif not inside:
            raise NotationError(
                f"{name}:{number}: expected GAMEDEF before anything else, got {line.strip()!r}"
            )
        elif word in ("limit", "nolimit"):
            betting = word
        elif equals and (word in _FIXED or word in _READ):
            values[word] = _numbers(rest, f"{name}:{number}")
            expected = _FIXED.get(word, values[word])
            if values[word] != expected:
                raise GameError(
                    f"{name}:{number}: expected {word} {expected} as in Texas Hold'em, got {values[word]}"
                )
        else:
            raise NotationError(
                f"{name}:{number}: expected limit, nolimit or one of {', '.join([*_READ, *_FIXED])}"
                f" with '=', got {line.strip()!r}"
            )
    if not ended:
        raise NotationError(f"{name}: expected END GAMEDEF, got the end of the file")
    return betting, values


def _numbers(text: str, where: str) -> list[int]:
    if not text or not all(part.isdecimal() and len(part) < 20 for part in text.split()):
        raise NotationError(f"{where}: expected whole numbers after '=', got {text!r}")
    return [int(part) for part in text.split()]


def format_game(game: Game) -> str:
    """Return the text of a `.game` file.

    The format cannot express the fields on which rule books differ; those are dropped. Antes, dead chips and
    a minimum bet raise GameError.
    """
    if game.antes or game.dead or game.min_bet:
        raise GameError(f"{game.name}: a .game file cannot express antes, dead chips or a minimum bet")
    lines = ["GAMEDEF", "limit" if game.limit else "nolimit", f"numPlayers = {game.seats}", "numRounds = 4"]
    if min(game.stacks) < UNLIMITED or not game.limit:
        lines.append(f"stack = {_joined(game.stacks)}")
    lines.append(f"blind = {_joined(game.blinds)}")
    if game.raise_sizes:
        lines.append(f"raiseSize = {_joined(game.raise_sizes)}")
    lines.append(f"firstPlayer = {_joined(tuple(seat + 1 for seat in game.first))}")
    if min(game.max_raises) < MANY_RAISES:
        lines.append(f"maxRaises = {_joined(game.max_raises)}")
    lines += ["numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3 1 1", "END GAMEDEF"]
    return "\n".join(lines) + "\n"


def _joined(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def read_game(path: Path | str) -> Game:
    """Read the game from a `.game` file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotationError(f"{path}: cannot read the .game file: {error}") from None
    return parse_game(text, str(path))


def write_game(game: Game, path: Path | str) -> None:
    """Write a `.game` file atomically: to a temporary file next to it, then renamed."""
    write_atomically(Path(path), format_game(game))


def _limit(name: str, blinds: tuple[int, ...]) -> Game:
    return Game(name, blinds, raise_sizes=(10, 10, 20, 20), max_raises=(3, 4, 4, 4))


def _no_limit(name: str, blinds: tuple[int, ...]) -> Game:
    return Game(name, blinds, stacks=(20000,) * len(blinds))


def _casper(seats: int = 9) -> Game:
    """Casper's ring game: $10/$20, five bets per round with the big blind as the first (Rubin 2007)."""
    nine = Game("casper", (5, 10) + (0,) * 7, raise_sizes=(10, 10, 20, 20), max_raises=(4, 5, 5, 5))
    return nine.with_seats(seats)


BUILT_IN: dict[str, Callable[[], Game]] = {
    "holdem.limit.2p.reverse_blinds": lambda: _limit("holdem.limit.2p.reverse_blinds", (10, 5)),
    "holdem.limit.3p": lambda: _limit("holdem.limit.3p", (5, 10, 0)),
    "holdem.nolimit.2p.reverse_blinds": lambda: _no_limit("holdem.nolimit.2p.reverse_blinds", (100, 50)),
    "holdem.nolimit.3p": lambda: _no_limit("holdem.nolimit.3p", (50, 100, 0)),
    "casper": _casper,
}
"""Constructors of the built-in games by name: the four of the ACPC and Casper's."""

SHORT_NAMES = {"limit": "holdem.limit.2p.reverse_blinds", "nolimit": "holdem.nolimit.2p.reverse_blinds"}


def find_game(name: str, seats: int | None = None) -> Game:
    """Return a built-in game, or read a `.game` file.

    Parameters
    ----------
    name : name or short name of a built-in game ("limit", "nolimit"), or the path of a `.game` file.
    seats : number of seats, if other than the game's own.

    Returns
    -------
    Game : the game, with the usual blinds for that number of seats.

    Raises
    ------
    GameError : there is no such game, or it cannot have this number of seats.
    NotationError : the file cannot be read.

    Examples
    --------
    >>> find_game("limit").big_blind
    10
    >>> find_game("nolimit", seats=6).blinds
    (50, 100, 0, 0, 0, 0)
    """
    known = SHORT_NAMES.get(name, name)
    if known in BUILT_IN:
        game = BUILT_IN[known]()
    elif name.endswith(".game") or Path(name).is_file():
        game = read_game(name)
    else:
        hint = nearest(name, [*BUILT_IN, *SHORT_NAMES])
        raise GameError(f"expected a built-in game or a .game file, got {name!r}; {hint}")
    return game if seats is None or seats == game.seats else game.with_seats(seats)


def as_game(game: Game | str, seats: int | None = None) -> Game:
    """Return a game given as such, or the one that a name or the path of a `.game` file stands for.

    `seats` adapts a game given by name; a `Game` is returned as it is.
    """
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise GameError(f"expected a Game, a name or the path of a .game file, got {game!r:.60}")
    return find_game(game, seats)
