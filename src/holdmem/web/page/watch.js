// Agents play each other; this page asks for the next action at its own pace.
import { cardElement, chips, element, rateWords, signed } from "/page/cards.js";
import { COLOURS, drawLines } from "/page/chart.js";
import { fillSelect } from "/page/lobby.js";
import { TROUBLE, connect } from "/page/wire.js";

const byId = (name) => document.getElementById(name);
let agents = [];
let asked = "";
let first = [];
let running = false;
let timer = null;

const send = connect(hear, (how) => {
  byId("problem").textContent = TROUBLE[how];
  if (how !== "online") stop();
});

function hear(message) {
  if (message.type === "welcome" && !agents.length) fill(message);
  else if (message.type === "who") selects(message);
  else if (message.type === "progress") byId("outcome").textContent = `Compiling code for this machine, which happens once: ${message.compiled} part${message.compiled === 1 ? "" : "s"} so far…`;
  else if (message.type === "spectacle") show(message);
  else if (message.type === "error") { byId("problem").textContent = message.message; stop(); }
}

function fill(welcome) {
  agents = welcome.agents.map((agent) => agent.name);
  fillSelect(byId("game"), welcome.games.map((name) => [name, name]), welcome.game);
  first = [...welcome.opponents, welcome.adviser];
  askWho();
}

// Offer only the agents that, according to the server, can play the chosen game with this many seats.
function askWho() {
  const seats = Math.min(10, Math.max(2, Math.round(Number(byId("count").value)) || 2));
  asked = JSON.stringify([byId("game").value, seats]);
  byId("start").disabled = true;
  send({ type: "who", game: byId("game").value, seats });
}

function selects(message) {
  if (JSON.stringify([message.game, message.seats]) !== asked) return;
  const chosen = [...byId("agents").querySelectorAll("select")].map((select) => select.value);
  const able = message.agents;
  byId("agents").replaceChildren(...Array.from({ length: message.seats }, (_, place) => {
    const select = element("select", { "aria-label": `Agent ${place + 1}` });
    const wanted = [chosen[place], first[place], message.opponents[0]].find((name) => able.includes(name));
    fillSelect(select, able.map((name) => [name, name]), wanted);
    return select;
  }));
  byId("start").disabled = !able.length;
}

function later(seconds) {
  clearTimeout(timer);
  timer = setTimeout(() => { if (running) send({ type: "step" }); }, seconds);
}

function stop() {
  running = false;
  byId("pause").textContent = "Resume";
}

function show(state) {
  byId("problem").textContent = "";
  const count = state.seats.length;
  byId("seats").replaceChildren(...state.seats.map((seat) => seatElement(seat, state, count)));
  byId("pot").textContent = `Pot ${chips(state.pot)}`;
  byId("board").replaceChildren(...[0, 1, 2, 3, 4].map((place) => cardElement(state.board[place])));
  byId("outcome").textContent = state.log.length ? state.log[state.log.length - 1].text : "\u00a0";
  byId("about").textContent = `${state.table.words}; hand ${state.hand + 1}; seed ${state.table.seed}`;
  drawLines(byId("curves"), state.bankrolls, 600, 220);
  byId("legend").replaceChildren(...state.table.agents.map((name, place) => legendItem(name, state.scores[place], place)));
  byId("pause").disabled = byId("more").disabled = false;
  if (running) later(Number(byId("speed").value) * (state.over ? 2 : 1));
}

function seatElement(seat, state, count) {
  const item = element("li", { class: `seat${seat.in ? "" : " folded"}${seat.acting ? " acting" : ""}${state.over && seat.net > 0 ? " winner" : ""}` });
  const angle = Math.PI / 2 + (2 * Math.PI * seat.player) / count;
  item.style.setProperty("--x", `${50 + 42 * Math.cos(angle)}%`);
  item.style.setProperty("--y", `${50 + 37 * Math.sin(angle)}%`);
  const hole = element("div", { class: "hole" });
  for (const card of seat.cards) hole.append(cardElement(card));
  const title = element("p", { class: "name" }, seat.name);
  if (seat.button) title.append(" ", element("abbr", { class: "button-chip", title: "dealer button", text: "D" }));
  const note = state.over ? signed(seat.net) : seat.bet ? `bets ${chips(seat.bet)}` : seat.in ? "\u00a0" : "folded";
  item.append(hole, title, element("p", { class: "bet", text: note }));
  return item;
}

function legendItem(name, score, place) {
  const mark = element("span", { class: "mark", "aria-hidden": "true" });
  mark.style.background = COLOURS[place % COLOURS.length];
  return element("li", {}, mark, `${name}: ${signed(score.total)} chips in ${score.hands} hands${score.rate ? `; ${rateWords(score.rate)}` : ""}`);
}

byId("count").addEventListener("input", askWho);
byId("game").addEventListener("input", askWho);
byId("choose").addEventListener("submit", (event) => {
  event.preventDefault();
  running = true;
  byId("pause").textContent = "Pause";
  const chosen = [...byId("agents").querySelectorAll("select")].map((select) => select.value);
  byId("outcome").textContent = "Preparing the table…";
  send({ type: "watch", game: byId("game").value, agents: chosen });
});
byId("pause").addEventListener("click", () => {
  running = !running;
  byId("pause").textContent = running ? "Pause" : "Resume";
  if (running) later(0);
});
byId("more").addEventListener("click", () => send({ type: "step", hands: 100 }));
