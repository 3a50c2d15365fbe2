import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/ports.mjs';
import { onEnd } from './ending.mjs';

const START_PATIENCE = 30_000;
/** Parley itself takes up to 9 s to shut down. */
const STOP_PATIENCE = 10_000;

/** The flags of `npm start`. Every compared server gets the same ones. */
const NODE_FLAGS = ['--max-semi-space-size=32'];

/**
 * Starts a service on a free port of 127.0.0.1 without waiting for it.
 * @param flags additional flags for Node
 */
export async function spawnService(file, settings, flags = []) {
  const port = await freePort();
  // Passes nothing else from our environment, because the user's settings must not change the figures.
  const env = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: port, ...settings };
  const child = spawn(process.execPath, [...NODE_FLAGS, ...flags, file], { env, stdio: ['ignore', 2, 2] });
  onEnd(() => stop(child));
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, child, stop: () => stop(child) };
}

/** Starts a service and waits until it's ready. */
export async function startService(name, file, settings, flags) {
  const service = await spawnService(file, settings, flags);
  await waitUntilReady(name, service.child, `${service.url}/health/ready`);
  return service;
}

/** Runs a command and returns its output. */
export async function outputOf(command, args, env = process.env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 2] });
  onEnd(() => stop(child));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${command} failed (exit code ${code}): ${output.trim()}`);
  return output;
}

async function waitUntilReady(name, child, address) {
  const deadline = Date.now() + START_PATIENCE;
  for (;;) {
    const answer = await ask(address);
    if (answer.isReady) return;
    if (hasEnded(child)) throw new Error(`${name} ended before it was ready`);
    if (Date.now() > deadline)
      throw new Error(`${name} was not ready within ${START_PATIENCE / 1000} s: ${answer.text}`);
    await sleep(100);
  }
}

async function ask(address) {
  try {
    const response = await fetch(address);
    return { isReady: response.ok, text: `${response.status} ${await response.text()}` };
  } catch (error) {
    return { isReady: false, text: error.message };
  }
}

async function stop(child) {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

export function hasEnded({ pid, exitCode, signalCode }) {
  return pid === undefined || exitCode !== null || signalCode !== null;
}
