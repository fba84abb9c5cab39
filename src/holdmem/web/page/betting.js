// Sizes of bets: what the preset buttons offer, and a slider whose steps grow with the amount.

/** @typedef {import("./types.js").Turn} Turn */

export const SLIDER = 1000;

/**
 * A legal total nearest to `total`.
 * @param {Turn} turn
 * @param {number} total
 * @returns {number}
 */
export function clamp(turn, total) {
  return Math.round(Math.min(Math.max(total, turn.min_raise_to), turn.max_raise_to));
}

/**
 * Total of a raise by a share of the pot, counted after the call.
 * @param {Turn} turn
 * @param {number} share
 * @returns {number}
 */
export function potShare(turn, share) {
  return turn.highest + share * (turn.pot + turn.to_call);
}

/**
 * A total as the field for amounts shows it: in chips, or in big blinds to a hundredth.
 * @param {number} total
 * @param {number} unit  chips of a big blind, or 0 for chips
 * @returns {number}
 */
export function typedAmount(total, unit) {
  return unit ? Math.round((100 * total) / unit) / 100 : total;
}

/**
 * The total that the field stands for. A total that was shown rounded stays what it was.
 * @param {number} typed
 * @param {number} shown  the total that the field was last set to
 * @param {number} unit
 * @returns {number}
 */
export function totalOf(typed, shown, unit) {
  return typed === typedAmount(shown, unit) ? shown : typed * (unit || 1);
}

/**
 * The preset sizes: in big blinds or multiples of the raise before the flop, shares of the pot after it.
 * @param {Turn} turn
 * @param {string} street
 * @param {number} bigBlind
 * @returns {{label: string, to: number}[]}
 */
export function presets(turn, street, bigBlind) {
  /** @type {[string, number][]} */
  const offered = street === "preflop"
    ? turn.highest <= bigBlind
      ? [["2.5 bb", 2.5 * bigBlind], ["3 bb", 3 * bigBlind], ["4 bb", 4 * bigBlind], ["pot", potShare(turn, 1)]]
      : [["2.5×", 2.5 * turn.highest], ["3×", 3 * turn.highest], ["4×", 4 * turn.highest], ["pot", potShare(turn, 1)]]
    : [["⅓ pot", potShare(turn, 1 / 3)], ["½ pot", potShare(turn, 1 / 2)], ["¾ pot", potShare(turn, 3 / 4)], ["pot", potShare(turn, 1)]];
  const legal = offered.map(([label, to]) => ({ label, to: Math.round(to) })).filter(({ to }) => to >= turn.min_raise_to && to < turn.max_raise_to);
  return [...legal, { label: "all-in", to: turn.max_raise_to }];
}

/**
 * @param {Turn} turn
 * @param {number} place  0 to SLIDER
 * @returns {number}
 */
export function amountAt(turn, place) {
  if (place <= 0) return turn.min_raise_to;
  if (place >= SLIDER) return turn.max_raise_to;
  const exact = turn.min_raise_to * (turn.max_raise_to / turn.min_raise_to) ** (place / SLIDER);
  const grain = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
  return clamp(turn, Math.round(exact / grain) * grain);
}

/**
 * @param {Turn} turn
 * @param {number} amount
 * @returns {number}
 */
export function placeOf(turn, amount) {
  if (turn.max_raise_to <= turn.min_raise_to) return 0;
  const share = Math.log(clamp(turn, amount) / turn.min_raise_to) / Math.log(turn.max_raise_to / turn.min_raise_to);
  return Math.round(SLIDER * share);
}

/**
 * One step of the wheel or an arrow key: a big blind, or half of one for small bets.
 * @param {Turn} turn
 * @param {number} amount
 * @param {number} steps
 * @param {number} bigBlind
 * @returns {number}
 */
export function stepped(turn, amount, steps, bigBlind) {
  const step = amount < 6 * bigBlind ? bigBlind / 2 : amount < 30 * bigBlind ? bigBlind : 5 * bigBlind;
  return clamp(turn, amount + steps * Math.max(1, step));
}
