// What a player's decisions cost: waited for, and shown with its leaks and their hands.
import { element, setText } from "./dom.js";
import { counted } from "./format.js";
import { chanceWords, comparedWords, rateText, replayAddress, reviewWords, sharesApart, sizeText } from "./library.js";

const PATIENCE = 900; // milliseconds between looks at a review that is being made
const FIRST = "First estimates, from 32 samples per action: their intervals become narrower when the review is done.";
const POPULATION = "the shipped population";
const POPULATION_WORDS = "The shipped population is how many people play on average.";
const STREETS = ["preflop", "flop", "turn", "river"];
/** @type {[string, string][]} */
const TABLES = [["street", "by street"], ["position", "by position"], ["pot", "by pot"], ["facing", "facing"]];

/**
 * @param {string} file
 * @param {string} player
 * @param {boolean} atOnce  whether a review begins without being asked for
 * @param {boolean} trained  whether there can be a deck of its leaks
 * @returns {HTMLElement}
 */
export function createReview(file, player, atOnce, trained) {
  const state = element("div", {});
  const body = element("div", {});
  const place = element("section", { class: "review", "aria-label": "What decisions cost" }, state, body);
  const address = `/v1/hands/${file}/review?${new URLSearchParams({ player })}`;
  const waiting = createWaiting(() => tryTo("DELETE"));
  let timer = 0;
  let first = false; // whether the first estimates are shown

  /** @param {string} method */
  async function look(method) {
    clearTimeout(timer);
    const answer = await fetch(address, { method });
    if (!answer.ok) throw new Error(await answer.text());
    const told = await answer.json();
    if (told.state === "none" && atOnce) await look("POST");
    else show(told);
  }

  /** @param {any} told */
  function show(told) {
    if (told.state === "running") {
      state.replaceChildren(waiting.shows(told));
      if (told.first && !first) body.replaceChildren(...result(file, told.first, FIRST));
      first = Boolean(told.first);
      timer = setTimeout(() => { if (place.isConnected) tryTo("GET"); }, PATIENCE);
      return;
    }
    first = false;
    state.replaceChildren(...(told.state === "ready" ? [] : offer(told, () => tryTo("POST"))));
    body.replaceChildren(...(told.state === "ready" ? result(file, told, "") : []));
    if (trained && told.leaks?.length) body.querySelector(".leaks")?.after(trainLink(file));
  }

  /** @param {string} method */
  const tryTo = (method) => look(method).catch((error) => {
    state.replaceChildren(element("p", { class: "problem", role: "alert", text: error instanceof TypeError ? "The server does not answer." : String(error.message) }));
  });
  tryTo("GET");
  return place;
}

/** @param {string} file */
const trainLink = (file) => element("p", {}, element("a", { class: "button", href: `/train?${new URLSearchParams({ file })}`, text: "Train on these leaks" }));

/**
 * @param {any} told
 * @param {() => void} begin
 */
function offer(told, begin) {
  const button = element("button", { type: "button", class: "primary", id: "find-leaks", text: "What did the decisions cost?" });
  button.addEventListener("click", begin);
  const why = told.problem ? element("p", { class: "problem", role: "alert", text: told.problem }) : null;
  const stopped = told.state === "stopped" ? element("p", { role: "status", text: "The review was stopped." }) : null;
  return [button, stopped, why, element("p", { class: "hint", text: "Plays every action of every decision on to the end against a model of the others, thousands of times. That takes minutes for ten thousand hands; the page can be used meanwhile." })].filter((one) => one !== null);
}

/**
 * How far a review is, with a button that stops it; made once, so that the button keeps the focus.
 * @param {() => void} stop
 */
function createWaiting(stop) {
  const words = element("span", { role: "status" });
  const bar = element("progress", { "aria-label": "review" });
  const button = element("button", { type: "button", id: "stop-review", text: "Stop" });
  button.addEventListener("click", stop);
  const made = element("p", { class: "reviewing" }, words, " ", bar, " ", button);
  return {
    /** @param {any} told */
    shows(told) {
      setText(words, reviewWords(told));
      if (told.total) { bar.setAttribute("max", String(told.total)); bar.setAttribute("value", String(told.done)); }
      return made;
    },
  };
}

/**
 * @param {string} file
 * @param {any} told
 * @param {string} note  what to know of these figures
 */
