// The order of a table's rows by one of its columns.

/**
 * The number that a cell begins with, or null for words.
 * @param {string} text
 * @returns {number|null}
 */
export function numberIn(text) {
  const found = /^[+\-−]?[\d,]+(?:\.\d+)?/.exec(text.trim());
  return found && /^[+\-−\d]/.test(text.trim()) && !/^\d{4}-\d\d/.test(text.trim()) ? Number(found[0].replaceAll(",", "").replace("−", "-")) : null;
}

/**
 * Places of the rows in order: numbers by size, words by the alphabet, words after numbers.
 * @param {string[]} cells
 * @param {boolean} down
 * @returns {number[]}
 */
export function order(cells, down) {
  const keys = cells.map((text) => ({ number: numberIn(text), text: text.trim() }));
  const compare = (/** @type {number} */ one, /** @type {number} */ other) => {
    const [a, b] = [keys[one], keys[other]];
    if (a.number !== null && b.number !== null) return a.number - b.number;
    if ((a.number === null) !== (b.number === null)) return a.number === null ? 1 : -1;
    return a.text.localeCompare(b.text);
  };
  return cells.map((_, place) => place).sort((one, other) => (down ? -1 : 1) * compare(one, other) || one - other);
}
