// A pile of chips for an amount: a few discs whose colours stand for their value.
import { element } from "./dom.js";

/** Values in big blinds with the colours of their chips, largest first. */
/** @type {[number, string][]} */
const VALUES = [[100, "black"], [25, "purple"], [5, "green"], [1, "red"], [0.5, "blue"], [0, "white"]];
const MOST = 5;

/**
 * The chips of a pile from the bottom up, the largest that make up the amount.
 * @param {number} amount
 * @param {number} bigBlind
 * @param {number} [most]
 * @returns {string[]}
 */
export function pile(amount, bigBlind, most = MOST) {
  /** @type {string[]} */
  const found = [];
  let rest = amount / bigBlind;
  for (const [value, colour] of VALUES) {
    while (found.length < most && value > 0 && rest >= value - 1e-9) {
      found.push(colour);
      rest -= value;
    }
  }
  return found.length ? found : amount > 0 ? ["white"] : [];
}

/**
 * The chips of a pot as up to three piles side by side, one for each colour.
 * @param {number} amount
 * @param {number} bigBlind
 * @returns {string[][]}
 */
export function piles(amount, bigBlind) {
  const chips = pile(amount, bigBlind, 3 * MOST);
  const colours = [...new Set(chips)].slice(0, 3);
  return colours.map((colour) => chips.filter((chip) => chip === colour).slice(0, MOST));
}

/**
 * @param {number} amount
 * @param {number} bigBlind
 * @returns {HTMLElement}
 */
export function pileElement(amount, bigBlind) {
  return stacked(pile(amount, bigBlind));
}

/**
 * @param {number} amount
 * @param {number} bigBlind
 * @returns {HTMLElement}
 */
export function pilesElement(amount, bigBlind) {
  return element("span", { class: "piles", "aria-hidden": "true" }, ...piles(amount, bigBlind).map(stacked));
}

/**
 * @param {string[]} chips  from the bottom up
 * @returns {HTMLElement}
 */
function stacked(chips) {
  const made = element("span", { class: "pile", "aria-hidden": "true" });
  chips.forEach((colour, place) => {
    const chip = element("i", { class: `chip ${colour}` });
    chip.style.bottom = `${place * 4}px`;
    made.append(chip);
  });
  return made;
}
