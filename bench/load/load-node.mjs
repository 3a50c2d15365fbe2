// The load generator if wrk isn't installed: a process that sends for some seconds and prints one line of JSON. `cpu` is the share of a
// core that it used itself. Near 1, it measures its own limit and not the service's.
// node bench/load/load-node.mjs <url> <seconds> <connections> [file with a token, a body, and maybe a key in each line; without one, GET]
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const [url, seconds, connections, requestsFile] = process.argv.slice(2);
const requests = requestsFile
  ? readFileSync(requestsFile, 'utf8').trim().split('\n').map(prepare)
  : [{ method: 'GET', headers: {} }];
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const times = [];
const failures = { 'answers that are not 2xx': 0, 'broken connections': 0 };

const start = performance.now();
const end = start + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(connections) }, sendUntilEnd));
report((performance.now() - start) / 1000);
agent.destroy();

function prepare(line) {
  const [token, body, key] = line.split('\t');
  const length = Buffer.byteLength(body);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': length };
  if (key) headers['idempotency-key'] = key;
  return { method: 'POST', headers, body };
}

async function sendUntilEnd() {
  while (performance.now() < end) {
    const sentAt = performance.now();
    const status = await send(requests[Math.floor(Math.random() * requests.length)]).catch(() => 0);
    times.push(performance.now() - sentAt);
    if (status === 0) failures['broken connections']++;
    else if (status < 200 || status > 299) failures['answers that are not 2xx']++;
  }
}

async function send({ method, headers, body }) {
  const outgoing = request(url, { method, agent, headers }).end(body);
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

function report(elapsed) {
  times.sort((a, b) => a - b);
  const percentile = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const { user, system } = process.cpuUsage();
  const cpu = (user + system) / 1e6 / elapsed;
  const [p50, p99] = [percentile(0.5), percentile(0.99)];
  console.log(JSON.stringify({ answers: times.length, seconds: elapsed, p50, p99, cpu, failures }));
}
