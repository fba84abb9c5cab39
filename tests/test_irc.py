"""The IRC database: a month of our own with every letter, and the real one where it is."""

import io
import tarfile
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from holdmem.cards import cards
from holdmem.core.errors import NotationError
from holdmem.engine import CALL, FOLD, PARTS, find_game
from holdmem.history import HandReader, RecordedHand, read_hands
from holdmem.history.formats import irc, irc_order
from real_hands import DATA

REAL = DATA / "irc" / "botsonly.199908.tgz"

# hdb: time, set, hand, players, pots at flop, turn, river and showdown, board. pdb: name, time, players,
# place, four streets, stack, paid, won, cards.
HANDS = {
    "heads-up the small blind acts first on every street": (
        "900000001 1 1 2 2/40 2/100 2/140 2/180 3h Ac 4s 7d 9d",
        "ann 900000001 2 1 Br br b b 950 90 0 Kh 9h",
        "bob 900000001 2 2 Bc rc c c 980 90 180 3c 3s",
    ),
    "one blind alone is a big one": (
        "900000002 1 2 2 0/0 0/0 0/0 1/30",
        "ann 900000002 2 1 Bf - - - 860 10 0",
        "bob 900000002 2 2 r - - - 1070 20 30",
    ),
    "three players, all-in for less, a quitter folds when it is his turn": (
        "900000003 1 3 3 2/40 2/60 2/100 2/138 Qc 9s Jd 5h 6d",
        "ann 900000003 3 1 Bcc kc kc kcA 68 68 0 4s 4c",
        "bob 900000003 3 2 Br b b b 1987 70 138 Kc 9c",
        "cat 900000003 3 3 Q - - - 2180 0 0",
    ),
    "a raise that nobody can answer is a call, and its rest comes back": (
        "900000004 1 4 2 2/20 2/40 2/40 2/40 2c 7d 8h Jc Ks",
        "ann 900000004 2 1 Bc bA - - 15 15 0 3c 4d",
        "bob 900000004 2 2 Bk r - - 500 25 40 Ah Kd",
    ),
    "nobody asks for a check that nothing could follow": (
        "900000005 1 5 2 0/0 0/0 2/20 2/20 Ah Qc 6h 5s 2s",
        "ann 900000005 2 1 BcA - - - 10 10 0 9c 8c",
        "bob 900000005 2 2 B - - - 1700 10 20 7h Jc",
    ),
    "twice the stakes": (
        "900000006 1 6 2 2/80 0/0 0/0 1/100 3h Ac 4s",
        "ann 900000006 2 1 Br b - - 950 60 100",
        "bob 900000006 2 2 Bc f - - 980 40 0",
    ),
}
ACTIONS = {
    900000001: (20, CALL, 10, 20, 30, CALL, 20, CALL, 20, CALL),
    900000002: (20, FOLD),
    900000003: (FOLD, CALL, 20, CALL, CALL, 10, CALL, CALL, 20, CALL, CALL, 20, CALL),
    900000004: (CALL, CALL, 5, CALL),
    900000005: (CALL, CALL),
    900000006: (40, CALL, 20, FOLD),
}
BAD = {
    "all other players left before this one could act": (
        "900000011 1 11 2 0/0 0/0 0/0 1/15",
        "ann 900000011 2 1 B - - - 1000 5 15",
        "bob 900000011 2 2 BQ - - - 1000 10 0",
    ),
    "a player has no action on their turn": (
        "900000012 1 12 2 0/0 0/0 0/0 1/15",
        "ann 900000012 2 1 B - - - 1000 5 15",
        "bob 900000012 2 2 B - - - 1000 10 0",
    ),
    "a player acts out of turn": (
        "900000013 1 13 2 0/0 0/0 0/0 1/15",
        "ann 900000013 2 1 Bf - - - 1000 5 0",
        "bob 900000013 2 2 Bk b - - 1000 10 15",
    ),
    "a player's line is missing": (
        "900000014 1 14 2 0/0 0/0 0/0 1/15",
        "ann 900000014 2 1 Bf - - - 1000 5 0",
    ),
    "no player posts a blind": (
        "900000015 1 15 2 0/0 0/0 0/0 1/15",
        "ann 900000015 2 1 f - - - 1000 5 0",
        "bob 900000015 2 2 k - - - 1000 10 15",
    ),
    "bets do not add up": (
        "900000016 1 16 2 0/0 0/0 0/0 1/17",
        "ann 900000016 2 1 Bf - - - 1000 7 0",
        "bob 900000016 2 2 B - - - 1000 10 17",
    ),
    "the pot does not add up": (
        "900000017 1 17 2 0/0 0/0 0/0 1/25",
        "ann 900000017 2 1 Bf - - - 1000 5 0",
        "bob 900000017 2 2 B - - - 1000 10 15",
    ),
    "a line that cannot be read": (
        "900000018 1 18 2 0/0 0/0 0/0 1/15",
        "ann 900000018 2 1 Bz - - - 1000 5 0",
        "bob 900000018 2 2 B - - - 1000 10 15",
    ),
    "illegal betting": (
        "900000019 1 19 2 0/0 0/0 0/0 1/15",
        f"ann 900000019 2 1 B{'r' * 300} - - - 1000000 5 0",
        f"bob 900000019 2 2 B{'r' * 300} - - - 1000000 10 15",
    ),
    "unsupported table size": (
        "900000020 1 20 999999999 0/0 0/0 0/0 1/15",
        "ann 900000020 2 1 Bf - - - 1000 5 0",
        "bob 900000020 2 2 B - - - 1000 10 15",
    ),
    "impossible stack": (
        "900000021 1 21 2 0/0 0/0 0/0 1/15",
        f"ann 900000021 2 1 Bf - - - {10**30} 5 0",
        "bob 900000021 2 2 B - - - 1000 10 15",
    ),
}


