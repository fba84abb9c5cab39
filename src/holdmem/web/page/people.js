// The agents as people: ordered from weakest to strongest, each with a measured rate and a line on style.

/**
 * @typedef {object} FieldRate
 * @property {string} game
 * @property {number} seats
 * @property {number} mean
 * @property {number} low
 * @property {number} high
 * @property {string} unit
 * @property {number} hands
 */

/**
 * @typedef {object} Person
 * @property {string} name  by which it is asked for
 * @property {string} shown  by which it is called at the table
 * @property {string} style
 * @property {FieldRate[]} rates
 */

/**
 * The rate that says most about a table: measured heads-up for two seats, else at six.
 * @param {Person|undefined} person
 * @param {string} betting  limit or nolimit
 * @param {number} seats
 * @returns {FieldRate|null}
 */
export function rateFor(person, betting, seats) {
  const measured = seats === 2 ? 2 : 6;
  return person?.rates.find((rate) => rate.game === betting && rate.seats === measured) ?? null;
}

/**
 * Those named, weakest first; those without a rate last.
 * @param {Person[]} people
 * @param {string[]} able
 * @param {string} betting
 * @param {number} seats
 * @returns {{person: Person, rate: FieldRate|null}[]}
 */
export function ranked(people, able, betting, seats) {
  const found = people.filter((person) => able.includes(person.name)).map((person) => ({ person, rate: rateFor(person, betting, seats) }));
  return found.sort((one, other) => (one.rate?.mean ?? Infinity) - (other.rate?.mean ?? Infinity) || 0);
}

/**
 * What these agents are called.
 * @param {Person[]} people
 * @param {string[]} names
 * @returns {string}
 */
export function called(people, names) {
  return names.map((name) => people.find((person) => person.name === name)?.shown ?? name).join(", ");
}

/**
 * @param {FieldRate|null} rate
 * @returns {string}
 */
export function rateText(rate) {
  if (!rate) return "not measured";
  const reach = (rate.high - rate.low) / 2;
  const digits = Math.abs(rate.mean) >= 10 ? 1 : 2;
  return `${rate.mean >= 0 ? "+" : "−"}${Math.abs(rate.mean).toFixed(digits)} ± ${reach.toFixed(digits)} ${rate.unit}`;
}

/**
 * Strength from 0 to 1 within a list, by rank.
 * @param {{rate: FieldRate|null}[]} list
 * @param {number} place
 * @returns {number|null}
 */
export function strength(list, place) {
  const rated = list.filter((one) => one.rate).length;
  return list[place].rate ? (place + 1) / rated : null;
}

/**
 * Seat one more: whoever was chosen first gets up.
 * @param {string[]} chosen
 * @param {string} name
 * @param {number} seats  for opponents
 * @returns {string[]}
 */
export function seated(chosen, name, seats) {
  return [...chosen, name].slice(-seats);
}
