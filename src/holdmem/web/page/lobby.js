// The dialog for a new table: first what to play, then who can play it, as the server says.
import { button, byId, element, fillSelect, input, select, setText } from "./dom.js";
import { askedPlayers, bettingOf, called, ranked, rateText, seated, strength } from "./people.js";
import { portraitElement } from "./portrait.js";

/** @typedef {import("./people.js").Person} Person */

/** Stacks on offer in big blinds, the usual one first, by betting and format. */
/** @type {Record<string, number[]>} */
const STACKS = { "limit/cash": [], "limit/match": [50, 25, 100], "limit/sit-and-go": [25, 15, 50], "nolimit/cash": [200, 100, 50, 20], "nolimit/match": [100, 50, 200], "nolimit/sit-and-go": [75, 50, 25] };
/** @type {Record<string, string>} */
const ABOUT = {
  cash: "Every hand starts with full stacks.",
  match: "Stacks carry over from hand to hand until one of you has all chips.",
  "sit-and-go": "Stacks carry over, blinds double every ten hands, and whoever has no chips is out.",
};

/**
 * A bar as long as the lowest rank that the numbers allow, and pale up to the highest.
 * @param {{least: number, most: number}|null} ranks
 */
function strengthBar(ranks) {
  const [open, sure] = [element("i", { class: "open" }), element("i")];
  if (ranks) [open.style.width, sure.style.width] = [`${ranks.most * 100}%`, `${ranks.least * 100}%`];
  return element("span", { class: "strength", "aria-hidden": "true" }, open, sure);
}

/**
 * @param {(message: Record<string, unknown>) => void} sit
 * @param {(message: Record<string, unknown>) => void} ask
 * @param {() => void} left
 */