def month(folder: Path, hands: list[tuple[str, ...]], channel: str = "chan") -> Path:
    """A month of the database with these hands."""
    place = folder / channel / "199501"
    (place / "pdb").mkdir(parents=True)
    roster, players = [], dict[str, list[str]]()
    for hdb, *lines in hands:
        names = [line.split()[0] for line in lines]
        roster.append(f"{hdb.split()[0]}  {len(names)} {' '.join(names)}")
        for line in lines:
            players.setdefault(line.split()[0], []).append(line)
    (place / "hdb").write_text("\n".join(hand[0] for hand in hands) + "\n", encoding="utf-8")
    (place / "hroster").write_text("\n".join(roster) + "\n", encoding="utf-8")
    for name, lines in players.items():
        (place / "pdb" / f"pdb.{name}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def read(path: Path) -> tuple[list[RecordedHand], HandReader]:
    reading = read_hands(path)
    return [hand for block in reading for hand in block], reading


@pytest.mark.parametrize("name", HANDS)
def test_letters_become_actions_in_order(name: str, tmp_path: Path) -> None:
    (hand,), reading = read(month(tmp_path, [HANDS[name]]))
    lines = [line.split() for line in HANDS[name][1:]]
    assert hand.betting == ACTIONS[hand.time]
    assert hand.net == tuple(PARTS * (int(words[10]) - int(words[9])) for words in lines)
    assert hand.names == tuple(words[0] for words in lines)
    assert hand.board == tuple(cards(" ".join(HANDS[name][0].split()[8:])))
    assert (reading.account.checked, reading.account.differing) == (1, [])
    assert hand.table == "chan"


def test_the_order_and_the_stakes(tmp_path: Path) -> None:
    hands, _ = read(month(tmp_path, list(HANDS.values())))
    games = [hand.terms.game for hand in hands]
    assert [game.first[0] for game in games] == [0, 1, 2, 0, 0, 0]
    assert [game.raise_sizes[0] for game in games] == [10, 10, 10, 10, 10, 20]
    assert [game.blinds for game in games[:3]] == [(5, 10), (10, 0), (5, 10, 0)]


@pytest.mark.parametrize("reason", BAD)
def test_what_cannot_be_read_is_named(reason: str, tmp_path: Path) -> None:
    good = HANDS["twice the stakes"]
    hands, reading = read(month(tmp_path, [good, BAD[reason]]))
    assert len(hands) == 1
    assert reading.account.reasons == Counter({reason: 1})
    assert reading.account.unread[0].where.endswith("199501/hdb:2")


def test_more_raises_than_the_cap_write_nowhere(tmp_path: Path) -> None:
    """Thirteen raises each before the flop: more actions than the engine has room for."""
    paid = 10 * 27
    hand = (
        f"900000031 1 31 2 0/0 0/0 0/0 1/{2 * paid - 10}",
        f"ann 900000031 2 1 B{'r' * 13}f - - - 1000000 {paid - 10} 0",
        f"bob 900000031 2 2 B{'r' * 13} - - - 1000000 {paid} {2 * paid - 10}",
    )
    hands, reading = read(month(tmp_path, [hand, HANDS["twice the stakes"]]))
    assert len(hands) == 1
    (unread,) = reading.account.unread
    assert "bob does 'r', preflop, action 4" in unread.reason


@pytest.mark.parametrize("word", [0, 2, 7])
def test_numbers_too_large_for_any_hand_are_named(word: int, tmp_path: Path) -> None:
    words = HANDS["twice the stakes"][0].split()
    time, words[word] = words[0], f"1/{2**70}" if word == 7 else str(2**70)
    hdb = " ".join(words)
    lines = [line.replace(time, words[0]) for line in HANDS["twice the stakes"][1:]]
    hands, reading = read(month(tmp_path, [(hdb, *lines), HANDS["one blind alone is a big one"]]))
    assert len(hands) == 1
    assert reading.account.skipped == 1


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("channel", ["nolimit", "tourney", "holdempot", "omaha", "7studhi"])
def test_other_games_are_refused_by_the_name_of_their_folder(
    channel: str, packed: bool, tmp_path: Path
) -> None:
    path = month(tmp_path, list(HANDS.values()), channel)
    if packed:
        folder, path = path, tmp_path / f"{channel}.199501.tgz"
        with tarfile.open(path, "w:gz") as tar:
            tar.add(folder, "199501")
    hands, reading = read(path)
    assert hands == []
    ((reason, count),) = reading.account.reasons.items()
    assert count == len(HANDS)
    assert reason.endswith(f"(by its folder name, {channel})")
    assert reading.account.unread[0].reason == f"expected limit hold'em, got {reason}"
    told = read_hands(path, game=find_game("limit"))
    assert sum(map(len, told)) == 5  # whoever says the game knows better


def test_the_same_from_a_folder_and_an_archive(tmp_path: Path) -> None:
    folder = month(tmp_path, list(HANDS.values()))
    archive = tmp_path / "chan.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, "chan/199501")
    plain, packed = read(folder)[0], read(archive)[0]
    assert plain == packed
    assert len(plain) == len(HANDS)


def test_a_month_needs_all_its_files(tmp_path: Path) -> None:
    folder = month(tmp_path, list(HANDS.values()))
    (folder / "hroster").unlink()
    with pytest.raises(NotationError, match="hroster is missing"):
        read(folder)


def test_a_game_that_is_given_says_the_bets(tmp_path: Path) -> None:
    folder = month(tmp_path, list(HANDS.values()))
    reading = read_hands(folder, game=find_game("limit"))
    assert sum(map(len, reading)) == 5  # all but those with twice the stakes
    with pytest.raises(NotationError, match="expected a limit game"):
        list(read_hands(folder, game=find_game("nolimit")))


def test_junk_in_the_files_is_no_crash(tmp_path: Path) -> None:
    folder = month(tmp_path, list(HANDS.values()))
    for file in (folder / "hdb", folder / "pdb" / "pdb.ann", folder / "hroster"):
        with file.open("ab") as out:
            out.write(b"\n\xff\xfe junk \x00\n900000001\n" + b"x" * 1000)
    hands, reading = read(folder)
    assert len(hands) == len(HANDS) - 1  # a line too many for the first
    assert reading.account.skipped == 4


@pytest.mark.skipif(not REAL.is_file(), reason="the real database is not here")
def test_the_real_month() -> None:
    """All 15,957 hands: 15,946 read, with every recorded result confirmed, and 11 named."""
    reading = read_hands(REAL)
    blocks = list(reading)
    account = reading.account
    assert (account.hands, account.checked, account.differing) == (15_946, 15_946, [])
    assert account.reasons == {
        "all other players left before this one could act": 10,
        "a player's line is missing": 1,
    }
    hands = sum(len(block.with_player("p0kibot")) for block in blocks)
    assert hands == 13_197 - 3  # three of the eleven are his
    with tarfile.open(REAL) as archive:
        file = archive.extractfile("botsonly/199908/hdb")
        assert isinstance(file, io.BufferedReader)
        assert account.hands + account.skipped == len(file.read().splitlines()) == 15_957


@pytest.mark.parametrize("damage", range(4))
def test_compiled_and_careful_merging_agree(
    damage: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On good and bad hands, and on hands whose letters and chips were changed at random."""
    random, hands = Random(damage), [*HANDS.values(), *BAD.values()]
    for _ in range(100 if damage else 0):
        hdb, *lines = random.choice(list(HANDS.values()))
        words = [line.split(" ") for line in lines]
        word = random.choice(words)
        word[random.choice((4, 5, 6, 7))] = "".join(random.choices("BfkcbrAQKx", k=random.randint(1, 3)))
        word[9] = str(max(0, int(word[9]) + random.choice((0, 0, 10))))
        hands.append((hdb, *map(" ".join, words)))
    hands = [renumbered(hand, number) for number, hand in enumerate(hands)]
    place = month(tmp_path, hands)
    compiled, reading = read(place)
    monkeypatch.setattr(irc, "merged", irc_order.merge_letters)
    careful, slowly = read(place)
    assert compiled == careful
    assert reading.account.unread == slowly.account.unread


def renumbered(hand: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The hand at another time, which identifies it."""
    time = hand[0].split()[0]
    return tuple(line.replace(time, str(900001000 + number)) for line in hand)
