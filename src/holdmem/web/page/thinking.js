// Whoever thinks for longer than a moment is seen to think.
import { byId, setText } from "./dom.js";

const MOMENT = 250;

/** @typedef {import("./types.js").TableState} TableState */

/** What the page is waiting for, in a line over the table. */
export function createWaiting() {
  let timer = 0;

  /** @param {string} text */
  function show(text) {
    clearTimeout(timer);
    setText(byId("waiting"), text);
    byId("waiting").hidden = !text;
    byId("waiting").classList.remove("brief");
  }

  return {
    show,
    /**
     * Show this unless an answer comes at once.
     * @param {string} text
     */
    later(text) {
      clearTimeout(timer);
      timer = setTimeout(() => { show(text); byId("waiting").classList.add("brief"); }, MOMENT);
    },
  };
}

/**
 * Who may be thinking once the person has acted.
 * @param {TableState} state
 * @returns {string}
 */
export function thinkers(state) {
  const others = state.seats.filter((seat) => !seat.you && (seat.in || state.over));
  return others.length === 1 ? `${others[0].name} is thinking…` : "The others are thinking…";
}
