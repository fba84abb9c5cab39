// What the page says: amounts, log lines, explanations, people and steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bandEdge, labelRoom, ticks } from "../src/holdmem/web/page/chart.js";
import { pile, piles } from "../src/holdmem/web/page/chips.js";
import { portrait } from "../src/holdmem/web/page/portrait.js";
import { asDrawn, explained, wordsFor, would } from "../src/holdmem/web/page/explained.js";
import { actionWords, brief, money, rateWords, says, sharePercent, signed } from "../src/holdmem/web/page/format.js";
import { lineText, logLines, outcomeLine } from "../src/holdmem/web/page/loglines.js";
import { bettingOf, ranked, rateText, seated, strength } from "../src/holdmem/web/page/people.js";
import { order } from "../src/holdmem/web/page/sorting.js";
import { farewell, tableWords, tournamentWords } from "../src/holdmem/web/page/header.js";
import { thinkers } from "../src/holdmem/web/page/thinking.js";
import { asSeen, asked, moves, stepFor } from "../src/holdmem/web/page/steps.js";

const seat = (player, changes = {}) => ({ player, name: player ? "eqm" : "you", you: !player, in: true, cards: player ? null : ["As", "Kd"], won: null, net: null, bet: 0, ...changes });
const state = (changes = {}) => ({
  hand: 0, street: "preflop", board: [], pot: 15, pots: [], big_blind: 10, over: false, showdown: false, returned: null,
  posts: [{ player: 1, kind: "small blind", amount: 5 }, { player: 0, kind: "big blind", amount: 10 }], log: [], seats: [seat(0), seat(1)], ...changes,
});
const entry = (player, kind, changes = {}) => ({ player, kind, street: "preflop", amount: 10, to: 20, all_in: false, ...changes });

test("amounts in chips and big blinds", () => {
  assert.equal(money(1234.5), "1,234.5");
  assert.equal(money(250, 100), "2.5 bb");
  assert.equal(signed(-20, 10), "−2 bb");
  assert.deepEqual([brief(9999), brief(40325), brief(1250000), brief(40325, 100)], ["9,999", "40.3k", "1.25M", "403"]);
  assert.equal(signed(-30325, 0, brief), "−30.3k");
  assert.equal(actionWords(0, 0), "check");
  assert.deepEqual([1, 0.996, 0.804, 0.1, 0.091, 0.03, 0.005, 0].map(sharePercent), ["100%", "more than 99%", "80%", "10%", "9.1%", "3%", "less than 1%", "0%"]);
  assert.equal(actionWords(0, 10), "call 10");
  assert.equal(rateWords({ mean: 0.5, ci95: [0.45, 0.55], unit: "sb/h" }), "+0.500 ± 0.050 sb/h (95%)");
  assert.equal(rateWords({ mean: -13.12, ci95: [-30.4, 4.2], unit: "bb/h" }), "−13.1 ± 17.3 bb/h (95%)");
});

test("you act in the second person", () => {
  assert.equal(says("you", "raises to 20"), "You raise to 20");
  assert.equal(says("you", "calls 20 and is all-in"), "You call 20 and are all-in");
  assert.equal(says("you", "shows: ace high"), "You show: ace high");
  assert.equal(says("you", "has nothing to call"), "You have nothing to call");
  assert.equal(says("eqm", "calls 5"), "eqm calls 5");
});

test("log lines only grow while a hand is played, so that they can be appended", () => {
  const over = { over: true, showdown: true, board: ["2c", "3c", "4c", "5d", "9s"], street: "river", seats: [seat(0, { won: 40, net: 20, made: "ace high" }), seat(1, { cards: ["Qs", "Jd"], won: 0, net: -20, made: "queen high" })] };
  const log = [entry(1, "raise", { to: 20 }), entry(0, "call"), ...["flop", "turn", "river"].flatMap((street) => [entry(0, "check", { street }), entry(1, "check", { street })])];
  const states = log.map((_, place) => state({ log: log.slice(0, place), board: over.board.slice(0, place < 3 ? (place < 2 ? 0 : 3) : place < 5 ? 3 : place < 7 ? 4 : 5) }));
  let before = [];
  for (const now of [...states, state({ log, ...over })]) {
    const lines = logLines(now).map((line) => line.text);
    assert.deepEqual(lines.slice(0, before.length), before);
    before = lines;
  }
  assert.ok(before.includes("You post big blind 10"));
  assert.ok(before.includes("eqm raises to 20"));
  assert.ok(before.includes("You win 40 (+20)"));
  assert.equal(before.filter((line) => line === "Turn").length, 1);
});

