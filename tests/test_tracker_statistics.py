"""Each statistic on hands told action by action: what is an opportunity, and what counts as taken.

Blinds are 5 and 10, stacks 1,000 unless given; players are called by their positions. `f` folds, `c` checks
or calls, a number raises to that many chips on the street; slashes are for the reader. The expected players
had the opportunity, those with ! took it.
"""

from collections.abc import Sequence

import pytest

from holdmem.cards import cards
from holdmem.engine import CALL, FOLD, PARTS, Game
from holdmem.history import HandsBuilder, RecordedHand, Terms
from holdmem.history.stats import POSITIONS, PlayerStatistics, StatLine, positions_of
from holdmem.strength import hand_equities

HOLE = "2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 8c8d 9c9d TcTd"
BOARD = "AhKhQs7s2h"


def told(betting: str, seats: int = 6, stacks: Sequence[int] = (), **changes: object) -> dict[str, StatLine]:
    """The statistics of one hand, by position."""
    blinds = (10, 5) if seats == 2 else (5, 10, *[0] * (seats - 2))
    game = Game("told", blinds=blinds, **changes)  # type: ignore[arg-type]
    actions = [{"f": FOLD, "c": CALL}.get(word) for word in betting.replace("/", " ").split()]
    sizes = [
        int(word) if action is None else action
        for word, action in zip(betting.replace("/", " ").split(), actions, strict=True)
    ]
    hand = RecordedHand(
        terms=Terms(game),
        names=[POSITIONS[code] for code in positions_of(game)],
        stacks=list(stacks) or [1000] * seats,
        hole=[cards(pair) for pair in HOLE.split()[:seats]],
        board=cards(BOARD),
        betting=sizes,
    )
    builder, found = HandsBuilder(), PlayerStatistics()
    builder.add(hand)
    found.add(builder.take())
    return {str(line.key["player"]): line for line in found}


def had(lines: dict[str, StatLine], statistic: str) -> str:
    """Who had the opportunity, in the order of action before the flop, with ! where it was taken."""
    order = [*POSITIONS[2:], *POSITIONS[:2]]
    found = {name: lines[name].share(statistic) for name in order if name in lines}
    assert all(one.opportunities in (0, 1) for one in found.values())
    return " ".join(name + "!" * one.made for name, one in found.items() if one.opportunities)


