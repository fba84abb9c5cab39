// A player's portrait: a disc in a colour of its own with the beginning of its name.
import { element } from "./dom.js";

/**
 * One or two letters of a name, its number with them, and a hue that is always the same for it.
 * @param {string} name
 * @returns {{letters: string, hue: number}}
 */
export function portrait(name) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = "?", second = ""] = words;
  const letters = `${[...first][0]}${[...second][0] ?? ""}`.toUpperCase();
  let hue = 0;
  for (const letter of name) hue = (hue * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return { letters, hue: (hue * 137) % 360 }; // far apart for names that differ in a digit
}

/**
 * @param {string} name
 * @returns {HTMLElement}
 */
export function portraitElement(name) {
  const made = element("span", { class: "portrait", "aria-hidden": "true" });
  showPortrait(made, name);
  return made;
}

/**
 * @param {HTMLElement} made
 * @param {string} name
 */
export function showPortrait(made, name) {
  if (made.dataset.name === name) return;
  const { letters, hue } = portrait(name);
  made.dataset.name = name;
  made.dataset.letters = letters; // drawn by the style, so that no text is added to the seat's
  made.style.setProperty("--hue", String(hue));
}
