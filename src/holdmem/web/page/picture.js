// The table as a picture, drawn on a canvas and saved as a PNG.
import { SUIT_PATHS } from "./cards.js";
import { money } from "./format.js";
import { feltLayout } from "./layout.js";
import { noteLine, potLine } from "./felt.js";
import { stackLine, visibleCards } from "./seat.js";

/** @typedef {import("./types.js").TableState} TableState */
/** @typedef {import("./types.js").Options} Options */
/** @typedef {import("./types.js").Box} Box */

const [WIDTH, HEIGHT] = [1200, 800];
/** @type {Record<string, string>} */
const FOUR = { h: "#c0182a", d: "#0b53b5", c: "#0c7035", s: "#16191a" };
/** @type {Record<string, string>} */
const TWO = { h: "#c0182a", d: "#c0182a", c: "#16191a", s: "#16191a" };

/**
 * @param {TableState} state
 * @param {Options} options
 */
export function drawPicture(state, options) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext("2d");
  if (!pen) return;
  paint(pen, state, options);
  canvas.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `hand-${state.hand + 1}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {TableState} state
 * @param {Options} options
 */
function paint(pen, state, options) {
  const count = state.seats.length;
  const mine = Math.max(0, state.seats.findIndex((seat) => seat.you));
  const layout = feltLayout(WIDTH, HEIGHT, count, state.seats.some((seat) => seat.you));
  const unit = options.bigBlinds ? state.big_blind : 0;
  box(pen, { x: 0, y: 0, w: WIDTH, h: HEIGHT }, "#e4e2d9", 0);
  box(pen, layout.rail, "#4a2f20", layout.rail.h / 2);
  box(pen, { x: layout.rail.x + 10, y: layout.rail.y + 10, w: layout.rail.w - 20, h: layout.rail.h - 20 }, "#1c7a5d", layout.rail.h / 2 - 10);
  write(pen, potLine(state, unit), layout.pot, "#fff", "600 20px system-ui, sans-serif");
  write(pen, noteLine(state, unit), layout.note, "#ffe7a6", "18px system-ui, sans-serif");
  state.board.forEach((one, place) => card(pen, one, { x: layout.board.x + place * (layout.boardCard + 4), y: layout.board.y, w: layout.boardCard, h: layout.board.h }, options));
  state.seats.forEach((seat, number) => {
    const { box: at, card: width, bet, disc } = layout.seats[(number - mine + count) % count];
    const high = Math.round(width * 1.4);
    visibleCards(seat, state, options).forEach((one, place) => {
      if (one !== undefined) card(pen, one, { x: at.x + at.w / 2 + (place ? 2 : -width - 2), y: at.y, w: width, h: high }, options);
    });
    const plate = { x: at.x, y: at.y + high + 4, w: at.w, h: layout.plate };
    box(pen, plate, seat.won && state.over ? "#0e3a29" : "#101916", 10);
    write(pen, seat.name, { ...plate, h: plate.h / 2 }, "#fff", "600 15px system-ui, sans-serif");
    write(pen, `${seat.position}  ${stackLine(seat, state, options)}`, { ...plate, y: plate.y + plate.h / 2 - 4, h: plate.h / 2 }, "#d8e3dd", "13px system-ui, sans-serif");
    if (seat.bet) { box(pen, bet, "#0009", 13); write(pen, money(seat.bet, unit), bet, "#fff", "600 15px system-ui, sans-serif"); }
    if (seat.button) { box(pen, disc, "#fdfcf8", 12); write(pen, "D", disc, "#222", "700 13px system-ui, sans-serif"); }
  });
  write(pen, "HoldMem", { x: WIDTH - 110, y: HEIGHT - 34, w: 100, h: 24 }, "#55605c", "600 15px system-ui, sans-serif");
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} at
 * @param {string} colour
 * @param {number} radius
 */
function box(pen, at, colour, radius) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(at.x, at.y, at.w, at.h, radius);
  pen.fill();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {Box} at
 * @param {string} colour
 * @param {string} font
 */
function write(pen, text, at, colour, font) {
  pen.font = font;
  pen.fillStyle = colour;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, at.x + at.w / 2, at.y + at.h / 2, at.w - 6);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string|null} name
 * @param {Box} at
 * @param {Options} options
 */
function card(pen, name, at, options) {
  box(pen, at, name ? "#fdfcf8" : "#7a2230", at.w * 0.1);
  if (!name) return;
  const colour = (options.fourColours ? FOUR : TWO)[name[1]];
  write(pen, name[0] === "T" ? "10" : name[0], { x: at.x, y: at.y + at.h * 0.04, w: at.w * 0.6, h: at.h * 0.36 }, colour, `700 ${at.w * 0.5}px system-ui, sans-serif`);
  pen.save();
  pen.translate(at.x + at.w * 0.42, at.y + at.h * 0.52);
  pen.scale(at.w * 0.026, at.w * 0.026);
  pen.fillStyle = colour;
  pen.fill(new Path2D(SUIT_PATHS[name[1]]));
  pen.restore();
}
