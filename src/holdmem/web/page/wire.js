// The connection: says hello, comes back when it is lost, hands every message to whoever listens.
export function connect(listen, tell) {
  let socket = null;
  let wait = 250;
  let closed = false;
  const waiting = [];

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/v1/table`);
    socket.onopen = () => {
      wait = 250;
      socket.send(JSON.stringify({ type: "hello", version: 1 }));
      tell(true);
      while (waiting.length) socket.send(waiting.shift());
    };
    socket.onmessage = (event) => listen(JSON.parse(event.data));
    socket.onclose = () => {
      tell(false);
      if (!closed) setTimeout(open, wait);
      wait = Math.min(wait * 2, 5000);
    };
  }
  open();
  addEventListener("pagehide", () => { closed = true; socket.close(); });
  return (message) => {
    const text = JSON.stringify(message);
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    else waiting.push(text);
  };
}
