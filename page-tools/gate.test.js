// States of a table that is being left are held back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGate } from "../src/holdmem/web/page/gate.js";

/** @param {string} sitting */
const state = (sitting) => /** @type {any} */ ({ table: { sitting } });

test("states are admitted while no other table is asked for", () => {
  const gate = createGate();
  gate.leave();
  assert.ok(gate.leaving());
  assert.ok(gate.admits(state("a")));
  assert.ok(gate.admits(state("a")));
  assert.ok(!gate.leaving());
});

test("a late answer of the table that is left is not shown", () => {
  const gate = createGate();
  gate.admits(state("a"));
  gate.leave("a");
  assert.ok(!gate.admits(state("a")));
  assert.ok(gate.admits(state("b")));
  assert.deepEqual(gate.refused(), []);
});

test("of two tables asked for in a row only the second is shown", () => {
  const gate = createGate();
  gate.admits(state("a"));
  gate.leave("a");
  gate.leave("a");
  assert.ok(!gate.admits(state("b")));
  assert.ok(!gate.admits(state("b")));
  assert.ok(gate.admits(state("c")));
});

test("if the new table is refused the old one goes on from its latest states", () => {
  const gate = createGate();
  const late = state("a");
  gate.admits(state("a"));
  gate.leave("a");
  gate.admits(late);
  assert.deepEqual(gate.refused(), [late]);
  assert.ok(gate.admits(state("a")));
});

test("a new connection awaits nothing", () => {
  const gate = createGate();
  gate.admits(state("a"));
  gate.leave("a");
  gate.open();
  assert.ok(gate.admits(state("a")));
});
