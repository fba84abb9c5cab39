// The words and addresses of the page of one's own hands.
import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, askedFile, chanceWords, comparedWords, fileWords, isReviewedAtOnce, leftOut, problemWords, rateText, replayAddress, reviewWords, shareWords, sharesApart, verdict } from "../src/holdmem/web/page/library.js";

const file = { id: "0123456789abcdef", name: "a.txt", bytes: 10, state: /** @type {"ready"} */ ("ready"), hands: 1200 };

test("a file says what it has, and what was left out", () => {
  const games = [{ name: "no-limit $0.50/$1.00", hands: 1000 }, { name: "limit 10/20", hands: 150 }, { name: "limit 20/40", hands: 50 }];
  const account = { unread: { "not hold'em": 3 }, duplicates: { PokerStars: 1 }, experimental: [] };
  assert.equal(fileWords({ ...file, games, account, first: 0, last: null }), "1,200 hands; no-limit $0.50/$1.00, limit 10/20 and 1 more; 3 hands left out (not hold'em), 1 hand found twice");
  assert.equal(leftOut({ ...file, account: { ...account, unread: { torn: 1, "not hold'em": 3 }, duplicates: {} } }), "4 hands left out (mostly: not hold'em)");
  assert.equal(leftOut(file), "");
  assert.match(fileWords({ ...file, first: 86400, last: 86400 * 3 }), /1970-01-02 to 1970-01-04/);
  assert.equal(fileWords({ ...file, state: "refused", problem: "no hands" }), "not read: no hands");
  assert.equal(fileWords({ ...file, state: "reading", hands: 0 }), "waiting to be read");
  assert.equal(fileWords({ ...file, state: "reading", hands: 1 }), "reading, 1 hand so far");
});

test("a cost is compared in words, and chance is named", () => {
  assert.equal(comparedWords({ mean: 30.22, low: 13.5, high: 46.9 }), "30.2 ± 16.7 more lost");
  assert.equal(comparedWords({ mean: -2, low: -3, high: -1 }), "2.0 ± 1.0 less lost");
  assert.equal(comparedWords({ mean: 0.01, low: -1, high: 1 }), "0.0 ± 1.0 more lost");
  assert.match(chanceWords([13, 46]), /^worse/);
  assert.match(chanceWords([-4, -1]), /^better/);
  assert.match(chanceWords([-4, 1]), /chance/);
  assert.match(chanceWords(null), /may be/);
});

test("what could not be added has a line each, up to three", () => {
  assert.equal(problemWords(["a: empty", "b: empty"]), "a: empty\nb: empty");
  assert.equal(problemWords(["a", "b", "c", "d", "e"]), "a\nb\nc\nand 2 more could not be added");
});

test("a rate has its sign and its interval, and no more is said than it allows", () => {
  assert.equal(rateText({ mean: -4.25, low: -10, high: 2 }), "−4.3 ± 6.0");
  assert.equal(rateText({ mean: 3, low: null, high: null }), "+3.0");
  assert.equal(rateText({ mean: -0.4, low: -85, high: 84 }, 0), "0 ± 85");
  assert.equal(rateText(null), "unknown");
  assert.match(verdict({ mean: 5, low: 1, high: 9 }), /winner/);
  assert.match(verdict({ mean: -5, low: -9, high: -1 }), /loser/);
  assert.match(verdict({ mean: 5, low: -1, high: 11 }), /luck/);
  assert.match(verdict(null), /too few/);
});

test("shares are percentages, odds are numbers", () => {
  assert.deepEqual(shareWords({ value: 0.254, low: 0.2, high: 0.31, of: 1200 }), ["25%", "20% to 31%", "1,200"]);
  assert.deepEqual(shareWords({ value: 2.25, low: 2, high: 3, of: 9, odds: true }), ["2.3", "2.0 to 3.0", "9"]);
  assert.deepEqual(shareWords({ value: null, low: null, high: null, of: 0 }), ["–", "", "0"]);
});

test("two shares have as many digits as tell them apart", () => {
  assert.deepEqual(sharesApart(0.25, 0.1), ["25%", "10%"]);
  assert.deepEqual(sharesApart(0.017, 0.024), ["1.7%", "2.4%"]);
  assert.deepEqual(sharesApart(0.5, 0.5), ["50%", "50%"]);
});

test("addresses lead back to what they name, and to nothing else", () => {
  for (const player of ["Hero", "a&b=c ü"]) {
    const address = addressOf(file.id, player);
    assert.deepEqual(askedFile(new URL(address, "http://x").search), { file: file.id, player });
  }
  assert.deepEqual(askedFile("?file=../../etc&player=x"), { file: null, player: "x" });
  assert.equal(replayAddress("own", { place: 3, number: "17" }), "/replay?own=17");
  assert.equal(replayAddress(file.id, { place: 3, number: "17" }), `/replay?upload=${file.id}&number=3`);
});

test("the hands of whom a file is of are reviewed at once, unless there is nothing to review or too much", () => {
  const players = [{ name: "me", hands: 900, seen: 900 }, { name: "other", hands: 900, seen: 12 }];
  const about = { ...file, hero: "me", players };
  assert.ok(isReviewedAtOnce(about, "me"));
  assert.ok(!isReviewedAtOnce(about, "other"));
  assert.ok(!isReviewedAtOnce(null, "you"));
  assert.ok(!isReviewedAtOnce({ ...about, players: [{ name: "me", hands: 900, seen: 0 }] }, "me"));
  assert.ok(!isReviewedAtOnce({ ...about, players: [{ name: "me", hands: 100_000, seen: 100_000 }] }, "me"));
});

test("a review says how far it is", () => {
  assert.match(reviewWords({ begun: false, done: 0, total: 0, first: null }), /another review/);
  assert.match(reviewWords({ begun: true, done: 0, total: 0, first: null }), /a model of the others/);
  assert.equal(reviewWords({ begun: true, done: 0, total: 0, first: {} }), "Reviewing");
  assert.equal(reviewWords({ begun: true, done: 250, total: 2000, first: {} }), "Reviewing: 250 of 2,000 hands");
  assert.match(reviewWords({ begun: true, done: 2000, total: 2000, first: {} }), /once more/);
});
