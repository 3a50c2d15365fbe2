import { readdirSync, readFileSync } from 'node:fs';

/** Processes that would outlive a run that ends badly: those of ours that are not yet ended. */
const ours = new Set<number>();

process.once('exit', () => {
  for (const pid of ours) signal(pid, 'SIGKILL');
});

/** Ends with us at the latest. */
export function own(pid: number): void {
  ours.add(pid);
}

export function disown(pid: number): void {
  ours.delete(pid);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}

/** The processes that a process has started and that are still there (Linux). */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Looks again and again until it holds. @throws Error with what was awaited when that takes too long */
export async function until(what: string, holds: () => boolean | Promise<boolean>, patience = 30_000): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`in ${patience / 1000} s not: ${what}`);
    await pause(10);
  }
}
