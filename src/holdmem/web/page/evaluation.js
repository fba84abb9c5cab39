// The evaluation graph of a hand: the result that can be expected, before and after each decision.
import { SPACE, shape, ticks } from "./chart.js";
import { signedBlinds } from "./judged.js";

/** @typedef {import("./judged.js").Point} Point */

const [WIDTH, HEIGHT] = [340, 170];
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 8, 8, 20];
const STREETS = ["preflop", "flop", "turn", "river"];

/**
 * @param {Point[]} points
 * @param {{street: string}[]} states
 * @param {number} now  the step that is shown
 * @returns {SVGElement}
 */
export function evaluationGraph(points, states, now) {
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("class", "evaluation");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", inWords(points));
  const last = Math.max(states.length - 1, 1);
  const all = points.flatMap(({ value, reach }) => [value - reach, value + reach]);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const span = high > low ? high - low : 1;
  const x = (/** @type {number} */ step) => LEFT + (step / last) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ value) => TOP + ((high - value) / span) * (HEIGHT - TOP - BOTTOM);
  for (const value of ticks(low, high)) {
    svg.append(shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: value ? "grid" : "zero" }));
    svg.append(shape("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end", class: "tick" }, signedBlinds(value, Number.isInteger(value) ? 0 : 1)));
  }
  for (const street of STREETS) {
    const first = states.findIndex((state) => state.street === street);
    if (first < 0) continue;
    if (first) svg.append(shape("line", { x1: x(first), x2: x(first), y1: TOP, y2: HEIGHT - BOTTOM, class: "grid" }));
    svg.append(shape("text", { x: x(first) + 2, y: HEIGHT - 6, class: "tick" }, street));
  }
  svg.append(shape("line", { x1: x(now), x2: x(now), y1: TOP, y2: HEIGHT - BOTTOM, class: "now-line" }));
  if (points.length > 1) svg.append(shape("polyline", { points: points.map(({ step, value }) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`).join(" "), class: "expected" }));
  for (const { step, value, reach, kind } of points) {
    if (reach) svg.append(shape("line", { x1: x(step), x2: x(step), y1: y(value - reach), y2: y(value + reach), class: "reach" }));
    svg.append(kind === "taken" ? shape("rect", { x: x(step) - 3.5, y: y(value) - 3.5, width: 7, height: 7, class: "taken" }) : shape("circle", { cx: x(step), cy: y(value), r: 3.5, class: kind }));
  }
  return svg;
}

/** @param {Point[]} points */
function inWords(points) {
  const said = points.map(({ value, kind }) => `${{ best: "best", taken: "after the action taken", result: "result" }[kind]} ${signedBlinds(value)}`);
  return `Expected result over the hand in big blinds: ${said.join(", ")}`;
}
