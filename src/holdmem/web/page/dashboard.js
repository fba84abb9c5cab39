// The dashboard of one player in one file: figures, curve, positions, statistics and the list of hands.
import { element, fillSelect } from "./dom.js";
import { counted } from "./format.js";
import { createHandList } from "./handlist.js";
import { isReviewedAtOnce, rateText, shareWords, verdict } from "./library.js";
import { createMaker } from "./players.js";
import { createReview } from "./review.js";
import { lessLuckWords, methodWords } from "./sessionwords.js";
import { makeSortable } from "./sortable.js";
import { winningsGraph } from "./winnings.js";

/** @typedef {import("./library.js").HandFile} HandFile */

const TITLES = { vpip: "VPIP", pfr: "PFR", three_bet: "3-bet" };

/**
 * @param {HTMLElement} place
 * @param {(player: string) => void} choose  called when another player is chosen
 * @param {(file: string, player: string) => void} make  called when a player is to be made from the file
 */
export function createDashboard(place, choose, make) {
  let shown = "";
  /** @type {{place: HTMLElement, empty: () => Promise<boolean>}|null} */
  let hands = null;
  const key = (/** @type {string} */ file, /** @type {string|null} */ player) => `${file}/${player ?? ""}`;
  return {
    /**
     * @param {string} file
     * @param {string|null} player
     */
    shows: (file, player) => shown === key(file, player),
    close() {
      place.hidden = true;
      this.empty().then(() => { if (!shown) place.replaceChildren(); });
    },
    /** Take away the list of hands, some at a time, before another dashboard is opened; from now on none is shown. */
    async empty() {
      shown = "";
      await hands?.empty();
    },
    /**
     * @param {string} file
     * @param {string|null} player
     * @param {HandFile|null} about
     * @param {any} told
     */
    open(file, player, about, told) {
      shown = key(file, player);
      place.hidden = false;
      hands = createHandList(file, told.player);
      const left = element("section", {}, element("h3", { text: "Hands" }), hands.place);
      const right = element("section", {}, ...positions(told), ...statistics(told));
      place.replaceChildren(head(about, told, choose), figures(told), element("section", { class: "curve" }, ...curve(told)), ...(about?.players?.length ? [createMaker(about, told.player, (player) => make(file, player))] : []), createReview(file, told.player, isReviewedAtOnce(about, told.player), file === "own" || about?.hero === told.player), element("div", { class: "dash" }, left, right), exports(file));
    },
  };
}

/**
 * @param {HandFile|null} about
 * @param {any} told
 * @param {(player: string) => void} choose
 */
function head(about, told, choose) {
  const made = element("div", { class: "dash-head" }, element("h2", { text: `${told.player === "you" ? "You" : told.player}: ${counted(told.hands, "hand")}` }));
  if (!about?.players || about.players.length < 2) return made;
  const list = /** @type {HTMLSelectElement} */ (element("select", {}));
  fillSelect(list, about.players.map((one) => [one.name, one.name === told.player ? one.name : `${one.name} (${counted(one.hands, "hand")})`]), told.player);
  list.addEventListener("change", () => choose(list.value));
  made.append(element("label", {}, "Player ", list));
  return made;
}

/** @param {any} told */
function figures(told) {
  const adjusted = methodWords({ hands: told.hands, aivat: 0, adjusted: told.all_ins_adjusted, all_ins: told.all_ins });
  const items = [
    ["won, big blinds per 100 hands (95%)", rateText(told.rate), verdict(told.rate)],
    [`with ${lessLuckWords({ aivat: 0 })}`, rateText(told.adjusted), adjusted],
  ];
  if (told.unknown) items.push(["hands without a known result", told.unknown.toLocaleString("en"), "counted in the statistics, not in winnings"]);
  return element("ul", { class: "figures" }, ...items.map(([what, value, more]) => element("li", {}, element("small", { text: what }), element("b", { text: value }), element("small", { text: more }))));
}

/** @param {any} told */
function curve(told) {
  const curves = [{ values: told.curve.won.bankroll, band: told.curve.won.band }, { values: told.curve.adjusted }];
  const words = `with a 95% band: ${rateText(told.rate)} per 100 hands`;
  return [element("h3", { text: "Winnings" }), ...winningsGraph(curves, told.curve.hands, ["won", lessLuckWords({ aivat: 0 })], words)];
}

/** @param {any} told */
function positions(told) {
  const names = Object.keys(TITLES);
  const heads = ["position", "hands", "bb/100", ...Object.values(TITLES)].map((text) => element("th", { scope: "col", text }));
  const rows = told.positions.map((/** @type {any} */ one) => element("tr", {}, element("th", { scope: "row", text: one.position }), element("td", { text: one.hands.toLocaleString("en") }), element("td", { text: rateText(one.rate, 0) }), ...names.map((name) => element("td", { text: shareWords(one.statistics[name])[0] }))));
  const table = /** @type {HTMLTableElement} */ (element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)));
  makeSortable(table);
  return [element("h3", { text: "By position" }), element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "By position" }, table)];
}

/** @param {any} told */
function statistics(told) {
  const heads = ["statistic", "share", "95% interval", "chances"].map((text) => element("th", { scope: "col", text }));
  const rows = told.statistics.filter((/** @type {any} */ one) => one.of).map((/** @type {any} */ one) => element("tr", {}, element("th", { scope: "row", text: one.title }), ...shareWords(one).map((text) => element("td", { text }))));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  return [element("h3", { text: "Statistics" }), element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Statistics" }, table)];
}

/** @param {string} file */
function exports(file) {
  const links = [["phh", "PHH"], ["ohh", "Open Hand History (JSON)"], ["pokerstars", "PokerStars text"]];
  return element("p", { class: "links" }, "Export all hands of this file: ", ...links.map(([kind, name]) => element("a", { href: `/v1/hands/${file}/export.${kind}`, download: "", text: name })));
}
