// An explanation as the page shows it, whichever version of the protocol sent it. Nothing here touches the document.
import { actionWords } from "./format.js";

/**
 * @typedef {object} ExplainedAction
 * @property {number} action
 * @property {string} words
 * @property {number} probability
 * @property {number|null} remembered
 * @property {number|null} worth
 */

/**
 * @typedef {object} Explained
 * @property {number} player
 * @property {string} street
 * @property {number} to_call
 * @property {number} pot
 * @property {number} action
 * @property {string} situation
 * @property {string} decision
 * @property {string[]} reasons
 * @property {ExplainedAction[]} actions
 * @property {string} measure
 * @property {{words: string, seat: number, decision: number}[]} hands
 * @property {{title: string, shares: (number|null)[]}[]} [grids]
 * @property {{what: string, weight: number|string, facts: Record<string, unknown>}[]} details
 */

/**
 * @param {any} said  a decision of `reasons`, `advice` or `summary`
 * @returns {Explained}
 */
export function explained(said) {
  if (said.actions) return said;
  const actions = said.chances.map((/** @type {any} */ one) => ({ action: one.action, words: actionWords(one.action, said.to_call, 0, said.street), probability: one.chance, remembered: null, worth: null }));
  actions.sort((/** @type {ExplainedAction} */ one, /** @type {ExplainedAction} */ other) => other.probability - one.probability);
  return { ...said, decision: "", reasons: said.words ? said.words.split("\n").filter(Boolean) : [], actions, measure: "", hands: [], details: said.grounds };
}

/**
 * What it would do: "fold", or "fold (60%) or raise to 40 or so (40%)"; raises of all sizes count as one.
 * @param {Explained} one
 * @returns {string}
 */
export function would(one) {
  const likely = one.actions.filter((action) => action.probability >= 0.005);
  const kinds = [...new Set(likely.map((action) => Math.sign(action.action)))].map((kind) => {
    const same = likely.filter((action) => Math.sign(action.action) === kind);
    const sum = same.reduce((total, action) => total + action.probability, 0);
    return { words: `${same[0].words}${same.length > 1 ? " or so" : ""}`, sum };
  });
  kinds.sort((first, second) => second.sum - first.sum);
  if (kinds.length === 1) return kinds[0].words;
  return kinds.map(({ words, sum }) => `${words} (${Math.round(sum * 100)}%)`).join(" or ");
}

/**
 * The explanation of a decision that was made. Where chance decided between several actions, it says what came out.
 * @param {Explained} one
 * @returns {Explained}
 */
export function asDrawn(one) {
  const done = one.actions.find((known) => known.action === one.action);
  if (!one.decision || !done || done.probability >= 0.995) return one;
  return { ...one, decision: `${one.decision} This time chance decided: ${done.words}.` };
}

/**
 * The action taken, in the words of the explanation where it names it.
 * @param {Explained} one
 * @param {number} action
 * @returns {string}
 */
export function wordsFor(one, action) {
  return one.actions.find((known) => known.action === action)?.words ?? actionWords(action, one.to_call, 0, one.street);
}
