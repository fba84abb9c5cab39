// The table: seats, bets, board and pots of a state, placed by `feltLayout`. Play, watch and replay share it.
import { flyCards, flyChips, slideBet } from "./animate.js";
import { showCards } from "./cards.js";
import { pileElement, pilesElement } from "./chips.js";
import { element, placeAt, setText } from "./dom.js";
import { money, says } from "./format.js";
import { feltLayout } from "./layout.js";
import { seatElement, showSeat } from "./seat.js";

/** @typedef {import("./types.js").TableState} TableState */
/** @typedef {import("./types.js").Options} Options */
/** @typedef {import("./seat.js").Statistics} Statistics */

/**
 * @param {HTMLElement} section  an empty section of class felt
 * @returns {{show: (state: TableState, options: Options, statistics?: Record<number, Statistics>) => void, clear: () => void}}
 */
export function createFelt(section) {
  const rail = element("div", { class: "rail", "aria-hidden": "true" });
  const seats = element("ol", { class: "seats", "aria-label": "Seats" });
  const bets = element("div", { class: "bets" });
  const disc = element("span", { class: "disc", role: "img", "aria-label": "dealer button", text: "D", hidden: true });
  const pot = element("p", { class: "pot" });
  const board = element("div", { class: "board", role: "group", "aria-label": "Board" });
  const note = element("p", { class: "note" });
  section.replaceChildren(rail, pot, board, note, bets, seats, disc);
  /** @type {TableState|null} */
  let shown = null;
  /** @type {Options|null} */
  let chosen = null;
  /** @type {Record<number, Statistics>} */
  let known = {};

  new ResizeObserver(() => { if (shown && chosen) show(shown, chosen, known); }).observe(section);

  /**
   * @param {TableState} state
   * @param {Options} options
   * @param {Record<number, Statistics>} [statistics]
   */
  function show(state, options, statistics = known) {
    const before = shown;
    [shown, chosen, known] = [state, options, statistics];
    const count = state.seats.length;
    const mine = Math.max(0, state.seats.findIndex((seat) => seat.you));
    const measured = options.statistics && Object.keys(statistics).length > 0;
    const layout = feltLayout(section.clientWidth, section.clientHeight, count, state.seats.some((seat) => seat.you), measured);
    section.classList.toggle("compact", layout.compact);
    section.classList.toggle("two-colours", !options.fourColours);
    section.style.setProperty("--plate", `${layout.plate}px`);
    placeAt(rail, layout.rail);
    placeAt(pot, layout.pot);
    placeAt(board, layout.board);
    placeAt(note, layout.note);
    board.style.setProperty("--card", `${layout.boardCard}px`);
    const moved = before && options.animate && before.hand === state.hand ? before : null;
    const from = moved ? betBoxes(bets) : new Map();
    keepSeats(count);
    bets.replaceChildren();
    disc.hidden = true;
    state.seats.forEach((seat, number) => {
      const place = layout.seats[(number - mine + count) % count];
      const item = /** @type {HTMLElement} */ (seats.children[number]);
      placeAt(item, place.box);
      item.style.setProperty("--card", `${place.card}px`);
      showSeat(item, seat, state, options, statistics[seat.player]);
      const last = state.log.findLast((entry) => entry.player === seat.player);
      const checked = !state.over && last?.kind === "check" && last.street === state.street;
      if (seat.bet || checked) {
        const bet = betElement(seat.bet, place.bet, state, options, seat.player);
        bets.append(bet);
        const paid = moved?.street === state.street ? moved.seats.find((one) => one.player === seat.player)?.bet ?? 0 : 0;
        if (moved && seat.bet > paid) slideBet(bet, item);
      }
      if (seat.button) { placeAt(disc, place.disc); disc.hidden = false; }
    });
    showMiddle(state, options);
    if (options.animate) animate(state, before);
    if (moved) flyChips(section, from, state, moved, (player) => seatBox(player), pot);
  }

  /** @param {number} count */
  function keepSeats(count) {
    while (seats.children.length < count) seats.append(seatElement());
    while (seats.children.length > count) seats.lastChild?.remove();
  }

  /** @param {number} player */
  function seatBox(player) {
    const number = shown ? shown.seats.findIndex((seat) => seat.player === player) : -1;
    return /** @type {HTMLElement|undefined} */ (seats.children[number]);
  }

  /**
   * @param {TableState} state
   * @param {Options} options
   */
  function showMiddle(state, options) {
    const unit = options.bigBlinds ? state.big_blind : 0;
    pot.replaceChildren(pilesElement(state.pot, state.big_blind), element("span", { text: potLine(state, unit) }));
    showCards(board, [0, 1, 2, 3, 4].map((place) => state.board[place]));
    const best = state.showdown ? state.seats.filter((seat) => (seat.won ?? 0) > 0 && seat.in) : [];
    const five = new Set(best.flatMap((seat) => seat.five ?? []));
    for (const card of section.querySelectorAll(".board .card, .seat .card")) { // all: a card may have won before
      const name = /** @type {HTMLElement} */ (card).dataset.card ?? "";
      const counts = five.size > 0 && card.closest(".board, .seat.winner") !== null;
      card.classList.toggle("win", counts && five.has(name));
      card.classList.toggle("dim", counts && !five.has(name));
    }
    setText(note, noteLine(state, unit));
  }

  /**
   * @param {TableState} state
   * @param {TableState|null} before
   */
  function animate(state, before) {
    const fresh = !before || before.hand !== state.hand;
    if (fresh && !state.log.length) flyCards([.../** @type {NodeListOf<HTMLElement>} */ (seats.querySelectorAll(".card"))], pot);
    else if (before && before.board.length < state.board.length) {
      flyCards([.../** @type {Iterable<HTMLElement>} */ (board.children)].slice(before.board.length, state.board.length), pot);
    }
  }

  return { show, clear: () => { shown = null; } };
}

