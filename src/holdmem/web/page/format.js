// Numbers and actions in words. Nothing here touches the document.

/** @typedef {import("./types.js").Rate} Rate */

/**
 * @param {number} amount
 * @returns {string}
 */
export function chips(amount) {
  return amount.toLocaleString("en", { maximumFractionDigits: 2 });
}

/**
 * An amount in chips, or in big blinds where `unit` is a number of chips.
 * @param {number} amount
 * @param {number} [unit]  chips of a big blind, or 0 for chips
 * @returns {string}
 */
export function money(amount, unit = 0) {
  if (!unit) return chips(amount);
  const blinds = amount / unit;
  return `${blinds.toLocaleString("en", { maximumFractionDigits: Math.abs(blinds) < 100 ? 1 : 0 })} bb`;
}

/**
 * An amount where there is little room: three digits, as in "40.3k", from ten thousand on, and big blinds without their unit.
 * @param {number} amount
 * @param {number} [unit]
 * @returns {string}
 */
export function brief(amount, unit = 0) {
  if (unit) return money(amount, unit).replace(" bb", "");
  return amount < 10000 ? chips(amount) : amount.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 }).replace("K", "k");
}

/**
 * @param {number} amount
 * @param {number} [unit]
 * @param {typeof money} [words]  how the amount is written
 * @returns {string}
 */
export function signed(amount, unit = 0, words = money) {
  return (amount > 0 ? "+" : amount < 0 ? "−" : "") + words(Math.abs(amount), unit);
}

/**
 * @param {number} action  -1 folds, 0 checks or calls, more is the total of a bet or raise
 * @param {number} toCall
 * @param {number} [unit]
 * @param {string} [street]  after the flop, more where there is nothing to call is a bet
 * @returns {string}
 */
export function actionWords(action, toCall, unit = 0, street = "preflop") {
  if (action > 0) return `${toCall || street === "preflop" ? "raise to" : "bet"} ${money(action, unit)}`;
  return action < 0 ? "fold" : toCall ? `call ${money(toCall, unit)}` : "check";
}

/**
 * @param {Rate|null} rate
 * @returns {string}
 */
export function rateWords(rate) {
  if (!rate) return "";
  if (!rate.ci95) return "too few hands yet for a rate";
  const reach = (rate.ci95[1] - rate.ci95[0]) / 2;
  const digits = reach >= 1 ? 1 : reach >= 0.1 ? 2 : 3;
  return `${rate.mean >= 0 ? "+" : "−"}${Math.abs(rate.mean).toFixed(digits)} ± ${reach.toFixed(digits)} ${rate.unit} (95%)`;
}

/**
 * @param {number|null|undefined} share
 * @param {number} [digits]
 * @returns {string}
 */
export function percent(share, digits = 0) {
  return share === null || share === undefined ? "–" : `${(share * 100).toFixed(digits)}%`;
}

/**
 * A probability as explanations write it: a decimal only below 10%, and never rounded to none or all.
 * @param {number} share
 * @returns {string}
 */
export function sharePercent(share) {
  if (share > 0 && share < 0.01) return "less than 1%";
  if (share > 0.99 && share < 1) return "more than 99%";
  return percent(share, share < 0.1 ? 1 : 0).replace(".0%", "%");
}

/**
 * @param {number} count
 * @param {string} what
 * @returns {string}
 */
export function counted(count, what) {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/**
 * "you raise to 20", but "eqm raises to 20".
 * @param {string} name
 * @param {string} verb  in the third person
 * @returns {string}
 */
export function says(name, verb) {
  if (name !== "you") return `${name} ${verb}`;
  const [first, ...rest] = verb.split(" ");
  return ["You", first === "goes" ? "go" : first === "has" ? "have" : first.replace(/s(:?)$/, "$1"), ...rest].join(" ").replace(" and is all-in", " and are all-in");
}
