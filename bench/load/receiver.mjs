// A webhook receiver that responds 200 to every request. It uses little CPU, because it shares it with the measured service. `GET /`
// returns how many events came and how late they were, and resets the counts.
// node bench/load/receiver.mjs <port> [fast | silent]
import { createServer } from 'node:net';

const [, , port, kind = 'fast'] = process.argv;
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

let count = 0;
let delays = [];

createServer((socket) => {
  let text = '';
  socket
    .setNoDelay(true)
    .setEncoding('latin1')
    .on('error', () => undefined);
  socket.on('data', (chunk) => {
    text += chunk;
    for (let end = find(text); end >= 0; end = find(text)) {
      take(socket, text.slice(0, end));
      text = text.slice(end);
    }
  });
}).listen(Number(port), '127.0.0.1');

/** The end of the first request in a text; -1 if it's incomplete. */
function find(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return -1;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return end <= text.length ? end : -1;
}

function take(socket, request) {
  if (request.startsWith('GET')) return answer(socket);
  const now = Date.now();
  count++;
  // Reads a sample only. Events have times from this machine's clock.
  if (count % 10 === 1 || delays.length < 1_000)
    delays.push(now - Date.parse(/"timestamp":"([^"]+)"/.exec(request)?.[1]));
  if (kind === 'fast') socket.write(OK);
}

function answer(socket) {
  const body = JSON.stringify({ count, delays });
  [count, delays] = [0, []];
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
}
