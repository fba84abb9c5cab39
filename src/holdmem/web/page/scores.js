// The results of a watched table: curves with 95% bands, their legend, and a table that can be sorted.
import { COLOURS, drawCurves } from "./chart.js";
import { byId, element, setText } from "./dom.js";
import { counted, rateWords, signed } from "./format.js";
import { makeSortable } from "./sortable.js";

/**
 * @param {HTMLElement} panel  of the table
 * @returns {(state: any) => void} shows the scores of a state
 */
export function createScores(panel) {
  const hands = element("p");
  let players = "";
  /** @type {HTMLTableElement|null} */
  let table = null;
  let sort = () => {};

  /** @param {string[]} names */
  function begin(names) {
    const heads = ["player", "chips", "per hand"].map((text) => element("th", { text }));
    const rows = names.map((name, place) => element("tr", { "data-player": place }, element("th", { scope: "row", text: name }), element("td"), element("td", { class: "rate" })));
    table = /** @type {HTMLTableElement} */ (element("table", { class: "scores" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)));
    panel.replaceChildren(hands, table, element("p", { class: "hint", text: "Bands: the 95% interval of each total, from 30 hands on. Curves whose bands overlap may differ by luck alone." }));
    sort = makeSortable(table);
  }

  /** @param {any} state */
  return (state) => {
    const names = state.table.agents;
    if (players !== `${state.table.seed}/${names.join()}`) begin(names);
    players = `${state.table.seed}/${names.join()}`;
    setText(hands, counted(state.scores[0].hands, "hand"));
    for (const row of table?.tBodies[0].rows ?? []) {
      const score = state.scores[Number(row.dataset.player)];
      setText(row.cells[1], won(state, Number(row.dataset.player)));
      setText(row.cells[2], rateWords(score.rate));
    }
    sort();
    drawScores(state);
  };
}

/**
 * What a player has won, in whole chips: a split pot can leave halves.
 * @param {any} state
 * @param {number} place
 */
const won = (state, place) => signed(Math.round(state.scores[place].total)) || "±0";

/** @param {any} state */
function drawScores(state) {
  const played = state.scores[0].hands;
  const few = state.table.agents.length < 4;
  const curves = state.bankrolls.map((/** @type {number[]} */ values, /** @type {number} */ place) => ({ values, band: state.bands[place] }));
  drawCurves(/** @type {any} */ (byId("curves")), curves, { width: 340, height: 200, hands: played, unit: "chips" });
  byId("curves").setAttribute("aria-label", `Winnings after ${counted(played, "hand")}, with 95% bands`);
  byId("legend").replaceChildren(...state.table.agents.map((/** @type {string} */ name, /** @type {number} */ place) => {
    const mark = element("span", { class: "mark", "aria-hidden": "true" });
    mark.style.background = COLOURS[place % COLOURS.length];
    return element("li", {}, mark, few ? `${name}: ${won(state, place)}` : name); // the table has the chips of many
  }));
}
