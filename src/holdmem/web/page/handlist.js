// The list of hands of a player, some at a time, each with a link to its replay.
import { inlineCards } from "./cards.js";
import { element, fillSelect } from "./dom.js";
import { replayAddress } from "./library.js";

const AT_ONCE = 50;
const SLICE = 10; // hands that are drawn without a pause, so that a slow machine stays responsive
const TAKEN_AWAY = 40; // hands that are removed without a pause: a thousand at once take a third of a second

const pause = () => new Promise((done) => { setTimeout(done); });

/**
 * @param {string} file
 * @param {string} player
 * @returns {{place: HTMLElement, empty: () => Promise<boolean>}} the list, and what empties it before it is removed
 */
export function createHandList(file, player) {
  const list = element("ol", { class: "hand-list" });
  const more = /** @type {HTMLButtonElement} */ (element("button", { type: "button", text: "More hands", hidden: true }));
  const problem = element("p", { class: "problem", role: "alert" });
  const order = /** @type {HTMLSelectElement} */ (element("select", { "aria-label": "Order of the hands" }));
  fillSelect(order, [["played", "latest first"], ["lost", "most lost first"], ["won", "most won first"], ["pot", "largest results first"]]);

  let turns = 0; // how often the list was emptied
  let asked = Promise.resolve(); // one page of hands after another, also when more is asked for before the first came

  /** @param {number} turn */
  async function add(turn) {
    if (turn !== turns) return; // the list was emptied meanwhile
    const start = list.children.length;
    const query = new URLSearchParams({ player, order: order.value, start: String(start), count: String(AT_ONCE) });
    const answer = await fetch(`/v1/hands/${file}/list?${query}`);
    if (!answer.ok) throw new Error(await answer.text());
    const told = await answer.json();
    for (let from = 0; from < told.hands.length && turn === turns; from += SLICE) {
      list.append(...told.hands.slice(from, from + SLICE).map((/** @type {any} */ hand) => item(file, hand)));
      await pause();
    }
    if (turn === turns) more.hidden = list.children.length >= told.total;
  }
  function tryToAdd() {
    const turn = turns;
    problem.textContent = "";
    asked = asked.then(() => add(turn)).catch((error) => {
      if (turn !== turns) return;
      problem.textContent = error instanceof TypeError ? "The server does not answer." : String(error.message);
      more.hidden = false; // to try again
    });
  }

  /** @returns {Promise<boolean>} whether nobody emptied it again meanwhile */
  async function empty() {
    const turn = turns += 1; // what is on its way comes too late
    list.hidden = true;
    while (list.firstChild && turn === turns) {
      for (let count = 0; count < TAKEN_AWAY; count += 1) list.lastChild?.remove();
      await pause();
    }
    if (turn === turns) list.hidden = false;
    return turn === turns;
  }

  more.addEventListener("click", tryToAdd);
  order.addEventListener("change", async () => {
    more.hidden = true;
    if (await empty()) tryToAdd();
  });
  tryToAdd();
  return { place: element("div", {}, element("p", {}, order), problem, list, more), empty };
}

/**
 * @param {string} file
 * @param {any} hand
 */
function item(file, hand) {
  const tone = hand.bb > 0 ? "up" : hand.bb < 0 ? "down" : "";
  const amount = hand.bb === null ? "unknown" : hand.bb === 0 ? "0" : `${hand.bb > 0 ? "+" : "−"}${Math.abs(hand.bb).toFixed(1)} bb`;
  const pair = (/** @type {string} */ text) => text.match(/../g) ?? [];
  const cards = hand.cards ? inlineCards(pair(hand.cards)) : element("span", { text: "unseen" });
  const when = hand.time ? new Date(hand.time * 1000).toISOString().slice(0, 16).replace("T", " ") : "";
  const about = [hand.number ? `#${hand.number}` : "", when, hand.money ?? ""].filter(Boolean).flatMap((text, place) => [place ? " · " : "", element("span", { class: "unbroken", text })]);
  return element("li", {}, element("a", { href: replayAddress(file, hand) }, element("span", { class: `amount ${tone}`, text: amount }), element("span", { text: hand.position }), cards, hand.board ? inlineCards(pair(hand.board)) : element("span", { text: hand.street }), element("small", {}, ...about)));
}