export function setUpLobby(sit, ask, left) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("lobby"));
  /** @type {Person[]} */
  let people = [];
  /** @type {Record<string, unknown>|null} */
  let first = null;
  /** @type {string[]} */
  let chosen = [];
  /** @type {string[]} */
  let able = [];
  let asked = "";
  let invited = false;

  function wish() {
    const betting = select("lobby-betting").value;
    const format = select("lobby-format").value;
    const stack = Number(select("lobby-stack").value);
    const seats = format === "match" ? 2 : Number(select("lobby-seats").value);
    return { game: betting, seats, format, stacks: stack ? [stack] : null };
  }

  function shape() {
    const format = select("lobby-format").value;
    const stacks = STACKS[`${select("lobby-betting").value}/${format}`];
    const kept = select("lobby-stack").value;
    fillSelect(select("lobby-stack"), stacks.map((depth) => [String(depth), `${depth} big blinds`]), kept);
    byId("lobby-stack-label").hidden = !stacks.length;
    byId("lobby-seats-label").hidden = format === "match";
    byId("lobby-duplicate-label").hidden = format !== "cash";
    setText(byId("lobby-about"), ABOUT[format]);
    askWho();
  }

  function askWho() {
    asked = JSON.stringify(wish());
    button("lobby-go").disabled = true;
    tell("Looking up who plays this…");
    ask({ type: "who", ...wish() });
  }

  /**
   * @param {string} text
   * @param {boolean} [wrong]
   */
  function tell(text, wrong = false) {
    setText(byId("lobby-status"), text);
    byId("lobby-status").classList.toggle("problem", wrong);
  }

  function list() {
    const { game, seats } = wish();
    const order = ranked(people, able, game, seats);
    byId("lobby-opponents").replaceChildren(...order.map(({ person, rate }, place) => {
      const times = chosen.filter((name) => name === person.name).length;
      const bar = strengthBar(strength(order, place));
      const title = element("span", { class: "person-name" }, portraitElement(person.shown), person.shown);
      if (times) title.append(element("b", { class: "times", text: times > 1 ? ` ×${times}` : " ✓" }));
      const made = element("button", { type: "button", class: "person", "data-agent": person.name, "aria-pressed": String(times > 0) },
        title, element("span", { class: "person-rate", text: rateText(rate) }), bar, element("span", { class: "person-style", text: person.style }));
      made.addEventListener("click", () => {
        chosen = seated(chosen, person.name, seats - 1);
        list();
        /** @type {HTMLElement|null} */ (byId("lobby-opponents").querySelector(`[data-agent="${CSS.escape(person.name)}"]`))?.focus();
      });
      return made;
    }));
    const measured = seats === 2 ? "heads-up" : "at six seats";
    const unit = game === "limit" ? "small bets won per hand (sb/h)" : "big blinds won per hand (bb/h)";
    tell(order.length ? `You play ${called(people, chosen)}. Numbers: ${unit} against a fixed field ${measured}, with 95% intervals; the longer the bar, the stronger. Where bars are pale, the intervals leave the order open.` : "Nobody here plays this.", !order.length);
  }

  /**
   * Offer a table with these opponents, at the betting of the hands that they were made from.
   * @param {string[]} names
   */
  function invite(names) {
    history.replaceState(null, "", "/"); // a reload goes on with the table, not with the choice
    chosen = names;
    select("lobby-betting").value = bettingOf(people, names);
    select("lobby-format").value = "cash";
    select("lobby-seats").value = String(names.length + 1);
    if (!dialog.open) dialog.showModal();
    invited = true;
    shape();
  }

  /** Scroll the list, and it alone, to whoever is chosen. */
  function showChosen() {
    const box = byId("lobby-opponents");
    const found = /** @type {HTMLElement|null} */ (box.querySelector("[aria-pressed=true]"));
    if (found) box.scrollTop = found.offsetTop - box.offsetTop - box.clientHeight / 2 + found.offsetHeight / 2;
  }

  for (const name of ["lobby-betting", "lobby-format", "lobby-seats", "lobby-stack"]) select(name).addEventListener("change", shape);
  fillSelect(select("lobby-seats"), [2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => [String(count), String(count)]), "2");
  button("lobby-cancel").addEventListener("click", () => dialog.close());
  button("open-lobby").addEventListener("click", () => { dialog.showModal(); shape(); });
  button("open-lobby").disabled = false; // until here a click would have been lost
  button("lobby-first").addEventListener("click", () => { if (first) sit(first); dialog.close(); });
  // Otherwise the button that opened the dialog gets the focus back, and the next Space reopens the dialog.
  dialog.addEventListener("close", left);
  byId("lobby-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const { game, format, stacks } = wish();
    const adviser = select("lobby-adviser").value || null;
    sit({ type: "sit", game, opponents: chosen, format, stacks, adviser, duplicate: format === "cash" && input("lobby-duplicate").checked });
    dialog.close();
  });

  return {
    /** @param {any} welcome */
    fill(welcome) {
      people = welcome.agents;
      first = { type: "sit", game: welcome.game, opponents: welcome.opponents };
      setText(byId("lobby-first"), `A good first game: ${welcome.game.includes("nolimit") ? "no-limit" : "limit"} against ${called(people, welcome.opponents)}`);
      button("lobby-first").disabled = false;
      if (!chosen.length) chosen = [...welcome.opponents];
      if (dialog.open) askWho();
      const asked = askedPlayers(location.search).slice(0, 9);
      if (asked.length) invite(asked);
    },
    /** @param {any} message */
    offer(message) {
      const { game, seats, format, stacks } = message;
      if (JSON.stringify({ game, seats, format, stacks }) !== asked) return; // the choice has changed since
      able = message.agents;
      const kept = chosen.filter((name) => able.includes(name)).slice(-(seats - 1));
      chosen = [...kept, ...message.opponents.filter((/** @type {string} */ name) => !kept.includes(name)), ...message.opponents].slice(0, seats - 1);
      /** @type {[string, string][]} */
      const usual = [["", message.adviser ? `${called(people, [message.adviser])} (default)` : "your strongest opponent (default)"]];
      fillSelect(select("lobby-adviser"), [...usual, .../** @type {[string, string][]} */ (able.map((name) => [name, called(people, [name])]))], select("lobby-adviser").value);
      button("lobby-go").disabled = !able.length;
      list();
      showChosen();
      if (invited) button("lobby-go").focus(); // all is chosen: only to sit down is left
      invited = false;
    },
    people: () => people,
    isOpen: () => dialog.open,
    /** @param {string} text */
    refuse: (text) => tell(text, true),
  };
}
