import { readdirSync, readFileSync } from 'node:fs';

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
