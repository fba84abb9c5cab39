import assert from "node:assert/strict";
import { test } from "node:test";
import { SLIDER, amountAt, clamp, placeOf, potShare, presets, stepped, totalOf, typedAmount } from "../src/holdmem/web/page/betting.js";

const turn = (changes = {}) => ({ to_call: 50, min_raise_to: 200, max_raise_to: 20000, highest: 100, pot: 150, ...changes });

test("every preset is legal, and the last is all-in", () => {
  for (const street of ["preflop", "flop", "river"]) {
    for (const most of [200, 260, 400, 20000]) {
      for (const highest of [0, 100, 900]) {
        const now = turn({ max_raise_to: Math.max(most, 2 * highest), min_raise_to: Math.max(200, 2 * highest), highest });
        const found = presets(now, street, 100);
        assert.ok(found.every(({ to }) => to >= now.min_raise_to && to <= now.max_raise_to && Number.isInteger(to)));
        assert.equal(found.at(-1)?.to, now.max_raise_to);
        assert.equal(new Set(found.map(({ label }) => label)).size, found.length);
      }
    }
  }
});

test("before the flop sizes are in big blinds, then multiples of the raise, and shares of the pot after it", () => {
  assert.deepEqual(presets(turn(), "preflop", 100).map(({ label, to }) => [label, to]).slice(0, 2), [["2.5 bb", 250], ["3 bb", 300]]);
  assert.deepEqual(presets(turn({ highest: 300, min_raise_to: 500 }), "preflop", 100)[0], { label: "2.5×", to: 750 });
  assert.equal(presets(turn({ to_call: 0, highest: 0, pot: 600, min_raise_to: 100 }), "flop", 100)[1].to, 300);
});

test("a pot-sized raise calls first: with 150 in the pot and 50 to call it is to 300", () => assert.equal(potShare(turn(), 1), 300));

test("the slider is logarithmic, reaches both ends, and goes back to where it was", () => {
  const now = turn();
  assert.equal(amountAt(now, 0), 200);
  assert.equal(amountAt(now, SLIDER), 20000);
  assert.equal(amountAt(now, SLIDER / 2), 2000);
  for (let place = 0; place <= SLIDER; place += 50) assert.ok(Math.abs(placeOf(now, amountAt(now, place)) - place) <= 12);
  let last = 0;
  for (let place = 0; place <= SLIDER; place += 1) {
    assert.ok(amountAt(now, place) >= last);
    last = amountAt(now, place);
  }
});

test("steps are small for small bets and never leave what is legal", () => {
  assert.equal(stepped(turn(), 300, 1, 100), 350);
  assert.equal(stepped(turn(), 1000, 1, 100), 1100);
  assert.equal(stepped(turn(), 200, -1, 100), 200);
  assert.equal(stepped(turn(), 20000, 1, 100), 20000);
  assert.equal(clamp(turn(), NaN || 0), 200);
});

test("the field for amounts shows chips or big blinds, and a total that was rounded stays what it was", () => {
  assert.equal(typedAmount(730, 0), 730);
  assert.equal(typedAmount(730, 100), 7.3);
  assert.equal(typedAmount(199, 30), 6.63);
  assert.equal(totalOf(6.63, 199, 30), 199);
  assert.equal(totalOf(7.3, 200, 100), 730);
  assert.equal(totalOf(450, 200, 0), 450);
});
