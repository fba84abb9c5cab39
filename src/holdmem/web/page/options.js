// How the person likes the table shown; kept by the browser.
import { button, byId, input, select } from "./dom.js";

/** @typedef {import("./types.js").Options} Options */

/** @type {Options} */
export const USUAL = { fourColours: true, bigBlinds: false, animate: true, autoDeal: false, hideFolded: false, statistics: false, pace: 550 };
const KEY = "holdmem-options";

/**
 * Options as kept, with the usual value for whatever is missing or not of its type.
 * @param {string|null} text
 * @returns {Options}
 */
export function readOptions(text) {
  /** @type {Record<string, unknown>} */
  let kept = {};
  try {
    kept = JSON.parse(text ?? "{}") ?? {};
  } catch { /* the usual ones */ }
  const entries = Object.entries(USUAL).map(([name, value]) => [name, typeof kept[name] === typeof value ? kept[name] : value]);
  return /** @type {Options} */ (Object.fromEntries(entries));
}

/**
 * The options and their dialog, where the page has one; `changed` is told about every change.
 * @param {(options: Options) => void} changed
 * @returns {Options}
 */
export function setUpOptions(changed) {
  const options = readOptions(stored());
  for (const name of Object.keys(USUAL)) {
    const id = `option-${name}`;
    if (!document.getElementById(id)) continue;
    const key = /** @type {keyof Options} */ (name);
    const box = name === "pace" ? null : input(id);
    if (box) box.checked = Boolean(options[key]);
    else select(id).value = String(options.pace);
    byId(id).addEventListener("change", () => {
      Object.assign(options, { [name]: box ? box.checked : Number(select(id).value) });
      try { localStorage.setItem(KEY, JSON.stringify(options)); } catch { /* kept for this page only */ }
      changed(options);
    });
  }
  const dialog = /** @type {HTMLDialogElement} */ (byId("options"));
  byId("open-options").addEventListener("click", () => dialog.showModal());
  button("open-options").disabled = false; // until here a click would have been lost
  byId("options-close").addEventListener("click", () => dialog.close());
  return options;
}

/** @returns {string|null} */
function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
