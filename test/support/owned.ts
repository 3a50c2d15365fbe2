/** Our running processes, which would otherwise outlive a run that crashes. */
const ours = new Set<number>();

process.once('exit', () => {
  for (const pid of ours) signal(pid, 'SIGKILL');
});

/** Ends the process with this one at the latest. */
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
