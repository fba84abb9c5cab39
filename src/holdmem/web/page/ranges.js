// What a player can hold, as a grid of the 169 starting hands: pairs on the diagonal, suited above it.
import { element } from "./dom.js";
import { percent } from "./format.js";

/** @typedef {import("./judged.js").HeldRange} HeldRange */

const RANKS = "AKQJT98765432";
export const CLASSES = Array.from({ length: 169 }, (_, place) => {
  const [row, column] = [Math.floor(place / 13), place % 13];
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
});

/**
 * @param {HeldRange} range
 * @returns {HTMLElement}
 */
export function rangeGrid(range) {
  const words = `${range.name} has ${percent(range.share)} of all hands left; likeliest: ${range.likely}`;
  const grid = element("div", { class: "range-grid", role: "img", "aria-label": words });
  range.cells.forEach((weight, place) => {
    const share = weight === null ? "not possible" : percent(weight);
    const cell = element("span", { class: weight === null ? "gone" : "", text: weight === null ? "" : CLASSES[place], title: `${CLASSES[place]}: ${share}` });
    cell.style.setProperty("--weight", String(weight ?? 0));
    grid.append(cell);
  });
  return grid;
}

/**
 * How to read the grid, which is green in both colour schemes.
 * @param {HeldRange} range
 * @returns {string}
 */
export function rangeWords(range) {
  const gone = range.cells.includes(null) ? " Striped: not possible, their cards are elsewhere." : "";
  return `${percent(range.share)} of all hands left; the greener, the likelier.${gone} Likeliest: ${range.likely}.`;
}

/**
 * The ranges of all opponents left, one at a time.
 * @param {HeldRange[]} ranges
 * @param {string} chosen  name of the one shown first
 * @param {(name: string) => void} choose
 * @returns {HTMLElement}
 */
export function rangesView(ranges, chosen, choose) {
  const place = element("section", { class: "held", "aria-label": "What the others can hold" }, element("h3", { text: "What the others can hold" }));
  if (!ranges.length) return place;
  // Whoever has acted is told apart from the rest; those who have not can hold anything.
  const first = ranges.find((one) => one.name === chosen) ?? [...ranges].sort((one, other) => one.share - other.share)[0];
  const shown = element("div", {});
  const tabs = element("div", { class: "choices-row", role: "group", "aria-label": "Opponent" });
  /** @param {HeldRange} one */
  const show = (one) => {
    for (const button of tabs.children) button.setAttribute("aria-pressed", String(button.getAttribute("data-name") === one.name));
    shown.replaceChildren(rangeGrid(one), element("p", { class: "hint", text: rangeWords(one) }));
  };
  for (const one of ranges) {
    const button = element("button", { type: "button", "data-name": one.name, "aria-pressed": "false", text: one.name });
    button.addEventListener("click", () => { choose(one.name); show(one); });
    tabs.append(button);
  }
  show(first);
  place.append(tabs, shown);
  return place;
}
