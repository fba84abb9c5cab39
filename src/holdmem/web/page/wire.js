// The connection: says hello, reconnects when it is lost, and passes every message to `listen`.
// `tell` gets "online", "lost" (just now), "silent" (no answer) or "refused" (the address is of an earlier launch).

/** @typedef {"online"|"lost"|"silent"|"refused"} Connection */

/**
 * @param {(message: any) => void} listen
 * @param {(how: Connection) => void} tell
 * @returns {(message: Record<string, unknown>) => void}
 */
export function connect(listen, tell) {
  /** @type {WebSocket|null} */
  let socket = null;
  let wait = 250;
  let closed = false;

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const made = new WebSocket(`${scheme}://${location.host}/v1/table`);
    socket = made;
    made.onopen = () => {
      wait = 250;
      made.send(JSON.stringify({ type: "hello", version: 2, progress: true }));
      tell("online");
    };
    made.onmessage = (event) => listen(JSON.parse(event.data));
    made.onclose = async () => {
      if (closed) return;
      const again = wait;
      wait = Math.min(wait * 2, 5000);
      setTimeout(open, again);
      tell(again < 2000 ? "lost" : await reach());
    };
  }

  // A browser does not report why a connection failed; an ordinary request does.
  /** @returns {Promise<Connection>} */
  async function reach() {
    try {
      const answer = await fetch("/page/icon.svg", { cache: "no-store" });
      return answer.status === 403 ? "refused" : "lost";
    } catch {
      return "silent";
    }
  }

  open();
  addEventListener("pagehide", () => { closed = true; socket?.close(); });
  addEventListener("pageshow", (event) => { if (event.persisted) { closed = false; open(); } });
  // Messages sent while offline are dropped: the table is shown as it is when the connection is back.
  return (message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
}

/** @type {Record<Connection, string>} */
export const TROUBLE = {
  online: "",
  lost: "Connection lost; reconnecting.",
  silent: "The table does not answer. If 'holdmem play' was closed, start it again and your table will come back.",
  refused: "This address belongs to an earlier launch. Open the one that 'holdmem play' prints now.",
};
