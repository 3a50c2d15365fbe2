import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { outputOf } from './processes.mjs';

export const CONNECTIONS = 64;
export const PATH = '/api/bot/messages';

const WRK_SCRIPT = fileURLToPath(new URL('load.lua', import.meta.url));
const NODE_SCRIPT = fileURLToPath(new URL('load-node.mjs', import.meta.url));

/** The load generator of this machine: wrk if there is one. The figures of the two cannot be compared. */
export function findLoad() {
  const { error, stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  if (error) return { name: 'a Node process, for wrk is not installed', run: runNode };
  return { name: /^wrk \S+/.exec(stdout)?.[0] ?? 'wrk', run: runWrk };
}

/** One round of requests, taken at random out of a file with a token and a body in each line. */
export async function measure(load, side, requestsFile, seconds) {
  const output = await load.run(side.url + PATH, requestsFile, seconds);
  const result = JSON.parse(output.trim().split('\n').at(-1));
  const failures = Object.entries(result.failures).filter(([, count]) => count > 0);
  const list = failures.map(([kind, count]) => `${count} ${kind}`).join(', ');
  if (result.answers === 0) throw new Error(`${side.name} answered nothing`);
  if (list) throw new Error(`${side.name} did not answer 2xx to every request: ${list} (${result.answers} answers)`);
  return { ...result, perSecond: result.answers / result.seconds };
}

// One thread is enough for wrk here and leaves the cores to what is measured.
function runWrk(url, requestsFile, seconds) {
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', WRK_SCRIPT];
  return outputOf('wrk', [...options, url, '--', requestsFile]);
}

function runNode(url, requestsFile, seconds) {
  return outputOf(process.execPath, [NODE_SCRIPT, url, requestsFile, String(seconds), String(CONNECTIONS)]);
}
