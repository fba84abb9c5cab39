// One seat at the table: two cards above a plate with name, stack and the last action.
import { showCards } from "./cards.js";
import { element, setText } from "./dom.js";
import { brief, money, percent, signed } from "./format.js";
import { portraitElement, showPortrait } from "./portrait.js";

/** @typedef {import("./types.js").SeatState} SeatState */
/** @typedef {import("./types.js").TableState} TableState */
/** @typedef {import("./types.js").Options} Options */

/**
 * @typedef {object} Statistics
 * @property {number} hands
 * @property {number} vpip
 * @property {number} pfr
 * @property {number|null} aggression
 */

/** @returns {HTMLElement} */
export function seatElement() {
  const line = element("p", { class: "line" }, element("abbr", { class: "position" }), element("span", { class: "stack" }));
  const words = element("div", { class: "facts" }, element("p", { class: "who" }), line, element("p", { class: "hud" }));
  const plate = element("div", { class: "plate" }, portraitElement(""), words);
  return element("li", { class: "seat" }, element("div", { class: "hole" }), plate);
}

/**
 * @param {HTMLElement} item
 * @param {SeatState} seat
 * @param {TableState} state
 * @param {Options} options
 * @param {Statistics|undefined} statistics
 */
export function showSeat(item, seat, state, options, statistics) {
  const winner = state.over && (seat.won ?? 0) > 0;
  const names = ["seat", !seat.in && "folded", seat.acting && "acting", seat.you && "you", winner && "winner", seat.all_in && !state.over && "all-in"];
  item.className = names.filter(Boolean).join(" ");
  showCards(part(item, ".hole"), visibleCards(seat, state, options));
  showPortrait(part(item, ".portrait"), seat.name);
  setText(part(item, ".who"), seat.name);
  setText(part(item, ".position"), state.over && seat.stack !== null ? "" : seat.position);
  part(item, ".position").setAttribute("title", POSITIONS[seat.position] ?? seat.position);
  showStack(item, seat, state, options);
  const hud = part(item, ".hud");
  setText(hud, options.statistics && statistics && statistics.hands ? hudLine(statistics) : "");
  hud.hidden = !hud.textContent;
}

/**
 * The stack, in fewer characters and then without the position where the plate is too narrow.
 * @param {HTMLElement} item
 * @param {SeatState} seat
 * @param {TableState} state
 * @param {Options} options
 */
function showStack(item, seat, state, options) {
  const stack = part(item, ".stack");
  const cut = () => stack.scrollWidth > stack.clientWidth;
  setText(stack, stackLine(seat, state, options));
  if (cut()) setText(stack, stackLine(seat, state, options, true));
  if (cut()) setText(part(item, ".position"), "");
}

/** @type {Record<string, string>} */
const POSITIONS = { BTN: "button", SB: "small blind", BB: "big blind", CO: "cutoff", HJ: "hijack", LJ: "lojack", UTG: "under the gun" };

/**
 * @param {SeatState} seat
 * @param {TableState} state
 * @param {Options} options
 * @returns {(string|null|undefined)[]}
 */
export function visibleCards(seat, state, options) {
  const unseen = !seat.in && !seat.you && (!state.over || options.hideFolded);
  if (unseen) return [undefined, undefined];
  return seat.cards ?? [null, null];
}

/**
 * Chips behind, or what was paid where stacks are unlimited; and the result once the hand is over.
 * @param {SeatState} seat
 * @param {TableState} state
 * @param {Options} options
 * @param {boolean} [narrow]  whether there is little room
 * @returns {string}
 */
export function stackLine(seat, state, options, narrow = false) {
  const words = narrow ? brief : money;
  const unit = options.bigBlinds ? state.big_blind : 0;
  const back = state.returned && state.returned.player === seat.player ? state.returned.amount : 0;
  const net = signed(seat.net ?? 0, unit, words) || "±0";
  if (seat.stack === null) return state.over ? net : seat.paid ? `in ${narrow ? "" : "for "}${words(seat.paid, unit)}` : "";
  const behind = words(seat.stack + (seat.won ?? 0) + back, unit);
  if (state.over) return `${behind} (${net})`;
  return seat.all_in ? "all-in" : behind;
}

/**
 * @param {Statistics} found
 * @returns {string}
 */
export function hudLine(found) {
  const aggression = found.aggression === null ? "–" : found.aggression.toFixed(1);
  return `${percent(found.vpip)} / ${percent(found.pfr)} / ${aggression}`;
}

/**
 * @param {HTMLElement} item
 * @param {string} selector
 * @returns {HTMLElement}
 */
function part(item, selector) {
  return /** @type {HTMLElement} */ (item.querySelector(selector));
}
