// Cards that fly from the dealer and chips that move to the pot and to the winner, unless motion is unwanted.
import { element } from "./dom.js";
import { pileElement } from "./chips.js";

/** @typedef {import("./types.js").TableState} TableState */

const TIME = 260;

/** @returns {boolean} */
export const motionWanted = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * @param {HTMLElement[]} cards  where they end
 * @param {HTMLElement} from
 */
export function flyCards(cards, from) {
  if (!motionWanted()) return;
  const start = from.getBoundingClientRect();
  cards.forEach((card, place) => {
    const end = card.getBoundingClientRect();
    const move = `translate(${start.x + start.width / 2 - end.x}px, ${start.y - end.y}px) rotate(-20deg)`;
    card.animate([{ transform: move, opacity: 0 }, { transform: "none", opacity: 1 }], { duration: TIME, delay: place * 30, easing: "ease-out", fill: "backwards" });
  });
}

/**
 * A bet comes from the seat that makes it.
 * @param {HTMLElement} bet
 * @param {HTMLElement} seat
 */
export function slideBet(bet, seat) {
  if (!motionWanted()) return;
  const [start, end] = [seat.getBoundingClientRect(), bet.getBoundingClientRect()];
  const move = `translate(${start.x + start.width / 2 - end.x - end.width / 2}px, ${start.y + start.height / 2 - end.y - end.height / 2}px)`;
  bet.animate([{ transform: move, opacity: 0 }, { transform: "none", opacity: 1 }], { duration: TIME, easing: "ease-out" });
}

/**
 * Chips in front of the seats go to the pot when a street ends, and the pot to whoever won it.
 * @param {HTMLElement} section
 * @param {Map<number, DOMRect>} bets  where bets were
 * @param {TableState} state
 * @param {TableState} before
 * @param {(player: number) => HTMLElement|undefined} seatOf
 * @param {HTMLElement} pot
 */
export function flyChips(section, bets, state, before, seatOf, pot) {
  if (!motionWanted()) return;
  if (before.street !== state.street || (state.over && !before.over)) {
    for (const seat of before.seats) {
      const start = bets.get(seat.player);
      if (start && seat.bet) fly(section, start, pot.getBoundingClientRect(), seat.bet, state.big_blind, 0);
    }
  }
  if (!state.over || before.over) return;
  for (const seat of state.seats) {
    const box = seatOf(seat.player);
    if (seat.won && box) fly(section, pot.getBoundingClientRect(), box.getBoundingClientRect(), seat.won, state.big_blind, TIME);
  }
}

/**
 * @param {HTMLElement} section
 * @param {DOMRect} start
 * @param {DOMRect} end
 * @param {number} amount
 * @param {number} bigBlind
 * @param {number} delay
 */
function fly(section, start, end, amount, bigBlind, delay) {
  const origin = section.getBoundingClientRect();
  const ghost = element("span", { class: "ghost", "aria-hidden": "true" }, pileElement(amount, bigBlind));
  section.append(ghost);
  const at = (/** @type {DOMRect} */ box) => `translate(${box.x + box.width / 2 - origin.x - 11}px, ${box.y + box.height / 2 - origin.y - 11}px)`;
  const moving = ghost.animate([{ transform: at(start), opacity: 1 }, { transform: at(end), opacity: 1 }, { transform: at(end), opacity: 0 }], { duration: TIME * 1.6, delay, easing: "ease-in-out", fill: "both" });
  moving.onfinish = () => ghost.remove();
  moving.oncancel = () => ghost.remove();
}
