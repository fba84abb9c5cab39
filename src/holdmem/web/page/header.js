// The lines about the table and the score.
import { byId, setText } from "./dom.js";
import { counted, rateWords, signed } from "./format.js";

/** @typedef {import("./types.js").PlayState} PlayState */

/** @param {PlayState} state */
export function showScore(state) {
  const { score, table } = state;
  const rate = rateWords(score.rate);
  const duplicate = score.pairs ? `; duplicate pairs ${score.pairs}: ${rateWords(score.duplicate_rate)}` : "";
  const of = score.less_luck && score.less_luck.samples < score.hands ? ` in ${counted(score.less_luck.samples, "hand")}` : "";
  const lessLuck = score.less_luck ? `; without luck${of} ${rateWords(score.less_luck)}` : "";
  setText(byId("score"), `${signed(score.total)} chips in ${counted(score.hands, "hand")}${rate ? `; ${rate}` : ""}${duplicate}${lessLuck}`);
  setText(byId("about"), [`Hand ${state.hand + 1}`, ...tableWords(table), opponents(state)].filter(Boolean).join("; "));
  byId("about").title = byId("about").textContent ?? "";
  byId("bankroll").setAttribute("aria-label", `Bankroll after ${counted(score.hands, "hand")}: ${signed(score.total)} chips`);
}

/**
 * What is played, with what changes first, since a narrow page cuts the end. In a tournament stacks are not of one depth.
 * @param {{words: string, tournament: import("./types.js").Tournament|null}} table
 * @returns {string[]}
 */
export function tableWords({ words, tournament }) {
  if (!tournament) return [words];
  const parts = words.split(", ");
  const blinds = parts.filter((part) => part.startsWith("blinds "));
  const others = parts.filter((part) => !blinds.includes(part) && !part.endsWith(" deep"));
  return [tournamentWords(tournament), ...blinds, others.join(", ")];
}

/**
 * The names of the others, in the order in which they were chosen; at a larger table the felt shows them.
 * @param {PlayState} state
 */
function opponents(state) {
  const others = state.seats.filter((seat) => !seat.you).sort((one, other) => one.player - other.player);
  return others.length > 3 ? "" : `against ${others.map((seat) => seat.name).join(", ")}`;
}

/**
 * @param {import("./types.js").Tournament} tournament
 * @returns {string}
 */
export function tournamentWords(tournament) {
  if (tournament.over && tournament.place === 1) return "you won";
  if (tournament.over) return tournament.format === "match" ? "you lost" : `you finished in place ${tournament.place}`;
  return tournament.hands_left ? `level ${tournament.level + 1}, ${counted(tournament.hands_left, "hand")} to the next` : "";
}

/**
 * @param {import("./types.js").Tournament} tournament
 * @returns {string}
 */
export function farewell(tournament) {
  const what = tournament.format === "match" ? "match" : "sit-and-go";
  return `The ${what} is over: ${tournamentWords(tournament)}.`;
}
