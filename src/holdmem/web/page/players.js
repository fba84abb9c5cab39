// Players made from one's own hands: choose a name, wait, see how well it imitates, play it or watch it.
import { element, fillSelect } from "./dom.js";
import { counted, percent } from "./format.js";

/** @typedef {import("./library.js").HandFile} HandFile */

/**
 * @typedef {object} MadePlayer
 * @property {string} id
 * @property {string} name
 * @property {string} of  the file it is made from
 * @property {"ready"|"learning"|"waiting"|"refused"} state
 * @property {number} [done]
 * @property {number} [total]
 * @property {string} [problem]
 * @property {number} [hands]
 * @property {number} [decisions]
 * @property {number} [shown]
 * @property {Record<string, number>} [seats]
 * @property {{title: string, value: number|null, of: number}[]} [statistics]
 * @property {{hands: number, decisions: number, log_loss: number, population: number, better_by: number, error: number}|null} [check]
 */

const PATIENCE = 800; // milliseconds between looks at a player that is being learned
const MOST_OPPONENTS = 9;
const MOST_WATCHED = 10;

/**
 * As few digits, three at least, as let the difference of two numbers agree with them as they are shown.
 * @param {number} one
 * @param {number} other
 * @param {number} difference
 * @returns {number}
 */
function agreeingDigits(one, other, difference) {
  const agree = (/** @type {number} */ digits) => (Number(one.toFixed(digits)) - Number(other.toFixed(digits))).toFixed(digits) === difference.toFixed(digits);
  return [3, 4, 5, 6].find(agree) ?? 3;
}

/**
 * How well it imitates, in words.
 * @param {MadePlayer} one
 * @returns {string}
 */
export function checkWords(one) {
  const { check } = one;
  if (!check) return "Too few hands to check it: it plays mostly like the average of many people.";
  const digits = agreeingDigits(check.population, check.log_loss, check.better_by);
  const test = `learned without the last ${counted(check.hands, "hand")}, it predicts their ${counted(check.decisions, "decision")} with a log-loss of ${check.log_loss.toFixed(digits)} (lower is better); the average of many people has ${check.population.toFixed(digits)}`;
  const gain = `${check.better_by < 0 ? "−" : ""}${Math.abs(check.better_by).toFixed(digits)} ± ${check.error.toFixed(digits)}`;
  const verdict = check.better_by > check.error ? "It imitates better than the average does" : check.better_by < -check.error ? "It imitates worse than the average does" : "Not yet told apart from the average";
  return `${verdict}: ${test}, a difference of ${gain}.`;
}

/**
 * What it was made from, in one line.
 * @param {MadePlayer} one
 * @returns {string}
 */
export function madeWords(one) {
  if (one.state === "refused") return `not made: ${one.problem}`;
  if (one.state !== "ready") return one.total ? `learning, ${percent((one.done ?? 0) / one.total)}` : "waiting to be learned";
  const seats = Object.entries(one.seats ?? {}).map(([seat, hands]) => `${counted(hands, "hand")} with ${seat} players`);
  return `from ${counted(one.hands ?? 0, "hand")} of ${one.of}; decisions in ${seats.join(", ")}; cards shown in ${(one.shown ?? 0).toLocaleString("en")}`;
}

/**
 * @param {string[]} ids
 * @param {"/"|"/watch"} page
 * @returns {string} where these players sit down
 */
export function tableAddress(ids, page) {
  return `${page}?${new URLSearchParams({ with: ids.map((id) => `made:${id}`).join(",") })}`;
}

/**
 * @param {HTMLElement} place
 * @param {(error: unknown) => void} complain
 */
