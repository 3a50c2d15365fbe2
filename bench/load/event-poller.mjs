// Bots that poll for their events, one poll at a time each. They use little CPU, because they share it with the measured service.
// `GET /` returns how many events came and how late they were, and resets the counts.
// node bench/load/event-poller.mjs <port> <url of Parley>, with the tokens of the bots in TOKENS, commas between them
import { Agent, createServer, get } from 'node:http';

const [, , port, url] = process.argv;
const agent = new Agent({ keepAlive: true });

let count = 0;
let delays = [];

createServer((request, response) => {
  response.setHeader('content-type', 'application/json').setHeader('connection', 'close');
  response.end(JSON.stringify({ count, delays }));
  [count, delays] = [0, []];
}).listen(Number(port), '127.0.0.1');

for (const token of process.env.TOKENS.split(',')) poll({ authorization: `Bearer ${token}` }, '');

function poll(headers, query) {
  const request = get(`${url}/api/bot/events${query}`, { agent, headers }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const ack = /"ack":"([\w-]+)","pending":\d+\}$/.exec(text)?.[1];
      if (response.statusCode !== 200 || ack === undefined) throw new Error(`${response.statusCode}: ${text}`);
      take(text);
      poll(headers, `?ack=${ack}`);
    });
  });
  // Parley has exited.
  request.on('error', () => undefined);
}

function take(text) {
  const now = Date.now();
  for (const [, timestamp] of text.matchAll(/\{"id":"evt_\w+","type":"message\.created","timestamp":"([^"]+)"/g)) {
    count++;
    if (count % 10 === 1 || delays.length < 1_000) delays.push(now - Date.parse(timestamp));
  }
}
