// The table: shows the server's states one after another and sends the person's actions.
import { createAdvice } from "./advice.js";
import { drawBankroll } from "./chart.js";
import { createControls } from "./controls.js";
import { byId, button, element, setText } from "./dom.js";
import { explained, would } from "./explained.js";
import { createFelt } from "./felt.js";
import { counted } from "./format.js";
import { createGate } from "./gate.js";
import { farewell, showScore } from "./header.js";
import { listenToKeys } from "./keys.js";
import { setUpLobby } from "./lobby.js";
import { createLog } from "./log.js";
import { outcomeLine } from "./loglines.js";
import { setUpOptions } from "./options.js";
import { createPace } from "./pace.js";
import { setUpTabs, showHistory, showPeople } from "./panels.js";
import { called } from "./people.js";
import { showReasons, showSummary } from "./reasons.js";
import { createWaiting, thinkers } from "./thinking.js";
import { TROUBLE, connect } from "./wire.js";

/** @typedef {import("./types.js").PlayState} PlayState */

/** @type {PlayState|null} */
let current = null;
let busy = false;
let online = false;
/** @type {{format: string, name: string}[]} */
let downloads = [];
/** @type {Record<string, unknown>} */
let usual = {}; // the default table, if nothing else is chosen
let situation = ""; // the sitting, hand and number of actions that are on the screen
/** @type {Record<number, any>} */
let statistics = {};
let dealTimer = 0;
/** @type {PlayState|null} */
let ended = null; // the last hand that is over, to which reasons belong

const options = setUpOptions(() => { if (current) { felt.show(current, options, statistics); buttons(current); } });
const felt = createFelt(byId("felt"));
const waiting = createWaiting();
const gate = createGate();
const advise = createAdvice();
const pace = createPace(show, () => options.pace);
const log = createLog(byId("log"), byId("panel-log"), byId("heard"));
const controls = createControls({ act, next, options: () => options });
const lobby = setUpLobby(sitDown, (message) => send(message), () => byId("controls").focus({ preventScroll: true }));
const openTab = setUpTabs((name) => {
  if (name === "tab-history") send({ type: "history" });
  if (name === "tab-sitting" && current) send({ type: "summary" });
});
const send = connect(hear, (how) => {
  online = how === "online";
  document.body.classList.toggle("offline", !online);
  setText(byId("problem"), TROUBLE[how]);
  if (current) buttons(current);
});

/** @param {Record<string, unknown>} message */
function sitDown(message) {
  busy = true;
  pace.clear();
  gate.leave(current?.table.sitting);
  say(message);
  waiting.show(`Preparing a table with ${called(lobby.people(), /** @type {string[]} */ (message.opponents))}…`);
  if (current) buttons(current);
}

/** @param {Record<string, unknown>} message */
function say(message) {
  setText(byId("problem"), "");
  send(message);
}

/** @type {Record<string, (message: any) => void>} */
const HEARD = {
  welcome(message) {
    gate.open();
    lobby.fill(message);
    downloads = message.downloads;
    usual = { type: "sit", game: message.game, opponents: message.opponents };
    if (!message.seated) sitDown(usual);
    else if (!current) waiting.show("Returning to your table…");
  },
  left(message) {
    sitDown(usual);
    if (message.why) setText(byId("problem"), message.why);
  },
  progress: (message) => waiting.show(`Compiling code for this machine, which happens once: ${counted(message.compiled, "part")} so far…`),
  who: (message) => lobby.offer(message),
  state: (message) => { if (gate.admits(message)) pace.add(message); },
  advice(message) {
    if (situationOf(message.sitting, message.hand, message.acted) !== situation) return; // it came too late
    const one = explained(message);
    advise([`${message.by} would ${would(one)}.`, ...one.reasons.slice(0, 1)].join(" "));
  },
  reasons(message) {
    if (ended && ended.hand === message.hand) showReasons(byId("panel-why"), message, ended, options.hideFolded);
  },
  summary(message) {
    if (!current || message.sitting !== current.table.sitting) return;
    showSummary(byId("panel-sitting"), message);
    drawBankroll(/** @type {any} */ (byId("bankroll")), message.bankroll);
    statistics = Object.fromEntries((message.statistics ?? []).map((/** @type {any} */ one, /** @type {number} */ player) => [player, one]));
    showPeople(byId("panel-people"), lobby.people(), current, statistics);
    if (options.statistics) felt.show(current, options, statistics);
  },
  history: (message) => showHistory(byId("panel-history"), message.hands, downloads, () => send({ type: "history" })),
  error(message) {
    if (lobby.isOpen()) lobby.refuse(message.message);
    else setText(byId("problem"), message.message);
    busy = false;
    gate.refused().forEach((state) => pace.add(state));
    if (current) buttons(current);
  },
};