test("folded cards stay out of the log if they are to stay unseen", () => {
  const over = state({ over: true, seats: [seat(0, { won: 15, net: 5 }), seat(1, { in: false, cards: ["2c", "7d"], won: 0, net: -5 })] });
  assert.ok(logLines(over).some((line) => line.cards.includes("7d")));
  assert.ok(!logLines(over, { hideFolded: true }).some((line) => line.cards.includes("7d")));
});

test("people are ranked from weakest to strongest, those without a rate last", () => {
  const rate = (mean, game = "limit", seats = 2) => ({ game, seats, mean, low: mean - 0.1, high: mean + 0.1, unit: "sb/h", hands: 10 });
  const people = [{ name: "b", style: "", rates: [rate(0.5)] }, { name: "x", style: "", rates: [] }, { name: "a", style: "", rates: [rate(-1), rate(9, "nolimit")] }];
  assert.deepEqual(ranked(people, ["a", "b", "x"], "limit", 2).map((one) => one.person.name), ["a", "b", "x"]);
  assert.deepEqual(ranked(people, ["b"], "limit", 2).map((one) => one.person.name), ["b"]);
  assert.equal(rateText(people[2].rates[0]), "−1.00 ± 0.10 sb/h");
  assert.equal(rateText({ ...people[2].rates[0], mean: -0.004 }), "0.00 ± 0.10 sb/h");
  assert.equal(rateText(null), "not measured");
  assert.deepEqual(seated(["a", "b"], "c", 2), ["b", "c"]);
});

test("chips of a pile make up no more than the amount", () => {
  assert.deepEqual(pile(26, 1), ["purple", "red"]);
  assert.deepEqual(pile(0, 10), []);
  assert.deepEqual(pile(1, 10), ["white"]);
  assert.deepEqual(piles(1400, 100), [["green", "green"], ["red", "red", "red", "red"]]);
  assert.deepEqual(piles(80_000, 100).map((one) => one.length), [5]); // a pile has an end
});

test("explanations of either protocol", () => {
  const one = explained({ player: 1, street: "flop", to_call: 10, pot: 30, action: 0, situation: "", chances: [{ action: -1, chance: 0.25 }, { action: 0, chance: 0.75 }], words: "a\nb", grounds: [] });
  assert.equal(would(one), "call 10 (75%) or fold (25%)");
  assert.equal(would({ ...one, actions: [{ ...one.actions[0], probability: 1 }] }), "call 10");
  assert.deepEqual(one.reasons, ["a", "b"]);
  const other = { actions: [] };
  assert.equal(explained(other), other);
});

test("more chips are a bet where there is nothing to call after the flop, else a raise", () => {
  const at = (street, to_call) => wordsFor({ street, to_call, actions: [] }, 100);
  assert.equal(at("flop", 0), "bet 100");
  assert.equal(at("turn", 50), "raise to 100");
  assert.equal(at("preflop", 0), "raise to 100"); // the big blind's option
  assert.equal(actionWords(100, 0, 10, "river"), "bet 10 bb");
});

test("what chance decided is said where several actions were possible", () => {
  const actions = [{ action: -1, words: "fold", probability: 0.81 }, { action: 750, words: "raise to 750", probability: 0.19 }].map((one) => ({ ...one, remembered: null, worth: null }));
  const one = explained({ player: 1, street: "flop", to_call: 250, pot: 500, action: 750, situation: "", decision: "It folds (81%) or raises to 750 (19%).", reasons: [], actions, measure: "", hands: [], details: [] });
  assert.equal(asDrawn(one).decision, "It folds (81%) or raises to 750 (19%). This time chance decided: raise to 750.");
  const sure = { ...one, decision: "It folds.", action: -1, actions: [{ ...actions[0], probability: 1 }] };
  assert.equal(asDrawn(sure).decision, "It folds.");
  assert.equal(asDrawn({ ...one, decision: "" }).decision, "");
});

test("overlapping intervals leave ranks open", () => {
  const list = [[-1, -0.8], [-0.2, 0.2], [0.1, 0.5], [0.3, 0.7]].map(([low, high]) => ({ rate: { game: "limit", seats: 2, mean: (low + high) / 2, low, high, unit: "sb/h", hands: 1 } }));
  const open = list.map((_, place) => strength([...list, { rate: null }], place));
  assert.deepEqual(open, [{ least: 0.25, most: 0.25 }, { least: 0.5, most: 0.75 }, { least: 0.5, most: 1 }, { least: 0.75, most: 1 }]);
  assert.equal(strength([{ rate: null }], 0), null);
});

