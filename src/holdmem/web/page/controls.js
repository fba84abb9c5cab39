// The person's buttons: fold, call, raise with its sizes, and the next hand in their place once a hand is over.
import { SLIDER, amountAt, clamp, placeOf, presets, stepped, totalOf, typedAmount } from "./betting.js";
import { button, byId, element, input, setText } from "./dom.js";
import { money } from "./format.js";

/** @typedef {import("./types.js").PlayState} PlayState */
/** @typedef {import("./types.js").Options} Options */
/** @typedef {import("./types.js").Turn} Turn */

const DOUBLE_CLICK = 500; // milliseconds

/**
 * @param {object} calls
 * @param {(action: "fold"|"call"|"raise", to?: number) => void} calls.act
 * @param {() => void} calls.next
 * @param {() => Options} calls.options
 */
export function createControls({ act, next, options }) {
  /** @type {Turn|null} */
  let turn = null;
  /** @type {PlayState|null} */
  let state = null;
  let decision = "";
  let since = 0; // when these buttons came to be
  let chosen = 0; // the total that the field for amounts was last set to

  const unit = () => (state && options().bigBlinds ? state.big_blind : 0);
  const typed = () => totalOf(Number(input("amount").value), chosen, unit());

  /** @param {number} total */
  function setAmount(total) {
    if (!turn || !turn.max_raise_to) return;
    const legal = clamp(turn, total);
    chosen = legal;
    input("amount").value = String(typedAmount(legal, unit()));
    input("slider").value = String(placeOf(turn, legal));
    input("slider").setAttribute("aria-valuetext", money(legal, unit()));
    const all = legal === turn.max_raise_to && !state?.table.limit;
    const verb = turn.highest ? "Raise to" : "Bet";
    setText(byId("raise-words"), all ? `All-in ${money(legal, unit())}` : `${verb} ${money(legal, unit())}`);
    for (const one of byId("presets").children) one.setAttribute("aria-pressed", String(Number(/** @type {HTMLElement} */ (one).dataset.to) === legal));
  }

  function raise() {
    if (!turn?.max_raise_to) return;
    setAmount(typed());
    act("raise", chosen);
  }

  /** @param {number} steps */
  function step(steps) {
    if (turn && state && sizable()) setAmount(stepped(turn, typed(), steps, state.big_blind));
  }

  const sizable = () => Boolean(turn && turn.max_raise_to > turn.min_raise_to && !state?.table.limit);

  function showSizes() {
    byId("sizes").hidden = Boolean(state?.table.limit);
    const open = sizable();
    byId("sizes").classList.toggle("unused", !open);
    byId("sizes").style.visibility = state?.over ? "hidden" : ""; // its place stays, so that nothing moves
    for (const name of ["amount", "slider"]) input(name).disabled = !open;
    input("amount").setAttribute("aria-label", unit() ? "Raise to, in big blinds" : "Raise to");
    const offered = open && turn && state ? presets(turn, state.street, state.big_blind) : [];
    byId("presets").replaceChildren(...offered.map(({ label, to }) => {
      const made = element("button", { type: "button", text: label, "data-to": to, "aria-pressed": "false" });
      made.addEventListener("click", () => setAmount(to));
      return made;
    }));
  }

  /**
   * The second click of a double click belongs to the decision before, whose button was at the same place.
   * @param {string} name
   * @param {() => void} todo
   */
  function pressed(name, todo) {
    button(name).addEventListener("click", (event) => { if (event.detail < 2 || event.timeStamp - since > DOUBLE_CLICK) todo(); });
  }

  pressed("fold", () => act("fold"));
  pressed("call", () => act("call"));
  pressed("raise", raise);
  pressed("next", next);
  input("slider").max = String(SLIDER);
  input("slider").addEventListener("input", () => { if (turn) setAmount(amountAt(turn, Number(input("slider").value))); });
  input("amount").addEventListener("change", () => setAmount(typed()));
  byId("controls").addEventListener("wheel", (event) => {
    if (!sizable()) return;
    event.preventDefault();
    step(event.deltaY < 0 ? 1 : -1);
  }, { passive: false });

  return {
    /**
     * @param {PlayState} shown
     * @param {boolean} ready  whether the person may act now
     * @param {boolean} finished  whether the match is over
     */
    show(shown, ready, finished) {
      state = shown;
      turn = ready ? shown.turn : null;
      const over = shown.over;
      byId("act").hidden = over;
      byId("after").hidden = !over;
      button("fold").disabled = !turn || !turn.to_call;
      button("call").disabled = !turn;
      setText(byId("call-words"), turn?.to_call ? `Call ${money(turn.to_call, unit())}` : "Check");
      button("raise").disabled = !turn || !turn.max_raise_to;
      button("ask").disabled = !turn;
      setText(byId("ask-words"), `What would ${shown.table.adviser_name} do?`);
      button("ask").hidden = over;
      button("next").disabled = !over || !ready || finished;
      for (const name of ["next", "auto-deal"]) byId(name).hidden = finished;
      byId("again").hidden = !finished;
      const now = `${shown.table.sitting}/${shown.hand}/${shown.log.length}/${ready}/${unit()}`;
      if (now === decision) return;
      decision = now;
      since = performance.now();
      showSizes();
      if (turn?.max_raise_to) setAmount(turn.min_raise_to);
      else setText(byId("raise-words"), turn && shown.table.limit ? "Capped" : "Raise");
    },
    setAmount,
    raise,
    step,
    /** @param {string} digit */
    type(digit) {
      if (input("amount").disabled) return false;
      input("amount").focus();
      input("amount").value = digit;
      return true;
    },
    /** @param {number} direction */
    nextPreset(direction) {
      const sizes = [...byId("presets").children].map((one) => Number(/** @type {HTMLElement} */ (one).dataset.to));
      const now = typed();
      const other = direction > 0 ? sizes.find((size) => size > now) : sizes.findLast((size) => size < now);
      if (other) setAmount(other);
    },
  };
}
