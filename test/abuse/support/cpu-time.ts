import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS = 1e6;

/** CPU time that all threads of a process have used, in milliseconds (Linux). */
export function cpuTimeOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + cpuTimeOfThread(pid, thread), 0) / NANOSECONDS;
}

// A thread may end while its times are being read.
function cpuTimeOfThread(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
