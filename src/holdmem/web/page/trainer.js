// The trainer: choose a deck or make one, and answer its spots.
import { createDrill } from "./drillview.js";
import { button, byId, element, fillSelect, select, setText } from "./dom.js";
import { FACING, askedDeck, deckWords, positionsAt, scoreLines } from "./drill.js";

const PATIENCE = 900; // milliseconds between looks at decks that are being made
/** @type {{file: string, name: string, state: string, leaks: string[]}[]} */
let reviews = [];
let looks = 0;

/**
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
async function ask(address, how) {
  const answer = await fetch(address, how);
  if (!answer.ok) throw new Error((await answer.text()) || `the server answers ${answer.status}`);
  return answer.json();
}

/** @param {unknown} error */
function complain(error) {
  const text = error instanceof TypeError ? "The server does not answer." : String(error instanceof Error ? error.message : error);
  setText(byId(byId("drill").hidden ? "problem" : "drill-problem"), text);
}

const drill = createDrill(ask, complain, () => go(null));

async function look() {
  const mine = ++looks;
  const told = await ask("/v1/trainer");
  if (mine !== looks || askedDeck(location.search)) return;
  const rows = told.decks.map(deckRow);
  byId("deck-list").replaceChildren(...(rows.length ? rows : [element("li", { text: "None yet: make one below." })]));
  setText(byId("total"), told.score.answers ? `All decks. ${scoreLines(told.score).join(". ")}.` : "");
  showReviews(told.sources.leaks);
  if (!select("memory").options.length) fillSelect(select("memory"), told.sources.memories.map((/** @type {any} */ one) => [one.name, one.words]));
  if (told.decks.some((/** @type {any} */ deck) => deck.making)) setTimeout(() => look().catch(complain), PATIENCE);
}

/** @param {any} deck */
function deckRow(deck) {
  const words = deck.problem || (deck.making ? "being made" : `${deckWords(deck)}. ${scoreLines(deck.score)[0]}`);
  const made = element("li", { "data-deck": deck.id }, element("span", { class: "name", text: deck.title }), element("small", { text: words }));
  if (deck.making) made.append(element("progress", { "aria-label": `making ${deck.title}` }));
  else {
    if (!deck.problem) {
      const open = element("a", { class: "button", href: `/train?deck=${deck.id}`, text: "Train", "aria-label": `Train ${deck.title}` });
      open.addEventListener("click", (event) => { event.preventDefault(); go(deck.id); });
      made.append(open);
    }
    const remove = element("button", { type: "button", text: "Delete", "aria-label": `Delete ${deck.title}` });
    remove.addEventListener("click", () => forget(deck).catch(complain));
    made.append(remove);
  }
  return made;
}

/** @param {any} deck */
async function forget(deck) {
  if (!deck.problem && !confirm(`Delete the deck "${deck.title}" with its answers?`)) return;
  await ask(`/v1/trainer/${deck.id}`, { method: "DELETE" });
  await look();
}

/** @param {typeof reviews} found */
function showReviews(found) {
  const ready = found.filter((one) => one.state === "ready" && one.leaks.length);
  byId("no-reviews").hidden = ready.length > 0;
  byId("reviews").hidden = !ready.length;
  button("make-leaks").disabled = !ready.length;
  if (JSON.stringify(ready) === JSON.stringify(reviews)) return;
  reviews = ready;
  const wanted = select("leak-file").value || new URLSearchParams(location.search).get("file");
  fillSelect(select("leak-file"), ready.map((one) => [one.file, one.name]), wanted ?? "");
  showLeaks();
}

function showLeaks() {
  const chosen = reviews.find((one) => one.file === select("leak-file").value);
  const all = chosen?.leaks ?? [];
  fillSelect(select("leak-name"), all.map((name) => [name, name.charAt(0).toUpperCase() + name.slice(1)]), all.includes("all leaks") ? "all leaks" : all[0]);
}

function showSituation() {
  const seats = Number(select("seats").value);
  fillSelect(select("position"), [["", "any"], ...positionsAt(seats)], select("position").value);
  const words = FACING[select("street").value === "0" ? 0 : 1];
  fillSelect(select("facing"), [["", "anything"], .../** @type {[string, string][]} */ (words.map((text, place) => [String(place), text]))], select("facing").value);
}

/** @param {object} wish */
async function make(wish) {
  setText(byId("problem"), "");
  const { id } = await ask("/v1/trainer", { method: "POST", body: JSON.stringify(wish) });
  go(id);
}

/**
 * Show a deck, or all of them.
 * @param {string|null} deck
 * @param {boolean} [keep]  whether the address says so already
 */
function go(deck, keep = false) {
  if (!keep) history.pushState(null, "", deck ? `/train?deck=${deck}` : "/train");
  document.body.className = deck ? "table-page" : "plain";
  byId("choose").hidden = Boolean(deck);
  byId("drill").hidden = !deck;
  for (const place of ["problem", "drill-problem"]) setText(byId(place), "");
  scrollTo({ top: 0 });
  if (deck) drill.open(deck);
  else {
    drill.close();
    setText(byId("about"), "");
    look().catch(complain);
  }
}

/**
 * @param {string} form
 * @param {() => object} wish
 */
function submits(form, wish) {
  byId(form).addEventListener("submit", (event) => { event.preventDefault(); make(wish()).catch(complain); });
}

submits("from-leaks", () => ({ kind: "leak", file: select("leak-file").value, leak: select("leak-name").value }));
submits("from-memory", () => ({ kind: "memory", memory: select("memory").value }));
submits("from-situation", () => ({
  kind: "situation", betting: select("betting").value, seats: Number(select("seats").value), street: Number(select("street").value),
  position: select("position").value || null, facing: select("facing").value === "" ? null : Number(select("facing").value),
}));
select("leak-file").addEventListener("change", showLeaks);
for (const name of ["seats", "street"]) select(name).addEventListener("change", showSituation);
button("example").addEventListener("click", () => {
  button("example").disabled = true;
  ask("/v1/hands/example", { method: "POST" }).then(async () => {
    setText(byId("problem"), "");
    while (!reviews.length) {
      await look();
      if (!reviews.length) await new Promise((done) => { setTimeout(done, PATIENCE); });
    }
  }).catch(complain).finally(() => { button("example").disabled = false; });
});
byId("leave").addEventListener("click", (event) => { event.preventDefault(); go(null); });
addEventListener("popstate", () => go(askedDeck(location.search), true));
fillSelect(select("seats"), [2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => [String(count), count === 2 ? "2 (heads-up)" : String(count)]), "6");
showSituation();
go(askedDeck(location.search), true);
