import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../setup/ending.mjs';
import { freePort } from '../../test/support/ports.mjs';

const RECEIVER = fileURLToPath(new URL('receiver.mjs', import.meta.url));
const POLLER = fileURLToPath(new URL('event-poller.mjs', import.meta.url));
const PATIENCE = 300_000;

/** Starts a receiver, `fast` or `silent`. `read` returns what it got since the last call. */
export function startReceiver(kind) {
  return start(RECEIVER, kind, process.env);
}

/** Starts a bot for each token, which polls for its events. `read` works like a receiver's. */
export function startPoller({ url }, tokens) {
  return start(POLLER, url, { TOKENS: tokens.join() });
}

async function start(program, argument, env) {
  const port = await freePort();
  const child = spawn(process.execPath, [program, String(port), argument], { stdio: ['ignore', 2, 2], env });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  onEnd(stop);
  const url = `http://127.0.0.1:${port}/`;
  const read = async () => (await fetch(url)).json();
  for (let isUp = false; !isUp; await sleep(50)) isUp = await read().then(Boolean, () => false);
  return { url, read, stop };
}

/** Waits until this many events have been delivered. */
export async function drain({ read }, expected) {
  const deadline = performance.now() + PATIENCE;
  for (let total = 0; total < expected; await sleep(50)) {
    total += (await read()).count;
    if (performance.now() > deadline) throw new Error(`only ${total} of ${expected} events arrived`);
  }
}