/**
 * @param {TableState} state
 * @param {number} unit
 * @returns {string}
 */
export function potLine(state, unit) {
  const contested = state.pots.filter((one) => one.players.length > 1);
  if (contested.length < 2) return `Pot ${money(state.pot - (state.returned?.amount ?? 0), unit)}`;
  return contested.map((one, place) => `${place ? "Side" : "Main"} ${money(one.amount, unit)}`).join(" · ");
}

/**
 * What the person holds, or what won: a hand, or a bet that nobody called.
 * @param {TableState} state
 * @param {number} unit
 * @returns {string}
 */
export function noteLine(state, unit) {
  if (state.over) {
    const [best] = state.seats.filter((seat) => (seat.won ?? 0) > 0 && seat.in);
    if (!best) return "";
    return state.showdown ? capital(best.made ?? "") : says(best.name, `wins ${money(best.won ?? 0, unit)}`);
  }
  const own = state.seats.find((seat) => seat.you);
  return own?.in && own.made ? capital(own.made) : "";
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * @param {number} amount
 * @param {import("./types.js").Box} box
 * @param {TableState} state
 * @param {Options} options
 * @param {number} player
 */
function betElement(amount, box, state, options, player) {
  const unit = options.bigBlinds ? state.big_blind : 0;
  const made = element("p", { class: amount ? "bet" : "bet check", "data-player": player });
  if (amount) made.append(pileElement(amount, state.big_blind));
  made.append(element("span", { text: amount ? money(amount, unit) : "check" }));
  placeAt(made, box);
  return made;
}

/**
 * @param {HTMLElement} bets
 * @returns {Map<number, DOMRect>}
 */
function betBoxes(bets) {
  return new Map([...bets.children].map((bet) => [Number(/** @type {HTMLElement} */ (bet).dataset.player), bet.getBoundingClientRect()]));
}
