// Agents play each other; this page asks for the next action at its own pace.
import { button, byId, element, fillSelect, select, setText } from "./dom.js";
import { asDrawn, explained, wordsFor } from "./explained.js";
import { createFelt } from "./felt.js";
import { counted } from "./format.js";
import { createLog } from "./log.js";
import { setUpOptions } from "./options.js";
import { setUpTabs } from "./panels.js";
import { askedPlayers, bettingOf, ranked, rateText } from "./people.js";
import { decisionBody } from "./reasons.js";
import { createScores } from "./scores.js";
import { createWaiting } from "./thinking.js";
import { TROUBLE, connect } from "./wire.js";

/** @type {import("./people.js").Person[]} */
let people = [];
let asked = "";
/** @type {string[]} */
let first = [];
let running = false;
let timer = 0;
/** @type {any} */
let current = null;

const options = setUpOptions(() => { if (current) felt.show(current, options); });
const felt = createFelt(byId("felt"));
const log = createLog(byId("log"), byId("panel-log"));
const waiting = createWaiting();
const showScores = createScores(byId("panel-results"));
const dialog = /** @type {HTMLDialogElement} */ (byId("choose"));
setUpTabs(() => {});
const send = connect(hear, (how) => {
  setText(byId("problem"), TROUBLE[how]);
  if (how !== "online") stop();
});

/** @type {Record<string, (message: any) => void>} */
const HEARD = {
  welcome(message) {
    if (people.length) return;
    people = message.agents;
    const wanted = askedPlayers(location.search);
    first = [...wanted, ...message.opponents, message.adviser];
    if (wanted.length) {
      select("game").value = bettingOf(people, wanted);
      select("count").value = String(Math.max(wanted.length, 2));
      history.replaceState(null, "", "/watch"); // a reload goes on with the table, not with the choice
    } else if (message.watching) { stop(); step(); return; } // back at a table that was left
    dialog.showModal();
    askWho();
  },
  who: offer,
  progress: (message) => waiting.show(`Compiling code for this machine, which happens once: ${counted(message.compiled, "part")} so far…`),
  spectacle: show,
  error(message) {
    waiting.show("");
    setText(byId("problem"), message.message);
    stop();
  },
};

/** @param {any} message */
function hear(message) {
  HEARD[message.type]?.(message);
}

// Offer only the agents that, according to the server, can play the chosen game with this many seats.
function askWho() {
  const wish = { game: select("game").value, seats: Number(select("count").value) };
  asked = JSON.stringify(wish);
  button("start").disabled = true;
  send({ type: "who", ...wish });
}

/** @param {any} message */
function offer(message) {
  if (JSON.stringify({ game: message.game, seats: message.seats }) !== asked) return;
  const chosen = /** @type {HTMLSelectElement[]} */ ([...byId("agents").querySelectorAll("select")]).map((one) => one.value);
  const order = ranked(people, message.agents, message.game, message.seats);
  const strongest = order.filter(({ rate }) => rate).map(({ person }) => person.name).reverse();
  const usual = [...new Set([...first.filter((name) => message.agents.includes(name)), ...message.opponents, ...strongest, ...message.agents])];
  byId("agents").replaceChildren(...Array.from({ length: message.seats }, (_, place) => {
    const list = /** @type {HTMLSelectElement} */ (element("select", { "aria-label": `Player ${place + 1}` }));
    const wanted = [chosen[place], usual[place]].find((name) => message.agents.includes(name));
    fillSelect(list, order.map(({ person, rate }) => [person.name, `${person.shown} (${rateText(rate)})`]), wanted);
    return list;
  }));
  button("start").disabled = !message.agents.length;
}

/** @param {number} milliseconds */
function later(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(() => { if (running) step(); }, milliseconds);
}

function step() {
  const acting = current?.seats.find((/** @type {any} */ seat) => seat.acting);
  if (acting) waiting.later(`${acting.name} is thinking…`);
  send({ type: "step" });
}

function stop() {
  running = false;
  setText(byId("pause"), "Resume");
}

/** @param {any} state */
function show(state) {
  current = state;
  waiting.show("");
  setText(byId("problem"), "");
  felt.show(state, { ...options, animate: options.animate && Number(select("speed").value) > 200 });
  log.add(state, options, String(state.table.seed));
  setText(byId("about"), `Hand ${state.hand + 1}; ${state.table.words}; seed ${state.table.seed}`);
  showReason(state);
  showScores(state);
  const over = state.over ? state.hand : state.hand - 1;
  byId("replay-last").hidden = over < 0;
  byId("replay-last").setAttribute("href", `/replay?watched=${Math.max(over, 0)}`);
  for (const name of ["pause", "step", "more"]) button(name).disabled = false;
  if (running) later(Number(select("speed").value) * (state.over ? 2 : 1));
}

/**
 * The reasons of whoever acted last in the hand that is shown.
 * @param {any} state
 */
function showReason(state) {
  const hand = `Hand ${state.hand + 1}`;
  if (!state.reason) {
    const told = state.log.length ? "its last action was played without asking for reasons." : "the reasons of whoever acts appear here.";
    byId("panel-why").replaceChildren(element("p", { class: "hint", text: `${hand}: ${told}` }));
    return;
  }
  const one = explained(state.reason);
  const name = state.seats.find((/** @type {any} */ seat) => seat.player === one.player)?.name ?? "";
  byId("panel-why").replaceChildren(element("h2", { text: `${hand}, ${name}, ${one.street}: ${wordsFor(one, one.action)}` }), decisionBody(asDrawn(one), one.action, `/replay?watched=${state.hand}&decision=${state.log.length - 1}`));
}

fillSelect(select("count"), [2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => [String(count), String(count)]), "2");
for (const name of ["count", "game"]) select(name).addEventListener("change", askWho);
byId("open-choose").addEventListener("click", () => { stop(); dialog.showModal(); askWho(); });
button("open-choose").disabled = false; // until here a click would have been lost
byId("choose-cancel").addEventListener("click", () => dialog.close());
byId("choose-form").addEventListener("submit", (event) => {
  event.preventDefault();
  running = true;
  setText(byId("pause"), "Pause");
  const chosen = /** @type {HTMLSelectElement[]} */ ([...byId("agents").querySelectorAll("select")]).map((one) => one.value);
  waiting.show("Preparing the table…");
  send({ type: "watch", game: select("game").value, agents: chosen });
  dialog.close();
});
byId("pause").addEventListener("click", () => {
  running = !running;
  setText(byId("pause"), running ? "Pause" : "Resume");
  if (running) later(0);
});
byId("step").addEventListener("click", () => { stop(); step(); });
byId("more").addEventListener("click", () => { waiting.later("Playing 100 hands…"); send({ type: "step", hands: 100 }); });
