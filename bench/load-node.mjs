// The load where there is no wrk: a process of its own that sends for some seconds and prints one line of JSON.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const [url, requestsFile, seconds, connections] = process.argv.slice(2);
const requests = readFileSync(requestsFile, 'utf8').trim().split('\n').map(prepare);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const times = [];
const failures = { 'answers that are not 2xx': 0, 'broken connections': 0 };

const start = performance.now();
const end = start + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(connections) }, sendUntilEnd));
report((performance.now() - start) / 1000);
agent.destroy();

function prepare(line) {
  const [token, body] = line.split('\t');
  const length = Buffer.byteLength(body);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': length };
  return { headers, body };
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

async function send({ headers, body }) {
  const outgoing = request(url, { method: 'POST', agent, headers }).end(body);
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

function report(elapsed) {
  times.sort((a, b) => a - b);
  const percentile = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const result = { answers: times.length, seconds: elapsed, p50: percentile(0.5), p99: percentile(0.99), failures };
  console.log(JSON.stringify(result));
}
