// What the values of a hand's decisions say, without the document.

/**
 * @typedef {object} ValuedAction
 * @property {number} code  -1 folds, 0 checks or calls, more is the total of a raise
 * @property {number} bb  expected value in big blinds from the decision on; a fold is worth 0
 * @property {number|null} error  its standard error
 * @property {string} [words]
 * @property {number} [reference]  how often the reference does it
 * @property {[number, number]|null} [others_bb]  its value under other models of the opponents
 */

/** @typedef {{seat: number, name: string, cells: (number|null)[], share: number, likely: string}} HeldRange */

/**
 * @typedef {object} Judged
 * @property {number} step  number of actions before the decision
 * @property {number} loss  big blinds lost against the best action
 * @property {number|null} error  its standard error
 * @property {number|null} [wide]  standard errors in half of a 95% interval; null where samples are too few
 * @property {ValuedAction[]} actions
 * @property {number} taken  place of the action taken in `actions`; its code where a review names it
 * @property {number} best
 * @property {boolean} [reviewed]  whether this is all that a review kept
 * @property {string} [street]
 * @property {number} [invested_bb]
 * @property {[number, number]|null} [others_bb]
 * @property {string[]} [reasons]
 * @property {HeldRange[]} [ranges]
 * @property {any} [why]
 * @property {string} [by]
 * @property {string} [assumptions]
 */

/** @typedef {{level: "best"|"open"|"small"|"loss"|"large", mark: string, words: string}} Grade */

const NORMAL = 1.96;
/** @type {Record<string, Grade>} */
const GRADES = {
  best: { level: "best", mark: "✓", words: "the best action" },
  open: { level: "open", mark: "≈", words: "not told apart from the best action" },
  small: { level: "small", mark: "?!", words: "a small loss" },
  loss: { level: "loss", mark: "?", words: "a loss" },
  large: { level: "large", mark: "??", words: "a large loss" },
};
/** Big blinds from which a clear loss is no longer small, and from which it is large. */
const [NOT_SMALL, LARGE] = [0.5, 2];

/**
 * Standard errors in half of a 95% interval: as the server says, or those of many samples.
 * @param {Judged} one
 * @returns {number}
 */
export const wideOf = (one) => (one.wide === undefined ? NORMAL : one.wide ?? Infinity);

/**
 * How good the action taken was; a loss counts only if it is more than chance.
 * @param {Judged} one
 * @returns {Grade}
 */
export function gradeOf(one) {
  if (one.error !== null && one.loss > 0 && (one.error === 0 || one.loss > wideOf(one) * one.error)) {
    return one.loss >= LARGE ? GRADES.large : one.loss >= NOT_SMALL ? GRADES.loss : GRADES.small;
  }
  return one.taken === one.best ? GRADES.best : GRADES.open;
}

/** @param {number} value  @param {number} [digits] */
const plain = (value, digits = 2) => (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits).replace("-", "−");

/**
 * "+1.25", with a minus sign and not a hyphen.
 * @param {number} value
 * @param {number} [digits]
 */
export function signedBlinds(value, digits = 2) {
  const text = plain(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/**
 * An amount with as many digits as say something: "+1.25", but "+95.8".
 * @param {number} value
 */
export const blinds = (value) => signedBlinds(value, digitsOf(value));

/** @param {number} value */
const digitsOf = (value) => (Math.abs(value) < 10 ? 2 : 1);

/**
 * "+1.25 ± 0.40", or "+1.25" where nothing was sampled.
 * @param {ValuedAction} action
 * @param {number} [wide]  standard errors in half of its interval
 * @returns {string}
 */
export function valueText(action, wide = NORMAL) {
  if (action.error === 0) return blinds(action.bb);
  if (action.error === null || !Number.isFinite(wide)) return `${blinds(action.bb)}, too few samples`;
  return `${blinds(action.bb)} ± ${plain(wide * action.error, digitsOf(action.bb))}`;
}

/**
 * The loss in words: "loses 4.64 ± 2.12 bb" or "the best action".
 * @param {Judged} one
 * @returns {string}
 */
export function lossWords(one) {
  const { level, words } = gradeOf(one);
  if (level === "best") return words;
  const digits = digitsOf(one.loss);
  const reach = one.error === null || (one.error && !Number.isFinite(wideOf(one))) ? "" : ` ± ${plain(one.error && wideOf(one) * one.error, digits)}`;
  const amount = `${plain(one.loss, digits)}${reach} bb`;
  return level === "open" ? `${words} (${amount})` : `loses ${amount}`;
}

/**
 * Everything known of the decisions of a hand by their step: valued ones, else what the review kept.
 * @param {{decisions: Judged[], stored: Judged[]}} told
 * @returns {Map<number, Judged>}
 */
export function bySteps(told) {
  const found = new Map(told.stored.map((one) => [one.step, fromReview(one)]));
  for (const one of told.decisions) found.set(one.step, one);
  return found;
}

/**
 * A decision as a review kept it: it names actions by their codes, and may know the loss alone.
 * @param {Judged} one
 * @returns {Judged}
 */
function fromReview(one) {
  const place = (/** @type {number} */ code) => one.actions.findIndex((action) => action.code === code);
  return { ...one, taken: one.actions.length ? place(one.taken) : 0, best: one.actions.length ? place(one.best) : 1, reviewed: true };
}

/**
 * The decision that a step shows: the one to be made, else the one just made.
 * @param {Map<number, Judged>} known
 * @param {number} step
 * @returns {Judged|null}
 */
export function decisionAt(known, step) {
  return known.get(step) ?? known.get(step - 1) ?? null;
}

/**
 * @typedef {object} Point  the result of the hand that can be expected, in big blinds
 * @property {number} step
 * @property {number} value
 * @property {number} reach  half of its 95% interval
 * @property {"best"|"taken"|"result"} kind
 */

/**
 * The expected result over the hand: before each decision with the best action, after it with the one taken,
 * and at the end what came of it.
 * @param {Iterable<Judged>} judged
 * @param {number} last  the last step
 * @param {number|null} net  the result in big blinds
 * @returns {Point[]}
 */
export function expectedResults(judged, last, net) {
  const valued = [...judged].filter((one) => one.invested_bb !== undefined).sort((one, other) => one.step - other.step);
  /** @type {Point[]} */
  const points = valued.flatMap((one) => [["best", one.best, one.step], ["taken", one.taken, one.step + 1]].map(([kind, place, step]) => {
    const action = one.actions[Number(place)];
    return { step: Number(step), value: action.bb - (one.invested_bb ?? 0), reach: Number.isFinite(wideOf(one)) ? wideOf(one) * (action.error ?? 0) : 0, kind: /** @type {"best"|"taken"} */ (kind) };
  }));
  if (net !== null && points.length) points.push({ step: last, value: net, reach: 0, kind: "result" });
  return points;
}

/**
 * How far the values of a hand are, in words; empty once there is nothing more to wait for.
 * @param {{state: string, stage?: string, total: number, decisions: unknown[], problem?: string}} told
 * @returns {string}
 */
export function progressWords(told) {
  if (told.state !== "running") return "";
  if (told.stage !== "valuing") return `${(told.stage ?? "valuing").replace(/^./, (letter) => letter.toUpperCase())} …`;
  return `Valuing decision ${Math.min(told.decisions.length + 1, told.total)} of ${told.total} …`;
}
