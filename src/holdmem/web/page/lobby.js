// The dialog for a new table.
import { element } from "/page/cards.js";

const RING = "simplebot"; // whom a further seat gets at first: somebody who plays every game
const byId = (name) => document.getElementById(name);

export function setUpLobby(sit) {
  const dialog = byId("lobby");
  let styles = {};
  let agents = [];

  function opponentSelects() {
    const count = Math.min(9, Math.max(1, Number(byId("lobby-seats").value) || 1));
    const box = byId("lobby-opponents");
    const chosen = [...box.querySelectorAll("select")].map((select) => select.value);
    box.replaceChildren();
    for (let place = 0; place < count; place += 1) {
      const select = element("select", { "aria-label": `Opponent ${place + 1}` });
      for (const agent of agents) select.append(element("option", { value: agent, text: agent }));
      select.value = chosen[place] ?? (place && agents.includes(RING) ? RING : agents[0]);
      select.addEventListener("change", () => { byId("lobby-style").textContent = styles[select.value] ?? ""; });
      box.append(select);
    }
    byId("lobby-style").textContent = styles[box.querySelector("select").value] ?? "";
  }

  byId("lobby-seats").addEventListener("input", opponentSelects);
  byId("lobby-cancel").addEventListener("click", () => dialog.close());
  byId("open-lobby").addEventListener("click", () => dialog.showModal());
  byId("lobby-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const stacks = byId("lobby-stack").value.split(/[ ,]+/).filter(Boolean).map(Number);
    const number = (name) => (byId(name).value ? Number(byId(name).value) : null);
    sit({
      type: "sit",
      game: byId("lobby-game").value,
      opponents: [...byId("lobby-opponents").querySelectorAll("select")].map((select) => select.value),
      adviser: byId("lobby-adviser").value || null,
      big_blind: number("lobby-blind"),
      stacks: stacks.length ? stacks : null,
      duplicate: byId("lobby-duplicate").checked,
    });
    dialog.close();
  });

  return {
    fill(welcome) {
      styles = Object.fromEntries(welcome.agents.map((agent) => [agent.name, agent.style]));
      agents = welcome.agents.map((agent) => agent.name);
      byId("lobby-game").replaceChildren(...welcome.games.map((name) => element("option", { value: name, text: name })));
      byId("lobby-game").value = welcome.game;
      byId("lobby-seats").value = welcome.opponents.length;
      byId("lobby-adviser").replaceChildren(element("option", { value: "", text: `${welcome.adviser} (usual)` }), ...agents.map((name) => element("option", { value: name, text: name })));
      opponentSelects();
      byId("lobby-opponents").querySelectorAll("select").forEach((select, place) => { select.value = welcome.opponents[place]; });
      byId("lobby-style").textContent = styles[welcome.opponents[0]] ?? "";
    },
    pace: () => Number(byId("lobby-speed").value),
  };
}
