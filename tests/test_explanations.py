"""Explanations of every agent: sentences that a player understands, probabilities that are the policy's."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import holdmem as hm
from holdmem import Situation
from holdmem.agent import Detail, ExplainedAction, Explanation, explained, make_agent, registered
from holdmem.agent.ask import watches
from holdmem.agent.single_hand import SingleHand
from holdmem.cards import cards
from holdmem.cbr import CaseBase, find_representation
from holdmem.cbr.cases import Cases
from holdmem.cbr.features.feature import FEATURES
from holdmem.cbr.hand_words import remembered_words
from holdmem.cbr.remembered import RememberedHand
from holdmem.cbr.solutions import Solutions
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, find_game
from holdmem.history import Hands
from holdmem.players.imitators.words import member_words
from holdmem.players.rule_based.words import apart
from holdmem.players.simulation.values import value_explanation
from selections import quick_and_long

GAMES = (("limit", 2), ("nolimit", 2), ("limit", 3), ("nolimit", 6), ("limit", 9))
HANDS, ASKED = 12, 25
FORBIDDEN = re.compile(
    r"\w_\w|∞|±|\b(inf|nan|None|True|False|nodes?|buckets?|ihs|ppot|npot|ehs|triple|kernel|array|sentinel)\b"
    r"|(?-i:\b[2-9TJQKA][cdhs][2-9TJQKA][cdhs]\b)"
    r"|E\[HS|MATCHSTATE|\b[rcf]+\d*[/-][rcf/]*\b|\b[rcf]{2,}\b|(?<![\w−])-\d|\d\.\d{3,}|\{|\}|\[|\]|=|  ",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"[A-Z0-9][^\n]*[^\s.:,;]\.")


def decisions_of(name: str, game, seed: int = 1):
    """Yield the seat and its views in hands against Jagbots, from which it learns if it can."""
    rng = Streams.of(seed)
    seat = make_agent(name).sit(game, 1, rng.spawn("player", 0))
    others = make_agent("jagbot:loose=0.9").sit(game, 1, rng.spawn("others"))
    for number in range(HANDS):
        deck = rng.spawn("cards").decks(hand_ids(1, first_hand=number), game.deck_cards)[0]
        lineup = [(place + number) % game.seats for place in range(game.seats)]
        hand = SingleHand(game, deck, lineup, number)
        while not hand.over:
            views = hand.views()
            if hand.to_act == 0:
                yield seat, views
            hand.act(int((seat if hand.to_act == 0 else others).act(views).codes[0]))
        if watches(seat):
            seat.watch(hand.finished().seen_by(0))


def check_text(found: Explanation) -> None:
    for line in found.paragraphs:
        assert not (bad := FORBIDDEN.search(line)), (bad, line)
        assert not any(re.search(rf"\b{name}\b", line) for name in FEATURES if "_" in name), line
    for text in (found.situation, found.decision, *found.reasons):
        assert SENTENCE.fullmatch(text), text
        assert all(part[:1].isupper() or part[:1].isdigit() for part in re.split(r"(?<=\.) ", text)), text
    assert found.reasons, "every agent names a rule, values or a memory"


LONG = ("casper", "ensemble", "dynamic", "imitator", "resolve")


@pytest.mark.parametrize("name", quick_and_long(sorted(registered()), LONG))
def test_every_agent_explains_itself_in_sentences(name: str) -> None:
    asked = 0
    for kind, seats in GAMES:
        game = find_game(kind, seats)
        try:
            make_agent(name).sit(game, 1, Streams.of(0))
        except AgentError:
            continue
        for place, (seat, views) in enumerate(decisions_of(name, game)):
            if place == ASKED:
                break
            found = seat.explain(views[0])
            check_text(found)
            check_probabilities(seat, views, found)
            asked += 1
    assert asked, "it plays at least one of these games"


def check_probabilities(seat, views, found: Explanation) -> None:
    said = dict(found.probabilities)
    assert sum(said.values()) == pytest.approx(1)
    assert [action.probability for action in found.actions] == sorted(
        (action.probability for action in found.actions), reverse=True
    )
    policy = getattr(seat, "policy", None)
    if policy is None:
        return
    found_policy, expected = policy(views), dict[int, float]()
    for code, share in zip(
        found_policy.codes[0].tolist(), found_policy.probabilities[0].tolist(), strict=True
    ):
        if share > 0:
            expected[code] = expected.get(code, 0.0) + share
    assert said == pytest.approx(expected)


def test_searchers_say_what_they_do() -> None:
    for name in ("mctsbot:iterations=50", "alistairbot:samples=20"):
        for seat, views in list(decisions_of(name, find_game("limit", 2)))[:8]:
            found = seat.explain(views[0])
            ((code, _),) = found.probabilities
            assert code == int(seat.act(views).codes[0])
            assert found.measure == "estimated gain over folding, in small bets"
            assert "ompared with " in found.reasons[0]
            if name.startswith("alistairbot"):
                assert found.reasons[-1].endswith("folds if nothing is left.") == bool(views[0].to_call)


def test_clones_say_every_time_and_leave_out_what_nobody_has_seen() -> None:
    found = [
        seat.explain(views[0]).reasons
        for seats in (2, 6)
        for seat, views in decisions_of("clone:style=pluribus", find_game("limit", seats))
    ]
    text = "\n".join(line for reasons in found for line in reasons)
    assert " every time" in text
    assert "100% of the time" not in text
    unseen = [reasons for reasons in found if "was never seen" in reasons[0]]
    assert unseen
    assert all(reasons[1].startswith("It compares") for reasons in unseen)
    assert all(", who " in reasons[2] for reasons in unseen)  # what people in general do


@pytest.mark.parametrize(("game", "unit"), [("limit", "small bet"), ("nolimit", "big blind")])
def test_results_so_far_are_in_the_unit_of_the_game(game: str, unit: str) -> None:
    said = [seat.explain(views[0]).reasons[1] for seat, views in decisions_of("megabot", find_game(game, 2))]
    progress = [line for line in said if line.startswith("So far")]
    assert progress
    assert all(f" {unit}" in line or "broke even" in line for line in progress)


RIVER = Situation(hole="Ks9s", board="Kd9h4cJsTd", betting="rc/crc/crc/c")


def memory_of(counts, won, settled=None, spot=RIVER, expert="eqm") -> CaseBase:
    """A case base with one case, which is exactly the situation; results in small bets."""
    kind = find_representation("sartre-2")
    base, street = CaseBase.empty(kind), spot.view.street
    features = kind.streets[street]
    known = np.array([counts if settled is None else settled])
    solution = Solutions(np.array([counts]), known, known * np.array([won]) * 1_000_000)
    streets = list(base.streets)
    streets[street] = Cases(features, features.of(spot.views), solution)
    return replace(base, streets=tuple(streets), about={"expert": expert})


def test_memory_tells_frequencies_and_results() -> None:
    found = hm.explain(memory_of([0, 0, 1279], [0, 0, 6.32]).player(), RIVER)
    assert found.decision == "It bets 20."
    assert found.reasons[0] == (
        "In 1,279 remembered decisions like this the expert eqm bet every time"
        " and won 6.3 small bets on average."
    )
    assert found.reasons[1] == (
        "The remembered decisions agree with this one in all that it compares:"
        " the kind of hand (two pair), the betting and the kind of board (a straight possible with one card)."
    )
    assert found.actions == (ExplainedAction(20, "bet 20", 1.0, 1.0, pytest.approx(6.32)),)
    assert found.measure == "mean result in small bets"


def test_frequencies_are_those_before_the_policys_maximum() -> None:
    found = hm.explain(memory_of([0, 25, 75], [0, 2, 6]).player("majority"), RIVER)
    assert found.probabilities == ((20, 1.0),)
    assert {action.code: action.remembered for action in found.actions} == {20: 0.75, CALL: 0.25}
    assert found.reasons[0].endswith("the expert eqm bet 75% and checked 25% of the time.")
    assert "It takes the action that was taken most often." in found.reasons
    assert not any("would" in reason for reason in found.reasons)


def test_a_contradiction_between_results_and_advice_is_explained() -> None:
    base = memory_of([0, 25, 75], [0, 6, 2])
    found = hm.explain(base.player("majority"), RIVER)
    assert "Going by the best mean result, it would check instead." in found.reasons
    assert found.reasons[-1] == (
        "That checking did better does not prove it better: the expert eqm saw its own cards and checked"
        " with other hands than it bet with, and 25 hands are too few to tell."
    )
    assert hm.explain(base.player("best-outcome"), RIVER).probabilities == ((CALL, 1.0),)


def test_with_one_starting_hand_a_better_result_is_not_put_down_to_other_cards() -> None:
    start = Situation(hole="Ks9d", betting="")
    found = hm.explain(memory_of([0, 40, 60], [0, 6, 2], spot=start).player("majority"), start)
    assert found.reasons[-1] == (
        "That calling did better does not prove it better: with the same starting hand, results vary widely"
        " from hand to hand."
    )


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (-2, "A loss on average does not make a fold better: that gives up the 5 small bets already put in."),
        (-6, "A fold would have lost less: it gives up the 5 small bets already put in, but nine hands"
             " are too few to tell."),
    ],
)  # fmt: skip
def test_a_loss_is_compared_with_what_a_fold_gives_up(lost: int, said: str) -> None:
    facing = Situation(hole="Ks9s", board="Kd9h4cJsTd", betting="rc/crc/crc/r")
    found = hm.explain(memory_of([0, 9, 0], [0, lost, 0], spot=facing).player(), facing)
    assert found.reasons[-1] == said
    assert f"called every time and lost {-lost} small bets on average" in found.reasons[0]


def test_an_action_that_did_no_better_is_not_recommended() -> None:
    found = hm.explain(memory_of([0, 25, 75], [0, 2.03, 2]).player("majority"), RIVER)
    assert not any("instead" in reason or "prove" in reason for reason in found.reasons)


def test_unknown_results_are_left_out() -> None:
    found = hm.explain(memory_of([0, 25, 75], [0, 0, 0], settled=[0, 0, 0]).player("probabilistic"), RIVER)
    assert not any("won" in reason or "lost" in reason for reason in found.reasons)
    assert found.measure == ""
    assert {action.worth for action in found.actions} == {None}


def test_without_a_case_the_default_is_said() -> None:
    empty = CaseBase.empty(find_representation("sartre-1"))
    found = hm.explain(empty.player(), RIVER)
    assert found.reasons == ("It remembers nothing like this, so it checks or calls.",)
    assert found.decision == "It checks."


def test_differences_are_said_in_words() -> None:
    base = memory_of([0, 10, 0], [0, 1, 0])
    other = Situation(hole="Ks9s", board="Kd9h4cJsTd", betting="rc/crrc/crc/c")
    found = hm.explain(base.player(), other)
    assert found.reasons[0].startswith("In the ten remembered decisions most like this")
    assert any("there had been one fewer raise" in reason for reason in found.reasons)
    paired = Situation(hole="Ks9s", board="Kd9h4cJsJd", betting="rc/crc/crc/c")
    text = " ".join(hm.explain(base.player(), paired).reasons)
    assert "the board had a straight possible with one card" in text


def test_actions_are_called_what_they_were_and_impossible_ones_are_explained() -> None:
    """Nothing is remembered of a capped turn; in the nearest decisions there was no bet yet."""
    bet = Situation(hole="Ks9s", board="Kd9h4cJs", betting="rc/crc/c")
    capped = Situation(hole="Ks9s", board="Kd9h4cJs", betting="rc/crc/crrrr")
    found = hm.explain(memory_of([0, 21, 79], [0, 1, 1], spot=bet).player("majority"), capped)
    assert found.decision == "It calls 20."
    assert found.reasons[:4] == (
        "In the 100 remembered decisions most like this the expert eqm bet 79% and checked 21% of the time.",
        "Over the whole hand, on average, betting and checking both won 1 small bet.",
        "It takes the action that was taken most often.",
        "In those decisions nobody had bet: for a check there it calls here, and for a bet it raises.",
    )
    assert found.reasons[4] == "No raise is possible here any more, so it calls instead."


def test_a_tie_is_not_called_most_often() -> None:
    found = hm.explain(memory_of([0, 50, 50], [0, 2, 2]).player("majority"), RIVER)
    assert found.decision == "It checks."
    assert "Of actions that were taken equally often it prefers to check, then to bet." in found.reasons
    assert not any("most often" in reason for reason in found.reasons)


def test_rules_of_thumb_are_not_stated_as_probabilities() -> None:
    """Against several opponents dpp takes them for independent, which is not how often the hand wins."""
    said = [
        (views[0], seat.explain(views[0]).reasons)
        for seat, views in decisions_of("dpp", find_game("limit", 6))
    ]
    after = [(sum(view.live) - 1, reasons[0]) for view, reasons in said if view.street]
    assert {opponents > 1 for opponents, _ in after} == {True, False}
    for opponents, reason in after:
        assert "against an opponent with random cards" in reason
        assert (", which it counts as " in reason) == (opponents > 1)


def test_where_no_raise_is_possible_a_rule_of_raises_is_put_right() -> None:
    for name in ("jagbot", "simplebot"):
        for seat, views in decisions_of(name, find_game("nolimit", 2), seed=4):
            if views[0].street and views[0].to_call:
                reasons = seat.explain(views[0]).reasons
                assert ("No raise is possible here, so where the rule is to raise, it calls." in reasons) == (
                    not views[0].max_raise_to and len(reasons) > 1
                )


def test_numbers_beside_a_border_are_told_apart() -> None:
    assert apart(1.46, 1.5, 1) == ("1.46", "1.5")
    assert apart(1.5, 1.5, 1) == ("1.5", "1.5")
    assert apart(30.4, 82.4, 0) == ("30", "82")
    assert apart(1.4999999, 1.5, 1) == ("1.5", "1.5")


def test_results_of_pots_with_other_raises_are_not_compared_with_a_fold_here() -> None:
    start = Situation(hole="Ks9d", betting="cr")
    seen = memory_of([0, 40, 60], [0, 0.5, 0.2], spot=Situation(hole="Ks9d", betting=""))
    found = hm.explain(seen.player("majority"), start)
    assert "No remembered decision is exactly like this: in the nearest, there had been one fewer raise." in (
        found.reasons
    )
    assert found.reasons[-1] == (
        "That calling did better does not prove it better: with the same starting hand, results vary widely"
        " from hand to hand."
    )
    lost = memory_of([0, 0, 60], [0, 0, -0.2], spot=Situation(hole="Ks9d", betting=""))
    assert hm.explain(lost.player(), start).reasons[-1] == (
        "Those pots had one fewer raise, so their results do not say what a fold would save here."
    )


def test_a_single_remembered_decision_is_not_counted() -> None:
    other = Situation(hole="Ks9s", board="Kd9h4cJsTd", betting="rc/crrc/crc/c")
    found = hm.explain(memory_of([0, 1, 0], [0, 1, 0]).player(), other)
    assert found.reasons[0] == (
        "In the remembered decision most like this the expert eqm checked and won 1 small bet."
    )


def test_a_rare_action_that_did_better_is_named_with_its_result() -> None:
    found = hm.explain(memory_of([0, 3, 997], [0, 6, 2]).player("majority"), RIVER)
    assert found.reasons[0].endswith("the expert eqm bet more than 99% of the time.")
    assert found.reasons[1] == (
        "Over the whole hand, on average, betting won 2 small bets and checking won 6 small bets."
    )
    assert "and three hands are too few to tell" in found.reasons[-1]
    worse = hm.explain(memory_of([0, 3, 997], [0, 1, 2]).player("majority"), RIVER)
    assert worse.reasons[1] == "Over the whole hand, on average, betting won 2 small bets."


def test_remembered_hands_are_shown(monkeypatch) -> None:
    game = find_game("limit", 2)
    deck = [*RIVER.view.hole[::-1], *RIVER.view.hole, *RIVER.view.board]
    spare = [card for card in range(52) if card not in deck]
    hand = SingleHand(game, np.array([*spare[:2], *RIVER.view.hole, *RIVER.view.board], np.int8), (0, 1), 7)
    for code in (20, CALL, CALL, 10, CALL, CALL, 20, CALL, CALL, 20, CALL):
        hand.act(code)
    example = RememberedHand(Hands.of(hand.finished(), ["eqm", "eqm 2"]), seat=1, decision=9)
    monkeypatch.setattr(Cases, "examples", lambda self, place: (example,))
    found = hm.explain(memory_of([0, 0, 9], [0, 0, 6]).player(), RIVER)
    assert found.paragraphs[-2] == "One of those hands:"
    (shown,) = found.hands
    assert shown.words == "K♠ 9♠ on K♦ 9♥ 4♣ J♠ T♦: bet on the river and won 7 small bets against 2♣ 2♦."
    assert str(found).endswith(shown.words)
    assert (shown.seat, shown.decision, shown.hand.names) == (1, 9, ("eqm", "eqm 2"))


def test_a_split_pot_is_called_one() -> None:
    deck = np.array([*cards("Kc9c"), *RIVER.view.hole, *RIVER.view.board], np.int8)
    hand = SingleHand(find_game("limit", 2), deck, (0, 1), 7)
    for code in (20, CALL, CALL, 10, CALL, CALL, 20, CALL, CALL, 20, CALL):
        hand.act(code)
    words = remembered_words(Hands.of(hand.finished(), ["eqm", "eqm 2"])[0], 1, 9)
    assert words == "K♠ 9♠ on K♦ 9♥ 4♣ J♠ T♦: bet on the river and split the pot with K♣ 9♣."


def test_an_agent_without_reasons_is_described_by_its_action() -> None:
    class Silent:
        def sit(self, game, tables, rng):
            return self

        def act(self, views):
            return hm.Actions(np.zeros(len(views), np.int64))

    found = hm.explain(Silent(), RIVER)
    assert (found.decision, found.reasons) == ("It checks.", ("It gives no reasons.",))


def test_what_never_happens_is_not_mentioned() -> None:
    found = explained(RIVER.view, [(CALL, 1 - 1e-9), (20, 1e-9)])
    assert found.decision == "It checks."
    assert explained(RIVER.view, [(CALL, 0.999), (20, 0.001)]).decision == (
        "It checks (more than 99%) or bets 20 (less than 1%)."
    )


def test_a_bot_is_explained_by_its_docstring() -> None:
    @hm.bot
    def cautious(view):
        """Calls small bets and folds to
        large ones.

        Not shown.
        """
        return CALL if view.to_call * 4 <= view.pot else FOLD

    found = hm.explain(cautious, RIVER)
    assert (found.decision, found.reasons) == ("It checks.", ("Calls small bets and folds to large ones.",))


def test_text_html_and_frame_say_the_same() -> None:
    found = Explanation(
        "River.", "It <calls>.", ("Because.",), (ExplainedAction(CALL, "call 10", 1.0, 0.5, -1.0),),
        "mean result in small bets", (), (Detail("case 5", 1.0, {"ihs": 0.3}),),
    )  # fmt: skip
    assert str(found) == "River.\nIt <calls>.\nBecause."
    assert found.detailed.endswith("1.000  case 5 (ihs 0.3)")
    html = found._repr_html_()
    HTMLParser().feed(html)
    assert "It &lt;calls&gt;." in html
    assert html.index("<details>") < html.index("ihs 0.3")
    assert found.frame().row(0) == ("call 10", 0, 1.0, 0.5, -1.0)
    assert "It <calls>." in repr(found)


ONCE = "but only to call if somebody has raised before."
CHEAP = ", but to call 5% of the time where a call costs no more than a big blind."


@pytest.mark.parametrize(
    ("hole", "betting", "said"),
    [
        ("ThTd", "", f"raise pairs of tens or higher, or of deuces, {ONCE}"),
        ("8h8d", "rr", f"give up pairs once there have been two raises{CHEAP}"),
        ("8h3d", "r", f"give up such cards{CHEAP}"),
    ],
)  # fmt: skip
def test_simplebot_says_which_of_its_rules_applies(hole: str, betting: str, said: str) -> None:
    assert hm.explain("simplebot", Situation(hole=hole, betting=betting)).reasons == (
        f"Its rule is to {said}",
    )


def test_a_draw_is_not_called_weak_without_its_chances() -> None:
    draw = hm.explain("eqm-2", Situation(hole="6s2s", board="5s4s4c", betting="rc/"))
    assert "hands here so far, but with the cards to come it wins" in str(draw)
    nothing = hm.explain("eqm-2", Situation(hole="8d2c", board="KsQs7h", betting="rc/"))
    assert "so far" not in str(nothing)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("imitator:expert=eqm", "the imitator of eqm"),
        ("imitator:expert=eqm,policy=probabilistic", "the imitator of eqm (policy probabilistic)"),
        ("sartre-2", "sartre-2"),
    ],
)
def test_members_are_called_after_whom_they_imitate(name: str, said: str) -> None:
    assert member_words(name) == said


def test_small_gains_have_two_decimals_so_that_the_choice_can_be_followed() -> None:
    values = [(CALL, 1.3, 0.6), (20, 0.9, 1.8), (FOLD, 0.0, 0.0)]
    facing = Situation(hole="Ks9s", betting="r").view
    said = value_explanation(facing, CALL, values, [], []).reasons[0]
    assert said == (
        "Compared with folding, calling 10 gains 0.13 small bets (give or take 0.06)"
        " and raising to 20 gains 0.09 small bets (give or take 0.18)."
    )
    large = value_explanation(facing, CALL, [(CALL, 13.0, 0.6), (20, 0.9, 1.8)], [], []).reasons[0]
    assert "gains 1.3 small bets (give or take 0.1) and raising to 20 gains 0.1" in large
