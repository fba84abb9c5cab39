// The judgement of a replayed hand: asked for, waited for, and shown in step with the hand.
import { element, fillSelect } from "./dom.js";
import { evaluationGraph } from "./evaluation.js";
import { actionWords, percent } from "./format.js";
import { blinds, bySteps, decisionAt, expectedResults, gradeOf, lossWords, progressWords, signedBlinds, valueText, wideOf } from "./judged.js";
import { rangesView } from "./ranges.js";

/** @typedef {import("./judged.js").Judged} Judged */
/** @typedef {import("./steps.js").ReplayState} ReplayState */

const PATIENCE = 900; // milliseconds between looks at a hand that is being valued
const NOTHING = { state: "none", total: 0, decisions: [], stored: [], players: [], player: null };

/**
 * @param {HTMLElement} panel
 * @param {Record<string, string|number>} wish  the hand, as its address names it
 * @param {() => void} changed  called when more is known
 * @param {(step: number) => void} goTo
 */
export function createJudgement(panel, wish, changed, goTo) {
  /** @type {any} */
  let told = NOTHING;
  /** @type {Map<number, Judged>} */
  let known = new Map();
  /** @type {string|null} */
  let player = null;
  let opponent = "";
  let shown = "";

  /** @param {"GET"|"POST"} method */
  async function ask(method) {
    const asked = player;
    const query = new URLSearchParams(/** @type {any} */ (player === null ? wish : { ...wish, player }));
    const answer = await fetch(`/v1/judgement?${query}`, { method });
    if (!answer.ok) throw new Error(await answer.text());
    const found = await answer.json();
    if (asked !== player) return; // another player was chosen meanwhile
    told = found;
    known = bySteps(told);
    changed();
    if (told.state === "running") setTimeout(() => tryTo("GET"), PATIENCE);
    else if (told.state === "none" && method === "GET") tryTo("POST"); // given up meanwhile
  }
  /** @param {"GET"|"POST"} method */
  const tryTo = (method) => ask(method).catch((error) => {
    told = { ...told, state: "refused", problem: error instanceof TypeError ? "The server does not answer." : String(error.message) };
    changed();
  });

  /** @param {string} name */
  function choose(name) {
    if (!name || name === player) return;
    player = name;
    [told, known] = [{ ...NOTHING, players: told.players, player: name }, new Map()];
    changed();
    tryTo("POST");
  }

  return {
    begin: () => tryTo("POST"),
    at: (/** @type {number} */ step) => decisionAt(known, step),
    /** @param {number} step  the state after the action */
    of: (step) => known.get(step - 1) ?? null,
    /**
     * @param {ReplayState[]} states
     * @param {number} step
     * @param {number} unit  chips of a big blind where amounts are in big blinds, else 0
     */
    show(states, step, unit) {
      const now = JSON.stringify([told.state, told.stage, told.total, told.decisions.length, told.player, told.problem, step, unit]);
      if (now === shown) return; // what has the focus keeps it
      shown = now;
      const one = decisionAt(known, step);
      panel.replaceChildren(
        head(told, choose),
        ...overview(states, step, known, told, goTo),
        ...(one ? decision(one, states[one.step], unit) : [element("p", { class: "hint", text: known.size ? "No decision of this player here: choose one above." : "" })]),
        one?.ranges ? rangesView(one.ranges, opponent, (name) => { opponent = name; }) : element("span", {}),
        element("p", { class: "hint", text: one?.assumptions ?? "" }),
      );
    },
  };
}

/**
 * Whose decisions these are, and how far they are valued.
 * @param {any} told
 * @param {(player: string) => void} choose
 */
function head(told, choose) {
  const made = element("div", { class: "judged-head" });
  const list = /** @type {HTMLSelectElement} */ (element("select", {}));
  const names = told.players.includes(told.player) || told.player === null ? told.players : [told.player, ...told.players];
  fillSelect(list, [...(told.player === null ? [["", "choose a player"]] : []), ...names.map((/** @type {string} */ name) => [name, name])], told.player ?? "");
  list.addEventListener("change", () => choose(list.value));
  if (names.length) made.append(element("label", {}, "Decisions of ", list));
  const words = progressWords(told);
  if (words) made.append(element("p", { role: "status" }, `${words} `, element("progress", { max: Math.max(told.total, 1), value: told.stage === "valuing" ? told.decisions.length : null, "aria-label": "values of this hand" })));
  if (told.problem) made.append(element("p", { class: "problem", role: "alert", text: told.problem }));
  if (told.state === "choose" && !names.length) made.append(element("p", { class: "problem", text: "Nothing can be valued: no player's hole cards are known in this hand." }));
  return made;
}

