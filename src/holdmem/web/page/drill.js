// What the trainer says, without the document.
import { money, percent } from "./format.js";

/**
 * @typedef {object} DrillAnswer
 * @property {number} code
 * @property {string} words
 * @property {boolean} [right]
 * @property {number} [value]  expected value in big blinds, where it is known
 * @property {number} [value_error]
 * @property {number} [loss]
 * @property {number} [error]
 * @property {number} [share]  how often the expert does it, where that is what is judged
 */

/** @typedef {{made: number, opportunities: number, value: number|null, ci95: [number, number]|null}} DrillShare */
/** @typedef {{mean: number, low: number|null, high: number|null, of: number}} DrillMean */
/** @typedef {{answers: number, right: DrillShare, first_right: DrillShare, lost: DrillMean|null, agreed: DrillMean|null}} DrillScore */

const NORMAL = 1.96;

/**
 * The words of an answer; amounts in big blinds where `unit` is a number of chips.
 * @param {DrillAnswer} answer
 * @param {number} toCall
 * @param {number} unit
 * @returns {string}
 */
export function answerWords(answer, toCall, unit) {
  if (!unit || answer.code < 0) return capital(answer.words);
  if (!answer.code) return toCall ? `Call ${money(toCall, unit)}` : "Check";
  const all = answer.words.endsWith("all-in") ? " all-in" : "";
  return `${answer.words.startsWith("bet") ? "Bet" : "Raise to"} ${money(answer.code, unit)}${all}`;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * "0.42 ± 0.20 bb", or "0.42 bb" where it is exact. A loss below zero is chance: nothing was lost.
 * @param {number} loss
 * @param {number} error
 */
export function lossText(loss, error) {
  const shown = Math.max(0, loss).toFixed(2);
  return error ? `${shown} ± ${(NORMAL * error).toFixed(2)} bb` : `${shown} bb`;
}

/**
 * @param {number} value
 * @param {number} error
 */
export function valueText(value, error) {
  const size = Math.abs(value).toFixed(2);
  const shown = `${Number(size) === 0 ? "" : value < 0 ? "−" : "+"}${size}`;
  return error ? `${shown} ± ${(NORMAL * error).toFixed(2)}` : shown;
}

/**
 * What is said at once about an answer.
 * @param {{judge: string, right: boolean, code: number, chosen: DrillAnswer, answers: DrillAnswer[], best: number}} told
 * @param {(answer: DrillAnswer) => string} words
 * @returns {string}
 */
export function verdictWords(told, words) {
  const best = told.answers[told.best];
  const said = words(told.chosen);
  if (told.judge === "agreement") {
    const share = percent(told.chosen.share ?? 0);
    if (told.code === best.code) return `Right: ${said} is what the experts do most (${share}).`;
    return `${told.right ? "Fine" : "Not what the experts do"}: ${said} ${share}, ${words(best)} ${percent(best.share ?? 0)}.`;
  }
  if (told.code === best.code) return `Right: ${said} is best.`;
  const lost = lossText(told.chosen.loss ?? 0, told.chosen.error ?? 0);
  if (told.right) return `Right: ${said} is not clearly worse than ${words(best)} (loses ${lost}).`;
  return `${said} loses ${lost}. Best: ${words(best)}.`;
}

/**
 * "73% (57% to 85%)"
 * @param {DrillShare} share
 */
export function shareText(share) {
  if (share.value === null || !share.ci95) return "–";
  return `${percent(share.value)} (${percent(share.ci95[0])} to ${percent(share.ci95[1])})`;
}

/**
 * The score in lines, with intervals.
 * @param {DrillScore} score
 * @returns {string[]}
 */
export function scoreLines(score) {
  if (!score.answers) return ["No answer yet."];
  const lines = [`Right: ${shareText(score.right)} of ${score.answers.toLocaleString("en")}`];
  if (score.first_right.opportunities < score.answers) lines.push(`At first sight: ${shareText(score.first_right)} of ${score.first_right.opportunities.toLocaleString("en")}`);
  if (score.lost) lines.push(`Lost per answer: ${meanText(score.lost, 2, " bb")}`);
  if (score.agreed) lines.push(`Share of the experts: ${meanText({ ...score.agreed, mean: score.agreed.mean * 100, low: score.agreed.low === null ? null : score.agreed.low * 100, high: score.agreed.high === null ? null : score.agreed.high * 100 }, 0, "%")}`);
  return lines;
}

/**
 * @param {DrillMean} mean
 * @param {number} digits
 * @param {string} unit
 */
function meanText(mean, digits, unit) {
  const shown = mean.mean.toFixed(digits).replace("-", "−");
  return mean.low === null || mean.high === null ? `${shown}${unit} (too few for an interval)` : `${shown} ± ${((mean.high - mean.low) / 2).toFixed(digits)}${unit}`;
}

/**
 * When a spot is asked again.
 * @param {number} seconds
 * @returns {string}
 */
export function againWords(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `again in ${minutes} minutes`;
  const days = Math.round(seconds / 86400);
  return days === 1 ? "again in a day" : `again in ${days} days`;
}

/**
 * How many spots of a deck are due, new and for later.
 * @param {{due: number, new: number, later: number}} deck
 */
export function deckWords(deck) {
  return [deck.due ? `${deck.due} due` : "", deck.new ? `${deck.new} new` : "", deck.later ? `${deck.later} later` : ""].filter(Boolean).join(", ");
}

/**
 * The answer that a key gives: its place, or -1.
 * @param {string} key
 * @param {DrillAnswer[]} answers
 * @returns {number}
 */
export function answerFor(key, answers) {
  if (/^[1-9]$/.test(key)) return Number(key) <= answers.length ? Number(key) - 1 : -1;
  const letter = key.toLowerCase();
  if (letter === "f") return answers.findIndex((one) => one.code < 0);
  if (letter === "c" || letter === "k") return answers.findIndex((one) => one.code === 0);
  return letter === "r" ? answers.findIndex((one) => one.code > 0) : -1;
}

/**
 * @param {string} search  of the address
 * @returns {string|null}
 */
export function askedDeck(search) {
  const deck = new URLSearchParams(search).get("deck");
  return deck && /^[a-z0-9]{16}$/.test(deck) ? deck : null;
}

const PLACES = [["SB", "small blind"], ["BB", "big blind"], ["UTG", "under the gun"], ["UTG+1", "UTG+1"], ["UTG+2", "UTG+2"], ["UTG+3", "UTG+3"], ["UTG+4", "UTG+4"], ["LJ", "lojack"], ["HJ", "hijack"], ["CO", "cutoff"], ["BTN", "button"]];

/**
 * Positions of a table in the order in which they act after the flop.
 * @param {number} seats
 * @returns {[string, string][]}
 */
export function positionsAt(seats) {
  const known = /** @type {[string, string][]} */ (PLACES);
  if (seats === 2) return known.filter(([name]) => name === "BB" || name === "BTN");
  const between = seats - 3;
  const late = ["LJ", "HJ", "CO"];
  const some = between < 3 ? late.slice(3 - between) : between === 3 ? ["UTG", "HJ", "CO"] : [...["UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4"].slice(0, between - 3), ...late];
  const there = new Set(["SB", "BB", "BTN", ...some]);
  return known.filter(([name]) => there.has(name));
}

/** What can be faced, before and after the flop. */
export const FACING = [["no raise", "a raise", "a 3-bet", "a 4-bet or more"], ["no bet", "a bet", "a raise", "a re-raise or more"]];
