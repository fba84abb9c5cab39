// The page of one's own hands: drop files, see what they say, look at every hand.
import { byId, element, input, setText } from "./dom.js";
import { createDashboard } from "./dashboard.js";
import { counted } from "./format.js";
import { addressOf, askedFile, fileWords, LARGEST, problemWords } from "./library.js";
import { filesOf, parcels } from "./pack.js";
import { createPlayers } from "./players.js";

/** @typedef {import("./library.js").HandFile} HandFile */

const PATIENCE = 700; // milliseconds between looks at a file that is being read
let sending = 0;
/** @type {HandFile[]} */
let files = [];
let own = 0;
let turns = 0; // how often something was opened
let opened = askedFile(location.search);
const players = createPlayers(byId("players"), complain);
const dashboard = createDashboard(byId("dashboard"), (player) => open(opened.file ?? "", player), (file, player) => players.make(file, player).catch(complain));

/**
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
async function ask(address, how) {
  const answer = await fetch(address, how);
  if (!answer.ok) throw new Error((await answer.text()) || `the server answers ${answer.status}`);
  return answer.json();
}

/** @param {unknown} error */
function complain(error) {
  setText(byId("problem"), error instanceof TypeError ? "The server does not answer." : String(error instanceof Error ? error.message : error));
}

async function look() {
  const told = await ask("/v1/hands");
  files = told.files;
  own = told.own;
  showFiles();
  if (files.some((file) => file.state === "reading" || file.state === "waiting")) setTimeout(() => look().catch(complain), PATIENCE);
  const wanted = opened.file;
  if (wanted && !dashboard.shows(wanted, opened.player) && isReady(wanted)) await show();
}

/** @param {string} id */
const isReady = (id) => (id === "own" ? own > 0 : files.some((file) => file.id === id && file.state === "ready"));

function showFiles() {
  const rows = files.map(fileRow);
  if (own) rows.unshift(row("own", "Hands played at this table", counted(own, "hand"), true));
  if (!rows.length) rows.push(element("li", { text: "None yet." }));
  byId("file-list").replaceChildren(...rows);
}

/** @param {HandFile} file */
function fileRow(file) {
  const made = row(file.id, file.name, fileWords(file), file.state === "ready");
  if (file.state === "reading" || file.state === "waiting") made.append(element("progress", { "aria-label": `reading ${file.name}` }));
  const remove = element("button", { type: "button", text: "Delete", "aria-label": `Delete ${file.name}` });
  remove.addEventListener("click", () => forget(file).catch(complain));
  made.append(remove);
  return made;
}

/**
 * @param {string} id
 * @param {string} name
 * @param {string} words
 * @param {boolean} ready
 */
function row(id, name, words, ready) {
  const made = element("li", { "data-file": id, "aria-current": id === opened.file ? "true" : null }, element("span", { class: "name", text: name }), element("small", { text: words }));
  if (ready) {
    const look = element("a", { class: "button", href: addressOf(id, null), text: "Open", "aria-label": `Open ${name}` });
    look.addEventListener("click", (event) => { event.preventDefault(); open(id, null); });
    made.append(look);
  }
  return made;
}

/**
 * @param {string} file
 * @param {string|null} player
 */
function open(file, player) {
  setText(byId("problem"), "");
  opened = { file, player };
  history.pushState(null, "", addressOf(file, player));
  show().catch(complain);
}

async function show() {
  const { file, player } = opened;
  const turn = turns += 1;
  showFiles();
  if (!file) { dashboard.close(); return; }
  if (file !== "own" && dashboard.shows(file, player)) { // a file does not change: what is open stays
    byId("dashboard").scrollIntoView({ block: "start" });
    return;
  }
  const about = files.find((one) => one.id === file) ?? null;
  const query = player === null ? "" : `?${new URLSearchParams({ player })}`;
  const told = await ask(`/v1/hands/${file}/dashboard${query}`);
  if (turn === turns) await dashboard.empty();
  if (turn !== turns) return; // something was opened meanwhile, perhaps the same once more
  dashboard.open(file, player, about, told);
  byId("dashboard").scrollIntoView({ block: "start" });
}

/** @param {HandFile} file */
async function forget(file) {
  if (!confirm(`Delete ${file.name} from this machine's table? The file it came from stays where it is.`)) return;
  await ask(`/v1/hands/${file.id}`, { method: "DELETE" });
  if (opened.file === file.id) { opened = { file: null, player: null }; history.replaceState(null, "", "/hands"); dashboard.close(); }
  await look();
}

/** @param {File[]} some */
async function send(some) {
  setText(byId("problem"), "");
  let first = "";
  const problems = [];
  for (const { name, content } of parcels(some, LARGEST)) {
    sending += 1;
    setText(byId("status"), `Adding ${name} …`);
    try {
      if (content.size > LARGEST) throw new Error(`the file is larger than ${LARGEST >> 20} MB`);
      const { id } = await ask(`/v1/hands?${new URLSearchParams({ name })}`, { method: "POST", body: content });
      first ||= id;
    } catch (error) {
      problems.push(`${name}: ${error instanceof TypeError ? "it could not be sent" : error instanceof Error ? error.message : error}`);
    }
    sending -= 1;
  }
  if (!sending) setText(byId("status"), "");
  if (problems.length) complain(new Error(problemWords(problems)));
  if (first) { opened = { file: first, player: null }; history.pushState(null, "", addressOf(first, null)); }
  await look();
}

input("files").addEventListener("change", () => {
  send([...(input("files").files ?? [])]).catch(complain);
  input("files").value = "";
});
for (const kind of ["dragover", "dragenter"]) addEventListener(kind, (event) => { event.preventDefault(); byId("drop").classList.add("over"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) byId("drop").classList.remove("over"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  byId("drop").classList.remove("over");
  if (event.dataTransfer) filesOf(event.dataTransfer).then(send).catch(complain);
});
byId("example").addEventListener("click", () => {
  setText(byId("problem"), "");
  ask("/v1/hands/example", { method: "POST" }).then(async ({ id }) => {
    await waitFor(id);
    open(id, null);
  }).catch(complain);
});

/**
 * Look until a file has been read.
 * @param {string} id
 */
async function waitFor(id) {
  await look();
  while (!files.some((file) => file.id === id && file.state !== "reading" && file.state !== "waiting")) {
    await new Promise((done) => { setTimeout(done, PATIENCE); });
    files = (await ask("/v1/hands")).files;
  }
}

addEventListener("popstate", () => { opened = askedFile(location.search); show().catch(complain); });
look().catch(complain);
players.look().catch(complain);
