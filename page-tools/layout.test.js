// The felt's geometry: whatever the screen and the number of seats, nothing overlaps and nothing is off the felt.
import assert from "node:assert/strict";
import { test } from "node:test";
import { feltLayout } from "../src/holdmem/web/page/layout.js";
import { overlap } from "../src/holdmem/web/page/middle.js";

const FELTS = [[1068, 728], [745, 589], [382, 694], [382, 620], [352, 492], [352, 440], [352, 414], [430, 700], [1500, 800], [900, 500], [620, 600]];

for (const [width, height] of FELTS) {
  for (const [own, third] of [[true, false], [false, false], [true, true]]) {
    test(`two to ten seats on ${width} by ${height}${own ? "" : ", watched"}${third ? ", with statistics" : ""}`, () => {
      for (let count = 2; count <= 10; count += 1) {
        const found = feltLayout(width, height, count, own, third);
        const boxes = [["pot", found.pot], ["board", found.board], ["note", found.note]];
        found.seats.forEach((seat, place) => boxes.push([`seat ${place}`, seat.box], [`bet ${place}`, seat.bet], [`disc ${place}`, seat.disc]));
        boxes.forEach(([name, box], place) => {
          assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.w <= width && box.y + box.h <= height, `${name} of ${count} is off the felt`);
          for (const [other, its] of boxes.slice(0, place)) assert.ok(!overlap(box, its), `${name} of ${count} overlaps ${other}`);
        });
      }
    });
  }
}

test("own cards are large: 72 pixels on a desktop, 44 on a phone", () => {
  for (const [width, height] of FELTS) {
    for (let count = 2; count <= 10; count += 1) assert.ok(feltLayout(width, height, count).seats[0].card >= (width < 560 ? 44 : 72));
  }
});

test("the seat after the bottom one is to its left: play goes clockwise", () => {
  for (let count = 3; count <= 10; count += 1) {
    for (const width of [390, 1068]) {
      const seats = feltLayout(width, 620, count).seats;
      assert.ok(seats[1].box.x < seats[count - 1].box.x);
    }
  }
});

test("on a phone the board is as large as the room between the seats allows", () => {
  for (let count = 2; count <= 8; count += 1) assert.ok(feltLayout(382, 620, count).boardCard >= 56, `${count} seats`);
  for (let count = 2; count <= 6; count += 1) assert.ok(feltLayout(352, 414, count).boardCard >= 40, `${count} seats, small`);
  for (let count = 7; count <= 10; count += 1) assert.ok(feltLayout(352, 414, count, true, true).boardCard >= 24, `${count} seats, small, with statistics`);
});

test("on a desktop the board is large, and the cards of few players are larger", () => {
  for (let count = 2; count <= 10; count += 1) assert.ok(feltLayout(1068, 728, count).boardCard >= 96, `${count} seats`);
  assert.ok(feltLayout(1068, 728, 2).seats[1].card > feltLayout(1068, 728, 9).seats[1].card);
});
