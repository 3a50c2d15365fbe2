import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** CPU seconds that a process and its ended children have used; 0 if it has ended. Linux only, because it reads /proc. */
export async function cpuOf(pid) {
  const stat = await statOf(pid);
  return stat === null ? 0 : (stat.own + stat.waitedFor) / ticks();
}

/** Counts the CPU time of a service and its PostgreSQL from now on. Returns a function that returns it per item, in microseconds. */
export async function cpuFrom(bench, { pid }) {
  const before = [await cpuOf(pid), await cpuOfDatabase(bench)];
  return async (count) => {
    const [node, database] = [await cpuOf(pid), await cpuOfDatabase(bench)];
    return { node: ((node - before[0]) * 1e6) / count, database: ((database - before[1]) * 1e6) / count };
  };
}

/** CPU seconds of the run's PostgreSQL with all its connections. */
export function cpuOfDatabase({ directory }) {
  return cpuOfServer(join(directory, 'postgres'));
}

/** CPU seconds of the PostgreSQL on a data directory, with all its connections. */
export async function cpuOfServer(directory) {
  const [postmaster] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n');
  return cpuOfFamily(Number(postmaster));
}

// A process with its children, including ended ones.
async function cpuOfFamily(parent) {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map(statOf));
  const children = stats.filter((stat) => stat?.parent === parent).map(({ own }) => own / ticks());
  return children.reduce((sum, seconds) => sum + seconds, await cpuOf(parent));
}

let perSecond;
function ticks() {
  return (perSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })));
}

async function statOf(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1], own: fields[11] + fields[12], waitedFor: fields[13] + fields[14] };
}
