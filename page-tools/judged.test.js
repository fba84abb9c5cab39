// What the values of decisions say: grades, amounts, the decision of a step, the expected result of a hand.
import assert from "node:assert/strict";
import test from "node:test";
import { blinds, bySteps, decisionAt, expectedResults, gradeOf, lossWords, progressWords, valueText } from "../src/holdmem/web/page/judged.js";
import { CLASSES, rangeWords } from "../src/holdmem/web/page/ranges.js";
import { askedPlayers } from "../src/holdmem/web/page/people.js";
import { checkWords, madeWords, tableAddress } from "../src/holdmem/web/page/players.js";

const actions = [{ code: -1, bb: 0, error: 0 }, { code: 0, bb: 1.5, error: 0.25 }];
const one = { step: 4, loss: 1.5, error: 0.25, actions, taken: 0, best: 1, invested_bb: 2 };

test("a loss counts only if it is more than chance, and large ones are told apart", () => {
  assert.equal(gradeOf(one).level, "loss");
  assert.equal(gradeOf({ ...one, loss: 2 }).mark, "??");
  assert.equal(gradeOf({ ...one, loss: 0.3, error: 0.1 }).mark, "?!");
  assert.equal(gradeOf({ ...one, loss: 9, error: 5 }).level, "open");
  assert.equal(gradeOf({ ...one, error: null }).level, "open");
  assert.equal(gradeOf({ ...one, loss: 0, taken: 1 }).mark, "✓");
  assert.equal(lossWords(one), "loses 1.50 ± 0.49 bb");
  assert.equal(lossWords({ ...one, loss: -0.2 }), "not told apart from the best action (−0.20 ± 0.49 bb)");
  assert.equal(lossWords({ ...one, loss: 0, taken: 1 }), "the best action");
});

test("few effective samples widen intervals, and one says nothing", () => {
  assert.equal(gradeOf({ ...one, loss: 0.6 }).level, "loss");
  assert.equal(gradeOf({ ...one, loss: 0.6, wide: 2.78 }).level, "open"); // five samples
  assert.equal(gradeOf({ ...one, loss: 9, wide: null }).level, "open");
  assert.equal(gradeOf({ ...one, loss: 9, error: 0, wide: null }).level, "large");
  assert.equal(lossWords({ ...one, wide: 2.78 }), "loses 1.50 ± 0.69 bb");
  assert.equal(lossWords({ ...one, wide: null }), "not told apart from the best action (1.50 bb)");
  assert.equal(valueText(actions[1], 2.78), "+1.50 ± 0.69");
  assert.equal(valueText(actions[1], Infinity), "+1.50, too few samples");
  assert.equal(expectedResults([{ ...one, wide: null }], 9, null)[0].reach, 0);
});

test("amounts have a sign, an interval and no digits that say nothing", () => {
  assert.equal(valueText(actions[0]), "0.00");
  assert.equal(valueText(actions[1]), "+1.50 ± 0.49");
  assert.equal(valueText({ code: 0, bb: -95.83, error: 1.81 }), "−95.8 ± 3.5");
  assert.equal(valueText({ code: 0, bb: 1, error: null }), "+1.00, too few samples");
  assert.equal(blinds(-0.001), "0.00");
});

test("a step shows the decision to be made, else the one just made; values replace what the review kept", () => {
  const stored = [{ ...one, step: 2, taken: -1, best: 0 }, { ...one, step: 4, loss: 9, actions: [] }];
  const known = bySteps({ decisions: [one], stored });
  assert.equal(decisionAt(known, 4)?.loss, 1.5);
  assert.equal(decisionAt(known, 5)?.step, 4);
  assert.equal(decisionAt(known, 2)?.taken, 0); // codes have become places
  assert.equal(decisionAt(known, 2)?.best, 1);
  assert.equal(decisionAt(known, 2)?.reviewed, true);
  assert.equal(decisionAt(known, 7), null);
});

test("the expected result counts what was paid, and ends with the result", () => {
  const points = expectedResults([one], 9, -2);
  assert.deepEqual(points.map(({ step, value, kind }) => [step, value, kind]), [[4, -0.5, "best"], [5, -2, "taken"], [9, -2, "result"]]);
  assert.deepEqual(expectedResults([{ ...one, invested_bb: undefined }], 9, -2), []);
});

test("what is waited for is said", () => {
  assert.equal(progressWords({ state: "ready", total: 3, decisions: [] }), "");
  assert.equal(progressWords({ state: "running", stage: "valuing", total: 3, decisions: [1] }), "Valuing decision 2 of 3 …");
  assert.equal(progressWords({ state: "running", stage: "learning how the others play", total: 3, decisions: [] }), "Learning how the others play …");
});

test("a grid has 169 different hands, suited above the diagonal", () => {
  assert.equal(new Set(CLASSES).size, 169);
  assert.match(rangeWords({ seat: 1, name: "a", cells: [1, null], share: 0.25, likely: "AA" }), /^25% .*greener.*Striped.*Likeliest: AA\.$/);
  assert.deepEqual([CLASSES[0], CLASSES[1], CLASSES[13], CLASSES[168]], ["AA", "AKs", "AKo", "22"]);
});

test("a player made says what it is made from and no more than the check allows", () => {
  const check = { hands: 20, decisions: 31, log_loss: 0.5, population: 0.7, better_by: 0.2, error: 0.1 };
  const made = { id: "0123456789abcdef", name: "Villain", of: "a.txt", state: /** @type {"ready"} */ ("ready"), hands: 100, shown: 9, seats: { 6: 100 }, check };
  assert.equal(madeWords(made), "from 100 hands of a.txt; decisions in 100 hands with 6 players; cards shown in 9");
  assert.match(checkWords(made), /^It imitates better/);
  assert.match(checkWords({ ...made, check: { ...check, error: 0.3 } }), /^Not yet told apart/);
  assert.match(checkWords({ ...made, check: { ...check, better_by: -0.2 } }), /^It imitates worse.*−0\.200/);
  const close = { ...check, log_loss: 0.7776, population: 0.7793, better_by: 0.0017 };
  assert.match(checkWords({ ...made, check: close }), /0\.7776 .*0\.7793.*0\.0017 ±/); // and not 0.778, 0.779 and 0.002
  assert.match(checkWords({ ...made, check: null }), /^Too few hands/);
  assert.equal(madeWords({ ...made, state: "learning", done: 1, total: 4 }), "learning, 25%");
  assert.equal(madeWords({ ...made, state: "refused", problem: "no hands" }), "not made: no hands");
  const address = new URL(tableAddress([made.id], "/"), "http://x");
  assert.deepEqual(askedPlayers(address.search), [`made:${made.id}`]);
  assert.deepEqual(askedPlayers("?with=made:../x,simplebot"), []);
});
