import assert from "node:assert/strict";
import test from "node:test";
import { className } from "../src/holdmem/web/page/solved-grid.js";

test("classes are suited above the diagonal and aces come first", () => {
  assert.equal(className(0, 0), "AA");
  assert.equal(className(0, 1), "AKs");
  assert.equal(className(1, 0), "AKo");
  assert.equal(className(12, 11), "32o");
  const all = Array.from({ length: 169 }, (_, place) => className(Math.floor(place / 13), place % 13));
  assert.equal(new Set(all).size, 169);
});
