// What the page of all sessions says, without the document.
import { counted } from "./format.js";

/** @typedef {import("./library.js").Interval} Interval */

/**
 * @typedef {object} SessionRow
 * @property {string} name
 * @property {number} hands
 * @property {number} bb
 * @property {Interval|null} won
 * @property {Interval|null} less_luck
 * @property {number} aivat  hands whose luck AIVAT removed
 * @property {number} adjusted  hands whose all-in was shared by equity
 * @property {number} all_ins  all-ins in hands without AIVAT
 * @property {string} [address]
 * @property {number|null} [first]
 * @property {number|null} [last]
 * @property {number} [unknown]
 */

/**
 * How luck was removed from some hands.
 * @param {Pick<SessionRow, "hands"|"aivat"|"adjusted"|"all_ins">} row
 * @returns {string}
 */
export function methodWords(row) {
  const adjusted = row.adjusted ? `${row.adjusted.toLocaleString("en")} of ${counted(row.all_ins, "all-in")} adjusted` : "no all-in with all cards known";
  if (!row.aivat) return adjusted;
  if (row.aivat === row.hands) return "AIVAT";
  return `AIVAT in ${counted(row.aivat, "hand")}; ${adjusted}`;
}

/**
 * What the winnings without luck are called: luck is removed by AIVAT somewhere, or all-ins are adjusted alone.
 * @param {Pick<SessionRow, "aivat">} total
 * @returns {string}
 */
export const lessLuckWords = (total) => (total.aivat ? "luck removed" : "all-ins adjusted");

/**
 * Winnings in big blinds, with a sign.
 * @param {number} bb
 */
export function wonText(bb) {
  const shown = Math.abs(bb).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return shown === "0.0" ? shown : `${bb < 0 ? "−" : "+"}${shown}`;
}

/**
 * @param {SessionRow} row
 * @returns {string}
 */
export function whenWords(row) {
  if (!row.first) return "–";
  return new Date(row.first * 1000).toISOString().slice(0, 10);
}
