// Where everything on the felt is: seats around the table, bets in front of them, the board in the middle.
// Pure geometry in pixels: the same numbers are drawn by the page and checked by its tests.

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

export const CARD_RATIO = 1.4;
const GAP = 4;
const MOST_BOARD = 60;
const EDGE = 4;
const THIRD_LINE = 8;

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
 * @param {number} width
 * @param {number} height
 * @param {number} count
 */
function sizes(width, height, count) {
  const compact = width < 560;
  const many = count > 6;
  if (compact) {
    const plate = Math.min(many ? 88 : 104, Math.floor((width - 4 * EDGE) / 3) - 4);
    const tall = height > 520;
    const few = count <= 3; // nobody sits at the sides
    const room = few ? width - 10 * GAP : width - 2 * plate - 6 * GAP;
    return {
      compact, plate: { w: few ? 120 : plate, h: 34 }, card: many ? 28 : few ? 44 : 34, own: few && tall ? 72 : tall ? 58 : 50,
      board: Math.min(many ? 34 : few ? 60 : 42, Math.floor(room / 5) - GAP), bet: { w: 58, h: 20 }, disc: 18, line: 20,
    };
  }
  const scale = Math.min(1, Math.max(0.72, Math.min(width / 1060, height / 720)));
  const plate = Math.round((many ? 132 : 150) * scale);
  return {
    compact, plate: { w: plate, h: 48 }, card: Math.round((many ? 50 : 58) * scale), own: Math.max(74, Math.round(96 * scale)),
    board: Math.round(80 * scale), bet: { w: 92, h: 26 }, disc: 24, line: 26,
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
  const last = height - seat.h / 2 - EDGE - (sides > 2 ? 0 : seat.h * 0.6);
  const row = (/** @type {number} */ place) => sides === 1 ? (first + last) / 2 - seat.h * 0.3 : first + ((last - first) * place) / (sides - 1);
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
 * The free place next to a seat that is nearest to the middle of the table.
 * @param {{w: number, h: number}} size
 * @param {Box} seat
 * @param {{w: number, h: number}} table
 * @param {Box[]} taken
 * @returns {Box}
 */
function beside(size, seat, table, taken) {
  const far = (/** @type {Box} */ box) => Math.hypot(box.x + box.w / 2 - table.w / 2, box.y + box.h / 2 - table.h / 2);
  const inside = (/** @type {Box} */ box) => box.x >= 2 && box.y >= 2 && box.x + box.w <= table.w - 2 && box.y + box.h <= table.h - 2;
  for (const away of [8, 4, 16, 28, 44]) {
    const free = ringAround(seat, size, away).filter((box) => inside(box) && !taken.some((other) => overlap(box, other, 2)));
    if (free.length) return free.sort((one, other) => far(one) - far(other))[0];
  }
  return { x: Math.round(seat.x), y: Math.round(seat.y), ...size };
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
 * @param {number} width  of the felt
 * @param {number} height
 * @param {number} count  of seats, two to ten
 * @param {boolean} [own]  whether the first seat is the person's, with larger cards
 * @param {boolean} [third]  whether plates have a third line, for statistics
 * @returns {FeltLayout}
 */
export function feltLayout(width, height, count, own = true, third = false) {
  const size = sizes(width, height, count);
  if (third) size.plate.h += THIRD_LINE;
  const tall = (/** @type {number} */ card) => Math.round(card * CARD_RATIO) + GAP + size.plate.h;
  const seat = { w: Math.max(size.plate.w, 2 * size.card + GAP), h: tall(size.card) };
  const mine = own ? size.own : size.card;
  const bottom = { w: Math.max(size.plate.w, 2 * mine + GAP), h: tall(mine) };
  const centres = (size.compact ? columns : around)(count - 1, width, height, seat);
  const boxes = centres.map(([x, y]) => ({ x: Math.round(x - seat.w / 2), y: Math.round(y - seat.h / 2), ...seat }));
  boxes.unshift({ x: Math.round((width - bottom.w) / 2), y: height - bottom.h - EDGE, ...bottom });
  const board = boardCard(width, boxes, size);
  const middle = middleBoxes(width, boxes, { ...size, board });
  const taken = [...boxes, middle.pot, middle.board, middle.note];
  const table = { w: width, h: height };
  const bets = boxes.map((box) => take(beside(size.bet, box, table, taken), taken));
  const discs = boxes.map((box) => take(beside({ w: size.disc, h: size.disc }, box, table, taken), taken));
  const inset = size.compact ? { x: 22, y: 22 } : { x: Math.round(seat.w * 0.42), y: Math.round(seat.h * 0.45) };
  return {
    compact: size.compact, ...middle, boardCard: board, plate: size.plate.h,
    rail: { x: inset.x, y: inset.y, w: width - 2 * inset.x, h: height - 2 * inset.y },
    seats: boxes.map((box, place) => ({ box, card: place ? size.card : mine, bet: bets[place], disc: discs[place] })),
  };
}

/**
 * @param {Box} box
 * @param {Box[]} taken
 * @returns {Box}
 */
function take(box, taken) {
  taken.push(box);
  return box;
}

/**
 * The width of a card of the board: on narrow felts as large as the free height between the seats allows.
 * @param {number} width
 * @param {Box[]} boxes
 * @param {ReturnType<typeof sizes>} size
 */
function boardCard(width, boxes, size) {
  const most = size.compact ? Math.min(MOST_BOARD, Math.floor((width - 10 * GAP) / 5) - GAP) : size.board;
  for (let board = most; board > size.board; board -= 2) {
    const { pot, board: cards, note } = middleBoxes(width, boxes, { ...size, board });
    const near = [pot, cards, note].some((one) => boxes.some((box) => overlap(one, box, size.bet.h + 2 * GAP)));
    if (!near) return board;
  }
  return size.board;
}

/**
 * The pot, the board and the line below it, in the free middle of the table.
 * @param {number} width
 * @param {Box[]} boxes
 * @param {ReturnType<typeof sizes>} size
 */
function middleBoxes(width, boxes, size) {
  const board = { w: 5 * size.board + 4 * GAP, h: Math.round(size.board * CARD_RATIO) };
  const high = board.h + 2 * (size.line + GAP);
  const column = { x: (width - board.w) / 2, w: board.w };
  const above = boxes.filter((box) => overlap({ ...box, y: 0, h: 1 }, { ...column, y: 0, h: 1 }) && box !== boxes[0]);
  const ceiling = Math.max(0, ...above.filter((box) => box.y < boxes[0].y / 2).map((box) => box.y + box.h));
  const y = Math.round((ceiling + boxes[0].y - high) / 2);
  const x = Math.round(column.x);
  return {
    pot: { x, y, w: board.w, h: size.line },
    board: { x, y: y + size.line + GAP, ...board },
    note: { x, y: y + size.line + board.h + 2 * GAP, w: board.w, h: size.line },
  };
}
