// The dialog for a new table. It offers only the agents that, according to the server, can play the chosen game.
import { element } from "/page/cards.js";

const byId = (name) => document.getElementById(name);
const number = (name) => (byId(name).value ? Number(byId(name).value) : null);

export function fillSelect(select, options, value) {
  select.replaceChildren(...options.map(([key, text]) => element("option", { value: key, text })));
  if (options.some(([key]) => key === value)) select.value = value;
}

export function setUpLobby(sit, ask, left) {
  const dialog = byId("lobby");
  let styles = {};
  let asked = "";
  let chosen = []; // opponents as chosen, whether or not they can play the game chosen later

  function wish() {
    const stacks = byId("lobby-stack").value.split(/[ ,]+/).filter(Boolean).map(Number);
    const opponents = Math.min(9, Math.max(1, Math.round(Number(byId("lobby-seats").value)) || 1));
    return { game: byId("lobby-game").value, seats: opponents + 1, big_blind: number("lobby-blind"), stacks: stacks.length ? stacks : null };
  }

  function askWho() {
    const wanted = wish();
    asked = JSON.stringify(wanted);
    byId("lobby-go").disabled = true;
    tell("Looking up who plays this…");
    ask({ type: "who", ...wanted });
  }

  function tell(text, wrong = false) {
    byId("lobby-style").textContent = text;
    byId("lobby-style").classList.toggle("problem", wrong);
  }

  function offer(message) {
    const { game, seats, big_blind, stacks, agents } = message;
    if (JSON.stringify({ game, seats, big_blind, stacks }) !== asked) return; // the choice has changed since
    const others = Object.keys(styles).length - agents.length;
    const left_out = others ? ` ${others} other agents do not play this game.` : "";
    const selects = message.opponents.map((usual, place) => {
      const select = element("select", { "aria-label": `Opponent ${place + 1}` });
      fillSelect(select, agents.map((name) => [name, name]), agents.includes(chosen[place]) ? chosen[place] : usual);
      select.addEventListener("change", () => { chosen[place] = select.value; tell(`${select.value}: ${styles[select.value] ?? ""}.${left_out}`); });
      return select;
    });
    byId("lobby-opponents").replaceChildren(...selects);
    const usual = [["", message.adviser ? `${message.adviser} (default)` : "your first opponent (default)"]];
    fillSelect(byId("lobby-adviser"), [...usual, ...agents.map((name) => [name, name])], byId("lobby-adviser").value);
    byId("lobby-go").disabled = !agents.length;
    if (agents.length) tell(`${selects[0].value}: ${styles[selects[0].value] ?? ""}.${left_out}`);
    else tell("No agent here plays this game with this many seats.", true);
  }

  for (const name of ["lobby-game", "lobby-seats", "lobby-blind", "lobby-stack"]) byId(name).addEventListener("input", askWho);
  byId("lobby-cancel").addEventListener("click", () => dialog.close());
  byId("open-lobby").addEventListener("click", () => { dialog.showModal(); askWho(); });
  // Otherwise the button that opened the dialog gets the focus back, and the next Space reopens the dialog.
  dialog.addEventListener("close", left);
  byId("lobby-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const { game, big_blind, stacks } = wish();
    const opponents = [...byId("lobby-opponents").querySelectorAll("select")].map((select) => select.value);
    sit({ type: "sit", game, opponents, adviser: byId("lobby-adviser").value || null, big_blind, stacks, duplicate: byId("lobby-duplicate").checked });
    dialog.close();
  });

  return {
    fill(welcome) {
      styles = Object.fromEntries(welcome.agents.map((agent) => [agent.name, agent.style]));
      fillSelect(byId("lobby-game"), welcome.games.map((name) => [name, name]), byId("lobby-game").value || welcome.game);
      if (!chosen.length) {
        chosen = [...welcome.opponents];
        byId("lobby-seats").value = welcome.opponents.length;
      }
      if (dialog.open) askWho();
    },
    offer,
    isOpen: () => dialog.open,
    refuse: (text) => tell(text, true),
    pace: () => Number(byId("lobby-speed").value),
  };
}
