// The table: shows the server's states one after another and sends the person's actions.
import { actionWords, cardElement, chips, element, rateWords, signed } from "/page/cards.js";
import { drawLines } from "/page/chart.js";
import { setUpLobby } from "/page/lobby.js";
import { showReasons, showSummary } from "/page/reasons.js";
import { TROUBLE, connect } from "/page/wire.js";

const byId = (name) => document.getElementById(name);
const states = [];
let current = null;
let showing = false;
let busy = false;
let names = [];
let online = false;
let downloads = []; // the formats in which the history is offered
let usual = null; // the default table, if nothing else is chosen
let situation = ""; // the sitting, hand and number of actions that are on the screen

const lobby = setUpLobby(sitDown, (message) => send(message), () => byId("controls").focus({ preventScroll: true }));
const send = connect(hear, (how) => {
  online = how === "online";
  document.body.classList.toggle("offline", !online);
  byId("problem").textContent = TROUBLE[how];
  if (current) buttons(current);
});

const situationOf = (sitting, hand, actions) => `${sitting}/${hand}/${actions}`;

// What the person is waiting for appears in place of the outcome of a hand.
let waiting = false;
function waitFor(text) {
  waiting = true;
  byId("outcome").textContent = text;
}

function noLongerWait() {
  if (waiting) byId("outcome").textContent = current?.over ? outcome(current) : "\u00a0";
  waiting = false;
}

function sitDown(message) {
  busy = true;
  states.length = 0;
  say(message);
  waitFor(`Preparing a table with ${message.opponents.join(", ")}…`);
  if (current) buttons(current);
}

function say(message) {
  byId("problem").textContent = "";
  send(message);
}

function hear(message) {
  if (!["progress", "welcome", "who"].includes(message.type)) noLongerWait();
  if (message.type === "welcome") {
    lobby.fill(message);
    downloads = message.downloads;
    usual = { type: "sit", game: message.game, opponents: message.opponents };
    if (!message.seated) sitDown(usual);
    else if (!current) waitFor("Returning to your table…");
  } else if (message.type === "left") {
    sitDown(usual);
    if (message.why) byId("problem").textContent = message.why;
  } else if (message.type === "progress") {
    waitFor(`Compiling code for this machine, which happens once: ${message.compiled} part${message.compiled === 1 ? "" : "s"} so far…`);
  } else if (message.type === "who") {
    lobby.offer(message);
  } else if (message.type === "state") {
    if (states.length && states[0].table.sitting !== message.table.sitting) states.length = 0;
    states.push(message);
    showNext();
  } else if (message.type === "advice") {
    if (situationOf(message.sitting, message.hand, message.acted) !== situation) return; // it came too late
    byId("advice").textContent = `${message.by}: ${[message.decision, ...message.reasons].join(" ")}`;
  } else if (message.type === "reasons") {
    showReasons(byId("panel-why"), message, names);
  } else if (message.type === "summary") {
    showSummary(byId("panel-sitting"), message);
    drawLines(byId("bankroll"), [message.bankroll], 300, 60);
  } else if (message.type === "history") {
    showHistory(message.hands);
  } else if (message.type === "error" && lobby.isOpen()) {
    lobby.refuse(message.message);
  } else if (message.type === "error") {
    byId("problem").textContent = message.message;
    busy = false;
    if (current) buttons(current);
  }
}

// States are shown one after another at the chosen pace; decisions are possible once all are shown.
function showNext() {
  if (showing || !states.length) return;
  showing = true;
  const state = states.shift();
  show(state);
  const last = !states.length;
  setTimeout(() => { showing = false; showNext(); }, last && state.turn ? 0 : lobby.pace());
}

function show(state) {
  const newTable = !current || current.table.sitting !== state.table.sitting;
  const newHand = newTable || current.hand !== state.hand;
  current = state;
  busy = false;
  names = [];
  for (const seat of state.seats) names[seat.player] = seat.name;
  if (newHand) {
    byId("panel-why").replaceChildren(element("p", { text: "Reasons and cards are shown when the hand is over." }));
  }
  const now = situationOf(state.table.sitting, state.hand, state.log.length);
  if (now !== situation) byId("advice").textContent = "";
  situation = now;
  showSeats(state);
  byId("pot").textContent = `Pot ${chips(state.pot)}`;
  byId("board").replaceChildren(...[0, 1, 2, 3, 4].map((place) => cardElement(state.board[place])));
  byId("log").replaceChildren(...logItems(state));
  byId("panel-log").scrollTop = byId("panel-log").scrollHeight; // the panel alone: the page stays where it is
  byId("outcome").textContent = state.over ? outcome(state) : "\u00a0";
  showScore(state);
  buttons(state);
  if (state.over) afterHand(state);
  else if (newTable) send({ type: "summary" });
}

