// A range as a grid of the 169 classes: aces at the top left, suited classes above the diagonal.
import { element } from "./dom.js";

const RANKS = "AKQJT98765432";

/**
 * The class in a row and a column: AKs above the diagonal, AKo below it.
 * @param {number} row
 * @param {number} column
 */
export function className(row, column) {
  const [high, low] = row < column ? [row, column] : [column, row];
  return RANKS[high] + RANKS[low] + (row === column ? "" : row < column ? "s" : "o");
}

/**
 * A grid in which the colour of a class is as strong as its weight.
 * @param {string} title
 * @param {(number|null)[]} shares  by class, row by row, from 0 to 1; null where the range has none
 */
export function solvedGrid(title, shares) {
  const table = element("table", { class: "solved-grid" }, element("caption", { text: title }));
  for (let row = 0; row < RANKS.length; row++) {
    const line = element("tr");
    for (let column = 0; column < RANKS.length; column++) {
      const share = shares[row * RANKS.length + column] ?? null;
      const name = className(row, column);
      const told = share === null ? "none" : `${Math.round(share * 100)}%`;
      const cell = element("td", { title: `${name} ${told}` }, name, element("span", { class: "visually-hidden", text: ` ${told}` }));
      if (share) cell.style.setProperty("--share", `${Math.round(8 + share * 62)}%`);
      else cell.classList.add("none");
      line.append(cell);
    }
    table.append(line);
  }
  return element("div", { class: "solved-range" }, table);
}
