// Tables whose rows can be sorted by a column.
import { element } from "./dom.js";
import { order } from "./sorting.js";

for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table.sortable"))) {
  const heads = [...table.querySelectorAll("thead th")];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const text = head.textContent ?? "";
    if (!text) return;
    const button = element("button", { type: "button", class: "sort", text });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows];
      body.append(...order(rows.map((row) => row.cells[column]?.textContent ?? ""), down).map((place) => rows[place]));
    });
  });
}
