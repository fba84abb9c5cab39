// The line of advice. Where it is longer than its room, a button opens the rest.
import { button, byId, setText } from "./dom.js";

/** @returns {(text: string) => void} shows a text, or none */
export function createAdvice() {
  const place = byId("advice");
  const more = button("advice-more");

  /** @param {boolean} whole */
  function open(whole) {
    place.classList.toggle("whole", whole);
    more.setAttribute("aria-expanded", String(whole));
    setText(more, whole ? "Less" : "More");
  }

  function fit() {
    if (!place.classList.contains("whole")) more.hidden = place.scrollHeight <= place.clientHeight + 1;
  }

  more.addEventListener("click", () => { open(!place.classList.contains("whole")); fit(); });
  new ResizeObserver(fit).observe(place);

  return (text) => {
    if (place.textContent === text) return;
    open(false);
    setText(place, text);
    fit();
  };
}