TOLD: dict[str, tuple[str, str, str]] = {
    # Before the flop; the order is UTG HJ CO BTN SB BB
    "a call is voluntary, a blind is not": ("f f f c f c / c c / c c / c c", "vpip", "UTG HJ CO BTN! SB BB"),
    "a walk is no hand for VPIP": ("f f f f f", "vpip", "UTG HJ CO BTN SB"),
    "nor for PFR": ("f f f f f", "pfr", "UTG HJ CO BTN SB"),
    "a big blind that folds to a raise is no walk": ("f f f 30 f f", "vpip", "UTG HJ CO BTN! SB BB"),
    "a 3-bet is a raise before the flop": ("30 f f 90 f f f", "pfr", "UTG! HJ CO BTN! SB BB"),
    "all behind one raise can 3-bet, until one does": ("30 f c 90 f f f f", "three_bet", "HJ CO BTN!"),
    "a squeeze is a 3-bet": ("30 c c 150 f f f f f", "three_bet", "HJ CO BTN!"),
    "nobody can 3-bet limpers": ("c c f f c c / c c c c / c c c c / c c c c", "three_bet", ""),
    "a limper who re-raises 3-bets": ("c 40 f f f f 120 f", "three_bet", "CO BTN SB BB UTG!"),
    "the first raiser can fold to a 3-bet": ("30 f f 90 f f f", "fold_to_three_bet", "UTG!"),
    "a cold caller of the raise cannot": ("30 c f 90 f f c f / c c / c c / c c", "fold_to_three_bet", "UTG"),
    "after a cold 4-bet the first raiser faces that": ("30 f f 90 f 250 f f", "fold_to_three_bet", ""),
    "a cold 4-bet is a 4-bet": ("30 f f 90 f 250 f f", "four_bet", "SB BB!"),
    "all behind a 3-bet can 4-bet": ("30 f f 90 f f 250 f", "four_bet", "SB BB UTG!"),
    "a 5-bet is no 4-bet": ("30 f f 90 f f 250 600 f", "four_bet", "SB BB UTG!"),
    # Steals
    "CO, BTN and SB can steal while all before fold": ("f f f f 30 f", "steal", "CO BTN SB!"),
    "UTG and HJ cannot": ("30 f f f f f", "steal", ""),
    "a limper before takes the opportunity": ("c f f 50 f f f", "steal", ""),
    "a limp is a steal not taken": ("f f c c f c / c c c / c c c / c c c", "steal", "CO"),
    "both blinds can fold to a steal": ("f f f 25 f f", "fold_to_steal", "SB! BB!"),
    "a call between does not matter": ("f f 25 f c f / c c / c c / c c", "fold_to_steal", "SB BB!"),
    "a re-raise between does": ("f f 25 f 90 f f", "fold_to_steal", "SB"),
    "blind against blind": ("f f f f 30 c / c c / c c / c c", "fold_to_steal", "BB"),
    "the button is not a blind": ("f f 25 f f f", "fold_to_steal", "SB! BB!"),
    "a raise from UTG is no steal": ("30 f f f f f", "fold_to_steal", ""),
    # Continuation bets; after the flop the order is SB BB … BTN
    "the last raiser bets when checked to": ("30 f f f f c / c 40 f", "cbet_flop", "UTG!"),
    "a missed one: out of position, first to act": ("f f f c 40 f c / c c / c c / c c", "cbet_flop", "SB"),
    "a missed one: in position, checked to": ("f f f 25 f c / c c / c c / c c", "cbet_flop", "BTN"),
    "no opportunity once somebody bets into the raiser": ("30 f f f f c / 40 f", "cbet_flop", ""),
    "none in a limped pot": ("f f f c c c / 20 f f", "cbet_flop", ""),
    "the 3-bettor has it, not the first raiser": ("30 f f 90 f f c / c 100 f", "cbet_flop", "BTN!"),
    "all who face it can fold": ("30 f f c f c / c 60 f f", "fold_to_cbet_flop", "BTN! BB!"),
    "not those who face a raise of it": ("30 f f c f c / c 60 180 f f", "fold_to_cbet_flop", "BTN"),
    "a bet into the raiser is no continuation bet": ("30 f f f f c / 40 f", "fold_to_cbet_flop", ""),
    "the turn needs one on the flop": ("30 f f f f c / c 40 c / c 90 f", "cbet_turn", "UTG!"),
    "a delayed bet is none": ("30 f f f f c / c c / c 60 f", "cbet_turn", ""),
    "nor is a bet after calling a raise on the flop": (
        "30 f f f f c / c 40 120 c / c 200 f",
        "cbet_turn",
        "",
    ),
    "the river needs one on the turn": ("30 f f f f c / c 40 c / c 90 c / c 200 f", "cbet_river", "UTG!"),
    "a missed one on the river": ("30 f f f f c / c 40 c / c 90 c / c c", "cbet_river", "UTG"),
    "folding to the second barrel": ("30 f f f f c / c 40 c / c 90 f", "fold_to_cbet_turn", "BB!"),
    "folding to the third barrel": ("30 f f f f c / c 40 c / c 90 c / c 200 f", "fold_to_cbet_river", "BB!"),
    # Check-raises
    "check, bet, raise": ("30 f f f f c / c 40 120 f", "check_raise_flop", "BB!"),
    "check, bet, fold": ("30 f f f f c / c 40 f", "check_raise_flop", "BB"),
    "without a bet behind there is no opportunity": (
        "30 f f f f c / c c / c c / c c",
        "check_raise_flop",
        "",
    ),
    "a raise after check and call is none": ("30 f f c f c / c 40 90 c 300 f f", "check_raise_flop", "BB"),
    "each street has its own": ("30 f f f f c / c 40 c / c 90 270 f", "check_raise_turn", "BB!"),
    "and all streets are summed": ("30 f f f f c / c c / c 90 270 f", "check_raise", "BB!"),
    # Showdowns
    "who folds before the flop saw none": ("30 f f f f c / c c / c c / c c", "wtsd", "UTG! BB!"),
    "who folds on the river saw the flop": ("30 f f f f c / c c / c c / 60 f", "wtsd", "UTG BB"),
    "the best hand wins at showdown": ("30 f f f f c / c c / c c / c c", "wsd", "UTG! BB"),
    "a fold wins the pot for the other": ("30 f f f f c / c 40 f", "wwsf", "UTG! BB"),
    "no flop, no WWSF": ("30 f f f f f", "wwsf", ""),
}


@pytest.mark.parametrize("name", TOLD)
def test_told_hands(name: str) -> None:
    betting, statistic, expected = TOLD[name]
    assert set(had(told(betting), statistic).split()) == set(expected.split())


