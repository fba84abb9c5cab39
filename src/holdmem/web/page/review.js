// What a player's decisions cost: asked for, waited for, and shown with its leaks and their hands.
import { element } from "./dom.js";
import { counted } from "./format.js";
import { rateText, replayAddress, shareWords } from "./library.js";

const PATIENCE = 900; // milliseconds between looks at a review that is being made
/** @type {[string, string][]} */
const TABLES = [["street", "by street"], ["position", "by position"], ["pot", "by pot"], ["facing", "facing"]];

/**
 * @param {string} file
 * @param {string} player
 * @returns {HTMLElement}
 */
export function createReview(file, player) {
  const place = element("section", { class: "review", "aria-label": "What decisions cost" });
  const address = `/v1/hands/${file}/review?${new URLSearchParams({ player })}`;

  /** @param {string} [method] */
  async function look(method = "GET") {
    const answer = await fetch(address, { method });
    if (!answer.ok) throw new Error(await answer.text());
    const told = await answer.json();
    if (told.state === "running") {
      place.replaceChildren(...waiting(told));
      setTimeout(() => { if (place.isConnected) tryTo(); }, PATIENCE);
    } else place.replaceChildren(...(told.state === "ready" ? result(file, told) : offer(told, () => tryTo("POST"))));
  }
  /** @param {string} [method] */
  const tryTo = (method) => look(method).catch((error) => {
    place.replaceChildren(element("p", { class: "problem", role: "alert", text: error instanceof TypeError ? "The server does not answer." : String(error.message) }));
  });
  tryTo();
  return place;
}

/**
 * @param {any} told
 * @param {() => void} begin
 */
function offer(told, begin) {
  const button = element("button", { type: "button", class: "primary", id: "find-leaks", text: "What did the decisions cost?" });
  button.addEventListener("click", begin);
  const why = told.problem ? element("p", { class: "problem", role: "alert", text: told.problem }) : null;
  return [button, why, element("p", { class: "hint", text: "Plays every action of every decision on to the end against a model of the others, thousands of times. That takes minutes for ten thousand hands; the page can be used meanwhile." })].filter((one) => one !== null);
}

/** @param {any} told */
function waiting(told) {
  const words = told.total ? `${told.done.toLocaleString("en")} of ${counted(told.total, "hand")} reviewed` : "learning how the others play";
  return [element("p", { role: "status" }, `Reviewing: ${words} `, element("progress", told.total ? { value: told.done, max: told.total, "aria-label": "review" } : { "aria-label": "review" }))];
}

/**
 * @param {string} file
 * @param {any} told
 */
function result(file, told) {
  const lost = interval(told.loss);
  const cost = interval(told.cost);
  const figures = element("ul", { class: "figures" }, figure("lost against the best action, bb per 100 hands (95%)", rateText(lost).replace("+", ""), `${counted(told.decisions, "decision")}; ${told.states["clearly worse"].toLocaleString("en")} clearly not the best, ${told.states.open.toLocaleString("en")} open`), figure(`lost against ${told.reference}`, rateText(cost), told.cost.ci95 && told.cost.ci95[0] > 0 ? "more than chance" : told.cost.ci95 && told.cost.ci95[1] < 0 ? "better than it" : "may be chance"));
  return [
    element("h3", { text: "What decisions cost" }), figures,
    ...leaks(file, "Leaks", told.leaks, `No leak is clear in these hands: ${told.classes_tested} situations were tested, and none costs more than chance would explain.`),
    ...(told.better_than_the_reference.length ? leaks(file, "Better than the reference", told.better_than_the_reference, "") : []),
    dearest(file, told.dearest),
    element("details", {}, element("summary", { text: "By street, position and pot" }), ...TABLES.map(([name, title]) => table(told.tables[name], title))),
    differences(told),
    element("p", { class: "hint", text: told.assumptions }),
  ];
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {any} estimate */
const interval = (estimate) => ({ mean: estimate.mean, low: estimate.ci95 ? estimate.ci95[0] : null, high: estimate.ci95 ? estimate.ci95[1] : null });

/**
 * @param {string} what
 * @param {string} value
 * @param {string} more
 */
const figure = (what, value, more) => element("li", {}, element("small", { text: what }), element("b", { text: value }), element("small", { text: more }));

/**
 * @param {string} file
 * @param {string} title
 * @param {any[]} list
 * @param {string} none
 */
function leaks(file, title, list, none) {
  const items = list.map((leak) => element("li", {}, element("b", { text: `${capital(leak.situation)}: ${leak.cost.mean > 0 ? "costs" : "gains"} ${rateText(interval(leak.cost)).slice(1)} bb/100` }), element("p", { text: `${capital(leak.habit)}: ${shareWords({ value: leak.share, low: null, high: null, of: leak.decisions })[0]}, the reference ${shareWords({ value: leak.reference_share, low: null, high: null, of: 0 })[0]}, in ${counted(leak.decisions, "decision")}.` }), element("p", { class: "links" }, ...leak.examples.map((/** @type {any} */ hand) => element("a", { href: `${replayAddress(file, hand)}#${hand.step}`, text: `Hand ${hand.number}` })))));
  return [element("h4", { text: title }), list.length ? element("ol", { class: "leaks" }, ...items) : element("p", { text: none })];
}

/**
 * @param {string} file
 * @param {any[]} list
 */
function dearest(file, list) {
  const rows = list.map((one) => element("tr", {}, element("td", {}, element("a", { href: `${replayAddress(file, one)}#${one.step}`, text: one.number })), element("td", { text: one.street }), element("td", { text: one.taken }), element("td", { text: one.best }), element("td", { text: `${one.loss.toFixed(1)} ± ${(1.96 * one.error).toFixed(1)}` })));
  const heads = ["hand", "street", "did", "better", "lost (bb)"].map((text) => element("th", { scope: "col", text }));
  if (!rows.length) return element("p", { class: "hint", text: "No single decision is clearly a mistake at this precision." });
  return element("details", { open: true }, element("summary", { text: "Dearest decisions" }), element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Dearest decisions" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))));
}

/**
 * @param {any[]} rows
 * @param {string} title
 */
function table(rows, title) {
  const body = rows.map((row) => element("tr", {}, element("th", { scope: "row", text: row.name }), element("td", { text: row.decisions.toLocaleString("en") }), element("td", { text: rateText(interval(row.loss)).replace("+", "") }), element("td", { text: rateText(interval(row.cost)) })));
  const heads = [title, "decisions", "lost", "against the reference"].map((text) => element("th", { scope: "col", text }));
  return element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": title }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...body)));
}

/** @param {any} told */
function differences(told) {
  const lines = [
    ...told.differences_of_style.map((/** @type {any} */ one) => `${one.situation}: ${one.habit} (${rateText(interval(one.cost))} bb/100)`),
    ...told.open.map((/** @type {any} */ one) => `Open: ${one.situation}, ${rateText(interval(one.cost))} bb/100${one.hands_needed ? `; about ${counted(one.hands_needed, "hand")} would settle it` : ""}`),
  ];
  if (!lines.length) return element("span", {});
  return element("details", {}, element("summary", { text: "Differences of style, and what is open" }), element("ul", {}, ...lines.map((text) => element("li", { text }))));
}
