// "Why did it do that?" and "What would it do in my place?", once the hand is over.
import { actionWords, chips, element } from "/page/cards.js";

function percent(share) {
  return `${(share * 100).toFixed(1)}%`;
}

function bars(decision, done) {
  const list = element("ul", { class: "bars", "aria-label": "How likely each action was" });
  for (const { action, words, probability, remembered, worth } of decision.actions) {
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${Math.max(probability * 100, 0.5)}%`;
    const memory = remembered === null ? "" : `, remembered ${percent(remembered)}`;
    const value = worth === null ? "" : `, ${decision.measure} ${worth > 0 ? "+" : ""}${worth.toFixed(2).replace("-", "−")}`;
    const text = `${words} ${percent(probability)}${memory}${value}`;
    list.append(element("li", { class: action === done ? "done" : "" }, bar, element("span", { text })));
  }
  return list;
}

function factText(value) {
  return typeof value === "number" ? String(Math.round(value * 1000) / 1000) : String(value);
}

// Details for developers, behind a fold: feature values, nodes, similarities.
function detailsList(details) {
  if (!details.length) return null;
  const list = element("ol", { class: "grounds" });
  for (const detail of details.slice(0, 20)) {
    const facts = element("dl");
    for (const [name, value] of Object.entries(detail.facts)) {
      facts.append(element("dt", { text: name.replaceAll("_", " ") }), element("dd", { text: factText(value) }));
    }
    list.append(element("li", {}, element("p", { text: `${detail.what} (weight ${factText(detail.weight)})` }), facts));
  }
  return element("details", {}, element("summary", { text: "Details" }), list);
}

function handsList(hands) {
  if (!hands.length) return null;
  const list = element("ul", { class: "hands", "aria-label": "Remembered hands" });
  for (const hand of hands) list.append(element("li", { text: hand.words }));
  return list;
}

function decisionElement(title, decision, done, open) {
  const box = element("details", { class: "decision", open });
  box.append(element("summary", { text: title }), element("p", { class: "situation", text: decision.situation }));
  box.append(element("p", { class: "words", text: [decision.decision, ...decision.reasons].join(" ") }));
  for (const part of [handsList(decision.hands), bars(decision, done), detailsList(decision.details)]) {
    if (part) box.append(part);
  }
  return box;
}

export function showReasons(panel, message, names) {
  panel.replaceChildren(element("h2", { text: `Hand ${message.hand + 1}: why they acted this way` }));
  if (!message.decisions.length) panel.append(element("p", { text: "No agent had a decision to make." }));
  message.decisions.forEach((decision, place) => {
    const title = `${names[decision.player] ?? "agent"}, ${decision.street}: ${actionWords(decision.action, decision.to_call)}`;
    panel.append(decisionElement(title, decision, decision.action, place === message.decisions.length - 1));
  });
  panel.append(element("h2", { text: "And in your place?" }));
  if (!message.advice.length) panel.append(element("p", { text: "You had no decision to make." }));
  for (const advice of message.advice) {
    const differs = advice.difference > 0.5;
    const title = `${advice.street}: you ${actionWords(advice.done, advice.to_call)}${differs ? ", it would rather not" : ""}`;
    const box = decisionElement(title, advice, advice.done, differs);
    if (differs) box.classList.add("differs");
    panel.append(box);
  }
}

function wouldNot(share) {
  return share >= 0.9995 ? "never would" : `would not, ${Math.round(share * 100)}% of the time`;
}

function differing(message) {
  const { decisions, differing, differences } = message;
  if (!differing) return decisions ? `Nowhere in ${decisions} decisions.` : "You have not made any decisions yet.";
  const shown = differences.length < differing ? ` The ${differences.length} largest, ranked by probability times pot:` : "";
  return `In ${differing} of ${decisions} decisions, more likely than not.${shown}`;
}

export function showSummary(panel, message) {
  panel.replaceChildren(element("h2", { text: "This sitting" }));
  const score = message.score;
  panel.append(element("p", { text: `${score.hands} hands, ${score.total >= 0 ? "+" : "−"}${Math.abs(score.total)} chips.` }));
  panel.append(element("h2", { text: `Where ${message.by} would have acted differently` }));
  panel.append(element("p", { text: differing(message) }));
  for (const one of message.differences) {
    const title = `Hand ${one.hand + 1}, ${one.street}: you ${actionWords(one.done, one.to_call)} with ${chips(one.pot)} in the pot (it ${wouldNot(one.difference)})`;
    panel.append(decisionElement(title, one, one.done, false));
  }
}
