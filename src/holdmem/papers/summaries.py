"""What each publication describes and claims, in plain words, and how our experiments are made."""

CASPER = (
    "A program plays limit hold'em at a table of nine by remembering. Two other programs, Poki and"
    " Simbot, play for it to watch; each of their decisions becomes a case, a handful of numbers on the"
    " cards, the betting and the players, with what was done. At the table it looks up the cases most like"
    " its own situation and does what was done there, in the same proportions. The thesis claims that it"
    " roughly holds its own among the programs it learned from, that more cases help, that weights of the"
    " features found by a genetic algorithm beat random ones, and that it does worse against players"
    " unlike those it has seen."
)
CASPER_METHOD = (
    "Opponents and teachers are HoldMem's Poki, Simbot (16 roll-outs a decision) and Jagbots in four"
    " versions; the originals are not available. People are replaced by loose passive programs.",
    "The tested player sits in every seat with the same cards, and all tested players of a table get the"
    " same cards: differences are match by match, with 95% intervals by Student's t over matches.",
    "Features are exact, not sampled, and stored to a thousandth.",
    "Casper01 is the first 7,000 hands of casper02, with all their decisions.",
    "Findings that name no decks were played on decks of the purpose and seed of the memory's recording: 44%"
    " of the test decks of figures 5.1 to 5.5, of the options and of the opponents are decks of the"
    " recording. Others are played on decks of purpose test, which no memory is recorded with.",
)
SARTRE = (
    "A program plays heads-up limit hold'em knowing only what an expert once did. Every decision in the"
    " expert's logs becomes a case: what the hole cards make with the board, the betting so far, what the"
    " board makes possible. At the table it finds the most similar case and does the same. The paper"
    " compares the system before and after maintenance, which merges equal cases and keeps counts and"
    " outcomes, and three ways to use a remembered solution. It claims that the most frequent action is"
    " best."
)
SARTRE_METHOD = (
    "One teacher, `eqm`, a near-equilibrium player of our own, in place of Hyperborean-Eqm and MANZANA.",
    "SARTRE-1's cases are stored merged with counts, which plays the same; its number of cases is its"
    " number of decisions.",
    "Rates have 95% intervals over decks played both ways, and at the paper's sizes also over matches.",
)
IMITATORS = (
    "Programs imitate experts: they store what an expert did in each situation and repeat it, either"
    " always the most frequent action or each action as often as the expert. The paper combines three such"
    " imitators, by vote, or by choosing one for every hand according to how well each has done so far. It"
    " claims that a combination does better than any single imitator in limit; in no-limit one imitator"
    " stays ahead."
)
IMITATORS_METHOD = (
    "Experts are three versions of a near-equilibrium player for each game, made more or less aggressive;"
    " the paper's are programs of the 2010 competition. Opponents are `eqm` for Fell Omen 2, and our"
    " AlistairBot, MCTSBot and SimpleBot with budgets as counts (200 samples, 400 iterations).",
    "`eqm` is also one of the imitated experts, which Fell Omen 2 was not.",
    "95% intervals are over decks played both ways where nobody learns, else over the five matches. The"
    " published ± are standard deviations.",
    "Figures against MCTSBot were played while a fault in its search made it fold nearly every hand first"
    " in: they are void until they are played again.",
)
PLICAS = (
    "A heads-up limit player built of units. Rules decide before the flop, buckets of strength after it,"
    " and four units watch the opponent: one chooses how many hands to play, one guesses from earlier"
    " showdowns what the opponent holds, one bluffs, one plays more or less aggressively. The paper claims"
    " that the units that adapt are profitable, and that players who adapt nevertheless lose to"
    " near-equilibrium ones."
)
PLICAS_METHOD = (
    "The opponent `dpp` is ours, made after a sentence of the paper; `eqm`, our near-equilibrium player,"
    " is added.",
    "Maximising f as printed plays aces alone; ours weights the pot by the share of hands played"
    " (`weighing=printed` plays the paper's).",
    "Aggression control moves hands only for bets and raises, not for calls.",
    "The paper's unit is the small blind, ours the small bet, two small blinds: both are given.",
)
LEARNERS = (
    "Two players learn no-limit hold'em from scratch against five simple programs. Hands are sorted into"
    " buckets by expected strength, and a situation is a bucket with a little of the betting. One player"
    " counts how situations end, the other rewards what it did by what it won. The thesis counts the hands"
    " in each bucket, plays both learners for 200,000 hands against each program, and concludes that the"
    " second beats every one of them, the first does not, and that the way of sorting matters little."
)
LEARNERS_METHOD = (
    "The five programs are ours, after their descriptions. MegaBot's tempers were fitted so that"
    " SimpleBot beats it; rows that this decides have no verdict.",
    "The Action Learner's scale was chosen with the published figures in view.",
    "Strengths are exact, not sampled, and wins are divided by the 990 holdings that an opponent can have.",
    "Ten matches in place of one, with 95% intervals by Student's t over matches. Stacks are 100 big"
    " blinds in every hand.",
)
COMPETITION = (
    "Our own players against one another, in the manner of the computer poker competitions of 2009 and"
    " 2010: every pair plays the same cards both ways. The bankroll ranks by the mean over all opponents,"
    " the run-off removes the last again and again."
)
COMPETITION_METHOD = (
    "Agents that search have budgets as counts rather than time, so that results repeat.",
    "Learners start anew in each match. Players whose intervals overlap are not told apart.",
)
