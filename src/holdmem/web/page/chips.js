// A pile of chips for an amount: a few discs whose colours stand for their value.
import { element } from "./dom.js";

/** Values in big blinds with the colours of their chips, largest first. */
/** @type {[number, string][]} */
const VALUES = [[100, "black"], [25, "purple"], [5, "green"], [1, "red"], [0.5, "blue"], [0, "white"]];
const MOST = 5;

/**
 * The chips of a pile from the bottom up, at most five: the largest that make up the amount.
 * @param {number} amount
 * @param {number} bigBlind
 * @returns {string[]}
 */
export function pile(amount, bigBlind) {
  /** @type {string[]} */
  const found = [];
  let rest = amount / bigBlind;
  for (const [value, colour] of VALUES) {
    while (found.length < MOST && value > 0 && rest >= value - 1e-9) {
      found.push(colour);
      rest -= value;
    }
  }
  return found.length ? found : amount > 0 ? ["white"] : [];
}

/**
 * @param {number} amount
 * @param {number} bigBlind
 * @returns {HTMLElement}
 */
export function pileElement(amount, bigBlind) {
  const made = element("span", { class: "pile", "aria-hidden": "true" });
  pile(amount, bigBlind).forEach((colour, place) => {
    const chip = element("i", { class: `chip ${colour}` });
    chip.style.bottom = `${place * 3}px`;
    made.append(chip);
  });
  return made;
}
