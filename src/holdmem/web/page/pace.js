// States are shown one after another at the chosen pace.

/** @typedef {import("./types.js").PlayState} PlayState */

/**
 * @param {(state: PlayState) => void} show
 * @param {() => number} pace  milliseconds between two states
 */
export function createPace(show, pace) {
  /** @type {PlayState[]} */
  const waiting = [];
  let showing = false;

  function showNext() {
    const state = showing ? undefined : waiting.shift();
    if (!state) return;
    showing = true;
    show(state);
    const atOnce = !waiting.length && state.turn;
    setTimeout(() => { showing = false; showNext(); }, atOnce ? 0 : pace());
  }

  return {
    /** @param {PlayState} state  the next one; those of another table are forgotten */
    add(state) {
      if (waiting.length && waiting[0].table.sitting !== state.table.sitting) waiting.length = 0;
      waiting.push(state);
      showNext();
    },
    clear: () => { waiting.length = 0; },
    /** @returns {boolean} whether all have been shown, so that decisions are possible */
    done: () => !waiting.length,
  };
}
