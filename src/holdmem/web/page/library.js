// What the page of one's own hands says and asks, without the document.
import { counted, percent } from "./format.js";

const MOST_AT_ONCE = 20_000; // hands that are reviewed without being asked for
const MOST_PROBLEMS = 3; // that are shown one by one
export const LARGEST = 512 * 2 ** 20; // bytes of a file; library.py has the same

/**
 * @typedef {object} HandFile
 * @property {string} id
 * @property {string} name
 * @property {number} bytes
 * @property {"ready"|"reading"|"waiting"|"refused"} state
 * @property {number} hands
 * @property {string} [problem]
 * @property {string} [hero]
 * @property {{name: string, hands: number, seen: number}[]} [players]
 * @property {{name: string, hands: number}[]} [games]
 * @property {number|null} [first]
 * @property {number|null} [last]
 * @property {{unread: Record<string, number>, duplicates: Record<string, number>, experimental: string[]}} [account]
 */

/** @typedef {{mean: number, low: number|null, high: number|null}} Interval */

/**
 * What there is to know of a file in one line.
 * @param {HandFile} file
 * @returns {string}
 */
export function fileWords(file) {
  if (file.state === "refused") return `not read: ${file.problem}`;
  if (file.state !== "ready") return file.hands ? `reading, ${counted(file.hands, "hand")} so far` : "waiting to be read";
  const games = (file.games ?? []).map((game) => game.name);
  const more = games.length > 2 ? ` and ${games.length - 2} more` : "";
  return [counted(file.hands, "hand"), games.slice(0, 2).join(", ") + more, dates(file), leftOut(file)].filter(Boolean).join("; ");
}

/**
 * @param {HandFile} file
 * @returns {string}
 */
export function leftOut(file) {
  const sum = (/** @type {Record<string, number>|undefined} */ counts) => Object.values(counts ?? {}).reduce((one, other) => one + other, 0);
  const unread = sum(file.account?.unread);
  const twice = sum(file.account?.duplicates);
  return [unread ? `${counted(unread, "hand")} left out${why(file.account?.unread ?? {})}` : "", twice ? `${counted(twice, "hand")} found twice` : ""].filter(Boolean).join(", ");
}

/**
 * The commonest reason.
 * @param {Record<string, number>} unread
 */
function why(unread) {
  const [first, ...others] = Object.entries(unread).sort(([, one], [, other]) => other - one);
  return ` (${others.length ? "mostly: " : ""}${first[0]})`;
}

/**
 * What could not be added, one line each.
 * @param {string[]} problems
 * @returns {string}
 */
export function problemWords(problems) {
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`and ${more} more could not be added`] : [])].join("\n");
}

/**
 * @param {HandFile} file
 * @returns {string}
 */
function dates(file) {
  if (!file.first || !file.last) return "";
  const [from, to] = [file.first, file.last].map((time) => new Date(time * 1000).toISOString().slice(0, 10));
  return from === to ? from : `${from} to ${to}`;
}

/**
 * "+4.2 ± 6.1", with a minus sign and not a hyphen; what is rounded to zero has no sign.
 * @param {Interval|null} rate
 * @param {number} [digits]
 * @returns {string}
 */
export function rateText(rate, digits = 1) {
  if (!rate) return "unknown";
  const shown = Math.abs(rate.mean).toFixed(digits);
  const mean = `${Number(shown) === 0 ? "" : rate.mean < 0 ? "−" : "+"}${shown}`;
  return rate.low === null || rate.high === null ? mean : `${mean} ± ${((rate.high - rate.low) / 2).toFixed(digits)}`;
}

/**
 * A rate without its sign, where words say which way it goes.
 * @param {Interval|null} rate
 */
export const sizeText = (rate) => rateText(rate).replace(/^[+−]/, "");

/**
 * What the interval of a rate allows to say.
 * @param {Interval|null} rate
 * @returns {string}
 */
export function verdict(rate) {
  if (!rate || rate.low === null || rate.high === null) return "too few hands to say more";
  if (rate.low > 0) return "a winner, as far as these hands go";
  if (rate.high < 0) return "a loser, as far as these hands go";
  return "may be luck: zero is inside the interval";
}

/**
 * @param {{value: number|null, low: number|null, high: number|null, of: number, odds?: boolean}} share
 * @returns {[string, string, string]} value, interval and opportunities
 */
export function shareWords(share) {
  const text = (/** @type {number|null} */ value) => (value === null ? "–" : share.odds ? value.toFixed(1) : `${(value * 100).toFixed(0)}%`);
  const ends = share.low === null || share.high === null ? "" : `${text(share.low)} to ${text(share.high)}`;
  return [text(share.value), ends, share.of.toLocaleString("en")];
}

/**
 * Two shares with as few digits as tell them apart: "2.4%" and "1.6%", not "2%" and "2%".
 * @param {number} one
 * @param {number} other
 * @returns {[string, string]}
 */
export function sharesApart(one, other) {
  const shown = (/** @type {number} */ digits) => /** @type {[string, string]} */ ([percent(one, digits), percent(other, digits)]);
  return [0, 1, 2].map(shown).find(([first, second]) => first !== second) ?? shown(0);
}

/**
 * What decisions cost beyond those of another player: "30.2 ± 16.7 more lost".
 * @param {Interval} cost
 * @returns {string}
 */
export const comparedWords = (cost) => `${sizeText(cost)} ${cost.mean < 0 ? "less" : "more"} lost`;

/**
 * @param {[number, number]|null} interval  of a cost
 * @returns {string}
 */
export function chanceWords(interval) {
  if (!interval || (interval[0] <= 0 && interval[1] >= 0)) return "may be chance: zero is inside the interval";
  return interval[0] > 0 ? "worse, by more than chance" : "better, by more than chance";
}

/**
 * How far a review is.
 * @param {{begun: boolean, done: number, total: number, first: unknown}} told
 * @returns {string}
 */
export function reviewWords(told) {
  if (!told.begun) return "To be reviewed when another review is done";
  if (told.total && told.done >= told.total) return "Reviewing: the dearest decisions once more";
  if (told.total) return `Reviewing: ${told.done.toLocaleString("en")} of ${counted(told.total, "hand")}`;
  return told.first ? "Reviewing" : "Reviewing: a model of the others, and first estimates";
}

/**
 * Whether a review begins without being asked for: of the player whose hands a file has, unless nobody's cards
 * are known, or there are so many hands that it would take long.
 * @param {HandFile|null} about
 * @param {string} player
 * @returns {boolean}
 */
export function isReviewedAtOnce(about, player) {
  const own = (about?.players ?? []).find((one) => one.name === player);
  return about?.hero === player && own !== undefined && own.seen > 0 && own.hands <= MOST_AT_ONCE;
}

/**
 * @param {string} search  of the address
 * @returns {{file: string|null, player: string|null}}
 */
export function askedFile(search) {
  const found = new URLSearchParams(search);
  const file = found.get("file");
  return { file: file && /^(own|[a-z0-9]{16})$/.test(file) ? file : null, player: found.get("player") };
}

/**
 * @param {string} file
 * @param {string|null} player
 * @returns {string} the address of its dashboard
 */
export function addressOf(file, player) {
  return `/hands?${new URLSearchParams(player === null ? { file } : { file, player })}`;
}

/**
 * @param {string} file
 * @param {{place: number, number: string|null}} hand
 * @returns {string} the address of its replay
 */
export function replayAddress(file, hand) {
  return file === "own" ? `/replay?own=${hand.number}` : `/replay?upload=${file}&number=${hand.place}`;
}
