// The replayer: a hand on the felt, step by step, with equities, pot odds and reasons.
import { inlineCards } from "./cards.js";
import { button, byId, element, input, setText } from "./dom.js";
import { asDrawn, explained, wordsFor } from "./explained.js";
import { createFelt } from "./felt.js";
import { chips, money, percent, says, signed } from "./format.js";
import { createJudgement, gradeBadge } from "./judgement.js";
import { lossWords } from "./judged.js";
import { actionText, lineText, logLines } from "./loglines.js";
import { setUpOptions } from "./options.js";
import { historyItem, setUpTabs } from "./panels.js";
import { drawPicture } from "./picture.js";
import { decisionBody } from "./reasons.js";
import { asSeen, asked, moves, stepFor } from "./steps.js";
import { TROUBLE, connect } from "./wire.js";

/** @typedef {import("./steps.js").ReplayState} ReplayState */

const wish = asked(location.search);
/** @type {any} */
let hand = null;
let step = 0;
/** @type {{format: string, name: string}[]} */
let downloads = [];

const options = setUpOptions(() => { if (hand) show(step); });
const felt = createFelt(byId("felt"));
const openTab = setUpTabs(() => {});
const judgement = createJudgement(byId("panel-value"), wish, judged, (to) => show(to));
const send = connect(hear, (how) => {
  setText(byId("problem"), TROUBLE[how]);
});

/** @type {Record<string, (message: any) => void>} */
const HEARD = {
  welcome(message) {
    downloads = message.downloads;
    if (!hand && Object.keys(wish).length) send({ type: "replay", ...wish });
    if (wish.file || wish.match) send({ type: "shelf", ...(wish.match ? { match: wish.match } : {}) });
    send({ type: "history" });
  },
  replay: open,
  shelf: showShelf,
  history: showHands,
  error: (message) => setText(byId("problem"), message.message),
};

/** @param {any} message */
function hear(message) {
  HEARD[message.type]?.(message);
}

/** @param {any} message */
function open(message) {
  hand = message;
  const unit = () => (options.bigBlinds ? hand.states[0].big_blind : 0);
  setText(byId("about"), `${message.stakes}: ${message.players.join(", ")}`);
  const start = element("button", { type: "button", "data-step": 0, text: "Cards are dealt" });
  const list = moves(message.states, (entry) => actionText(entry, unit())).map((move) => {
    const item = element("li", {});
    if (move.board.length) item.append(element("p", { class: "street" }, `${move.street} `, inlineCards(move.board)));
    item.append(element("button", { type: "button", "data-step": move.step, text: says(move.name, move.text) }));
    return item;
  });
  byId("moves").replaceChildren(element("li", {}, start), ...list);
  showShare();
  judgement.begin();
  const from = /^#(\d{1,3})$/.exec(location.hash);
  show(from ? Math.min(Number(from[1]), message.states.length - 1) : 0);
  if (from && wish.upload) openTab("tab-value"); // a decision that somebody wants to see
}

/** More is known of what the decisions were worth. */
function judged() {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (byId("moves").querySelectorAll("[data-step]"))) {
    const badge = gradeBadge(judgement.of(Number(one.dataset.step)));
    one.querySelector(".grade")?.remove();
    if (badge) one.append(" ", badge);
  }
  if (!hand.reasons[step - 1]) showWhy();
  showJudgement();
}

function showJudgement() {
  judgement.show(hand.states, step, options.bigBlinds ? hand.states[0].big_blind : 0);
  setText(byId("now"), nowLine(hand.states[step]));
}