test("steps of a replay by keys", () => {
  const streets = ["preflop", "preflop", "flop", "flop", "turn"];
  const log = streets.slice(1).map((street) => entry(1, "check", { street }));
  const states = streets.map((street, place) => state({ street, log: log.slice(0, place), board: [] }));
  assert.equal(stepFor("ArrowRight", 0, states), 1);
  assert.equal(stepFor("ArrowLeft", 0, states), 0);
  assert.equal(stepFor("End", 1, states), 4);
  assert.equal(stepFor("ArrowDown", 0, states), 2);
  assert.equal(stepFor("ArrowUp", 4, states), 2);
  assert.equal(moves(states, (one) => one.kind).length, 4);
  assert.equal(asSeen(state({ seats: [seat(0), seat(1, { cards: ["2c", "3c"] })] }), true).seats[1].cards, null);
  assert.deepEqual(asked("?own=12&step=3&match=xyz"), { own: 12 });
});

test("axes and sorting", () => {
  assert.deepEqual(ticks(0, 100), [0, 50, 100]);
  assert.deepEqual(ticks(-3, 3, 3), [-2, 0, 2]);
  assert.deepEqual(order(["+0.5 sb/h", "−2", "unfinished"], true), [2, 0, 1]);
  assert.deepEqual(order(["b", "a"], false), [1, 0]);
});

test("the axis leaves room for its longest label", () => {
  assert.equal(labelRoom(["0", "100"]), 52);
  assert.ok(labelRoom(["0", "−1,000,000"]) > 70);
  assert.equal(labelRoom([]), 52);
});

test("a band runs along its low ends and back along its high ones, without the places that have none", () => {
  assert.deepEqual(bandEdge([null, [1, 3], [0, 4]]), [[1, 1], [2, 0], [2, 4], [1, 3]]);
  assert.deepEqual(bandEdge([null, [1, 3]]), []);
  assert.deepEqual(bandEdge([]), []);
});

test("whoever may be thinking is named", () => {
  assert.equal(thinkers(state()), "eqm is thinking…");
  assert.equal(thinkers(state({ seats: [seat(0), seat(1), seat(2)] })), "The others are thinking…");
  assert.equal(thinkers(state({ seats: [seat(0), seat(1), seat(2, { in: false })] })), "eqm is thinking…");
});

test("a tournament in words", () => {
  assert.equal(tournamentWords({ over: true, place: 3 }), "you finished in place 3");
  assert.equal(tournamentWords({ over: false, hands_left: 1, level: 0 }), "level 1, 1 hand to the next");
  assert.equal(tournamentWords({ over: true, place: 2, format: "match" }), "you lost");
  const words = "no-limit hold'em, 6 seats, blinds 50/100, 75 big blinds deep";
  assert.deepEqual(tableWords({ words, tournament: { over: false, hands_left: 3, level: 1 } }), ["level 2, 3 hands to the next", "blinds 50/100", "no-limit hold'em, 6 seats"]);
  assert.deepEqual(tableWords({ words, tournament: null }), [words]);
  assert.equal(farewell({ over: true, place: 1, format: "match" }), "The match is over: you won.");
});

test("players made from limit hands are invited to limit, others to no-limit", () => {
  const people = [{ name: "made:a", betting: "limit" }, { name: "made:b", betting: "nolimit" }, { name: "eqm", betting: null }].map((one) => ({ shown: one.name, style: "", rates: [], ...one }));
  assert.equal(bettingOf(people, ["made:a", "made:b"]), "limit");
  assert.equal(bettingOf(people, ["made:b", "made:a"]), "nolimit");
  assert.equal(bettingOf(people, ["eqm"]), "nolimit");
  assert.equal(bettingOf(people, ["made:gone"]), "nolimit");
});

test("a player's portrait has the beginning of its name, and always the same colour", () => {
  assert.equal(portrait("sartre-2").letters, "S2");
  assert.equal(portrait("poki").letters, "P");
  assert.equal(portrait("").letters, "?");
  assert.deepEqual(portrait("always-call"), portrait("always-call"));
  assert.ok(Math.abs(portrait("Villain 1").hue - portrait("Villain 2").hue) > 60);
});

test("a line of the log without pictures names its cards", () => {
  assert.equal(lineText({ kind: "result", text: "bob had", cards: ["Ah", "Td"], mine: false }), "bob had A♥ 10♦");
});

test("how a hand ended is told in a line", () => {
  const seat = (name, you, won, net, made) => ({ name, you, won, net, made, player: you ? 0 : 1 });
  const lost = { over: true, showdown: true, seats: [seat("you", true, 0, -50, "king high"), seat("poki", false, 100, 50, "pair of kings")] };
  assert.equal(outcomeLine(lost), "poki wins 100: pair of kings. You lose 50.");
  const won = { over: true, showdown: false, seats: [seat("you", true, 30, 10, "king high"), seat("poki", false, 0, -10, null)] };
  assert.equal(outcomeLine(won), "You win 30.");
  assert.equal(outcomeLine({ ...won, over: false }), "");
});
