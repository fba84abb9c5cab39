// The log of a table. Lines are appended and never rebuilt; another table begins another log. A screen reader hears each of them once, from a
// region of its own, since the panel with the log may be closed.
import { cardName, inlineCards } from "./cards.js";
import { element } from "./dom.js";
import { logLines } from "./loglines.js";

/** @typedef {import("./types.js").TableState} TableState */
/** @typedef {import("./types.js").Options} Options */

const MOST = 400;
const MOST_HEARD = 20;

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} scroller  the element that scrolls
 * @param {HTMLElement} [heard]  the region that is read aloud
 */
export function createLog(list, scroller, heard) {
  let told = 0;
  let hand = "";
  let shown = "";
  const toEnd = () => { scroller.scrollTop = scroller.scrollHeight; }; // the panel alone: the page stays where it is
  new ResizeObserver(toEnd).observe(scroller); // also when the panel is opened, or what is below it grows

  return {
    /**
     * @param {TableState} state
     * @param {Options} options
     * @param {string} [table]
     */
    add(state, options, table = "") {
      const now = `${table}/${state.hand}`;
      if (now !== hand) told = 0;
      if (table !== shown) list.replaceChildren(); // what happened at another table is in the history
      hand = now;
      shown = table;
      const lines = logLines(state, { unit: options.bigBlinds ? state.big_blind : 0, hideFolded: options.hideFolded });
      for (const one of lines.slice(told)) {
        const item = element("li", { class: `${one.kind}${one.mine ? " mine" : ""}` }, one.text);
        if (one.cards.length) item.append(" ", inlineCards(one.cards));
        list.append(item);
        heard?.append(element("p", { text: [one.text, ...one.cards.map(cardName)].join(" ") }));
      }
      told = Math.max(told, lines.length);
      while (heard && heard.children.length > MOST_HEARD) heard.firstChild?.remove();
      while (list.children.length > MOST) list.firstChild?.remove();
      toEnd();
    },
  };
}
