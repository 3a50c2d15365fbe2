import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const COLLECTOR = new URL('gc-on-signal.mjs', import.meta.url).href;
const PATIENCE = 2_000;

/**
 * Node flags that let a service collect its garbage on request. The space for young objects has its full size from the start, because
 * its growth would outweigh the memory of visitors.
 */
export const COLLECTABLE = ['--min-semi-space-size=32', '--expose-gc', `--import=${COLLECTOR}`];

/** The resident memory of a service with these flags after a full garbage collection, in kilobytes. */
export async function residentKilobytes({ pid }) {
  // Waits until closed connections are cleaned up.
  await sleep(PATIENCE);
  process.kill(pid, 'SIGUSR2');
  await sleep(PATIENCE);
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return Number(found ?? spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}