function showSeats(state) {
  const mine = state.seats.findIndex((seat) => seat.you);
  const count = state.seats.length;
  const items = state.seats.map((seat, place) => {
    const turn = (place - mine + count) % count;
    const item = element("li", { class: `seat at-${turn} of-${count}${seat.in ? "" : " folded"}${seat.acting ? " acting" : ""}${seat.you ? " you" : ""}${state.over && seat.net > 0 ? " winner" : ""}` });
    const angle = Math.PI / 2 + (2 * Math.PI * turn) / count;
    item.style.setProperty("--x", `${50 + 42 * Math.cos(angle)}%`);
    item.style.setProperty("--y", `${50 + 37 * Math.sin(angle)}%`);
    const cards = element("div", { class: "hole" });
    for (const card of seat.cards ?? [null, null]) cards.append(cardElement(seat.in || seat.you || state.over ? card : undefined));
    const title = element("p", { class: "name" }, seat.name);
    if (seat.button) title.append(" ", element("abbr", { class: "button-chip", title: "dealer button", text: "D" }));
    const stack = seat.stack === null ? "" : `${chips(seat.stack)} behind`;
    item.append(cards, title, element("p", { class: "stack", text: stack || "\u00a0" }));
    const note = state.over ? signed(seat.net) : seat.bet ? `bets ${chips(seat.bet)}` : seat.in ? "\u00a0" : "folded";
    item.append(element("p", { class: "bet", text: note }));
    return item;
  });
  byId("seats").replaceChildren(...items);
}

function logItems(state) {
  const items = [];
  let street = "";
  for (const entry of state.log) {
    if (entry.street !== street) {
      street = entry.street;
      items.push(element("li", { class: "street", text: street }));
    }
    items.push(element("li", { class: names[entry.player] === "you" ? "mine" : "", text: entry.text }));
  }
  if (state.over) items.push(element("li", { class: "street", text: outcome(state) }));
  return items;
}

function outcome(state) {
  const winners = state.seats.filter((seat) => seat.net > 0).map((seat) => `${seat.name} ${seat.you ? "win" : "wins"} ${chips(seat.net)}`);
  return (winners.join(", ") || "The pot is split") + (state.showdown ? " at the showdown" : "");
}

function showScore(state) {
  const score = state.score;
  const rate = rateWords(score.rate);
  const duplicate = score.pairs ? `; duplicate pairs ${score.pairs}: ${rateWords(score.duplicate_rate)}` : "";
  byId("score").textContent = `${signed(score.total)} chips in ${score.hands} hand${score.hands === 1 ? "" : "s"}${rate ? `; ${rate}` : ""}${duplicate}`;
  byId("about").textContent = `${state.table.words}, against ${state.table.opponents.join(", ")}; hand ${state.hand + 1}`;
  byId("bankroll").setAttribute("aria-label", `Bankroll after ${score.hands} hands: ${signed(score.total)} chips`);
}

function buttons(state) {
  const turn = busy || states.length || !online ? null : state.turn;
  byId("fold").disabled = !turn || !turn.to_call;
  byId("call").disabled = !turn;
  byId("call").firstChild.textContent = turn && turn.to_call ? `Call ${chips(turn.to_call)} ` : "Check ";
  byId("raise").disabled = !turn || !turn.max_raise_to;
  byId("ask").disabled = !turn;
  byId("next").disabled = busy || !online || states.length > 0 || !state.over;
  sizes(turn);
  const focus = document.activeElement;
  const free = !focus || focus === document.body || focus === byId("controls") || focus.disabled;
  if (state.over && !busy && free) byId("next").focus({ preventScroll: true });
}

function sizes(turn) {
  const open = turn && turn.max_raise_to > turn.min_raise_to;
  const amount = byId("amount");
  const slider = byId("slider");
  for (const input of [amount, slider, ...byId("fractions").children]) input.disabled = !open;
  byId("sizes").classList.toggle("unused", !open);
  if (turn && turn.max_raise_to) {
    for (const input of [amount, slider]) {
      input.min = turn.min_raise_to;
      input.max = turn.max_raise_to;
      if (!(Number(input.value) >= turn.min_raise_to && Number(input.value) <= turn.max_raise_to) || !open) input.value = turn.min_raise_to;
    }
  } else {
    amount.value = "";
  }
  raiseWords(turn);
}

function raiseWords(turn) {
  const bet = turn && !turn.highest;
  const to = turn && turn.max_raise_to ? ` ${bet ? "" : "to "}${chips(Number(byId("amount").value))}` : "";
  byId("raise").firstChild.textContent = `${bet ? "Bet" : "Raise"}${to} `;
}

