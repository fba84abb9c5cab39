// One deck: a spot on the felt, the answers, and what they are worth once one is given.
import { button, byId, element, setText } from "./dom.js";
import { againWords, answerFor, answerWords, deckWords, lossText, scoreLines, valueText, verdictWords } from "./drill.js";
import { explained } from "./explained.js";
import { createFelt } from "./felt.js";
import { chips, counted, percent } from "./format.js";
import { setUpOptions } from "./options.js";
import { decisionBody } from "./reasons.js";

/** @typedef {import("./drill.js").DrillAnswer} DrillAnswer */

const PATIENCE = 600; // milliseconds between looks at a spot that is being valued
const DOUBLE_CLICK = 500;
const LONG = 12_000; // milliseconds after which a wait is explained

/**
 * @param {(address: string, how?: RequestInit) => Promise<any>} ask
 * @param {(error: unknown) => void} complain
 * @param {() => void} leave
 */
export function createDrill(ask, complain, leave) {
  let deck = "";
  /** @type {any} */
  let spot = null; // as asked
  /** @type {any} */
  let told = null; // once answered
  let since = 0;
  let busy = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let again;
  const options = setUpOptions(() => { if (spot) { felt.show(spot.table, options); showAnswers(); } });
  const felt = createFelt(byId("felt"));
  const words = (/** @type {DrillAnswer} */ one) => answerWords(one, spot.table.turn.to_call, options.bigBlinds ? spot.table.big_blind : 0);

  async function next() {
    const wanted = deck;
    clearTimeout(again);
    const found = await ask(`/v1/trainer/${wanted}`);
    if (deck !== wanted) return;
    setText(byId("about"), found.title);
    if (found.state === "asked") show(found);
    else {
      wait(found);
      if (found.state !== "refused") again = setTimeout(() => next().catch(complain), PATIENCE);
    }
  }

  /** @param {any} found */
  function wait(found) {
    if (spot || byId("waiting").hidden) since = performance.now();
    spot = told = null;
    byId("answers").replaceChildren();
    byId("after").hidden = true;
    setText(byId("verdict"), "");
    const sign = byId("waiting");
    sign.hidden = false;
    const slow = performance.now() - since > LONG ? " The first time code is compiled for this machine, which can take minutes." : "";
    const text = found.state === "refused" ? found.problem : `${found.state === "making" ? `Finding spots${found.dealt ? `, ${counted(found.dealt, "hand")} dealt` : ""} …` : "The next spot is being valued …"}${slow}`;
    if (sign.dataset.text === text) return;
    sign.dataset.text = text;
    sign.replaceChildren(text, " ", ...(found.state === "refused" ? [] : [element("progress", { "aria-label": "waiting" })]));
    if (found.score) showScore(found);
  }

  /** @param {any} found */
  function show(found) {
    spot = found;
    told = null;
    since = performance.now();
    byId("waiting").hidden = true;
    byId("waiting").dataset.text = "";
    felt.show(found.table, { ...options, animate: false });
    setText(byId("verdict"), "");
    byId("verdict").className = "verdict-line";
    byId("after").hidden = true;
    byId("feedback").replaceChildren(situation(found));
    showAnswers();
    showScore(found);
  }

  /** @param {any} found */
  function situation(found) {
    const seen = found.again ? "You have met this spot before." : "A new spot.";
    const judged = found.judge === "ev" ? "Judged by expected value." : "No honest expected value is known here: judged by what the experts in memory did.";
    return element("p", { class: "hint", text: `${seen} The big blind is ${chips(found.table.big_blind)}. ${judged} ${found.notes}` });
  }

  function showAnswers() {
    const known = told ?? spot;
    byId("answers").replaceChildren(...known.answers.map((/** @type {DrillAnswer} */ one, /** @type {number} */ place) => {
      const names = [told && place === told.best && "best", told && one.code === told.code && "chosen"].filter(Boolean).join(" ");
      const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button", class: names, disabled: Boolean(told), "data-code": one.code, "aria-keyshortcuts": String(place + 1) }, element("kbd", { text: String(place + 1) }), ` ${words(one)}`));
      made.addEventListener("click", (event) => { if (event.detail < 2 || performance.now() - since > DOUBLE_CLICK) choose(place); });
      return made;
    }));
  }

  /** @param {number} place */
  function choose(place) {
    if (!spot || told || busy || place < 0) return;
    busy = true;
    const asked = spot;
    for (const one of byId("answers").querySelectorAll("button")) one.disabled = true;
    ask(`/v1/trainer/${deck}`, { method: "POST", body: JSON.stringify({ spot: asked.spot, turn: asked.turn, code: asked.answers[place].code }) }).then((found) => {
      if (spot !== asked) return;
      told = found;
      since = performance.now();
      judge();
    }).catch((error) => {
      complain(error);
      return next(); // answered in another window, perhaps
    }).catch(complain).finally(() => { busy = false; });
  }

  function judge() {
    showAnswers();
    byId("verdict").className = `verdict-line ${told.right ? "right" : "wrong"}`;
    setText(byId("verdict"), verdictWords(told, words));
    byId("after").hidden = false;
    const replay = byId("replay");
    replay.hidden = !told.address;
    if (told.address) replay.setAttribute("href", told.address);
    button("next").focus({ preventScroll: true });
    const one = explained(told.reasons);
    byId("feedback").replaceChildren(table(), ...said(), element("h2", { text: told.by ? `What ${told.by} would do` : "Why" }), decisionBody(one, told.code, ""));
    byId("feedback").scrollTop = 0;
    showScore(told);
  }

  function table() {
    const ev = told.judge === "ev";
    const heads = ev ? ["answer", "worth (bb)", "loses (bb)"] : ["answer", "experts"];
    const rows = told.answers.map((/** @type {DrillAnswer} */ one, /** @type {number} */ place) => {
      const cells = ev ? [valueText(one.value ?? 0, one.value_error ?? 0), place === told.best ? "best" : lossText(one.loss ?? 0, one.error ?? 0).replace(" bb", "")] : [percent(one.share ?? 0)];
      const names = [place === told.best && "best", one.code === told.code && "chosen"].filter(Boolean).join(" ");
      return element("tr", { class: names }, element("th", { scope: "row", text: words(one) }), ...cells.map((text) => element("td", { text })));
    });
    return element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col", text })))), element("tbody", {}, ...rows));
  }

  function said() {
    const lines = [`${told.assumed} This spot comes ${againWords(told.due_in)}.`];
    if (told.habit) lines.unshift(`The leak: ${told.habit}.`);
    if (told.review) lines.unshift(`Done in the hand: ${told.review.taken}. The review puts its loss at ${lossText(told.review.loss, told.review.error)}.`);
    return lines.map((text) => element("p", { class: "hint", text }));
  }

  /** @param {any} found */
  function showScore(found) {
    byId("score").replaceChildren(element("h2", { text: found.title }), element("p", { class: "hint", text: deckWords(found) }), ...scoreLines(found.score).map((text) => element("p", { text })));
  }

  function goOn() {
    if (!told) return;
    setText(byId("drill-problem"), "");
    scrollTo({ top: 0 });
    next().catch(complain);
  }

  button("next").addEventListener("click", (event) => { if (event.detail < 2 || performance.now() - since > DOUBLE_CLICK) goOn(); });
  button("why").addEventListener("click", () => byId("side").scrollIntoView());
  byId("to-table").addEventListener("click", () => scrollTo({ top: 0 }));
  addEventListener("keydown", (event) => {
    if (!deck || event.repeat || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape") leave();
    else if (event.key === " " && told && !target.closest("a, button, summary, input")) {
      event.preventDefault();
      goOn();
    } else if (spot && !told) {
      const place = answerFor(event.key, spot.answers);
      if (place < 0) return;
      event.preventDefault();
      choose(place);
    }
  });

  return {
    /** @param {string} id */
    open(id) {
      deck = id;
      spot = told = null;
      felt.clear();
      for (const place of ["score", "feedback", "answers"]) byId(place).replaceChildren();
      wait({ state: "waiting" });
      next().catch(complain);
    },
    close() {
      deck = "";
      clearTimeout(again);
      spot = told = null;
    },
  };
}
