// Steps of a replayed hand: which state is shown, what was done to reach it, what its player knew.

/** @typedef {import("./types.js").TableState & {odds: {to_call: number, pot: number, share: number}|null}} ReplayState */

/**
 * @typedef {object} Move
 * @property {number} step  the state after it
 * @property {string} street
 * @property {string} name
 * @property {string} text
 * @property {string[]} board  cards dealt just before it
 */

/**
 * The moves of a hand as a list.
 * @param {ReplayState[]} states
 * @param {(entry: import("./types.js").LogEntry) => string} words
 * @returns {Move[]}
 */
export function moves(states, words) {
  const last = states[states.length - 1];
  let dealt = 0;
  return last.log.map((entry, place) => {
    const before = states[place];
    const board = before.board.slice(dealt);
    dealt = before.board.length;
    const seat = last.seats.find((one) => one.player === entry.player);
    return { step: place + 1, street: entry.street, name: seat?.name ?? "", text: words(entry), board };
  });
}

/**
 * The step that a key leads to.
 * @param {string} key
 * @param {number} step
 * @param {ReplayState[]} states
 * @returns {number}
 */
export function stepFor(key, step, states) {
  const last = states.length - 1;
  const street = (/** @type {number} */ at) => states[Math.min(Math.max(at, 0), last)].street;
  if (key === "ArrowRight") return Math.min(step + 1, last);
  if (key === "ArrowLeft") return Math.max(step - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "ArrowDown") {
    let at = step;
    while (at < last && street(at) === street(step)) at += 1;
    return at;
  }
  if (key === "ArrowUp") {
    let at = Math.max(step - 1, 0);
    while (at > 0 && street(at - 1) === street(at)) at -= 1;
    return at;
  }
  return step;
}

/**
 * The state as a player may have seen it: cards of others hidden until the hand is over.
 * @param {ReplayState} state
 * @param {boolean} hidden
 * @returns {ReplayState}
 */
export function asSeen(state, hidden) {
  if (!hidden || state.over || !state.seats.some((seat) => seat.you)) return state;
  const seats = state.seats.map((seat) => (seat.you ? seat : { ...seat, cards: null, made: null, five: null, equity: null }));
  return { ...state, seats };
}

/**
 * @param {string} search  of the address
 * @returns {Record<string, string|number>}
 */
export function asked(search) {
  const found = new URLSearchParams(search);
  /** @type {Record<string, string|number>} */
  const wish = {};
  for (const name of ["own", "watched", "file", "number", "decision", "advice", "example"]) {
    const value = found.get(name);
    if (value !== null && /^\d{1,9}$/.test(value)) wish[name] = Number(value);
  }
  const match = found.get("match");
  if (match && /^[0-9a-f]{6,64}$/.test(match)) wish.match = match;
  const upload = found.get("upload");
  if (upload && /^[a-z0-9]{16}$/.test(upload)) wish.upload = upload;
  return wish;
}