export function createPlayers(place, complain) {
  /** @type {MadePlayer[]} */
  let players = [];
  /** @type {Set<string>} */
  const chosen = new Set();
  let timer = 0;
  let several = false; // whether there are some to choose from

  async function look() {
    const answer = await fetch("/v1/players");
    if (!answer.ok) throw new Error(await answer.text());
    players = (await answer.json()).players;
    show();
    clearTimeout(timer);
    if (players.some((one) => one.state === "learning" || one.state === "waiting")) timer = setTimeout(() => look().catch(complain), PATIENCE);
  }

  function show() {
    place.hidden = !players.length;
    const ready = players.filter((one) => one.state === "ready");
    for (const id of chosen) if (!ready.some((one) => one.id === id)) chosen.delete(id);
    const focused = document.activeElement?.getAttribute("data-key");
    several = ready.length > 1;
    const parts = [element("h2", { id: "players-title", text: "Players made from your hands" }), element("ul", { class: "file-list" }, ...players.map(item))];
    if (several) parts.push(together());
    place.replaceChildren(...parts);
    if (focused) /** @type {HTMLElement|null} */ (place.querySelector(`[data-key="${focused}"]`))?.focus();
  }

  /** @param {MadePlayer} one */
  function item(one) {
    const made = element("li", { "data-player": one.id }, element("span", { class: "name", text: one.name }), element("small", { text: madeWords(one) }));
    if (one.state === "learning" || one.state === "waiting") made.append(element("progress", { max: one.total || null, value: one.total ? one.done : null, "aria-label": `learning ${one.name}` }));
    if (one.state === "ready") {
      if (several) made.append(choice(one));
      made.append(element("a", { class: "button", href: tableAddress([one.id], "/"), text: "Play", "aria-label": `Play against ${one.name}`, "data-key": `play-${one.id}` }));
    }
    const remove = element("button", { type: "button", text: "Delete", "aria-label": `Delete the player ${one.name}`, "data-key": `delete-${one.id}` });
    remove.addEventListener("click", () => forget(one).catch(complain));
    made.append(remove);
    if (one.state === "ready") {
      const rates = (one.statistics ?? []).map(({ title, value }) => `${title} ${percent(value)}`).join(", ");
      made.append(element("p", { class: "made-about", text: `${rates}. ${checkWords(one)}` }));
    }
    return made;
  }

  /** @param {MadePlayer} one */
  function choice(one) {
    const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", "data-key": `choose-${one.id}`, "aria-label": `Choose ${one.name}` }));
    box.checked = chosen.has(one.id);
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(one.id);
      else chosen.delete(one.id);
      show();
    });
    return element("label", { class: "check" }, box, " choose");
  }

  /** Several at one table. */
  function together() {
    const ids = [...chosen];
    const link = (/** @type {"/"|"/watch"} */ page, /** @type {string} */ text, /** @type {boolean} */ open) => (open ? element("a", { class: "button", href: tableAddress(ids, page), text }) : element("span", { class: "button off", text }));
    return element("p", { class: "together" }, `${counted(ids.length, "player")} chosen: `, link("/", "Play against them", ids.length > 0 && ids.length <= MOST_OPPONENTS), " ", link("/watch", "Watch them play", ids.length > 1 && ids.length <= MOST_WATCHED));
  }

  /** @param {MadePlayer} one */
  async function forget(one) {
    if (!confirm(`Delete the player ${one.name}?`)) return;
    const answer = await fetch(`/v1/players/${one.id}`, { method: "DELETE" });
    if (!answer.ok) throw new Error(await answer.text());
    await look();
  }

  /**
   * @param {string} file
   * @param {string} player
   */
  async function make(file, player) {
    const answer = await fetch(`/v1/players?${new URLSearchParams({ file, player })}`, { method: "POST" });
    if (!answer.ok) throw new Error(await answer.text());
    await look();
    place.scrollIntoView({ block: "nearest" });
  }

  return { look, make };
}

/**
 * Choose one of a file's players to make a player of.
 * @param {HandFile} about
 * @param {string} player  whose hands are shown
 * @param {(player: string) => void} make
 * @returns {HTMLElement}
 */
export function createMaker(about, player, make) {
  const list = /** @type {HTMLSelectElement} */ (element("select", { "aria-label": "Player to imitate" }));
  const order = [...(about.players ?? [])].sort((one, other) => Number(one.name === player) - Number(other.name === player));
  fillSelect(list, order.map((one) => [one.name, `${one.name} (${counted(one.hands, "hand")}, cards seen in ${one.seen.toLocaleString("en")})`]));
  const button = element("button", { type: "button", id: "make-player", text: "Make a player" });
  button.addEventListener("click", () => make(list.value));
  return element("p", { class: "maker" }, element("label", {}, "Play against ", list), " ", button);
}
