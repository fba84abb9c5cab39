// Files that are dropped together.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { archive, parcels } from "../src/holdmem/web/page/pack.js";

const file = (/** @type {string} */ name, /** @type {string} */ text) => new File([text], name);
const names = (/** @type {{name: string}[]} */ found) => found.map((one) => one.name);

test("texts that come together are one file, archives stay what they are", () => {
  const some = [file("a.txt", "1"), file("b.zip", "2"), file("c.txt", "3"), file(".DS_Store", "4"), file("Thumbs.db", "5")];
  assert.deepEqual(names(parcels(some, 1e6)), ["a.txt and 1 more", "b.zip"]);
  assert.deepEqual(names(parcels(some.slice(0, 2), 1e6)), ["a.txt", "b.zip"]);
  assert.deepEqual(names(parcels(some, 1000)), ["a.txt", "b.zip", "c.txt"]); // too much for one
  assert.deepEqual(parcels([], 1e6), []);
});

test("tar unpacks what was packed, whatever the names and sizes", async () => {
  const texts = ["", "x".repeat(511), "y".repeat(512), "z\n".repeat(500)];
  const odd = ["a.txt", "../../b\n.txt", `${"long".repeat(60)}.txt`, "ü.txt"];
  const folder = mkdtempSync(join(tmpdir(), "holdmem-"));
  const content = archive(texts.map((text, number) => file(odd[number], text)));
  writeFileSync(join(folder, "some.tar"), new Uint8Array(await content.arrayBuffer()));
  const listed = execFileSync("tar", ["-tf", join(folder, "some.tar")], { encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(listed.map((name) => name.slice(0, 2)), ["1-", "2-", "3-", "4-"]);
  assert.ok(listed.every((name) => /^[\w. -]{1,99}$/.test(name)));
  execFileSync("tar", ["-xf", join(folder, "some.tar"), "-C", folder]);
  assert.deepEqual(listed.map((name) => readFileSync(join(folder, name), "utf8")), texts);
});
