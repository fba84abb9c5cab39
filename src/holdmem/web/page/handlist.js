// The list of hands of a player, some at a time, each with a link to its replay.
import { inlineCards } from "./cards.js";
import { element, fillSelect } from "./dom.js";
import { replayAddress } from "./library.js";

const AT_ONCE = 50;

/**
 * @param {string} file
 * @param {string} player
 * @returns {HTMLElement}
 */
export function createHandList(file, player) {
  const list = element("ol", { class: "hand-list" });
  const more = /** @type {HTMLButtonElement} */ (element("button", { type: "button", text: "More hands" }));
  const problem = element("p", { class: "problem", role: "alert" });
  const order = /** @type {HTMLSelectElement} */ (element("select", { "aria-label": "Order of the hands" }));
  fillSelect(order, [["played", "latest first"], ["lost", "most lost first"], ["won", "most won first"], ["pot", "largest results first"]]);

  async function add() {
    const start = list.children.length;
    const query = new URLSearchParams({ player, order: order.value, start: String(start), count: String(AT_ONCE) });
    const asked = order.value;
    const answer = await fetch(`/v1/hands/${file}/list?${query}`);
    if (!answer.ok) throw new Error(await answer.text());
    const told = await answer.json();
    if (asked !== order.value || list.children.length !== start) return; // another order was chosen meanwhile
    list.append(...told.hands.map((/** @type {any} */ hand) => item(file, hand)));
    more.hidden = list.children.length >= told.total;
  }
  const tryToAdd = () => add().catch((error) => { problem.textContent = error instanceof TypeError ? "The server does not answer." : String(error.message); });
  more.addEventListener("click", tryToAdd);
  order.addEventListener("change", () => { list.replaceChildren(); tryToAdd(); });
  tryToAdd();
  return element("div", {}, element("p", {}, order), problem, list, more);
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
  const about = [hand.number ? `#${hand.number}` : "", when, hand.money ?? ""].filter(Boolean).join(" · ");
  return element("li", {}, element("a", { href: replayAddress(file, hand) }, element("span", { class: `amount ${tone}`, text: amount }), element("span", { text: hand.position }), cards, hand.board ? inlineCards(pair(hand.board)) : element("span", { text: hand.street }), element("small", { text: about })));
}