/**
 * The graph, and the decisions as a list: what the graph shows, in words.
 * @param {ReplayState[]} states
 * @param {number} step
 * @param {Map<number, Judged>} known
 * @param {any} told
 * @param {(step: number) => void} goTo
 * @returns {Node[]}
 */
function overview(states, step, known, told, goTo) {
  if (!known.size) return [];
  const last = states[states.length - 1];
  const seat = last.seats.find((one) => one.name === told.player);
  const net = seat?.net === null || seat?.net === undefined ? null : seat.net / last.big_blind;
  const points = expectedResults(known.values(), states.length - 1, net);
  const items = [...known.values()].sort((one, other) => one.step - other.step).map((one) => {
    const { level, mark } = gradeOf(one);
    const text = element("span", {}, `${states[one.step].street}: ${lossWords(one)}`);
    const button = element("button", { type: "button", "aria-current": one.step === step || one.step + 1 === step ? "step" : "false" }, element("span", { class: `grade ${level}`, "aria-hidden": "true", text: mark }), text);
    button.addEventListener("click", () => goTo(one.step));
    return element("li", {}, button);
  });
  const list = element("ol", { class: "judged-list", "aria-label": "Decisions" }, ...items);
  if (points.length < 2) return [list];
  const caption = element("figcaption", { text: `Expected result of the hand in big blinds: ● with the best action, ■ after the one taken${net === null ? "" : `; it ended at ${signedBlinds(net, 1)}`}.` });
  return [element("figure", {}, evaluationGraph(points, states, step), caption), list];
}

/**
 * @param {Judged} one
 * @param {ReplayState} state  before it
 * @param {number} unit
 * @returns {Node[]}
 */
function decision(one, state, unit) {
  const head = element("h3", { text: `${capital(state.street)}: ${lossWords(one)}` });
  if (!one.actions.length) return [head, element("p", { class: "hint", text: "From the review of this file; the values of each action follow." })];
  const toCall = state.odds?.to_call ?? 0;
  const rows = one.actions.map((action, place) => {
    const words = unit || !action.words ? actionWords(action.code, toCall, unit) : action.words;
    const marks = [place === one.taken ? "taken" : "", place === one.best ? "best" : ""].filter(Boolean).join(", ");
    const spread = action.others_bb && action.bb ? element("small", { text: action.others_bb.map((bb) => blinds(bb)).join(" to ") }) : null;
    const cells = [element("td", {}, valueText(action, wideOf(one)), spread)];
    if (action.reference !== undefined) cells.push(element("td", { text: percent(action.reference) }));
    return element("tr", { class: place === one.taken ? "done" : "" }, element("th", { scope: "row" }, words, marks ? element("small", { text: ` ${marks}` }) : ""), ...cells);
  });
  const models = one.actions.some((action) => action.others_bb) ? "; below: other models" : "";
  const heads = ["action", `bb (95%)${models}`, ...(one.actions[0].reference !== undefined ? ["reference"] : [])];
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col", text })))), element("tbody", {}, ...rows));
  const spread = one.others_bb ? element("p", { class: "hint", text: `Under other models of the opponents the action taken loses ${one.others_bb.map((bb) => blinds(bb).replace("+", "")).join(" to ")} bb.` }) : null;
  const from = one.reviewed ? element("p", { class: "hint", text: "From the review of this file; ranges and other models follow." }) : null;
  const reasons = element("ul", { class: "reasons" }, ...(one.reasons ?? []).map((text) => element("li", { text })));
  return [head, element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Values of the actions" }, table), spread, from, reasons.children.length ? reasons : null].filter((made) => made !== null);
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * What a move cost, for the list of moves: a mark and an amount, not a colour alone.
 * @param {Judged|null} one
 * @returns {HTMLElement|null}
 */
export function gradeBadge(one) {
  if (!one) return null;
  const { level, mark } = gradeOf(one);
  const costs = level === "small" || level === "loss" || level === "large";
  return element("span", { class: `grade ${level}`, title: lossWords(one) }, element("span", { "aria-hidden": "true", text: costs ? `${mark} ${signedBlinds(-one.loss, 1)}` : mark }), element("span", { class: "visually-hidden", text: ` ${lossWords(one)}` }));
}
