import { startBaseline } from './baseline-setup.mjs';
import { CONNECTIONS, send, writeRequests } from '../load/load.mjs';
import { startParley } from './parley.mjs';
import { chatsOf } from './tenants.mjs';
import { verifyStored } from '../figures/verify.mjs';

/** Starts Parley and the baseline, each on its own database with the same chats, and writes requests for all of them. */
export async function startPair(bench, name) {
  const parley = await startParley(bench, `${name}_parley`);
  const baseline = await startBaseline(bench, `${name}_baseline`);
  const requestsFile = await writeRequests(bench, 'all-chats', chatsOf(bench.tenants));
  return { parley, baseline, requestsFile };
}

/** Measures sends. A contender for `inTurns`. */
export function sender(bench, side, requestsFile, { name = side.name, connections = CONNECTIONS } = {}) {
  return { name, run: () => send(bench, side, requestsFile, connections) };
}

export async function verifyPair({ parley, baseline }) {
  await verifyStored(parley);
  await verifyStored(baseline);
}
