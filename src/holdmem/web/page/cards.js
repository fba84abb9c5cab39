// Cards and small pieces of the page.
const SUITS = { c: ["♣", "clubs", "green"], d: ["♦", "diamonds", "blue"], h: ["♥", "hearts", "red"], s: ["♠", "spades", "black"] };
const RANKS = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine" };

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") made.className = value;
    else if (name === "text") made.textContent = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

export function cardName(card) {
  return `${RANKS[card[0]]} of ${SUITS[card[1]][1]}`;
}

// A card, face up; face down for null; an empty place for undefined.
export function cardElement(card) {
  if (card === undefined) return element("span", { class: "card empty", "aria-hidden": "true" });
  if (card === null) return element("span", { class: "card back", role: "img", "aria-label": "hidden card" });
  const [symbol, , colour] = SUITS[card[1]];
  const rank = card[0] === "T" ? "10" : card[0];
  const made = element("span", { class: `card ${colour}`, role: "img", "aria-label": cardName(card) });
  made.append(element("b", { text: rank, "aria-hidden": "true" }), element("i", { text: symbol, "aria-hidden": "true" }));
  return made;
}

export function chips(number) {
  return number.toLocaleString("en", { maximumFractionDigits: 2 });
}

export function signed(number) {
  return (number > 0 ? "+" : number < 0 ? "−" : "") + chips(Math.abs(number));
}

export function actionWords(action, toCall) {
  if (action > 0) return `raise to ${chips(action)}`;
  return action < 0 ? "fold" : toCall ? `call ${chips(toCall)}` : "check";
}

export function rateWords(rate) {
  if (!rate) return "";
  if (!rate.ci95) return "too few hands yet for a rate";
  const mean = `${rate.mean >= 0 ? "+" : "−"}${Math.abs(rate.mean).toFixed(3)}`;
  const reach = (rate.ci95[1] - rate.ci95[0]) / 2;
  return `${mean} ± ${reach.toFixed(3)} ${rate.unit} (95%)`;
}
