// node flood.mjs PORT CONNECTIONS PIPELINED BYTES_PER_SECOND: sends the request on stdin from one address until it's killed, and
// reads no answer. A connection that the service closed is opened again. Without a rate, each connection sends once. Prints `sent`
// after each round. A process of its own, so that it takes little from the clients that are measured.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const PAUSE_MS = 5;
const [port, connections, pipelined, bytesPerSecond] = process.argv.slice(2).map(Number);
const burst = (await text(process.stdin)).repeat(pipelined);
const sockets = Array.from({ length: connections });
const startedAt = performance.now();
let sent = 0;
let at = 0;

if (!bytesPerSecond) for (let count = 0; count < connections; count++) sendNext();
setInterval(() => {
  const due = ((performance.now() - startedAt) / 1000) * bytesPerSecond;
  for (let count = 0; count < connections && sent < due; count++) sendNext();
}, PAUSE_MS);

function sendNext() {
  if (!sockets[at] || sockets[at].destroyed || sockets[at].writableLength > burst.length) open();
  sockets[at].write(burst);
  sent += burst.length;
  at = (at + 1) % connections;
  if (at === 0) process.stdout.write('sent\n');
}

function open() {
  sockets[at]?.destroy();
  sockets[at] = connect({ port, host: '127.0.0.1', localAddress: '127.0.9.1' });
  sockets[at].on('error', () => undefined).pause();
}
