"""Hole cards, made hands and boards in poker words.

Everything here works on one hand and counts ranks and suits naively. Tests compare the words with the
evaluator's categories and with an enumeration of the next card.
"""

from collections import Counter
from collections.abc import Sequence

from holdmem.agent.words.draws import completing_ranks, draws_of
from holdmem.agent.words.english import counted, joined, sentence
from holdmem.cards.notation import rank, suit

SUIT_SYMBOLS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RANK_LETTERS = "23456789TJQKA"
RANK_NAMES = (
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"
)  # fmt: skip
FLUSH, STRAIGHT = 5, 5
POSSIBLE = "a straight is possible"
TEN = 8


def card_words(cards: Sequence[int]) -> str:
    """Return cards with suit symbols: "A♥ K♦"."""
    return " ".join(RANK_LETTERS[rank(card)] + SUIT_SYMBOLS[suit(card)] for card in cards)


def plural(place: int) -> str:
    """Return the plural of a rank: "kings", "sixes"."""
    return RANK_NAMES[place] + ("es" if RANK_NAMES[place] == "six" else "s")


def article(place: int) -> str:
    """Return a rank with its article: "an ace", "a king"."""
    return f"{'an' if RANK_NAMES[place] in ('ace', 'eight') else 'a'} {RANK_NAMES[place]}"


def hole_words(hole: Sequence[int]) -> str:
    """Describe hole cards before the flop: "pocket queens", "ace-king suited", "seven-deuce offsuit"."""
    low, high = sorted(map(rank, hole))
    if low == high:
        return f"pocket {plural(high)}"
    return f"{RANK_NAMES[high]}-{RANK_NAMES[low]} {'suited' if suit(hole[0]) == suit(hole[1]) else 'offsuit'}"


def made_words(hole: Sequence[int], board: Sequence[int]) -> str:
    """Describe what hole cards make with a board, with the draws on the flop and turn."""
    made, draws = _made(hole, board), draws_of(hole, board)
    if not draws:
        return made
    return joined([made, *draws]) if " with " in made else f"{made}, with {joined(draws)}"


def _made(hole: Sequence[int], board: Sequence[int]) -> str:
    everything = [*hole, *board]
    counts = Counter(map(rank, everything))
    most = max(counts.values())
    flush = next((held for held, count in Counter(map(suit, everything)).items() if count >= FLUSH), None)
    in_suit = [card for card in everything if suit(card) == flush]
    if flush is not None and (top := straight_top(set(map(rank, in_suit)))) is not None:
        return _straight_flush(top, board, flush)
    if most == 4:
        return _quads(counts, board)
    if most == 3 and sum(count >= 2 for count in counts.values()) > 1:
        return _full_house(counts, board)
    if flush is not None:
        return _flush(hole, board, flush)
    if (top := straight_top(set(counts))) is not None:
        return _straight(top, board)
    if most == 3:
        return _three(counts, hole, board)
    pairs = sorted((place for place, count in counts.items() if count == 2), reverse=True)
    return _two_pair(pairs[:2], hole, board) if len(pairs) > 1 else _one_pair(pairs, hole, board)


def straight_top(ranks: set[int]) -> int | None:
    """Return the top rank of the best straight among these ranks, or None; the ace also counts low."""
    line = ranks | ({-1} if 12 in ranks else set())
    return next((top for top in range(12, 2, -1) if all(top - i in line for i in range(STRAIGHT))), None)


def _straight_flush(top: int, board: Sequence[int], flush: int) -> str:
    what = "a royal flush" if top == 12 else f"a straight flush to the {RANK_NAMES[top]}"
    shared = straight_top({rank(card) for card in board if suit(card) == flush}) == top
    return f"{what} on the board" if shared else what


def _quads(counts: Counter[int], board: Sequence[int]) -> str:
    place = max(place for place, count in counts.items() if count == 4)
    shared = sum(rank(card) == place for card in board) == 4
    return f"four {plural(place)}{' on the board' if shared else ''}"


def _full_house(counts: Counter[int], board: Sequence[int]) -> str:
    three, two = _house(counts)
    words = f"a full house, {plural(three)} full of {plural(two)}"
    return f"{words}, on the board" if _house(Counter(map(rank, board))) == (three, two) else words


def _house(counts: Counter[int]) -> tuple[int, int]:
    """Return the ranks of the three and of the pair of a full house, -1 for none."""
    three = max((place for place, count in counts.items() if count == 3), default=-1)
    two = max((place for place, count in counts.items() if count >= 2 and place != three), default=-1)
    return three, two


def _flush(hole: Sequence[int], board: Sequence[int], flush: int) -> str:
    best = sorted((rank(card) for card in [*hole, *board] if suit(card) == flush), reverse=True)[:FLUSH]
    used = [rank(card) for card in hole if suit(card) == flush and rank(card) in best]
    words = f"{'an' if best[0] in (6, 12) else 'a'} {RANK_NAMES[best[0]]}-high flush"
    if not used:
        return f"{words} on the board"
    return f"{words} with both hole cards" if len(used) == 2 else f"{words} with the {_of(max(used), flush)}"


def _of(place: int, held: int) -> str:
    return f"{RANK_NAMES[place]} of {SUIT_NAMES[held]}"


