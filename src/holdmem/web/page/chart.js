// Lines in an SVG of fixed size: one for each series of numbers, with zero drawn through.
const SPACE = "http://www.w3.org/2000/svg";
export const COLOURS = ["#2a9d6f", "#d1495b", "#3d7ea6", "#e2a03f", "#7b5ea7", "#4f9d9d", "#b56576", "#8d99ae", "#90a955", "#c77dff"];

function line(points, colour, width = 2) {
  const made = document.createElementNS(SPACE, "polyline");
  made.setAttribute("points", points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
  made.setAttribute("fill", "none");
  made.setAttribute("stroke", colour);
  made.setAttribute("stroke-width", width);
  made.setAttribute("vector-effect", "non-scaling-stroke");
  return made;
}

export function drawLines(svg, series, width, height) {
  const all = series.flat();
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  const scale = high > low ? (height - 6) / (high - low) : 0;
  const y = (value) => height - 3 - (value - low) * scale;
  svg.replaceChildren(line([[0, y(0)], [width, y(0)]], "#8886", 1));
  series.forEach((values, number) => {
    const step = width / Math.max(values.length - 1, 1);
    if (values.length > 1) svg.append(line(values.map((value, place) => [place * step, y(value)]), COLOURS[number % COLOURS.length]));
  });
}
