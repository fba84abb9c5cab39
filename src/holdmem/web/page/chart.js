// Curves in an SVG, with axes, a zero line and, where given, a band around each.
export const SPACE = "http://www.w3.org/2000/svg";
export const COLOURS = ["#2a9d6f", "#d1495b", "#3d7ea6", "#e2a03f", "#7b5ea7", "#4f9d9d", "#b56576", "#8d99ae", "#90a955", "#c77dff"];

/**
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 * @param {string} [text]
 * @returns {SVGElement}
 */
export function shape(tag, attributes, text) {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/**
 * Round numbers that divide a range into about `count` parts.
 * @param {number} low
 * @param {number} high
 * @param {number} [count]
 * @returns {number[]}
 */
export function ticks(low, high, count = 4) {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => (first + place) * step + 0);
}

/** @param {number} value */
const signedTick = (value) => value.toLocaleString("en").replace("-", "−");

/**
 * The room that the labels of an axis take, at least 52: characters of the page's ticks are up to 6.8 wide.
 * @param {string[]} labels
 * @returns {number}
 */
export function labelRoom(labels) {
  return Math.max(52, Math.ceil(6.8 * Math.max(0, ...labels.map((label) => label.length))) + 8);
}

/**
 * @typedef {object} Curve
 * @property {number[]} values  evenly spaced from the first to the last hand
 * @property {([number, number]|null)[]} [band]  low and high for each value; null where there is none
 */

/**
 * The outline of a band: along its low ends and back along its high ones, as places with values.
 * @param {([number, number]|null)[]} band
 * @returns {[number, number][]}
 */
export function bandEdge(band) {
  const known = band.flatMap((ends, index) => (ends ? [{ index, ends }] : []));
  if (known.length < 2) return [];
  return [...known.map(({ index, ends }) => /** @type {[number, number]} */ ([index, ends[0]])), ...known.reverse().map(({ index, ends }) => /** @type {[number, number]} */ ([index, ends[1]]))];
}

/**
 * @param {SVGElement} svg
 * @param {Curve[]} curves
 * @param {{width: number, height: number, hands: number, unit: string}} size
 */
export function drawCurves(svg, curves, { width, height, hands, unit }) {
  const [right, top, bottom] = [8, 10, 26];
  const all = curves.flatMap((curve) => [...curve.values, ...(curve.band ?? []).flatMap((ends) => ends ?? [])]);
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  const span = high > low ? high - low : 1;
  const left = labelRoom(ticks(low, high).map(signedTick));
  const y = (/** @type {number} */ value) => top + ((high - value) / span) * (height - top - bottom);
  const x = (/** @type {number} */ share) => left + share * (width - left - right);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  for (const value of ticks(low, high)) {
    svg.append(shape("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: value ? "grid" : "zero" }));
    svg.append(shape("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end", class: "tick" }, signedTick(value)));
  }
  for (const value of hands ? ticks(0, hands, 4).slice(0, -1) : []) {
    svg.append(shape("text", { x: x(value / hands), y: height - 8, "text-anchor": "middle", class: "tick" }, signedTick(value)));
  }
  svg.append(shape("text", { x: width - right, y: height - 8, "text-anchor": "end", class: "tick label" }, "hands"), shape("text", { x: 2, y: height - 8, class: "tick label" }, unit));
  curves.forEach((curve, number) => {
    const place = (/** @type {number} */ index) => x(index / Math.max(curve.values.length - 1, 1));
    const colour = COLOURS[number % COLOURS.length];
    const edge = bandEdge(curve.band ?? []);
    if (edge.length) svg.append(shape("polygon", { points: edge.map(([index, value]) => `${place(index).toFixed(1)},${y(value).toFixed(1)}`).join(" "), fill: colour, opacity: 0.15, class: "band" }));
    if (curve.values.length < 2) return;
    const points = curve.values.map((value, index) => `${place(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    svg.append(shape("polyline", { points, fill: "none", stroke: colour, "stroke-width": 2, "data-curve": number }));
  });
}

/**
 * A curve without axes, where there is no room for them.
 * @param {SVGElement} svg  of 300 by 60
 * @param {number[]} values
 */
export function drawBankroll(svg, values) {
  const low = Math.min(0, ...values);
  const span = Math.max(0, ...values) - low || 1;
  const y = (/** @type {number} */ value) => 57 - ((value - low) / span) * 54;
  const points = values.map((value, place) => `${((place * 300) / Math.max(values.length - 1, 1)).toFixed(1)},${y(value).toFixed(1)}`);
  svg.replaceChildren(shape("line", { x1: 0, x2: 300, y1: y(0), y2: y(0), class: "zero", "vector-effect": "non-scaling-stroke" }));
  if (points.length > 1) svg.append(shape("polyline", { points: points.join(" "), fill: "none", stroke: COLOURS[0], "stroke-width": 2, "vector-effect": "non-scaling-stroke" }));
}
