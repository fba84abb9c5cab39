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
 * @property {boolean} [made]  whether it was made from one's own hands
 * @property {string|null} [betting]  of most of the hands that it was made from: limit or nolimit
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
 * Those named: first those made from one's own hands, then weakest first; those without a rate last.
 * @param {Person[]} people
 * @param {string[]} able
 * @param {string} betting
 * @param {number} seats
 * @returns {{person: Person, rate: FieldRate|null}[]}
 */
export function ranked(people, able, betting, seats) {
  const found = people.filter((person) => able.includes(person.name)).map((person) => ({ person, rate: rateFor(person, betting, seats) }));
  return found.sort((one, other) => Number(other.person.made ?? false) - Number(one.person.made ?? false) || (one.rate?.mean ?? Infinity) - (other.rate?.mean ?? Infinity) || 0);
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
  const size = Math.abs(rate.mean).toFixed(digits);
  const sign = Number(size) === 0 ? "" : rate.mean > 0 ? "+" : "−";
  return `${sign}${size} ± ${reach.toFixed(digits)} ${rate.unit}`;
}

/**
 * Ranks that the intervals leave open, as shares of all who were measured: below `least` are those who are
 * clearly weaker, above `most` those who are clearly stronger. Intervals that overlap decide nothing.
 * @param {{rate: FieldRate|null}[]} list
 * @param {number} place
 * @returns {{least: number, most: number}|null}
 */
export function strength(list, place) {
  const own = list[place].rate;
  if (!own) return null;
  const rates = list.flatMap((one) => (one.rate ? [one.rate] : []));
  const weaker = rates.filter((other) => other.high < own.low).length;
  const stronger = rates.filter((other) => other.low > own.high).length;
  return { least: (weaker + 1) / rates.length, most: (rates.length - stronger) / rates.length };
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

/**
 * The players made from one's own hands that an address asks for: `?with=made:ID,made:ID`.
 * @param {string} search
 * @returns {string[]}
 */
export function askedPlayers(search) {
  const names = (new URLSearchParams(search).get("with") ?? "").split(",");
  return names.filter((name) => /^made:[a-z0-9]{16}$/.test(name)).slice(0, 10);
}

/**
 * The betting at which these players are invited to sit down: that of the hands that the first was made from.
 * @param {Person[]} people
 * @param {string[]} names
 * @returns {string} limit or nolimit
 */
export function bettingOf(people, names) {
  return people.find((person) => person.name === names[0])?.betting ?? "nolimit";
}
