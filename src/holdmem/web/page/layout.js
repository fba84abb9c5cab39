// Where everything on the felt is: seats around the table, bets in front of them, the board in the middle.
// Pure geometry in pixels: the same numbers are drawn by the page and checked by its tests.

import { CARD_RATIO, GAP, largestBoard } from "./middle.js";

/** @typedef {import("./types.js").Box} Box */

/**
 * @typedef {object} SeatPlace
 * @property {Box} box  cards above the plate
 * @property {number} card  width of a card
 * @property {Box} bet
 * @property {Box} disc  the dealer button
 */

/**
 * @typedef {object} FeltLayout
 * @property {boolean} compact
 * @property {SeatPlace[]} seats  the first at the bottom, then clockwise
 * @property {Box} pot
 * @property {Box} board
 * @property {number} boardCard  width of a card
 * @property {Box} note  the line below the board
 * @property {Box} rail  the table itself
 * @property {number} plate  height of a plate
 */

const EDGE = 4;
const THIRD_LINE = 8;
const LOW = 520;

/**
 * Sizes by the room there is; `most` is the largest width of a card of the board.
 * @param {number} width
 * @param {number} height
 * @param {number} count
 */
function sizes(width, height, count) {
  const compact = width < 560;
  const many = count > 6;
  const few = count <= 3; // nobody sits at the sides
  if (compact) {
    const plate = Math.min(many ? 88 : 104, Math.floor((width - 4 * EDGE) / 3) - 4);
    const tall = height > LOW;
    const most = Math.min(62, Math.floor((width - 16 * GAP) / 5) - GAP);
    return {
      compact, plate: { w: few ? 128 : plate, h: 34 }, card: many ? (tall ? 28 : 24) : few ? (tall ? 56 : 44) : 34, own: few && tall ? 84 : tall ? 58 : 50,
      most, bet: { w: 58, h: 20 }, disc: 18, line: 20,
    };
  }
  const scale = Math.min(1, Math.max(0.72, Math.min(width / 1060, height / 680)));
  const own = many ? 96 : few ? 116 : 106;
  return {
    compact, plate: { w: Math.round((many ? 144 : 168) * scale), h: 48 }, card: Math.round((many ? 50 : few ? 80 : 64) * scale), own: Math.max(74, Math.round(own * scale)),
    most: Math.round((few ? 116 : 100) * scale), bet: { w: 92, h: 26 }, disc: 24, line: 26,
  };
}

/**
 * Centres of the opponents around an oval, clockwise from the left of the seat at the bottom.
 * @param {number} others
 * @param {number} width
 * @param {number} height
 * @param {{w: number, h: number}} seat
 * @returns {[number, number][]}
 */
function around(others, width, height, seat) {
  const across = (width - seat.w) / 2 - EDGE;
  const down = (height - seat.h) / 2 - EDGE;
  return Array.from({ length: others }, (_, place) => {
    const angle = (2 * Math.PI * (place + 1)) / (others + 1);
    return [width / 2 - across * Math.sin(angle), height / 2 + down * Math.cos(angle)];
  });
}

/** Seats at each side and at the top of a narrow table, by the number of opponents. */
const COLUMNS = [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 1], [2, 2], [2, 3], [3, 2], [3, 3]];

/**
 * Centres of the opponents in two columns and a row at the top, for narrow screens.
 * @param {number} others
 * @param {number} width
 * @param {number} height
 * @param {{w: number, h: number}} seat
 * @returns {[number, number][]}
 */
function columns(others, width, height, seat) {
  const [sides, top] = COLUMNS[others];
  const first = seat.h * (top > 1 ? 1.5 : 1.1) + 3 * GAP + (top > 1 ? 20 : 0);
  const last = height - seat.h / 2 - EDGE - (sides > 2 || height < LOW ? 0 : seat.h * 0.6);
  const single = height >= LOW ? (first + last) / 2 - seat.h * 0.3 : top > 1 ? last : first - seat.h * 0.5; // clear of the board where there is little room
  const row = (/** @type {number} */ place) => sides === 1 ? single : first + ((last - first) * place) / (sides - 1);
  const rows = Array.from({ length: sides }, (_, place) => row(place));
  /** @type {[number, number][]} */
  const left = rows.map((y) => [seat.w / 2 + EDGE, y]);
  /** @type {[number, number][]} */
  const right = rows.map((y) => [width - seat.w / 2 - EDGE, y]);
  /** @type {[number, number][]} */
  const above = Array.from({ length: top }, (_, place) => [(width * (place + 0.5)) / top, seat.h / 2 + EDGE]);
  return [...left.reverse(), ...above, ...right];
}

/**
 * @param {number} width  of the felt
 * @param {number} height
 * @param {number} count  of seats, two to ten
 * @param {boolean} [own]  whether the first seat is the person's, with larger cards
 * @param {boolean} [third]  whether plates have a third line, for statistics
 * @returns {FeltLayout}
 */
export function feltLayout(width, height, count, own = true, third = false) {
  const asked = [width, height, count, own, third].join();
  if (asked !== known.asked) known = { asked, layout: computed(width, height, count, own, third) };
  return /** @type {FeltLayout} */ (known.layout);
}

/** @type {{asked: string, layout: FeltLayout|null}} The last layout: every state of a table asks for it again. */
let known = { asked: "", layout: null };

/**
 * @param {number} width
 * @param {number} height
 * @param {number} count
 * @param {boolean} own
 * @param {boolean} third
 * @returns {FeltLayout}
 */
function computed(width, height, count, own, third) {
  const size = sizes(width, height, count);
  if (third) size.plate.h += THIRD_LINE;
  const tall = (/** @type {number} */ card) => Math.round(card * CARD_RATIO) + GAP + size.plate.h;
  const seat = { w: Math.max(size.plate.w, 2 * size.card + GAP), h: tall(size.card) };
  const mine = own ? size.own : size.card;
  const bottom = { w: Math.max(size.plate.w, 2 * mine + GAP), h: tall(mine) };
  const centres = (size.compact ? columns : around)(count - 1, width, height, seat);
  const boxes = centres.map(([x, y]) => ({ x: Math.round(x - seat.w / 2), y: Math.round(y - seat.h / 2), ...seat }));
  boxes.unshift({ x: Math.round((width - bottom.w) / 2), y: height - bottom.h - EDGE, ...bottom });
  const { board, middle, bets, discs } = largestBoard(width, height, boxes, size);
  const inset = size.compact ? { x: 22, y: 22 } : { x: Math.round(seat.w * 0.42), y: Math.round(seat.h * 0.45) };
  return {
    compact: size.compact, ...middle, boardCard: board, plate: size.plate.h,
    rail: { x: inset.x, y: inset.y, w: width - 2 * inset.x, h: height - 2 * inset.y },
    seats: boxes.map((box, place) => ({ box, card: place ? size.card : mine, bet: bets[place], disc: discs[place] })),
  };
}
