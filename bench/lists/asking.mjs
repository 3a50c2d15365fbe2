import { Agent, request } from 'node:http';
import { percentile } from '../figures/stats.mjs';

/** The most warm-up requests to a list, and the number of measured requests. */
const WARM_UP = 20;
const COUNTED = 200;
/** The limit of the 95th percentile, in milliseconds. */
export const BOUND = 20;
/** How often a list that took longer is measured, because other load may have slowed it down. The best result counts. */
const TRIES = 3;

/** Whether a list took too long. @param bound its own limit in milliseconds; null: no limit */
export function isSlow(p95, bound) {
  return bound !== null && p95 >= bound;
}

/**
 * Requests each list repeatedly, one request after the other.
 * @param lists `[token, path, body, bound]` by row name. Without a token, the administrator's token is used; without a body, it's a GET;
 * without a bound, BOUND applies
 * @param counted the number of measured requests
 */
export async function timeAll({ url, adminToken }, lists, counted = COUNTED) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const results = [];
  for (const [title, [token, path, body, bound = BOUND]] of lists) {
    const asked = () => ask(agent, url + path, token ?? adminToken, body);
    let best = await timeOne(asked, counted);
    for (let tries = 1; isSlow(best.p95, bound) && tries < TRIES; tries++) {
      const again = await timeOne(asked, counted);
      if (again.p95 < best.p95) best = again;
    }
    results.push({ title, bound, ...best });
  }
  agent.destroy();
  return results;
}

async function timeOne(asked, counted) {
  const times = [];
  let size = 0;
  const dropped = Math.min(WARM_UP, counted);
  for (let count = 0; count < dropped + counted; count++) {
    const start = performance.now();
    size = await asked();
    if (count >= dropped) times.push(performance.now() - start);
  }
  return { p50: percentile(times, 50), p95: percentile(times, 95), size };
}

function ask(agent, url, token, body) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      let size = 0;
      response.on('data', (chunk) => (size += chunk.length));
      response.on('end', () =>
        response.statusCode < 300 ? resolve(size) : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    });
    asked.on('error', reject).end(body && JSON.stringify(body));
  });
}
