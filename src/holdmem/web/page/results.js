// The page of results: its tables can be sorted.
import { makeSortable } from "./sortable.js";

for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table.sortable"))) makeSortable(table);
