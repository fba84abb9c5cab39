// All sessions: winnings with luck removed, by session, opponent and game.
import { byId, element, setText } from "./dom.js";
import { counted } from "./format.js";
import { rateText, verdict } from "./library.js";
import { lessLuckWords, methodWords, whenWords, wonText } from "./sessionwords.js";
import { makeSortable } from "./sortable.js";
import { winningsGraph } from "./winnings.js";

/** @typedef {import("./sessionwords.js").SessionRow} SessionRow */

const PATIENCE = 900; // milliseconds between looks while sessions are being counted
let shown = "";

async function look() {
  const answer = await fetch("/v1/sessions");
  if (!answer.ok) throw new Error((await answer.text()) || `the server answers ${answer.status}`);
  const told = await answer.json();
  setText(byId("problem"), told.problems.join("; "));
  setText(byId("status"), told.waiting ? `Counting: ${told.waiting} of ${counted(told.of, "file")} left …` : "");
  const text = JSON.stringify(told);
  if (text !== shown) show(told);
  shown = text;
  if (told.waiting) setTimeout(tryTo, PATIENCE);
}

const tryTo = () => look().catch((error) => setText(byId("problem"), error instanceof TypeError ? "The server does not answer." : String(error.message)));

/** @param {any} told */
function show(told) {
  if (!told.total.hands) {
    byId("sessions").replaceChildren(element("p", {}, told.waiting ? "" : "No hands yet: ", told.waiting ? "" : element("a", { href: "/", text: "play some" }), told.waiting ? "" : " or ", told.waiting ? "" : element("a", { href: "/hands", text: "add a file" }), told.waiting ? "" : "."));
    return;
  }
  const less = lessLuckWords(told.total);
  byId("sessions").replaceChildren(figures(told), ...graph(told), ...table("By session", "session", told.sessions, less, true), ...table("By opponent", "opponent at the table", told.opponents, less, false), ...table("By game", "game", told.games, less, false), element("p", { class: "hint", text: "Rates are big blinds per 100 hands with a 95% interval, from 30 hands on. Luck is removed by AIVAT from heads-up hands played here against an agent whose policy is known, if there are 30 of one game; elsewhere all-ins are shared by equity where all cards are known. Against an opponent means in all hands with that player at the table." }));
}

/** @param {any} told */
function figures(told) {
  const { total } = told;
  const items = [
    ["won, big blinds per 100 hands (95%)", rateText(total.won), `${verdict(total.won)}; ${wonText(total.bb)} bb in ${counted(total.hands, "hand")}`],
    [`with ${lessLuckWords(total)}`, rateText(total.less_luck), methodWords(total)],
  ];
  if (told.unknown) items.push(["hands without a known result", told.unknown.toLocaleString("en"), "left out"]);
  return element("ul", { class: "figures" }, ...items.map(([what, value, more]) => element("li", {}, element("small", { text: what }), element("b", { text: value }), element("small", { text: more }))));
}

/** @param {any} told */
function graph(told) {
  const curves = [told.curve.won, told.curve.less_luck].map((one) => ({ values: one.bankroll, band: one.band }));
  const words = `with 95% bands: ${rateText(told.total.won)} per 100 hands, ${rateText(told.total.less_luck)} with ${lessLuckWords(told.total)}`;
  return [element("h3", { text: "Winnings" }), ...winningsGraph(curves, told.curve.hands, ["won", lessLuckWords(told.total)], words)];
}

/**
 * @param {string} title
 * @param {string} what
 * @param {SessionRow[]} rows
 * @param {string} less  what the winnings without luck are called
 * @param {boolean} dated
 */
function table(title, what, rows, less, dated) {
  const heads = [what, "bb/100", less, "hands", "won (bb)", ...(dated ? ["played"] : []), "how"];
  const body = rows.map((row) => element("tr", {},
    element("th", { scope: "row" }, row.address ? element("a", { href: row.address, text: row.name }) : row.name),
    ...[rateText(row.won), rateText(row.less_luck), row.hands.toLocaleString("en"), wonText(row.bb), ...(dated ? [whenWords(row)] : []), methodWords(row)].map((text) => element("td", { text }))));
  const made = /** @type {HTMLTableElement} */ (element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col", text })))), element("tbody", {}, ...body)));
  makeSortable(made);
  return [element("h3", { text: title }), element("div", { class: "wide sessions-table", tabindex: 0, role: "region", "aria-label": title }, made)];
}

tryTo();
