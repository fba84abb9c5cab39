// "Why did it do that?" and "What would it do in my place?", once the hand is over.
import { inlineCards } from "./cards.js";
import { SPACE, drawCurves } from "./chart.js";
import { element } from "./dom.js";
import { asDrawn, explained, wordsFor, would } from "./explained.js";
import { chips, counted, sharePercent, signed } from "./format.js";
import { solvedGrid } from "./solved-grid.js";

/** @typedef {import("./explained.js").Explained} Explained */

/**
 * How likely each action was, as bars, with what memory has and what it was worth.
 * @param {Explained} one
 * @param {number} done
 */
function bars(one, done) {
  const list = element("ul", { class: "bars", "aria-label": "How likely each action was" });
  const known = one.actions.filter((each) => each.probability >= 0.005 || each.remembered !== null || each.worth !== null || each.action === done);
  for (const { action, words, probability, remembered, worth } of known) {
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${Math.max(probability * 100, 0.5)}%`;
    const extra = [remembered !== null ? `remembered ${sharePercent(remembered)}` : "", worth !== null ? signed(worth) || "0" : ""].filter(Boolean).join(", ");
    const item = element("li", { class: action === done ? "done" : "" }, bar, element("span", { text: `${words}: ${sharePercent(probability)}` }));
    if (extra) item.append(element("small", { text: extra }));
    list.append(item);
  }
  return list;
}

/** @param {Explained["details"]} details */
function fold(details) {
  if (!details.length) return null;
  const box = element("details", { class: "developer" }, element("summary", { text: "Details" }));
  for (const one of details.slice(0, 20)) {
    const facts = element("dl");
    for (const [name, value] of Object.entries(one.facts)) {
      const text = typeof value === "number" ? String(Math.round(value * 1000) / 1000) : String(value);
      facts.append(element("dt", { text: name.replaceAll("_", " ") }), element("dd", { text }));
    }
    box.append(element("p", { text: `${one.what} (weight ${Math.round(Number(one.weight) * 1000) / 1000})` }), facts);
  }
  return box;
}

/**
 * Text in which cards such as K♠ are shown as faces.
 * @param {string} text
 * @param {string} [className]
 */
export function withCards(text, className = "") {
  const made = element("p", { class: className });
  /** @type {Record<string, string>} */
  const suits = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
  for (const part of text.split(/((?:(?:10|[2-9TJQKA])[♠♥♦♣]\s?)+[,.:]?)/u)) {
    const cards = [...part.matchAll(/(10|[2-9TJQKA])([♠♥♦♣])/gu)].map(([, rank, suit]) => (rank === "10" ? "T" : rank) + suits[suit]);
    if (!cards.length) made.append(part);
    else made.append(element("span", { class: "unbroken" }, inlineCards(cards), /[,.:]$/u.exec(part)?.[0] ?? ""), part.endsWith(" ") ? " " : "");
  }
  return made;
}

/**
 * @param {Explained} one
 * @param {number} done
 * @param {string} address  of the remembered hands, without their number; empty where they cannot be replayed
 */
export function decisionBody(one, done, address) {
  const body = element("div", { class: "decision-body" });
  if (one.decision) body.append(element("p", { class: "verdict", text: one.decision }));
  body.append(withCards(one.situation, "situation"), bars(one, done));
  if (one.measure) body.append(element("p", { class: "hint", text: `Numbers: ${one.measure}.` }));
  for (const reason of one.reasons) body.append(withCards(reason));
  if (one.hands.length) {
    body.append(element("p", { text: one.hands.length > 1 ? "Some of those hands:" : "One of those hands:" }));
    const list = element("ul", { class: "remembered", "aria-label": "Remembered hands" });
    one.hands.forEach((hand, place) => {
      const line = withCards(hand.words);
      if (address) line.append(" ", element("a", { href: `${address}&example=${place}`, text: "Replay" }));
      list.append(element("li", {}, line));
    });
    body.append(list);
  }
  for (const grid of one.grids ?? []) body.append(solvedGrid(grid.title, grid.shares));
  const details = fold(one.details);
  if (details) body.append(details);
  return body;
}

/**
 * @param {string} title
 * @param {Explained} one
 * @param {number} done
 * @param {boolean} open
 * @param {string} address
 */
function decisionElement(title, one, done, open, address) {
  return element("details", { class: "decision", open }, element("summary", { text: title }), decisionBody(one, done, address));
}

/**
 * @param {HTMLElement} panel
 * @param {any} message
 * @param {import("./types.js").PlayState} ended  the hand when it was over
 * @param {boolean} hideFolded  whether reasons that name folded cards stay closed until they are asked for
 */
export function showReasons(panel, message, ended, hideFolded) {
  const { id } = ended;
  const names = Object.fromEntries(ended.seats.map((seat) => [seat.player, seat.name]));
  const unseen = new Set(hideFolded ? ended.seats.filter((seat) => !seat.in).map((seat) => seat.player) : []);
  panel.replaceChildren(element("h2", { text: `Hand ${message.hand + 1}: why they acted this way` }));
  if (!message.decisions.length) panel.append(element("p", { text: "No agent had a decision to make." }));
  message.decisions.map(explained).forEach((/** @type {Explained} */ one, /** @type {number} */ place) => {
    const title = `${names[one.player] ?? "agent"}, ${one.street}: ${wordsFor(one, one.action)}`;
    const address = id ? `/replay?own=${id}&decision=${place}` : "";
    panel.append(decisionElement(title, asDrawn(one), one.action, place === message.decisions.length - 1 && !unseen.has(one.player), address));
  });
  panel.append(element("h2", { text: `And ${ended.table.adviser_name} in your place?` }));
  if (!message.advice.length) panel.append(element("p", { text: "You had no decision to make." }));
  message.advice.forEach((/** @type {any} */ said, /** @type {number} */ place) => {
    const one = explained(said);
    const differs = said.difference > 0.5;
    const title = `${one.street}: you ${wordsFor(one, said.done)}, it would ${differs ? would(one) : "too"}`;
    const box = decisionElement(title, one, said.done, differs, id ? `/replay?own=${id}&advice=${place}` : "");
    if (differs) box.classList.add("differs");
    panel.append(box);
  });
}

/** @param {any} message */
function differing(message) {
  const { decisions, differing, differences } = message;
  if (!differing) return decisions ? `Nowhere in ${counted(decisions, "decision")}.` : "You have not made any decisions yet.";
  const where = decisions === 1 ? "In your only decision" : `In ${differing} of ${counted(decisions, "decision")}`;
  const shown = differences.length < differing ? ` The ${differences.length} largest, ranked by probability times pot:` : "";
  return `${where} it would more likely have done something else.${shown}`;
}

/** @param {any} message */
function sittingGraph(message) {
  const { hands } = message.score;
  const label = `Your winnings after ${counted(hands, "hand")}, with a 95% band`;
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  drawCurves(svg, [{ values: message.bankroll, band: message.band }], { width: 340, height: 180, hands, unit: "chips" });
  const told = hands <= 30 ? "The 95% band begins at 30 hands." : "The band is the 95% interval of what your rate brings; while it includes zero, this may be luck.";
  return element("figure", { class: "curves" }, svg, element("figcaption", { class: "hint", text: told }));
}

/**
 * @param {HTMLElement} panel
 * @param {any} message
 */
export function showSummary(panel, message) {
  const score = message.score;
  panel.replaceChildren(element("h2", { text: "This session" }));
  panel.append(element("p", { text: `${counted(score.hands, "hand")}, ${signed(score.total) || "±0"} chips.` }));
  if (score.hands > 1) panel.append(sittingGraph(message));
  panel.append(element("h2", { text: `Where ${message.by} would have acted differently` }), element("p", { text: differing(message) }));
  for (const said of message.differences) {
    const one = explained(said);
    const title = `Hand ${said.hand + 1}, ${one.street}: you ${wordsFor(one, said.done)} with ${chips(one.pot)} in the pot; it would ${would(one)}`;
    const box = decisionElement(title, one, said.done, false, "");
    if (said.id) box.append(element("p", {}, element("a", { href: `/replay?own=${said.id}`, text: "Replay this hand" })));
    panel.append(box);
  }
}
