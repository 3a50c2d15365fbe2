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