def _straight(top: int, board: Sequence[int]) -> str:
    words = f"a straight to the {RANK_NAMES[top]}"
    missing = STRAIGHT - sum((top - i) % 13 in set(map(rank, board)) for i in range(STRAIGHT))
    ends = (" on the board", " with one hole card", " with both hole cards")
    return words + ends[missing]


def _three(counts: Counter[int], hole: Sequence[int], board: Sequence[int]) -> str:
    place = max(place for place, count in counts.items() if count == 3)
    own = sum(rank(card) == place for card in hole)
    if own == 2:
        return f"a set of {plural(place)}"
    if own == 1:
        kicker = max(rank(card) for card in [*hole, *board] if rank(card) != place)
        held = rank(hole[0]) if rank(hole[1]) == place else rank(hole[1])
        return f"trip {plural(place)} {_kicker(held, kicker)}"
    return f"three {plural(place)} on the board{_beside(hole)}"


def _kicker(held: int, best: int) -> str:
    return f"with {article(held)} kicker" if held == best else "with a kicker from the board"


def _two_pair(pairs: Sequence[int], hole: Sequence[int], board: Sequence[int]) -> str:
    shared = Counter(map(rank, board))
    own = [place for place in pairs if shared[place] < 2]
    words = f"two pair, {plural(pairs[0])} and {plural(pairs[1])}"
    if len(own) == 2:
        return f"{words}, using both hole cards"
    if not own:
        return f"{words}, on the board{_beside(hole)}"
    (board_pair,) = set(pairs) - set(own)
    return f"{words}, the {plural(board_pair)} on the board"


def _one_pair(pairs: Sequence[int], hole: Sequence[int], board: Sequence[int]) -> str:
    ranks = sorted(set(map(rank, board)), reverse=True)
    if not pairs:
        return _high_card(hole, ranks)
    (place,) = pairs
    if rank(hole[0]) == rank(hole[1]):
        return _pocket_pair(place, ranks)
    if not any(rank(card) == place for card in hole):
        return f"a pair of {plural(place)} on the board{_beside(hole)}"
    names = ("top pair", "second pair", "third pair", "fourth pair", "bottom pair")
    name = "bottom pair" if place == ranks[-1] else names[ranks.index(place)]
    held = rank(hole[0]) if rank(hole[1]) == place else rank(hole[1])
    kicker = f", with {article(held)} kicker" if held >= TEN else ""
    return f"{name}, {plural(place)}{kicker}"


def _pocket_pair(place: int, ranks: Sequence[int]) -> str:
    above = sum(other > place for other in ranks)
    if not above:
        return f"an overpair, {plural(place)}"
    if above == len(ranks):
        return f"pocket {plural(place)} below the board"
    return f"pocket {plural(place)} with {counted(above, 'higher card')} on the board"


def _high_card(hole: Sequence[int], ranks: Sequence[int]) -> str:
    own = sorted(map(rank, hole), reverse=True)
    over = [place for place in own if place > ranks[0]]
    if len(over) == 2:
        return "no pair, two overcards"
    if len(over) == 1:
        return f"no pair, {RANK_NAMES[over[0]]} high"
    return "no pair"


def _beside(hole: Sequence[int]) -> str:
    """Describe what the hole cards add to a hand on the board: the better of them as a kicker."""
    best = max(map(rank, hole))
    return f", with {article(best)} in the hand"


def board_words(board: Sequence[int]) -> str:
    """Describe what a board has and makes possible, as a sentence; "" if nothing stands out."""
    straight = _connected(board)
    has = joined([*_suited(board), *_paired(board), *(straight if straight != [POSSIBLE] else [])])
    if straight != [POSSIBLE]:
        return f"The board has {has}." if has else ""
    return f"The board has {has}, and {POSSIBLE}." if has else sentence(POSSIBLE)


def _suited(board: Sequence[int]) -> list[str]:
    held, count = Counter(map(suit, board)).most_common(1)[0]
    if count >= 3:
        return [f"{('three', 'four', 'five')[count - 3]} {SUIT_NAMES[held]}"]
    return [f"two {SUIT_NAMES[held]}"] if count == 2 and len(board) == 3 else []


def _connected(board: Sequence[int]) -> list[str]:
    """Say whether a straight is possible with two hole cards, with one, or is on the board."""
    ranks = set(map(rank, board))
    if straight_top(ranks) is not None:
        return ["a straight"]
    if completing_ranks(ranks, set()):
        return ["four cards to a straight"]
    line = ranks | ({-1} if 12 in ranks else set())
    three = any(sum(top - i in line for i in range(STRAIGHT)) == 3 for top in range(3, 13))
    return [POSSIBLE] if three else []


def _paired(board: Sequence[int]) -> list[str]:
    counts = Counter(map(rank, board))
    pairs = sorted((place for place, count in counts.items() if count == 2), reverse=True)
    more = [f"{('three', 'four')[count - 3]} {plural(place)}" for place, count in counts.items() if count > 2]
    if len(pairs) == 2:
        return [f"two pair, {plural(pairs[0])} and {plural(pairs[1])}"]
    return [*more, *(f"a pair of {plural(place)}" for place in pairs)]
