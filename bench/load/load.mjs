import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../setup/processes.mjs';

export const CONNECTIONS = 64;
export const PATH = '/api/bot/messages';
export const CONTENT = 'Your order has left our warehouse today.';

const WRK_SCRIPT = fileURLToPath(new URL('load.lua', import.meta.url));
const NODE_SCRIPT = fileURLToPath(new URL('load-node.mjs', import.meta.url));

/** The load generator: wrk if it's installed, otherwise a Node process. Their figures can't be compared. */
export function findLoad() {
  const { error, stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  if (error) return { name: 'a Node process, for wrk is not installed', run: runNode };
  return { name: /^wrk \S+/.exec(stdout)?.[0] ?? 'wrk', run: runWrk };
}

/** Sends messages to a contender for some seconds, and counts its responses. */
export async function send(bench, side, requestsFile, connections = CONNECTIONS) {
  const result = await run(bench, side.name, side.url + PATH, connections, requestsFile);
  side.answered += result.answers;
  // Requests that were cut off as the round ended may be stored without a response.
  side.cutOff += connections;
  return result;
}

/** The same with requests that have keys: a contender stores each of them once, and then repeats its answer. */
export function replay(bench, side, requestsFile) {
  return run(bench, side.name, side.url + PATH, CONNECTIONS, requestsFile);
}

/** Requests a page from a contender as often as possible. */
export function get(bench, side, path) {
  return run(bench, side.name + path, side.url + path, CONNECTIONS);
}

/**
 * Writes the requests, which are the same for all contenders: one per chat with a token, used in random order. `key` is an
 * `Idempotency-Key`; none by default.
 */
export async function writeRequests({ directory }, name, chats) {
  const file = join(directory, `${name}.tsv`);
  const line = ({ id, botToken, key = '' }) =>
    `${botToken}\t${JSON.stringify({ chatId: id, content: CONTENT })}${key && `\t${key}`}\n`;
  await writeFile(file, chats.map(line).join(''), { mode: 0o600 });
  return file;
}

async function run({ load, seconds }, name, url, connections, requestsFile) {
  const output = await load.run(url, seconds, connections, requestsFile);
  const { failures, ...result } = JSON.parse(output.trim().split('\n').at(-1));
  const counts = Object.entries(failures).filter(([, count]) => count > 0);
  const list = counts.map(([kind, count]) => `${count} ${kind}`).join(', ');
  if (result.answers === 0) throw new Error(`${name} answered nothing`);
  if (list) throw new Error(`${name} did not answer 2xx to every request: ${list} (${result.answers} answers)`);
  return { ...result, perSecond: result.answers / result.seconds };
}

// One thread is enough for wrk, and leaves the cores to the measured services.
function runWrk(url, seconds, connections, requestsFile) {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', WRK_SCRIPT, url];
  return outputOf('wrk', requestsFile ? [...options, '--', requestsFile] : options);
}

function runNode(url, seconds, connections, requestsFile = '') {
  return outputOf(process.execPath, [NODE_SCRIPT, url, String(seconds), String(connections), requestsFile]);
}
