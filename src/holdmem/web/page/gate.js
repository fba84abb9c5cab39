// While a new table is being prepared, answers of the old one may still come. They are held back: whoever acted on
// them would act at a table that is gone.

/** @typedef {import("./types.js").PlayState} PlayState */

export function createGate() {
  /** @type {Set<string>} */
  const known = new Set();
  /** @type {PlayState[]} */
  let held = [];
  let pending = 0;

  return {
    /**
     * A new table was asked for.
     * @param {string} [sitting]  of the table that is left
     */
    leave(sitting) {
      if (sitting) known.add(sitting);
      pending += 1;
    },
    /**
     * Whether this state is of the table that was asked for last.
     * @param {PlayState} state
     */
    admits(state) {
      const { sitting } = state.table;
      if (!known.has(sitting)) {
        known.add(sitting);
        pending = Math.max(pending - 1, 0);
        held = [];
      }
      if (pending) held.push(state);
      return !pending;
    },
    /** A new table was refused: the states to go on with, unless another one is awaited. */
    refused() {
      pending = Math.max(pending - 1, 0);
      const kept = pending ? [] : held;
      if (!pending) held = [];
      return kept;
    },
    /** The connection is new, so nothing is awaited any more. */
    open() {
      pending = 0;
      held = [];
    },
    leaving: () => pending > 0,
  };
}
