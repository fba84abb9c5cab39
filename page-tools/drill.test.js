// What the trainer says, and what its keys do.
import assert from "node:assert/strict";
import test from "node:test";
import { againWords, answerFor, answerWords, askedDeck, deckWords, lossText, positionsAt, scoreLines, valueText, verdictWords } from "../src/holdmem/web/page/drill.js";
import { lessLuckWords, methodWords, whenWords, wonText } from "../src/holdmem/web/page/sessionwords.js";

const answers = [
  { code: -1, words: "fold", value: 0, value_error: 0, loss: 1.5, error: 0.1, right: false },
  { code: 0, words: "call 40", value: 1.4, value_error: 0.1, loss: 0.04, error: 0.1, right: true },
  { code: 120, words: "raise to 120", value: 1.5, value_error: 0.1, loss: -0.02, error: 0.1, right: true },
];
const words = (/** @type {any} */ one) => answerWords(one, 40, 0);

test("answers are in words, in chips or big blinds", () => {
  assert.deepEqual(answers.map(words), ["Fold", "Call 40", "Raise to 120"]);
  assert.deepEqual(answers.map((one) => answerWords(one, 40, 20)), ["Fold", "Call 2 bb", "Raise to 6 bb"]);
  assert.equal(answerWords({ code: 60, words: "bet 60 all-in" }, 0, 20), "Bet 3 bb all-in");
  assert.equal(answerWords({ code: 0, words: "check" }, 0, 20), "Check");
});

test("keys give the answer that they name, and no other", () => {
  assert.deepEqual(["1", "3", "4", "f", "C", "k", "r", "x"].map((key) => answerFor(key, answers)), [0, 2, -1, 0, 1, 1, 2, -1]);
  assert.equal(answerFor("f", answers.slice(1)), -1);
});

test("a verdict says no more than the interval allows", () => {
  const told = { judge: "ev", answers, best: 2 };
  assert.equal(verdictWords({ ...told, right: true, code: 120, chosen: answers[2] }, words), "Right: Raise to 120 is best.");
  assert.equal(verdictWords({ ...told, right: false, code: -1, chosen: answers[0] }, words), "Fold loses 1.50 ± 0.20 bb. Best: Raise to 120.");
  assert.match(verdictWords({ ...told, right: true, code: 0, chosen: answers[1] }, words), /not clearly worse.*0\.04 ± 0\.20 bb/);
  const shares = [{ code: -1, words: "fold", share: 0.1 }, { code: 0, words: "call", share: 0.9 }];
  const agreed = { judge: "agreement", answers: shares, best: 1, right: false, code: -1, chosen: shares[0] };
  assert.equal(verdictWords(agreed, words), "Not what the experts do: Fold 10%, Call 90%.");
  assert.doesNotMatch(verdictWords(agreed, words), /bb|loses/);
});

test("chance is no loss, and an exact value has no interval", () => {
  assert.equal(lossText(-0.03, 0.1), "0.00 ± 0.20 bb");
  assert.equal(lossText(0.5, 0), "0.50 bb");
  assert.equal(valueText(-0.5, 0), "−0.50");
  assert.equal(valueText(0, 0), "0.00");
});

test("a score has its intervals", () => {
  const share = { made: 3, opportunities: 4, value: 0.75, ci95: /** @type {[number, number]} */ ([0.3, 0.95]) };
  const score = { answers: 4, right: share, first_right: share, lost: { mean: 0.4, low: 0.1, high: 0.7, of: 4 }, agreed: null };
  assert.deepEqual(scoreLines(score), ["Right: 75% (30% to 95%) of 4", "Lost per answer: 0.40 ± 0.30 bb"]);
  assert.deepEqual(scoreLines({ ...score, answers: 0 }), ["No answer yet."]);
  assert.match(scoreLines({ ...score, lost: { mean: 1, low: null, high: null, of: 1 } })[1], /1\.00 bb \(too few/);
});

test("decks, waits, positions and addresses", () => {
  assert.equal(deckWords({ due: 2, new: 0, later: 3 }), "2 due, 3 later");
  assert.deepEqual([600, 86400, 259200].map(againWords), ["again in 10 minutes", "again in a day", "again in 3 days"]);
  assert.deepEqual(positionsAt(2).map(([name]) => name), ["BB", "BTN"]);
  assert.deepEqual(positionsAt(6).map(([name]) => name), ["SB", "BB", "UTG", "HJ", "CO", "BTN"]);
  for (let seats = 2; seats <= 10; seats += 1) assert.equal(positionsAt(seats).length, seats);
  assert.equal(askedDeck("?deck=0123456789abcdef"), "0123456789abcdef");
  assert.equal(askedDeck("?deck=../../etc/passwd"), null);
});

test("how luck was removed is said", () => {
  const row = { name: "a", hands: 100, bb: -12.34, won: null, less_luck: null, aivat: 0, adjusted: 0, all_ins: 0 };
  assert.equal(methodWords(row), "no all-in with all cards known");
  assert.equal(methodWords({ ...row, aivat: 100 }), "AIVAT");
  assert.equal(methodWords({ ...row, aivat: 40, adjusted: 2, all_ins: 3 }), "AIVAT in 40 hands; 2 of 3 all-ins adjusted");
  assert.deepEqual([row, { ...row, aivat: 1 }].map(lessLuckWords), ["all-ins adjusted", "luck removed"]);
  assert.equal(wonText(row.bb), "−12.3");
  assert.equal(wonText(0.01), "0.0");
  assert.equal(whenWords({ ...row, first: 86400 }), "1970-01-02");
});