function result(file, told, note) {
  const lost = interval(told.loss);
  const cost = interval(told.cost);
  const figures = element("ul", { class: "figures" }, figure("lost against the best action, bb per 100 hands (95%)", rateText(lost).replace("+", ""), `${counted(told.decisions, "decision")}; ${told.states["clearly worse"].toLocaleString("en")} clearly not the best, ${told.states.open.toLocaleString("en")} open`), figure(`compared with how ${told.reference} plays`, comparedWords(cost), chanceWords(told.cost.ci95)));
  return [
    element("h3", { text: "What decisions cost" }), note ? element("p", { class: "hint", text: note }) : "", figures,
    ...leaks(file, "Leaks", told.leaks, told.reference, `No leak is clear in these hands: of ${counted(told.classes_tested, "situation")} tested, none costs more than chance would explain.`),
    ...(told.better_than_the_reference.length ? leaks(file, "Done well", told.better_than_the_reference, told.reference, "") : []),
    dearest(file, told.dearest),
    element("details", {}, element("summary", { text: "By street, position and pot" }), ...TABLES.map(([name, title]) => table(told.tables[name], title))),
    differences(told),
    element("p", { class: "hint", text: [told.reference === POPULATION ? POPULATION_WORDS : "", told.assumptions].filter(Boolean).join(" ") }),
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
 * @param {string} reference
 * @param {string} none
 */
function leaks(file, title, list, reference, none) {
  const items = list.map((leak) => element("li", {}, element("b", { text: `${capital(leak.situation)}: ${leak.cost.mean > 0 ? "costs" : "gains"} ${sizeText(interval(leak.cost))} bb/100` }), element("p", { text: habitWords(leak, reference) }), element("p", { class: "links" }, ...leak.examples.map((/** @type {any} */ hand) => element("a", { href: `${replayAddress(file, hand)}#${hand.step}`, text: `Hand ${hand.number}` })))));
  return [element("h4", { text: title }), list.length ? element("ol", { class: "leaks" }, ...items) : element("p", { text: none })];
}

/**
 * @param {any} leak
 * @param {string} reference
 */
function habitWords(leak, reference) {
  const [share, usual] = sharesApart(leak.share, leak.reference_share);
  return `${capital(leak.habit)}: ${share} of ${counted(leak.decisions, "decision")}; ${reference} does so in ${usual}.`;
}

/**
 * @param {string} file
 * @param {any[]} list
 */
function dearest(file, list) {
  const rows = list.map((one) => element("tr", {}, element("td", {}, element("a", { href: `${replayAddress(file, one)}#${one.step}`, text: one.number })), element("td", { text: `${one.loss.toFixed(1)} ± ${(1.96 * one.error).toFixed(1)}` }), element("td", { text: one.taken }), element("td", { text: one.best }), element("td", { text: one.street })));
  const heads = ["hand", "lost (bb)", "did", "better", "street"].map((text) => element("th", { scope: "col", text }));
  if (!rows.length) return element("p", { class: "hint", text: "No single decision is clearly a mistake at this precision." });
  return element("details", { open: true }, element("summary", { text: "Dearest decisions" }), chips(list), element("div", { class: "wide dearest", tabindex: 0, role: "region", "aria-label": "Dearest decisions" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))));
}

/**
 * Bets are in chips, as in all explanations; reviews of earlier versions do not say how many are a big blind.
 * @param {any[]} list
 */
function chips(list) {
  const blinds = [...new Set(list.map((one) => one.big_blind))].filter(Boolean).map((chips) => chips.toLocaleString("en"));
  return blinds.length ? element("p", { class: "hint", text: `Bets are in chips; the big blind is ${blinds.join(" or ")}.` }) : null;
}

/**
 * Streets as they are played; other parts as they came.
 * @param {any[]} rows
 */
const inOrder = (rows) => [...rows].sort((one, other) => STREETS.indexOf(one.name) - STREETS.indexOf(other.name));

/**
 * @param {any[]} rows
 * @param {string} title
 */
function table(rows, title) {
  const body = inOrder(rows).map((row) => element("tr", {}, element("th", { scope: "row", text: row.name }), element("td", { text: row.decisions.toLocaleString("en") }), element("td", { text: rateText(interval(row.loss)).replace("+", "") }), element("td", { text: rateText(interval(row.cost)) })));
  const heads = [title, "decisions", "lost (bb/100)", "against the reference (bb/100)"].map((text) => element("th", { scope: "col", text }));
  return element("div", { class: "wide parts", tabindex: 0, role: "region", "aria-label": `Cost ${title}` }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...body)));
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