/** @param {number} to */
function show(to) {
  step = to;
  const state = asSeen(hand.states[step], input("hidden-cards").checked);
  felt.show(state, options);
  for (const one of byId("moves").querySelectorAll("button")) {
    const now = Number(one.dataset.step) === step;
    one.setAttribute("aria-current", now ? "step" : "false");
    if (now) { // scroll the panel alone: the page stays where it is
      const panel = byId("panel-moves");
      panel.scrollTop = one.offsetTop - panel.offsetTop - panel.clientHeight / 2;
    }
  }
  button("first").disabled = button("back").disabled = !step;
  button("last").disabled = button("forward").disabled = step === hand.states.length - 1;
  showNumbers(state);
  showWhy();
  showJudgement();
  history.replaceState(null, "", `${location.pathname}${location.search}${step ? `#${step}` : ""}`);
}

/** @param {number} player */
const nameOf = (player) => hand.states[step].seats.find((/** @type {any} */ seat) => seat.player === player)?.name ?? "";

/** @param {ReplayState} state */
function nowLine(state) {
  const unit = options.bigBlinds ? state.big_blind : 0;
  const entry = state.log[step - 1];
  const found = judgement.of(step);
  const worth = found ? ` This ${lossWords(found).replace(/^the best/, "was the best").replace(/^not told/, "is not told")}.` : "";
  const done = entry ? `${says(nameOf(entry.player), actionText(entry, unit))}.${worth}` : "Cards are dealt.";
  if (!state.over) return done;
  const result = logLines(state, { unit }).filter((line) => line.kind === "result").map(lineText);
  return `${done} ${result.join("; ")}`;
}

/**
 * What the amounts are in, where the stakes are money and the amounts are chips.
 * @param {number} unit  chips of a big blind where amounts are in big blinds, else 0
 */
function unitWords(unit) {
  if (unit || !hand.chip) return "";
  return `Bets and stacks are in chips of ${hand.chip}; values are in big blinds (bb) of ${chips(hand.states[0].big_blind)}.`;
}

/** @param {ReplayState} state */
function showNumbers(state) {
  const unit = options.bigBlinds ? state.big_blind : 0;
  const list = element("dl", { class: "equities" });
  for (const seat of state.seats) {
    if (seat.equity === null || seat.equity === undefined) continue;
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = percent(seat.equity);
    list.append(element("dt", { text: seat.name }), element("dd", {}, bar, element("span", { text: percent(seat.equity, 1) })));
  }
  const who = state.seats.find((seat) => seat.acting)?.name ?? "";
  const odds = state.odds?.to_call
    ? `${says(who, "has")} to call ${money(state.odds.to_call, unit)} for a pot of ${money(state.odds.pot, unit)}: a call has to win ${percent(state.odds.share, 1)} of the time.`
    : state.odds ? `${says(who, "has")} nothing to call.` : "";
  const title = list.children.length ? "Equity if all hands were shown" : "Pot odds";
  const head = list.children.length || odds ? element("h2", { text: title }) : "";
  byId("numbers").replaceChildren(head, list, ...[odds, unitWords(unit)].filter(Boolean).map((text) => element("p", { class: "hint", text })));
  byId("numbers").hidden = !byId("numbers").textContent;
}

function showWhy() {
  const said = hand.reasons[step - 1];
  const panel = byId("panel-why");
  const valued = judgement.at(step);
  if (!said && valued?.why) {
    panel.replaceChildren(element("h2", { text: `What ${valued.by} would have done` }), decisionBody(explained(valued.why), valued.why.done, ""));
    return;
  }
  if (!said) {
    panel.replaceChildren(element("p", { class: "hint", text: step && hand.reasons.length ? "No reasons were kept for this action." : "Reasons belong to actions: take a step." }));
    return;
  }
  const one = explained(said);
  const list = wish.watched !== undefined ? `decision=${step - 1}` : wish.own && said.done !== undefined ? `advice=${hand.reasons.slice(0, step - 1).filter((/** @type {any} */ other) => other?.done !== undefined).length}` : `decision=${hand.reasons.slice(0, step - 1).filter((/** @type {any} */ other) => other && other.done === undefined).length}`;
  const address = wish.own ? `/replay?own=${wish.own}&${list}` : wish.watched !== undefined ? `/replay?watched=${wish.watched}&${list}` : "";
  const title = said.done === undefined ? `${nameOf(one.player)}, ${one.street}: ${wordsFor(one, one.action)}` : "What the adviser would have done";
  panel.replaceChildren(element("h2", { text: title }), decisionBody(said.done === undefined ? asDrawn(one) : one, said.done ?? one.action, address));
}

function showShare() {
  const query = new URLSearchParams(/** @type {any} */ (wish)).toString();
  const link = /** @type {HTMLInputElement} */ (element("input", { type: "text", readonly: true, value: `${location.origin}/replay?${query}`, "aria-label": "Link to this hand" }));
  const picture = element("button", { type: "button", text: "Picture (PNG)", id: "picture" });
  picture.addEventListener("click", () => drawPicture(asSeen(hand.states[step], input("hidden-cards").checked), options));
  const links = element("p", { class: "links" });
  for (const { format, name } of downloads) links.append(element("a", { href: `/v1/hand.${format}?${query}`, download: "", text: name }), " ");
  const copy = element("button", { type: "button", text: "Copy link" });
  copy.addEventListener("click", async () => {
    link.select();
    setText(copy, await navigator.clipboard?.writeText(link.value).then(() => "Copied", () => "") || "Press Ctrl+C to copy");
  });
  byId("panel-share").replaceChildren(element("h2", { text: "Link to this hand" }), link, copy, element("h2", { text: "Export" }), links, picture);
}

/** @param {any} message */
function showShelf(message) {
  if (!message.hands) return;
  const key = message.match ? `match=${message.match}&number` : "file";
  const list = element("ol", { class: "hands" });
  for (let number = 1; number <= Math.min(message.hands, 500); number += 1) {
    const won = message.won?.[number - 1];
    const link = element("a", { href: `/replay?${key}=${number}`, "aria-current": number === shelfNumber() ? "true" : null }, `Hand ${number}`);
    if (won?.name) link.append(element("small", { text: ` ${won.name} ${signed(won.net) || "±0"}` }));
    list.append(element("li", {}, link));
  }
  byId("shelf").replaceChildren(element("h2", { text: message.name }), list);
}

const shelfNumber = () => (wish.match ? wish.number ?? 1 : wish.file);

/** @param {any} message */
function showHands(message) {
  const list = element("ol", { class: "hands" }, ...message.hands.map(historyItem));
  if (!message.hands.length) list.append(element("li", { text: "None yet." }));
  const file = wish.upload ? element("p", {}, element("a", { href: `/hands?file=${wish.upload}`, text: "All hands of this file" })) : "";
  byId("own-hands").replaceChildren(file, element("h2", { text: "Hands played at this table" }), list);
  if (Object.keys(wish).length) return;
  byId("tab-hands").click();
  setText(byId("now"), "Choose a hand to replay.");
}

const KEYS = { first: "Home", back: "ArrowLeft", forward: "ArrowRight", last: "End" };
for (const [name, key] of Object.entries(KEYS)) button(name).addEventListener("click", () => { if (hand) show(stepFor(key, step, hand.states)); });
byId("moves").addEventListener("click", (event) => {
  const chosen = /** @type {HTMLElement} */ (event.target).closest("button");
  if (chosen) show(Number(chosen.dataset.step));
});
input("hidden-cards").addEventListener("change", () => { if (hand) show(step); });
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!hand || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || target.closest("[role=tab], input")) return;
  const to = stepFor(event.key, step, hand.states);
  if (to === step) return;
  event.preventDefault();
  show(to);
});
