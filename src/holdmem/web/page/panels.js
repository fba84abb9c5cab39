// The panels beside the table: tabs, the players with their statistics, and the history of hands.
import { byId, element } from "./dom.js";
import { counted, percent, signed } from "./format.js";
import { rateFor, rateText } from "./people.js";
import { portraitElement } from "./portrait.js";

/**
 * @param {(name: string) => void} opened  told the id of a tab that is opened
 * @returns {(name: string) => void} opens a tab
 */
export function setUpTabs(opened) {
  const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);
  /** @param {HTMLElement} tab */
  function open(tab) {
    for (const other of tabs) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      byId(other.getAttribute("aria-controls") ?? "").hidden = !chosen;
    }
    opened(tab.id);
  }
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      event.stopPropagation();
      const other = tabs[(place + step + tabs.length) % tabs.length];
      other.focus();
      open(other);
    });
  });
  byId("to-table").addEventListener("click", () => scrollTo({ top: 0 }));
  open(tabs[0]);
  return (name) => open(byId(name));
}

/**
 * @param {HTMLElement} panel
 * @param {import("./people.js").Person[]} people
 * @param {import("./types.js").PlayState} state
 * @param {Record<number, any>} statistics
 */
export function showPeople(panel, people, state, statistics) {
  panel.replaceChildren(element("h2", { text: "At this table" }));
  const betting = state.table.limit ? "limit" : "nolimit";
  const order = [...state.seats].filter((seat) => !seat.you).sort((one, other) => one.player - other.player);
  for (const seat of order) {
    const agent = state.table.opponents[seat.player - 1];
    const person = people.find((one) => one.name === agent);
    const found = statistics[seat.player];
    const card = element("article", { class: "person-card" }, element("h3", {}, portraitElement(seat.name), seat.name), element("p", { text: person?.style ?? "" }));
    card.append(element("p", { class: "hint", text: `Against the field: ${rateText(rateFor(person, betting, state.table.opponents.length + 1))}` }));
    if (found?.hands) card.append(statisticsList(found));
    panel.append(card);
  }
}

/** @param {any} found */
function statisticsList(found) {
  const list = element("dl", { class: "statistics" });
  const rows = [
    ["Plays", percent(found.vpip), "puts chips in before the flop other than as a blind (VPIP)"],
    ["Raises", percent(found.pfr), "raises before the flop (PFR)"],
    ["Aggression", found.aggression === null ? "–" : found.aggression.toFixed(1), "bets and raises per call"],
    ["To showdown", percent(found.went_to_showdown), "of the flops it saw"],
    ["Wins there", percent(found.won_at_showdown), "of its showdowns"],
  ];
  for (const [name, value, title] of rows) list.append(element("dt", { text: name, title }), element("dd", { text: value }));
  list.append(element("dt", { text: "Seen" }), element("dd", { text: counted(found.hands, "hand") }));
  return list;
}

/**
 * @param {HTMLElement} panel
 * @param {any[]} hands
 * @param {{format: string, name: string}[]} downloads
 * @param {() => void} again  asks for the history again
 */
export function showHistory(panel, hands, downloads, again) {
  const links = element("p", { class: "links" }, "Download all: ");
  for (const { format, name } of downloads) links.append(element("a", { href: `/v1/history.${format}`, download: "", text: name }), " ");
  const forget = element("button", { type: "button", text: "Delete all" });
  forget.addEventListener("click", async () => {
    if (!confirm("Delete every hand you have played here?")) return;
    await fetch("/v1/history", { method: "DELETE" });
    again();
  });
  const list = element("ol", { class: "hands" });
  for (const hand of hands) list.append(historyItem(hand));
  if (!hands.length) list.append(element("li", { text: "None yet." }));
  panel.replaceChildren(element("h2", { text: "Your hands" }), links, forget, list);
}

/** @param {any} hand */
export function historyItem(hand) {
  if (hand.damaged) return element("li", { text: `Hand ${hand.id} in the file is damaged and not shown.` });
  const when = new Date(hand.played * 1000).toLocaleString();
  const tone = hand.net > 0 ? "up" : hand.net < 0 ? "down" : "";
  return element("li", {}, element("a", { href: `/replay?own=${hand.id}` }, element("b", { class: tone, text: signed(hand.net) || "±0" }), ` against ${hand.opponents.join(", ")}`, element("small", { text: ` ${when}` })));
}