def test_an_all_in_before_the_flop_sees_the_flop_and_offers_no_bets() -> None:
    lines = told("1000 f f f f c")
    assert had(lines, "wtsd") == "UTG! BB!"
    assert had(lines, "cbet_flop") == had(lines, "check_raise") == ""
    assert had(lines, "three_bet") == "", "nobody has chips beyond a call"


def test_a_raiser_who_is_all_in_makes_no_continuation_bet() -> None:
    lines = told("f f f 100 c c / c c / c c / c c", stacks=[1000, 1000, 1000, 1000, 1000, 100])
    assert had(lines, "cbet_flop") == ""


def test_a_call_that_takes_the_whole_stack_is_no_opportunity_to_raise() -> None:
    lines = told("30 f f f f c", stacks=[1000, 30, 1000, 1000, 1000, 1000])
    assert had(lines, "three_bet") == "HJ CO BTN SB"
    assert had(lines, "vpip").endswith("BB!")


def test_the_cap_of_limit_leaves_no_opportunity() -> None:
    lines = told(
        "20 30 40 f f f c c / c c c / c c c / c c c", raise_sizes=(10, 10, 20, 20), max_raises=(3, 4, 4, 4)
    )
    assert had(lines, "three_bet") == "HJ!"
    assert had(lines, "four_bet") == "CO!"
    assert had(lines, "fold_to_three_bet") == "", "the first raiser faces the 4-bet"


def test_heads_up_the_button_steals_and_the_big_blind_defends() -> None:
    lines = told("25 f", seats=2)
    assert (had(lines, "steal"), had(lines, "fold_to_steal")) == ("BTN!", "BB!")
    assert had(told("f", seats=2), "vpip") == "BTN", "a walk"


def test_aggression_counts_the_streets_after_the_flop_only() -> None:
    lines = told("30 f f f f 90 c / 100 c / 200 400 c / c 400 f")
    utg, bb = lines["UTG"], lines["BB"]
    assert (utg.share("af").made, utg.share("af").opportunities, utg.share("af").value) == (2, 3, 2.0)
    assert (utg.share("afq").made, utg.share("afq").opportunities) == (2, 3)
    assert (bb.share("af").value, bb.share("afq").opportunities) == (2.0, 4)
    assert bb.share("afq").value == 0.5, "a bet on flop and turn, a call, a fold; the check is neutral"
    assert lines["HJ"].share("af").value is None


def test_a_split_pot_is_won_at_showdown() -> None:
    game = Game("told", blinds=(10, 5))
    hand = RecordedHand(Terms(game), ["BB", "BTN"], [1000, 1000], [cards("2c3d"), cards("2d3c")],
                        cards("AhKhQhJhTh"), [CALL] * 8)  # fmt: skip
    builder, found = HandsBuilder(), PlayerStatistics()
    builder.add(hand)
    found.add(builder.take())
    assert [line.share("wsd").made for line in found] == [1, 1]
    assert all(line.style()["won_at_showdown"] == 0 for line in found), "nobody won more than it paid"


def test_an_all_in_counts_by_equity_with_side_pots_and_rake() -> None:
    """Aces against kings against queens, 100, 300 and 300 chips, before the flop; the kings won."""
    game = Game("told", blinds=(5, 10, 0))
    pairs = ["KsKd", "QsQd", "AsAd"]
    hand = RecordedHand(
        Terms(game), ["SB", "BB", "BTN"], [300, 300, 100], [cards(pair) for pair in pairs],
        cards("Kc8h7h3s2c"), [100, 300, CALL], [(400 + 300 - 300 - 7) * PARTS, -300 * PARTS, -100 * PARTS], 7,
    )  # fmt: skip
    builder, found = HandsBuilder(), PlayerStatistics()
    builder.add(hand)
    found.add(builder.take())
    three = hand_equities([[cards(pair) for pair in pairs]]).equity[0]
    two = hand_equities([[cards(pair) for pair in pairs[:2]]], dead=cards(pairs[2])).equity[0]
    keep = 1 - 7 / 700
    for line, main, side in zip(sorted(found, key=seat_of), three, [*two, 0], strict=True):
        expected = keep * (300 * main + 400 * side) - (100 if line.key["player"] == "BTN" else 300)
        rate = line.all_in_adjusted()
        assert rate is not None
        assert rate.mean == pytest.approx(100 * expected / 10, abs=1e-2)
        assert line.count("adjusted") == 1
    sb = next(line for line in found if line.key["player"] == "SB").bb_per_100()
    assert sb is not None
    assert sb.mean == pytest.approx(100 * 393 / 10)


def seat_of(line: StatLine) -> int:
    return ["SB", "BB", "BTN"].index(str(line.key["player"]))
