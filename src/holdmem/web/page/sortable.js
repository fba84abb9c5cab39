// Tables whose rows can be sorted by a column: the heads become buttons.
import { element } from "./dom.js";
import { order } from "./sorting.js";

/**
 * @param {HTMLTableElement} table  with a head and a body
 * @returns {() => void} sorts again as chosen last, after cells have changed
 */
export function makeSortable(table) {
  const heads = /** @type {HTMLElement[]} */ ([...table.querySelectorAll("thead th")]);
  const body = table.tBodies[0];
  let column = -1;
  let down = true;

  function sort() {
    if (column < 0) return;
    const rows = [...body.rows];
    const sorted = order(rows.map((row) => row.cells[column]?.textContent ?? ""), down).map((place) => rows[place]);
    if (sorted.some((row, place) => row !== rows[place])) body.append(...sorted);
  }

  heads.forEach((head, place) => {
    const text = head.textContent ?? "";
    if (!text) return;
    const button = element("button", { type: "button", class: "sort", text });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      down = head.getAttribute("aria-sort") !== "descending";
      column = place;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sort();
    });
  });
  return sort;
}