function setAmount(value) {
  const turn = current?.turn;
  if (!turn || !turn.max_raise_to) return;
  const total = Math.round(Math.min(Math.max(value, turn.min_raise_to), turn.max_raise_to));
  byId("amount").value = total;
  byId("slider").value = total;
  raiseWords(turn);
}

function act(action) {
  const turn = current?.turn;
  if (!turn || busy || states.length || !online) return;
  const message = { type: "act", hand: current.hand, action };
  if (action === "raise") {
    setAmount(Number(byId("amount").value));
    message.to = Number(byId("amount").value);
  }
  busy = true;
  say(message);
  buttons(current);
}

function next() {
  if (!current || !current.over || busy || states.length || !online) return;
  busy = true;
  say({ type: "next" });
  buttons(current);
}

function afterHand() {
  send({ type: "reasons" });
  send({ type: "summary" });
  if (!byId("panel-history").hidden) send({ type: "history" });
}

// Panels

const tabs = [...document.querySelectorAll("[role=tab]")];
function openTab(tab) {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    byId(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  if (tab.id === "tab-history") send({ type: "history" });
  if (tab.id === "tab-sitting" && current) send({ type: "summary" });
}
tabs.forEach((tab, place) => {
  tab.addEventListener("click", () => openTab(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const other = tabs[(place + step + tabs.length) % tabs.length];
    other.focus();
    openTab(other);
  });
});
openTab(tabs[0]);

function showHistory(hands) {
  const panel = byId("panel-history");
  panel.replaceChildren(element("h2", { text: "Your hands" }));
  const links = element("p", { class: "links" }, "Download: ");
  for (const { format, name } of downloads) {
    links.append(element("a", { href: `/v1/history.${format}`, download: "", text: name }), " ");
  }
  const forget = element("button", { type: "button", text: "Delete all" });
  forget.addEventListener("click", async () => {
    if (!confirm("Delete every hand you have played here?")) return;
    await fetch("/v1/history", { method: "DELETE" });
    send({ type: "history" });
  });
  panel.append(links, forget);
  const list = element("ol", { class: "hands" });
  for (const hand of hands) {
    if (hand.damaged) {
      list.append(element("li", { text: `Hand ${hand.id} in the file is damaged and not shown.` }));
      continue;
    }
    const button = element("button", { type: "button", text: `${new Date(hand.played * 1000).toLocaleString()}: ${signed(hand.net)} against ${hand.opponents.join(", ")}` });
    button.addEventListener("click", () => { send({ type: "reasons", id: hand.id }); openTab(byId("tab-why")); });
    list.append(element("li", {}, button));
  }
  if (!hands.length) list.append(element("li", { text: "None yet." }));
  panel.append(list);
}

// Mouse and keys

byId("fold").addEventListener("click", () => act("fold"));
byId("call").addEventListener("click", () => act("call"));
byId("raise").addEventListener("click", () => act("raise"));
byId("next").addEventListener("click", next);
byId("ask").addEventListener("click", () => say({ type: "advice" }));
byId("slider").addEventListener("input", () => setAmount(Number(byId("slider").value)));
byId("amount").addEventListener("change", () => setAmount(Number(byId("amount").value)));
for (const button of byId("fractions").children) {
  button.addEventListener("click", () => {
    const turn = current?.turn;
    if (!turn) return;
    const share = button.dataset.pot;
    setAmount(share === "max" ? turn.max_raise_to : turn.highest + Number(share) * (turn.pot + turn.to_call));
  });
}

// Space deals the next hand, except on a control that uses it.
function spaceDealsFrom(control) {
  return !control || control.id === "next" || control.getAttribute("aria-selected") === "true";
}

addEventListener("keydown", (event) => {
  const target = event.target;
  if (byId("lobby").open || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = target instanceof HTMLInputElement && target.type === "number";
  if (typing && event.key === "Enter") { event.preventDefault(); setAmount(Number(target.value)); act("raise"); return; }
  const key = event.key.toLowerCase();
  const keys = { f: () => act("fold"), c: () => act("call"), k: () => act("call"), r: () => act("raise"), a: () => byId("ask").click(), w: () => openTab(byId("tab-why")) };
  if (key in keys) {
    event.preventDefault();
    keys[key]();
  } else if (event.key === " " && spaceDealsFrom(target.closest("a, button, input, select, summary"))) {
    event.preventDefault();
    next();
  } else if (/^[0-9]$/.test(event.key) && !typing && !byId("amount").disabled) {
    event.preventDefault();
    byId("amount").focus();
    byId("amount").value = event.key;
  }
});
