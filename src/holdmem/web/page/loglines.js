// The hand as a hand history tells it, line by line. Lines only grow with the hand, so a page can append them.
import { money, says, signed } from "./format.js";

/** @typedef {import("./types.js").TableState} TableState */

/**
 * @typedef {object} LogLine
 * @property {"hand"|"street"|"post"|"action"|"result"} kind
 * @property {string} text
 * @property {string[]} cards  shown as faces after the text
 * @property {boolean} mine
 */

const STREETS = ["preflop", "flop", "turn", "river"];
const CARDS = [0, 3, 4, 5];
/** @type {Record<string, string>} */
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };

/**
 * @param {TableState} state
 * @param {{unit?: number, hideFolded?: boolean}} [options]
 * @returns {LogLine[]}
 */
export function logLines(state, { unit = 0, hideFolded = false } = {}) {
  const names = new Map(state.seats.map((seat) => [seat.player, seat.name]));
  const name = (/** @type {number} */ player) => names.get(player) ?? "someone";
  /** @type {LogLine[]} */
  const lines = [line("hand", `Hand ${state.hand + 1}`)];
  for (const post of state.posts) lines.push(line("post", says(name(post.player), `posts ${post.kind} ${money(post.amount, unit)}`), [], name(post.player)));
  const own = state.seats.find((seat) => seat.you);
  if (own?.cards) lines.push(line("post", "Dealt to you", /** @type {string[]} */ (own.cards), "you"));
  STREETS.forEach((street, number) => {
    const entries = state.log.filter((entry) => entry.street === street);
    const dealt = state.board.length >= CARDS[number] && number > 0;
    if (dealt) lines.push(line("street", street.charAt(0).toUpperCase() + street.slice(1), state.board.slice(0, CARDS[number])));
    for (const entry of entries) lines.push(line("action", says(name(entry.player), actionText(entry, unit)), [], name(entry.player)));
  });
  return state.over ? [...lines, ...resultLines(state, unit, hideFolded)] : lines;
}

/**
 * @param {TableState["log"][0]} entry
 * @param {number} unit
 * @returns {string}
 */
export function actionText(entry, unit) {
  const end = entry.all_in ? " and is all-in" : "";
  if (entry.kind === "fold" || entry.kind === "check") return `${entry.kind}s`;
  if (entry.kind === "raise") return `raises to ${money(entry.to, unit)}${end}`;
  return `${entry.kind}s ${money(entry.amount, unit)}${end}`;
}

/**
 * @param {TableState} state
 * @param {number} unit
 * @param {boolean} hideFolded
 * @returns {LogLine[]}
 */
function resultLines(state, unit, hideFolded) {
  /** @type {LogLine[]} */
  const lines = [];
  const name = (/** @type {number} */ player) => state.seats.find((seat) => seat.player === player)?.name ?? "someone";
  if (state.returned) lines.push(line("result", `${money(state.returned.amount, unit)} returned to ${name(state.returned.player)}`));
  for (const seat of state.seats) {
    const shown = state.showdown && seat.in;
    const had = !shown && !seat.you && seat.cards && !(hideFolded && !seat.in);
    if (!seat.cards || !(shown || had) || seat.cards.includes(null)) continue;
    const made = shown && seat.made ? `: ${seat.made}` : "";
    lines.push(line("result", says(seat.name, `${shown ? "shows" : "had"}${made}`), /** @type {string[]} */ (seat.cards), seat.name));
  }
  for (const seat of state.seats) {
    if (seat.won) lines.push(line("result", says(seat.name, `wins ${money(seat.won, unit)} (${signed(seat.net ?? 0, unit) || "±0"})`), [], seat.name));
  }
  return lines;
}

/**
 * How a hand ended in a line: who won what with which hand, and what it cost the person.
 * @param {TableState} state
 * @param {number} [unit]
 * @returns {string}
 */
export function outcomeLine(state, unit = 0) {
  if (!state.over) return "";
  const winners = state.seats.filter((seat) => seat.won);
  const told = winners.map((seat) => says(seat.name, `wins ${money(seat.won ?? 0, unit)}`)).join(", ");
  const made = state.showdown && winners.length === 1 && winners[0].made ? `: ${winners[0].made}` : "";
  const own = state.seats.find((seat) => seat.you)?.net ?? 0;
  return `${told}${made}.${own < 0 ? ` You lose ${money(-own, unit)}.` : ""}`;
}

/**
 * A line without pictures: the cards follow as "A♥ K♦".
 * @param {LogLine} line
 * @returns {string}
 */
export function lineText({ text, cards }) {
  return [text, ...cards.map((card) => `${card[0] === "T" ? "10" : card[0]}${SUITS[card[1]]}`)].join(" ");
}

/**
 * @param {LogLine["kind"]} kind
 * @param {string} text
 * @param {string[]} [cards]
 * @param {string} [by]
 * @returns {LogLine}
 */
function line(kind, text, cards = [], by = "") {
  return { kind, text, cards, mine: by === "you" };
}
