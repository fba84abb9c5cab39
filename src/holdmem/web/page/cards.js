// Playing cards: faces made of a rank and drawn suits, backs and empty places.
import { element } from "./dom.js";

/** @type {Record<string, [string, string]>} */
const SUITS = { c: ["clubs", "green"], d: ["diamonds", "blue"], h: ["hearts", "red"], s: ["spades", "black"] };
/** @type {Record<string, string>} */
const RANKS = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine" };
/** @type {Record<string, string>} */
export const SUIT_PATHS = {
  h: "M10 18C4.5 13.4 1.2 10.4 1.2 6.7 1.2 4 3.3 2 5.8 2c1.7 0 3.3.9 4.2 2.4C10.9 2.900 12.500 2 14.200 2c2.500 0 4.600 2 4.600 4.700 0 3.700-3.300 6.700-8.800 11.300z",
  d: "M10 1.200 17 10l-7 8.800L3 10z",
  s: "M10 1.200c3 3.600 8.200 6.300 8.200 10.300 0 2.300-1.800 4-4 4-1.300 0-2.400-.6-3.100-1.500.2 1.900.8 3.400 2.100 4.800H6.800c1.300-1.400 1.900-2.900 2.100-4.800-.7.9-1.800 1.500-3.100 1.500-2.200 0-4-1.700-4-4C1.800 7.500 7 4.800 10 1.200z",
  c: "M10 1.200a4.100 4.100 0 0 1 3.300 6.500 4.100 4.100 0 1 1-2.200 6.700c.2 1.700.8 3.100 2.100 4.400H6.800c1.300-1.300 1.900-2.700 2.100-4.400a4.100 4.100 0 1 1-2.200-6.700A4.100 4.100 0 0 1 10 1.200z",
};
const SPACE = "http://www.w3.org/2000/svg";

/**
 * @param {string} card
 * @returns {string}
 */
export function cardName(card) {
  return `${RANKS[card[0]]} of ${SUITS[card[1]][0]}`;
}

/**
 * @param {string} letter
 * @returns {SVGElement}
 */
export function suitElement(letter) {
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SPACE, "path");
  path.setAttribute("d", SUIT_PATHS[letter]);
  svg.append(path);
  return svg;
}

/**
 * A card face up; face down for null; an empty place for undefined.
 * @param {string|null|undefined} card
 * @returns {HTMLElement}
 */
export function cardElement(card) {
  if (card === undefined) return element("span", { class: "card empty", "aria-hidden": "true" });
  if (card === null) return element("span", { class: "card back", role: "img", "aria-label": "hidden card", "data-card": "?" });
  const made = element("span", { class: `card ${SUITS[card[1]][1]}`, role: "img", "aria-label": cardName(card), "data-card": card });
  const rank = card[0] === "T" ? "10" : card[0];
  made.append(element("b", { text: rank, "aria-hidden": "true" }), suitElement(card[1]), suitElement(card[1]));
  return made;
}

/**
 * Show these cards in a container, keeping the elements of cards that are already there.
 * @param {HTMLElement} holder
 * @param {(string|null|undefined)[]} cards
 */
export function showCards(holder, cards) {
  cards.forEach((card, place) => {
    const old = /** @type {HTMLElement|undefined} */ (holder.children[place]);
    const wanted = card === undefined ? undefined : card ?? "?";
    if (old && old.dataset.card === wanted) return;
    const made = cardElement(card);
    if (old) old.replaceWith(made);
    else holder.append(made);
  });
  while (holder.children.length > cards.length) holder.lastChild?.remove();
}

/**
 * Cards within a line of text, each as a small face.
 * @param {string[]} cards
 * @returns {HTMLElement}
 */
export function inlineCards(cards) {
  return element("span", { class: "inline-cards" }, ...cards.map(cardElement));
}
