// Keys of the table.

/**
 * @param {object} calls
 * @param {(action: "fold"|"call") => void} calls.act
 * @param {() => void} calls.next
 * @param {ReturnType<typeof import("./controls.js").createControls>} calls.controls
 * @param {() => void} calls.why
 * @param {() => void} calls.ask
 * @param {() => void} calls.toggleStatistics
 */
export function listenToKeys({ act, next, controls, why, ask, toggleStatistics }) {
  /** @type {Record<string, () => void>} */
  const letters = { f: () => act("fold"), c: () => act("call"), k: () => act("call"), r: controls.raise, a: ask, w: why, h: toggleStatistics };
  /** @type {Record<string, () => void>} */
  const sizes = { ArrowUp: () => controls.step(1), ArrowDown: () => controls.step(-1), PageUp: () => controls.nextPreset(1), PageDown: () => controls.nextPreset(-1) };

  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat && target.closest("#act, #after")) event.preventDefault(); // a key held down decides once
    const typing = target instanceof HTMLInputElement && target.type === "number";
    const key = event.key.toLowerCase();
    if (typing && event.key === "Enter") {
      event.preventDefault();
      controls.raise();
    } else if (key in letters && !event.repeat) {
      event.preventDefault();
      letters[key]();
    } else if (event.key in sizes && !scrolls(target)) {
      event.preventDefault();
      sizes[event.key]();
    } else if (event.key === " " && spaceDealsFrom(target.closest("a, button, input, select, summary"))) {
      event.preventDefault();
      next();
    } else if (/^[0-9]$/.test(event.key) && !typing && controls.type(event.key)) event.preventDefault();
  });
}

/**
 * Space deals the next hand, except on a control that uses it.
 * @param {Element|null} control
 */
function spaceDealsFrom(control) {
  return !control || control.id === "next" || control.getAttribute("aria-selected") === "true";
}

/**
 * Arrow keys belong to a slider, and to a panel that scrolls.
 * @param {HTMLElement} target
 */
function scrolls(target) {
  return (target instanceof HTMLInputElement && target.type === "range") || target.closest("[role=tabpanel], [role=tab]") !== null;
}
