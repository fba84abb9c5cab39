// The middle of the table, and the places next to the seats: the largest board that leaves every bet its place.

/** @typedef {import("./types.js").Box} Box */

/**
 * @typedef {object} Sizes
 * @property {number} most  the largest width of a card of the board
 * @property {{w: number, h: number}} bet
 * @property {number} disc
 * @property {number} line  height of the lines above and below the board
 */

export const CARD_RATIO = 1.4;
export const GAP = 4;
const LEAST_BOARD = 20;
/** How far from the middle of its room the board may be. */
const SHIFTS = [0, ...Array.from({ length: 12 }, (_, step) => [10 * (step + 1), -10 * (step + 1)]).flat()];
const AWAY = [8, 4, 16, 28, 44];

/**
 * @param {Box} one
 * @param {Box} other
 * @param {number} [gap]
 * @returns {boolean}
 */
export function overlap(one, other, gap = 0) {
  return one.x < other.x + other.w + gap && other.x < one.x + one.w + gap
    && one.y < other.y + other.h + gap && other.y < one.y + one.h + gap;
}

/**
 * The free place next to a seat that is nearest to the middle of the table, if there is one.
 * @param {{w: number, h: number}} size
 * @param {Box} seat
 * @param {{w: number, h: number}} table
 * @param {Box[]} taken
 * @returns {Box|null}
 */
function beside(size, seat, table, taken) {
  const far = (/** @type {Box} */ box) => Math.hypot(box.x + box.w / 2 - table.w / 2, box.y + box.h / 2 - table.h / 2);
  const inside = (/** @type {Box} */ box) => box.x >= 2 && box.y >= 2 && box.x + box.w <= table.w - 2 && box.y + box.h <= table.h - 2;
  for (const away of AWAY) {
    const free = ringAround(seat, size, away).filter((box) => inside(box) && !taken.some((other) => overlap(box, other, 2)));
    if (free.length) return free.sort((one, other) => far(one) - far(other))[0];
  }
  return null;
}

/**
 * Places for something of a size on all four sides of a seat.
 * @param {Box} seat
 * @param {{w: number, h: number}} size
 * @param {number} away
 * @returns {Box[]}
 */
function ringAround(seat, size, away) {
  return Array.from({ length: 9 }, (_, step) => {
    const x = Math.round(seat.x - size.w + ((seat.w + size.w) * step) / 8);
    const y = Math.round(seat.y - size.h + ((seat.h + size.h) * step) / 8);
    return [
      { x, y: seat.y - size.h - away, ...size }, { x, y: seat.y + seat.h + away, ...size },
      { x: seat.x - size.w - away, y, ...size }, { x: seat.x + seat.w + away, y, ...size },
    ];
  }).flat();
}

/**
 * The middle of the table with the largest board that leaves every seat a place for its bet and the button.
 * @param {number} width
 * @param {number} height
 * @param {Box[]} boxes
 * @param {Sizes} size
 */
export function largestBoard(width, height, boxes, size) {
  for (let board = size.most; ; board -= 3) {
    const last = board <= LEAST_BOARD;
    for (const shift of last ? [0] : SHIFTS) {
      const middle = middleBoxes(width, boxes, board, size.line, shift);
      const three = [middle.pot, middle.board, middle.note];
      if (!last && three.some((one) => boxes.some((box) => overlap(one, box, 2 * GAP)))) continue;
      const places = placesAround(boxes, three, size, { w: width, h: height }, last);
      if (places) return { board, middle, ...places };
    }
  }
}

/**
 * Places for the bet and the button next to every seat; none if there is no room for all, unless they may lie anywhere.
 * @param {Box[]} boxes
 * @param {Box[]} middle
 * @param {Sizes} size
 * @param {{w: number, h: number}} table
 * @param {boolean} anywhere
 */
function placesAround(boxes, middle, size, table, anywhere) {
  const taken = [...boxes, ...middle];
  const wanted = [size.bet, { w: size.disc, h: size.disc }].flatMap((one) => boxes.map((seat) => ({ seat, one })));
  /** @type {Box[]} */
  const found = [];
  for (const { seat, one } of wanted) {
    const place = beside(one, seat, table, taken) ?? (anywhere ? { x: seat.x, y: seat.y, ...one } : null);
    if (!place) return null;
    found.push(place);
    taken.push(place);
  }
  return { bets: found.slice(0, boxes.length), discs: found.slice(boxes.length) };
}

/**
 * The pot, the board and the line below it, in the free middle of the table.
 * @param {number} width
 * @param {Box[]} boxes
 * @param {number} card  width of a card of the board
 * @param {number} line  height of the lines above and below it
 * @param {number} shift  down from the middle
 */
function middleBoxes(width, boxes, card, line, shift) {
  const board = { w: 5 * card + 4 * GAP, h: Math.round(card * CARD_RATIO) };
  const high = board.h + 2 * (line + GAP);
  const column = { x: (width - board.w) / 2, w: board.w };
  const above = boxes.filter((box) => overlap({ ...box, y: 0, h: 1 }, { ...column, y: 0, h: 1 }) && box !== boxes[0]);
  const ceiling = Math.max(0, ...above.filter((box) => box.y < boxes[0].y / 2).map((box) => box.y + box.h));
  const y = Math.round((ceiling + boxes[0].y - high) / 2) + shift;
  const x = Math.round(column.x);
  return {
    pot: { x, y, w: board.w, h: line },
    board: { x, y: y + line + GAP, ...board },
    note: { x, y: y + line + board.h + 2 * GAP, w: board.w, h: line },
  };
}