/** @param {any} message */
function hear(message) {
  HEARD[message.type]?.(message);
  if (["state", "error", "advice"].includes(message.type) && !gate.leaving()) waiting.show("");
}

/**
 * @param {string} sitting
 * @param {number} hand
 * @param {number} actions
 */
const situationOf = (sitting, hand, actions) => `${sitting}/${hand}/${actions}`;

/** @param {PlayState} state */
function show(state) {
  const newTable = !current || current.table.sitting !== state.table.sitting;
  current = state;
  busy = false;
  if (newTable) beginTable();
  const now = situationOf(state.table.sitting, state.hand, state.log.length);
  if (now !== situation) advise("");
  situation = now;
  felt.show(state, { ...options, animate: options.animate && options.pace > 0 }, statistics);
  log.add(state, options, state.table.sitting);
  showScore(state);
  buttons(state);
  if (newTable) showPeople(byId("panel-people"), lobby.people(), state, statistics);
  if (state.over) afterHand(state);
  else if (newTable) send({ type: "summary" });
}

function beginTable() {
  statistics = {};
  ended = null;
  byId("panel-why").replaceChildren(element("p", { class: "hint", text: "Reasons are shown when the hand is over." }));
}

/** @param {PlayState} state */
function buttons(state) {
  const tournament = state.table.tournament;
  const finished = Boolean(tournament?.over);
  controls.show(state, !busy && pace.done() && online, finished);
  setText(byId("outcome"), finished ? "" : outcomeLine(state, options.bigBlinds ? state.big_blind : 0));
  if (state.over && tournament && finished) advise(farewell(tournament));
  const focus = /** @type {any} */ (document.activeElement);
  const free = !focus || focus === document.body || focus === byId("controls") || focus.disabled || focus.closest("[hidden]");
  if (state.over && !busy && free) byId(finished ? "again" : "next").focus({ preventScroll: true });
}

/**
 * @param {"fold"|"call"|"raise"} action
 * @param {number} [to]
 */
function act(action, to) {
  if (!current?.turn || busy || !pace.done() || !online) return;
  busy = true;
  const now = { sitting: current.table.sitting, hand: current.hand, acted: current.log.length };
  say({ type: "act", ...now, action, ...(to ? { to } : {}) });
  waiting.later(thinkers(current));
  buttons(current);
}

function next() {
  clearTimeout(dealTimer);
  if (!current?.over || busy || !pace.done() || !online || current.table.tournament?.over) return;
  busy = true;
  say({ type: "next", sitting: current.table.sitting, hand: current.hand });
  waiting.later(thinkers(current));
  buttons(current);
}

/** @param {PlayState} state */
function afterHand(state) {
  ended = state;
  send({ type: "reasons" });
  send({ type: "summary" });
  if (!byId("panel-history").hidden) send({ type: "history" });
  byId("replay-last").hidden = !state.id;
  if (state.id) byId("replay-last").setAttribute("href", `/replay?own=${state.id}`);
  clearTimeout(dealTimer);
  if (options.autoDeal) dealTimer = setTimeout(() => { if (options.autoDeal) next(); }, 2500 + 2 * options.pace);
}

byId("option-autoDeal").addEventListener("change", () => { if (options.autoDeal) next(); else clearTimeout(dealTimer); });
byId("why").addEventListener("click", why);
byId("again").addEventListener("click", () => byId("open-lobby").click());
button("ask").addEventListener("click", () => {
  say({ type: "advice" });
  if (current) waiting.later(`${current.table.adviser_name} is thinking…`);
});

function why() {
  openTab("tab-why");
  if (byId("side").getBoundingClientRect().top >= innerHeight - 1) byId("side").scrollIntoView({ block: "start" });
}

function toggleStatistics() {
  /** @type {HTMLInputElement} */ (byId("option-statistics")).click();
}

listenToKeys({ act, next, controls, why, ask: () => button("ask").click(), toggleStatistics });
