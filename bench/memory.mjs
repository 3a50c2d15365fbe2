import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';

/** Flags that let `collectGarbage` in, without a word on the console. */
export function inspectorFlags(port) {
  return [`--inspect=127.0.0.1:${port}`, '--inspect-publish-uid=http'];
}

/** Makes a service that runs with those flags free all that it can. Twice: finalizers free more. */
export async function collectGarbage(port) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  for (let id = 1; id <= 2; id++) {
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await answered;
  }
  socket.close();
  await sleep(500);
}

/** What a process holds in memory, in kilobytes, shared libraries included. */
export async function residentKilobytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return Number(found ?? spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}
