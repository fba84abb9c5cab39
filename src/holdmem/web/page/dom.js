// Small helpers for the document.

/**
 * @param {string} tag
 * @param {Record<string, string|number|boolean|null|undefined>} [attributes]
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") made.className = String(value);
    else if (name === "text") made.textContent = String(value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

/**
 * @param {string} name
 * @returns {HTMLElement}
 */
export function byId(name) {
  const found = document.getElementById(name);
  if (!found) throw new Error(`no element ${name}`);
  return found;
}

/**
 * @param {string} name
 * @returns {HTMLButtonElement}
 */
export const button = (name) => /** @type {HTMLButtonElement} */ (byId(name));

/**
 * @param {string} name
 * @returns {HTMLInputElement}
 */
export const input = (name) => /** @type {HTMLInputElement} */ (byId(name));

/**
 * @param {string} name
 * @returns {HTMLSelectElement}
 */
export const select = (name) => /** @type {HTMLSelectElement} */ (byId(name));

/**
 * @param {HTMLSelectElement} list
 * @param {[string, string][]} options  values with their texts
 * @param {string} [value]
 */
export function fillSelect(list, options, value) {
  list.replaceChildren(...options.map(([key, text]) => element("option", { value: key, text })));
  if (options.some(([key]) => key === value)) list.value = value ?? "";
}

/**
 * Set the text of an element unless it already says so: an unchanged text is not announced again.
 * @param {Element} place
 * @param {string} text
 */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/**
 * @param {HTMLElement} made
 * @param {import("./types.js").Box} box
 */
export function placeAt(made, box) {
  made.style.left = `${box.x}px`;
  made.style.top = `${box.y}px`;
  made.style.width = `${box.w}px`;
  made.style.height = `${box.h}px`;
}
