import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const COLLECTOR = new URL('gc-on-signal.mjs', import.meta.url).href;
const PATIENCE = 2_000;

/**
 * Flags of Node with which a service can be made to collect its garbage. The room for young objects has its full size
 * from the start: whether it happened to grow before or after the first look would weigh more than the visitors.
 */
export const COLLECTABLE = ['--min-semi-space-size=32', '--expose-gc', `--import=${COLLECTOR}`];

/** What a service with those flags holds in memory after it freed all that it can, in kilobytes. */
export async function residentKilobytes({ pid }) {
  // What connections leave behind is let go first.
  await sleep(PATIENCE);
  process.kill(pid, 'SIGUSR2');
  await sleep(PATIENCE);
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return Number(found ?? spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}
