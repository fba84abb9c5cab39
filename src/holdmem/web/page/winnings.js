// The graph of a player's winnings, drawn for the width that there is, also after that has changed.
import { COLOURS, SPACE, drawCurves } from "./chart.js";
import { element } from "./dom.js";
import { counted } from "./format.js";

/** @typedef {import("./chart.js").Curve} Curve */

/**
 * @param {Curve[]} curves
 * @param {number} hands
 * @param {string[]} names  of the curves
 * @param {string} words  what the graph shows, for those who do not see it
 * @returns {Element[]} the graph and its legend
 */
export function winningsGraph(curves, hands, names, words) {
  const svg = /** @type {SVGSVGElement} */ (document.createElementNS(SPACE, "svg"));
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Winnings after ${counted(hands, "hand")} in big blinds, ${words}`);
  svg.setAttribute("class", "winnings");
  let drawn = "";
  new ResizeObserver(([{ contentRect }]) => { // its style gives the size, so that drawing does not change it
    const [width, height] = [contentRect.width, contentRect.height].map(Math.round);
    if (!width || drawn === `${width}/${height}`) return;
    drawn = `${width}/${height}`;
    drawCurves(svg, curves, { width, height, hands, unit: "bb" });
  }).observe(svg);
  return [svg, legend(names)];
}

/** @param {string[]} names */
function legend(names) {
  return element("ul", { class: "legend" }, ...names.map((text, number) => {
    const mark = element("span", { class: "mark", "aria-hidden": "true" });
    mark.style.background = COLOURS[number];
    return element("li", {}, mark, text);
  }));
}
