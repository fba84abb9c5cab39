"""For each kernel module the naive twin and the test that compares the two, or why it has no twin.

`tests/test_twins.py` fails for a kernel module that is not here and for an entry that is not true.
"""

from typing import NamedTuple


class Twin(NamedTuple):
    """A module of `naive`, and the test file that compares the kernels with it."""

    module: str
    test: str


class Referee(NamedTuple):
    """The test file of kernels without a twin, and what they are compared with there."""

    test: str
    compared_with: str


INDEX: dict[str, Twin | Referee] = {
    "agent.kernels.legal_policy": Twin("legal_policy", "test_legal_policy"),
    "agent.kernels.views": Twin("views", "test_views"),
    "arena.aivat.kernels.decisions": Twin("aivat", "test_aivat"),
    "arena.aivat.kernels.estimate": Twin("aivat", "test_aivat"),
    "arena.aivat.kernels.ranges": Twin("aivat", "test_aivat"),
    "arena.kernels.local_best_response": Twin("local_best_response", "test_exploit"),
    "arena.kernels.style": Twin("style", "test_style"),
    "cards.kernels.evaluator": Twin("evaluator", "test_evaluator"),
    "cards.kernels.evaluator_tables": Referee(
        "test_evaluator",
        "the evaluator's twin: these kernels only find places for its rows, and two rows in one place would "
        "give wrong strengths",
    ),
    "cards.kernels.isomorphism": Twin("isomorphism", "test_isomorphism"),
    "cards.kernels.straights": Twin("opponents", "test_opponents"),
    "cbr.features.kernels.bet_sizes": Twin("bet_sizes", "test_bet_sizes"),
    "cbr.features.kernels.betting": Twin("cbr", "test_cbr"),
    "cbr.features.kernels.betting_summary": Twin("betting_summary", "test_imitators"),
    "cbr.features.kernels.casper": Twin("casper_features", "test_casper"),
    "cbr.features.kernels.hand_types": Twin("cbr", "test_sartre"),
    "cbr.kernels.box_tree": Referee("test_cbr", "a scan of all cases by `retrieve`, which has a twin"),
    "cbr.kernels.retrieve": Twin("cbr", "test_cbr"),
    "cbr.kernels.reuse": Referee("test_imitators", "the rule itself, stated in the test"),
    "cbr.kernels.solutions": Twin("cbr", "test_cbr"),
    "cfr.kernels.card_blind_response": Twin("exact_response", "test_card_blind_response"),
    "cfr.kernels.exact_gradient": Twin("exact_response", "test_exact_gradient"),
    "cfr.kernels.exact_response": Twin("exact_response", "test_exact_response"),
    "cfr.kernels.lookup": Twin("lookup", "test_equilibrium_agents"),
    "cfr.kernels.public_chance_sampling": Twin("public_chance_sampling", "test_public_chance_sampling"),
    "cfr.kernels.river": Twin("public_chance_sampling", "test_public_chance_sampling"),
    "cfr.kernels.tree": Twin("cfr", "test_cfr"),
    "cfr.kernels.update": Twin("cfr", "test_cfr"),
    "cfr.subgame.kernels.solver": Twin("subgame", "test_subgame"),
    "core.kernels.philox": Twin("philox", "test_random"),
    "engine.kernels.batch": Twin("rules", "test_engine"),
    "engine.kernels.betting": Twin("rules", "test_engine"),
    "engine.kernels.pots": Twin("variance", "test_variance"),
    "engine.kernels.showdown": Twin("rules", "test_engine"),
    "ev.kernels.deals": Twin("values", "test_values"),
    "ev.kernels.ranges": Twin("values", "test_values"),
    "ev.kernels.spots": Twin("values", "test_values"),
    "history.formats.kernels.acpc": Twin("acpc", "test_acpc_logs"),
    "history.formats.kernels.irc_order": Referee(
        "test_irc", "`merge_letters`, which asks the engine for every letter, on good, bad and damaged hands"
    ),
    "history.formats.kernels.phh": Twin("phh", "test_phh"),
    "history.formats.kernels.phh_actions": Referee(
        "test_phh", "the careful reader of PHH, which does without compiled code: every field, damaged files"
    ),
    "history.formats.kernels.phh_fields": Referee(
        "test_phh", "the careful reader of PHH, which does without compiled code: every field, damaged files"
    ),
    "history.formats.kernels.phh_scan": Referee(
        "test_phh", "the careful reader of PHH, which does without compiled code: every field, damaged files"
    ),
    "history.formats.kernels.phh_values": Referee(
        "test_phh", "the careful reader of PHH, which does without compiled code: every field, damaged files"
    ),
    "history.formats.kernels.scan": Twin("acpc", "test_acpc_logs"),
    "history.formats.kernels.stars_chips": Referee(
        "test_pokerstars", "the careful reader of PokerStars text: every field of every kind of hand, damaged"
    ),
    "history.formats.kernels.stars_hands": Referee(
        "test_pokerstars", "the careful reader of PokerStars text: every field of every kind of hand, damaged"
    ),
    "history.formats.kernels.stars_header": Referee(
        "test_pokerstars", "the careful reader of PokerStars text: every field of every kind of hand, damaged"
    ),
    "history.formats.kernels.stars_scan": Referee(
        "test_pokerstars", "the careful reader of PokerStars text: every field of every kind of hand, damaged"
    ),
    "history.formats.kernels.stars_seating": Referee(
        "test_pokerstars", "the careful reader of PokerStars text: every field of every kind of hand, damaged"
    ),
    "history.formats.kernels.stars_words": Referee(
        "test_pokerstars", "the careful reader of PokerStars text: every field of every kind of hand, damaged"
    ),
    "history.kernels.duplicates": Twin("duplicates", "test_duplicates"),
    "history.kernels.replay": Referee(
        "test_history", "the hands as they were played: what every seat was shown, did and won"
    ),
    "history.kernels.step": Referee(
        "test_pokerstars", "hands of random play: written as text, which replays them by steps, and read back"
    ),
    "history.stats.kernels.all_in": Twin("history_stats", "test_history_stats"),
    "history.stats.kernels.count": Twin("history_stats", "test_history_stats"),
    "opponents.kernels.dealing": Twin("dealing", "test_rollouts"),
    "opponents.kernels.holdings": Twin("opponents", "test_opponents"),
    "opponents.kernels.player_types": Twin("learners", "test_learners"),
    "opponents.kernels.profiles": Twin("plicas", "test_plicas"),
    "opponents.kernels.rollouts": Twin("rollouts", "test_rollouts"),
    "opponents.kernels.seating": Referee(
        "test_opponents", "the order at a table written out by hand: the button moves, a player is out"
    ),
    "opponents.kernels.showdowns": Twin("opponents", "test_opponents"),
    "opponents.kernels.situations": Twin("opponents", "test_opponents"),
    "opponents.kernels.weight_tables": Twin("opponents", "test_opponents"),
    "people.kernels.choose": Twin("people", "test_people"),
    "people.kernels.holdings": Twin("people", "test_people"),
    "people.kernels.inference": Twin("people", "test_people"),
    "people.kernels.resemble": Twin("people", "test_people"),
    "people.kernels.situations": Twin("people", "test_people"),
    "people.kernels.tree": Twin("people", "test_people"),
    "players.learners.kernels.action_learner": Twin("learners", "test_learners"),
    "players.learners.kernels.learner": Twin("learners", "test_learners"),
    "players.learners.kernels.outcome_learner": Twin("learners", "test_learners"),
    "players.plicas.kernels.aggression": Twin("plicas", "test_plicas"),
    "players.plicas.kernels.cases": Twin("plicas", "test_plicas"),
    "players.plicas.kernels.decision": Twin("plicas", "test_plicas"),
    "players.plicas.kernels.postflop": Twin("plicas", "test_plicas"),
    "players.plicas.kernels.range_control": Twin("plicas", "test_plicas"),
    "players.plicas.kernels.starting_hands": Twin("plicas", "test_plicas"),
    "players.rule_based.kernels.dpp": Twin("rule_based", "test_rule_based"),
    "players.rule_based.kernels.random": Twin("rule_based", "test_rule_based"),
    "players.rule_based.kernels.simplebot": Twin("rule_based", "test_rule_based"),
    "players.rule_based.kernels.style_rules": Twin("rule_based", "test_rule_based"),
    "players.rule_based.kernels.whlbot": Twin("rule_based", "test_rule_based"),
    "players.simulation.kernels.mcts": Twin("mcts", "test_mcts"),
    "players.simulation.kernels.poki": Twin("poki", "test_poki"),
    "rl.kernels.choices": Twin("choices", "test_environments"),
    "rl.kernels.observation": Twin("observation", "test_environments"),
    "strength.kernels.bucket_cuts": Twin("card_abstraction", "test_card_abstraction"),
    "strength.kernels.card_kinds": Twin("strength", "test_strength"),
    "strength.kernels.decision_values": Twin("strength", "test_decision_values"),
    "strength.kernels.enumerate_board": Referee(
        "test_strength", "`strength.kernels.enumerate_hand`, which has a twin, holding by holding"
    ),
    "strength.kernels.enumerate_hand": Twin("strength", "test_strength"),
    "strength.kernels.equity": Twin("equity", "test_equity"),
    "strength.kernels.equity_by_holding": Referee(
        "test_exploit", "`strength.kernels.equity`, which has a twin, holding by holding"
    ),
    "strength.kernels.expected_strength": Twin("strength", "test_bucketings"),
    "strength.kernels.playable": Twin("plicas", "test_playable"),
    "strength.kernels.pot_equities": Twin("variance", "test_variance"),
    "strength.kernels.preflop_equity": Referee(
        "test_variance", "`strength.kernels.equity`, which has a twin: the same hands by all their boards"
    ),
    "strength.kernels.preflop_table": Referee(
        "test_equity", "`strength.kernels.equity`, which has a twin: the same pairs by all their boards"
    ),
    "strength.kernels.range_equity": Twin("equity", "test_equity"),
    "strength.kernels.river": Twin("strength", "test_decision_values"),
    "strength.kernels.turn": Twin("strength", "test_decision_values"),
    "variance.kernels.baseline": Twin("variance", "test_variance"),
    "variance.kernels.pots": Twin("variance", "test_variance"),
}
